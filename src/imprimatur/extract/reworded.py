"""A question's sentence in plainer words: what something is identified as, a part for the whole, where on the way.

Contract: ``reworded`` gives the sentence with the same gap, or nothing; what it leaves out may tell one answer from
another, so that such a sentence may be answered only where there is one thing to choose from. ``whole_course`` leaves
out nothing: from its source to its mouth is all of a thing. Only grammar and WordNet's kinds of nouns are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from imprimatur.extract.asked import added, is_gap
from imprimatur.extract.frames import aspects
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import turning
from imprimatur.extract.words import BE, LOCATIVE
from imprimatur.language import wordnet
from imprimatur.language.degree import superlative

__all__ = ["reworded", "unranked", "whole_course", "without_source"]

#: Verbs whose passive with "as" says what something is taken to be; to be it is what the graph can tell.
_TAKEN = frozenset("identify describe regard consider classify designate recognise recognize list".split())
#: Prepositions that say where on its way something happens.
_BESIDE = frozenset("near at by beside".split())
_SIDES = frozenset("north south east west northeast northwest southeast southwest".split())
#: Kinds of nouns (of WordNet) that are parts of places.
_PARTS = frozenset(("noun.location", "noun.object"))


def reworded(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The sentence in plainer words; empty when it has none."""
    made = _without_kind_noun(_part_for_whole(_without_place(_without_taking(_without_opening(items)))))
    return made if made != items else ()


