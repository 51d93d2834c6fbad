"""Sentences that say something in a round-about way, put plainly."""

from __future__ import annotations

import pytest
from made_facts import guardrail, read, told

from imprimatur.extract.items import items_of
from imprimatur.ingest.ontology_words import words_of_guardrail
from imprimatur.ingest.open_names import OpenDiscourse, OpenLexicon
from imprimatur.ingest.plainer import plainly


def _put(text: str) -> list[str]:
    """The sentence put plainly, then what parts of it stand for."""
    lexicon = OpenLexicon(words_of_guardrail(guardrail()), [text])
    put = plainly(items_of(text, OpenDiscourse(lexicon)))
    return [" ".join(i.lower for i in items if i.lower != ".") for items in (put.items, *put.apart)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bo Lind is one of the mayors of Arden.", ["bo lind is a mayor of arden"]),
        ("Arden is one of the largest cities of Norland.", ["arden is one of the largest cities of norland"]),
        ("Arden-born Bo Lind married Mia Holm.", ["bo lind married mia holm", "bo lind was born in arden"]),
        ("Arden conquered Bo Lind.", ["arden conquered bo lind"]),
        ("Bo Lind was born and died in Arden.", ["bo lind was born and died in arden", "bo lind was born in arden"]),
        ("His wife is called Mia Holm.", ["his wife is mia holm"]),
        ("The city is called Arden.", ["the city is called arden"]),
        ("Bo Lind met his brother Tom Lind.", ["bo lind met tom lind"]),
        ("Bo Lind, worked in Arden.", ["bo lind worked in arden"]),
        ("Arden, founded in 1237, has a mayor.", ["arden , founded in 1237 , has a mayor"]),
        ("Bo Lind was born in Arden before joining the army.", ["bo lind was born in arden"]),
        (
            "He left after meeting Tom Lind, who was born in Arden.",
            ["he left after meeting tom lind , who was born in arden"],
        ),
    ],
)
def test_what_is_put_plainly(text: str, expected: list[str]) -> None:
    """Only what grammar alone makes the same is put otherwise; superlatives, verbs and asides stay."""
    assert _put(text) == expected


def test_what_a_sentence_stands_for_is_its_own() -> None:
    """What is read besides of one sentence is not read again of the heading after it."""
    found = read("Arden-born Bo Lind is a reader.\n\n# Volga is a river\n\nIs it?", "a.md").candidates
    places = [c.place.quote for c in found if c.place is not None and "birth" in c.property]
    assert places == ["Arden-born Bo Lind is a reader."]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Bo Lind, who was born in Arden, met Mia Holm. He married her.", ["Bo Lind | birth place | Arden"]),
        ("With Botany as his field, Tom Lind as a mayor ran Arden.", []),
        ("Bo Lind followed Mia Holm as mayor of Arden with Tom Lind.", []),
        ("Arden-born Bo Lind is a reader.", ["Bo Lind | birth place | Arden"]),
        ("Bo Lind was born and died in Arden.", ["Bo Lind | birth place | Arden"]),
        ("The album by Bo Lind was born in Arden.", []),
    ],
)
def test_what_stands_beside(text: str, facts: list[str]) -> None:
    """Names, roles and pronouns beside a claim leave it without a fact where it is not clear of whom it is said."""
    assert [fact for fact in told(text) if " type " not in fact] == facts
