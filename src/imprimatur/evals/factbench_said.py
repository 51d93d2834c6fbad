"""FactBench's facts said as sentences, and what is true of these.

Each correct fact is said in several ways with its years, once more with its days where it has days, and again with its
roles exchanged, with other years, denied, and denied for a part of its time; each wrong one is said as it stands.
Invariant: whether a sentence is true is decided by the correct facts of the set alone, by names and years; no label
that the set gives to a wrong fact is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.evals.factbench_set import Fact
from imprimatur.language.calendar import MONTHS

__all__ = ["DATE_KEPT", "DATE_WITHHELD", "ELSEWHEN", "PRESENT", "WITHHELD", "Said", "said"]

PRESENT, WITHHELD = "present", "withheld"
#: Of a fact that held twice one time is withheld: to the graph the other one looks like a wrong date.
ELSEWHEN = "withheld, present at another time"
DATE_KEPT, DATE_WITHHELD = "wrong date, true fact present", "wrong date, true fact withheld"

#: By the property's name: sentences with {s}, {o} and {time}.
_WORDINGS = {
    "award": ("{s} received the {o} {time}.", "{s} won the {o} {time}.", "The {o} went to {s} {time}."),
    "birthPlace": ("{s} was born in {o} {time}.", "{o} is where {s} was born {time}."),
    "deathPlace": ("{s} died in {o} {time}.", "{o} is where {s} died {time}."),
    "foundationPlace": ("{s} was founded in {o} {time}.", "{o} is where {s} was founded {time}."),
    "office": ("{s} was the leader of {o} {time}.", "{s} led {o} {time}.", "{o} was led by {s} {time}."),
    "team": ("{s} played for {o} {time}.", "{s} was a player for {o} {time}."),
    "author": ("{s} published {o} {time}.", "{s} wrote {o} {time}.", "{o} was written by {s} {time}."),
    "spouse": ("{s} was married to {o} {time}.", "{o} was the spouse of {s} {time}."),
    "starring": ("{o} starred in {s} {time}.", "{s} starred {o} {time}."),
    "subsidiary": ("{o} was a subsidiary of {s} {time}.", "{s} had {o} as a subsidiary {time}."),
}
_DENIED = {
    "award": "{s} did not receive the {o} {time}.",
    "birthPlace": "{s} was not born in {o} {time}.",
    "deathPlace": "{s} did not die in {o} {time}.",
    "foundationPlace": "{s} was not founded in {o} {time}.",
    "office": "{s} did not lead {o} {time}.",
    "team": "{s} did not play for {o} {time}.",
    "author": "{s} did not publish {o} {time}.",
    "spouse": "{s} was not married to {o} {time}.",
    "starring": "{o} did not star in {s} {time}.",
    "subsidiary": "{o} was not a subsidiary of {s} {time}.",
}
_MUTUAL = frozenset(("spouse",))
_SHIFTS = (-3, 1, 20)
_LATER = 2

_Key = tuple[str, str, str]
_Years = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence.

    Attributes:
        kind: what was done to the fact: ``PRESENT``, ``WITHHELD``, ``DATE_KEPT`` or another in words.
        true: whether some correct fact of the set bears it out; known: whether one that is in the graph does.
    """

    fact: Fact
    kind: str
    text: str
    true: bool
    known: bool

    @property
    def group(self) -> str:
        """What it counts as: its kind, unless the correct facts say something else of it than that kind does."""
        if self.true is (self.kind in (PRESENT, WITHHELD, ELSEWHEN)):
            return self.kind
        return f"{self.kind}, yet {'true' if self.true else 'false'}"


def said(facts: Sequence[Fact], kept: frozenset[str]) -> Iterator[Said]:
    """All sentences of the facts whose property has words.

    Args:
        kept: the ids of the correct facts that are in the graph.
    """
    correct = [fact for fact in facts if fact.correct]
    true, known = _times(correct), _times([fact for fact in correct if fact.id in kept])
    for fact in facts:
        if fact.local not in _WORDINGS:
            continue
        for kind, one in _variants(fact, kept, known):
            bearing = {"true": _holds(one, _of(one, true)), "known": _holds(one, _of(one, known))}
            for text in _sentences(one):
                yield Said(fact=fact, kind=kind, text=text, **bearing)
        if fact.correct:
            for kind, one in _denials(fact):
                text = _worded(_DENIED[fact.local], one, _time(one))
                yield Said(fact=fact, kind=kind, text=text, true=False, known=False)


