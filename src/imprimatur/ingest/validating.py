"""Settled candidates against the axioms and shapes of a knowledge base: who is to blame for what would break.

Contract: the graph is seen with all candidates together, and never copied or changed. Every candidate that a break
rests on is to blame, whatever the order they come in; when some are taken out, the others are validated again, until
nothing breaks. Values that are merely missing break nothing here: they are told as ``incomplete``, and the judge of
answers sees to them. What could not be examined, for lack of time or because a check failed, is ``unchecked``: it is
not let in.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError, RuntimeFault
from imprimatur.ingest.axiom_checks import broken_axioms
from imprimatur.ingest.candidate import Candidate, Refusal, Thing
from imprimatur.ingest.known_things import KnownThings
from imprimatur.ingest.resolving import AMBIGUOUS
from imprimatur.sources.graph.shapes import Shapes, Violation
from imprimatur.sources.graph.terms import RDF, RDFS, RdfLiteral, iri_text, literal_text

__all__ = ["Validation", "validate"]

LIMIT_S = 60.0
_TYPE, _LABEL = iri_text(RDF + "type"), iri_text(RDFS + "label")
#: Subject, predicate and object, in N-Triples.
_Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """What was found of each candidate, in their order.

    Attributes:
        refusals: why it is not let in; nothing where it may be.
        incomplete: what shapes ask for that is not there, in words; no reason to keep it out.
    """

    refusals: tuple[tuple[Refusal, ...], ...]
    incomplete: tuple[tuple[str, ...], ...]


def validate(
    known: KnownThings, shapes: Shapes | None, candidates: Sequence[Candidate], *, limit_s: float = LIMIT_S
) -> Validation:
    """Validates candidates whose things have IRIs, together.

    Args:
        known: the graph, its vocabulary and the guardrail. shapes: those of the knowledge base; None for none.
        limit_s: how many seconds the shapes may take for all of them.

    Raises:
        KnowledgeBaseError: the shapes are malformed.
    """
    found: dict[int, list[Refusal]] = defaultdict(list)
    for number, each in enumerate(candidates):
        found[number] += _unsettled(each)
    left = {number: each for number, each in enumerate(candidates) if not found[number]}
    for number, refusals in broken_axioms(known, left).items():
        found[number] += refusals
    incomplete: dict[int, dict[str, None]] = defaultdict(dict)
    if shapes is not None:
        left = {number: each for number, each in left.items() if not found[number] and not _stored(known, each)}
        judged = _Judged(known, shapes, left, time.monotonic() + limit_s)
        judged.run()
        for number in left:
            triple = judged.triple(number)
            found[number] += judged.refused.get(triple, {})
            incomplete[number] |= judged.incomplete.get(triple, {})
    order = range(len(candidates))
    return Validation(
        refusals=tuple(tuple(found[number]) for number in order),
        incomplete=tuple(tuple(sorted(incomplete[number])) if not found[number] else () for number in order),
    )


def _stored(known: KnownThings, candidate: Candidate) -> bool:
    """Whether the graph has the fact already, so that nothing changes by it."""
    graph, value = known.graph, candidate.value
    subject, predicate = graph.id(candidate.subject.iri), graph.id(candidate.property)
    object_ = graph.literal_id(value) if isinstance(value, RdfLiteral) else graph.id(value.iri)
    return None not in (subject, predicate, object_) and graph.has(subject or 0, predicate or 0, object_ or 0)


def _unsettled(candidate: Candidate) -> list[Refusal]:
    things = [candidate.subject, *([candidate.value] if isinstance(candidate.value, Thing) else [])]
    return [
        Refusal(code=AMBIGUOUS, detail=f"it is not settled which thing “{each.name[:80]}” is")
        for each in things
        if not each.iri
    ]


class _Judged:
    """The shapes' part. Facts that are stated twice are one claim."""

    def __init__(
        self, known: KnownThings, shapes: Shapes, candidates: Mapping[int, Candidate], deadline: float
    ) -> None:
        self._known, self._shapes, self._deadline = known, shapes, deadline
        self._triples = {number: _triple(each) for number, each in candidates.items()}
        self._things: dict[_Triple, dict[str, set[tuple[str, tuple[str, ...]]]]] = {}
        for number, each in candidates.items():
            new = self._things.setdefault(self._triples[number], {})
            for thing in (each.subject, each.value):
                if isinstance(thing, Thing) and thing.iri not in known and not _is_class(each, thing):
                    new.setdefault(thing.iri, set()).add((thing.name, thing.classes))
        self.refused: dict[_Triple, dict[Refusal, None]] = {}
        self.incomplete: dict[_Triple, dict[str, None]] = {}

    def triple(self, number: int) -> _Triple:
        """The claim of a candidate."""
        return self._triples[number]

    def run(self) -> None:
        """Takes out what is to blame until nothing is."""
        while True:
            left = sorted(triple for triple in self._things if triple not in self.refused)
            before = len(self.refused)
            try:
                claims = self._claims(left)
                groups = self._shapes.groups([triples for triples, _ in claims], limit_s=self._left())
            except (InputError, RuntimeFault) as fault:
                self._unchecked(left, fault)
                return
            self.incomplete.clear()
            for group in groups:
                self._group([claims[number] for number in group])
            if len(self.refused) == before:
                return

    def _left(self) -> float:
        return self._deadline - time.monotonic()

    def _claims(self, left: Iterable[_Triple]) -> list[tuple[list[_Triple], list[_Triple]]]:
        """What is claimed: each fact, and each new thing's classes and name; with the facts that stand behind it."""
        facts = [([triple], [triple]) for triple in left]
        new: dict[str, dict[_Triple, None]] = defaultdict(dict)
        behind: dict[str, list[_Triple]] = defaultdict(list)
        names: dict[str, str] = {}
        for triple in (each for _, owners in facts for each in owners):
            for iri, told in sorted(self._things[triple].items()):
                behind[iri].append(triple)
                for _, classes in sorted(told):
                    new[iri] |= dict.fromkeys((iri_text(iri), _TYPE, iri_text(each)) for each in classes)
                names.setdefault(iri, min(told)[0])
        for iri, name in names.items():
            new[iri][iri_text(iri), _LABEL, literal_text(RdfLiteral(name))] = None
        return [*facts, *((list(new[iri]), behind[iri]) for iri in sorted(new))]

    def _group(self, claims: list[tuple[list[_Triple], list[_Triple]]]) -> None:
        every = [triples for triples, _ in claims]
        owners = sorted({triple for _, behind in claims for triple in behind})
        try:
            standing = {each for _, each in self._shapes.joint(every, limit_s=self._left()) if each.blocks}
            resting = self._resting(claims) if standing else []
        except (InputError, RuntimeFault) as fault:
            self._unchecked(owners, fault)
            return
        unexplained = set(standing)
        facts = [
            (behind, found) for (triples, behind), found in zip(claims, resting, strict=False) if triples == behind
        ]
        for behind, found in facts:
            unexplained -= found
            self._blame(behind, found)
        for (triples, behind), found in zip(claims, resting, strict=False):
            if triples != behind:
                self._blame(behind, found & unexplained)

    def _resting(self, claims: list[tuple[list[_Triple], list[_Triple]]]) -> list[set[Violation]]:
        """The violations that rest on each claim, among others or not: each is asked about as if it came last."""
        found = []
        for number, (triples, _) in enumerate(claims):
            others = [other for at, (other, _) in enumerate(claims) if at != number]
            joint = self._shapes.joint([*others, triples], limit_s=self._left())
            found.append({each for at, each in joint if at == len(others) and each.blocks})
        return found

    def _blame(self, triples: Iterable[_Triple], violations: Iterable[Violation]) -> None:
        for each in sorted(violations, key=lambda one: (one.message, one.shape)):
            for triple in triples:
                if each.conflict:
                    self.refused.setdefault(triple, {})[Refusal(code="shape", detail=each.message)] = None
                else:
                    self.incomplete.setdefault(triple, {})[each.message] = None

    def _unchecked(self, triples: Iterable[_Triple], fault: Exception) -> None:
        refusal = Refusal(code="unchecked", detail=f"the shapes could not examine it: {fault}")
        for triple in triples:
            self.refused.setdefault(triple, {})[refusal] = None


def _is_class(candidate: Candidate, thing: Thing) -> bool:
    return candidate.property == RDF + "type" and thing is candidate.value


def _triple(candidate: Candidate) -> _Triple:
    value = candidate.value
    object_ = literal_text(value) if isinstance(value, RdfLiteral) else iri_text(value.iri)
    return iri_text(candidate.subject.iri), iri_text(candidate.property), object_
