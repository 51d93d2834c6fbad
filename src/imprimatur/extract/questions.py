"""Questions as sentences with a gap: "Which river does X flow into?" is "X flows into GAP".

Contract: ``statements`` gives the sentences that a question may be the question of, the likeliest first. Each is a row of
items in which one item, ``GAP``, stands for what is asked; ``Asked`` says what may stand there. Only word order and
auxiliaries change, as English grammar has it: no property, no domain, no name is known here. A question that is not
understood gives nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from imprimatur.extract.syntax import Forms, Item
from imprimatur.extract.telling import turning
from imprimatur.extract.words import BE, DO, HAVE, forms
from imprimatur.language.units import parse as unit_of
from imprimatur.language.degree import comparative
from imprimatur.language.morphology import Form, inflect

__all__ = ["GAP", "Asked", "Choice", "Relative", "Wanted", "choice", "is_gap", "premise", "relatives", "statements", "yes_or_no"]

#: What stands for the answer.
GAP = Item(-1, -1, "", "gap-0")
_AN = Item(-1, -1, "an", "an", forms=forms("an"))
_IS = Item(-1, -1, "is", "is", forms=forms("is"))
_OF = Item(-1, -1, "of", "of", forms=forms("of"))
_WH = frozenset("which what who whom whose when where how".split())
_MANY = frozenset(("many", "much"))
_AUXILIARIES = BE | DO | HAVE
_TENSES = {"did": ("past", Form.PAST), "does": ("s", Form.THIRD_PERSON)}
_NEARLY = frozenset("approximately roughly about".split())
_SHARES = frozenset("percentage share proportion fraction percent".split())
_MARKS = frozenset("?.!")


class Wanted(StrEnum):
    """What kind of thing a question asks for."""

    THING = "thing"
    PERSON = "person"
    NUMBER = "number"
    TIME = "time"
    PLACE = "place"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One sentence that a question asks to complete.

    Attributes:
        items: the sentence, with ``GAP`` once.
        wanted: what stands in the gap.
        noun: the nouns that the question gives it ("river system"), with what stands before and after them.
        unit: for a number, the words of the unit in which it is asked.
        plural: whether several are asked for.
        lossy: whether something was left out that may tell one answer from another.
    """

    items: tuple[Item, ...]
    wanted: Wanted
    noun: tuple[Item, ...] = ()
    unit: str = ""
    plural: bool = False
    lossy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """A thing that a question describes by a clause ("the river that X flows into"): where, and what asks for it."""

    start: int
    stop: int
    asked: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question between named things ("Which is longer, A or B?"): one sentence for each of them."""

    things: tuple[Item, ...]
    said: tuple[tuple[Item, ...], ...]


def is_gap(item: Item) -> bool:
    """Whether the item stands for what is asked."""
    return item.lower == GAP.lower


def statements(question: Sequence[Item]) -> tuple[Asked, ...]:
    """The sentences that a question asks to complete, the likeliest first."""
    items, unit = _without_unit(_last(question))
    at = _asking(items)
    if at is None:
        return ()
    found = [a for a in _forms(items, at) if sum(map(is_gap, a.items)) == 1]
    stop = max((n for n, i in enumerate(items) if i.lower == "," and n > at + 1), default=0)
    if stop and not any(turning(i) for i in items[stop:]):
        shorter = _forms(items[:stop], at)
        found += [replace(a, lossy=True) for a in shorter if sum(map(is_gap, a.items)) == 1]
    if unit:
        found = [replace(a, unit=unit, wanted=Wanted.NUMBER) for a in found if not a.noun]
    return tuple(found)


def _without_unit(items: tuple[Item, ...]) -> tuple[tuple[Item, ...], str]:
    """The question without the unit in which a number is asked for: "What is the area, in hectares, of X?"."""
    for n, item in enumerate(items[:-2]):
        if item.lower != "," or items[n + 1].lower != "in":
            continue
        stop = next((k for k in range(n + 2, len(items)) if items[k].lower == ","), len(items))
        unit = " ".join(i.text for i in items[n + 2 : stop])
        if stop - n < 8 and unit_of(unit) is not None:
            return (*items[:n], *items[stop + 1 :]), unit
    return items, ""


def premise(question: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """What a question supposes, and the question itself: "If X is 5 km long, how long is it in miles?".

    A pronoun of the question stands for the one thing that its premise names. Both empty: it supposes nothing.
    """
    items = _last(question)
    at = next((n for n, i in enumerate(items) if i.lower == ","), 0)
    named = [i for i in items[:at] if i.entity is not None]
    if not at or items[0].lower not in ("if", "given", "since") or len(named) != 1:
        return (), ()
    opens = 2 if items[1].lower == "that" else 1
    rest = tuple(x for i in items[at + 1 :] for x in _standing_for(i, named[0]))
    return items[opens:at], rest


def _standing_for(item: Item, thing: Item) -> tuple[Item, ...]:
    if item.lower == "its":
        return (thing, Item(-1, -1, "'s", "'s", forms=forms("'s")))
    return (thing,) if item.lower == "it" else (item,)


def yes_or_no(question: Sequence[Item]) -> tuple[Item, ...]:
    """The sentence that a question asks to confirm ("Does X flow into Y?"); empty when it asks something else."""
    items = _last(question)
    if len(items) < 3 or items[0].lower not in _AUXILIARIES or _asking(items) is not None:
        return ()
    return _declared(items[0], items[1:])


def choice(question: Sequence[Item]) -> Choice | None:
    """The sentences between which a question chooses; None when it names no things to choose from."""
    items = _last(question)
    at = next((n for n, i in enumerate(items) if i.lower in (",", ":")), None)
    if at is None or not items[:1] or items[0].lower not in ("which", "what", "who"):
        return None
    things = tuple(i for i in items[at + 1 :] if i.entity is not None)
    joined = {i.lower for i in items[at + 1 :] if i.entity is None} <= {"the", ",", "or"}
    if len(things) < 2 or not joined or items[-2].lower not in ("or", "the"):
        return None
    stop = _phrase(items, 1)
    rest = items[stop:at]
    compared = any(comparative(i.lower) or i.lower in ("more", "less", "fewer") for i in rest)
    if compared and len(things) != 2:
        return None
    than = Item(-1, -1, "than", "than", forms=forms("than"))
    others = [tuple(o for o in things if o is not t) for t in things]
    said = tuple((t, *rest, than, *other) if compared else (t, *rest) for t, other in zip(things, others, strict=True))
    return Choice(things=things, said=said)


#: A longer question is not looked through for descriptions.
_MOST_RELATIVES = 12


def relatives(question: Sequence[Item]) -> tuple[Relative, ...]:
    """The things that a question describes, the longest descriptions first."""
    items = _last(question)
    found: list[Relative] = []
    for n in range(len(items) - 2):
        if items[n].lower != "the" or len(found) >= _MOST_RELATIVES:
            continue
        stop = _phrase(items, n + 1)
        noun = items[n + 1 : stop]
        if noun and not any(map(_named, noun)):
            found += _described(items, n, stop)
    return tuple(sorted(found, key=lambda r: r.start - r.stop))


def _whole_relative(items: tuple[Item, ...]) -> Asked | None:
    """ "the river that X flows into" as "X flows into GAP", where that is all there is."""
    plain = tuple(i for n, i in enumerate(items) if not (i.lower == "," and n < 9))
    at = next((n for n, i in enumerate(plain[:6]) if i.lower == "in"), 0)
    to = next((n for n, i in enumerate(plain[:10]) if i.lower in ("that", "which") and n > at), 0)
    unit = " ".join(i.text for i in plain[at + 1 : to]) if at and to else ""
    if unit and unit_of(unit) is not None and plain[at - 1].lower == "distance":
        return Asked(items=(*plain[to + 1 :], GAP), wanted=Wanted.NUMBER, unit=unit)
    found = [r for r in relatives(items) if r.start == 0 and r.stop == len(items)]
    return found[0].asked if found and found[0].asked.noun else None


def _described(items: tuple[Item, ...], start: int, stop: int) -> Iterator[Relative]:
    noun = items[start + 1 : stop]
    after = items[stop : stop + 2]
    if len(after) < 2:
        return
    if after[0].lower == "of" or after[0].lower == "'s":
        for end in range(len(items), stop + 1, -1):
            if _named(items[end - 1]):
                told = Asked(items=(*items[start:end], _IS, GAP), wanted=Wanted.THING)
                yield Relative(start=start, stop=end, asked=told)
        return
    lead = 1 if "prep" in after[0].forms.closed and after[1].lower in ("which", "whom") else 0
    if after[lead].lower not in ("which", "that", "who", "whom"):
        return
    prep, first = items[stop : stop + lead], stop + lead + 1
    for end in range(len(items), first + 1, -1):
        clause = items[first:end]
        verb = clause[0].forms.verb and not _named(clause[0]) and clause[0].lower != "the"
        made = (GAP, *clause) if verb and not prep else (*clause, *prep, GAP)
        told = Asked(items=made, wanted=Wanted.THING, noun=noun)
        yield Relative(start=start, stop=end, asked=told)


def _last(question: Sequence[Item]) -> tuple[Item, ...]:
    """The last sentence of a question, without its mark."""
    items = list(question)
    while items and items[-1].lower in _MARKS:
        items.pop()
    start = max((n + 1 for n, i in enumerate(items) if i.lower in _MARKS), default=0)
    stop = next((n for n in range(len(items) - 2, start, -1) if _said_so(items[n : n + 3])), len(items))
    return tuple(items[start:stop])


def _said_so(items: Sequence[Item]) -> bool:
    """Whether a remark on where the answer stands begins: ", as stated in the text"."""
    return len(items) > 2 and [i.lower for i in items[:2]] == [",", "as"] and bool(items[2].forms.verb_forms & {"pp"})


def _asking(items: Sequence[Item]) -> int | None:
    """Where the asking word stands: at the start, after a preposition, or in the place of the answer.

    A "which" after a comma or a noun is a relative, unless nothing asks before it.
    """
    found = [n for n, i in enumerate(items) if i.lower in _WH and not i.entity and not i.name]
    if not found:
        return None
    return found[0]


# -- the phrase that asks ---------------------------------------------------------------------------------------------
def _nominal(item: Item) -> bool:
    return bool(item.forms.noun or item.forms.adj or item.entity or item.name or item.quantity)


def _attributive(items: Sequence[Item], n: int) -> bool:
    """Whether a participle stands before its noun: "which named stream"."""
    after = items[n + 1] if n + 1 < len(items) else None
    return bool(items[n].forms.verb_forms & {"pp", "ing"}) and after is not None and bool(after.forms.noun)


def _phrase(items: Sequence[Item], start: int) -> int:
    """Where the nouns after an asking word end: before the verb, an auxiliary, a preposition or a mark."""
    n = start
    while n < len(items) and not items[n].punct and _belongs(items, start, n):
        n += 1
    return n


def _belongs(items: Sequence[Item], start: int, n: int) -> bool:
    """Whether a word goes on with the nouns of an asking phrase."""
    if items[n].lower in _AUXILIARIES or "modal" in items[n].forms.closed:
        return False
    return (_nominal(items[n]) and not _verbal(items, start, n)) or _attributive(items, n)


def _verbal(items: Sequence[Item], start: int, n: int) -> bool:
    """Whether a word after the first noun is the verb of the question."""
    i = items[n]
    if i.lower in _AUXILIARIES or "modal" in i.forms.closed:
        return True
    if n > start and items[n - 1].forms.plural and "base" in i.forms.verb_forms and _opens(items, n + 1):
        return True
    if n == start or not (i.forms.verb and i.forms.verb_forms & {"s", "past"}):
        return False
    heads = items[start:n]
    return any(h.forms.noun for h in heads) and not (i.forms.plural and _goes_on(items, n + 1))


def _opens(items: Sequence[Item], n: int) -> bool:
    """Whether an object or a place follows."""
    return n < len(items) and bool(items[n].entity or items[n].name or items[n].forms.closed & {"prep", "det"})


def _goes_on(items: Sequence[Item], n: int) -> bool:
    """Whether a verb follows, so that what stands before it is a noun."""
    return n < len(items) and (items[n].lower in _AUXILIARIES or bool(items[n].forms.verb_forms & {"s", "past"}))


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
        items = _without_choice(_named_by(items, at), at)
        stop = _phrase(items, at + 1)
        noun = items[at + 1 : stop]
        if not items[:at] and [i.forms.noun for i in noun[-1:]] and noun[-1].lower in _SHARES and items[stop:]:
            yield Asked(items=(GAP, *items[stop:]), wanted=Wanted.NUMBER, unit="%")
            return
        stop, noun = _with_tail(items, stop, noun)
        yield from _placed(items, (at, at + 1, stop), Wanted.THING)


def _named_by(items: tuple[Item, ...], at: int) -> tuple[Item, ...]:
    """ "What is the name of X?" as "What is X?"."""
    rest = [i.lower for i in items[at + 1 : at + 5]]
    if rest[1:] == ["the", "name", "of"] and rest[0] in BE:
        return (*items[: at + 2], *items[at + 5 :])
    return items


def _without_choice(items: tuple[Item, ...], at: int) -> tuple[Item, ...]:
    """ "Which of these rivers" as "which rivers"."""
    n = at + 1
    if [i.lower for i in items[n : n + 3]] == ["of", "the", "following"]:
        return (*items[:n], *items[n + 3 :])
    if len(items) > n + 1 and items[n].lower == "of" and items[n + 1].lower in ("these", "those"):
        return (*items[:n], *items[n + 2 :])
    return items


def _with_tail(items: tuple[Item, ...], stop: int, noun: tuple[Item, ...]) -> tuple[int, tuple[Item, ...]]:
    """The nouns with the phrase that says more of them: "which county of Texas", "which county in Texas"."""
    n = stop
    while noun and n + 1 < len(items) and items[n].lower in ("of", "in", "within"):
        end = n + 1
        while end < len(items) and items[end].lower in ("the", "this"):
            end += 1
        if end >= len(items) or not (items[end].entity or _material(items, n)):
            break
        if end + 1 < len(items) and _nominal(items[end + 1]) and not items[end + 1].forms.closed:
            break  # "within the Delaware River watershed"
        n = end + 1
    return (n, (*noun, *items[stop:n])) if n > stop else (stop, noun)


def _material(items: Sequence[Item], n: int) -> bool:
    """Whether "of" and one noun end the phrase: "which body of water"."""
    after = items[n + 2] if n + 2 < len(items) else None
    plain = items[n].lower == "of" and items[n + 1].forms.noun and not items[n + 1].name
    return bool(plain) and (after is None or not _nominal(after))


def _placed(items: tuple[Item, ...], span: tuple[int, int, int], wanted: Wanted) -> Iterator[Asked]:
    """The sentence with the gap where the asked phrase belongs."""
    at, first, stop = span
    noun = items[first:stop]
    plural = any(i.forms.plural for i in noun) or any(i.quantity for i in noun)
    before, rest = items[:at], items[stop:]
    level = rest[:3] if [i.lower for i in rest[:3]] == ["above", "sea", "level"] else ()
    rest = rest[len(level) :]

    def asked(*made: Item) -> Asked:
        return Asked(items=made, wanted=wanted, noun=tuple(noun), plural=plural)

    if not rest or (before and not _fronting(before)):
        yield asked(*before, GAP, *rest)  # "X flows into which river?"
        return
    head = rest[0]
    if head.lower in BE and not noun:
        rest = _without_remark(rest)
    if head.lower in BE and not before and len(rest) > 1 and (not noun or not _participial(rest)):
        described = _whole_relative(rest[1:]) if not noun else None
        if described is not None:
            yield described
        told, unit = _in_unit(rest[1:])
        if unit and not noun:
            yield Asked(items=(*told, head, GAP), wanted=Wanted.NUMBER, unit=unit)
        yield asked(*rest[1:], head, GAP)
        yield asked(GAP, *rest)
        if not noun:
            return
    if head.lower in _AUXILIARIES and len(rest) > 1:
        stop = next((n for n, i in enumerate(rest) if n > 1 and _ends(i)), len(rest))
        told = _declared(head, rest[1:stop])
        if told and before and noun:
            yield replace(asked(*told, *before, _AN, *noun, _OF, GAP, *level), noun=(), wanted=Wanted.NUMBER)
        if told:
            yield asked(*told, *before, GAP, *rest[stop:])
    if not before:
        yield asked(GAP, *rest)


def _ends(item: Item) -> bool:
    """Whether the words before are a clause by themselves: a comma follows, or a clause of time."""
    return item.lower == "," or item.lower in ("before", "after", "while", "when")


def _without_remark(rest: tuple[Item, ...]) -> tuple[Item, ...]:
    """Without how the answer is to be given: ", rounded to one decimal place", ", given its length in miles"."""
    at = next((n for n, i in enumerate(rest) if i.lower == ","), 0)
    remark = at and at + 1 < len(rest) and rest[at + 1].forms.verb_forms & {"pp", "ing"}
    return rest[:at] if remark else rest


def _fronting(before: Sequence[Item]) -> bool:
    """Whether what stands before the asking word is its own preposition, with adverbs."""
    return all("prep" in i.forms.closed or i.forms.adv or i.punct for i in before) and bool(before)


def _participial(rest: Sequence[Item]) -> bool:
    """Whether the copula is the auxiliary of a participle or comes before a place: "is X located in"."""
    return any(i.forms.verb_forms & {"pp", "ing"} for i in rest[1:]) or any("prep" in i.forms.closed for i in rest[1:])


def _declared(aux: Item, rest: Sequence[Item]) -> tuple[Item, ...]:
    """ "does X flow into" as "X flows into", "was X opened" as "X was opened"."""
    stop = _subject_end(rest)
    if not stop:
        return ()
    if aux.lower not in DO:
        return (*rest[:stop], aux, *rest[stop:])
    verb = next((n for n in range(stop, len(rest)) if rest[n].forms.verb and not rest[n].forms.adv), None)
    if verb is None:
        return ()
    return (*rest[:verb], _finite(rest[verb], aux), *rest[verb + 1 :])


def _finite(verb: Item, aux: Item) -> Item:
    """The verb that an auxiliary carries, with the auxiliary's tense."""
    lemma = verb.forms.verb or verb.lower
    tag, form = _TENSES.get(aux.lower, ("base", None))
    written = inflect(lemma, "v", form) if form else verb.text
    made = Forms(verb=lemma, verb_forms=frozenset((tag,)))
    return verb._replace(text=written, lower=written.lower(), forms=made)