def _times(facts: Sequence[Fact]) -> dict[_Key, set[_Years]]:
    found: dict[_Key, set[_Years]] = {}
    for fact in facts:
        found.setdefault(_key(fact), set()).add((fact.start, fact.end))
    return found


def _key(fact: Fact) -> _Key:
    """Subject, property, object by name; the same from either end where the relation has no direction."""
    ends = (fact.subject, fact.object)
    one, other = sorted(ends) if fact.local in _MUTUAL else ends
    return one, fact.local, other


def _of(fact: Fact, times: Mapping[_Key, set[_Years]]) -> set[_Years]:
    """The years at which it held."""
    return times.get(_key(fact), set())


def _holds(fact: Fact, times: set[_Years]) -> bool:
    """Whether it held: these years, or one year within them."""
    for start, end in times:
        if (fact.start, fact.end) == (start, end):
            return True
        year = fact.start if fact.start == fact.end else None
        if year is not None and start is not None and end is not None and start <= year <= end:
            return True
    return False


def _variants(fact: Fact, kept: frozenset[str], known: Mapping[_Key, set[_Years]]) -> Iterator[tuple[str, Fact]]:
    if not fact.correct:
        if fact.kind == "date":
            yield (DATE_KEPT if _of(fact, known) else DATE_WITHHELD), fact
        else:
            yield f"wrong {fact.kind}", fact
        return
    yield (PRESENT if fact.id in kept else ELSEWHEN if _of(fact, known) else WITHHELD), fact
    if fact.local not in _MUTUAL:
        ends = (fact.object, fact.object_iri, fact.subject, fact.subject_iri)
        yield "roles exchanged", replace(fact, subject=ends[0], subject_iri=ends[1], object=ends[2], object_iri=ends[3])
    if fact.start is not None and fact.end is not None:
        for shift in _SHIFTS:
            yield "years shifted", _at(fact, fact.start + shift, fact.end + shift)
        yield "later year", _at(fact, fact.end + _LATER, fact.end + _LATER)


def _denials(fact: Fact) -> Iterator[tuple[str, Fact]]:
    """The fact denied for its time, and for a part of it: both are false."""
    yield "denied", fact
    if fact.start is not None and fact.end is not None and fact.end - fact.start > 1:
        yield "denied for a part", _at(fact, fact.start + 1, fact.end)
        yield "denied for a part", _at(fact, fact.start, fact.end - 1)


def _at(fact: Fact, first: int, last: int) -> Fact:
    return replace(fact, first=f"{first:04d}", last=f"{last:04d}")


def _sentences(fact: Fact) -> Iterator[str]:
    times = dict.fromkeys((_time(fact), *((_days(fact),) if _dated(fact) else ())))
    for wording in _WORDINGS[fact.local]:
        for time in times:
            yield _worded(wording, fact, time)


def _time(fact: Fact) -> str:
    """Its years in words."""
    if fact.start is None:
        return ""
    return f"in {fact.start}" if fact.end in (None, fact.start) else f"from {fact.start} to {fact.end}"


def _dated(fact: Fact) -> bool:
    return len(fact.first) == len(fact.last) == len("2001-03-07")


def _days(fact: Fact) -> str:
    """Its days in words."""
    first, last = (_day(written) for written in (fact.first, fact.last))
    return f"on {first}" if first == last else f"from {first} to {last}"


def _day(written: str) -> str:
    year, month, day = written.split("-")
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}"


def _worded(wording: str, fact: Fact, time: str) -> str:
    text = wording.format(s=fact.subject, o=fact.object, time=time)
    return text.replace(" .", ".").replace("the The ", "The ").replace("The The ", "The ")
