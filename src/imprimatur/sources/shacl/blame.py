"""Which findings rest on which claims? (DESIGN section 3, SHACL.)

A finding of ``G ∪ claims`` rests on a claim when it vanishes without the claim's triples. When several causes bring
about the same finding (a third value under ``sh:maxCount 1``), it does not vanish: then the other causes are taken away
one by one as long as the finding stands, and the claim is to blame if what is left needs it. So standing findings count
as well as new ones, and unrelated faults of the same subject do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.sources.shacl.engine import Engine, Foci
from imprimatur.sources.shacl.facts import text_of
from imprimatur.sources.shacl.shape import Finding, Shape
from imprimatur.sources.shacl.view import Edge, Terms, View, Watched

__all__ = ["Blamed", "Doubtful", "blame"]

_MOST_CAUSES = 60


@dataclass(frozen=True, slots=True)
class Blamed:
    """A finding and the number of the claim that it rests on."""

    claim: int
    finding: Finding


class Doubtful(CheckFailed):
    """A shape is neither kept nor broken: a comparison that a claim brings in has no outcome, or a recursive shape
    comes back to itself at a node that the claim touches."""


@dataclass(frozen=True, slots=True)
class _Case:
    """All that is asked at once: the triples added, the focus nodes that they touch, and when the time is over."""

    engine: Engine
    terms: Terms
    added: tuple[Edge, ...]
    foci: Foci
    deadline: float

    def view(self, removed: frozenset[Edge] = frozenset()) -> View:
        return self.engine.view(self.terms, added=self.added, removed=removed, deadline=self.deadline)

    def found(self, removed: frozenset[Edge], foci: Foci) -> tuple[dict[Finding, None], View]:
        """The findings at these focus nodes (those that still are targets) without some triples."""
        view = self.view(removed)
        shapes = self.engine.shapes
        left = {index: [node for node in nodes if shapes[index].covers(view, node)] for index, nodes in foci.items()}
        return self.engine.run(view, left), view


def blame(
    engine: Engine, terms: Terms, claims: Sequence[Sequence[Edge]], *, deadline: float
) -> tuple[tuple[Blamed, ...], View]:
    """The findings of the graph with all claims that rest on one of them, and that graph; of several claims the last is
    to blame.

    Raises:
        CheckFailed: a shape could not be evaluated. Doubtful: it has no outcome.
        LimitExceeded: too many focus nodes, or no time left.
    """
    added = tuple(dict.fromkeys(edge for claim in claims for edge in claim))
    full = engine.view(terms, added=added, deadline=deadline)
    full.check()
    try:
        foci = engine.affected(full, added)
        case = _Case(engine, terms, added, foci, deadline)
        standing = engine.run(full, foci)
        found: list[Blamed] = []
        doubts: list[str] = []
        for number in range(len(claims) - 1, -1, -1):
            if not standing and not full.doubts:
                break
            resting, doubtful = _resting(case, frozenset(claims[number]), standing, full)
            doubts += doubtful
            for finding in resting:
                del standing[finding]
                found.append(Blamed(number, finding))
    except RecursionError as error:
        raise LimitExceeded("the shapes are nested too deeply", hint="unfold them") from error
    if not any(engine.shapes[each.finding.shape].severity == "Violation" for each in found):
        circles = engine.circles(full)
        hint = "give both values types that have an order" if doubts else "break the circle in the data or the shapes"
        for what in (*doubts, *circles):
            raise Doubtful(f"a shape cannot be evaluated: {what}", hint=hint)
    return tuple(sorted(found, key=lambda each: each.claim)), full


def _resting(
    case: _Case, claim: frozenset[Edge], standing: dict[Finding, None], full: View
) -> tuple[list[Finding], list[str]]:
    """The findings and the doubts that rest on the claim."""
    if full.doubts:
        foci = case.foci
    else:
        roots = {root for finding in standing for root in _roots_of(case, finding)}
        foci = {index: nodes for index, nodes in case.foci.items() if index in roots}
    without, view = case.found(claim, foci)
    resting = [each for each in standing if each not in without or _one_of_several(case, each, claim)]
    return resting, [doubt for doubt in full.doubts if doubt not in view.doubts]


def _roots_of(case: _Case, finding: Finding) -> list[int]:
    """The shapes with targets that may have led to the finding: those from which its shape can be reached."""
    return [index for index in case.foci if finding.shape in case.engine.reach(index)]


def _one_of_several(case: _Case, finding: Finding, claim: frozenset[Edge]) -> bool:
    """Whether the claim is one of several causes of the finding, each of which would do."""
    return any(
        _needed(case, finding, claim, root=case.engine.shapes[index], focus=node)
        for index in _roots_of(case, finding)
        for node in case.foci[index]
    )


def _needed(case: _Case, finding: Finding, claim: frozenset[Edge], *, root: Shape, focus: int) -> bool:
    """Whether the claim is needed for the finding at one focus node once all rival causes that can go are gone."""
    engine = case.engine
    watched = Watched(case.terms, engine.types, added=case.added, deadline=case.deadline)
    foci = {root.index: (focus,)}
    if finding not in engine.run(watched, foci):
        return False
    _read_targets(root, watched, focus)
    if not watched.reads & claim:
        return False
    gone: set[Edge] = set()
    for rival in _rivals(case, watched.reads - claim, claim):
        if finding in case.found(frozenset(gone | {rival}), foci)[0]:
            gone.add(rival)
    return finding not in case.found(frozenset(gone) | claim, foci)[0]


def _read_targets(root: Shape, view: View, focus: int) -> None:
    """Reads all triples that make the node a focus node of the shape."""
    for target in root.targets:
        target.covers(view, focus)
    view.objects(focus, view.types.type)


def _rivals(case: _Case, reads: set[Edge], claim: frozenset[Edge]) -> list[Edge]:
    """Triples that may cause the same finding, the likeliest first; never the class hierarchy."""
    types, terms = case.engine.types, case.terms
    predicates = {p for _, p, _ in claim}
    ends = {end for s, _, o in claim for end in (s, o)}

    def far(edge: Edge) -> tuple[bool, bool, str]:
        near = edge[0] in ends or edge[2] in ends
        written = " ".join(text_of(terms.term(part)) for part in edge)
        return (edge[1] == types.type, not (edge[1] in predicates and near), written)

    return sorted((edge for edge in reads if edge[1] != types.subclass), key=far)[:_MOST_CAUSES]
