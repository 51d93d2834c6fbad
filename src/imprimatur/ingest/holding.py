"""What becomes of candidates: held against the checks, settled, validated together, and made rows.

Contract: the rows depend on the proposals, the checks and what people decided, not on the order of documents. A check
that fails lets nothing in. What is not let in is kept with its reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Protocol

from imprimatur._dataclasses import dataclass
from imprimatur.errors import CheckFailed
from imprimatur.ingest.candidate import Candidate, Refusal, Thing
from imprimatur.ingest.kept import Proposals
from imprimatur.ingest.planning import Found
from imprimatur.ingest.quads import of_candidate, term, unfit
from imprimatur.ingest.rows import Row, row_id
from imprimatur.sources.graph.terms import RDF, TRUST_CLASSES, iri_text, spoken_name

__all__ = ["Checks", "Settled", "held_rows", "row_of"]


_TYPE = RDF + "type"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A candidate whose things have IRIs; or the reasons why it could not be told which things are meant.

    Attributes:
        new: those of its things that the knowledge base does not have yet.
        how: how each thing was found, in a word, for the record.
    """

    candidate: Candidate
    new: tuple[Thing, ...] = ()
    how: str = ""
    refusals: tuple[Refusal, ...] = ()


class Checks(Protocol):
    """What candidates are held against."""

    @property
    def identity(self) -> str:
        """Its name, with a hash of all that its answers depend on."""
        ...

    def settle(self, candidates: Sequence[Candidate]) -> Sequence[Settled]:
        """Which things are meant, for all candidates together: one answer each, in their order, whatever that is."""
        ...

    def classes(self, iri: str) -> tuple[str, ...]:
        """What the knowledge base says that a thing is, of itself."""
        ...

    def refusals(self, candidate: Candidate) -> tuple[Refusal, ...]:
        """What speaks against one candidate by itself, now that its things are told."""
        ...

    def broken(self, candidates: Sequence[Candidate]) -> Sequence[tuple[Refusal, ...]]:
        """What the knowledge base with all of these would break, and by which: reasons for each, none where it may."""
        ...

    def words(self, property_: str) -> str:
        """What a property is called."""
        ...