def _subject_end(rest: Sequence[Item]) -> int:
    """Where the subject of an inverted clause ends: after its last noun, with what hangs on it by "of"."""
    n = 0
    while n < len(rest):
        while n < len(rest) and rest[n].forms.closed & {"det", "poss"} and not rest[n].entity:
            n += 1
        start = n
        while n < len(rest) and (_named(rest[n]) or (n == start or not rest[n].forms.verb_forms & {"pp", "ing", "base"}) and _nominal(rest[n])):
            n += 1
            if _named(rest[n - 1]):
                break
        if n < len(rest) and n > start and rest[n].lower in ("of", "and", "'s"):
            n += 1
            continue
        break
    return n


def _named(item: Item) -> bool:
    return bool(item.entity or item.name or item.quantity or "pron" in item.forms.closed)


def _how(items: tuple[Item, ...], at: int) -> Iterator[Asked]:
    """ "How long is X?", "How many miles long is X?", "How many tributaries does X have?"."""
    rest = items[at + 1 :]
    if len(rest) < 2:
        return
    before = tuple(i for i in items[:at] if i.lower not in _NEARLY)
    if before and rest[0].lower in _MANY:  # "X is how many miles long?"
        measure = rest[-1:] if rest[-1].forms.adj and not rest[-1].forms.noun else ()
        unit = " ".join(i.text for i in rest[1 : len(rest) - len(measure)])
        if unit_of(unit) is not None:
            yield Asked(items=(*before, GAP, *measure), wanted=Wanted.NUMBER, unit=unit)
        return
    if rest[0].lower in _MANY:
        yield from _how_many(before, rest)
        return
    measure, tail = rest[0], rest[1:]
    if measure.forms.adj and tail and tail[0].lower in BE:
        told, unit = _in_unit(tail[1:])
        yield Asked(items=(*told, tail[0], GAP, measure), wanted=Wanted.NUMBER, unit=unit)


