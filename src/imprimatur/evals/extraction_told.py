"""The tables of ``eval extraction``: precision, recall and F1 of triples by extractor and by relation, and of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from imprimatur.evals.intervals import figure_of
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Cell, Figure, Outcome, Row, Table
from imprimatur.evals.predicted import Matched
from imprimatur.evals.scores import Counts, span_counts

__all__ = ["Sheet", "told"]

_MOST_RELATIONS = 30
_HEAD = ("set", "extractor", "gold", "claims", "precision", "recall", "F1", "strict F1", "words F1", "unread", "other")
_NOTE = (
    "Linked: a claim says a gold triple when one of its readings does, names and properties by IRI, values as they are "
    "rounded, from either end. Strict: the names in the text are those of the graph besides, so pronouns and short "
    "names are no hit. Words: characters of the names and values that the claims and the gold are about. Unread: "
    "stretches taken for a claim that has no reading. Other: comparisons, counts and the like, which are no triple. "
    "Intervals: Wilson for precision and recall, a bootstrap over texts for F1."
)
_PARTIAL = "The gold triples of a sentence are not all that it says: the precision is a lower bound."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What one extractor found in one set; ``seconds`` of this process, ``failed`` segments."""

    set: str
    extractor: str
    rows: tuple[Matched, ...]
    seconds: float = 0.0
    failed: int = 0


def told(sheets: Sequence[Sheet], *, whole: bool) -> Outcome:
    """The tables of some sheets. ``whole``: the gold is all that the texts say."""
    names = list(dict.fromkeys(sheet.extractor for sheet in sheets))
    body = [_line(sheet.set, sheet.extractor, sheet.rows) for sheet in sheets]
    if len({sheet.set for sheet in sheets}) > 1:
        for name in names:
            rows = tuple(row for sheet in sheets if sheet.extractor == name for row in sheet.rows)
            body.append(_line("all", name, rows))
    tables = [Table(title="Triples by extractor", head=_HEAD, rows=tuple(body), note=_NOTE)]
    tables += [_relations(name, [row for s in sheets if s.extractor == name for row in s.rows]) for name in names]
    return Outcome(
        name="extraction",
        title="Extraction apart from judging",
        tables=tuple(tables),
        rows=tuple(_rows(sheets[0])) if len(sheets) == 1 else (),
        notes=() if whole else (_PARTIAL,),
    )


def _line(name: str, extractor: str, rows: Sequence[Matched]) -> tuple[Cell, ...]:
    right = [hit for row in rows for hit in row.right]
    linked = [hit for row in rows for hit in row.linked]
    return (
        name,
        extractor,
        len(linked),
        len(right),
        Figure.of(Share(sum(right), len(right))),
        Figure.of(Share(sum(linked), len(linked))),
        figure_of(rows, _f1(lambda row: row.right, lambda row: row.linked)),
        figure_of(rows, _f1(lambda row: row.right_strictly, lambda row: row.strict)),
        figure_of(rows, _words),
        sum(row.unread for row in rows),
        sum(row.others for row in rows),
    )


_Hits = Callable[[Matched], Sequence[bool]]


def _f1(right: _Hits, found: _Hits) -> Callable[[Sequence[Matched]], float | None]:
    """F1 of claims that are right and gold that is found; None where there is neither a claim nor gold."""

    def figure(rows: Sequence[Matched]) -> float | None:
        said = [hit for row in rows for hit in right(row)]
        gold = [hit for row in rows for hit in found(row)]
        if not said and not gold:
            return None
        precision = sum(said) / len(said) if said else 0.0
        recall = sum(gold) / len(gold) if gold else 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    return figure


def _words(rows: Sequence[Matched]) -> float | None:
    whole = Counts()
    for row in rows:
        whole += span_counts(row.gold_spans, row.spans, len(row.gold.text))
    return whole.f1


def _relations(extractor: str, rows: Sequence[Matched]) -> Table:
    """The properties that the gold has most, each with how much of it was found, and how much of what means it is."""
    gold: Counter[str] = Counter()
    found: Counter[str] = Counter()
    means: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row in rows:
        for claim, hit in zip(row.said, row.linked):
            assert claim.triple is not None
            gold[claim.triple[1]] += 1
            found[claim.triple[1]] += hit
        for properties, hit in zip(row.properties, row.right):
            for name in properties[:1]:
                means[name] += 1
                right[name] += hit
    body = [
        (_short(name), count, Figure.of(Share(found[name], count)), Figure.of(Share(right[name], means[name])))
        for name, count in sorted(gold.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_RELATIONS]
    ]
    note = f"The {_MOST_RELATIONS} most frequent of {len(gold)}." if len(gold) > _MOST_RELATIONS else ""
    head = ("relation", "gold", "recall", "precision of its best reading")
    return Table(title=f"By relation: {extractor}", head=head, rows=tuple(body), note=note)


def _short(iri: str) -> str:
    return unquote(iri.rpartition("#")[2].rpartition("/")[2]).removeprefix("rel_") or iri


def _rows(sheet: Sheet) -> list[Row]:
    return [
        Row(id=f"{row.gold.id}.{number}", said="found" if hit else "not found", right=hit)
        for row in sheet.rows
        for number, hit in enumerate(row.linked, 1)
    ]
