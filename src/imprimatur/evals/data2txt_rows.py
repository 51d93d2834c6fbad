"""The records and answers of RAGTruth's Data2txt, with typed spans.

Contract: the folder is read whole before anything is given back; a file that is absent or a row that is not as
published is an InputError that names it; spans lie within their answer and cover the words that the set says they do.
A source is in the first or second half by a hash of its id, so that the halves are the same for everyone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import json_rows

__all__ = ["TYPES", "Answer", "Span", "fold", "load"]

TYPES = ("Evident Conflict", "Subtle Conflict", "Evident Baseless Info", "Subtle Baseless Info")


@dataclass(frozen=True, slots=True)
class Span:
    """``answer[start:end]`` is not borne out, in one of the four ways of ``TYPES``."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer about a record, which is one of ``sources``; ``half`` is 1 or 2."""

    id: str
    source: str
    model: str
    text: str
    spans: tuple[Span, ...]

    @property
    def half(self) -> int:
        """The half that its source is in."""
        return fold(self.source, 2) + 1


def fold(source: str, count: int) -> int:
    """The fold of a source, from 0."""
    return int(hashlib.sha256(source.encode()).hexdigest(), 16) % count


def load(folder: Path) -> tuple[Mapping[str, Mapping[str, Any]], tuple[Answer, ...]]:
    """The records by id of their source, and the answers.

    Raises:
        InputError: a file is absent or not as published.
    """
    if not folder.is_dir():
        raise InputError("no such folder", where=str(folder), hint="give the folder with the files of RAGTruth")
    sources = dict(_sources(folder / "data2txt_sources.jsonl"))
    answers = tuple(_answers(folder / "data2txt_responses.jsonl", sources))
    if not answers:
        raise InputError("holds no answer", where=str(folder / "data2txt_responses.jsonl"))
    return sources, answers


def _sources(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    seen = set()
    for row, where in json_rows(path):
        info, source = row.get("source_info"), _text(row, "source_id", where)
        if not isinstance(info, dict) or not isinstance(info.get("name"), str):
            raise InputError("`source_info` must be an object with a name", where=where)
        if source in seen:
            raise InputError(f"the source {source[:60]!r} comes twice", where=where)
        seen.add(source)
        yield source, info


def _answers(path: Path, sources: Mapping[str, object]) -> Iterator[Answer]:
    for row, where in json_rows(path):
        source, text = _text(row, "source_id", where), _text(row, "response", where)
        if source not in sources:
            raise InputError(f"the source {source[:60]!r} is not in data2txt_sources.jsonl", where=where)
        labels = row.get("labels")
        if not isinstance(labels, list):
            raise InputError("`labels` must be a list", where=where)
        yield Answer(
            id=_text(row, "id", where),
            source=source,
            model=_text(row, "model", where),
            text=text,
            spans=tuple(_span(label, text, where) for label in labels),
        )


def _span(label: object, text: str, where: str) -> Span:
    if not isinstance(label, dict):
        raise InputError("a label must be an object", where=where)
    start, end, kind = label.get("start"), label.get("end"), label.get("label_type")
    if not isinstance(start, int) or not isinstance(end, int) or text[start:end] != label.get("text"):
        raise InputError("a label's `start` and `end` do not cover its `text`", where=where)
    if kind not in TYPES:
        raise InputError(f"`label_type` is {json.dumps(kind)[:60]}, none of {', '.join(TYPES)}", where=where)
    return Span(start, end, kind)


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise InputError(f"`{key}` must be a text", where=where)
    return value
