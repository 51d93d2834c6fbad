"""Claims and statements: what a segment says, in text and in structured form (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.values import DateValue, Quantity, Value

__all__ = [
    "Aggregate",
    "Attribute",
    "Claim",
    "Comparison",
    "Condition",
    "Count",
    "Description",
    "Membership",
    "Mention",
    "Modality",
    "Predicate",
    "Prose",
    "Relation",
    "Route",
    "Share",
    "Span",
    "Statement",
    "Superlative",
    "When",
    "mentions_of",
    "variable",
    "with_mentions",
]


class Modality(StrEnum):
    """How a claim is put forward."""

    ASSERTED = "asserted"
    HYPOTHETICAL = "hypothetical"
    ATTRIBUTED = "attributed"
    ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """When a statement is said to hold: ``at`` a time, or from a ``start`` to an ``end`` (any may be None).

    ``event``: the time is that of an event, by which the statement came to hold ("married in 2010", "joined in 2010").
    ``lasting`` is for how long it held. ``whole``: it held at all of the time ``at`` ("throughout 1999").
    """

    at: DateValue | None = None
    event: bool = False
    whole: bool = False
    start: DateValue | None = None
    end: DateValue | None = None
    lasting: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing named in the text: its span, its words, and the entities it may stand for (none: unknown to the graph).

    ``every`` is the class of which it means each one ("all three cells", with ``count`` 3): then the candidates are not
    alternatives but all of them. ``given``: what else the answer says of the thing, each as the readings of one claim;
    of several things of one name it is one of which all of that holds.
    """

    start: int
    end: int
    text: str
    candidates: tuple[str, ...] = ()
    every: str | None = None
    count: int | None = None
    given: tuple[tuple[Statement, ...], ...] = ()


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
    """Subject, property, value (a quantity, a date or a text).

    ``bare``: the property is not named, the value alone is said of the subject ("is red").

    ``beside`` is the number that the value, in brackets, is said to be a conversion of though it is none: not both of
    them can be right.
    """

    subject: Mention
    predicates: tuple[Predicate, ...]
    value: Value
    when: When | None = None
    beside: Quantity | None = None
    bare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Subject is an instance of a class (``classes`` are readings); ``noun`` is the word that says so."""

    subject: Mention
    classes: tuple[str, ...]
    noun: str = ""


def variable(depth: int) -> Mention:
    """The mention that stands for the thing described, in the conditions of a description nested ``depth`` deep."""
    return Mention(-1, -1, "it", (f"?{depth}",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What must hold of a described thing: the ``readings`` of one claim about it, or the negation of that.

    ``past``: whether its own words are in the past; None where they are in the tense of the claim.
    """

    readings: tuple[Statement, ...]
    negated: bool = False
    past: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """All things for which the conditions hold ("a river that flows into the Gulf"); ``it`` stands for each of them.

    ``definite``: one thing is meant ("the mother of X").
    """

    it: Mention
    conditions: tuple[Condition, ...]
    definite: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two subjects compared by one property: ``sign`` is ``>``, ``<``, ``=``, ``>=`` or ``<=``.

    ``by`` is the stated difference of their values, ``times`` how many times the other's value it is.
    """

    subject: Mention
    other: Mention
    predicates: tuple[Predicate, ...]
    sign: str
    by: Quantity | None = None
    times: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Superlative:
    """Subject ranks ``rank``-th by a property, from the largest (``largest``) or the smallest.

    It ranks so among the things ``within`` a description; None: among all things of its own kind. With ``among`` it is
    one of the first ``rank``.
    """

    subject: Mention
    predicates: tuple[Predicate, ...]
    within: Description | None
    largest: bool
    rank: int = 1
    among: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """There are ``value`` things of a description; ``subject`` is the thing named with them, if any."""

    subject: Mention
    of: Description
    value: Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Something of which a description holds, and of which the claim ``says`` more: a relation over several steps.

    "X flows into a river that rises in Y": the river rises in Y, and X flows into it.
    """

    subject: Mention
    of: Description
    says: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """From the value of one property of the subject to that of another there are ``value`` years, months or days.

    ``predicates`` give the first date, ``ends`` the last one. ``age``: only what is completed counts.
    """

    subject: Mention
    predicates: tuple[Predicate, ...]
    ends: tuple[Predicate, ...]
    value: Quantity
    age: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """The values that ``members`` have of a property come to ``value``: their sum, ``mean`` or ``median``.

    Without ``members`` it is said of all things ``within`` a description.
    """

    subject: Mention
    members: tuple[Mention, ...]
    predicates: tuple[Predicate, ...]
    value: Quantity
    mean: bool = False
    median: bool = False
    within: Description | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Of the things of a description, the share ``value`` is such as the claim ``says``.

    ``value`` is a part of one ("half", "a third", "most", "all") or a percentage; with ``total`` it is a number of
    things, and ``total`` how many there are in all ("three of the four"). "Most" is more than a half and has one as its
    ``high``: of all it is not said.
    """

    subject: Mention
    of: Description
    says: tuple[Condition, ...]
    value: Quantity
    total: Quantity | None = None


Statement = Aggregate | Relation | Attribute | Membership | Comparison | Superlative | Count | Route | Share | Span


def mentions_of(statement: Statement) -> tuple[Mention, ...]:
    """The things that a statement is about: its subject, and its object or what it is compared with."""
    match statement:
        case Relation():
            return (statement.subject, statement.object)
        case Comparison():
            return (statement.subject, statement.other)
        case _:
            return (statement.subject,)


def with_mentions(statement: Statement, change: Callable[[Mention], Mention]) -> Statement:
    """The statement with the mentions of ``mentions_of`` changed."""
    subject = change(statement.subject)
    match statement:
        case Relation():
            return replace(statement, subject=subject, object=change(statement.object))
        case Comparison():
            return replace(statement, subject=subject, other=change(statement.other))
        case _:
            return replace(statement, subject=subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A claim read as words only: what evidence in text is compared with.

    Attributes:
        words: the words, one character for each of ``answer[start:end]`` of the claim: what is no word of it
            (citations, remarks) is blanks, so that an offset in ``words`` is an offset from the claim's start.
        referents: pronouns and the names that each may stand for, where what came before tells; several names are
            alternatives. Spans are those of the pronouns in the answer.
        context: what the words are completed by, the widest first: question, heading, column, row, line over the list.
        before: the sentence before it in the same passage of the answer, "" when there is none.
        tagged: it came ready made with its kind; else the kind is what the words turn out to be.
    """

    words: str
    referents: tuple[Mention, ...] = ()
    context: tuple[str, ...] = ()
    before: str = ""
    tagged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One checkable statement in a segment.

    ``start:end`` is the span that tells this claim from its siblings (the conjunct, the value); ``covers`` are the
    spans of all the words it accounts for. ``readings`` are the structured forms its words allow, best first; none
    means that it could not be read. ``narrowed``: the words say it of something more special ("the main tributary"), so
    that it cannot be refuted. ``naming``: it stands beside a name and tells which thing of that name is meant.
    ``prose``: it is to be compared with evidence in text, and has no readings.
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
    naming: bool = False
    prose: Prose | None = None