def _how_many(before: Sequence[Item], rest: Sequence[Item]) -> Iterator[Asked]:
    stop = next((n for n, i in enumerate(rest) if i.lower in _AUXILIARIES or "modal" in i.forms.closed), None)
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
    told = _declared(aux, tail)
    if told and aux.lower not in BE:
        yield Asked(items=(*told, GAP, *noun), wanted=Wanted.NUMBER)
    if aux.lower in BE and tail:
        yield Asked(items=(GAP, *rest[1:]), wanted=Wanted.NUMBER)


def _in_unit(rest: Sequence[Item]) -> tuple[tuple[Item, ...], str]:
    """What stands before "in kilometers", and the unit."""
    at = max((n for n, i in enumerate(rest) if i.lower == "in"), default=0)
    unit = " ".join(i.text for i in rest[at + 1 :])
    if at and unit_of(unit) is not None:
        return tuple(rest[:at]), unit
    return tuple(rest), ""


def _when(items: tuple[Item, ...], at: int) -> Iterator[Asked]:
    wanted = Wanted.TIME if items[at].lower == "when" else Wanted.PLACE
    rest = items[at + 1 :]
    if len(rest) < 2 or rest[0].lower not in _AUXILIARIES:
        return
    told = _declared(rest[0], rest[1:])
    if told and "prep" in told[-1].forms.closed:
        yield Asked(items=(*told, GAP), wanted=wanted)  # "Where does X flow to?"
    elif told:
        inside = Item(-1, -1, "in", "in", forms=forms("in"))
        yield Asked(items=(*told, inside, GAP), wanted=wanted)
