"""Clauses that say who or what does something: "the one that feeds A is B" says that B feeds A."""

from __future__ import annotations

from imprimatur.extract.chains import is_hole
from imprimatur.extract.detached import with_gap
from imprimatur.extract.syntax import Clause, Comp, Np, NpKind, replace

__all__ = ["EQUALLING", "PERIODS", "THOSE", "bare", "defined"]

EQUALLING = frozenset("be equal".split())
PERIODS = ("year", "day", "date", "decade", "century", "month")
#: Pronouns that a relative clause tells more of ("those that", "what").
THOSE = frozenset("those ones people what who".split())
_SOMEONE = frozenset("one someone somebody something".split())


def defined(clause: Clause) -> tuple[Clause, Clause | None] | None:
    """ "O is the place that S comes from": the relative clause is about O, and O is a place."""
    if clause.verb != "be" or clause.passive or clause.subj is None:
        return None
    for comp in clause.comps:
        noun = _telling(comp)
        if noun is None:
            continue
        inner = with_gap(noun.clauses[-1], clause.subj)
        negators = (*clause.negators, *inner.negators)
        inner = replace(inner, negators=negators, negated=len(negators) % 2 == 1)
        if noun.kind is NpKind.PRONOUN or _stands_in(noun, clause.subj):
            return _alone(clause, comp, inner), None
        plain = replace(noun, clauses=noun.clauses[:-1], items=noun.items - noun.clauses[-1].items)
        rest = tuple(
            replace(c, role="obj", np=plain, items=c.items - noun.clauses[-1].items) if c is comp else c
            for c in clause.comps
        )
        return replace(clause, comps=rest, items=clause.items - noun.clauses[-1].items), inner
    return None


def _telling(comp: Comp) -> Np | None:
    """The noun or pronoun of a complement that a relative clause tells more of; None where there is none."""
    noun = comp.np
    if noun is not None and noun.kind is NpKind.PRONOUN and noun.of is not None and noun.head == "one":
        noun = noun.of
    if noun is None or not noun.clauses or noun.det.split()[:1] == ["no"]:
        return None
    if noun.kind is NpKind.PRONOUN:
        told = noun.head in _SOMEONE | THOSE
    else:
        told = not is_hole(noun)
    return noun if told and comp.role in ("obj", "among", "amongst") else None


def _alone(clause: Clause, comp: Comp, inner: Clause) -> Clause:
    """The relative clause with what else the main one says: its noun says nothing of its own."""
    others = tuple(c for c in clause.comps if c is not comp)
    marks = clause.items - frozenset().union(*(c.items for c in others)) - set(clause.adverbs)
    return replace(
        inner,
        items=inner.items | marks,
        comps=(*inner.comps, *others),
        adverbs=(*clause.adverbs, *inner.adverbs),
    )


def _stands_in(noun: Np, subject: Np) -> bool:
    """Whether a noun only repeats what its relative clause says ("the year in which …")."""
    plain = bare(noun)
    if subject.kind is NpKind.DATE or (subject.kind is NpKind.QUANTITY and noun.head == "year"):
        return plain and noun.head in PERIODS
    return plain and noun.head in ("place", "location", "spot") and noun.clauses[-1].gap in ("loc", "from")


def bare(noun: Np) -> bool:
    """Whether a noun stands without anything that says more of it."""
    plain = noun.det in ("", "the", "a") and not noun.mods and not noun.inner
    return plain and noun.of is None and not noun.posts
