"""Clauses to keys: the normal form in which a wording of the lexicon and a clause of a text meet.

A key is a string that names a verb or noun with its roles and has a ``*`` for each name, quantity or date; ``holes`` are
those phrases in the order of the stars. "The source of the Rhine lies in Grisons", "the Rhine's source is in Grisons"
and "Grisons holds the source of the Rhine" all give ``@source<*`` with holes (Rhine, Grisons).

The same function makes the keys of the lexicon's wordings, so a wording fits a clause exactly when the keys are equal.
Kinds of key: ``=chain<*`` (the chain of S is O), ``@chain<*`` or ``@*`` (S is at O), ``#noun<*`` (S has n of them),
``isa`` (S is of class), and ``verb|role=…|…`` for everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from imprimatur.extract.syntax import Clause, Comp, Np, NpKind

__all__ = ["Keyed", "chain", "clauses_within", "keys"]

_HOLES = (NpKind.ENTITY, NpKind.NAME, NpKind.QUANTITY, NpKind.DATE, NpKind.HOLE)
#: Verbs of being somewhere; with "in", "at", "on" they say where the subject is.
_PLACE = frozenset(
    "be lie sit stand find locate situate occur place base remain fall come date happen exist set".split()
)
_HOLD = frozenset("hold contain host house".split())
_BEING = frozenset("be become remain represent constitute make".split())
_AS = frozenset(
    "classify designate list regard consider describe count rank know serve act class rate label categorize categorise".split()
)
_HAVE = frozenset("have possess boast own count number carry bear receive".split())
_INCLUDE = frozenset("include comprise number contain".split())


@dataclass(frozen=True, slots=True)
class Keyed:
    """One key of a clause with its holes, and the items that the key accounts for."""

    key: str
    holes: tuple[Np, ...]
    items: frozenset[int]
    noun: Np | None = None  # the class noun of "isa", the counted noun of "#"


@dataclass(frozen=True, slots=True)
class _Sig:
    text: str
    holes: tuple[Np, ...]


def _is_hole(np: Np) -> bool:
    if np.kind is NpKind.LIST:
        return all(_is_hole(p) for p in np.parts)
    return np.kind in _HOLES or (np.kind is NpKind.PRONOUN)


def chain(np: Np) -> _Sig:
    """The signature of a noun phrase: its nouns from the head inwards, ``*`` for what is named in it."""
    if _is_hole(np):
        if np.kind in (NpKind.QUANTITY, NpKind.HOLE) and np.of is not None:
            inner = chain(np.of)
            return _Sig(f"*%{inner.text}", (np, *inner.holes))
        return _Sig("*", (np,))
    if np.kind is NpKind.LIST:
        parts = [chain(p) for p in _shared_of(np).parts]
        return _Sig("[" + "&".join(p.text for p in parts) + "]", tuple(h for p in parts[-1:] for h in p.holes))
    words = [np.head, *(m for m, _ in reversed(np.mods))]
    words += [
        c for prep, obj in np.posts if prep == "of" and np.of is not None for c in (chain(obj).text,) if "*" not in c
    ]
    np = replace(np, posts=tuple(p for p in np.posts if p[0] != "of" or np.of is None or "*" in chain(p[1]).text))
    text = "<".join(words)
    holes: tuple[Np, ...] = ()
    counted = [x for x in np.inner if x.kind is NpKind.QUANTITY and _bare_count(x)]
    if len(counted) == 1:
        text += "#*"
        holes = (counted[0],)
    for prep, obj in sorted(np.posts, key=lambda p: p[0]):
        if prep in ("for", "of") and np.of is None:
            np = replace(np, of=obj)
            continue
        sig = chain(obj)
        text += f"{{{_role(prep)}={sig.text}}}"
        holes += sig.holes
    if np.of is not None:
        inner = chain(np.of)
        text += "<" + inner.text
        holes += inner.holes
    return _Sig(text, holes)


def _bare_count(np: Np) -> bool:
    """A cardinal number without a unit: it counts the noun after it."""
    return np.counted


def _role(prep: str) -> str:
    return "loc" if prep in ("in", "at", "on", "within", "inside") else prep


def _shared_of(np: Np) -> Np:
    """ "The source and the mouth of X": the owner of the last member belongs to all."""
    of = next((p.of for p in reversed(np.parts) if p.of is not None), None)
    return replace(
        np, parts=tuple(p if p.of is not None or p.kind is not NpKind.NOUN else replace(p, of=of) for p in np.parts)
    )


def _active(clause: Clause) -> Clause:
    """The clause with the passive undone: the grammatical subject becomes the object, "by" the subject."""
    if not clause.passive:
        return clause
    subj = next(
        (c.np for c in clause.comps if c.role == "by" and c.np is not None and c.np.kind is not NpKind.DATE), None
    )
    comps = tuple(c for c in clause.comps if not (c.role == "by" and c.np is subj and subj is not None))
    if clause.subj is not None:
        comps = (*comps, Comp("obj", np=clause.subj, items=clause.subj.items))
    return replace(clause, subj=subj, comps=comps, passive=False)


def keys(clause: Clause) -> Iterator[Keyed]:
    """All keys of a clause, the most telling first."""
    plain = _active(_filled(clause))
    seen: set[tuple[str, tuple[int, ...]]] = set()
    lifted = _lifted(plain)
    more = () if lifted is None else (*_placed(lifted), *_raw(lifted))
    for keyed in (*_copular(_filled(clause)), *_placed(plain), *_owned(plain), *_nominal(plain), *_measured(plain), *_raw(plain), *more):
        at = (keyed.key, tuple(id(h) for h in keyed.holes))
        if at not in seen:
            seen.add(at)
            yield keyed


def _filled(clause: Clause) -> Clause:
    """Complements "as N" after verbs of naming a class become "is N"."""
    if clause.verb in _AS and clause.passive:
        named = next((c for c in clause.comps if c.role == "as" and c.np is not None and not _is_hole(c.np)), None)
        if named is not None:
            comps = tuple(replace(c, role="obj") if c is named else c for c in clause.comps)
            return replace(clause, verb="be", passive=False, comps=comps)
    return clause


def _lifted(clause: Clause) -> Clause | None:
    """ "Springs to life in O": the phrase after the noun may as well belong to the verb."""
    comps: list[Comp] = []
    for c in clause.comps:
        posts = (
            tuple(p for p in c.np.posts if chain(p[1]).holes) if c.np is not None and c.np.kind is NpKind.NOUN else ()
        )
        if not posts:
            comps.append(c)
            continue
        assert c.np is not None
        gone = frozenset().union(*(obj.items for _, obj in posts))
        bare = replace(c.np, posts=tuple(p for p in c.np.posts if p not in posts), items=c.np.items - gone)
        comps.append(replace(c, np=bare, items=c.items - gone))
        comps += [Comp(_role(prep), np=obj, items=obj.items) for prep, obj in posts]
    return replace(clause, comps=tuple(comps)) if len(comps) > len(clause.comps) else None


def _first(clause: Clause, role: str) -> Comp | None:
    return next((c for c in clause.comps if c.role == role and c.np is not None), None)


def _base(clause: Clause) -> frozenset[int]:
    """The items of the clause that belong to no complement: its verb group, subject and function words."""
    out = clause.items
    for c in clause.comps:
        out = out - c.items
    return (out - set(clause.adverbs)) | (clause.subj.items if clause.subj else frozenset())


_STANDING = frozenset("lie stand amount come range fall sit total equal reach run vary".split())


def _measured(clause: Clause) -> Iterator[Keyed]:
    """"The efficiency of S lies between …", "the length of S amounts to …"."""
    if clause.verb not in _STANDING or clause.subj is None or clause.passive:
        return
    for comp in clause.comps:
        if comp.role in ("obj", "to", "loc", "from") and comp.np is not None and comp.np.kind is NpKind.QUANTITY:
            yield from _equal(clause.subj, comp.np, _base(clause) | comp.items)


def _copular(clause: Clause) -> Iterator[Keyed]:
    if clause.verb not in _BEING or clause.passive or clause.subj is None:
        return
    base = _base(clause)
    among = _first(clause, "among") or _first(clause, "amongst")
    if among is not None and among.np is not None:
        yield from _equal(among.np, clause.subj, base | among.items)
    obj = _first(clause, "obj")
    if obj is None or obj.np is None:
        return
    items = base | obj.items
    yield from _equal(obj.np, clause.subj, items)
    yield from _equal(clause.subj, obj.np, items)
    one = obj.np
    if one.kind is NpKind.PRONOUN and one.head in ("one", "some") and one.of is not None:
        yield from _equal(one.of, clause.subj, items)
        yield from _kind_of(one.of, clause.subj, items)
    yield from _kind_of(obj.np, clause.subj, items)


def _equal(noun: Np, value: Np, items: frozenset[int]) -> Iterator[Keyed]:
    """"The mouth of S is O"."""
    if noun.kind not in (NpKind.NOUN, NpKind.LIST) or (noun.kind is NpKind.LIST and _is_hole(noun)):
        return
    for leaf in _shared_of(noun).parts if noun.kind is NpKind.LIST else (noun,):
        used = items - noun.items | leaf.items
        sig = chain(leaf)
        if len(sig.holes) == 1:
            yield Keyed("=" + sig.text, (sig.holes[0], _repeated(sig.text, value)), used)
        for inner in leaf.inner:  # "is the GNIS number 50058"
            if inner.kind is NpKind.QUANTITY and not sig.holes:
                yield Keyed("=" + sig.text + "<*", (value, inner), used)


def _repeated(text: str, value: Np) -> Np:
    """ "The order of S is 4th order", "the number of dams is five dams": the number alone is the value."""
    if (
        value.kind is NpKind.NOUN
        and len(value.inner) == 1
        and value.inner[0].kind is NpKind.QUANTITY
        and value.head in re.split(r"\W", text)
    ):
        return replace(value.inner[0], items=value.items)
    return value


def _kind_of(noun: Np, subject: Np, items: frozenset[int]) -> Iterator[Keyed]:
    """"S is a river", "S is a 1st order stream", "S is a 27-mile river", "S is one of Ohio's rivers"."""
    outside = items - noun.items
    for leaf in noun.leaves():
        if leaf.kind is not NpKind.NOUN:
            continue
        inside = {x for part in (leaf.of, *leaf.inner, *(obj for _, obj in leaf.posts)) if part for x in part.items}
        mods = {x for _, x in leaf.mods}
        head = frozenset(x for x in leaf.items if x <= leaf.head_item) - mods - inside
        yield Keyed("isa", (subject,), outside | head, noun=leaf)
        for prep, place in (*leaf.posts, *((("of", leaf.of),) if leaf.of is not None else ())):
            if _role(prep) in ("loc", "of") and _is_hole(place):
                yield Keyed("@*", (subject, place), outside | place.items | {min(place.items) - 1})
        for inner in leaf.inner:
            between = [m for m, x in leaf.mods if x > max(inner.items)]
            used = outside | inner.items | mods
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
    if clause.verb in _PLACE and thing is not None and not _first(clause, "obj" if clause.subj else "none"):
        for place in (c for c in clause.comps if c.role == "loc" and c.np is not None):
            assert place.np is not None
            sig = chain(thing)
            target = chain(place.np)
            if len(sig.holes) == 1 and len(target.holes) == 1:
                text = "" if target.text == "*" else ":" + target.text
                yield Keyed(
                    f"@{sig.text}{text}", (sig.holes[0], target.holes[0]), _base(clause) | place.items | thing.items
                )
    obj = _first(clause, "obj")
    if (
        clause.verb in _HOLD
        and clause.subj is not None
        and obj is not None
        and obj.np is not None
        and obj.np.kind is NpKind.NOUN
    ):
        sig = chain(obj.np)
        if len(sig.holes) == 1 and _is_hole(clause.subj):
            yield Keyed(f"@{sig.text}", (sig.holes[0], clause.subj), _base(clause) | obj.items)


def _owned(clause: Clause) -> Iterator[Keyed]:
    """ "S has a length of O", "S has O among its tributaries", "S's tributaries include O", "S has five tributaries"."""
    obj = _first(clause, "obj")
    if clause.subj is None or obj is None or obj.np is None:
        return
    items = _base(clause) | obj.items
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
    plain = items - {x for _, np in values for x in np.items} - {x for np in noun.inner for x in np.items}
    for _, value in values:
        if _is_hole(value) and value.kind is not NpKind.PRONOUN:
            yield Keyed(f"={bare}<{owner.text}", (owner.holes[0], value), plain | value.items | {min(value.items) - 1})
    for place in clause.comps:
        if place.role == "loc" and place.np is not None and _is_hole(place.np):
            yield Keyed(f"@{bare}<{owner.text}", (owner.holes[0], place.np), plain | place.items)
    for inner in noun.inner:
        if inner.kind is NpKind.QUANTITY:
            yield Keyed(f"#{bare}<{owner.text}", (owner.holes[0], inner), plain | inner.items, noun=noun)


_LASTING = frozenset("last run begin start end continue extend commence finish".split())


def _nominal(clause: Clause) -> Iterator[Keyed]:
    """ "S's marriage to O lasted …": a relation as a noun, with a verb that only says when."""
    if clause.subj is None or clause.subj.kind is not NpKind.NOUN or clause.verb not in _LASTING:
        return
    sig = chain(clause.subj)
    if len(sig.holes) == 2:
        yield Keyed("%" + sig.text, sig.holes, _base(clause))


def _raw(clause: Clause) -> Iterator[Keyed]:
    """The verb with its roles: every pair of holes, with the other holes left out."""
    roles: list[tuple[str, Np | None, frozenset[int], str]] = []
    if clause.subj is not None:
        roles.append(("subj", clause.subj, clause.subj.items, ""))
    for c in clause.comps:
        if c.np is not None or c.adj is not None:
            roles.append((c.role, c.np, c.items, c.adj or ""))
    sigs = [(role, *_signature(np, adj, own=role != "subj"), items) for role, np, items, adj in roles]
    holes = [(n, h) for n, (_, _, hs, _) in enumerate(sigs) for h in range(len(hs))]
    verb = "+".join([clause.verb, *sorted(clause.particles)])
    base = _base(clause) - (clause.subj.items if clause.subj else frozenset())
    pairs: list[tuple[tuple[int, int], ...]] = list(combinations(holes, 2))
    both = clause.subj or next((c.np for c in clause.comps if c.role == "obj"), None)
    if both is not None and both.kind is NpKind.LIST and _is_hole(both) and len(both.leaves()) == 2:
        told = sorted((role, text) for role, text, hs, _ in sigs if not hs)
        covered = frozenset().union(*(its for _, _, hs, its in sigs if not hs))
        key = "|".join([verb, *(f"{role}={text}" for role, text in told), "pair"])
        yield Keyed(key, both.leaves(), base | both.items | covered)
    for pair in pairs:
        yield from _paired(verb, sigs, pair, base)


def _signature(np: Np | None, adj: str, *, own: bool) -> tuple[str, tuple[Np, ...]]:
    if np is None:
        return adj, ()
    sig = chain(_unowned(np) if own else np)
    return (f"{sig.text}~{adj}" if adj else sig.text), sig.holes


def _telling(roles: list[tuple[str, str, tuple[Np, ...], frozenset[int]]]) -> bool:
    """Whether a clause of "be" or "have" says more than that two things have to do with each other."""
    if any(role in ("adj",) or role not in ("subj", "obj", "loc") for role, *_ in roles):
        return True
    return any(role != "subj" and text.strip("*") for role, text, *_ in roles)


_POSSESSIVE = frozenset("its their his her".split())


def _unowned(np: Np) -> Np:
    """The phrase without "its": the owner is the subject of the clause."""
    of = np.of
    if of is not None:
        of = None if of.kind is NpKind.PRONOUN and of.head in _POSSESSIVE and np.kind is NpKind.NOUN else _unowned(of)
    return replace(np, of=of, posts=tuple((prep, _unowned(obj)) for prep, obj in np.posts))


def _paired(
    verb: str,
    sigs: list[tuple[str, str, tuple[Np, ...], frozenset[int]]],
    pair: tuple[tuple[int, int], ...],
    base: frozenset[int],
) -> Iterator[Keyed]:
    wanted = {n for n, _ in pair}
    core = [s for n, s in enumerate(sigs) if n in wanted]
    folded = [s for n, s in enumerate(sigs) if n not in wanted and not s[2]]
    for keep in range(len(folded), -1, -1):
        for extra in combinations(folded, keep):
            chosen = sorted([*core, *extra], key=lambda s: (s[0], s[1]))
            holes = tuple(h for s in chosen for h in s[2])
            if len(holes) != 2:
                continue
            key = "|".join([verb, *(f"{role}={text}" for role, text, _, _ in chosen)])
            if verb in ("be", "have", "do") and not _telling(chosen):
                continue
            yield Keyed(key, holes, base.union(*(s[3] for s in chosen)))


def clauses_within(clause: Clause) -> Iterator[Clause]:
    """The clause and all clauses that hang on its phrases, each with its own subject filled in."""
    clause = _unfolded(clause)
    defined = _defined(clause)
    if defined is not None:
        for part in defined:
            if part is not None:
                yield from clauses_within(part)
        return
    bare, inner = _detach(clause)
    yield bare
    for c in inner:
        yield from clauses_within(c)


def _unfolded(clause: Clause) -> Clause:
    """ "O is where S was born": the clause inside, with O as its place."""
    where = next((c for c in clause.comps if c.role == "where" and c.clause is not None), None)
    if clause.verb != "be" or where is None or where.clause is None or clause.subj is None:
        return clause
    inner = where.clause
    negators = (*clause.negators, *inner.negators)
    rest = tuple(c for c in clause.comps if c is not where)
    marks = clause.items - inner.items - frozenset().union(*(c.items for c in rest)) - set(clause.adverbs)
    comp = Comp("loc", np=clause.subj, items=marks | clause.subj.items)
    return replace(
        inner,
        comps=(*inner.comps, comp, *rest),
        items=clause.items | inner.items,
        negators=negators,
        negated=len(negators) % 2 == 1,
        adverbs=(*clause.adverbs, *inner.adverbs),
    )


_SOMEONE = frozenset("one someone somebody something".split())


def _defined(clause: Clause) -> tuple[Clause, Clause | None] | None:
    """ "O is the place that S comes from": the relative clause is about O, and O is a place."""
    if clause.verb != "be" or clause.passive or clause.subj is None:
        return None
    for comp in clause.comps:
        noun = comp.np
        if noun is not None and noun.kind is NpKind.PRONOUN and noun.of is not None and noun.head == "one":
            noun = noun.of
        if noun is not None and noun.kind is NpKind.PRONOUN and noun.head not in _SOMEONE:
            continue
        if (
            comp.role not in ("obj", "among", "amongst")
            or noun is None
            or not noun.clauses
            or (_is_hole(noun)
            and noun.kind is not NpKind.PRONOUN)
        ):
            continue
        inner = _with_gap(noun.clauses[-1], clause.subj)
        negators = (*clause.negators, *inner.negators)
        inner = replace(inner, negators=negators, negated=len(negators) % 2 == 1)
        if noun.kind is NpKind.PRONOUN:
            others = tuple(c for c in clause.comps if c is not comp)
            marks = clause.items - frozenset().union(*(c.items for c in others)) - set(clause.adverbs)
            return (
                replace(
                    inner,
                    items=inner.items | marks,
                    comps=(*inner.comps, *others),
                    adverbs=(*clause.adverbs, *inner.adverbs),
                ),
                None,
            )
        plain = replace(noun, clauses=noun.clauses[:-1], items=noun.items - noun.clauses[-1].items)
        rest = tuple(
            replace(c, role="obj", np=plain, items=c.items - noun.clauses[-1].items) if c is comp else c
            for c in clause.comps
        )
        return replace(clause, comps=rest, items=clause.items - noun.clauses[-1].items), inner
    return None


def _detach(clause: Clause) -> tuple[Clause, list[Clause]]:
    found: list[Clause] = []
    subj = _strip(clause.subj, found) if clause.subj is not None else None
    comps = []
    for c in clause.comps:
        np = _strip(c.np, found) if c.np is not None else None
        lost = (c.np.items - np.items) if c.np is not None and np is not None else frozenset()
        comps.append(replace(c, np=np, items=c.items - lost))
    kept = clause.items
    for f in found:
        kept = kept - f.items
    bare = replace(clause, subj=subj, comps=tuple(comps), items=kept | (subj.items if subj else frozenset()))
    return bare, found


def _strip(np: Np, found: list[Clause]) -> Np:
    """The phrase without its clauses and appositions; those go to ``found`` with the phrase as their subject."""
    parts = tuple(_strip(p, found) for p in np.parts)
    of = _strip(np.of, found) if np.of is not None else None
    posts = tuple((prep, _strip(obj, found)) for prep, obj in np.posts)
    lost: frozenset[int] = frozenset()
    for extra in (*np.clauses, *np.appos):
        lost |= extra.items
    bare = replace(np, parts=parts, of=of, posts=posts, clauses=(), appos=(), items=np.items - lost)
    for clause in np.clauses:
        found.append(_with_gap(clause, bare))
    for appos in np.appos:
        found.append(Clause(verb="be", items=appos.items, subj=bare, comps=(Comp("obj", np=appos, items=appos.items),)))
    return bare


def _with_gap(clause: Clause, antecedent: Np) -> Clause:
    """A relative clause with what it hangs on put in its gap."""
    if clause.gap == "subj":
        return replace(clause, subj=antecedent, gap="")
    if clause.gap == "whose" and clause.subj is not None:
        return replace(clause, subj=replace(clause.subj, of=antecedent), gap="")
    comp = Comp(clause.gap or "obj", np=antecedent, items=antecedent.items)
    return replace(clause, comps=(*clause.comps, comp), gap="")
