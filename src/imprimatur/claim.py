"""Claims and statements: what a segment says, in text and in structured form (DESIGN section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from imprimatur.values import DateValue, Value

__all__ = [
    "Attribute",
    "Claim",
    "Comparison",
    "Count",
    "Membership",
    "Mention",
    "Modality",
    "Predicate",
    "Relation",
    "Statement",
    "Superlative",
    "When",
]


class Modality(StrEnum):
    """How a claim is put forward."""

    ASSERTED = "asserted"
    HYPOTHETICAL = "hypothetical"
    ATTRIBUTED = "attributed"
    ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """When a statement is said to hold: ``at`` a time, or from a ``start`` to an ``end`` (either may be None).

    ``event``: the time is that of an event, by which the statement came to hold ("married in 2010", "joined in 2010").
    """

    at: DateValue | None = None
    event: bool = False
    start: DateValue | None = None
    end: DateValue | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing named in the text: its span, its words, and the entities it may stand for (none: unknown to the graph).

    ``every`` is the class of which it means each one ("all three cells", with ``count`` 3): then the candidates are not
    alternatives but all of them.
    """

    start: int
    end: int
    text: str
    candidates: tuple[str, ...] = ()
    every: str | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Predicate:
    """A property of the graph as a claim uses it; ``inverse`` swaps subject and object.

    ``tier``: 0 when the words are the property's own, 1 when a frame gave them, 2 for synonyms.
    """

    iri: str
    inverse: bool = False
    tier: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """Subject, property, entity. Several predicates are readings of the same words.

    ``when`` limits it in time.
    """

    subject: Mention
    predicates: tuple[Predicate, ...]
    object: Mention
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Subject, property, value (a quantity, a date or a text)."""

    subject: Mention
    predicates: tuple[Predicate, ...]
    value: Value
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Subject is an instance of a class (``classes`` are readings); ``noun`` is the word that says so."""

    subject: Mention
    classes: tuple[str, ...]
    noun: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two subjects compared by one property: ``sign`` is ``>``, ``<`` or ``=``."""

    subject: Mention
    other: Mention
    predicates: tuple[Predicate, ...]
    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Superlative:
    """Subject ranks ``rank``-th of a class by a property, from the largest (``largest``) or the smallest."""

    subject: Mention
    predicates: tuple[Predicate, ...]
    within: tuple[str, ...]
    largest: bool
    rank: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Subject has ``value`` objects by a property, of a class when one is named."""

    subject: Mention
    predicates: tuple[Predicate, ...]
    of: tuple[str, ...]
    value: Value


Statement = Relation | Attribute | Membership | Comparison | Superlative | Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One checkable statement in a segment.

    ``start:end`` is the span that tells this claim from its siblings (the conjunct, the value); ``covers`` are the
    spans of all the words it accounts for. ``readings`` are the structured forms its words allow, best first; none
    means that it could not be read. ``narrowed``: the words say it of something more special ("the main tributary"), so
    that it cannot be refuted.
    """

    start: int
    end: int
    text: str
    covers: tuple[tuple[int, int], ...]
    readings: tuple[Statement, ...] = ()
    negated: bool = False
    modality: Modality = Modality.ASSERTED
    past: bool = False
    kind: str = "memory"
    citations: tuple[str, ...] = ()
    narrowed: bool = False
