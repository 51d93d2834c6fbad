"""Items as words for a parser, and its tree brought back onto them."""

from __future__ import annotations

from collections.abc import Sequence

from parsing import items

from imprimatur.extract.trees import ItemTree, tree_of
from imprimatur.language.parser import Tree


def _flat(words: Sequence[str]) -> Tree:
    """Everything hangs on the second word."""
    return Tree((1,) * len(words), ("dep",) * len(words), ("XX",) * len(words))


def test_names_are_one_word_for_the_parser() -> None:
    """It never sees what is named, so texts that differ in names alone are parsed alike."""
    seen: list[tuple[str, ...]] = []

    def parse(words: Sequence[str]) -> Tree:
        seen.append(tuple(words))
        return _flat(words)

    tree_of(items("S feeds O."), parse)
    tree_of(items("P feeds Karel Vosk."), parse)
    assert seen[0] == seen[1]
    assert seen[0][1:2] == ("feeds",)


def test_numbers_are_folded_again() -> None:
    """A quantity of two words is one item, and hangs where its head hangs."""

    def parse(words: Sequence[str]) -> Tree:
        assert list(words[1:]) == ["is", "5", "km", "long", "."]
        return Tree((1, 1, 3, 4, 1, 1), ("a", "ROOT", "num", "measure", "acomp", "punct"), ("X",) * 6)

    tree = tree_of(items("S is 5 km long."), parse)
    assert tree == ItemTree((1, 1, 3, 1, 1), ("a", "ROOT", "measure", "acomp", "punct"), ("X",) * 5)


def test_an_item_that_is_torn_apart_has_no_tree() -> None:
    """When its words hang on different things outside, the parse is of no use."""
    heads = (1, 1, 1, 4, 1, 1)
    assert tree_of(items("S is 5 km long."), lambda words: Tree(heads, ("dep",) * 6, ("X",) * 6)) is None


def test_two_sentences_have_no_tree() -> None:
    """There must be one root."""
    assert tree_of(items("S feeds O."), lambda words: Tree((0, 1, 1, 1), ("dep",) * 4, ("X",) * 4)) is None


def test_ways_through_a_tree() -> None:
    """Children, all below, and the way up to the root."""
    tree = ItemTree((1, 1, 1, 2), ("nsubj", "ROOT", "prep", "pobj"), ("X",) * 4)
    assert tree.root == 1
    assert tree.children(1) == (0, 2)
    assert tree.below(2) == {2, 3}
    assert tree.upwards(3) == (3, 2, 1)
