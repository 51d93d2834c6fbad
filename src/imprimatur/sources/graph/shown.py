"""What the graph shows for an outcome: the triples it rests on, with their origin and a query that re-finds them.

Triples that are rows of tables are shown as these, with SQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Protocol

from imprimatur.evidence import Evidence
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.outcomes import Outcome
from imprimatur.sources.graph.places import where
from imprimatur.sources.graph.sparql import ask
from imprimatur.sources.graph.terms import TRUST_CLASSES
from imprimatur.verdict import Judgement

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource

__all__ = ["Row", "Rows", "Tally", "judgement"]

_BESIDE = 3  # so many rows are shown beside a query over all of them


class Row(Protocol):
    """A row of a table: its cells in words, the query that gives them again, and where it stands."""

    @property
    def content(self) -> str: ...

    @property
    def query(self) -> str: ...

    @property
    def origin(self) -> str: ...

    @property
    def spots(self) -> tuple[tuple[int, int, int], ...]: ...


class Rows(Protocol):
    """The tables that a part of the graph was mapped from."""

    def told(self, triples: Iterable[tuple[str, str, str]]) -> tuple[Sequence[Row], bool]:
        """The rows that some triples stand in, and whether that is all of the triples."""
        ...

    def reckoned(self, asked: Tally) -> Row | None:
        """A figure over many rows, as one query gives it; None where none gives just that."""
        ...


class Tally(NamedTuple):
    """A ``Reckoning`` with IRIs and lexical forms."""

    figure: str
    value: Fraction
    of: tuple[str, ...]
    counted: tuple[str, ...]
    base: tuple[tuple[str, str, str], ...]
    triples: tuple[tuple[str, str, str], ...]
    property: str | None


def judgement(source: GraphSource, outcome: Outcome) -> Judgement:
    """The judgement that an outcome comes to."""
    over_all = _over_all(source, outcome)
    facts = outcome.facts[: min(_BESIDE, outcome.shown) if over_all else outcome.shown]
    right = [None if over_all else outcome.correction for _ in facts]
    if outcome.reckoning is not None:
        right[1:] = [None for _ in right[1:]]  # one figure is right, whatever facts it is of
    each = tuple(e for f, correction in zip(facts, right, strict=True) for e in _evidence(source, f, correction))
    return Judgement(
        source=source.name,
        label=outcome.label,
        reasons=outcome.reasons,
        evidence=(*over_all, *each) or _absence(source, outcome),
        candidates=outcome.candidates,
        clarify=outcome.clarify,
    )


def _over_all(source: GraphSource, outcome: Outcome) -> tuple[Evidence, ...]:
    """The query that gives the figure of an outcome, where there is one."""
    found = outcome.reckoning
    if found is None or source.rows is None:
        return ()
    graph = source.graph

    def triples(facts: Iterable[Fact]) -> tuple[tuple[str, str, str], ...]:
        return tuple((graph.iri(x.s), graph.iri(x.p), graph.iri(x.o)) for fact in facts for x in fact.steps)

    row = source.rows.reckoned(
        Tally(
            figure=found.figure.value,
            value=found.value,
            of=tuple(map(graph.iri, found.of)),
            counted=tuple(map(graph.iri, found.counted)),
            base=triples(found.base),
            triples=triples(found.facts),
            property=found.property,
        )
    )
    if row is None:
        return ()
    classes = {source.entailment.trust(fact) for fact in (*found.base, *found.facts)}
    return (
        Evidence(
            source="tables",
            kind="row",
            content=row.content,
            query=row.query,
            origin=row.origin,
            trust=max(classes, key=TRUST_CLASSES.index, default=TRUST_CLASSES[0]),
            correction=outcome.correction,
        ),
    )


def _evidence(source: GraphSource, fact: Fact, correction: str | None) -> Iterator[Evidence]:
    """The rows that a fact rests on, and the triples where they are not all of rows."""
    stated = source.entailment.describe(fact)
    trust = source.entailment.trust(fact)
    graph = source.graph
    if source.rows is None:
        rows: Sequence[Row] = ()
        every = False
    else:
        rows, every = source.rows.told((graph.iri(x.s), graph.iri(x.p), graph.iri(x.o)) for x in fact.steps)
    for number, row in enumerate(rows):
        right = correction if every and not number else None
        yield Evidence(
            source="tables",
            kind="row",
            content=row.content,
            query=row.query,
            origin=row.origin,
            spots=row.spots,
            trust=trust,
            correction=right,
            terms=stated if every and not number else "",
        )
    if not every:
        yield Evidence(
            source=source.name,
            kind="triple",
            content=stated,
            query=ask(graph, fact),
            origin=where(source.graph.places, source.entailment.origins(fact)),
            trust=trust,
            correction=correction,
        )


def _absence(source: GraphSource, outcome: Outcome) -> tuple[Evidence, ...]:
    """That a graph which is complete in a property has no value of it."""
    if outcome.absent is None:
        return ()
    subject, iri = outcome.absent
    thing = source.graph.n3(subject)
    return (
        Evidence(
            source=source.name,
            kind="triple",
            content=f"no {thing} <{iri}> …: the knowledge base is complete in this property",
            query=f"ASK {{ FILTER NOT EXISTS {{ {thing} <{iri}> ?value }} }}",
            origin=where(None, source.graph.origins),
        ),
    )
