"""Where two things meet: "In which town does X join Y?" by where the one of them ends that ends in the other.

Contract: three sentences must be licensed: that X joins Y (or what it joins, where the question does not name it), that
the end of the one is the other, and where that end is. Which nouns name an end is told by the frame lexicon; so is how
a meeting that is named by a noun ("the confluence of X and Y") is told by a verb. The answer is the first and the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from imprimatur.claim import Mention
from imprimatur.extract.asked import GAP, Asked, Wanted, added, is_gap
from imprimatur.extract.frames import aspects, relations
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import BE, LOCATIVE, forms
from imprimatur.generate.answered import Answered, Outcome, licensed
from imprimatur.generate.sentence import written
from imprimatur.report import Report

if TYPE_CHECKING:
    from imprimatur.generate.asking import Asking

__all__ = ["met"]

Phrase = tuple[Item, ...]
_UNNAMED = frozenset("its another a an".split())


def met(asked: Asked, asking: Asking) -> Answered:
    """Where two things meet, when the sentence asks that and the graph has it."""
    gap = next(n for n, i in enumerate(asked.items) if is_gap(i))
    said = asked.items[: gap - 1]
    plain = asked.wanted in (Wanted.THING, Wanted.PLACE) and gap == len(asked.items) - 1
    if not plain or gap < 3 or asked.items[gap - 1].lower not in LOCATIVE:
        return Answered(outcome=Outcome.UNREAD)
    for first, second, text in (*_told(said, asking), *_named(said, asking)):
        for one, other in ((first, second), (second, first)):
            found = _end(one, other, asked, asking, asking.check(text))
            if found.outcome is Outcome.ANSWERED:
                whole = f"{text} {found.text}"
                return replace(found, text=whole, report=asking.check(whole))
    return Answered(outcome=Outcome.UNKNOWN)


def _end(one: Phrase, other: Phrase, asked: Asked, asking: Asking, joining: Report) -> Answered:
    """Where the one thing ends, if it ends in the other by what their joining rests on."""
    for noun in _ends():
        end = (added("the"), added(noun), added("of"), *one, added("is"))
        report = asking.check(written((*end, *other), ""))
        if licensed(report) and _properties(report) & _properties(joining):
            apart = tuple(iri for i in other if i.entity is not None for iri in i.entity.candidates)
            return asking.completed(replace(asked, items=(*end, added("in"), GAP), apart=apart), lossy=False)
    return Answered(outcome=Outcome.UNKNOWN)


def _properties(report: Report) -> frozenset[str]:
    """The properties that the claims of a report may be about."""
    readings = (r for s in report.segments for c in s.claims for r in c.claim.readings)
    return frozenset(p.iri for r in readings for p in getattr(r, "predicates", ()))


@cache
def _ends() -> tuple[str, ...]:
    return tuple(n for f in aspects() if "last" in f.traits for n in f.nouns if "<" not in n)


def _told(said: Phrase, asking: Asking) -> Iterator[tuple[Phrase, Phrase, str]]:
    """The two things of "X joins Y" and that sentence; what "its receiving river" is, is found first."""
    named = [n for n, i in enumerate(said) if i.entity is not None]
    if not named or named[0] > 1:
        return
    first = said[: named[0] + 1]
    if len(named) == 2 and named[1] == len(said) - 1:
        second = _with_article(said, named[1])
        told = (said, *((*first, *map(added, verb), *second) for verb in _verbs(said[len(first)].forms.verb or "")))
        text = next((t for t in (written(each, "") for each in told) if licensed(asking.check(t))), "")
        if text:
            yield first, second, text
        return
    at = next((n for n in range(len(first) + 1, len(said)) if said[n].lower in _UNNAMED), None)
    if len(named) == 1 and at is not None and said[-1].forms.noun and len(said) - at < 5:
        yield from _found(said[:at], first, said[-1], asking)


def _found(said: Phrase, first: Phrase, noun: Item, asking: Asking) -> Iterator[tuple[Phrase, Phrase, str]]:
    """The two things and the sentence of "X joins its receiving river": the one river that X joins."""
    others = ((*first, *map(added, verb)) for verb in _verbs(said[len(first)].forms.verb or ""))
    for told in (said, *others):
        found = asking.completed(Asked(items=(*told, GAP), wanted=Wanted.THING, noun=(noun,)), lossy=False)
        if found.outcome is Outcome.ANSWERED and len(found.iris) == 1:
            text = found.values[0]
            yield first, (Item(-1, -1, text, text.lower(), entity=Mention(-1, -1, text, found.iris)),), found.text
            return


def _with_article(said: Phrase, at: int) -> Phrase:
    return said[at - 1 : at + 1] if said[at - 1].lower == "the" else said[at : at + 1]


def _named(said: Phrase, asking: Asking) -> Iterator[tuple[Phrase, Phrase, str]]:
    """The two things of "the confluence of X and Y is", with the sentence that they meet."""
    named = [n for n, i in enumerate(said) if i.entity is not None]
    if len(named) != 2 or [i.lower for i in said[2:3]] != ["of"] or said[0].lower != "the":
        return
    first, second = said[3 : named[0] + 1], _with_article(said, named[1])
    between = [i.lower for i in said[named[0] + 1 : named[1] + 1 - len(second)]]
    after = said[named[1] + 1 :]
    if len(first) > 2 or between not in (["and"], ["with"]) or not after or after[0].lower not in BE or len(after) > 2:
        return
    for verb, (one, other) in product(_verbs(said[1].forms.noun or ""), ((first, second), (second, first))):
        text = written((*one, *map(added, verb), *other), "")
        if licensed(asking.check(text)):
            yield first, second, text
            return


@cache
def _verbs(word: str) -> tuple[tuple[str, ...], ...]:
    """How else a meeting is told that has this noun or verb: the lines "S meets O" of the frame that has it."""
    found: dict[tuple[str, ...], None] = {}
    for frame in (f for f in relations() if f.symmetric):
        lines = [w for line in frame.lines if ((w := line.split())[0], w[-1]) == ("S", "O") and w[1] not in BE]
        if f"S has a {word} with O" in frame.heads or any(forms(w[1]).verb == word for w in lines):
            found |= dict.fromkeys(tuple(w[1:-1]) for w in lines)
    return tuple(found)
