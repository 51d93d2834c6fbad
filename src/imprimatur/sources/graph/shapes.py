"""SHACL shapes over a graph: does a claim break a constraint, and does the graph keep its own?

Contract: ``Shapes.judge`` gives the violations of the graph together with a claim that rest on the claim, new ones and
standing ones; ``Shapes.joint`` the same for all claims of an answer; ``Shapes.check_graph`` validates the whole graph.
Shapes are compiled into look-ups (``sources.shacl``); one that cannot be is judged by pySHACL, and listed (``ways``).
The graph is never changed. rdflib and pySHACL are imported only where they are needed. A shape that cannot be evaluated
is an error of its own kind, never "conforms".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.store import Graph

if TYPE_CHECKING:
    from imprimatur.sources.graph.shape_digest import Implied
    from imprimatur.sources.graph.shapes_blame import Judge
    from imprimatur.sources.shacl.judging import Judging
    from imprimatur.sources.shacl.report import GraphCheck

__all__ = ["Engine", "ShapeFocus", "ShapeWay", "Shapes", "Triple", "Violation"]

Engine = Literal["compiled", "pyshacl"]

#: Subject, predicate, object; each in N-Triples text, a pyoxigraph term, or the graph's identifier of a term.
Triple = tuple[object, object, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A broken constraint.

    Attributes:
        focus: the focus node, in N-Triples.
        shape: the IRI of the shape; for a blank node, that of the shape that holds it, "/" and a hash.
        path: the property's IRI, or the path in SPARQL notation; empty for a node shape.
        component: the constraint component's local name (``MinExclusiveConstraintComponent``), or its IRI if not W3C's.
        value: the violating value in N-Triples; empty when the result has none.
        message: entity, property, what is allowed and what was found, in plain words.
        severity: ``Violation``, ``Warning``, ``Info`` or the IRI's local name.
        conflict: True when values that are there break the constraint (``constraint-violation``); False when triples
            that are merely missing would mend it (``constraint-incomplete``).
    """

    focus: str
    shape: str
    path: str
    component: str
    value: str
    message: str
    severity: str
    conflict: bool

    @property
    def blocks(self) -> bool:
        """Whether the violation stands against a licence: only severity ``sh:Violation`` does."""
        return self.severity == "Violation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeFocus:
    """A shape with targets: its name, label, targets as (kind, term) and how many focus nodes it has in the graph.

    Focus nodes of SHACL-AF targets (``sh:target``) are not counted.
    """

    shape: str
    label: str
    targets: tuple[tuple[str, str], ...]
    focus_nodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeWay:
    """How a shape with targets runs.

    Attributes:
        shape, label: its name, and what people call it.
        way: ``compiled`` into look-ups, or ``fallback``: by pySHACL.
        reason: why it is not compiled; else ``recursive`` or empty.
    """

    shape: str
    label: str
    way: str
    reason: str


