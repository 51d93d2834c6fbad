"""Wordings of the lexicon: sentences with holes S and O, parsed by the same grammar as the texts."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.extract.grammar import parse
from imprimatur.extract.keys import keys
from imprimatur.extract.syntax import Item, Np, NpKind
from imprimatur.extract.told import told_keys
from imprimatur.extract.unfold import clauses_within
from imprimatur.extract.words import ABLE, forms
from imprimatur.language import closed_class
from imprimatur.language.tokens import TokenKind, tokenise
from imprimatur.values import Number, Quantity

__all__ = ["WordingKey", "degree_key", "parsed_keys", "told_wordings", "with_role", "within", "wording_keys"]


@dataclass(frozen=True, slots=True)
class WordingKey:
    """A key of a wording; ``subject`` is the index of the hole that is S.

    ``turned`` belongs to comparisons: the more of what the words say, the smaller the value ("short", of a length).
    ``able``: the wording says what can or may be, so it says nothing of what is or was ("S can be bought at O").
    """

    key: str
    subject: int
    turned: bool = False
    able: bool = False

    def from_other_end(self) -> WordingKey:
        """The key with S and O exchanged."""
        return WordingKey(self.key, 1 - self.subject, able=self.able)


_COUNT = Quantity(low=Number(Fraction(0)))


def _items(sentence: str) -> tuple[Item, ...]:
    out = []
    markers = closed_class.words("discourse_marker")
    for t in tokenise(sentence):
        hole = t.text if t.text in ("S", "O") else None
        count = _COUNT if t.text == "Q" else None
        word = forms(t.lower) if t.kind is TokenKind.WORD and not hole and not count else forms("")
        if t.lower in markers and not word.noun:  # the depth of a well is no depth of its own
            continue
        lower = "O" if count else t.lower
        punct = t.kind in (TokenKind.PUNCT, TokenKind.SYMBOL)
        out.append(Item(t.start, t.end, t.text, lower, forms=word, hole=hole, punct=punct, quantity=count))
    return tuple(out)


def within(key: WordingKey, chain: str, *, of_subject: bool) -> WordingKey | None:
    """The key with a chain put around one hole: "S covers O" with ``watershed`` is "the watershed of S covers O".

    Args:
        of_subject: around the hole S, else around O. None when that hole is not written in the key.
    """
    hole = key.subject if of_subject else 1 - key.subject
    if key.key.startswith(("=~", "%", "#")) or (key.key.startswith(("=", "@")) and (hole or key.key.count("*") != 1)):
        return None
    parts = key.key.split("*")
    if len(parts) <= hole + 1:
        return None
    text = "*".join(parts[: hole + 1]) + f"{chain}<*" + "*".join(parts[hole + 1 :])
    return WordingKey(text, key.subject, able=key.able)


def degree_key(adjective: str) -> str:
    """The key of an adjective that serves in comparisons only: "S is more populous than …", never "S is O populous"."""
    return f">be|adj=*~{adjective}|subj=*"


def with_role(key: WordingKey, role: str) -> WordingKey | None:
    """The key with one more role that has no hole ("above=level<sea"); None for keys that have no roles."""
    verb, _, roles = key.key.partition("|")
    if not roles or verb.startswith(("=", "@", "#", "%")):
        return None
    return WordingKey("|".join([verb, *sorted([*roles.split("|"), role])]), key.subject, able=key.able)


@lru_cache(maxsize=1)
def _compiled() -> dict[str, list[list[Any]]]:
    """The keys of the frame lexicon's lines, made by ``scripts/build_wordings.py``; empty when there are none."""
    path = Path(__file__).parent.parent / "resources" / "wordings.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@lru_cache(maxsize=16384)
def wording_keys(sentence: str) -> tuple[WordingKey, ...]:
    """The keys of a sentence with holes S and O; empty when the grammar cannot read it."""
    known = _compiled().get(sentence)
    if known is None:
        return parsed_keys(sentence)
    able = _says_able(sentence)
    return tuple(WordingKey(key, subject, able=able) for key, subject in known)


def _says_able(sentence: str) -> bool:
    return not ABLE.isdisjoint(sentence.split())


def parsed_keys(sentence: str) -> tuple[WordingKey, ...]:
    """The keys of a sentence, by the grammar."""
    items = _items(sentence)
    parsed = parse(items)
    if not parsed.complete:
        return ()
    out: dict[WordingKey, None] = {}
    able = _says_able(sentence)
    total = {n for n, it in enumerate(items) if not it.punct}
    for clause in (c for top in parsed.clauses for c in clauses_within(top)):
        for keyed in keys(clause):
            if len(keyed.holes) != 2 or not _both(keyed.holes):
                continue
            left = total - keyed.items
            adverbs = left & set(clause.adverbs)
            if any(not items[m].forms.closed or items[m].forms.noun for m in left - adverbs):
                continue
            key = keyed.key + "".join(sorted(f"^{items[m].lower}" for m in adverbs))
            out[WordingKey(key, 0 if _name(keyed.holes[0]) == "S" else 1, able=able)] = None
    return tuple(out)


@lru_cache(maxsize=4096)
def told_wordings(sentence: str) -> tuple[str, ...]:
    """The keys of a sentence with the hole S alone ("S has parking"); empty when the grammar cannot read it."""
    items = _items(sentence)
    parsed = parse(items)
    if not parsed.complete:
        return ()
    total = frozenset(n for n, it in enumerate(items) if not it.punct)
    found = (
        told.keyed
        for top in parsed.clauses
        for clause in clauses_within(top)
        for told in told_keys(clause, items)
        if _name(told.keyed.holes[0]) == "S" and total - told.keyed.items <= {n for n in total if items[n].forms.closed}
    )
    return tuple(dict.fromkeys(keyed.key for keyed in found))


def _name(np: Np) -> str:
    return np.head if np.kind in (NpKind.HOLE, NpKind.QUANTITY) else ""


def _both(holes: tuple[Np, ...]) -> bool:
    return {_name(h) for h in holes} == {"S", "O"}
