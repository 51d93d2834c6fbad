"""Questions with short answers, asked and scored: stores, ways to ask, figures, and the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from made_asking import Fixed
from made_endpoint import loopback, reply, served
from made_questions import written

from imprimatur.errors import InputError, StoreUnavailable
from imprimatur.evals.answer_sets import QuestionRow, load
from imprimatur.evals.answer_stores import Known, Paragraphs, known, local_store, names_in, remote_store, withheld
from imprimatur.evals.kgqa import RECORDED, Given, Plan, ask_all, judged, run
from imprimatur.evals.kgqa_told import figures
from imprimatur.oracle import Oracle
from imprimatur.sources.remote.endpoint import Endpoint
from imprimatur.sources.remote.settings import Limits, Remote

QUICK = Limits(pause=0.0, seconds=10, total=10, tries=1)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """An endpoint over the small world."""
    with served(loopback()) as server:
        yield server.url


def _asked(store: Any, **plan: Any) -> dict[str, Given]:
    oracle = Oracle.from_folder(store.folder)
    return {one.row.text: one for one in ask_all(store.rows, oracle, Plan(**plan))["graph"].given}


# -- stores ------------------------------------------------------------------------------------------------------------
def test_rows_of_relations_answer_their_questions(tmp_path: Path) -> None:
    """The knowledge base made of them is asked; two answers are both given."""
    store = local_store(load("relations", [written("relations", tmp_path)]), Known(), tmp_path / "kb")
    found = _asked(store)
    first, second = found["What is the occupation of Ann Marlow?"], found["Where did Jo Tarn die?"]
    assert (second.values, second.right, second.exact, second.f1) == (("Rome",), True, True, 1.0)
    assert first.values == () or set(first.values) == {"painter", "sculptor"}
    assert store.told == "3 facts of the questions' own, 0 of them withheld"


def test_what_is_withheld_is_not_answered(tmp_path: Path) -> None:
    """Names and words stay, the facts are gone, also where another file has them; nothing is right any more."""
    path = written("relations", tmp_path)
    store = local_store(load("relations", [path]), known([path]), tmp_path / "kb", percent=100)
    assert store.told == "3 facts of the questions' own, 3 of them withheld"
    assert all(row.right == () for row in store.rows)
    assert "occupation" in (tmp_path / "kb" / "graph.nt").read_text("utf-8")
    for one in _asked(store).values():
        assert (one.values, one.right, one.outcome) == ((), False, one.outcome)


def test_so_many_are_withheld() -> None:
    """About as many as was asked for, and those of fewer are among those of more."""
    rows = [QuestionRow(id=str(n), text="?", source="x") for n in range(2000)]
    few, many = ([row.id for row in rows if withheld(row, percent)] for percent in (10, 30))
    assert set(few) < set(many)
    assert (150 < len(few) < 250, 500 < len(many) < 700, any(withheld(row, 0) for row in rows)) == (True, True, False)


def test_ids_are_labelled_by_what_other_files_say(tmp_path: Path) -> None:
    """A fact in ids is asked about where all of it has labels, and counted where it has not."""
    questions = load("simplequestions", [written("simplequestions", tmp_path)])
    labels = tmp_path / "labels.jsonl"
    rows: list[dict[str, Any]] = [{"entities": {"Q1": "Ann Marlow", "P20": "place of death", "None": "x", "Q9": 5}}]
    labels.write_text("\n".join(map(json.dumps, [*rows, {"topic_entity": {"Q10": "Rome"}}])), encoding="utf-8")
    store = local_store(questions, known([labels]), tmp_path / "kb")
    assert (store.unlabelled, len(store.rows)) == (1, 1)
    assert store.told == "1 facts of the questions' own, 0 of them withheld; 1 more have no labels"
    assert _asked(store)["Where did Ann Marlow die?"].values == ("Rome",)
    with pytest.raises(InputError, match="nothing here has facts"):
        local_store(questions, Known(), tmp_path / "none")


@pytest.mark.parametrize("name", ["simplequestions", "mintaka", "hotpotqa", "relations"])
def test_every_set_is_asked_of_an_endpoint(name: str, url: str, tmp_path: Path) -> None:
    """By the things that the set names, or else by the names in the question."""
    endpoint = Endpoint(Remote(url=url, limits=QUICK))
    store = remote_store(load(name, [written(name, tmp_path)]), endpoint, tmp_path / "kb")
    found = _asked(store)
    one = found.get("Where did Ann Marlow die?") or found["Where did Jo Tarn die?"]
    assert (one.values, one.exact) == (("Rome",), True)
    assert not [each for each in found.values() if each.values and not each.right]
    if name == "simplequestions":
        assert {row.right for row in store.rows} == {("Rome",), ("Jo Tarn",)}


def test_an_endpoint_that_fails_is_an_error(tmp_path: Path) -> None:
    """It is not as if nothing were known."""
    path = written("relations", tmp_path)
    with served(lambda handler, query: reply(handler, b"", status=500)) as server, pytest.raises(StoreUnavailable):
        run("relations", [path], Plan(endpoint=Remote(url=server.url, limits=QUICK)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Where did Ann Marlow die?",
            {"Where did Ann Marlow", "Where did Ann", "Ann Marlow", "Where", "Ann", "Marlow"},
        ),
        (
            "who directed The Lord of the Rings?",
            {"The Lord of the Rings", "The Lord", "The", "Lord", "Rings", "Lord of the Rings"},
        ),
        ("is Ann's brother older?", {"Ann"}),
        ("nothing here", set()),
    ],
)
def test_names_in_a_question(text: str, names: set[str]) -> None:
    """Runs that begin with a capital, at most half of small words; the longest first."""
    found = names_in(text)
    assert set(found) == names
    assert [len(each.split()) for each in found] == sorted((len(each.split()) for each in found), reverse=True)


# -- figures -----------------------------------------------------------------------------------------------------------
def _row(name: str, *right: str) -> QuestionRow:
    return QuestionRow(id=name, text=name, source=name, right=right, kind="k")


def test_figures_are_those_counted_by_hand(tmp_path: Path) -> None:
    """Six questions: exact, right but not exact, half right, wrong, abstained, and one without support answered."""
    store = local_store(load("relations", [written("relations", tmp_path)]), Known(), tmp_path / "kb")
    oracle = Oracle.from_folder(store.folder)
    given = [
        judged(_row("1", "Rome"), ("Rome",), "answered", oracle),
        judged(_row("2", "Rome"), ("Rome, in Italy",), "answered", oracle),
        judged(_row("3", "Rome"), ("Rome", "Paris"), "answered", oracle),
        judged(_row("4", "Rome"), ("Paris",), "answered", oracle),
        judged(_row("5", "Rome"), (), "unread", oracle),
        judged(_row("6"), ("Paris",), "answered", oracle),
    ]
    assert [one.right for one in given] == [True, True, False, False, False, False]
    assert [one.f1 for one in given] == pytest.approx([1.0, 2 / 4, 2 / 3, 0.0, 0.0, 0.0])
    counts = {kind: (share.count, share.total) for kind, share in figures(given).items()}
    assert counts == {
        "exact match": (1, 5),
        "right": (2, 5),
        "wrong": (2, 5),
        "abstained": (1, 5),
        "right when answered": (2, 4),
        "answers without support": (1, 1),
    }


def test_a_number_is_right_however_it_is_written(tmp_path: Path) -> None:
    """By the number rules; exact match knows of strings only."""
    store = local_store(load("relations", [written("relations", tmp_path)]), Known(), tmp_path / "kb")
    one = judged(_row("1", "1200"), ("1,200.0",), "answered", Oracle.from_folder(store.folder))
    assert (one.right, one.exact) == (True, False)


# -- ways to ask -------------------------------------------------------------------------------------------------------
def test_recorded_answers_are_scored(tmp_path: Path, shell: Any) -> None:
    """Rows of ids and answers; an answer that is absent or null is none, and a wrong one is listed."""
    path, answers = written("relations", tmp_path), tmp_path / "answers.jsonl"
    rows = [{"id": "Q2 place of death", "answer": "Paris"}, {"id": "Q1 occupation", "answer": None}]
    answers.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    ran: Ran = shell("eval", "kgqa", "relations", str(path), "--answers", str(answers))
    assert ran.status == 0, ran.err
    assert "recorded wrong  Where did Jo Tarn die?  Paris  [Rome; Roma]" in ran.out
    answers.write_text("\n".join(map(json.dumps, rows[:1] * 2)), encoding="utf-8")
    ran = shell("eval", "kgqa", "relations", str(path), "--answers", str(answers))
    assert (ran.status, "comes twice" in ran.err) == (2, True)


def test_a_model_is_asked_in_any_condition(tmp_path: Path) -> None:
    """Its text is the answer, and what was used is counted."""
    store = local_store(load("relations", [written("relations", tmp_path)]), Known(), tmp_path / "kb")
    plan = Plan(hows=("plain", "cot"), model=lambda: Fixed("Answer: Rome"))
    taken = ask_all(store.rows, Oracle.from_folder(store.folder), plan)
    assert {how: each.used.calls for how, each in taken.items()} == {"plain": 2, "cot": 2}
    assert {one.text for one in taken["cot"].given} == {"Rome"}
    assert [one.exact for one in taken["cot"].given if one.row.text.startswith("Where")] == [True]


@pytest.mark.parametrize(("shown", "there"), [(Paragraphs.NEEDED, (True, False)), (Paragraphs.ALL, (True, True))])
def test_paragraphs_are_passages_for_a_model(tmp_path: Path, shown: Paragraphs, there: tuple[bool, bool]) -> None:
    """HotpotQA's paragraphs are what `rag` is shown: those that are needed, or all."""
    rows = load("hotpotqa", [written("hotpotqa", tmp_path)])
    store = local_store(rows, Known(), tmp_path / "kb", shown=shown)
    model = Fixed("She died in Rome.")
    ask_all(store.rows, Oracle.from_folder(store.folder), Plan(hows=("graph", "rag"), model=lambda: model))
    prompt = "".join(message.content for message in model.prompts[0].messages)
    assert ("She died in Rome." in prompt, "Ann Marlow died in Paris." in prompt) == there


