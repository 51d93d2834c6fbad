"""Clauses that hang on a phrase, taken off it and given what they are about as their subject or object."""

from __future__ import annotations

from imprimatur.extract.syntax import Clause, Comp, Np, replace

__all__ = ["detach", "with_gap"]


def detach(clause: Clause) -> tuple[Clause, list[Clause]]:
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
            found.append(with_gap(clause, bare))
    for appos in np.appos:
        if appos.head_item < 0:  # "Hancock County, Ohio"
            where = tuple(Comp("loc", np=place, items=place.items) for _, place in appos.posts)
            found.append(Clause(verb="be", items=appos.items, subj=bare, comps=where, naming=True))
            continue
        said = (Comp("obj", np=appos, items=appos.items),)
        found.append(Clause(verb="be", items=appos.items, subj=bare, comps=said, naming=True))
    return bare


def with_gap(clause: Clause, antecedent: Np) -> Clause:
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
    comp = Comp(clause.gap or "obj", np=antecedent, items=antecedent.items | clause.gap_items)
    return replace(clause, comps=(*clause.comps, comp), gap="")
