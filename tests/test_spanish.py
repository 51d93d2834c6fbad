"""Spanish, from data alone: true sentences about a small made-up world, and changed ones that it does not bear out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from imprimatur.oracle import Oracle
from imprimatur.report import JudgedSegment

SPANISH = Path(__file__).parent / "golden" / "spanish"
#: Sentences that state nothing: a condition, and reported speech.
_UNSTATED = ("condition", "reported")
#: Words that change or spoil a sentence wherever they are put in.
_INSERTED = (
    "no nunca apenas tampoco jamás principal antiguo otro falso ningún sin podría parcialmente salvo excepto nadie"
).split()


def rows(name: str) -> list[list[str]]:
    """The rows of a golden file."""
    lines = (SPANISH / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


TRUE, FALSE = rows("true.tsv"), rows("false.tsv")


@cache
def oracle(policy: str = "strict") -> Oracle:
    """The oracle of the Spanish world."""
    return Oracle.from_folder(SPANISH / "world", policy=policy)


def judged(before: str, sentence: str) -> JudgedSegment:
    """The last segment of a text."""
    return oracle().check(f"{before} {sentence}".strip()).segments[-1]


def test_there_are_enough_rows() -> None:
    """The files hold what they are for."""
    assert len(TRUE) >= 60
    assert len(FALSE) >= 120
    assert not {tuple(row[:2]) for row in TRUE} & {tuple(row[:2]) for row in FALSE}


def test_most_true_sentences_are_licensed() -> None:
    """Of the true sentences four in five are licensed."""
    licensed = [row for row in TRUE if judged(*row).label == "supported"]
    assert len(licensed) >= 0.8 * len(TRUE)


@pytest.mark.parametrize(("before", "sentence"), TRUE, ids=[row[1][:80] for row in TRUE])
def test_no_true_sentence_is_contradicted(before: str, sentence: str) -> None:
    """What is true is licensed or withheld, and never called false."""
    assert judged(before, sentence).label in ("supported", "not_found", "ambiguous")


@pytest.mark.parametrize(("before", "sentence", "change"), FALSE, ids=[row[1][:80] for row in FALSE])
def test_no_changed_sentence_is_licensed(before: str, sentence: str, change: str) -> None:
    """A changed number, name, date, role, negation, modifier or clause is never licensed, nor passed over."""
    unstated = ["not_a_claim"] if change in _UNSTATED else []
    assert judged(before, sentence).label in ("contradicted", "not_found", "ambiguous", *unstated)


def test_most_wrong_values_are_contradicted() -> None:
    """A wrong number, name or date of a property with one value is called false, not only withheld."""
    wrong = [row for row in FALSE if row[2] in ("number", "name", "date")]
    refuted = [row for row in wrong if judged(*row[:2]).label == "contradicted"]
    assert len(refuted) >= 0.6 * len(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("before", "sentence"), TRUE, ids=[row[1][:80] for row in TRUE])
def test_no_inserted_word_is_licensed(before: str, sentence: str) -> None:
    """A word put in anywhere but within a name or a marker takes the licence away.

    A second negative word leaves a Spanish denial as it is, so sentences that deny are left out.
    """
    *earlier, sentence = re.split(r"(?<=\.) (?=\w)", sentence)
    before = " ".join((before, *earlier))
    words = sentence.split(" ")
    if words[0] == "Según" or {"no", "nunca", "ni"} & set(words) or judged(before, sentence).label != "supported":
        pytest.skip("nothing to lose")
    found = []
    for k in range(1, len(words)):
        if words[k - 1][:1].isupper() and (words[k][:1].isupper() or words[k] in ("de", "casa")):
            continue
        for word in _INSERTED:
            changed = " ".join((*words[:k], word, *words[k:]))
            if judged(before, changed).label == "supported":
                found.append(changed)
    assert found == []


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        ("El Brisco mide 78 km.", "El Brisco mide 87 km."),
        ("La capital de Cerrosa es Puertoclaro.", "La capital de Cerrosa es Tarreña."),
        ("El Aldor desemboca en el Brisco.", "El Aldor desemboca en el Golfo de Lemar."),
        ("El Turbión mide 1.243,5 km. El Brisco mide 87 km.", "El Turbión mide 1.234,5 km. El Brisco mide 87 km."),
    ],
)
def test_numbers_and_names_are_corrected(answer: str, after: str) -> None:
    """A wrong number is written as the text writes numbers; a wrong name is replaced."""
    assert oracle("correct").check(answer).decision.text == after


def test_no_english_word_is_written_into_an_answer() -> None:
    """A date that could only be written with the English name of a month is withheld, not corrected."""
    decided = oracle("correct").check("El Brisco mide 87 km. Inés Calvar nació en 1920 en Sorrel.").decision
    assert "May" not in decided.text
    assert "1920" not in decided.text


def test_spans_are_those_of_the_answer() -> None:
    """Claims, covers and mentions stand where the answer has them, and hold its own words."""
    text = (
        "**El río más largo** es el Aldor. Su longitud es de 2.100 kilómetros, y atraviesa Almadra.\n"
        "- Nace en el Pico Pelado."
    )
    for segment in oracle().check(text).segments:
        for each in segment.claims:
            assert each.claim.text == text[each.claim.start : each.claim.end]
            assert all(segment.start <= a < b <= segment.end for a, b in each.claim.covers)
            for reading in each.claim.readings:
                mention = reading.subject
                assert mention.start < 0 or mention.text == text[mention.start : mention.end]


@pytest.mark.parametrize(
    ("question", "answer", "label"),
    [
        ("¿Cuál es la longitud del Brisco?", "87 km.", "supported"),
        ("¿Cuál es la longitud del Brisco?", "78 km.", "contradicted"),
        ("¿Dónde nace el Turbión?", "En el Monte Agrio.", "supported"),
        ("¿Dónde nace el Turbión?", "En el Pico Pelado.", "contradicted"),
        ("¿Quién escribió Ceniza blanca?", "Inés Calvar.", "supported"),
        ("¿Quién escribió Ceniza blanca?", "Tomás Rueda.", "contradicted"),
        ("¿Quién no escribió Ceniza blanca?", "Inés Calvar.", "contradicted"),
    ],
)
def test_short_answers_are_put_into_their_question(question: str, answer: str, label: str) -> None:
    """A bare answer is read with its question, as in English."""
    assert oracle().check(answer, question=question).segments[-1].label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("No lo sé.", "not_a_claim"),
        ("¿Atraviesa el Turbión Tarreña?", "not_a_claim"),
        ("¿Sabías que el Turbión atraviesa Tarreña?", "not_found"),
        ("Si bien el Turbión atraviesa Tarreña, nace en el Monte Agrio.", "not_found"),
        ("Si, el Turbión atraviesa Tarreña.", "not_found"),
        ("Si miras el mapa, el Turbión atraviesa Tarreña.", "not_found"),
        ("¿Por qué el Turbión atraviesa Tarreña?", "not_found"),
        ("¿Cómo es que el Turbión atraviesa Tarreña?", "not_found"),
        ("¿Has oído que el Turbión atraviesa Tarreña?", "not_found"),
        ("El Turbión atraviesa Tarreña, ¿verdad?", "not_found"),
        ("Sí, el Turbión atraviesa Valdora.", "supported"),
        ("No, el Turbión no nace en el Pico Pelado.", "supported"),
        ("Marcos Ibarra dijo que el Brisco mide 78 km.", "contradicted"),
    ],
)
def test_how_a_sentence_is_put_forward(text: str, label: str) -> None:
    """Questions and remarks claim nothing; what only looks like one is judged."""
    assert oracle().check(text).segments[-1].label == label


def test_a_table_and_a_list() -> None:
    """Headers, row names and the line over a list lend their words."""
    table = "| Río | Longitud |\n|---|---|\n| Brisco | 87 km |\n| Aldor | 2.200 km |\n"
    cells = [s.label for s in oracle().check(table).segments if s.label != "not_a_claim"]
    assert cells == ["supported", "contradicted"]
    listed = "El Turbión atraviesa:\n- Valdora\n- Tarreña\n"
    assert [s.label for s in oracle().check(listed).segments][-2:] == ["supported", "not_found"]
