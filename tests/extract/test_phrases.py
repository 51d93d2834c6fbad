"""Noun phrases: heads, modifiers, possessives, lists, appositions and brackets."""

from __future__ import annotations

import pytest
from parsing import items

from imprimatur.extract.chains import chain
from imprimatur.extract.grammar import Clauses
from imprimatur.extract.nouns import spread
from imprimatur.extract.syntax import Np, NpKind


def longest(text: str) -> Np:
    """The first of the longest noun phrases that cover a text."""
    read = items(text)
    return next(np for end, np in Clauses(read).nps(0) if end == len(read))


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("the source", "source"),
        ("the source of S", "source<*"),
        ("S's source", "source<*"),
        ("the S source", "source<*"),
        ("the elevation of the source of S", "elevation<source<*"),
        ("S's source elevation", "elevation<source<*"),
        ("S's source's elevation", "elevation<source<*"),
        ("the river in O", "river{loc=*}"),
        ("the bridge over S", "bridge{over=*}"),
        ("24 arches", "arch#*"),
        ("S", "*"),
        ("40 m", "*"),
        ("S and O", "*"),
        ("the source and the mouth of S", "[source<*&mouth<*]"),
    ],
)
def test_chains(text: str, signature: str) -> None:
    """A phrase is the chain of its nouns from the head inwards."""
    assert chain(longest(text)).text == signature


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("S and O", ["s", "o"]),
        ("S, O and P", ["s", "o", "p"]),
        ("S, O, and P", ["s", "o", "p"]),
        ("both S and O", ["s", "o"]),
        ("either S or O", ["s", "o"]),
        ("neither S nor O", ["s", "o"]),
        ("S as well as O", ["s", "o"]),
        ("S along with O", ["s", "o"]),
    ],
)
def test_lists(text: str, leaves: list[str]) -> None:
    """Lists have their members in order."""
    found = longest(text)
    assert found.kind is NpKind.LIST
    assert [leaf.head for leaf in found.leaves()] == leaves


def test_neither_is_kept() -> None:
    """ "Neither … nor" is seen in the list, so that the clause is denied."""
    assert longest("neither S nor O").det == "neither"


def test_appositions_and_brackets_hang_on_their_phrase() -> None:
    """What explains a name is a part of its phrase, kept apart."""
    for text in ("S (a river)", "S, a river"):
        found = longest(text)
        assert found.head == "s"
        assert [inner.head for inner in found.appos] == ["river"]


def test_modifiers_are_kept_with_their_items() -> None:
    """Words before a head are not lost: each has its lemma and its item."""
    found = longest("the former upper bridge")
    assert found.head == "bridge"
    assert [lemma for lemma, _ in found.mods] == ["former", "upper"]
    assert {item for _, item in found.mods} <= found.items


def test_spread_keeps_every_end() -> None:
    """Of many alternatives a few of each length are kept, the longest first."""
    found = spread([(end, f"{end}-{n}") for end in range(1, 6) for n in range(9)])
    assert [end for end, _ in found] == [e for e in (5, 4, 3, 2, 1) for _ in range(3)]
