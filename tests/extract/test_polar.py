"""A yes or no: by form alone, to which questions it is an answer, and what it then claims."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_kb import write_kb

from imprimatur.extract.polar import asks, reply
from imprimatur.oracle import Oracle
from imprimatur.policy import load
from imprimatur.stream import Mode


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Yes.", True),
        ("**Yes**", True),
        ("✅ Yes", True),
        ("Yes, it is.", True),
        ("Yes — it does.", True),
        ("It is.", True),
        ("They do.", True),
        ("Absolutely, it does!", True),
        ("Indeed it is.", True),
        ("So it is.", True),
        ("That's right.", True),
        ("Of course.", True),
        ("I can confirm that.", True),
        ("No.", False),
        ("No, it does not.", False),
        ("It isn't.", False),
        ("Of course not.", False),
        ("That is not correct.", False),
        ("By no means.", False),
        ("Nope, never.", False),
        ("Yes, it is not.", None),
    ],
)
def test_a_text_that_is_a_yes_or_no(text: str, sign: bool | None) -> None:
    """Marks and emphasis do not hide it; where its parts do not agree it says neither."""
    found = reply(text)
    assert found is not None
    assert (found.whole, found.sign) == (True, sign)


@pytest.mark.parametrize(
    ("text", "words"),
    [("Yes, it is 12 km long.", "Yes"), ("No, the brook is longer.", "No"), ("Yes it is 12 km long.", "Yes")],
)
def test_a_text_that_begins_with_one(text: str, words: str) -> None:
    """What follows is read by itself."""
    found = reply(text)
    assert found is not None
    assert not found.whole
    assert text[found.start : found.end] == words


@pytest.mark.parametrize(
    "text", ["The brook is 12 km long.", "No brooks flow there.", "It has two sources.", "Nothing."]
)
def test_other_texts(text: str) -> None:
    """A determiner or a full sentence is no answer of this kind."""
    assert reply(text) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is the brook 12 km long?", True),
        ("Hello. Is the brook 12 km long?", True),
        ("The brook is 12 km long, right?", True),
        ("The brook is 12 km long, isn't it?", True),
        ("The brook is 12 km long?", True),
        ("Is it true that the brook is 12 km long?", True),
        ("Tell me whether the brook is 12 km long.", True),
        ("How long is the brook?", False),
        ("Which is longer, the brook or the burn?", False),
        ("Can you tell me how long the brook is?", False),
        ("Could you describe the brook?", False),
        ("Tell me about the brook.", False),
    ],
)
def test_questions_that_ask_for_one(question: str, expected: bool) -> None:
    """Those about whether something is so; not those about what is, nor favours."""
    assert asks(question) is expected


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """Over the small knowledge base, whose Elm Brook is 12 km long."""
    return Oracle.from_folder(write_kb(tmp_path_factory.mktemp("polar")))


_TRUE, _FALSE = "Is the Elm Brook 12 km long?", "Is the Elm Brook 13 km long?"


@pytest.mark.parametrize("yes", ["Yes.", "It is.", "Yes, it is.", "Correct.", "Absolutely.", "Indeed.", "Of course."])
@pytest.mark.parametrize(
    ("question", "label"),
    [
        (_TRUE, "supported"),
        (_FALSE, "contradicted"),
        ("The Elm Brook is 13 km long, right?", "contradicted"),
        ("Is it true that the Elm Brook is 13 km long?", "contradicted"),
        ("Is the Elm Brook romantic?", "not_found"),
    ],
)
def test_yes(oracle: Oracle, yes: str, question: str, label: str) -> None:
    """It says what is asked; where that is not understood, nothing is licensed by it."""
    (segment,) = oracle.check(yes, question).segments
    assert segment.label.value == label


@pytest.mark.parametrize("no", ["No.", "It isn't.", "No, it is not.", "Certainly not."])
def test_no(oracle: Oracle, no: str) -> None:
    """It says that what is asked is not so."""
    assert [oracle.check(no, q).segments[0].label.value for q in (_TRUE, _FALSE)] == ["contradicted", "supported"]


@pytest.mark.parametrize(
    ("answer", "question", "labels"),
    [
        ("Yes, it is 12 km long.", _TRUE, ["supported"]),
        ("Yes, it is 12 km long.", _FALSE, ["contradicted"]),
        ("No, it is 12 km long.", _FALSE, ["supported"]),
        ("No, it is 12 km long.", _TRUE, ["contradicted"]),
        ("Yes. The Elm Brook is 12 km long.", _FALSE, ["contradicted", "supported"]),
        ("Yes, it is longer than 5 km.", _FALSE, ["contradicted"]),
        ("Yes, it is not.", _TRUE, ["not_found"]),
    ],
)
def test_before_a_sentence(oracle: Oracle, answer: str, question: str, labels: list[str]) -> None:
    """The yes or no counts beside what follows it."""
    assert [segment.label.value for segment in oracle.check(answer, question).segments] == labels


@pytest.mark.parametrize("question", ["How long is the Elm Brook?", "Can you tell me how long the Elm Brook is?", None])
def test_where_nothing_is_asked_to_confirm(oracle: Oracle, question: str | None) -> None:
    """A remark stays a remark."""
    assert oracle.check("Sure! The Elm Brook is 12 km long.", question).decision.kind == "licensed"


@pytest.mark.parametrize(
    "answer", ["129.", "2.", "b)", "(c)", "Option B", "Them.", "Everyone.", "Both of them.", "There."]
)
def test_a_bare_answer(oracle: Oracle, answer: str) -> None:
    """A number, a letter or a pronoun answers whatever question was asked, so that it is no remark."""
    assert oracle.check(answer, "How long is the Elm Brook?").decision.kind == "abstained"


@pytest.mark.parametrize(
    ("sign", "labels"), [("👍", ["supported", "contradicted"]), ("❌", ["contradicted", "supported"])]
)
def test_signs(oracle: Oracle, sign: str, labels: list[str]) -> None:
    """A thumb or a cross is a yes or no; beside words it is an ornament."""
    assert [oracle.check(sign, q).segments[0].label.value for q in (_TRUE, _FALSE)] == labels
    assert (
        oracle.check(f"{sign} The Elm Brook is 12 km long.", "How long is the Elm Brook?").decision.kind == "licensed"
    )


def test_streamed(oracle: Oracle) -> None:
    """However the answer is cut, nothing of a false yes is shown."""
    for cut in range(1, len("Yes, it is.")):
        gate = oracle.gate(_FALSE, mode=Mode.HOLD.value)
        shown = gate.feed("Yes, it is."[:cut]) + gate.feed("Yes, it is."[cut:]) + gate.finish()
        assert "Yes" not in shown
        assert gate.report is not None
        assert gate.report.decision.kind == "abstained"


def test_nothing_is_put_in_its_place(oracle: Oracle) -> None:
    """A false yes is withheld: a value would be no answer to the question."""
    report = oracle.check("Yes, it is.", _FALSE, policy=load("correct", environ={}))
    assert report.decision.kind == "abstained"


@pytest.mark.parametrize(
    ("answer", "question", "kind"),
    [
        ("Yes.", "Is the Foo River 192 km long?", "abstained"),
        ("Yes, it is 192 km long.", "Is the Foo River 192 km long?", "licensed"),
        ("Yes, it is 192 km long.", "Is the Foo River 19 km long?", "abstained"),
        ("Yes, it is 192 km long and deep.", "Is the Foo River 192 km long?", "abstained"),
    ],
)
def test_beside_text(tmp_path: Path, answer: str, question: str, kind: str) -> None:
    """Where evidence is text, a yes is licensed before a sentence that says what is asked once more, and no other."""
    (tmp_path / "imprimatur.yaml").write_text("version: 1\n", encoding="utf-8")
    report = Oracle.from_folder(tmp_path).check(answer, question, ["The Foo River is 192 km long."])
    assert report.decision.kind == kind