@dataclass(slots=True)
class Shapes:
    """The shapes of a graph. Made by ``Shapes.load``; the files are parsed on first use.

    ``engine`` is ``compiled`` (shapes that cannot be compiled fall back on pySHACL) or ``pyshacl`` (all by pySHACL).
    """

    graph: Graph
    files: tuple[Path, ...]
    content_hash: str
    engine: Engine = "compiled"
    _judging: Judging | None = field(default=None, repr=False)
    _reference: Judge | None = field(default=None, repr=False)

    @classmethod
    def load(cls, graph: Graph, shapes_files: Iterable[Path | str], *, engine: Engine = "compiled") -> Shapes:
        """The shapes of some files over a graph. ``content_hash`` is a SHA-256 over the files' bytes, in order.

        Raises:
            KnowledgeBaseError: a file cannot be read. Its content is checked on first use (or by ``verify``).
        """
        files = tuple(Path(each) for each in shapes_files)
        digest = sha256()
        for path in files:
            try:
                content = path.read_bytes()
            except OSError as error:
                raise KnowledgeBaseError(
                    f"the shapes cannot be read: {error.strerror}", hint="check the name", where=str(path)
                ) from error
            digest.update(sha256(content).digest())
        return cls(graph, files, digest.hexdigest(), engine)

    def _compiled(self) -> Judging:
        if self._judging is None:
            from imprimatur.sources.shacl.judging import Judging

            self._judging = Judging(self.graph, self.files)
        return self._judging

    def _by_pyshacl(self) -> Judge:
        if self._reference is None:
            from imprimatur.sources.graph.shapes_blame import Judge
            from imprimatur.sources.graph.shapes_overlay import Base
            from imprimatur.sources.graph.shapes_read import shapes_of
            from imprimatur.sources.shacl.facts import read_facts

            self._reference = Judge(Base(self.graph), shapes_of(read_facts(self.files)))
        return self._reference

    def ways(self) -> tuple[ShapeWay, ...]:
        """How each shape with targets runs under the compiled engine, by name.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
        """
        return self._compiled().ways()

    def implied(self) -> tuple[Implied, ...]:
        """What the shapes imply of all values of a property.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
        """
        from imprimatur.sources.shacl.implied import implied_by

        return implied_by(self._compiled().engine)

    def verify(self) -> None:
        """Parses and checks the shapes, and tries those that pySHACL runs on a node that has nothing.

        Raises:
            KnowledgeBaseError: a shape is malformed: syntax, path, regular expression, SPARQL, parameters.
        """
        if self.engine == "pyshacl":
            from imprimatur.sources.graph.shapes_check import try_shapes

            try_shapes(self._by_pyshacl())
        elif self._compiled().engine.fallback:
            self._compiled().rest().open()

    @property
    def by_process(self) -> bool:
        """Whether some shape is judged by pySHACL, in a process of its own.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
        """
        return self.engine == "pyshacl" or bool(self._compiled().engine.fallback)

    def names(self) -> tuple[ShapeFocus, ...]:
        """The shapes with targets, each with its focus nodes counted."""
        if self.engine == "compiled":
            return self._compiled().names()
        from imprimatur.sources.graph.shapes_check import count_foci

        return count_foci(self._by_pyshacl())

    def unfocused(self) -> tuple[str, ...]:
        """The names of shapes that have no focus node in the graph: nothing is examined by them."""
        if self.engine == "compiled":
            return self._compiled().unfocused()
        return tuple(each.shape for each in self.names() if each.focus_nodes == 0)

    def unanalysed(self) -> tuple[str, ...]:
        """The names of shapes that hold a construct which is not analysed; a claim is checked at all their targets."""
        if self.engine == "compiled":
            return self._compiled().unanalysed()
        from imprimatur.sources.graph.shapes_affected import opaque

        judge = self._by_pyshacl()
        return tuple(judge.shapes.name(each) for each in opaque(judge.shapes))

    def judge(self, triples: Sequence[Triple], *, limit_s: float = 30.0) -> tuple[Violation, ...]:
        """The violations of the graph with these triples (one claim) that rest on them, whether new or standing.

        Raises:
            InputError: a term cannot be read.
            KnowledgeBaseError: the shapes are malformed.
            CheckFailed: a shape could not be evaluated, or a comparison that the claim brings in has no outcome.
            LimitExceeded: ``limit_s`` seconds were not enough, or the claim touches too many nodes.
        """
        return tuple(violation for _, violation in self.joint([triples], limit_s=limit_s))

    def joint(self, claims: Sequence[Sequence[Triple]], *, limit_s: float = 30.0) -> tuple[tuple[int, Violation], ...]:
        """The violations of the graph with all claims of an answer together, each with the number of the claim it
        rests on; when it rests on several, on the last of them.

        Raises: as ``judge``.
        """
        if self.engine == "compiled":
            return self._compiled().joint(claims, limit_s=limit_s)
        from imprimatur.sources.graph.shapes_check import violation_of
        from imprimatur.sources.graph.shapes_overlay import term_of
        from imprimatur.sources.graph.shapes_run import Clock

        graph = self.graph
        written = [[[graph.n3(x) if type(x) is int else x for x in triple] for triple in claim] for claim in claims]
        read = [frozenset((term_of(s), term_of(p), term_of(o)) for s, p, o in claim) for claim in written]
        judge = self._by_pyshacl()
        found = judge.blame(read, clock=Clock.of(limit_s))
        return tuple(
            (each.claim, violation_of(each.result, judge.shapes, message=each.message, conflict=each.conflict))
            for each in found
        )

    def groups(self, claims: Sequence[Sequence[Triple]], *, limit_s: float = 30.0) -> tuple[tuple[int, ...], ...]:
        """The claims by number, in groups such that no shape sees claims of two groups together; a claim that no shape
        sees is in none. What ``joint`` finds of all of them is what it finds of each group by itself.

        Raises: as ``judge``.
        """
        if self.engine == "compiled":
            return self._compiled().groups(claims, limit_s=limit_s)
        return (tuple(range(len(claims))),) if claims else ()

    def check_graph(self) -> GraphCheck:
        """The whole graph against its shapes.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
            CheckFailed: a shape could not be evaluated.
        """
        if self.engine == "compiled":
            return self._compiled().check_graph()
        from imprimatur.sources.graph.shapes_check import check_graph

        return check_graph(self._by_pyshacl())