def test_a_false_paragraph_withholds_what_the_graph_says(url: str, tmp_path: Path) -> None:
    """Where it is evidence, the two sources disagree, and nothing is answered."""
    rows = load("hotpotqa", [written("hotpotqa", tmp_path)])
    endpoint = Endpoint(Remote(url=url, limits=QUICK))
    for shown, values in ((Paragraphs.NONE, ("Rome",)), (Paragraphs.ALL, ())):
        store = remote_store(rows, endpoint, tmp_path / shown.value, shown=shown)
        (one,) = _asked(store).values()
        assert one.values == values


# -- the command -------------------------------------------------------------------------------------------------------
def test_the_command_prints_tables(tmp_path: Path, shell: Any, url: str) -> None:
    """Of rows and of an endpoint, whose answers are kept; as JSON too."""
    path, cache = written("relations", tmp_path), tmp_path / "cache"
    ran: Ran = shell("eval", "kgqa", "relations", str(path), "--list")
    assert ran.status == 0, ran.err
    assert "relations: 2 questions with an answer, 0 whose fact is withheld" in ran.out
    assert "graph right  Where did Jo Tarn die?  Rome" in ran.out
    remote = ("--endpoint", url, "--cache", str(cache), "--pause", "0", "--language", "en")
    ran = shell("eval", "kgqa", "relations", str(path), *remote, "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert told["store"].endswith("facts about 2 things")
    assert told["ways"]["graph"]["exact match"]["total"] == 2
    assert list(cache.iterdir())


def test_a_wrong_licensed_answer_is_exit_status_one(tmp_path: Path, shell: Any) -> None:
    """The knowledge base says otherwise than the set."""
    path = written("relations", tmp_path)
    local_store(load("relations", [path]), Known(), tmp_path / "kb")
    rows = path.read_text("utf-8").replace('"Rome"', '"Paris"').replace('"Roma"', '"Paris"')
    path.write_text(rows, encoding="utf-8")
    ran: Ran = shell("eval", "kgqa", "relations", str(path), "--kb", str(tmp_path / "kb"))
    assert ran.status == 1
    assert "graph wrong  Where did Jo Tarn die?  Rome  [Paris]" in ran.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--how", "plain"), "no model is configured"),
        (("--kb", "rivers", "--paragraphs", "all"), "that is made"),
        (("--how", "recorded"), "takes its answers from a file"),
        (("--kb", "rivers", "--endpoint", "http://127.0.0.1:9/"), "one knowledge base"),
        (("--kb", "rivers", "--withhold", "10"), "made of the rows"),
        (("--endpoint", "ftp://127.0.0.1/"), "no web address"),
        (("--agent", "me"), "none is named"),
        (("--record", "a", "--replay", "b"), "not both"),
        (("--facts", "none.jsonl"), "cannot be read"),
        (("--part", "dev", "--most", "0"), "0"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, shell: Any, options: tuple[str, ...], told: str) -> None:
    """What, and how to mend it; no traceback."""
    ran: Ran = shell("eval", "kgqa", "relations", str(written("relations", tmp_path)), *options)
    assert ran.status == 2
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_a_way_that_needs_a_model_and_has_none(tmp_path: Path) -> None:
    """It is told before anything is asked."""
    with pytest.raises(InputError, match="a model is needed"):
        run("relations", [written("relations", tmp_path)], Plan(hows=("plain", RECORDED)))
