"""Clauses unfolded: what hangs on a phrase becomes a clause of its own, and rearranged clauses get their plain order.

Relative and participial clauses, appositions and brackets are taken off their phrases and get them as subject or
object; "O is where S …" and "O is the place that S …" become the clause inside; passives become active; "is classified
as N" becomes "is N". No word is lost: each clause keeps the items that it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.chains import chain, is_hole, role_of, shared_owner
from imprimatur.extract.defined import EQUALLING, PERIODS, THOSE, bare, defined
from imprimatur.extract.detached import detach
from imprimatur.extract.enumerated import OWNING, enumerating, valued
from imprimatur.extract.syntax import Clause, Comp, NpKind, replace

__all__ = ["active", "clauses_within", "filled", "lifted"]

_ACTING = frozenset("serve act function work count rank qualify".split())
_AS = frozenset(
    "classify designate list regard consider describe count rank know serve act class rate label categorize".split()
)


def active(clause: Clause) -> Clause:
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


def filled(clause: Clause) -> Clause:
    """Complements "as N" after verbs of naming a class become "is N"."""
    if (clause.verb in _AS and clause.passive) or (clause.verb in _ACTING and not clause.passive):
        named = next((c for c in clause.comps if c.role == "as" and c.np is not None and not is_hole(c.np)), None)
        if named is not None:
            comps = tuple(replace(c, role="obj") if c is named else c for c in clause.comps)
            return replace(clause, verb="be", passive=False, comps=comps)
    return clause


def lifted(clause: Clause) -> Clause | None:
    """ "Springs to life in O": the phrase after the noun may as well belong to the verb."""
    comps: list[Comp] = []
    for c in clause.comps:
        posts = (
            tuple(p for p in c.np.posts if chain(p[1]).holes) if c.np is not None and c.np.kind is NpKind.NOUN else ()
        )
        if not posts or c.role == "with":  # "with 640 employees in A, S …" says nothing else of A
            comps.append(c)
            continue
        assert c.np is not None
        phrases = [(prep, obj, obj.items | {min(obj.items) - 1}) for prep, obj in posts]  # with the preposition
        gone = frozenset().union(*(items for _, _, items in phrases))
        bare = replace(c.np, posts=tuple(p for p in c.np.posts if p not in posts), items=c.np.items - gone)
        comps.append(replace(c, np=bare, items=c.items - gone))
        comps += [Comp(role_of(prep), np=obj, items=items) for prep, obj, items in phrases]
    return replace(clause, comps=tuple(comps)) if len(comps) > len(clause.comps) else None


def clauses_within(clause: Clause) -> tuple[Clause, ...]:
    """The clause and all clauses that hang on its phrases, each with its own subject filled in."""
    return tuple(_within(clause))


def _within(clause: Clause) -> Iterator[Clause]:
    clause = _turned_round(_unfolded(clause))
    told = defined(clause)
    if told is not None:
        for part in told:
            if part is not None:
                yield from _within(part)
        return
    separate = _separate(clause)
    if separate:
        for part in separate:
            yield from _within(part)
        return
    named = list(enumerating(clause))
    if named:
        for part in named:
            yield from _within(part)
        return
    unlike = _contrasted(clause)
    if unlike is not None:
        for part in unlike:
            yield from _within(part)
        return
    joined = _joining(clause)
    bare, inner = detach(clause if joined is None else joined[0])
    yield bare
    converted = list(_converted(bare, inner))
    inner = [hung for hung in inner if all(hung is not told for told, _ in converted)]
    yield from (clause for _, clause in converted)
    if joined is not None:
        yield from _within(joined[1])
    for c in inner:
        yield from _within(c)


_LISTING = frozenset("include comprise be".split())


def _turned_round(clause: Clause) -> Clause:
    """ "Rivers that feed S include A and B": A and B are rivers that feed S."""
    noun = clause.subj
    obj = next((c for c in clause.comps if c.role == "obj" and c.np is not None), None)
    if clause.verb not in _LISTING or clause.passive or noun is None or obj is None or obj.np is None:
        return clause
    told = noun.kind is NpKind.NOUN or (noun.kind is NpKind.PRONOUN and noun.head in THOSE)
    if not told or not noun.clauses or not is_hole(obj.np):
        return clause
    comps = tuple(c._replace(np=noun, items=noun.items) if c is obj else c for c in clause.comps)
    return replace(clause, verb="be", subj=obj.np, comps=comps)


def _unfolded(clause: Clause) -> Clause:
    """ "O is where S was born": the clause inside, with O as its place."""
    where = next((c for c in clause.comps if c.role == "where" and c.clause is not None), None)
    if clause.verb != "be" or where is None or where.clause is None or clause.subj is None:
        return clause
    inner = where.clause
    negators = (*clause.negators, *inner.negators)
    rest = tuple(c for c in clause.comps if c is not where and not _period(c))
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


def _period(comp: Comp) -> bool:
    """Whether a complement is the bare noun of "the year when …"."""
    noun = comp.np
    return noun is not None and noun.kind is NpKind.NOUN and noun.head in PERIODS and bare(noun)


_UNITING = frozenset("join meet unite merge combine converge".split())


def _joining(clause: Clause) -> tuple[Clause, Clause] | None:
    """ "A and B join to form C": they join, and they form C."""
    purpose = next((c for c in clause.comps if c.role == "to-do" and c.clause is not None), None)
    if purpose is None or purpose.clause is None or clause.verb not in _UNITING or clause.subj is None:
        return None
    rest = tuple(c for c in clause.comps if c is not purpose)
    return (
        replace(clause, comps=rest, items=clause.items - purpose.items),
        replace(purpose.clause, subj=clause.subj, items=purpose.items | clause.subj.items),
    )


def _separate(clause: Clause) -> list[Clause]:
    """ "S is a bridge and a road that crosses A": S is a bridge, and S is a road that crosses A.

    So "S has a length of 5 km and a height of 2 m", and "with …" likewise.
    """
    listed = (c for c in clause.comps if c.role in ("obj", "with") and c.np is not None and c.np.kind is NpKind.LIST)
    comp = next(listed, None)
    if comp is None or comp.np is None or comp.np.joint != "and" or clause.negated:
        return []
    parts = shared_owner(comp.np).parts
    if any(p.kind is not NpKind.NOUN for p in parts):
        return []
    if clause.verb == "be" and comp.role == "obj":
        if not any(p.clauses for p in parts):
            return []
    elif (clause.verb not in OWNING and comp.role != "with") or not all(valued(p) for p in parts):
        return []
    rest = clause.items - comp.items
    return [
        replace(
            clause,
            items=rest | part.items,
            comps=tuple(c._replace(np=part, items=part.items) if c is comp else c for c in clause.comps),
        )
        for part in parts
    ]


def _contrasted(clause: Clause) -> tuple[Clause, Clause] | None:
    """ "S flows into A rather than into B": into A, and not into B."""
    comp = next((c for c in clause.comps if c.unlike is not None), None)
    if comp is None or comp.unlike is None:
        return None
    plain = comp._replace(unlike=None, items=comp.items - comp.unlike.items)
    other = comp._replace(unlike=None, np=comp.unlike, items=comp.unlike.items)
    rest = clause.items - comp.unlike.items
    said = replace(clause, comps=tuple(plain if c is comp else c for c in clause.comps), items=rest)
    negators = (*clause.negators, min(comp.unlike.items))
    denied = replace(
        clause,
        comps=tuple(other if c is comp else c for c in clause.comps),
        items=clause.items - plain.items,
        negators=negators,
        negated=len(negators) % 2 == 1,
    )
    return said, denied


def _converted(clause: Clause, inner: list[Clause]) -> Iterator[tuple[Clause, Clause]]:
    """ "It measures 5 km, which is 3 miles": it measures 3 miles. (What says so, and what it comes to.)"""
    for hung in inner:
        subj = hung.subj
        value = hung.comps[0].np if len(hung.comps) == 1 and hung.comps[0].role == "obj" else None
        if hung.verb not in EQUALLING or subj is None or value is None or hung.negated:
            continue
        if subj.kind is NpKind.QUANTITY and value.kind is NpKind.QUANTITY:
            for comp in clause.comps:
                if comp.np is not None and comp.np.head_item == subj.head_item:
                    comps = tuple(c._replace(np=value, items=value.items) if c is comp else c for c in clause.comps)
                    yield hung, replace(clause, comps=comps, items=clause.items - comp.items | hung.items)
