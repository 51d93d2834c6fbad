"""Clauses that count and list at once: "it has two arms, A and B" says how many there are and what each of them is."""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.syntax import Clause, Comp, Np, NpKind, replace

__all__ = ["OWNING", "enumerating", "valued"]


OWNING = frozenset("have possess boast receive".split())


def valued(noun: Np) -> bool:
    """Whether a noun brings its own value ("a length of 5 km", "24 arches")."""
    values = (noun.of, *noun.inner)
    return any(v is not None and v.kind in (NpKind.QUANTITY, NpKind.DATE, NpKind.HOLE) for v in values)


def enumerating(clause: Clause) -> Iterator[Clause]:
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
    if clause.verb in OWNING and clause.subj is not None and not clause.passive and noun in phrases[1:]:
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
