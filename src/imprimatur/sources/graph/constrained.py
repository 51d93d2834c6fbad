"""The graph with its shapes: a claim that breaks a constraint is not licensed, stored or not (DESIGN section 3).

What the graph says of a claim stands, but for two labels. ``supported``: if a violation rests on the fact itself or on
a triple that it was derived from, the claim is ``contradicted`` with ``constraint-violation``, or ``not_found`` with
``constraint-incomplete`` when only something missing breaks the shape. ``not_found``: the claim's own triple is tried;
when every triple that its readings allow is in conflict with the shapes, it is ``contradicted``. A shape that cannot be
evaluated makes either ``unchecked``. Negated claims assert no triple. The graph is never changed.

Within one answer (``for_answer``) the claims that the graph is silent about are also tried together: each may keep the
shapes and both break them; then the later one is ``contradicted``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from imprimatur.claim import Claim, Modality
from imprimatur.errors import InputError, RuntimeFault
from imprimatur.evidence import Evidence
from imprimatur.sources.graph.candidates import Triple, proposed, rested_on
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.sources.graph.shapes import Shapes, Violation
from imprimatur.verdict import Judgement, Label, Reason

__all__ = ["AnswerSource", "ConstrainedSource"]

_MEMO = 8192
#: So many claims of an answer are tried together at most, the latest of them.
_TOGETHER = 12


class ConstrainedSource:
    """Judges claims against a graph and its shapes.

    Args:
        source: the graph alone.
        shapes: its shapes.
        limit_s: how many seconds the shapes may take for one triple.
    """

    name = "graph"

    def __init__(self, source: GraphSource, shapes: Shapes, *, limit_s: float = 5.0) -> None:
        self.source = source
        self.shapes = shapes
        self._limit_s = limit_s
        # Per instance, so that the table goes with the graph; failures are not remembered.
        self._broken: Callable[[Triple], tuple[Violation, ...]] = lru_cache(_MEMO)(self._find_broken)

    def judge(self, claim: Claim, limits: Limits) -> Judgement:
        """What the graph and its shapes say of the claim.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
        """
        claim = self.source.identified(claim, limits)
        found = self.source.judge(claim, limits)
        if claim.negated or found.label not in (Label.SUPPORTED, Label.NOT_FOUND):
            return found
        try:
            return self._stored(found) if found.label is Label.SUPPORTED else self._tried(claim, found)
        except (RuntimeFault, InputError):
            return replace(found, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))

    def for_answer(self, limits: Limits) -> AnswerSource:
        """The source for the claims of one answer, in order."""
        return AnswerSource(self, limits)

    def together(self, claim: Claim, found: Judgement, earlier: list[Triple]) -> Judgement:
        """The judgement on a claim that the graph is silent about, in view of ``earlier`` ones, which it then joins."""
        triples = proposed(claim, self.source)
        if len(triples) != 1:
            return found
        try:
            broken = self._jointly(earlier[-_TOGETHER:], triples[0]) if earlier else []
        except (RuntimeFault, InputError):
            return replace(found, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))
        if broken:
            return self._refused(found, broken)
        earlier.append(triples[0])
        return found

    def _jointly(self, earlier: Sequence[Triple], triple: Triple) -> list[Violation]:
        """The conflicts that rest on the last of several triples."""
        found = self.shapes.joint([*([each] for each in earlier), [triple]], limit_s=self._limit_s)
        return [
            violation
            for number, violation in found
            if number == len(earlier) and violation.conflict and violation.blocks
        ]

    def _stored(self, found: Judgement) -> Judgement:
        triples = [triple for evidence in found.evidence for triple in rested_on(evidence)]
        broken = [violation for triple in triples for violation in self._broken(triple)]
        if not broken:
            return found
        conflicts = [violation for violation in broken if violation.conflict]
        return self._refused(found, conflicts or broken)

    def _tried(self, claim: Claim, found: Judgement) -> Judgement:
        triples = proposed(claim, self.source)
        each = [self._broken(triple) for triple in triples]
        if not each or not all(each):
            return found
        conflicts = [[violation for violation in broken if violation.conflict] for broken in each]
        if all(conflicts):
            return self._refused(found, [violation for broken in conflicts for violation in broken])
        return self._refused(found, [violation for broken in each for violation in broken if not violation.conflict])

    def _find_broken(self, triple: Triple) -> tuple[Violation, ...]:
        found = self.shapes.judge([triple], limit_s=self._limit_s)
        return tuple(violation for violation in found if violation.blocks)

    def _refused(self, found: Judgement, broken: Sequence[Violation]) -> Judgement:
        origin = ", ".join(path.name for path in self.shapes.files)
        evidence = tuple(dict.fromkeys(_evidence(violation, origin) for violation in broken))
        conflict = broken[0].conflict
        return replace(
            found,
            label=Label.CONTRADICTED if conflict else Label.NOT_FOUND,
            reasons=(Reason.CONSTRAINT_VIOLATION if conflict else Reason.CONSTRAINT_INCOMPLETE,),
            evidence=(*evidence, *(replace(each, correction=None) for each in found.evidence)),
        )


class AnswerSource:
    """Judges the claims of one answer against a graph and its shapes (implements ``protocols.Source``)."""

    name = "graph"

    def __init__(self, source: ConstrainedSource, limits: Limits) -> None:
        self.source = source
        self._limits = limits
        self._earlier: list[Triple] = []

    @property
    def immediate(self) -> bool:
        """Whether it only looks things up in memory: no shape is left to pySHACL."""
        return not self.source.shapes.by_process

    def __copy__(self) -> AnswerSource:
        made = AnswerSource(self.source, self._limits)
        made._earlier = [*self._earlier]
        return made

    def judge(self, claim: Claim) -> Judgement:
        """What the graph and its shapes say of the claim, in view of the claims before it.

        Raises:
            KnowledgeBaseError: the shapes are malformed.
        """
        claim = self.source.source.identified(claim, self._limits)
        found = self.source.judge(claim, self._limits)
        tried = found.label is Label.NOT_FOUND and Reason.CONSTRAINT_INCOMPLETE not in found.reasons
        if not tried or claim.negated or claim.modality is not Modality.ASSERTED:
            return found
        return self.source.together(claim, found, self._earlier)


def _evidence(violation: Violation, origin: str) -> Evidence:
    """The violation in words, and the query that shows the values which the shape examines."""
    focus, path = violation.focus, violation.path
    step = f"<{path}>" if "://" in path and " " not in path and "<" not in path else path
    query = f"SELECT ?value {{ {focus} {step} ?value }}" if path else f"SELECT ?path ?value {{ {focus} ?path ?value }}"
    content = f"{violation.message} [{violation.shape}]"
    return Evidence(source="graph", kind="constraint", content=content, query=query, origin=origin)
