"""Clauses unfolded: what hangs on a phrase becomes a clause of its own, and rearranged clauses get their plain order.

Relative and participial clauses, appositions and brackets are taken off their phrases and get them as subject or
object; "O is where S …" and "O is the place that S …" become the clause inside; passives become active; "is classified
as N" becomes "is N". No word is lost: each clause keeps the items that it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.chains import chain, is_hole, role_of
from imprimatur.extract.syntax import Clause, Comp, Np, NpKind, replace

__all__ = ["active", "clauses_within", "filled", "lifted"]

_ACTING = frozenset("serve act function work".split())
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


def clauses_within(clause: Clause) -> Iterator[Clause]:
    """The clause and all clauses that hang on its phrases, each with its own subject filled in."""
    clause = _unfolded(clause)
    defined = _defined(clause)
    if defined is not None:
        for part in defined:
            if part is not None:
                yield from clauses_within(part)
        return
    joined = _joining(clause)
    bare, inner = _detach(clause if joined is None else joined[0])
    yield bare
    if joined is not None:
        yield from clauses_within(joined[1])
    for c in inner:
        yield from clauses_within(c)


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
        if noun is not None and noun.kind is NpKind.PRONOUN and noun.head not in _SOMEONE:
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
    if np.clauses and np.det.split()[:1] in (["all"], ["every"], ["each"]):
        return np  # "all artefacts found at S" are not all artefacts
    parts = tuple(_strip(p, found) for p in np.parts)
    of = _strip(np.of, found) if np.of is not None else None
    posts = tuple((prep, _strip(obj, found)) for prep, obj in np.posts)
    lost = frozenset(x for part in (*np.clauses,) for x in part.items) | {x for part in np.appos for x in part.items}
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