@dataclass(slots=True)
class _Held:
    """A candidate on its way."""

    candidate: Candidate
    id: str
    document_hash: str
    reasons: tuple[Refusal, ...] = ()
    new: tuple[Thing, ...] = ()
    how: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What people decided before, by the ids of rows; and the rows that no document stands behind."""

    accepted: Mapping[str, Row] = field(default_factory=dict)
    rejected: Mapping[str, Row] = field(default_factory=dict)
    alone: tuple[Row, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Decided:
        """The decisions among some rows."""
        known = list(rows)
        return cls(
            accepted={row.id: row for row in known if row.state == "accepted"},
            rejected={row.id: row for row in known if row.state == "rejected"},
            alone=tuple(row for row in known if not row.document and row.state not in ("accepted", "rejected")),
        )


def held_rows(
    proposals: Mapping[str, Proposals], documents: Mapping[str, Found], checks: Checks, before: Iterable[Row]
) -> tuple[Row, ...]:
    """The rows of a store: what documents state and the checks let in, what they do not, and what people decided.

    Args:
        proposals: what was proposed of each document. before: the rows that the store holds now.

    Raises:
        CheckFailed: a check gives no answer for some candidate. ImprimaturError: what the checks raise.
    """
    decided = Decided.of(before)
    entering: list[_Held] = []
    for id_ in sorted(proposals):
        read = proposals[id_]
        for number, proposed in enumerate(read.candidates):
            candidate, misplaced = _named(proposed), (read.misplaced or {}).get(number)
            reasons = (Refusal(code="misplaced", detail=misplaced),) if misplaced else unfit(candidate)
            entering.append(_Held(candidate, row_id(candidate), documents[id_].sha256, reasons))
    open_ = [each for each in entering if not each.reasons and each.id not in decided.rejected]
    _settle(open_, checks)
    _refuse([each for each in open_ if not each.reasons], checks)
    # What was accepted is in the graph already, as it was accepted.
    _validate([each for each in open_ if not each.reasons and each.id not in decided.accepted], checks)
    rows = [_decided(_row(each, checks), decided) for each in entering]
    return _with_decisions(rows, decided)


def _named(candidate: Candidate) -> Candidate:
    """The candidate with a name for the class, where that is its value."""
    value = candidate.value
    if candidate.property != _TYPE or not isinstance(value, Thing) or value.name or not value.iri:
        return candidate
    return replace(candidate, value=replace(value, name=spoken_name(value.iri)))


def _settle(entering: Sequence[_Held], checks: Checks) -> None:
    settled = checks.settle([each.candidate for each in entering])
    if len(settled) != len(entering):
        raise CheckFailed("some candidates were not settled")
    for each, found in zip(entering, settled, strict=True):
        each.candidate, each.new, each.how = found.candidate, found.new, found.how
        each.reasons = found.refusals or _unsettled(found.candidate) or unfit(found.candidate)


def _refuse(entering: Sequence[_Held], checks: Checks) -> None:
    """Holds what is settled against the checks; what a document says a thing is counts in the whole document."""
    memberships = [each for each in entering if each.candidate.property == _TYPE]
    told: dict[tuple[str, str], dict[str, None]] = {}
    for each in memberships:
        value, subject = each.candidate.value, each.candidate.subject
        if isinstance(value, Thing) and not checks.refusals(each.candidate):
            told.setdefault((_document(each.candidate), subject.iri), {})[value.iri] = None

    def with_classes(thing: Thing, document: str) -> Thing:
        more = (*checks.classes(thing.iri), *told.get((document, thing.iri), ()))
        return replace(thing, classes=tuple(dict.fromkeys((*thing.classes, *sorted(more)))))

    for each in entering:
        candidate, document = each.candidate, _document(each.candidate)
        value = candidate.value
        if isinstance(value, Thing) and candidate.property != _TYPE:
            value = with_classes(value, document)
        full = replace(candidate, subject=with_classes(candidate.subject, document), value=value)
        each.candidate, each.reasons = full, tuple(checks.refusals(full))


def _document(candidate: Candidate) -> str:
    return candidate.place.document if candidate.place is not None else ""


def _unsettled(candidate: Candidate) -> tuple[Refusal, ...]:
    things = [each for each in (candidate.subject, candidate.value) if isinstance(each, Thing)]
    names = [thing.name for thing in things if not thing.iri]
    if not names:
        return ()
    return (Refusal(code="ambiguous-thing", detail=f"it is not settled which thing {names[0][:80]!r} is"),)


def _validate(entering: Sequence[_Held], checks: Checks) -> None:
    found = checks.broken([each.candidate for each in entering])
    if len(found) != len(entering):
        raise CheckFailed("some candidates were not validated")
    for each, reasons in zip(entering, found, strict=True):
        each.reasons = tuple(reasons)


def row_of(settled: Settled, words: str, *, state: str, document_hash: str = "", id_: str = "") -> Row:
    """The row of a candidate; it has quads where it may be in the graph.

    Args:
        words: what its property is called. id_: by default that of the candidate as it is.
    """
    candidate, place = settled.candidate, settled.candidate.place
    value = candidate.value
    told = (value.name or spoken_name(value.iri)) if isinstance(value, Thing) else value.lexical
    times = "–".join(candidate.valid) if any(candidate.valid) else ""
    fits = bool(candidate.subject.iri and term(value)) and not unfit(candidate)
    row = Row(
        id=id_ or row_id(candidate),
        state=state,
        trust=candidate.trust,
        by=candidate.by,
        words=f"{candidate.subject.name} — {words} — {told}" + (f" ({times})" if times else ""),
        subject=candidate.subject.iri,
        property=candidate.property,
        value=term(value),
        quads=of_candidate(candidate, settled.new) if fits else (),
        reasons=settled.refusals,
        how=settled.how,
    )
    if place is None:
        return row
    return replace(
        row,
        document=place.document,
        quote=place.quote,
        document_hash=document_hash,
        start=max(0, place.start),
        end=max(0, place.start, place.end),
    )


def _row(each: _Held, checks: Checks) -> Row:
    candidate = each.candidate
    state = "quarantined" if each.reasons else "waiting" if candidate.trust == TRUST_CLASSES[2] else "stored"
    settled = Settled(candidate=candidate, new=each.new, how=each.how, refusals=each.reasons)
    words = checks.words(candidate.property) or spoken_name(candidate.property)
    return row_of(settled, words, state=state, document_hash=each.document_hash, id_=each.id)


def _decided(row: Row, decided: Decided) -> Row:
    """The row as a person decided on it: what was decided on stays what it was, wherever its sentence has moved."""
    standing = decided.rejected.get(row.id) or decided.accepted.get(row.id)
    if standing is None:
        return row
    old, new, quads = standing.place, row.place, standing.quads
    if old is not None and new is not None:
        graphs = (f" {iri_text(old.iri)} .", f" {iri_text(new.iri)} .")
        quads = tuple(quad.removesuffix(graphs[0]) + graphs[1] for quad in quads)
    return replace(standing, start=row.start, end=row.end, document_hash=row.document_hash, quads=quads)


def _with_decisions(rows: Sequence[Row], decided: Decided) -> tuple[Row, ...]:
    """The rows, each once, with the decisions on what no document states now."""
    stated = {row.id for row in rows}
    gone = [row for row in (*decided.accepted.values(), *decided.rejected.values()) if row.id not in stated]
    return tuple(sorted(dict.fromkeys((*rows, *gone, *decided.alone)), key=lambda row: row.order))
