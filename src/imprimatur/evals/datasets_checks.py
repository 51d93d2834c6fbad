"""What can be counted of any data set: rows, labels, parts, rows that come twice, and what leaks from part to part.

Invariants: a row counts once; two rows are the same when text, label and what stands beside are; a text has two labels
only when what stands beside is the same too. Nothing is mended: what is found is told with the ids of the rows.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from imprimatur.evals.datasets_rows import Shown
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Kind, Table

__all__ = ["balance", "cases", "labels", "overlaps", "problems"]

_MOST = 5


def labels(rows: Sequence[Shown]) -> Table:
    """How many rows have each label, in all and in each part."""
    parts = sorted({row.part for row in rows})
    counts = Counter((row.label, row.part) for row in rows)
    totals = Counter(row.label for row in rows)
    shown = parts if 1 < len(parts) <= 8 else []
    body: list[tuple[Cell, ...]] = [
        (label, Figure.of(Share(total, len(rows))), *(counts[label, part] for part in shown))
        for label, total in sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    ]
    return Table(title=f"Labels of {len(rows)} rows", head=("label", "rows", *shown), rows=tuple(body))


def balance(rows: Sequence[Shown]) -> Curve:
    """The shares of the labels as bars."""
    totals = Counter(row.label for row in rows).most_common()
    points = tuple((float(place), total / len(rows)) for place, (_, total) in enumerate(totals))
    return Curve(
        title="Label balance",
        kind=Kind.BARS,
        across="label",
        up="share of rows",
        series={"rows": points},
        names=tuple(label for label, _ in totals),
    )


def problems(rows: Sequence[Shown]) -> Table:
    """What is wrong with rows, or odd, and where it is first found."""
    found = dict(_problems(rows))
    body = tuple((name, len(ids), ", ".join(id_[:60] for id_ in ids[:_MOST])) for name, ids in found.items())
    return Table(title="Checks", head=("check", "rows", "first"), rows=body)


def _problems(rows: Sequence[Shown]) -> Iterator[tuple[str, list[str]]]:
    yield "the same row again", _again(rows)
    yield "the same text and what is beside it with two labels", _two_labels(rows)
    yield "no text", [row.id for row in rows if not row.text.strip()]
    yield "a character that stands for a lost one", [row.id for row in rows if "\ufffd" in row.text + row.beside]
    yield "a control character", [row.id for row in rows if _controls(row.text)]
    yield "text read in another encoding than it was written", [row.id for row in rows if _garbled(row.text)]
    yield (
        "letters that are not composed (NFC)",
        [row.id for row in rows if not unicodedata.is_normalized("NFC", row.text)],
    )


def _again(rows: Iterable[Shown]) -> list[str]:
    seen: set[tuple[str, str, str]] = set()
    found = []
    for row in rows:
        key = (row.text, row.label, row.beside)
        if key in seen:
            found.append(row.id)
        seen.add(key)
    return found


def _two_labels(rows: Iterable[Shown]) -> list[str]:
    told: dict[tuple[str, str], str] = {}
    return [row.id for row in rows if told.setdefault((row.text, row.beside), row.label) != row.label]


def _controls(text: str) -> bool:
    return any(unicodedata.category(c) == "Cc" and c not in "\t\n\r" for c in text)


def _garbled(text: str) -> bool:
    """Whether UTF-8 was read as Latin-1 or Windows-1252 somewhere ("Ã©", "â€™")."""
    return any(mark in text for mark in ("Ã©", "Ã¨", "Ã¶", "Ã¼", "Ã¤", "Ã±", "â€™", "â€œ", "â€“"))


def overlaps(rows: Sequence[Shown]) -> Table | None:
    """What two parts of a set share; None where it has one part."""
    texts: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        texts[row.part].add(f"{row.text}\n{row.beside}")
        if row.source:
            sources[row.part].add(row.source)
    parts = sorted(texts)
    if not 1 < len(parts) <= 8:
        return None
    body = tuple(
        (f"{one} and {other}", len(texts[one] & texts[other]), len(sources[one] & sources[other]))
        for one, other in combinations(parts, 2)
    )
    head = ("parts", "rows in both", "sources in both")
    return Table(title="Between parts", head=head, rows=body, note="A source that is in both ties their rows together.")


def cases(rows: Sequence[Shown]) -> Iterator[Case]:
    """The rows with one text and two labels, the first few."""
    by_id = {row.id: row for row in rows}
    for id_ in _two_labels(rows)[:_MOST]:
        yield Case(id=id_, kind="two labels", text=by_id[id_].text, gold=by_id[id_].label)
