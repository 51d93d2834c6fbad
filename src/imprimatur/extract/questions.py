"""Questions as sentences with a gap: "Which river does X flow into?" is "X flows into GAP".

Contract: ``statements`` gives the sentences that a question may be the question of, the likeliest first
(``extract.asked``). Only word order and auxiliaries change, as English grammar has it: no property, no domain, no name
is known here. A question that is not understood gives nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from imprimatur.extract.asides import named_by, of_name, without_asides, without_choice, without_remark, without_unit
from imprimatur.extract.asked import GAP, Asked, Wanted, added, is_gap
from imprimatur.extract.asked_phrase import AUXILIARIES, last, phrase, with_tail
from imprimatur.extract.described import in_unit, whole_relative
from imprimatur.extract.frames import dims
from imprimatur.extract.inversion import declared
from imprimatur.extract.measured import in_unit_at, measured
from imprimatur.extract.reworded import whole_course, without_source
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import turning
from imprimatur.extract.words import BE, DO
from imprimatur.language.degree import comparative
from imprimatur.language.units import parse as unit_of

__all__ = ["Choice", "asked_noun", "choice", "premise", "statements", "yes_or_no"]

_WH = frozenset("which what who whom whose when where how".split())
_MANY = frozenset(("many", "much"))
_NEARLY = frozenset("approximately roughly about".split())
_TIMES = frozenset("year date day decade century".split())
_SHARES = frozenset("percentage share proportion fraction percent".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question between named things ("Which is longer, A or B?"): one sentence for each of them."""

    things: tuple[Item, ...]
    said: tuple[tuple[Item, ...], ...]


def statements(question: Sequence[Item]) -> tuple[Asked, ...]:
    """The sentences that a question asks to complete, the likeliest first."""
    whole, supposed = whole_course(last(question))
    if supposed:
        return tuple(replace(a, supposed=supposed) for a in statements(whole))
    items, unit = without_unit(of_name(whole))
    shorter = without_asides(items)
    if shorter != items:
        return tuple(replace(a, lossy=True) for a in statements(shorter))
    at = _asking(items)
    if at is None:
        return ()
    found = [a for a in _forms(items, at) if sum(map(is_gap, a.items)) == 1]
    stop = max((n for n, i in enumerate(items) if i.lower == "," and n > at + 1), default=0)
    if stop and not any(turning(i) for i in items[stop:]):
        before = _forms(items[:stop], at)
        found += [replace(a, lossy=True) for a in before if sum(map(is_gap, a.items)) == 1]
    if unit:
        found = [replace(a, unit=unit, wanted=Wanted.NUMBER) for a in found if not a.noun]
    return tuple(found)


