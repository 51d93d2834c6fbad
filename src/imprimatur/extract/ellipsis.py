"""Verbs left out, put back in place (see ``extract.versions``).

"A crosses B, and so does C", "A crosses B, as does C", "A crosses B, and C does (not)", "A does not cross B, nor does
C"; and gapping: "A crosses B and C D", "A is 5 km long, C 7". What is put back is what the first clause says between
its subject and its last name, number or date; a clause with more than that is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from imprimatur.extract.syntax import Forms, Item
from imprimatur.extract.versions import COMMA, Version, spans_of, word
from imprimatur.extract.words import BE, DO, HAVE, forms

__all__ = ["completed_verbs"]

_SO = frozenset(("so", "as"))
_NOR = frozenset(("nor", "neither"))
_JOINTS = frozenset((",", ";", "and", "but", "while", "whereas"))
_NOT = frozenset(("not", "n't"))
_LIGHT = frozenset("the a an".split())


def completed_verbs(items: Sequence[Item]) -> Iterator[Version]:
    """The versions of a sentence in which a verb that was left out stands."""
    items = tuple(items)
    stop = len(items)
    while stop and items[stop - 1].lower in (".", "!", ";"):
        stop -= 1
    for k in range(2, stop - 1):
        if items[k].lower in _SO | _NOR and _auxiliary(items[k + 1]):
            yield from _inverted(items, k, stop)
        if items[k].lower in _JOINTS and not (k + 1 < stop and items[k + 1].lower in _JOINTS):
            yield from _standing_for(items, k, stop)
    yield from _gapped(items, stop)


def slot(item: Item) -> str:
    """What kind of thing an item names: "name", "date", "number", or "" for a word."""
    if item.entity is not None or item.name is not None:
        return "name"
    if item.date is not None:
        return "date"
    return "number" if item.quantity is not None else ""


def _auxiliary(item: Item) -> bool:
    return item.lower in BE | DO | HAVE and item.entity is None


def _verb(items: Sequence[Item], start: int, stop: int) -> int:
    """Where the first finite verb after a subject stands; 0 where there is none."""
    for k in range(start + 1, stop):
        noun = items[k].forms.plural and slot(items[k - 1]) != "name"  # "X crosses" has a verb, "two crosses" none
        if not slot(items[k]) and items[k].forms.verb_forms & {"s", "past", "base"} and not noun:
            return k
    return 0


def _clause_start(items: Sequence[Item], end: int) -> int:
    """Where the clause that ends before ``end`` begins."""
    return next((x + 1 for x in range(end - 1, -1, -1) if items[x].lower in (";", ":")), 0)


def _joint_before(items: Sequence[Item], k: int) -> int:
    """Where the comma and conjunction before item ``k`` begin."""
    while k and items[k - 1].lower in ("and", "but", ","):
        k -= 1
    return k


def _inverted(items: tuple[Item, ...], k: int, stop: int) -> Iterator[Version]:
    """ "…, and so does C", "…, as does C", "…, nor does C"."""
    end = _joint_before(items, k)
    start = _clause_start(items, end)
    verb = _verb(items, start, end)
    subject = items[k + 2 : stop]
    denied = any(i.lower in _NOT for i in items[verb:end])
    if not verb or not subject or not _agrees(items, verb, items[k + 1]) or denied is not (items[k].lower in _NOR):
        return
    if items[k].lower == "as" and items[k - 1].lower != ",":
        return
    said = _said_of(subject, items[verb:end], used=items[end : k + 2])
    if said:
        yield Version(items=(*items[:end], COMMA, word("and"), *subject, *said, *items[stop:]))


def _standing_for(items: tuple[Item, ...], k: int, stop: int) -> Iterator[Version]:
    """ "…, and C does", "…, but C does not"."""
    last = stop - 1
    denied = items[last].lower in _NOT
    aux = last - 1 if denied else last
    subject = items[k + 1 : aux]
    end = _joint_before(items, k + 1)
    start = _clause_start(items, end)
    verb = _verb(items, start, end)
    if aux <= k + 1 or not verb or not _auxiliary(items[aux]) or not _agrees(items, verb, items[aux]):
        return
    if not subject or any(_verbal(i) for i in subject) or any(i.lower in _NOT for i in items[verb:end]):
        return
    used = (*items[aux:stop],)
    rest = items[verb + 1 : end]
    if not denied:
        said = _said_of(subject, items[verb:end], used=used)
    elif items[aux].lower in DO:
        main = _as_base(items[verb])
        said = (items[aux], items[last], main, *rest)
    else:
        said = (items[aux], items[last], *rest)
    if said:
        yield Version(items=(*items[:end], COMMA, word("and", items[end : k + 1]), *subject, *said, *items[stop:]))


def _verbal(item: Item) -> bool:
    return not slot(item) and bool(item.forms.verb_forms & {"s", "past"}) and not item.forms.noun


def _agrees(items: Sequence[Item], verb: int, aux: Item) -> bool:
    """Whether an auxiliary may stand for the verb group that begins at ``verb``."""
    first = items[verb].lower
    if aux.lower in DO:
        return first in DO or first not in BE | HAVE or (first in HAVE and not _perfect(items, verb))
    family = BE if aux.lower in BE else HAVE
    return first in family


def _perfect(items: Sequence[Item], verb: int) -> bool:
    return verb + 1 < len(items) and bool(items[verb + 1].forms.verb_forms & {"pp"}) and not slot(items[verb + 1])


def _said_of(subject: Sequence[Item], verbs: Sequence[Item], *, used: Sequence[Item]) -> tuple[Item, ...]:
    """A verb phrase said of another subject, its first verb in the right number and standing for the words used."""
    first = verbs[0]
    several = any(i.lower == "and" for i in subject) or any(i.forms.plural and not slot(i) for i in subject)
    tags = first.forms.verb_forms
    if first.forms.verb is not None and several and tags == {"s"}:
        first = first._replace(lower=first.forms.verb, forms=first.forms._replace(verb_forms=frozenset(("base",))))
    elif first.forms.verb is not None and not several and tags == {"base"} and first.lower not in BE | HAVE | DO:
        made = Forms(verb=first.forms.verb, verb_forms=frozenset(("s",)))
        first = first._replace(lower=f"{first.forms.verb}s", forms=made)
    return (first._replace(spans=spans_of((first, *used))), *verbs[1:])


def _as_base(verb: Item) -> Item:
    """The infinitive of a verb."""
    lemma = verb.forms.verb or verb.lower
    return verb._replace(lower=lemma, forms=forms(lemma))


# -- gapping --------------------------------------------------------------------------------------------------------
def _gapped(items: tuple[Item, ...], stop: int) -> Iterator[Version]:
    """ "A crosses B and C D", "A is 5 km long, C 7 km, and E 9"."""
    chunks = _chunks(items, stop)
    if len(chunks) < 2:
        return
    left = items[chunks[0][0] : chunks[0][1]]
    verb = _verb(left, 0, len(left))
    if not verb or any(i.lower in _JOINTS | _NOT for i in left[verb:]):
        return
    made: list[Item] = list(left)
    for start, end in chunks[1:]:
        told = _filled(left, verb, items[start:end])
        if not told:
            return
        made += (COMMA, word("and"), *told)
    yield Version(items=(*items[: chunks[0][0]], *made, *items[stop:]))


def _chunks(items: tuple[Item, ...], stop: int) -> list[tuple[int, int]]:
    """The first clause, and what follows it: a name with something said of it, without a verb."""
    cuts = [n for n in range(1, stop - 1) if items[n].lower in _JOINTS and items[n + 1].lower not in _JOINTS]
    chunks: list[tuple[int, int]] = []
    begin = 0
    for n in cuts:
        if _bare(items[n + 1 : next((x for x in cuts if x > n), stop)]):
            end = n - 1 if items[n - 1].lower in _JOINTS else n
            chunks.append((begin if chunks else _clause_start(items, end), end))
            begin = n + 1
    return [*chunks, (begin, stop)] if chunks else []


def _bare(chunk: Sequence[Item]) -> bool:
    """Whether some items are a name followed by something else, with no verb between."""
    rest = chunk[1:] if chunk and chunk[0].lower == "the" else chunk
    if not rest or slot(rest[0]) != "name":
        return False
    named = [n for n, i in enumerate(rest) if slot(i)]
    told = all(i.lower in _LIGHT or "prep" in i.forms.closed for i in rest[1 : named[1]]) if len(named) == 2 else False
    return told and not any(_verbal(i) for i in rest)


def _filled(left: Sequence[Item], verb: int, chunk: Sequence[Item]) -> tuple[Item, ...]:
    """A clause made of a chunk and the verb of the first clause; empty where they do not fit."""
    head = 2 if chunk[0].lower == "the" else 1
    rest = chunk[head:]
    at = next((n for n, i in enumerate(rest) if slot(i)), None)
    slots = [n for n in range(verb + 1, len(left)) if slot(left[n])]
    if at is None or len(slots) != 1 or slot(left[slots[0]]) != slot(rest[at]):
        return ()
    place = slots[0]
    begin = place
    while begin - 1 > verb and (left[begin - 1].lower in _LIGHT or "prep" in left[begin - 1].forms.closed):
        begin -= 1
    prepositions = [[i.lower for i in part if i.lower not in _LIGHT] for part in (left[begin:place], rest[:at])]
    if prepositions[0] != prepositions[1]:
        return ()
    tail = left[place + 1 :] if at == len(rest) - 1 else ()
    value = _with_unit(rest[at], left[place])
    return (*chunk[:head], *left[verb:begin], *rest[:at], value, *rest[at + 1 :], *tail)


def _with_unit(value: Item, like: Item) -> Item:
    """A bare number with the unit of the one that it stands beside."""
    ours, theirs = value.quantity, like.quantity
    if ours is None or theirs is None or ours.unit is not None or theirs.unit is None:
        return value
    return value._replace(quantity=replace(ours, unit=theirs.unit))
