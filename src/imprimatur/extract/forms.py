"""Reads a segment in all forms of statement: as it stands, or rewritten (see ``extract.versions``).

A rewritten sentence counts only when it is read whole: every claim has a reading and no word that matters is left
unread. So a comparison, rank, count or description is never licensed by its parts alone. The number of attempts is
bounded; a sentence that needs more stays as it was read plainly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from imprimatur.claim import (
    Aggregate,
    Attribute,
    Claim,
    Comparison,
    Condition,
    Count,
    Description,
    Membership,
    Mention,
    Relation,
    Route,
    Share,
    Statement,
    Superlative,
    When,
    mentions_of,
    variable,
)
from imprimatur.extract.beside import beside
from imprimatur.extract.comparatives import compared
from imprimatur.extract.counts import counted, described
from imprimatur.extract.days import on_each
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.ellipsis import completed_verbs
from imprimatur.extract.lifetimes import ended
from imprimatur.extract.mutual import both_ways
from imprimatur.extract.nameless import NAMELESS
from imprimatur.extract.paired import paired
from imprimatur.extract.parsed import SlowPath
from imprimatur.extract.parsed import whole as _whole
from imprimatur.extract.patterns import Read
from imprimatur.extract.patterns import read as read_plainly
from imprimatur.extract.pooled import pooled, pools, taken_together
from imprimatur.extract.spans import lasting, moved
from imprimatur.extract.superlatives import ranked
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import names_something
from imprimatur.extract.told import CLOCKS
from imprimatur.extract.versions import Version, pronoun, word
from imprimatur.extract.wholes import shared, summed
from imprimatur.language.degree import superlative
from imprimatur.values import Bound

__all__ = ["read"]

_ATTEMPTS = 40
_VERSIONS = 12
_DEEPEST = 3
_OPENING = frozenset(("det", "poss", "pron", "prep", "rel"))
_MOST_SENSES = 8
_SOME = frozenset("one none most all each half".split())
_SAID = (Relation, Attribute, Membership, Comparison, Route)  # what may be said of each thing of a share
_LONGEST = 40  # items; a longer sentence is read plainly


def read(items: Sequence[Item], discourse: Discourse, slow: SlowPath | None = None) -> Read:
    """The claims of one segment's items; ``slow`` is asked when all else leaves words unread."""
    plain = read_plainly(items, discourse)
    if discourse.lexicon is NAMELESS:
        return plain  # no property is known, so that no version can be read whole
    if pools(items):
        return Read(_together(items, discourse, plain.claims), plain.subjects)
    whole = _whole(plain.claims, items) and not _of_some(plain.claims)
    if whole or not (any(map(names_something, items)) or discourse.entries(CLOCKS)):
        return plain
    found = _Forms(discourse).rewritten(items, 0) if len(items) <= _LONGEST else None
    if found is not None:
        return Read(found, plain.subjects)
    parsed = slow.read(items, discourse) if slow is not None else None
    return plain if parsed is None else parsed


def _of_some(claims: Sequence[Claim]) -> bool:
    """Whether something is said of "one", "none", "most" as if that were a name: a version may tell of what."""
    found = (m for c in claims for r in c.readings for m in mentions_of(r) if not m.candidates)
    return any(m.text.lower() in _SOME for m in found)


