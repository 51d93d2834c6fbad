"""Gold claims: what a text says, as somebody else than the reader put it, and the same as statements of the oracle.

A gold claim is a triple of the graph that judges. Invariants: offsets are code points of the text; a triple's value is
in the unit in which the graph stores it; a gold claim that is true follows from the graph, by its set's own labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from imprimatur.claim import Attribute, Claim, Membership, Mention, Predicate, Relation, Statement, When
from imprimatur.evals.mining.book import RDF_TYPE, Literal, Triple, number_of
from imprimatur.knowledge import GraphPart
from imprimatur.language import calendar, units
from imprimatur.values import DateValue, Number, Quantity, TextValue, Value

__all__ = ["Gold", "GoldClaim", "GoldSet", "day_of", "gold_claim", "statement_of", "value_of"]

_DATED = ("#date", "#dateTime", "#gYear", "#gYearMonth")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldClaim:
    """One thing that a text says.

    Attributes:
        start, end: the words that say it; those of its whole sentence where the set does not tell.
        triple: what they say; None where the set has it in words only.
        true: whether it follows from the graph.
        when: the first and last day of its time, as XML Schema writes them; None where it says none.
    """

    start: int
    end: int
    triple: Triple | None
    true: bool = True
    negated: bool = False
    when: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A text with all that its set says it claims.

    Attributes:
        parts: its sentences; none where the set does not tell them.
        told: whether the set gives the words of each claim.
    """

    id: str
    text: str
    claims: tuple[GoldClaim, ...]
    parts: tuple[tuple[int, int], ...]
    question: str | None = None
    told: bool = False

    def beside(self, claim: GoldClaim) -> tuple[GoldClaim, ...]:
        """The claims of the sentence that a claim stands in, itself among them."""
        start, end = self.part_of(claim)
        return tuple(each for each in self.claims if each.start < end and start < each.end)

    def part_of(self, claim: GoldClaim) -> tuple[int, int]:
        """The sentence that a claim stands in."""
        return next((p for p in self.parts if p[0] <= claim.start < p[1]), (claim.start, claim.end))


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSet:
    """Texts that one knowledge base judges.

    Attributes:
        folder: the knowledge base: a folder, or a bundled name.
        whole: whether the gold is all that the texts say; else what is read beside it may be right.
        files: what it was read from.
    """

    name: str
    texts: tuple[Gold, ...]
    folder: Path | str
    whole: bool = True
    files: tuple[Path, ...] = ()


def gold_claim(gold: GoldClaim, part: GraphPart, text: str, *, covers: tuple[int, int]) -> Claim | None:
    """A gold claim as a reader that makes no mistake would give it; None where it has no triple.

    Args:
        covers: the words that it accounts for.
    """
    said = None if gold.triple is None else statement_of(gold.triple, part, gold=gold)
    if said is None:
        return None
    return Claim(
        start=gold.start,
        end=gold.end,
        text=text[gold.start : gold.end],
        covers=(covers,),
        readings=(said,),
        negated=gold.negated,
        past=gold.when is not None,
    )


def statement_of(triple: Triple, part: GraphPart, *, gold: GoldClaim | None = None) -> Statement | None:
    """A triple as a statement; None for a value that cannot be read. Places of its names are the claim's ends."""
    subject, name, node = triple
    start, end = (gold.start, gold.end) if gold is not None else (0, 1)
    about = Mention(start, end, _called(subject, part), (subject,))
    if name == RDF_TYPE:
        return Membership(subject=about, classes=(str(node),))
    when = _when(gold.when) if gold is not None and gold.when is not None else None
    said = (Predicate(name),)
    if isinstance(node, str):
        other = Mention(end, end, _called(node, part), (node,))
        return Relation(subject=about, predicates=said, object=other, when=when)
    value = value_of(node, name, part)
    return None if value is None else Attribute(subject=about, predicates=said, value=value, when=when)


def value_of(node: Literal, name: str, part: GraphPart) -> Value | None:
    """The value of a literal, a number in the unit of its property; None where it cannot be read."""
    if node.datatype.endswith(_DATED):
        return day_of(node.text)
    number = number_of(node)
    if number is None:
        return TextValue(node.text)
    info = part.schema.property(name)
    if info is not None and part.judging.lexicon.dated(info) and number.denominator == 1:
        return day_of(node.text)
    unit = units.by_iri(info.unit_iri) if info is not None and info.unit_iri else None
    digits = len(node.text.partition(".")[2].rstrip("0"))
    return Quantity(low=Number(number, Fraction(1, 10**digits), len(node.text.strip("-").replace(".", ""))), unit=unit)


def day_of(text: str) -> DateValue | None:
    """The day, month or year of an XML Schema lexical form; None for anything else."""
    sign, bare = (-1, text[1:]) if text.startswith("-") else (1, text)
    numbers = [part for part in bare.partition("T")[0].split("-") if part]
    if not 1 <= len(numbers) <= 3 or not all(part.isdecimal() and part.isascii() for part in numbers):
        return None
    try:
        year = sign * int(numbers[0])
        if len(numbers) == 1:
            return calendar.year(year)
        return (
            calendar.month(year, int(numbers[1])) if len(numbers) == 2 else calendar.day(year, *map(int, numbers[1:]))
        )
    except (ValueError, IndexError, TypeError):
        return None


def _when(given: tuple[str, str]) -> When | None:
    first, last = map(day_of, given)
    if first is None or last is None:
        return None
    return When(at=first) if first == last else When(start=first, end=last)


def _called(iri: str, part: GraphPart) -> str:
    number = part.graph.id(iri)
    return part.graph.label(number) if number is not None else iri
