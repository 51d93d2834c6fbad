"""What a sentence says of opening hours: of which days, from when to when, open or closed.

Contract: ``read`` gives statements in order; none where the sentence has no word of opening, or speaks of a happy hour.
"5 to 9" may be of either half of the day. What is denied or not sure is ``unsaid``, but for days that are not open:
they are closed. Days behind "except" are closed, and no part of the days before. Nothing raises; time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from imprimatur._expressions import expression
from imprimatur.language.tokens import tokenise
from imprimatur.sources.tables.attributes.clauses import Stance, stances

__all__ = ["DAYS", "Said", "read"]

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?\b\.?"
_WHEN = expression(
    rf"(?P<first>\b{_DAY})(?:\s?(?:-|–|—|to|through|thru|until|till)\s?(?P<last>{_DAY}))?"
    r"|\b(?P<all>(?:seven|7) days (?:a|per) week|every ?day(?: of the week)?|daily|all week|each day|"
    r"throughout the week)\b|\b(?P<week>week ?days?)\b|\b(?P<end>weekends?)\b",
    re.IGNORECASE,
)
_COUNT = expression(r"\b(?P<count>two|three|four|five|six|[2-6]) days (?:a|per) week\b", re.IGNORECASE)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_EXCEPT = expression(r"\b(?:except|excluding|apart from|other than|but not)(?: for)?(?: on)?\W*$", re.IGNORECASE)
_ALWAYS = expression(r"\b24/7\b|\b(?:24|twenty-four) hours(?: a day)?\b|\baround the clock\b", re.IGNORECASE)
_TIME = r"(?:(\d{1,2})(?::(\d{2}))?\s?([ap]\.?\s?m\b\.?)?|\b(noon|midnight)\b)"
_SPAN = expression(rf"{_TIME}\s?(?:-|–|—|to|until|till|and|through)\s?{_TIME}", re.IGNORECASE)
_FROM = expression(
    rf"\b(?:from|(?<!is )(?<!are )(?<!be )opens? (?:its doors )?at|opening at|starting at|starts at)\s{_TIME}",
    re.IGNORECASE,
)
_UNTIL = expression(rf"\b(?:until|till|closes? at|closing at)\s{_TIME}", re.IGNORECASE)
_ABOUT = expression(r"\b(?:open|opens|opening|operat\w{1,5}|hours|closed?|closes|closing)\b", re.IGNORECASE)
_OTHER = expression(r"\bhappy[ -]hours?\b", re.IGNORECASE)
_OPEN = expression(r"\b(?:open|opens|operates?|operating|hours)\b", re.IGNORECASE)
_CLOSED = expression(r"\b(?:closed|closes)\b(?! (?:at|by)\b)", re.IGNORECASE)
_CLOSED_BEHIND = expression(r"\W*(?:(?:is|are|being|remains?|stays?) )?closed\b", re.IGNORECASE)
_LONGER = expression(r"\b(?:extended|longer|later|additional)(?: \w{1,12})? hours\b|\bopen later\b", re.IGNORECASE)
_SHORTER = expression(r"\b(?:shorter|reduced|limited)(?: \w{1,12})? hours\b", re.IGNORECASE)
_VARY = expression(
    r"\bhours(?: of operation)? (?:may )?(?:vary|varies|differ)\b|\bvarying(?: \w{1,12})? hours\b|\bhours varying\b",
    re.IGNORECASE,
)
_VARIES = expression(r"\b(?:vary|varies|varying|range|ranges|ranging)\b", re.IGNORECASE)
_AND = frozenset(("", ",", "and", "&", ", and", "or", "and on", "to"))
Times = frozenset[int]


@dataclass(frozen=True, slots=True)
class Said:
    """One statement of ``days``; ``first`` and ``last`` are the possible minutes, empty where none is said.

    ``kind``: "from" (hours of these days), "some" (of days that are not said), "open", "closed", "longer", "shorter",
    "vary", "always" (day and night), "count" (of so many days), and "unsaid" where it is denied or not sure.
    """

    start: int
    end: int
    kind: str
    days: tuple[str, ...]
    first: Times = frozenset()
    last: Times = frozenset()
    count: int = 0


@dataclass(frozen=True, slots=True)
class _Event:
    start: int
    end: int
    days: tuple[str, ...] = ()
    first: Times = frozenset()
    last: Times = frozenset()


def read(text: str) -> tuple[Said, ...]:
    """The statements of opening hours in a text; none when it does not speak of them."""
    if _ABOUT.search(text) is None or _OTHER.search(text) is not None:
        return ()
    events = _joined(text, sorted([*_times(text), *_days(text)], key=lambda event: event.start))
    events, closed = _excepted(text, events)
    used: set[int] = set()
    found = [*_comparing(text, events, used), *_timed(events, used), *_untimed(text, events, used)]
    found += [Said(each.start(), each.end(), "always", DAYS) for each in _ALWAYS.finditer(text)]
    found += [Said(*each.span(), "count", DAYS, count=_counted(each["count"])) for each in _COUNT.finditer(text)]
    found = [_varying(text, said) for said in found]
    return tuple(sorted([*_denied(text, found), *closed], key=lambda said: said.start))


def _varying(text: str, said: Said) -> Said:
    """The statement; unsaid where times are only those between which hours vary."""
    between = text[max(0, said.start - 9) : said.start].lower().endswith("between ")
    return replace(said, kind="unsaid") if between and _VARIES.search(text) else said


def _counted(word: str) -> int:
    return _COUNTS.get(word.lower()) or int(word)


def _excepted(text: str, events: Sequence[_Event]) -> tuple[list[_Event], list[Said]]:
    """The events without days that are excepted from those before, and these as days that are closed."""
    kept: list[_Event] = []
    closed: list[Said] = []
    for event in events:
        if not (kept and event.days and _EXCEPT.search(text[kept[-1].end : event.start])):
            kept.append(event)
            continue
        closed.append(Said(event.start, event.end, "closed", event.days))
        at = next((n for n in range(len(kept) - 1, -1, -1) if kept[n].days), None)
        if at is not None:
            kept[at] = replace(kept[at], days=tuple(day for day in kept[at].days if day not in event.days))
    return kept, closed


def _denied(text: str, found: Sequence[Said]) -> Iterator[Said]:
    """The statements with what is denied: not open is closed; any other denial tells nothing that is sure."""
    tokens = tokenise(text)
    stance = stances([token.lower for token in tokens])
    for said in found:
        held = next((each for token, each in zip(tokens, stance) if token.end > said.start), Stance.ASSERTED)
        if held is Stance.ASSERTED:
            yield said
        else:
            closed = said.kind == "open" and held is Stance.DENIED and len(said.days) == 1
            yield replace(said, kind="closed" if closed else "unsaid")  # "not open every day" may be open on most


def _days(text: str) -> Iterator[_Event]:
    for found in _WHEN.finditer(text):
        days: tuple[str, ...] = DAYS
        if found["week"]:
            days = DAYS[:5]
        elif found["end"]:
            days = DAYS[5:]
        elif found["first"]:
            if not found["first"][0].isupper():
                continue
            first, last = (_number(found[part] or found["first"]) for part in ("first", "last"))
            days = tuple(DAYS[(first + step) % 7] for step in range((last - first) % 7 + 1))
        yield _Event(*found.span(), days=days)


def _number(word: str) -> int:
    return next(at for at, name in enumerate(DAYS) if name.startswith(word.lower()[:3]))


def _times(text: str) -> Iterator[_Event]:
    spans = list(_SPAN.finditer(text))
    for found in spans:
        first, last = found.group(1, 2, 3, 4), found.group(5, 6, 7, 8)
        if _is_time(first) or _is_time(last):
            yield _Event(*found.span(), first=_minutes(first), last=_minutes(last))
    for pattern, opens in ((_FROM, True), (_UNTIL, False)):
        for found in pattern.finditer(text):
            inside = any(span.start() < found.end() and found.start() < span.end() for span in spans)
            if not inside and _is_time(found.groups()):
                at = _minutes(found.groups())
                yield _Event(*found.span(), first=at if opens else frozenset(), last=frozenset() if opens else at)


def _is_time(parts: Sequence[str | None]) -> bool:
    """Whether something marks a number as a time of day."""
    return bool(parts[1] or parts[2] or parts[3])


def _minutes(parts: Sequence[str | None]) -> Times:
    """The minutes since midnight that a time may mean: two, where nothing says which half of the day."""
    hour, minute, half, word = parts
    if word:
        return frozenset((720 if word.lower() == "noon" else 0,))
    at = int(hour or 0) * 60 + int(minute or 0)
    if int(hour or 0) > 12:
        return frozenset((at % 1440,))
    early = at % 720
    if half:
        return frozenset((early + (720 if half[0] in "pP" else 0),))
    return frozenset((early, early + 720))


def _joined(text: str, events: Sequence[_Event]) -> list[_Event]:
    """The events with neighbouring days as one ("Friday and Saturday")."""
    out: list[_Event] = []
    for event in events:
        between = text[out[-1].end : event.start].strip().lower() if out else "x"
        if out and event.days and out[-1].days and between.partition(" ")[0] == "or":
            out.pop()  # which of them, it does not say
            continue
        if out and event.days and out[-1].days and between in _AND:
            out[-1] = _Event(out[-1].start, event.end, tuple(dict.fromkeys((*out[-1].days, *event.days))))
        else:
            out.append(event)
    return out


def _comparing(text: str, events: Sequence[_Event], used: set[int]) -> Iterator[Said]:
    """That some days have longer or shorter hours than others, and that hours vary."""
    for pattern, kind in ((_LONGER, "longer"), (_SHORTER, "shorter")):
        for found in pattern.finditer(text):
            at = next((n for n, each in enumerate(events) if each.days and each.start >= found.end()), None)
            if at is not None and len(text[found.end() : events[at].start].split()) <= 2:
                used.add(at)
                yield Said(found.start(), events[at].end, kind, events[at].days)
    for found in _VARY.finditer(text):
        yield Said(found.start(), found.end(), "vary", DAYS)


def _timed(events: Sequence[_Event], used: set[int]) -> Iterator[Said]:
    """Times with the days they stand beside: those before them, or behind where a time comes first."""
    free = [at for at in range(len(events)) if at not in used]
    timed = [at for at in free if not events[at].days]
    behind = bool(timed) and bool(free) and free[0] == timed[0]
    for at in timed:
        near = [n for n in free if events[n].days and (n > at if behind else n < at)]
        beside = (near[0] if behind else near[-1]) if near else None
        event = events[at]
        if beside is None:
            yield Said(event.start, event.end, "some", DAYS, event.first, event.last)
            continue
        start, end = event.start, event.end
        if beside not in used:
            start, end = min(events[beside].start, start), max(events[beside].end, end)
            used.add(beside)
        yield Said(start, end, "from", events[beside].days, event.first, event.last)


def _untimed(text: str, events: Sequence[_Event], used: set[int]) -> Iterator[Said]:
    """Days on which it is said to be open, or closed."""
    for at, event in enumerate(events):
        if at in used or not event.days:
            continue
        before, behind = text[max(0, event.start - 60) : event.start], text[event.end : event.end + 20]
        opened = max((found.end() for found in _OPEN.finditer(before)), default=-1)
        closed = max((found.end() for found in _CLOSED.finditer(before)), default=-1)
        if _CLOSED_BEHIND.match(behind):
            opened, closed = -1, 0
        elif max(opened, closed) < 0 and _OPEN.search(behind):
            opened = 0
        if max(opened, closed) >= 0:
            yield Said(event.start, event.end, "closed" if closed >= opened else "open", event.days)