def _together(items: Sequence[Item], discourse: Discourse, plain: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims about what several things have together; unread where the sentence cannot be read so."""
    version = pooled(items)
    found = read_plainly(version.items, discourse).claims if version is not None else ()
    whole = version is not None and _whole(found, version.items)
    return tuple(found) if whole else tuple(replace(c, readings=()) for c in plain)


class _Forms:
    """The search for a version that is read whole."""

    def __init__(self, discourse: Discourse) -> None:
        self.discourse = discourse
        self.left = _ATTEMPTS
        self._described: dict[tuple[object, ...], Description | None] = {}

    def rewritten(self, items: Sequence[Item], depth: int) -> tuple[Claim, ...] | None:
        """The claims of the first version that is read whole; None when none is."""
        if depth > _DEEPEST or len(items) > _LONGEST:
            return None
        for version in islice(self._versions(items, depth), _VERSIONS):
            if self.left <= 0:
                return None
            claims = self._claims(version, depth)
            if claims is not None:
                return claims
        return None

    def _versions(self, items: Sequence[Item], depth: int) -> Iterator[Version]:
        def describe(phrase: Sequence[Item], definite: bool) -> Description | None:
            return self.description(phrase, definite, depth + 1)

        if self.discourse.entries(CLOCKS):
            yield from on_each(items)
        together = taken_together(items)
        of_some = self.discourse.of_some
        yield from (summed if together else shared)(items, describe, of_some)
        yield from compared(items, describe, self.discourse.other_of)
        yield from ranked(items, describe)
        yield from ended(items)
        yield from paired(items)
        yield from both_ways(items)
        yield from completed_verbs(items)
        yield from beside(items)
        yield from moved(items)
        yield from lasting(items)
        yield from () if together else counted(items, describe)
        yield from described(items, describe)

    def _read(self, items: Sequence[Item], depth: int) -> tuple[Claim, ...] | None:
        self.left -= 1
        plain = read_plainly(items, self.discourse).claims
        return plain if _whole(plain, items) else self.rewritten(items, depth + 1)

    # -- descriptions -----------------------------------------------------------------------------------------------
    def description(self, phrase: Sequence[Item], definite: bool, depth: int) -> Description | None:
        """What a noun phrase describes: all that "it is PHRASE" claims of it."""
        if not phrase or depth > _DEEPEST or self.left <= 0:
            return None
        at = (definite, depth, *((i.start, i.text, i.spans) for i in phrase))
        if at not in self._described:
            self._described[at] = self._describe(phrase, definite, depth)
        return self._described[at]

    def _describe(self, phrase: Sequence[Item], definite: bool, depth: int) -> Description | None:
        it = variable(depth)
        first = phrase[0]
        bare = first.forms.closed & _OPENING or first.entity or first.lower == "one"
        best = any(superlative(i.lower) for i in phrase[:3])
        article = () if bare else (word("the" if best else "a"),)
        items = (pronoun((), it), word("is"), *article, *(_singular(i) for i in phrase))
        claims = self._read(items, depth)
        if claims is None or not all(_speaks_of(r, it) for c in claims for r in c.readings):
            return None
        return Description(
            it=it,
            conditions=tuple(Condition(readings=c.readings, negated=c.negated, past=c.past) for c in claims),
            definite=definite,
        )

    # -- claims of a version ----------------------------------------------------------------------------------------
    def _claims(self, version: Version, depth: int) -> tuple[Claim, ...] | None:
        claims: tuple[Claim, ...] | None = ()
        if version.each:
            return self._all(version.each, depth)
        if version.items:
            claims = self._read(version.items, depth)
        if claims is not None and version.lasting is not None:
            return _held(claims, version)
        if claims is not None and version.summed:
            together = (isinstance(r, Aggregate) and r.within is not None for c in claims for r in c.readings)
            counted = () if version.number is None else (_joined(version, ()),)
            return (*claims, *counted) if all(together) else None
        if claims is None or version.of is None:
            return claims
        if version.share is not None:
            return _shared(claims, version)
        if version.also:
            return (*claims, _joined(version, [])) if claims else None
        about = [c for c in claims if any(_speaks_of(r, version.of.it) for r in c.readings)]
        if len({c.negated for c in about}) > 1 or (version.items and not about):
            return None
        told = [*(c.readings for c in version.of.conditions), *(c.readings for c in about)]
        if version.number is not None and (any(c.negated for c in about) or any(map(_timed, told))):
            return None  # how many there are not, or were at a time, is not known by what there is
        return (*(c for c in claims if c not in about), _joined(version, about))

    def _all(self, sentences: Sequence[Sequence[Item]], depth: int) -> tuple[Claim, ...] | None:
        """The claims of several sentences; None where one of them is not read whole."""
        found: list[Claim] = []
        for items in sentences:
            claims = self._read(items, depth)
            if claims is None:
                return None
            found += (c for c in claims if c not in found)
        return tuple(found)


def _timed(readings: Sequence[Statement]) -> bool:
    return any(isinstance(r, (Attribute, Relation)) and r.when is not None for r in readings)


def _held(claims: tuple[Claim, ...], version: Version) -> tuple[Claim, ...] | None:
    """The one relation of a sentence, with how long it held."""
    if len(claims) != 1 or not all(isinstance(r, Relation) for r in claims[0].readings):
        return None
    whole = claims[0]
    readings = tuple(
        replace(r, when=replace(r.when or When(), lasting=version.lasting))
        for r in whole.readings
        if isinstance(r, Relation)
    )
    return (replace(whole, readings=readings, covers=(*whole.covers, *version.used)),)


def _shared(claims: tuple[Claim, ...], version: Version) -> tuple[Claim, ...] | None:
    """One claim for a share and what is said of it; None where the sentence says more, or denies it."""
    of, share = version.of, version.share
    assert of is not None
    assert share is not None
    told = [r for c in claims for r in c.readings]
    if any(c.negated for c in claims) or any(_timed(c.readings) for c in claims):
        return None  # "half of them do not": of which half, and by how much, is open
    if not all(isinstance(r, _SAID) and _speaks_of(r, of.it) for r in told):
        return None
    says = tuple(Condition(readings=c.readings) for c in claims)
    covers = tuple(sorted({span for c in claims for span in c.covers}))
    start, end = min(s for s, _ in covers), max(e for _, e in covers)
    subject = next((m for c in (*says, *of.conditions) for r in c.readings for m in _named(r, of.it)), of.it)
    statement = Share(subject=subject, of=of, says=says, value=share, total=version.total)
    past = any(c.past for c in claims)
    counted = () if version.number is None else (_joined(version, ()),)
    return (Claim(start=start, end=end, text="", covers=covers, readings=(statement,), past=past), *counted)


def _joined(version: Version, about: Sequence[Claim]) -> Claim:
    """One claim for a description and what is said of it."""
    of = version.of
    assert of is not None
    says = tuple(Condition(readings=c.readings) for c in about)
    covers = tuple(sorted({*version.used, *(span for c in about for span in c.covers)}))
    start, end = min(s for s, _ in covers), max(e for _, e in covers)
    subject = next((m for c in (*says, *of.conditions) for r in c.readings for m in _named(r, of.it)), of.it)
    statements: tuple[Statement, ...] = (Route(subject=subject, of=of, says=says),)
    if version.number is not None:
        whole = replace(of, conditions=(*of.conditions, *says))
        meant = _each(whole) if version.number.bound is Bound.AT_LEAST else (whole,)
        statements = tuple(Count(subject=subject, of=one, value=version.number) for one in meant)
    return Claim(
        start=start,
        end=end,
        text="",
        covers=covers,
        readings=statements,
        negated=any(c.negated for c in about),
        past=any(c.past for c in about),
    )


def _each(of: Description) -> tuple[Description, ...]:
    """The description in each sense of its words: what holds in one sense is not counted with what holds in another."""
    combined = product(*(((replace(c, readings=(r,))) for r in c.readings) for c in of.conditions))
    return tuple(replace(of, conditions=conditions) for conditions in islice(combined, _MOST_SENSES))


def _singular(item: Item) -> Item:
    """ "People" as persons: the one plural that has another stem."""
    return item._replace(forms=item.forms._replace(noun="person")) if item.lower == "people" else item


def _mentions(r: Statement) -> Iterator[Mention]:
    """All mentions of a statement, those in its descriptions included."""
    yield r.subject
    if isinstance(r, Relation):
        yield r.object
    elif isinstance(r, Comparison):
        yield r.other
    within = r.of if isinstance(r, (Count, Route, Share)) else None
    within = r.within if isinstance(r, (Superlative, Aggregate)) else within
    says = r.says if isinstance(r, (Route, Share)) else ()
    for condition in (*(within.conditions if within is not None else ()), *says):
        for reading in condition.readings:
            yield from _mentions(reading)


def _speaks_of(r: Statement, it: Mention) -> bool:
    return any(m.candidates == it.candidates for m in _mentions(r))


def _named(r: Statement, it: Mention) -> Iterator[Mention]:
    return (m for m in _mentions(r) if not m.candidates or not m.candidates[0].startswith("?"))
