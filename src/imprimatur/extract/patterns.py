"""The lexicon-driven extractor: segments to claims, without a model.

A claim is made only where a wording of the lexicon links its mentions; nothing is read from mentions standing near each
other. What the reading of a clause does not use (modifiers, adverbs, other phrases) is left uncovered, so the
accounting withholds it; where what is left may change what the rest says, the claims are unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Claim, Mention
from imprimatur.extract.clauses import ClauseClaims
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.grammar import Parse, parse
from imprimatur.extract.identity import identified
from imprimatur.extract.layout import layout
from imprimatur.extract.order import Told, in_order
from imprimatur.extract.syntax import Clause, Item
from imprimatur.extract.telling import content, names_something, turning
from imprimatur.extract.versions import spans_of

__all__ = ["Read", "accounted", "read"]

_NOT = frozenset(("not", "n't", "never", "hardly", "barely", "scarcely"))
_SUBORDINATORS = frozenset("before after until since when while".split())
#: Words that open a clause which needs another one.
_CONCEDING = frozenset("though although while whilst whereas because unless if lest".split())
#: Words after which clauses are not each asserted for themselves.
_BINDING = frozenset("or nor neither either than except but only".split())


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of a segment: its claims, and which items nothing but function words make up."""

    claims: tuple[Claim, ...]
    subjects: tuple[Mention, ...]


def read(items: Sequence[Item], discourse: Discourse, parsed: Parse | None = None) -> Read:
    """The claims of one segment's items; ``parsed``: how they hang together, where the grammar alone does not say."""
    parsed = parse(items) if parsed is None else parsed
    at = next((n for n, i in enumerate(items) if i.lower == ";" and n), None)
    if at is not None and not parsed.complete and _stands_alone(items[:at]):
        first = read(items[:at], discourse)
        discourse.saw(items[:at], first.subjects, first.claims)
        rest = read(items[at + 1 :], discourse)
        return Read((*first.claims, *rest.claims), (*first.subjects, *rest.subjects))
    parts = _parts(items, discourse, parsed)
    groups = _apart(parts) if parsed.complete and not _bound(items) else [parts]
    if items[:1] and items[0].lower in _CONCEDING and len(_apart(parts)) < 2:
        parts = [replace(p, claims=tuple(replace(c, readings=()) for c in p.claims)) for p in parts]
        groups = [parts]  # "Though A crosses B." asserts nothing by itself
    outside = set(range(len(items))) - {x for part in parts for x in part.items}
    claims = [c for group in groups for c in _certain(items, group, outside if parsed.complete else None)]
    subjects = [s for part in parts for s in part.subjects]
    return Read(tuple(identified(list(_distinct(claims)), items, discourse.given)), tuple(dict.fromkeys(subjects)))


def accounted(items: Sequence[Item], discourse: Discourse, parsed: Parse) -> tuple[tuple[Claim, ...], frozenset[int]]:
    """The claims of some clauses, each taken for itself, and the items that they account for."""
    parts = _parts(items, discourse, parsed)
    return tuple(c for part in parts for c in part.claims), frozenset(x for part in parts for x in part.used)


def _parts(items: Sequence[Item], discourse: Discourse, parsed: Parse) -> list[_Part]:
    """What was read of each clause of a parse."""
    laid = layout(parsed)
    discourse.begin(laid.places)
    parts = [_Part.of(items, discourse, top, within) for top, within in laid.tops]
    for n, (at, marker) in enumerate(laid.timed, len(parts) - len(laid.timed)):
        parts[at], parts[n] = _in_time(items, marker, parts[at], parts[n])
    return parts


def _stands_alone(items: Sequence[Item]) -> bool:
    """Whether some words are a sentence by themselves."""
    parsed = parse(items)
    return parsed.complete and bool(parsed.clauses)


@dataclass(frozen=True, slots=True)
class _Part:
    """What was read of one clause with those that hang on it."""

    items: frozenset[int]
    claims: tuple[Claim, ...]
    subjects: tuple[Mention, ...]
    used: frozenset[int]
    listed: bool
    read: tuple[ClauseClaims, ...] = ()

    def told(self) -> Told:
        """What was read, for the order of two clauses."""
        return Told(self.claims, self.read)

    def unread(self) -> _Part:
        """The part without what was read of it."""
        return replace(self, claims=tuple(replace(c, readings=(), covers=()) for c in self.claims), used=frozenset())

    @classmethod
    def of(cls, items: Sequence[Item], discourse: Discourse, top: Clause, within: Sequence[Clause]) -> _Part:
        """The reading of the clause ``top``, unfolded into ``within``."""
        read_ = [ClauseClaims(items, discourse, clause) for clause in within]
        claims = tuple(claim for each in read_ for claim in each.claims())
        subjects = tuple(s for each in read_ for s in each.subjects)
        used = frozenset(x for each in read_ for x in each.used)
        own = top.items | (top.subj.items if top.subj is not None else frozenset())
        return cls(own, claims, subjects, used, any(each.listed for each in read_), tuple(read_))


