"""Facts as a store keeps them: a row each, one JSON object a line.

What a row says of itself is all that is known of the fact: the graph's files are made of the rows' ``quads`` alone. The
id of a row names the statement, not the run that found it: document, sentence, and what it is said to state. So what a
person decided holds for the same statement in the same sentence wherever it moves, and for nothing else.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from hashlib import sha256
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.ingest.candidate import Candidate, Place, Refusal, Thing
from imprimatur.sources.graph.terms import literal_text

__all__ = ["STATES", "Row", "lines", "read_rows", "row_id"]

#: ``stored``: in the graph, as rules read it. ``waiting``: in the graph as a model's, until a person has looked at it.
#: ``accepted``: in the graph as curated. ``quarantined``, ``rejected``: not in the graph.
STATES = ("stored", "waiting", "accepted", "quarantined", "rejected")
_ID = 16
_TEXTS = ("id", "state", "trust", "by", "words", "subject", "property", "value", "document", "quote", "document_hash")
_MORE = ("decided_by", "decided_at", "how")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A fact of a store, or what was not let in.

    Attributes:
        trust: the class that it has in the graph, or would have. by: what read it.
        words: the fact as a person reads it.
        subject: the thing's IRI, "" where it is not settled; ``value``: IRI or literal in N-Triples, or "".
        document, start, end, quote: the place; ``document`` is "" for what a model adds from its own knowledge.
        document_hash: the SHA-256 of the document's bytes when it was read.
        quads: what it adds to the graph, as lines of N-Quads.
        reasons: why it was not let in, or is to be looked at.
        decided_by, decided_at: who accepted or rejected it, and when (UTC).
        how: how its things were found: ``exact``, ``new``, …
    """

    id: str
    state: str
    trust: str
    by: str
    words: str
    property: str
    subject: str = ""
    value: str = ""
    document: str = ""
    start: int = 0
    end: int = 0
    quote: str = ""
    document_hash: str = ""
    quads: tuple[str, ...] = ()
    reasons: tuple[Refusal, ...] = ()
    decided_by: str = ""
    decided_at: str = ""
    how: str = ""

    @builtins.property
    def in_graph(self) -> bool:
        """Whether the graph has it."""
        return self.state in STATES[:3]

    @builtins.property
    def place(self) -> Place | None:
        """Where it stands."""
        if not self.document:
            return None
        return Place(document=self.document, start=self.start, end=self.end, quote=self.quote)

    @builtins.property
    def order(self) -> tuple[str, int, int, str, str, tuple[str, ...]]:
        """Rows are kept in this order, whatever order they came in."""
        return self.document, self.start, self.end, self.id, self.by, self.quads

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, without what is empty."""
        found: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        found["reasons"] = [{"code": each.code, "detail": each.detail} for each in self.reasons]
        found["quads"] = list(self.quads)
        if not self.document:
            del found["start"], found["end"]
        return {name: value for name, value in found.items() if value or name in ("start", "end")}


def row_id(candidate: Candidate) -> str:
    """The id of what a candidate states, and where: the same as long as the sentence and what it states are."""
    place, value = candidate.place, candidate.value
    told = value.name if isinstance(value, Thing) else literal_text(value)
    kind = "thing" if isinstance(value, Thing) else "literal"
    where = [place.document, place.quote] if place is not None else ["", candidate.subject.iri]
    parts = [*where, candidate.subject.name, candidate.property, kind, told, *candidate.valid]
    return sha256(json.dumps(parts).encode("ascii")).hexdigest()[:_ID]


def lines(rows: Iterable[Row]) -> bytes:
    """The rows as JSON lines, in their order."""
    written = sorted({(row.order, json.dumps(row.to_dict(), sort_keys=True)) for row in rows})
    return b"".join(line.encode("ascii") + b"\n" for _, line in written)


def read_rows(content: bytes, *, where: str) -> tuple[Row, ...]:
    """The rows of a file.

    Raises:
        KnowledgeBaseError: a line is not what ``lines`` writes.
    """
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            found.append(_row(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
            hint = "put the file back as it was; facts are changed by `imprimatur kb review`"
            place = f"{where}, line {number}"
            raise KnowledgeBaseError(
                f"no row of a store of facts: {str(fault)[:100]}", where=place, hint=hint
            ) from fault
    return tuple(found)


def _row(told: Mapping[str, Any]) -> Row:
    given = dict(told)
    reasons = tuple(Refusal(code=str(each["code"]), detail=str(each["detail"])) for each in given.pop("reasons", ()))
    quads = tuple(map(_text, given.pop("quads", ())))
    start, end = (given.pop(name, 0) for name in ("start", "end"))
    if not (type(start) is int and type(end) is int and 0 <= start <= end):
        raise ValueError("start and end are no place")
    if given.get("state") not in STATES:
        raise ValueError("no such state")
    if unknown := sorted(given.keys() - {*_TEXTS, *_MORE}):
        raise ValueError(f"unknown key {unknown[0]!r}")
    texts = {name: _text(value) for name, value in given.items()}
    return Row(**texts, start=start, end=end, quads=quads, reasons=reasons)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text is expected")
    return value
