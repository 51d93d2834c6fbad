"""Tables as a source for claims read as words (implements ``protocols.Source``): it refutes, and never supports.

A statement is refuted only where it is about a row that it names (or counts or ranks the rows of a table that it
names), every word of it was read, each value is of one column for sure, the reading was sure, and no table bears it
out. Tables must hold all of their kind, for what is not there is otherwise no evidence. Everything else is
``not_found``: the reading is shallow, and what it seems to bear out may mean something else (decision 28).
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.claim import Claim, Modality
from imprimatur.evidence import Evidence
from imprimatur.sources.tables.evidence import Rows
from imprimatur.sources.tables.library import Tables
from imprimatur.sources.tables.prose.atoms import Atom
from imprimatur.sources.tables.prose.cells import CellIndex
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import Read, read
from imprimatur.sources.tables.prose.reading import outcome_of
from imprimatur.sources.tables.prose.tokens import tokens
from imprimatur.sources.tables.relation import Relation
from imprimatur.sources.tables.terms import class_iri
from imprimatur.verdict import Finding, Judgement, Label, Reason

__all__ = ["MOST_CELLS", "StatementSource", "Statements", "refutes"]

#: A larger table is not read over: each statement looks at all rows.
MOST_CELLS = 100_000
_SHOWN = 5
#: Words that stand for what was said before; which row they mean is not known here.
_POINTING = expression(
    r"(?i)(?<!\w)(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|these|those|this|we|our|you|your)(?!\w)"
)
_RANKING = frozenset(("superlative", "comparison"))
_OF_ALL = frozenset(("superlative", "count", "only", "all", "total"))


class Statements:
    """The tables of a knowledge base over which statements are read; indexed when the first one is."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.rows = Rows(tables)
        self._indexed: tuple[CellIndex, ...] | None = None
        self.trust = {each.origin: each.trust for each in tables.files if each.statements}

    @property
    def content_hash(self) -> str:
        """A hash of what is read over."""
        return f"statements {self.tables.content_hash} {' '.join(sorted(self.trust))}"

    def indexed(self) -> tuple[CellIndex, ...]:
        """The tables, each with what stands in it."""
        if self._indexed is None:
            complete = set(self.tables.complete())
            self._indexed = tuple(
                CellIndex(each)
                for each in self.tables.relations()
                if each.origin in self.trust
                and class_iri(each.name) in complete
                and len(each.rows) * len(each.columns) <= MOST_CELLS
            )
        return self._indexed


@dataclass(slots=True)
class StatementSource:
    """Judges claims that are read as words by the tables."""

    statements: Statements
    name: str = "tables"

    @property
    def only_refutes(self) -> bool:
        """It never supports: nothing is licensed because it is there."""
        return True

    def judge(self, claim: Claim) -> Judgement:
        """``contradicted`` with the rows that say otherwise, or ``not_found``."""
        silent = Judgement(source=self.name, label=Label.NOT_FOUND, reasons=(Reason.NO_EVIDENCE,))
        if claim.prose is None or claim.modality is not Modality.ASSERTED or _POINTING.search(claim.prose.words):
            return silent
        against: list[tuple[Relation, Outcome]] = []
        for index in self.statements.indexed():
            found = read(claim.prose.words, index)
            outcome = outcome_of(found)
            if outcome is None:
                continue
            if outcome.holds and not outcome.left:
                return silent
            if refutes(found, outcome):
                against.append((index.relation, outcome))
        evidence = tuple(each for relation, outcome in against for each in self._evidence(relation, outcome))
        if not evidence:
            return silent
        relation, outcome = against[0]
        reason = Reason.COMPARISON_MISMATCH if outcome.form in _RANKING else Reason.VALUE_MISMATCH
        detail = f"the table {relation.name} says otherwise"
        return Judgement(
            source=self.name,
            label=Label.CONTRADICTED,
            reasons=(reason,),
            evidence=evidence,
            findings=(Finding(reason, claim.start, claim.end, detail),),
        )

    def _evidence(self, relation: Relation, outcome: Outcome) -> Iterator[Evidence]:
        names = tuple(relation.columns[column].name for column in outcome.columns)
        for row in outcome.rows[:_SHOWN]:
            told = self.statements.rows.row(relation.name, row + 1, names)
            if told is not None:
                yield Evidence(
                    source=self.name,
                    kind="row",
                    content=told.content,
                    query=told.query,
                    origin=told.origin,
                    trust=self.statements.trust[relation.origin],
                )


def refutes(found: Read, outcome: Outcome) -> bool:
    """Whether a reading is good enough for its relation to refute the statement."""
    read_so = outcome.sure and not outcome.left and all(atom.settled for atom in outcome.used)
    return read_so and not outcome.holds and _about(found, outcome)


def _about(found: Read, outcome: Outcome) -> bool:
    """Whether a statement is about the relation: it names a row, or speaks of the rows in all by what they are."""
    relation = found.index.relation
    if any(_names(atom, found.titles) for atom in found.atoms):
        return True
    nouns = {token.stem for noun in relation.nouns for token in tokens(noun)}
    said = {token.stem for span in found.line.spans for token in span.read}
    return outcome.form in _OF_ALL and bool(nouns & said)


def _names(atom: Atom, titles: frozenset[int]) -> bool:
    return atom.whole and not atom.number and atom.span.day is None and bool(atom.rows) and atom.columns <= titles