def _in_time(items: Sequence[Item], marker: int, main: _Part, inner: _Part) -> tuple[_Part, _Part]:
    """A clause and its clause of time; the latter is unread where the order of both would have to be known."""
    meant = in_order(items[marker].lower, main.told(), inner.told())
    if meant is None:
        return main, inner.unread()
    span = spans_of((items[marker],))
    claims = tuple(replace(c, covers=(*span, *c.covers)) for c in meant[1])
    return replace(main, claims=meant[0]), replace(inner, claims=claims, used=inner.used | {marker})


def _apart(parts: list[_Part]) -> list[list[_Part]]:
    """The clauses of a sentence, those that share words (a subject) together."""
    groups: list[list[_Part]] = []
    for part in parts:
        shared = [g for g in groups if any(part.items & other.items for other in g)]
        groups = [g for g in groups if g not in shared] + [[*(x for g in shared for x in g), part]]
    return groups


def _certain(items: Sequence[Item], group: list[_Part], outside: set[int] | None) -> list[Claim]:
    """The claims of some clauses, unread where what is left over may change what they say.

    Args:
        outside: the words between the clauses; None when the whole sentence counts.
    """
    claims = [c for part in group for c in part.claims]
    used = {x for part in group for x in part.used}
    near = set(range(len(items))) if outside is None else outside | {x for part in group for x in part.items}
    unread = {n for n in near - used if content(items[n]) or turning(items[n])}
    if _doubtful(items, unread, listed=any(part.listed for part in group), sound=outside is not None):
        return [replace(c, readings=()) for c in claims]
    if unread:  # "It is no stone bridge" does not deny that it is a bridge.
        return [replace(c, readings=()) if c.negated else c for c in claims]
    return claims


def _bound(items: Sequence[Item]) -> bool:
    """Whether the clauses of a sentence bear on one another: "before", "if", "as though", "or"."""
    return any(i.forms.closed & {"sub"} or i.lower in _BINDING for i in items)


def _doubtful(items: Sequence[Item], unread: set[int], *, listed: bool, sound: bool) -> bool:
    """Whether what is left unread may change what the rest says.

    Words of a question or a heading are no residue, so all of them must be read. An unread negator may turn the whole,
    and an unread name beside a list or a subordinator may show that the clause was cut wrongly ("A crosses B and C D").
    ``sound``: the sentence was parsed as a whole; then a name after a preposition shows nothing of the kind, nor does
    an adjective of a name before its noun ("an American logician").
    """
    borrowed = any(i.start < 0 and "modal" in i.forms.closed for i in items)
    named = [n for n in unread if names_something(items[n])]
    cut = any(not (sound and (_after_preposition(items, n) or _describing(items, n))) for n in named)
    joined = any(i.lower in _SUBORDINATORS for i in items)
    unreal = any(a.lower == "as" and b.lower in ("though", "if") for a, b in pairwise(items))
    turned = any(items[n].start < 0 or items[n].lower in _NOT for n in unread)
    return turned or borrowed or unreal or (cut and listed) or (bool(named) and joined)


def _describing(items: Sequence[Item], n: int) -> bool:
    """Whether a word that is written like a name is an adjective before a noun in small letters."""
    after = items[n + 1] if n + 1 < len(items) else None
    return items[n].forms.adj is not None and after is not None and bool(after.forms.noun) and after.text.islower()


def _after_preposition(items: Sequence[Item], n: int) -> bool:
    while n and items[n - 1].forms.closed & {"det"}:
        n -= 1
    return n > 0 and "prep" in items[n - 1].forms.closed


def _distinct(claims: list[Claim]) -> Iterator[Claim]:
    seen: set[tuple[object, ...]] = set()
    for c in claims:
        at = (c.start, c.end, c.readings, c.negated, c.covers)
        if at not in seen:
            seen.add(at)
            yield c
