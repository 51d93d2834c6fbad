"""Answers about records judged by the records as a table, and by the same records as text.

The table is one JSON file of all records, described as one who keeps such records would (``resources/records``), in a
knowledge base of its own; an answer is asked for by the name and place of its business. Flagged is what the rows
refute, are silent of or know nothing of: the findings of claims, and claims that the grammar refutes. The text is the
record as JSON beside the answer, as ``imprimatur eval passages`` gives it. Invariant: nothing of the labels is known
to either.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from imprimatur.evals.data2txt_rows import Answer
from imprimatur.evals.passage_judging import FLAGGED
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.sources.tables.nested import nested_tables
from imprimatur.verdict import Label, Reason

__all__ = ["Judged", "judge"]

Spans = tuple[tuple[int, int], ...]

_SECONDS = 120.0
_NAME = "businesses"
_REFUTED = (Label.CONTRADICTED, Label.CONFLICTING)
#: Keys of a record by which a business is asked for.
_PLACE = ("name", "address", "city")


@dataclass(frozen=True, slots=True)
class Judged:
    """Stretches of one answer that its row refutes, is silent of and does not know, and that the text flags.

    ``share`` is the share of its characters that the text flags.
    """

    refuted: Spans = ()
    silent: Spans = ()
    unknown: Spans = ()
    text: Spans = ()
    share: float = 0.0

    @property
    def table(self) -> Spans:
        """All that the table flags."""
        return (*self.refuted, *self.silent, *self.unknown)


def judge(sources: Mapping[str, Mapping[str, Any]], answers: Sequence[Answer], *, policy: str) -> Iterator[Judged]:
    """The outcome of each answer, in order."""
    with tempfile.TemporaryDirectory() as folder:
        table = _opened(Path(folder, "table"), policy, _tables(list(sources.values())))
        text = _opened(Path(folder, "text"), policy, {})
        for answer in answers:
            record = sources[answer.source]
            asked = ", ".join(str(record[key]) for key in _PLACE if record.get(key))
            by_table = table.check(answer.text, asked, seconds=_SECONDS)
            by_text = text.check(answer.text, context=[json.dumps(record, ensure_ascii=False)], seconds=_SECONDS)
            flagged = tuple((part.start, part.end) for part in by_text.segments if part.label in FLAGGED)
            size = sum(end - start for start, end in flagged)
            yield Judged(
                refuted=tuple(_spans(by_table, Reason.VALUE_MISMATCH)),
                silent=tuple(_spans(by_table, Reason.NO_EVIDENCE)),
                unknown=tuple(_spans(by_table, Reason.LOW_COVERAGE)),
                text=flagged,
                share=size / max(1, len(answer.text)),
            )


def _opened(folder: Path, policy: str, written: Mapping[str, str]) -> Oracle:
    folder.mkdir()
    config = f"version: 1\nname: {_NAME}\n"
    if written:
        config += f"tables: [{{file: {_NAME}.json, described: words.yaml}}]\n"
    for name, content in {**written, "imprimatur.yaml": config}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return Oracle.from_folder(folder, policy=policy)


def _tables(records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The files of the table: the records, and what is said of the columns that they have."""
    content = json.dumps(records, ensure_ascii=False)
    named = {name for raw in nested_tables(json.loads(content), name=_NAME, origin=_NAME) for name in raw.names}
    told = yaml.safe_load(files("imprimatur").joinpath("resources", "records", f"{_NAME}.yaml").read_text("utf-8"))
    columns = told["tables"][_NAME]["columns"]
    told["tables"][_NAME]["columns"] = {name: said for name, said in columns.items() if name in named}
    return {f"{_NAME}.json": content, "words.yaml": yaml.safe_dump(told)}


def _spans(report: Report, reason: Reason) -> Iterator[tuple[int, int]]:
    """What the table flags for a reason: the words of findings; a mismatch is also a claim that the grammar refutes."""
    for segment in report.segments:
        for judged in segment.claims:
            if judged.claim.prose is not None:
                found = (each for each in judged.verdict.findings if each.reason is reason)
                yield from ((each.start, each.end) for each in found)
            elif reason is Reason.VALUE_MISMATCH and judged.verdict.label in _REFUTED:
                yield judged.claim.start, judged.claim.end
