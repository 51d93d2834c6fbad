"""The parts of speech of one segment: items, noun phrases and clauses.

Items are the words of a segment after names, quantities and dates have been folded into one item each; the grammar
(``extract.grammar``) builds noun phrases and clauses over them. Every node knows the items it is made of, so that what
a reading does not account for stays visible as residue.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Description, Mention
from imprimatur.language.units import scale_of
from imprimatur.values import DateValue, Quantity

__all__ = [
    "Clause",
    "Comp",
    "Compared",
    "Forms",
    "Fragment",
    "Item",
    "Lasting",
    "Np",
    "NpKind",
    "Pooled",
    "Ranked",
    "is_count",
    "replace",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A value given by another thing's: "longer than Y" (see ``claim.Comparison``).

    ``named``: only a noun can say what is compared ("the length is greater than …").
    """

    sign: str
    other: Mention
    by: Quantity | None = None
    times: Fraction | None = None
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A value given by its rank: "the second longest river" (see ``claim.Superlative``)."""

    largest: bool
    rank: int = 1
    among: bool = False
    within: Description | None = None
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting:
    """How long something lasted, or how old someone was (see ``claim.Span``)."""

    value: Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """What several things have together, or on average (see ``claim.Aggregate``)."""

    value: Quantity
    members: tuple[Mention, ...]
    mean: bool = False
    median: bool = False
    within: Description | None = None


class Forms(NamedTuple):
    """What a word may be: its closed class, and its lemma as noun, verb, adjective, adverb (None: not that).

    ``verb_forms`` holds the tags base, s, past, pp, ing that its shape allows.
    """

    closed: frozenset[str] = frozenset()
    noun: str | None = None
    plural: bool = False
    verb: str | None = None
    verb_forms: frozenset[str] = frozenset()
    adj: str | None = None
    adv: bool = False


class Item(NamedTuple):
    """One word, name, quantity, date or mark, with its span in the answer.

    An item that stands for a phrase of several words (``extract.forms``) has the ``spans`` of all of them, and for a
    value given by comparison what it is compared with. ``difference``: a number that says by how much.
    """

    start: int
    end: int
    text: str
    lower: str
    forms: Forms = Forms()
    punct: bool = False
    entity: Mention | None = None
    quantity: Quantity | None = None
    date: DateValue | None = None
    interval: tuple[DateValue, DateValue] | None = None
    name: Mention | None = None
    hole: str | None = None  # "S" or "O" when a wording of the lexicon is parsed
    break_before: bool = False
    difference: Quantity | None = None
    stands: Compared | Ranked | Lasting | Pooled | None = None
    spans: tuple[tuple[int, int], ...] = ()


class NpKind(StrEnum):
    """What heads a noun phrase."""

    ENTITY = "entity"
    QUANTITY = "quantity"
    DATE = "date"
    NAME = "name"
    NOUN = "noun"
    PRONOUN = "pronoun"
    LIST = "list"
    HOLE = "hole"


class Np(NamedTuple):
    """A noun phrase. ``items`` are the indices of all items it is made of, function words included.

    ``head`` is the head's lemma. For a name, number or date it has no meaning, for texts that differ in these alone
    share a parse: what is named is the item ``head_item``.
    """

    kind: NpKind
    items: frozenset[int]
    head: str = ""
    head_item: int = -1
    det: str = ""
    plural: bool = False
    mods: tuple[tuple[str, int], ...] = ()  # (lemma, item) before the head
    inner: tuple[Np, ...] = ()  # names, quantities and dates before the head: "a 27.5-mile river"
    of: Np | None = None
    posts: tuple[tuple[str, Np], ...] = ()
    clauses: tuple[Clause, ...] = ()
    appos: tuple[Np, ...] = ()
    parts: tuple[Np, ...] = ()
    joint: str = "and"
    counted: bool = False  # a bare cardinal number
    listed: Np | None = None  # the names after it: "three towns: A, B and C"

    def leaves(self) -> tuple[Np, ...]:
        """The members of a list, or the phrase itself."""
        if self.kind is not NpKind.LIST:
            return (self,)
        return tuple(leaf for part in self.parts for leaf in part.leaves())


class Comp(NamedTuple):
    """What follows a verb: a noun phrase in a role ("obj", a preposition, "where"), an adjective or a clause.

    ``unlike`` is what is denied in its place ("into A rather than into B"), with the words that deny it.
    """

    role: str
    np: Np | None = None
    clause: Clause | None = None
    adj: str | None = None
    items: frozenset[int] = frozenset()
    unlike: Np | None = None


class Clause(NamedTuple):
    """A verb with its subject and complements, as written (passive and negation not yet undone)."""

    verb: str
    items: frozenset[int]
    subj: Np | None = None
    comps: tuple[Comp, ...] = ()
    particles: tuple[str, ...] = ()
    adverbs: tuple[int, ...] = ()
    passive: bool = False
    negated: bool = False
    negators: tuple[int, ...] = ()
    modal: str = ""
    past: bool = False
    gap: str = ""  # the role that the antecedent of a relative clause fills
    verb_item: int = -1
    form: str = ""  # base, s, past of a verb without auxiliary
    gap_items: frozenset[int] = frozenset()  # the words that say which role the gap has ("from which")
    naming: bool = False  # it stands beside a name and tells which thing is meant

    def with_subject(self, subj: Np) -> Clause:
        """The same clause about another subject."""
        return self._replace(subj=subj, items=self.items | subj.items)


@dataclass(frozen=True, slots=True)
class Fragment:
    """A phrase without a verb: a short answer, a list item, a table cell, or "label: value"."""

    np: Np
    value: Np | None = None
    prep: str = ""
    items: frozenset[int] = frozenset()


def is_count(q: Quantity | None) -> bool:
    """Whether a number may count things: it has no unit, or is one of a scale ("4.5 out of 5 stars")."""
    return q is not None and not q.ordinal and (q.unit is None or scale_of(q.unit) is not None)


_Node = TypeVar("_Node", Np, Comp, Clause)


def replace(node: _Node, **changes: Any) -> _Node:
    """The node with some fields changed. (Nodes are named tuples: the parser makes very many, and these are quick.)"""
    return node._replace(**changes)