def unranked(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "X is the largest and only tributary of GAP" as "X is a tributary of GAP"; empty when there is no rank.

    What is left says less. That the rank holds was not looked at: only for a choice between answers, one of which is
    right by what is asked.
    """
    be = next((n for n, i in enumerate(items) if i.lower in BE), 0)
    start = be + 1
    if not be or start + 2 > len(items) or items[start].lower != "the":
        return ()
    stop = start + 1
    while stop < len(items) and (_ranking(items[stop]) or (stop > start + 1 and items[stop].lower in ("and", "named"))):
        stop += 1
    if stop == start + 1 or stop == len(items) or not items[stop].forms.noun:
        return ()
    rest = items[stop + 1 :]
    named = [i.lower for i in rest[:3]] == ["of", "its", "name"]
    article = added("an" if items[stop].lower[0] in "aeiou" else "a")
    return (*items[:start], article, items[stop], *(rest[3:] if named else rest))


def _ranking(item: Item) -> bool:
    return superlative(item.lower) is not None or item.lower in ("only", "sole")


def _without_taking(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "X is identified as a tributary of GAP" as "X is a tributary of GAP"."""
    for n in range(len(items) - 3):
        verb = items[n + 1]
        taken = verb.forms.verb in _TAKEN and verb.forms.verb_forms & {"pp"} and items[n + 3].start >= 0
        if items[n].lower in BE and taken and items[n + 2].lower == "as":  # "as which" asks for what it is taken to be
            return (*items[: n + 1], *items[n + 3 :])
    return items


def _without_opening(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "Shortly before entering Y, X flows into GAP" as "X flows into GAP"."""
    comma = next((n for n, i in enumerate(items) if i.lower == ","), 0)
    at = 1 if items[0].forms.adv and items[0].lower not in ("before", "after") else 0
    opens = comma > at + 1 and items[at].lower in ("before", "after") and items[at + 1].forms.verb_forms & {"ing"}
    return items[comma + 1 :] if opens and not any(map(is_gap, items[:comma])) else items


def _without_kind_noun(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "X is a tributary stream of GAP" as "X is a tributary of GAP"."""
    gap = next(n for n, i in enumerate(items) if is_gap(i))
    if gap < 5 or items[gap - 1].lower not in ("of", "to") or items[gap - 4].lower not in ("a", "an"):
        return items
    first, last = items[gap - 3 : gap - 1]
    nouns = all(i.forms.noun and not i.forms.adj and not i.entity and not i.forms.closed for i in (first, last))
    return (*items[: gap - 2], *items[gap - 1 :]) if nouns and items[gap - 5].lower in BE else items


def _without_place(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "X merges near Y into GAP" as "X merges into GAP", "X flows into southwest of Y GAP" likewise."""
    for n in range(1, len(items) - 2):
        opens = items[n].lower in _BESIDE
        side = items[n].lower in _SIDES and items[n + 1].lower == "of"
        at = n + (2 if side else 1)
        named = at < len(items) - 1 and bool(items[at].entity or items[at].name)
        if (opens or side) and named and any(is_gap(i) for i in items[at + 1 :]):
            return (*items[:n], *items[at + 1 :])
    return items


def _part_for_whole(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "X rises on the northern slope of GAP" as "X rises at GAP"."""
    gap = next(n for n, i in enumerate(items) if is_gap(i))
    if gap < 3 or items[gap - 1].lower != "of":
        return items
    start = gap - 2
    while start > 0 and (items[start].forms.noun or items[start].forms.adj) and not items[start].forms.closed:
        start -= 1
    phrase = items[start + 1 : gap - 1]
    prep = items[start - 1] if items[start].lower == "the" and start else items[start]
    if not phrase or not _is_part(phrase) or (prep.lower not in LOCATIVE and prep.lower not in _BESIDE):
        return items
    kept = prep if prep.lower in _BESIDE else added("at")
    return (*items[: start - 1 if items[start].lower == "the" else start], kept, *items[gap:])


def _is_part(phrase: Sequence[Item]) -> bool:
    """Whether a noun phrase names a part of a place: by its kind, and not the end that a thing has (its mouth)."""
    noun = phrase[-1].forms.noun
    sided = any(i.lower.removesuffix("ern") in _SIDES for i in phrase[:-1])
    if noun is None or any(turning(i) for i in phrase) or not (sided or wordnet.noun_kind(noun) in _PARTS):
        return False
    return noun not in _ends() or any(i.forms.adj for i in phrase[:-1])


@cache
def _ends() -> frozenset[str]:
    """The nouns of where things begin and end."""
    return frozenset(n for f in aspects() if {"first", "last"} & set(f.traits) for n in f.nouns)


def whole_course(items: tuple[Item, ...]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The question without "from its source to its mouth", and what it then supposes ("its confluence with Y").

    As it is, and nothing supposed, when more is said of either end. "The distance from X's source to its mouth", or
    between them, is "the length of X".
    """
    for n in range(1, len(items) - 5):
        at = n + 1 + (items[n + 1].lower == "the")
        owner = items[n + 1 : at + 1]
        of = at + (items[at + 1].lower in ("'s", "’s"))
        words = [items[n].lower, *(i.lower for i in items[of + 2 : of + 4])]
        if words not in (["from", "to", "its"], ["between", "and", "its"]):
            continue
        if of + 4 >= len(items) or not _from_end_to_end(items[of + 1], items[of + 4]):
            continue
        rest, supposed = _supposed(items[of + 5 :], next((i for i in items if i.entity is not None), None))
        if rest and not (rest[0].punct or rest[0].lower in BE):
            continue
        if items[at].lower == "its" and of == at:
            return (*items[:n], *rest), supposed
        far = next((k for k in range(n) if items[k].lower == "distance"), None)
        if items[at].entity is not None and of > at and far is not None:
            return (*items[:far], added("length"), added("of"), *owner, *items[far + 1 : n], *rest), supposed
    return items, ()


def without_source(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The sentence without "from its source" at its end: all that goes somewhere goes from there."""
    words = [i.lower for i in items[-3:-1]]
    firsts = {n for f in aspects() if "first" in f.traits for n in f.nouns}
    return items[:-3] if words == ["from", "its"] and items[-1].forms.noun in firsts else items


def _supposed(after: tuple[Item, ...], thing: Item | None) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """What follows "its confluence", without "with Y", and the sentence that the thing joins Y."""
    at = 1 + (len(after) > 1 and after[1].lower == "the")
    if thing is None or len(after) <= at or after[0].lower != "with" or after[at].entity is None:
        return after, ()
    return after[at + 1 :], (thing, added("joins"), *after[1 : at + 1])


def _from_end_to_end(first: Item, last: Item) -> bool:
    """Whether two nouns name the beginning and the end of one thing."""
    firsts = {n for f in aspects() if "first" in f.traits for n in f.nouns}
    lasts = {n for f in aspects() if "last" in f.traits for n in f.nouns}
    return first.forms.noun in firsts and (last.forms.noun in lasts or last.forms.noun == "confluence")
