"""Which violations rest on which claims? (DESIGN section 3, SHACL.)

A violation of ``G ∪ claims`` rests on a claim when it vanishes without the claim's triples. When several causes bring
about the same violation (a third value under ``sh:maxCount 1``), it does not vanish: then the other causes are taken
away one by one as long as the violation stands, and the claim is to blame if what is left needs it. So standing
violations count as well as new ones, and unrelated faults of the same subject do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rdflib.namespace import RDF, RDFS
from rdflib.plugins.sparql.sparql import Query
from rdflib.term import Node

from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.sources.graph.shapes_affected import Reach, is_target, read_targets
from imprimatur.sources.graph.shapes_overlay import Base, Triple, View, view
from imprimatur.sources.graph.shapes_read import ShapeSet
from imprimatur.sources.graph.shapes_run import Clock, Foci, Result, run
from imprimatur.sources.graph.shapes_words import is_conflict, sentence

__all__ = ["Blamed", "Judge"]

_MOST_FOCI = 20_000
_MOST_CAUSES = 60


@dataclass(frozen=True, slots=True)
class Blamed:
    """A violation, its words, whether it is a conflict, and the number of the claim it rests on."""

    claim: int
    result: Result
    message: str
    conflict: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """One claim among those added, and the focus nodes that they touch."""

    added: frozenset[Triple]
    claim: frozenset[Triple]
    foci: Foci
    clock: Clock


@dataclass(slots=True)
class Judge:
    """Judges claims against the shapes of one graph. ``barred``: the shapes that may not be run, and why."""

    base: Base
    shapes: ShapeSet
    barred: Mapping[Node, str] = field(default_factory=dict)
    _parsed: dict[str, Query] = field(default_factory=dict)
    _deadline: float = float("inf")

    def view(self, added: frozenset[Triple], removed: frozenset[Triple] = frozenset()) -> View:
        """The graph with and without some triples."""
        seen = view(self.base, added=added, removed=removed, prefixes=self.shapes.prefixes, parsed=self._parsed)
        return seen.until(self._deadline)

    def blame(self, claims: Sequence[frozenset[Triple]], *, clock: Clock) -> tuple[Blamed, ...]:
        """The violations of the graph with all claims that rest on one of them; of several claims the last is to blame.

        Raises:
            CheckFailed: pySHACL could not evaluate a shape.
            LimitExceeded: too many focus nodes, or no time left.
        """
        added = frozenset[Triple]().union(*claims)
        self._deadline = clock.deadline
        full = self.view(added)
        foci = self._foci(added, full)
        standing = run(self.shapes, foci, full, clock=clock)
        found: list[Blamed] = []
        for number in range(len(claims) - 1, -1, -1):
            if not standing:
                break
            case = _Case(added, claims[number], foci, clock)
            for result in self._resting(case, standing):
                said = standing.pop(result)
                found.append(Blamed(number, result, *self._words(result, said, full, clock=clock)))
        return tuple(sorted(found, key=lambda each: (each.claim, each.message)))

    def _foci(self, added: frozenset[Triple], full: View) -> Foci:
        reach = Reach(self.shapes, added, full)
        foci: dict[Node, set[Node] | None] = {}
        for shape in self.shapes.roots:
            own = any(kind == "target" for kind, _ in self.shapes.targets(shape))
            nodes = None if own else reach.of(shape)
            if nodes is None or nodes:
                self.refuse(shape)
                foci[shape] = nodes
        if sum(len(nodes or ()) for nodes in foci.values()) > _MOST_FOCI:
            raise LimitExceeded(
                f"the claim touches more than {_MOST_FOCI} focus nodes", hint="narrow the shapes' targets"
            )
        return foci

    def refuse(self, shape: Node) -> None:
        """Raises CheckFailed when the shape may not be run."""
        if shape in self.barred:
            name = self.shapes.name(shape)
            what = f"the shape {self.shapes.label(shape)} is not compiled, and pySHACL may not run it"
            raise CheckFailed(f"{what}: {self.barred[shape]}", hint="mend the shape", where=name)

    def _resting(self, case: _Case, standing: dict[Result, tuple[str, ...]]) -> list[Result]:
        roots = {root for result in standing for root in self._roots_of(result)}
        foci = {root: nodes for root, nodes in case.foci.items() if root in roots}
        without = self._found(case, foci, case.claim)
        return [result for result in standing if result not in without or self._one_of_several(result, case)]

    def _found(self, case: _Case, foci: Foci, removed: frozenset[Triple]) -> dict[Result, tuple[str, ...]]:
        """The violations at these focus nodes (those that still are targets) once ``removed`` is gone."""
        graph = self.view(case.added, removed)
        left: dict[Node, set[Node] | None] = {}
        for root, nodes in foci.items():
            kept = nodes and {node for node in nodes if is_target(self.shapes, root, node, graph=graph)}
            if nodes is None or kept:
                left[root] = kept
        return run(self.shapes, left, graph, clock=case.clock)

    def _roots_of(self, result: Result) -> list[Node]:
        """The shapes with targets that may have led to the result: those from which its shape can be reached."""
        found = []
        for root in self.shapes.roots:
            queue, seen = [root], {root}
            for shape in queue:
                new = [each for each in self.shapes.inner(shape) if each not in seen]
                seen.update(new)
                queue += new
            if result.shape in seen:
                found.append(root)
        return found

    def _one_of_several(self, result: Result, case: _Case) -> bool:
        """Whether the claim is one of several causes of the result, each of which would do."""
        for root in self._roots_of(result):
            if root not in case.foci:
                continue
            nodes = case.foci[root]
            single: list[Foci] = [{root: None}] if nodes is None else [{root: {node}} for node in nodes]
            if any(self._needed(result, case, foci) for foci in single):
                return True
        return False

    def _needed(self, result: Result, case: _Case, foci: Foci) -> bool:
        """Whether the claim is needed for the result at one focus node once all rival causes that can go are gone."""
        watched = self.view(case.added)
        reads = watched.watch()
        if result not in run(self.shapes, foci, watched, clock=case.clock):
            return False
        for root, nodes in foci.items():
            for node in nodes or ():
                read_targets(self.shapes, root, node, graph=watched)
        if not reads & case.claim:
            return False
        gone: set[Triple] = set()
        for rival in _rivals(reads - case.claim, case.claim):
            if result in self._found(case, foci, frozenset(gone | {rival})):
                gone.add(rival)
        return result not in self._found(case, foci, frozenset(gone) | case.claim)

    def _words(self, result: Result, said: tuple[str, ...], graph: View, *, clock: Clock) -> tuple[str, bool]:
        def inner(shape: Node, node: Node) -> list[Result]:
            return list(run(self.shapes, {shape: {node}}, graph, clock=clock))

        return (
            sentence(result, said, self.shapes, graph=graph),
            is_conflict(result, self.shapes, graph, inner=inner),
        )


def _rivals(reads: set[Triple], claim: frozenset[Triple]) -> list[Triple]:
    """Triples that may cause the same violation, the likeliest first; never the class hierarchy."""
    predicates = {p for _, p, _ in claim}
    ends = {s for s, _, _ in claim} | {o for _, _, o in claim}

    def far(triple: Triple) -> tuple[bool, bool, str]:
        near = triple[0] in ends or triple[2] in ends
        return (triple[1] == RDF.type, not (triple[1] in predicates and near), str(triple))

    return sorted((each for each in reads if each[1] != RDFS.subClassOf), key=far)[:_MOST_CAUSES]
