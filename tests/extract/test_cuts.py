"""Sentences cut along a tree: which parts they have, and what no rule covers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from parsing import items

from imprimatur.extract.cuts import Part, Uncut, cut
from imprimatur.extract.syntax import Item
from imprimatur.extract.trees import ItemTree


def tree(rows: str) -> ItemTree:
    """A tree of rows "word/TAG/relation/head"."""
    cells = [row.split("/") for row in rows.split()]
    return ItemTree(tuple(int(c[3]) for c in cells), tuple(c[2] for c in cells), tuple(c[1] for c in cells))


def said(sentence: Sequence[Item], part: Part) -> str:
    """A part in words: its possible subjects, and what it says."""

    def words(at: Sequence[int]) -> str:
        return " ".join(sentence[x].text for x in at)

    front = f"({words(part.fronts)}) " if part.fronts else ""
    return f"{front}{' | '.join(map(words, part.subjects))}: {words(part.words)}"


def parts(sentence: str, rows: str, *, inserted: bool = False) -> list[str]:
    """The parts of a sentence with this tree."""
    read = items(sentence)
    return sorted(said(read, part) for part in cut(read, tree(rows), inserted=inserted).parts)


FRONTED = "Lying/VBG/advcl/5 in/IN/prep/0 O/NNP/pobj/1 ,/,/punct/5 S/NNP/nsubj/5 feeds/VBZ/ROOT/5 P/NNP/dobj/5"
JOINED = "S/NNP/nsubj/1 feeds/VBZ/ROOT/1 O/NNP/dobj/1 and/CC/cc/1 enters/VBZ/conj/1 P/NNP/dobj/4"
INNER = "S/NNP/nsubj/5 ,/,/punct/0 in/IN/prep/5 O/NNP/pobj/2 ,/,/punct/5 feeds/VBZ/ROOT/5 P/NNP/dobj/5"
LAST = "S/NNP/nsubj/1 feeds/VBZ/ROOT/1 O/NNP/dobj/1 ,/,/punct/1 draining/VBG/advcl/1 P/NNP/dobj/4"
OWNED = (
    "The/DT/det/1 source/NN/nsubj/9 of/IN/prep/1 S/NNP/pobj/2 ,/,/punct/1 found/VBN/acl/1 in/IN/prep/5 "
    "O/NNP/pobj/6 ,/,/punct/1 feeds/VBZ/ROOT/9 P/NNP/dobj/9"
)


@pytest.mark.parametrize(
    ("sentence", "rows", "expected"),
    [
        ("Lying in O, S feeds P", FRONTED, ["S: Lying in O", "S: feeds P"]),
        ("S feeds O and enters P", JOINED, ["S: enters P", "S: feeds O"]),
        ("S, in O, feeds P", INNER, ["S: feeds P", "S: in O"]),
        ("S feeds O, draining P", LAST, ["O | S: draining P", "S: feeds O"]),
    ],
)
def test_parts(sentence: str, rows: str, expected: list[str]) -> None:
    """Each part has the subjects that it may be about."""
    assert parts(sentence, rows) == expected


def test_what_stands_before_the_verb_may_go_with_it() -> None:
    """Both ways of taking it are offered."""
    assert parts("S, in O, feeds P", INNER, inserted=True) == ["S: in O , feeds P"]


def test_all_that_may_be_meant_is_named() -> None:
    """Behind a noun with another one in it, either may be spoken of, wherever the tree puts it."""
    assert "S | The source of S: found in O" in parts("The source of S, found in O, feeds P", OWNED)


@pytest.mark.parametrize(
    ("sentence", "rows"),
    [
        ("S feeds O or enters P", JOINED.replace("and/CC", "or/CC")),
        ("S feeds O and enters P", JOINED.replace("enters/VBZ/conj", "enters/VBZ/advcl")),
        ("S feeds O and enters P", JOINED.replace("O/NNP/dobj", "O/NNP/intj")),
        ("S feeds O and enters P", JOINED.replace("S/NNP/nsubj", "S/NNP/npadvmod")),
        ("S feeds O and enters P", JOINED.replace("O/NNP/dobj/1", "O/NNP/ccomp/1")),
        ("S feeds O, draining P", LAST.replace("S/NNP/nsubj/1", "S/NNP/nsubj/4")),
    ],
)
def test_what_no_rule_covers_is_not_cut(sentence: str, rows: str) -> None:
    """Choices, clauses that depend on others, words without a known place, and verbs without a subject."""
    with pytest.raises(Uncut):
        cut(items(sentence), tree(rows), inserted=False)


def test_a_predicate_behind_a_relative_clause_is_nobodys() -> None:
    """ "S feeds O, which enters P and drains Q": S or O may drain Q, so nothing is cut."""
    rows = (
        "S/NNP/nsubj/1 feeds/VBZ/ROOT/1 O/NNP/dobj/1 ,/,/punct/2 which/WDT/nsubj/5 enters/VBZ/relcl/2 P/NNP/dobj/5 "
        "and/CC/cc/HEAD drains/VBZ/conj/HEAD Q/NNP/dobj/8"
    )
    for head in "15":
        with pytest.raises(Uncut):
            cut(items("S feeds O, which enters P and drains Q"), tree(rows.replace("HEAD", head)), inserted=False)


def test_every_word_is_in_a_part() -> None:
    """Only marks and conjunctions between parts are left out."""
    sentence = items("Lying in O, S feeds P")
    held = {x for p in cut(sentence, tree(FRONTED), inserted=False).parts for x in (*p.words, *p.subjects[0])}
    assert {sentence[x].text for x in range(len(sentence)) if x not in held} == {","}