def premise(question: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """What a question supposes, and the question itself: "If X is 5 km long, how long is it in miles?".

    A pronoun of the question stands for the one thing that its premise names. Both empty: it supposes nothing.
    """
    items = last(question)
    at = next((n for n, i in enumerate(items) if i.lower == ","), 0)
    named = [i for i in items[:at] if i.entity is not None]
    if not at or items[0].lower not in ("if", "given", "since") or len(named) != 1:
        return (), ()
    opens = 2 if items[1].lower == "that" else 1
    rest = tuple(x for i in items[at + 1 :] for x in _standing_for(i, named[0]))
    return items[opens:at], rest


def _standing_for(item: Item, thing: Item) -> tuple[Item, ...]:
    if item.lower == "its":
        return (thing, added("'s"))
    return (thing,) if item.lower == "it" else (item,)


def yes_or_no(question: Sequence[Item]) -> tuple[Item, ...]:
    """The sentence that a question asks to confirm ("Does X flow into Y?"); empty when it asks something else."""
    items = last(question)
    if len(items) < 3 or items[0].lower not in AUXILIARIES or _asking(items) is not None:
        return ()
    return declared(items[0], items[1:])


def choice(question: Sequence[Item]) -> Choice | None:
    """The sentences between which a question chooses; None when it names no things to choose from."""
    items = last(question)
    if [i.lower for i in items[1:4]] in (["of", "the", "two"], ["of", "these", "two"]):
        items = (items[0], *items[4:])
    at = next((n for n, i in enumerate(items) if i.lower in (",", ":")), None)
    if at is None or not items[:1] or items[0].lower not in ("which", "what", "who"):
        return None
    things = tuple(i for i in items[at + 1 :] if i.entity is not None)
    joined = {i.lower for i in items[at + 1 :] if i.entity is None} <= {"the", ",", "or"}
    if len(things) < 2 or not joined or items[-2].lower not in ("or", "the"):
        return None
    bare = items[1].forms.verb_forms & {"s", "past"} and items[2].forms.closed & {"prep", "det"}
    rest = items[1 if bare else phrase(items, 1) : at]
    compared = any(comparative(i.lower) or i.lower in ("more", "less", "fewer") for i in rest)
    if compared and len(things) != 2:
        return None
    than = added("than")
    others = [tuple(o for o in things if o is not t) for t in things]
    said = tuple((t, *rest, than, *other) if compared else (t, *rest) for t, other in zip(things, others, strict=True))
    return Choice(things=things, said=said)


def _asking(items: Sequence[Item]) -> int | None:
    """Where the asking word stands: at the start, after a preposition, or in the place of the answer.

    A "which" after a comma or a noun is a relative, unless nothing asks before it.
    """
    found = [n for n, i in enumerate(items) if i.lower in _WH and i.entity is None]
    if not found:
        return None
    return found[0]


def asked_noun(question: Sequence[Item]) -> tuple[Item, ...]:
    """The nouns after the asking word ("which New York town"); empty when there are none."""
    items = last(question)
    at = _asking(items)
    return items[at + 1 : phrase(items, at + 1)] if at is not None else ()


# -- forms ------------------------------------------------------------------------------------------------------------
def _forms(items: tuple[Item, ...], at: int) -> Iterator[Asked]:
    wh = items[at].lower
    if wh == "how":
        yield from _how(items, at)
    elif wh in ("when", "where"):
        yield from _when(items, at)
    elif wh in ("who", "whom"):
        yield from _placed(items, (at, at + 1, at + 1), Wanted.PERSON)
    elif wh in ("which", "what"):
        items = without_choice(named_by(items, at), at)
        stop = phrase(items, at + 1)
        noun = items[at + 1 : stop]
        if not items[:at] and [i.forms.noun for i in noun[-1:]] and noun[-1].lower in _SHARES and items[stop:]:
            yield Asked(items=(GAP, *items[stop:]), wanted=Wanted.NUMBER, unit="%")
            return
        if [i.lower for i in noun] and len(noun) == 1 and noun[0].forms.noun in _TIMES:
            yield from _timed(items[stop:])
            return
        stop, noun = with_tail(items, stop, noun)
        yield from _placed(items, (at, at + 1, stop), Wanted.THING)


def _timed(rest: tuple[Item, ...]) -> Iterator[Asked]:
    """ "In what year did X die?", "What year was X born in?"."""
    told = declared(rest[0], rest[1:]) if len(rest) > 1 and rest[0].lower in AUXILIARIES else ()
    if told:
        kept = told[:-1] if told[-1].lower in ("in", "on") else told
        yield Asked(items=(*kept, added("in"), GAP), wanted=Wanted.TIME)


def _placed(items: tuple[Item, ...], span: tuple[int, int, int], wanted: Wanted) -> Iterator[Asked]:
    """The sentence with the gap where the asked phrase belongs."""
    at, first, stop = span
    noun = items[first:stop]
    plural = any(i.forms.plural for i in noun) or any(i.quantity for i in noun)
    whole = Asked(items=(), wanted=wanted, noun=tuple(noun), plural=plural)
    before, rest = items[:at], items[stop:]
    if before and rest and in_unit_at(rest, 0)[0] == len(rest):  # "X's length is what distance in kilometers?"
        yield Asked(items=(*before, GAP), wanted=Wanted.NUMBER, unit=in_unit_at(rest, 0)[1])
    if not rest or (before and not _fronting(before)):
        yield from _with_head(replace(whole, items=(*before, GAP, *rest)))  # "X flows into which river?"
        return
    if rest[0].lower in BE and not before and len(rest) > 1 and (not noun or not _participial(rest)):
        # "What is X named after?", "What is X a part of?"
        stranded = not noun and rest[1].entity is not None and "prep" in rest[-1].forms.closed
        if not stranded:
            yield from _copular(whole, rest if noun else without_remark(rest))
            if not noun and not ("prep" in rest[-1].forms.closed and rest[-2].forms.verb_forms & {"pp"}):
                return
    yield from _inverted(whole, before, rest)
    if not before:
        yield replace(whole, items=(GAP, *rest))


def _copular(whole: Asked, rest: tuple[Item, ...]) -> Iterator[Asked]:
    """ "What is the length of X in miles?", "Which river is the longest in Y?"."""
    yield from measured(rest[1:]) if not whole.noun else ()
    described = whole_relative(rest[1:]) if not whole.noun else None
    if described is not None:
        yield described
    told, unit = in_unit(rest[1:])
    if unit and not whole.noun:
        yield Asked(items=(*told, rest[0], GAP), wanted=Wanted.NUMBER, unit=unit)
    yield replace(whole, items=(*rest[1:], rest[0], GAP))
    yield replace(whole, items=(GAP, *rest))


def _inverted(whole: Asked, before: tuple[Item, ...], rest: tuple[Item, ...]) -> Iterator[Asked]:
    """ "Into which river does X flow?", "At what elevation above sea level does X rise?"."""
    level = rest[:3] if [i.lower for i in rest[:3]] == ["above", "sea", "level"] else ()
    rest = rest[len(level) :]
    if len(rest) < 2 or rest[0].lower not in AUXILIARIES or rest[1].forms.verb_forms & {"pp"}:
        return
    stop = next((n for n, i in enumerate(rest) if 1 < n < len(rest) - 1 and _ends(i)), len(rest))
    told = declared(rest[0], rest[1:stop])
    if told and whole.noun and whole.noun[-1].lower == "direction":
        told = without_source(told)
        yield replace(
            whole, items=(*told, GAP), noun=(), wanted=Wanted.DIRECTION
        )  # "in which direction does X flow": X flows GAP
        return
    if told:
        yield from _with_head(replace(whole, items=(*told, *before, GAP, *rest[stop:])))
    if told and whole.noun and (before or whole.noun[-1].forms.noun in _dims()):
        article = added("an" if whole.noun[0].lower[0] in "aeiou" else "a")
        measured = (*told, *before, article, *whole.noun, added("of"), GAP, *level)
        yield replace(whole, items=measured, noun=(), wanted=Wanted.NUMBER)


def _with_head(asked: Asked) -> Iterator[Asked]:
    """The sentence as it is; and "flows into the system of GAP" where it is asked "into which river system"."""
    yield asked
    head, kind = asked.noun[-1:], asked.noun[-2:-1]
    if head and kind and head[0].forms.noun and kind[0].forms.noun and not head[0].entity and not kind[0].forms.adj:
        at = next(n for n, i in enumerate(asked.items) if is_gap(i))
        if at and asked.items[at - 1].lower == "as":
            return  # "classified as which order tributary": the head is not what is asked of
        made = (*asked.items[:at], added("the"), head[0], added("of"), *asked.items[at:])
        yield replace(asked, items=made, noun=asked.noun[:-1])


@cache
def _dims() -> frozenset[str]:
    """The nouns of kinds of quantity."""
    return frozenset(n for f in dims() for n in f.nouns)


def _ends(item: Item) -> bool:
    """Whether the words before are a clause by themselves: a comma follows, or a clause of time."""
    return item.lower == "," or item.lower in ("before", "after", "while", "when")


def _fronting(before: Sequence[Item]) -> bool:
    """Whether what stands before the asking word is its own preposition, with adverbs."""
    return all("prep" in i.forms.closed or i.forms.adv or i.punct for i in before) and bool(before)


def _participial(rest: Sequence[Item]) -> bool:
    """Whether the copula is the auxiliary of a participle or comes before a place: "is X located in"."""
    return any(i.forms.verb_forms & {"pp", "ing"} for i in rest[1:]) or any("prep" in i.forms.closed for i in rest[1:])


def _how(items: tuple[Item, ...], at: int) -> Iterator[Asked]:
    """ "How long is X?", "How many miles long is X?", "How many tributaries does X have?"."""
    rest = items[at + 1 :]
    if len(rest) < 2:
        return
    before = tuple(i for i in items[:at] if i.lower not in _NEARLY)
    if before and rest[0].lower in _MANY:  # "X is how many miles long?"
        measure = rest[-1:] if rest[-1].forms.adj and not rest[-1].forms.noun else ()
        if len(rest) > 3 and rest[-2].lower == "in":
            measure = rest[-2:]  # "how many square miles in area"
        unit = " ".join(i.text for i in rest[1 : len(rest) - len(measure)])
        if unit_of(unit) is not None:
            yield Asked(items=(*before, GAP, *measure), wanted=Wanted.NUMBER, unit=unit)
        return
    if rest[0].lower in _MANY:
        yield from _how_many(before, rest)
        return
    if rest[0].forms.adj and rest[1].lower in BE:
        told, unit = in_unit(rest[2:])
        yield Asked(items=(*told, rest[1], GAP, rest[0]), wanted=Wanted.NUMBER, unit=unit)


def _how_many(before: Sequence[Item], rest: Sequence[Item]) -> Iterator[Asked]:
    stop = next((n for n, i in enumerate(rest) if i.lower in AUXILIARIES or "modal" in i.forms.closed), None)
    if stop is None:
        verb = next((n for n, i in enumerate(rest) if n > 1 and i.forms.verb), None)
        if verb is not None:
            yield Asked(items=(GAP, *rest[1:]), wanted=Wanted.NUMBER, plural=True)
        return
    noun, aux, tail = rest[1:stop], rest[stop], rest[stop + 1 :]
    measure = noun[-1:] if noun and noun[-1].forms.adj and not noun[-1].forms.noun else ()
    unit = " ".join(i.text for i in noun[: len(noun) - len(measure)])
    if measure or (aux.lower in BE and tail):
        yield Asked(items=(*tail, aux, GAP, *measure), wanted=Wanted.NUMBER, unit=unit)
    told = declared(aux, tail)
    if told and aux.lower not in BE and unit_of(unit) is not None:
        yield Asked(items=(*told, GAP), wanted=Wanted.NUMBER, unit=unit)  # "How many miles does X flow?"
    elif told and aux.lower not in BE:
        yield Asked(items=(*told, GAP, *noun), wanted=Wanted.NUMBER)
    if aux.lower in BE and tail:
        yield Asked(items=(GAP, *rest[1:]), wanted=Wanted.NUMBER)


def _when(items: tuple[Item, ...], at: int) -> Iterator[Asked]:
    wanted = Wanted.TIME if items[at].lower == "when" else Wanted.PLACE
    rest = items[at + 1 :]
    if len(rest) < 2:
        return
    if rest[0].lower not in AUXILIARIES and rest[0].forms.verb_forms & {"s", "past"}:
        told: tuple[Item, ...] = (*rest[1:], rest[0])  # "Where rises X?"
    elif rest[0].lower in AUXILIARIES:
        told = declared(rest[0], rest[1:])
    elif any(i.lower in AUXILIARIES for i in rest):
        told = rest  # "tell me when X was born"
    else:
        return
    if told and "prep" in told[-1].forms.closed:
        yield Asked(items=(*told, GAP), wanted=wanted)  # "Where does X flow to?"
    elif told:
        yield Asked(items=(*told, added("in"), GAP), wanted=wanted)
        if wanted is Wanted.PLACE and rest[0].lower in DO:
            yield Asked(items=(*told, added("into"), GAP), wanted=wanted)  # "Where does X discharge its waters?"
