"""What a sentence says of a record's yes/no attributes, and whether the row says the same.

Contract: ``told`` gives, for every attribute that the sentence speaks of, where it does so and whether the row agrees:
True, False, or None for silence (an empty cell is neither yes nor no). A group that is spoken of as a whole ("parking")
is there where one of its attributes is, and not where none is. What the row's own texts speak of too is left to them.
Nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from imprimatur.language.tokens import Token, tokenise
from imprimatur.segment import segment
from imprimatur.sources.tables.attributes.clauses import Stance, clause_end, clause_start, reported, stances
from imprimatur.sources.tables.attributes.mentions import mentions, named
from imprimatur.sources.tables.attributes.record import Attribute, Group, Record, Sight, shown

__all__ = ["Told", "told"]


_SHOWN = {True: "true", False: "false", None: None}
_CAN = frozenset(("can", "choose", "choice", "option", "options"))


@dataclass(frozen=True, slots=True)
class Told:
    """``text[start:end]`` speaks of columns; ``agrees`` is None where the row is silent. ``said`` is what it says."""

    start: int
    end: int
    columns: tuple[str, ...]
    denied: bool
    agrees: bool | None
    said: str


def told(text: str, record: Record) -> tuple[Told, ...]:
    """What a text of one sentence says of a record's attributes, in order."""
    tokens = tokenise(text)
    lowers = [token.lower for token in tokens]
    stance = stances(lowers)
    by_whom = reported(lowers) if record.prose else 0
    found: list[Told] = []
    taken: dict[Group | None, set[int]] = {}
    for attribute in record.attributes:
        for first, stop in mentions(tokens, attribute.sight):
            taken.setdefault(attribute.sight.group, set()).update(range(first, stop))
            made = _told(tokens, first, stop, stance, attribute, record)
            if made is not None and by_whom and first >= by_whom:
                made = _by_others(made, attribute.sight, record)
            if made is not None:
                found.append(made)
    found += _of_groups(tokens, stance, record, taken)
    return tuple(sorted(found, key=lambda each: (each.start, each.end, each.columns)))


def _told(
    tokens: Sequence[Token], first: int, stop: int, stance: Sequence[Stance], attribute: Attribute, record: Record
) -> Told | None:
    held = set(stance[first:stop])
    if Stance.UNSAID in held:
        return None
    denied = Stance.DENIED in held
    if not denied and _either(tokens, first, stop):
        return None
    agrees = None if attribute.truth is None else attribute.truth is not denied
    if not agrees and not denied and _spoken_of(attribute.sight, record.texts):
        return None
    said = shown(attribute.sight.column, attribute.said)
    return Told(tokens[first].start, tokens[stop - 1].end, (attribute.sight.column,), denied, agrees, said)


def _either(tokens: Sequence[Token], first: int, stop: int) -> bool:
    """Whether it is only one of several things of which some is so ("WiFi or parking"); what can be, each can be."""
    lowers = [token.lower for token in tokens]
    if _CAN & set(lowers):
        return False
    start, end = clause_start(lowers, first), clause_end(lowers, stop)
    return "or" in lowers[max(start, first - 3) : first] or "or" in lowers[stop : min(end, stop + 3)]


def _by_others(made: Told, sight: Sight, record: Record) -> Told | None:
    """What others are said to tell of an attribute: the row may agree, but they must have said so."""
    if _spoken_of(sight, record.prose):
        return None
    return replace(made, agrees=None, said="no text that belongs to the row says so")


@lru_cache(maxsize=4096)
def _spoken_of(sight: Sight, texts: tuple[str, ...]) -> bool:
    """Whether texts speak of an attribute."""
    cut = (text[slice(*part.body)] for text in texts for part in segment(text))
    return any(True for sentence in cut for _ in mentions(tokenise(sentence), sight))


def _of_groups(
    tokens: Sequence[Token], stance: Sequence[Stance], record: Record, taken: Mapping[Group | None, set[int]]
) -> Iterator[Told]:
    """What is said of whole groups, where none of their attributes is spoken of."""
    groups: dict[tuple[str, ...], Group] = {}
    for attribute in record.attributes:
        group = attribute.sight.group
        if group is not None and not group.qualities:
            groups[group.columns] = group
    for columns, group in groups.items():
        places = list(named(tokens, group))
        if not places or any(_near(at, taken.get(group, set())) for at in places):
            continue
        at = places[0]
        if stance[at] is Stance.UNSAID:
            continue
        denied = stance[at] is Stance.DENIED
        there = _any([record.truths[column] for column in columns])
        said = "; ".join(shown(column, _SHOWN[record.truths[column]]) for column in columns)
        agrees = None if there is None else there is not denied
        yield Told(tokens[at].start, tokens[at].end, columns, denied, agrees, said)


def _any(truths: Sequence[bool | None]) -> bool | None:
    """Whether one of several things is so; None where it may be one of which nothing is known."""
    return True if True in truths else None if None in truths else False


def _near(at: int, taken: set[int]) -> bool:
    """Whether an attribute is spoken of beside a token."""
    return any(place in taken for place in range(at - 8, at + 9))
