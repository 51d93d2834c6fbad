"""Clauses to keys: the normal form in which a wording of the lexicon and a clause of a text meet.

A key is a string that names a verb or noun with its roles and has a ``*`` for each name, quantity or date;
``holes`` are those phrases in the order of the stars. "The source of the Rhine lies in Grisons", "the Rhine's source
is in Grisons" and "Grisons holds the source of the Rhine" all give ``@source<*`` with holes (Rhine, Grisons).

The same function makes the keys of the lexicon's wordings, so a wording fits a clause exactly when the keys are equal.
Kinds of key: ``=chain<*`` (the chain of S is O), ``@chain<*`` or ``@*`` (S is at O), ``@@*`` (S is located at O),
``#noun<*`` (S has n of them), ``isa`` (S is of class), and ``verb|role=…|…`` for everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from imprimatur.extract.chains import chain, is_hole, role_of, shared_owner
from imprimatur.extract.keyed import Keyed, base, first, limits
from imprimatur.extract.syntax import Clause, Comp, Np, NpKind, replace
from imprimatur.extract.unfold import active, filled, lifted
from imprimatur.extract.verb_keys import raw
from imprimatur.extract.words import MEASURES

__all__ = ["keys"]

#: Clauses whose keys are remembered: sentences that differ in names and numbers alone have equal ones.
_MOST_KEPT = 4096
#: Verbs of being somewhere; with "in", "at", "on" they say where the subject is.
_PLACE = frozenset("be lie sit stand find locate situate".split())
#: The key of "S lies in O", "S is located in O", where S is named and no part of it is meant.
_LOCATED = "@@*"
#: What happens or comes to be at a time or place: "his death came in 2000".
_HAPPEN = frozenset("come fall date happen remain occur exist".split())
_HOLD = frozenset("hold contain host house".split())
_BEING = frozenset("be become remain represent".split())
_HAVE = frozenset("have possess boast own count number carry bear receive".split())
_INCLUDE = frozenset("include comprise number contain".split())


@lru_cache(maxsize=_MOST_KEPT)
def keys(clause: Clause) -> tuple[Keyed, ...]:
    """All keys of a clause, the most telling first."""
    return tuple(_keys(clause))


def _keys(clause: Clause) -> Iterator[Keyed]:
    plain = active(filled(clause))
    seen: set[tuple[str, tuple[int, ...]]] = set()
    again = lifted(plain)
    more = () if again is None else (*_placed(again), *raw(again, clause.subj))
    for keyed in (
        *_copular(filled(clause)),
        *_placed(plain),
        *_owned(plain),
        *_nominal(plain),
        *_measured(plain),
        *_with(filled(clause)),
        *raw(plain, clause.subj),
        *more,
    ):
        at = (keyed.key, tuple(id(h) for h in keyed.holes))
        if at not in seen:
            seen.add(at)
            yield keyed


_STANDING = frozenset("lie stand amount come range fall sit total equal reach run vary".split())


def _measured(clause: Clause) -> Iterator[Keyed]:
    """ "The efficiency of S lies between …", "the length of S amounts to …"."""
    if clause.verb not in _STANDING or clause.subj is None or clause.passive:
        return
    for comp in clause.comps:
        if comp.role in ("obj", "to", "loc", "from") and comp.np is not None and comp.np.kind is NpKind.QUANTITY:
            yield from _equal(clause.subj, comp.np, base(clause) | comp.items)


def _copular(clause: Clause) -> Iterator[Keyed]:
    if clause.verb not in _BEING or clause.passive or clause.subj is None:
        return
    own = base(clause)
    among = first(clause, "among") or first(clause, "amongst")
    if among is not None and among.np is not None:
        yield from _equal(among.np, clause.subj, own | among.items)
    obj = first(clause, "obj")
    if obj is None or obj.np is None:
        return
    items = own | obj.items
    yield from _equal(obj.np, clause.subj, items)
    yield from _equal(clause.subj, obj.np, items)
    if clause.subj.kind is NpKind.PRONOUN and clause.subj.head == "one" and clause.subj.of is not None:
        yield from _equal(clause.subj.of, obj.np, items)
    one = obj.np
    if one.kind is NpKind.PRONOUN and one.head in ("one", "some") and one.of is not None:
        yield from _equal(one.of, clause.subj, items)
        yield from _kind_of(one.of, clause.subj, items)
    yield from _kind_of(obj.np, clause.subj, items)


def _equal(noun: Np, value: Np, items: frozenset[int]) -> Iterator[Keyed]:
    """ "The mouth of S is O"."""
    if noun.kind not in (NpKind.NOUN, NpKind.LIST) or (noun.kind is NpKind.LIST and is_hole(noun)):
        return
    for leaf in shared_owner(noun).parts if noun.kind is NpKind.LIST else (noun,):
        used = items - noun.items | leaf.items
        sig = chain(leaf)
        if len(sig.holes) == 1:
            yield Keyed("=" + sig.text, (sig.holes[0], _repeated(sig.text, value)), used)
        for inner in leaf.inner:  # "is the GNIS number 50058"
            if inner.kind is NpKind.QUANTITY and not sig.holes:
                yield Keyed("=" + sig.text + "<*", (value, inner), used)


def _repeated(text: str, value: Np) -> Np:
    """ "The order of S is 4th order", "the number of dams is five dams": the number alone is the value."""
    words = re.split(r"\W", text)
    if (
        value.kind is NpKind.NOUN
        and len(value.inner) == 1
        and value.inner[0].kind is NpKind.QUANTITY
        and not (value.of or value.posts or value.clauses or value.appos)
        and all(word in words for word in (value.head, *(m for m, _ in value.mods)))
    ):
        return replace(value.inner[0], items=value.items)
    return value


def _kind_of(noun: Np, subject: Np, items: frozenset[int]) -> Iterator[Keyed]:
    """ "S is a river", "S is a 1st order stream", "S is a 27-mile river", "S is one of Ohio's rivers"."""
    outside = items - noun.items
    for leaf in noun.leaves():
        alone = len(leaf.items) <= 2  # "an OS", and no "an Ardel first Bridge"
        if leaf.kind is NpKind.NAME and leaf.det in ("a", "an") and alone:
            yield Keyed("isa", (subject,), outside | leaf.items, noun=leaf)
        if leaf.kind is not NpKind.NOUN:
            continue
        inside = {x for part in (leaf.of, *leaf.inner, *(obj for _, obj in leaf.posts)) if part for x in part.items}
        mods = {x for _, x in leaf.mods}
        head = frozenset(x for x in leaf.items if x <= leaf.head_item) - mods - inside
        yield Keyed("isa", (subject,), outside | head, noun=leaf)
        for prep, place in (*leaf.posts, *((("of", leaf.of),) if leaf.of is not None else ())):
            if role_of(prep) in ("loc", "of") and is_hole(place):
                yield Keyed("@*", (subject, place), outside | place.items | {min(place.items) - 1})
        for inner in leaf.inner:
            after = [(m, x) for m, x in leaf.mods if x > max(inner.items)]
            between = [m for m, _ in after]
            used = outside | inner.items | {x for _, x in after}
            if len(between) == 1 and between[0] in MEASURES and not inner.counted:  # "a 23-kilometre-long stream"
                yield Keyed(f"be|adj=*~{between[0]}|subj=*", (inner, subject), used)
            if between:
                yield Keyed("=" + "<".join([*reversed(between), leaf.head, "*"]), (subject, inner), used | head)
                yield Keyed("=" + "<".join([*reversed(between), "*"]), (subject, inner), used)
            else:
                yield Keyed("=~<*", (subject, inner), used)


def _placed(clause: Clause) -> Iterator[Keyed]:
    """ "S lies in O", "O holds S"."""
    thing = clause.subj or next(
        (
            c.np
            for c in clause.comps
            if c.role == "obj" and clause.verb in ("find", "locate", "situate", "place", "base", "set")
        ),
        None,
    )
    event = thing is not None and thing.kind is NpKind.NOUN
    here = clause.verb in _PLACE and (event or clause.verb != "find" or not clause.past)  # "was found": discovered
    placing = here or (event and clause.verb in _HAPPEN)
    if placing and not clause.particles and thing is not None and not first(clause, "obj" if clause.subj else "none"):
        for place in (c for c in clause.comps if c.role == "loc" and c.np is not None and not limits(c, clause)):
            assert place.np is not None
            sig = chain(thing)
            target = chain(place.np)
            if len(sig.holes) == 1 and len(target.holes) == 1:
                text = "" if target.text == "*" else ":" + target.text
                # Who is in a band or a war is not located there: only of places may both be said.
                bare = f"{sig.text}{text}" == "*"
                located = bare and clause.verb not in ("be", "find")
                key = _LOCATED if located else f"@{sig.text}{text}"
                spanned = base(clause) | place.items | thing.items
                yield Keyed(key, (sig.holes[0], target.holes[0]), spanned)
                if bare and place.np.kind is NpKind.QUANTITY:  # "at 6,214 m": at a number, both are the same
                    yield Keyed("@*" if located else _LOCATED, (sig.holes[0], target.holes[0]), spanned)
    obj = first(clause, "obj")
    if (
        clause.verb in _HOLD
        and clause.subj is not None
        and obj is not None
        and obj.np is not None
        and obj.np.kind is NpKind.NOUN
    ):
        sig = chain(obj.np)
        if len(sig.holes) == 1 and is_hole(clause.subj):
            yield Keyed(f"@{sig.text}", (sig.holes[0], clause.subj), base(clause) | obj.items)


def _owned(clause: Clause) -> Iterator[Keyed]:
    """ "S has a length of O", "S has O among its tributaries", "S's tributaries include O", "S has 5 tributaries"."""
    obj = first(clause, "obj")
    if clause.subj is None or obj is None or obj.np is None:
        return
    items = base(clause) | obj.items
    if clause.verb in _INCLUDE:
        yield from _equal(clause.subj, obj.np, items)
    if clause.verb not in _HAVE:
        return
    for among in (c for c in clause.comps if c.role in ("among", "amongst", "as") and c.np is not None):
        assert among.np is not None
        if among.np.kind is NpKind.NOUN and (among.np.of is None or among.np.of.kind is NpKind.PRONOUN):
            sig = chain(replace(among.np, of=clause.subj))
            if len(sig.holes) == 1:
                yield Keyed("=" + sig.text, (sig.holes[0], obj.np), items | among.items)
    yield from _possessed(clause, obj.np, items)


def _possessed(clause: Clause, noun: Np, items: frozenset[int]) -> Iterator[Keyed]:
    subj = clause.subj
    assert subj is not None
    if noun.kind in (NpKind.QUANTITY, NpKind.NAME, NpKind.ENTITY, NpKind.HOLE, NpKind.DATE) and noun.mods:
        words = "<".join(m for m, _ in reversed(noun.mods))
        owner = chain(subj)
        if len(owner.holes) == 1:
            yield Keyed(f"={words}<{owner.text}", (owner.holes[0], replace(noun, mods=())), items)
    if noun.kind is NpKind.QUANTITY and noun.of is not None and noun.of.kind is NpKind.NOUN:
        what, owner = chain(noun.of), chain(subj)
        if not what.holes and len(owner.holes) == 1:
            yield Keyed(f"={what.text}<{owner.text}", (owner.holes[0], replace(noun, of=None)), items)
    if noun.kind is not NpKind.NOUN:
        return
    owner = chain(subj)
    if len(owner.holes) != 1:
        return
    bare = chain(replace(noun, of=None, posts=(), inner=())).text
    values = [("of", noun.of), *noun.posts] if noun.of is not None else list(noun.posts)
    stated = [np for prep, np in values if prep == "of"]
    plain = items - {x for _, np in values for x in np.items} - {x for np in noun.inner for x in np.items}
    for value in stated:
        if is_hole(value) and value.kind is not NpKind.PRONOUN and value.of is None:
            yield Keyed(f"={bare}<{owner.text}", (owner.holes[0], value), plain | value.items | {min(value.items) - 1})
    for place in clause.comps:
        if place.role == "loc" and place.np is not None and is_hole(place.np):
            yield Keyed(f"@{bare}<{owner.text}", (owner.holes[0], place.np), plain | place.items)
    for inner in noun.inner:
        if inner.kind is NpKind.QUANTITY:
            yield Keyed(f"#{bare}<{owner.text}", (owner.holes[0], inner), plain | inner.items, noun=noun)


_LASTING = frozenset("last run begin start end continue extend commence finish".split())


def _with(clause: Clause) -> Iterator[Keyed]:
    """ "With a length of 5 km, S …"."""
    if clause.subj is None or len(chain(clause.subj).holes) != 1:
        return
    owned: list[tuple[Np, frozenset[int]]] = [(c.np, c.items) for c in clause.comps if c.role == "with" and c.np]
    if clause.verb in _BEING and not clause.passive:  # "S is a stadium with a capacity of 500"
        said = (leaf for c in clause.comps if c.role == "obj" and c.np is not None for leaf in c.np.leaves())
        posts = ((prep, np) for leaf in said if leaf.kind is NpKind.NOUN for prep, np in leaf.posts)
        owned += [(np, np.items | {min(np.items) - 1}) for prep, np in posts if prep == "with"]
    for phrase, items in owned:
        marks = items - frozenset().union(*(leaf.items for leaf in phrase.leaves()))
        for noun in phrase.leaves():
            items = marks | noun.items | clause.subj.items
            places = tuple(Comp("loc", np=np, items=np.items) for prep, np in noun.posts if role_of(prep) == "loc")
            yield from _possessed(clause._replace(comps=places), noun, items)


def _nominal(clause: Clause) -> Iterator[Keyed]:
    """ "S's marriage to O lasted …": a relation as a noun, with a verb that only says when."""
    if clause.subj is None or clause.subj.kind is not NpKind.NOUN or clause.verb not in _LASTING:
        return
    sig = chain(clause.subj)
    if len(sig.holes) == 2:
        yield Keyed("%" + sig.text, sig.holes, base(clause))
