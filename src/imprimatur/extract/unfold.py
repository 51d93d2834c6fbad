"""Clauses unfolded: what hangs on a phrase becomes a clause of its own, and rearranged clauses get their plain order.

Relative and participial clauses, appositions and brackets are taken off their phrases and get them as subject or
object; "O is where S …" and "O is the place that S …" become the clause inside; passives become active; "is classified
as N" becomes "is N". No word is lost: each clause keeps the items that it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from imprimatur.extract.chains import chain, is_hole, role_of, shared_owner
from imprimatur.extract.syntax import Clause, Comp, Np, NpKind, replace

__all__ = ["active", "clauses_within", "filled", "lifted"]

#: Clauses whose unfolding is remembered: sentences that differ in names and numbers alone have equal ones.
_MOST_KEPT = 4096
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
        if not posts:
            comps.append(c)
            continue
        assert c.np is not None
        phrases = [(prep, obj, obj.items | {min(obj.items) - 1}) for prep, obj in posts]  # with the preposition
        gone = frozenset().union(*(items for _, _, items in phrases))
        bare = replace(c.np, posts=tuple(p for p in c.np.posts if p not in posts), items=c.np.items - gone)
        comps.append(replace(c, np=bare, items=c.items - gone))
        comps += [Comp(role_of(prep), np=obj, items=items) for prep, obj, items in phrases]
    return replace(clause, comps=tuple(comps)) if len(comps) > len(clause.comps) else None


@lru_cache(maxsize=_MOST_KEPT)
def clauses_within(clause: Clause) -> tuple[Clause, ...]:
    """The clause and all clauses that hang on its phrases, each with its own subject filled in."""
    return tuple(_within(clause))


def _within(clause: Clause) -> Iterator[Clause]:
    clause = _turned_round(_unfolded(clause))
    defined = _defined(clause)
    if defined is not None:
        for part in defined:
            if part is not None:
                yield from _within(part)
        return
    separate = _separate(clause)
    if separate:
        for part in separate:
            yield from _within(part)
        return
    named = list(_enumerating(clause))
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
    bare, inner = _detach(clause if joined is None else joined[0])
    yield bare
    converted = list(_converted(bare, inner))
    inner = [hung for hung in inner if all(hung is not told for told, _ in converted)]
    yield from (clause for _, clause in converted)
    if joined is not None:
        yield from _within(joined[1])
    for c in inner:
        yield from _within(c)


_LISTING = frozenset("include comprise be".split())
_THOSE = frozenset("those ones people".split())
_FREE = frozenset(("what", "who"))


def _turned_round(clause: Clause) -> Clause:
    """ "Rivers that feed S include A and B": A and B are rivers that feed S."""
    noun = clause.subj
    obj = next((c for c in clause.comps if c.role == "obj" and c.np is not None), None)
    if clause.verb not in _LISTING or clause.passive or noun is None or obj is None or obj.np is None:
        return clause
    told = noun.kind is NpKind.NOUN or (noun.kind is NpKind.PRONOUN and noun.head in _THOSE | _FREE)
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
    return noun is not None and noun.kind is NpKind.NOUN and noun.head in _PERIODS and _bare(noun)


def _bare(noun: Np) -> bool:
    """Whether a noun stands without anything that says more of it."""
    plain = noun.det in ("", "the", "a") and not noun.mods and not noun.inner
    return plain and noun.of is None and not noun.posts


_PERIODS = ("year", "day", "date", "decade", "century", "month")
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
    elif (clause.verb not in _OWNING and comp.role != "with") or not all(_valued(p) for p in parts):
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


_OWNING = frozenset("have possess boast receive".split())


def _valued(noun: Np) -> bool:
    """Whether a noun brings its own value ("a length of 5 km", "24 arches")."""
    values = (noun.of, *noun.inner)
    return any(v is not None and v.kind in (NpKind.QUANTITY, NpKind.DATE, NpKind.HOLE) for v in values)


def _enumerating(clause: Clause) -> Iterator[Clause]:
    """ "S has two mouths: A and B": A and B are mouths of S; "S crosses two towns: A and B": it crosses A and B,
    and they are towns."""
    phrases = (clause.subj, *(c.np for c in clause.comps))
    nouns = [leaf for np in phrases if np is not None for leaf in np.leaves() if leaf.listed is not None]
    if len(nouns) != 1:
        return
    noun = nouns[0]
    assert noun.listed is not None
    marks = noun.items - noun.listed.items - frozenset((noun.head_item,))
    kind = _uncounted(noun, len(noun.listed.leaves()))
    if clause.verb in _OWNING and clause.subj is not None and not clause.passive and noun in phrases[1:]:
        number = frozenset(x for q in _counted(noun).inner for x in q.items)
        owned = kind if kind.of is not None else kind._replace(of=clause.subj)
        rest = tuple(c for c in clause.comps if c.np is not noun)
        comp = Comp("obj", np=owned, items=kind.items | clause.subj.items)
        yield replace(clause, items=clause.items - number, verb="be", subj=_counted(noun), comps=(comp, *rest))
        return
    number = frozenset(x for q in _counted(noun).inner for x in q.items)
    kept = clause.items - kind.items - number | noun.listed.items
    subj = _named_instead(clause.subj, noun) if clause.subj is not None else None
    comps = tuple(
        c._replace(np=_named_instead(c.np, noun), items=c.items - (kind.items | marks)) if c.np is not None else c
        for c in clause.comps
    )
    yield replace(clause, subj=subj, comps=comps, items=kept)
    if noun.of is None and not noun.posts:
        comp = Comp("obj", np=kind, items=kind.items)
        yield Clause(verb="be", items=kind.items | noun.listed.items, subj=noun.listed, comps=(comp,))


def _uncounted(noun: Np, number: int) -> Np:
    """The noun without the names after it, and without "several" where there are several."""
    assert noun.listed is not None
    told = noun.det in ("several", "the", "these", "") and (noun.det != "several" or number > 2)
    count = tuple(x for x in noun.inner if x.counted)
    before = frozenset(x for x in noun.items if x < noun.head_item) if told and noun.det == "several" else frozenset()
    before |= frozenset(x for q in count for x in q.items)
    kept = frozenset(x for x in noun.items if x <= noun.head_item) - before
    inner = tuple(x for x in noun.inner if not x.counted)
    return noun._replace(listed=None, det="" if told else noun.det, items=kept, inner=inner)


def _counted(noun: Np) -> Np:
    """The names as a list, with the number that the noun gives of them ("three towns")."""
    assert noun.listed is not None
    count = tuple(x for x in noun.inner if x.counted)
    if not count:
        return noun.listed
    parts = noun.listed.leaves()
    return noun.listed._replace(kind=NpKind.LIST, parts=parts, inner=count, joint=noun.listed.joint)


def _named_instead(np: Np, noun: Np) -> Np:
    """The phrase with the names in place of the noun that they follow."""
    if np is noun:
        return _counted(noun)
    if np.kind is NpKind.LIST:
        parts = tuple(_named_instead(p, noun) for p in np.parts)
        assert noun.listed is not None
        held = noun.items <= np.items
        return np._replace(parts=parts, items=np.items - noun.items | noun.listed.items if held else np.items)
    return np


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
        if hung.verb not in _EQUALLING or subj is None or value is None or hung.negated:
            continue
        if subj.kind is NpKind.QUANTITY and value.kind is NpKind.QUANTITY:
            for comp in clause.comps:
                if comp.np is not None and comp.np.head_item == subj.head_item:
                    comps = tuple(c._replace(np=value, items=value.items) if c is comp else c for c in clause.comps)
                    yield hung, replace(clause, comps=comps, items=clause.items - comp.items | hung.items)


_EQUALLING = frozenset("be equal".split())
_SOMEONE = frozenset("one someone somebody something".split())


def _defined(clause: Clause) -> tuple[Clause, Clause | None] | None:
    """ "O is the place that S comes from": the relative clause is about O, and O is a place."""
    if clause.verb != "be" or clause.passive or clause.subj is None:
        return None
    for comp in clause.comps:
        noun = comp.np
        if noun is not None and noun.kind is NpKind.PRONOUN and noun.of is not None and noun.head == "one":
            noun = noun.of
        if noun is not None and noun.det.split()[:1] == ["no"]:
            continue
        if noun is not None and noun.kind is NpKind.PRONOUN and noun.head not in _SOMEONE | _THOSE | _FREE:
            continue
        if (
            comp.role not in ("obj", "among", "amongst")
            or noun is None
            or not noun.clauses
            or (is_hole(noun) and noun.kind is not NpKind.PRONOUN)
        ):
            continue
        inner = _with_gap(noun.clauses[-1], clause.subj)
        negators = (*clause.negators, *inner.negators)
        inner = replace(inner, negators=negators, negated=len(negators) % 2 == 1)
        if noun.kind is NpKind.PRONOUN or _stands_in(noun, clause.subj):
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


def _stands_in(noun: Np, subject: Np) -> bool:
    """Whether a noun only repeats what its relative clause says ("the year in which …")."""
    plain = _bare(noun)
    if subject.kind is NpKind.DATE or (subject.kind is NpKind.QUANTITY and noun.head == "year"):
        return plain and noun.head in _PERIODS
    return plain and noun.head in ("place", "location", "spot") and noun.clauses[-1].gap in ("loc", "from")


def _detach(clause: Clause) -> tuple[Clause, list[Clause]]:
    found: list[Clause] = []
    subj = _strip(clause.subj, found) if clause.subj is not None else None
    comps = []
    for c in clause.comps:
        np = _strip(c.np, found, subj) if c.np is not None else None
        lost = (c.np.items - np.items) if c.np is not None and np is not None else frozenset()
        comps.append(replace(c, np=np, items=c.items - lost))
    kept = clause.items
    for f in found:
        kept = kept - f.items
    bare = replace(clause, subj=subj, comps=tuple(comps), items=kept | (subj.items if subj else frozenset()))
    return bare, found


def _strip(np: Np, found: list[Clause], main: Np | None = None) -> Np:
    """The phrase without its clauses and appositions; those go to ``found`` with the phrase as their subject.

    ``main`` is the subject of the clause: what "S crosses A, linking B and C" says in the end is about it.
    """
    if np.clauses and np.det.split()[:1] in (["all"], ["every"], ["each"]):
        return np  # "all artefacts found at S" are not all artefacts
    parts = tuple(_strip(p, found, main) for p in np.parts)
    of = _strip(np.of, found, main) if np.of is not None else None
    posts = tuple((prep, _strip(obj, found, main)) for prep, obj in np.posts)
    lost = frozenset[int]().union(*(clause.items for clause in np.clauses), *(appos.items for appos in np.appos))
    whole: list[Np] = [*np.parts, *(obj for _, obj in np.posts)]
    stripped: list[Np] = [*parts, *(obj for _, obj in posts)]
    lost = lost.union(*(before.items - after.items for before, after in zip(whole, stripped, strict=True)))
    if np.of is not None and of is not None:
        lost = lost | (np.of.items - of.items)
    bare = replace(np, parts=parts, of=of, posts=posts, clauses=(), appos=(), items=np.items - lost)
    for clause in np.clauses:
        if clause.gap == "main":
            found.append(replace(clause, subj=main or bare, gap=""))
        else:
            found.append(_with_gap(clause, bare))
    for appos in np.appos:
        if appos.head_item < 0:  # "Hancock County, Ohio"
            where = tuple(Comp("loc", np=place, items=place.items) for _, place in appos.posts)
            found.append(Clause(verb="be", items=appos.items, subj=bare, comps=where, naming=True))
            continue
        said = (Comp("obj", np=appos, items=appos.items),)
        found.append(Clause(verb="be", items=appos.items, subj=bare, comps=said, naming=True))
    return bare


def _with_gap(clause: Clause, antecedent: Np) -> Clause:
    """A relative clause with what it hangs on put in its gap."""
    if clause.gap in ("subj", "main"):
        return replace(clause, subj=antecedent, gap="")
    if clause.gap == "whose" and clause.subj is not None:
        owned = clause.subj.of
        if owned is not None and owned.head == "whose":
            return replace(clause, subj=replace(clause.subj, of=antecedent), gap="")
        comps = tuple(
            c._replace(np=c.np._replace(of=antecedent)) if c.role == "obj" and c.np is not None else c
            for c in clause.comps
        )
        return replace(clause, comps=comps, gap="")
    comp = Comp(clause.gap or "obj", np=antecedent, items=antecedent.items)
    return replace(clause, comps=(*clause.comps, comp), gap="")
