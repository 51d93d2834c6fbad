"""The times of a clause: dates that no property takes up say when the rest holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.claim import When
from imprimatur.extract.chains import role_of
from imprimatur.extract.syntax import Clause, Item, Np, NpKind
from imprimatur.values import Bound, DateValue

__all__ = ["dates_of", "telling_dates", "times"]

_STARTING = frozenset("begin start commence become".split())
_ENDING = frozenset("end finish stop cease".split())

#: Verbs of states and doings that go on; what any other verb tells may be over in a moment.
_LASTING = frozenset(
    "be have hold own keep play work belong lie stand live lead head serve supervise operate run host house "
    "share employ compete control command maintain govern reign rule preside chair manage oversee captain "
    "coach teach tutor study train attend inhabit reside dwell represent perform star exist contain include "
    "rest depend rely orbit carry bear use possess occupy remain stay continue last practice steer conduct "
    "administer guide accompany wear guard helm skipper border feed drain flow".split()
)
#: Prepositions after which a name that is a date too may be the time.
_TIMED = frozenset("loc during from to until till since".split())
#: Prepositions that put something within a time ("" and "obj": none).
_WITHIN = frozenset(("", "obj", "loc", "during", "of", "for", "throughout", "by", "as of"))

Dated = tuple[str, Np, frozenset[int]]


def dates_of(clause: Clause, items: Sequence[Item]) -> Iterator[Dated]:
    """The dates of the clause with their prepositions: complements, and phrases after its nouns."""
    for np in (clause.subj, *(c.np for c in clause.comps)):
        for leaf in np.leaves() if np is not None else ():
            for inner in leaf.inner if leaf.kind is not NpKind.NOUN else ():
                if _dated(inner, items):
                    yield "loc", inner, inner.items
    for comp in clause.comps:
        if comp.np is None:
            continue
        for leaf in comp.np.leaves():
            if _dated(leaf, items) or (_dated_name(leaf, items) and comp.role in _TIMED):
                yield comp.role, leaf, comp.items
        for prep, post in comp.np.posts:
            if _dated(post, items) or (_dated_name(post, items) and role_of(prep) in _TIMED):
                yield role_of(prep), post, comp.items - (comp.np.items - post.items - {min(post.items) - 1})


def _dated(np: Np, items: Sequence[Item]) -> bool:
    if items[np.head_item].stands is not None:
        return False  # a value given by comparison is no time
    return np.kind is NpKind.DATE or (np.kind is NpKind.QUANTITY and items[np.head_item].date is not None)


def _dated_name(np: Np, items: Sequence[Item]) -> bool:
    """Whether a name is a date too ("2012" beside a film of that name)."""
    return np.kind is NpKind.ENTITY and items[np.head_item].date is not None


def telling_dates(found: list[Dated], verb: str, items: Sequence[Item]) -> list[Dated]:
    """Those dates that say a start, an end or a moment, one of each; the others stay unread ("outside 1975")."""
    taken: dict[str, int] = {}
    told: list[Dated] = []
    for role, np, its in found:
        end = _end_of(role, np, verb, items)
        for part in ("start", "end") if end == "both" else (end,) if end else ():
            taken[part] = taken.get(part, 0) + 1
        most = 2 if end == "between" else 1
        if end and all(taken[part] <= most for part in (("start", "end") if end == "both" else (end,))):
            told.append((role, np, its))
    return told


def _end_of(role: str, np: Np, verb: str, items: Sequence[Item]) -> str:
    """What a date with its preposition says: a start, an end, both, a moment, or nothing ("")."""
    item = items[np.head_item]
    if role == "between" and item.interval is None:
        return "between"
    if item.interval is not None:
        return "both" if role in _WITHIN or role in ("from", "between") else ""
    if item.date is None:
        return ""
    if role in ("to", "until", "till") or item.lower.startswith(("until", "till", "up to")):
        return "end"
    if role in ("from", "since") or item.date.bound is Bound.AT_LEAST:
        return "start"
    if role not in _WITHIN:
        return ""
    return "start" if verb in _STARTING else "end" if verb in _ENDING else "at"


def times(found: list[Dated], verb: str, items: Sequence[Item]) -> When:
    """The dates of a clause as a time: a start and an end, or a moment."""
    said: dict[str, DateValue] = {}
    between: list[DateValue] = []
    for role, np, _ in found:
        value, interval = items[np.head_item].date, items[np.head_item].interval
        end = _end_of(role, np, verb, items)
        if end == "both" and interval is not None:
            said["start"], said["end"] = interval
        elif end == "between" and value is not None:
            between.append(value)
        elif value is not None:
            said[end] = value
    if len(between) == 2:
        said["start"], said["end"] = between
    return When(
        at=said.get("at"),
        start=said.get("start"),
        end=said.get("end"),
        event="at" in said and verb not in _LASTING,
        whole=any(role == "throughout" for role, *_ in found),
    )
