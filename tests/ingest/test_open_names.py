"""What is written like a name, and a lexicon whose names are open."""

from __future__ import annotations

import pytest
from made_facts import guardrail

from imprimatur.ingest.name_spans import is_place, name_spans, recurring
from imprimatur.ingest.ontology_words import words_of_guardrail
from imprimatur.ingest.open_names import OPEN, OpenLexicon
from imprimatur.language.tokens import tokenise


class _Words:
    """Relations and classes by name."""

    def relates(self, words: str) -> bool:
        return words.lower() in ("mayor", "head of state", "location identifier")

    def names_class(self, noun: str) -> bool:
        return noun in ("airport", "river")


def names(text: str, *seen: str) -> list[str]:
    """What is found in a text, as it is written."""
    tokens = tokenise(text)
    found = name_spans(tokens, (), frozenset(seen), _Words())
    return [text[tokens[a].start : tokens[b - 1].end] for a, b in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Abner W. Sibal fought in World War II.", ["Abner W. Sibal", "World War II"]),
        ("Abraham A. Ribicoff met C. I. Lewis.", ["Abraham A. Ribicoff", "C. I. Lewis"]),
        ("The Battle of Hastings was won by William of Normandy.", ["Battle of Hastings", "William of Normandy"]),
        ("Ludwig van Beethoven wrote “Wellington's Victory”.", ["Ludwig van Beethoven", "Wellington's Victory"]),
        ("Apollo 11 landed in 1969.", ["Apollo 11"]),
        ("The asteroid 1101 Clematis is dark.", ["1101 Clematis"]),
        ("The C-17 Globemaster III flies for Rolls-Royce.", ["C-17 Globemaster III", "Rolls-Royce"]),
        ("The 11/29 runway of Ardmore Airport (New Zealand) is long.", ["11/29", "Ardmore Airport (New Zealand)"]),
        ("He was born in Faversham, Kent, England and died.", ["Faversham, Kent, England"]),
        ("It borders Kent, Surrey and Essex.", ["Kent", "Surrey", "Essex"]),
        ("The Secretary of Health, Education, and Welfare spoke.", ["Secretary of Health, Education, and Welfare"]),
        ("Serving the town, it is small.", []),
        ("However, nobody came in March 1950.", []),
        ("An American logician wrote it.", []),
        ("Agra airport is large.", ["Agra airport"]),
        ("The mayor of Rome and the Head of State of Italy met.", ["Rome", "Italy"]),
        ("New York-born Albert Fountain sang.", ["New York", "Albert Fountain"]),
        ("Only the Rhine is meant.", ["Rhine"]),
        ("Half a cup is 1/2 cup.", []),
    ],
)
def test_what_is_written_like_a_name(text: str, expected: list[str]) -> None:
    """Runs of capitals with small words, initials, codes, titles, places behind a comma; not the words around them."""
    assert names(text) == expected


def test_a_sentence_opens_with_a_capital() -> None:
    """A common word at the beginning is a name only where the text writes it so elsewhere."""
    assert names("Pride grows.", "pride") == ["Pride"]
    assert "pride" in recurring(["They call it Pride.", "Pride grows."])
    assert "they" not in recurring(["They call it Pride."])


def test_places_are_told_by_the_dictionary_and_by_their_last_word() -> None:
    """England, and any county; no club whose name ends like a state's abbreviation."""
    assert is_place("england")
    assert is_place("alpena county")
    assert not is_place("al-jaish sc")
    assert not is_place("ada lovelace")


def test_open_lexicon() -> None:
    """A name has one provisional IRI in a document; kinds are known only where something says them."""
    lexicon = OpenLexicon(words_of_guardrail(guardrail()), ["Bo Lind met Mia Holm."])
    found = lexicon.find(tokenise("Bo Lind met Mia Holm and Lind left."))
    assert [f.candidates for f in found] == [(OPEN + "bo%20lind",), (OPEN + "mia%20holm",), (OPEN + "bo%20lind",)]
    assert lexicon.name_of(OPEN + "bo%20lind") == "Bo Lind"
    assert lexicon.candidates("bo lind") == (OPEN + "bo%20lind",)
    assert lexicon.candidates("nobody") == ()
    river = lexicon.classes("river")[0]
    assert not lexicon.general("river", OPEN + "bo%20lind")
    lexicon.learn(OPEN + "bo%20lind", [river])
    assert lexicon.general("river", OPEN + "bo%20lind")
    assert lexicon.is_person(OPEN + "bo%20lind") is False
    assert lexicon.instances(river) == ()
