"""Tables as a source that contradicts single values of running text (a ``protocols.Source`` that is ``Listening``).

A claim that is read as words is contradicted where a number, name, day or word of it is linked to cells and differs
from them: the judgement's findings say which words, and what would be right. Values that agree are no support: the
words between them are not read. What is found rests on the answer up to the claim's own segment, never on what follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property

from imprimatur.answer import Kind, Segment
from imprimatur.claim import Claim, Modality
from imprimatur.evidence import Evidence
from imprimatur.sources.tables.evidence import Rows
from imprimatur.sources.tables.library import Tables
from imprimatur.sources.tables.relation import Relation
from imprimatur.sources.tables.values.checking import Checker
from imprimatur.sources.tables.values.finding import Finding as Found
from imprimatur.sources.tables.values.finding import Outcome
from imprimatur.sources.tables.values.record import Record
from imprimatur.verdict import Finding, Judgement, Label, Reason

__all__ = ["MOST_CELLS", "ValueSource", "Values"]

#: Larger tables are no record that a text is about.
MOST_CELLS = 200_000
_SHOWN = 5
_UNREAD = (Kind.CODE, Kind.TABLE_HEADER)


class Values:
    """The tables of a knowledge base that values of texts are held against, read when the first text is."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.rows = Rows(tables)
        self.trust = {each.origin: each.trust for each in tables.files if each.values}

    @property
    def content_hash(self) -> str:
        """A hash of what values are held against."""
        return f"values {self.tables.content_hash} {' '.join(sorted(self.trust))}"

    @cached_property
    def record(self) -> Record:
        """The tables, with what running text calls their rows and values. Raises KnowledgeBaseError."""
        return Record(each for each in self.tables.relations() if self._is_asked(each))

    def _is_asked(self, relation: Relation) -> bool:
        return relation.origin in self.trust and len(relation.rows) * len(relation.columns) <= MOST_CELLS


class ValueSource:
    """Judges the values of one answer; it remembers what its sentences were about."""

    #: It supports nothing.
    only_refutes = True

    def __init__(self, values: Values, name: str = "tables") -> None:
        self.name = name
        self._values = values
        self._checker: Checker | None = None
        self._heard = 0
        self._found: tuple[Found, ...] = ()

    def __copy__(self) -> ValueSource:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._checker = copy(self._checker)
        return made

    def hear(self, text: str, parts: Sequence[Segment]) -> None:
        """Takes the answer so far, and its segments up to the one that is judged next."""
        self._checker = self._checker or Checker(self._values.record)
        for part in parts[self._heard :]:
            if part.kind not in _UNREAD:
                self._found += self._checker.read(text, *part.body)
        self._heard = len(parts)

    def judge(self, claim: Claim) -> Judgement:
        """``contradicted`` with the cells that say otherwise, or ``not_found``."""
        wrong = [each for each in self._found if claim.start <= each.start and each.end <= claim.end]
        wrong = [each for each in wrong if each.outcome is Outcome.CONTRADICTED]
        evidence = tuple(each for found in wrong for each in self._evidence(found))
        if not evidence or claim.prose is None or claim.modality is not Modality.ASSERTED:
            return Judgement(source=self.name, label=Label.NOT_FOUND, reasons=(Reason.NO_EVIDENCE,))
        return Judgement(
            source=self.name,
            label=Label.CONTRADICTED,
            reasons=tuple(dict.fromkeys(map(_reason, wrong))),
            evidence=tuple(dict.fromkeys(evidence)),
            findings=tuple(_told(each) for each in wrong),
        )

    def _evidence(self, found: Found) -> Iterator[Evidence]:
        record = self._values.record
        for at in found.rows[:_SHOWN]:
            relation = record.sheets[at.sheet].relation
            told = self._values.rows.row(relation.name, at.row + 1, _there(relation, found.columns))
            if told is not None:
                yield Evidence(
                    source=self.name,
                    kind="row",
                    content=told.content,
                    query=told.query,
                    origin=told.origin,
                    trust=self._values.trust[relation.origin],
                )


def _there(relation: Relation, columns: Iterable[str]) -> tuple[str, ...]:
    """The columns that the relation has, and those that refer to another: whose the row is."""
    referring = tuple(column.name for column in relation.columns if column.refers is not None)
    return tuple(dict.fromkeys((*(name for name in columns if name in relation.numbers), *referring)))


def _reason(found: Found) -> Reason:
    return Reason.UNSUPPORTED_NAME if found.kind == "name" else Reason.VALUE_MISMATCH


def _told(found: Found) -> Finding:
    what = f"{', '.join(found.columns)}: " if found.columns else ""
    detail = f"{what}right would be {found.right}" if found.right else f"{what}the cells say otherwise"
    return Finding(_reason(found), found.start, found.end, detail)
