"""Questions put in many ways over both bundled graphs: answered rightly or not at all."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from imprimatur.generate.answered import Answered, Outcome
from imprimatur.generate.answers import answer
from imprimatur.oracle import Oracle

_GOLDEN = Path(__file__).parents[1] / "golden" / "questions" / "asked.tsv"
_ROWS = [line.split("\t") for line in _GOLDEN.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
_HALF = 60
#: As many of the answerable ones are answered at least.
_ANSWERED = 56
#: On a busy machine too.
_SECONDS = 120.0


@lru_cache(maxsize=2)
def _oracle(kb: str) -> Oracle:
    return Oracle.from_folder(kb)


def _is_right(found: Answered, right: str) -> bool:
    said = found.values if right in ("yes", "no") else (found.text,)
    return any(each in text for each in right.split("|") for text in said)


def test_no_question_is_answered_wrongly_and_most_are_answered() -> None:
    """Of 60 questions with an answer nearly all get it; none of the 60 without one is answered."""
    found = {(kb, q): answer(q, _oracle(kb), seconds=_SECONDS) for kb, q, _ in _ROWS}
    right = {(kb, q): right for kb, q, right in _ROWS}
    answered = {at for at, a in found.items() if a.outcome is Outcome.ANSWERED}
    wrong = [at for at in answered if right[at] == "-" or not _is_right(found[at], right[at])]
    assert wrong == []
    assert len(_ROWS) == 2 * _HALF == 2 * sum(r == "-" for r in right.values())
    assert len(answered) >= _ANSWERED


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Into which lake does the Kings River (Arkansas) ultimately flow?", "Table Rock Lake"),
        ("The Bungay River ultimately empties into which body of water?", "Narragansett Bay"),
        ("Into which river does the Oconaluftee River ultimately empty?", ""),
        ("Into which river does Tobesofkee Creek ultimately flow?", ""),
        ("In which town does the Lisha Kill meet its receiving river?", "Niskayuna"),
        ("In which town is the confluence of Emory Brook and Bush Kill?", "Fleischmanns"),
        ("In which town does the Lisha Kill meet the Ohoopee River?", ""),
        ("How far does Clove Brook flow from its source to its confluence with Papakating Creek?", ""),
        ("Garza Creek rises on the northern slope of which mountain?", "Zwang Peak"),
        ("To whom is the naming of Budd Creek attributed?", "James Budd"),
        ("The naming of Budd Creek is attributed to which person?", "James Budd"),
        ("Into which river does Plumb Brook merge?", ""),
        ("How long is the Kura River in miles?", "941 mi"),
        ("Gourdvine Creek is classified as which order tributary to Richardson Creek?", ""),
        ("Which river is Bilger Run the largest tributary of?", ""),
    ],
)
def test_what_the_graph_does_not_tell_is_not_told(question: str, text: str) -> None:
    """What comes last, where things meet, parts of places, own words: said as far as licensed, else not at all."""
    found = answer(question, _oracle("rivers"), seconds=_SECONDS)
    assert bool(found.text) is bool(text)
    assert text in found.text


def test_a_choice_is_made_by_what_is_licensed() -> None:
    """A number in words is the one that was found; a rank is passed over only in a choice, by a licensed option."""
    dams = "How many dams are situated along the Carr River's course?"
    assert answer(dams, _oracle("rivers"), options=["Two", "Three", "Four"], seconds=_SECONDS).values == ("Three",)
    assert answer(dams, _oracle("rivers"), options=["Two", "Four"]).text == ""
    rank = "The Braden River is the largest tributary of which river?"
    rivers = ["Peace River", "Manatee River", "Myakka River"]
    assert (
        answer(rank, _oracle("rivers"), options=rivers, seconds=_SECONDS).text
        == "The Braden River is a tributary of Manatee River."
    )
    assert answer(rank, _oracle("rivers"), options=rivers[::2]).text == ""
    assert answer(rank, _oracle("rivers")).text == ""
