"""What a sentence says in a round-about way, put plainly before the grammar reads it.

Contract: only what grammar alone makes the same is put otherwise: "one of the commanders" is "a commander"; "Delft-born
Jan Vos" is "Jan Vos" and "Jan Vos was born in Delft"; "was born and died in Rome" says both of Rome; "the city of Delft
in Holland" is "Delft in Holland" and "Delft is a city"; "her son Tom" is "Tom"; "his wife is called Ada" is "his wife
is Ada"; and what follows "before" or "after" with a verb in -ing is a circumstance. Items keep their places in the
document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Segment
from imprimatur.extract.asked import added
from imprimatur.extract.segments import Extractor
from imprimatur.extract.syntax import Item
from imprimatur.ingest.name_spans import is_place
from imprimatur.language import morphology, wordnet
from imprimatur.sources.graph.vocabulary import is_person_noun

__all__ = ["Plainer", "Put", "plainly"]

#: Whose the several are of which one is told.
_WHOSE = frozenset("the its his her their our".split())
_BE = frozenset("was were is are".split())
_BEST = frozenset("most least best worst first last main chief principal top".split())
#: Where a clause goes over into a further one.
_FURTHER = frozenset(", and but who whose which where that".split())
_LONGEST_PARTITIVE = 4
_NOUN_WORDS = 3


@dataclass(frozen=True, slots=True)
class Put:
    """A sentence put plainly, the sentences that parts of it stand for, and words that say no more than the rest."""

    items: tuple[Item, ...]
    apart: tuple[tuple[Item, ...], ...] = ()
    dropped: tuple[tuple[int, int], ...] = ()


class Plainer(Extractor):
    """Reads sentences that are put plainly first. ``apart``: what the last one says besides."""

    def _items_of(self, segment: Segment) -> tuple[Item, ...]:
        if self._items is None or self._items[0] is not segment:
            put = plainly(super()._items_of(segment))
            self._items = segment, put.items
            self.apart, self.dropped = put.apart, put.dropped
        return self._items[1]

    apart: tuple[tuple[Item, ...], ...] = ()
    dropped: tuple[tuple[int, int], ...] = ()


def plainly(items: Sequence[Item]) -> Put:
    """Items put plainly."""
    apart: list[tuple[Item, ...]] = []
    out: list[Item] = []
    dropped: list[Item] = []
    n = 0
    whole = _without_circumstance(items)
    while n < len(whole):
        if (length := _partitive(whole, n)) > 0:
            out.extend(_one(whole[n : n + length]))
            n += length
            continue
        if (length := _compound(whole, n)) > 0:
            place, participle, name = whole[n], whole[n + length - 1], whole[n + length]
            apart.append((name, added("was"), participle, added("in"), place))
            n += length
            if out and out[-1].lower == "the":
                out.pop()
            continue
        if (length := _kin(whole, n)) > 0:
            dropped.extend(whole[n : n + length])
            n += length
            continue
        if _called(whole, n) or _stray(whole, n):
            dropped.append(whole[n])
            n += 1
            continue
        if (length := _city(whole, n)) > 0:
            name = whole[n + length]
            apart.append((name, added("is"), added("a"), *whole[n + 1 : n + length - 1]))
            dropped.append(whole[n + length - 1])
            n += length
            continue
        out.append(whole[n])
        n += 1
    return Put(tuple(out), (*apart, *_shared(whole)), tuple((i.start, i.end) for i in dropped))


def _partitive(items: Sequence[Item], n: int) -> int:
    """How many items are "one of the commanders" from one on; 0 where it is no such phrase."""
    if items[n].lower != "one" or n + 3 >= len(items) or items[n + 1].lower != "of" or items[n + 2].lower not in _WHOSE:
        return 0
    for k in range(n + 3, min(n + 3 + _LONGEST_PARTITIVE, len(items))):
        item = items[k]
        if item.entity is not None or item.punct or item.forms.closed or item.quantity is not None:
            return 0
        if item.lower.endswith("est") or item.lower in _BEST:
            return 0  # one of the largest is not the largest
        if item.forms.plural and item.forms.noun:
            return k + 1 - n
        if not (item.forms.noun or item.forms.adj):
            return 0
    return 0


def _one(items: Sequence[Item]) -> tuple[Item, ...]:
    """ "One of the commanders" as "a commander"."""
    first, last = items[0], items[-1]
    spans = tuple((i.start, i.end) for i in items[:3])
    noun = last.forms.noun or last.lower
    article = added("a")._replace(start=first.start, end=items[2].end, spans=spans)
    single = last._replace(lower=noun, forms=last.forms._replace(plural=False))
    return (article, *items[3:-1], single)


def _compound(items: Sequence[Item], n: int) -> int:
    """How many items are "Delft-born" from one on, before a name; 0 where there are none."""
    place = items[n].entity
    if (
        place is None
        or wordnet.senses(items[n].lower, "a")
        or (n and (items[n - 1].entity is not None or items[n - 1].forms.closed & {"prep"}))
    ):
        return 0
    hyphen = n + 1 < len(items) and items[n + 1].lower == "-" and items[n + 1].start == items[n].end
    at = n + 2 if hyphen else n + 1
    if at + 1 >= len(items) or items[at + 1].entity is None:
        return 0
    participle = items[at]
    verb = participle.forms.verb
    if participle.entity is not None or not verb or "pp" not in participle.forms.verb_forms:
        return 0
    # "Born" is nothing but a participle; "conquered" would be a verb between two names.
    only = morphology.inflect(verb, "v", morphology.Form.PAST) != participle.text
    return at + 1 - n if participle.text.islower() and (only or (hyphen and is_place(items[n].lower))) else 0


def _city(items: Sequence[Item], n: int) -> int:
    """How many items are "the city of" from one on, before a name that a place follows; 0 where there are none."""
    if items[n].lower != "the":
        return 0
    for k in range(n + 1, min(n + 1 + _NOUN_WORDS, len(items) - 2)):
        if items[k].lower != "of":
            if items[k].entity is not None or items[k].forms.closed or items[k].punct:
                return 0
            continue
        plain = " ".join(i.lower for i in items[n + 1 : k])
        follows = items[k + 2].lower in ("in", "near", "at") if k + 2 < len(items) else False
        named = k > n + 1 and items[k + 1].entity is not None
        return k + 1 - n if named and follows and is_place(f"x {plain}") else 0
    return 0


def _kin(items: Sequence[Item], n: int) -> int:
    """How many items are "her son" from one on, before a name; 0 where there are none."""
    if n + 2 >= len(items) or items[n].lower not in _WHOSE or items[n].lower == "the" or items[n + 2].entity is None:
        return 0
    noun = items[n + 1]
    person = noun.entity is None and noun.forms.noun == noun.lower and is_person_noun(noun.lower)
    return 2 if person and n and items[n - 1].entity is None else 0


def _called(items: Sequence[Item], n: int) -> bool:
    """Whether an item is "called" in "his wife is called Ada"."""
    if items[n].lower not in ("called", "named") or n < 2 or n + 1 >= len(items) or items[n + 1].entity is None:
        return False
    noun = items[n - 2]
    return items[n - 1].lower in _BE and noun.entity is None and bool(noun.forms.noun) and is_person_noun(noun.lower)


def _stray(items: Sequence[Item], n: int) -> bool:
    """Whether an item is a comma between a name that opens a clause and its verb ("Jan Vos, worked in Delft")."""
    if items[n].lower != "," or not n or n + 1 >= len(items) or items[n - 1].entity is None:
        return False
    opens = n == 1 or (n > 3 and items[n - 2].lower == "," and "pp" in items[0].forms.verb_forms)
    verb = items[n + 1].forms.verb_forms
    if not opens or items[n + 1].entity is not None or not verb & {"s", "past"} or items[n + 1].forms.noun:
        return False
    if "pp" not in verb:
        return True
    rest = next((k for k in range(n + 2, len(items)) if items[k].lower in _FURTHER), len(items))
    later = any(i.forms.verb_forms & {"s", "past"} and i.entity is None for i in items[n + 2 : rest])
    return not later and (rest == len(items) or items[rest].lower != ",")


def _without_circumstance(items: Sequence[Item]) -> Sequence[Item]:
    """The items up to "before joining …", which ends the sentence and has no finite verb of its own."""
    for n in range(1, len(items) - 1):
        after = items[n + 1]
        if items[n].lower not in ("before", "after") or "ing" not in after.forms.verb_forms or after.entity is not None:
            continue
        rest = items[n + 2 :]
        ends = not any(i.lower in ("and", "but", ",", ";", "which", "who", "where", "that") for i in rest)
        return items[:n] if ends and after.text.islower() else items
    return items


def _shared(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """Of "Jan Vos was born and died in Rome": that he was born in Rome."""
    for n in range(1, len(items) - 5):
        verb, joined, second, prep, name = items[n + 1 : n + 6]
        if items[n].lower not in _BE or joined.lower != "and":
            continue
        place: tuple[Item, ...] = (name,)
        if name.lower == "the" and n + 6 < len(items):
            place = (name, items[n + 6])
        verbs = all(i.entity is None and i.forms.verb_forms & {"pp", "past"} for i in (verb, second))
        subject = items[n - 2] if items[n - 1].lower == "who" and n > 1 else items[n - 1]
        if verbs and "prep" in prep.forms.closed and place[-1].entity is not None and subject.entity is not None:
            yield (subject, items[n], verb, prep, *place)
