"""Labelled responses for ``imprimatur eval teqhallu``: RAGTruth, DiaHalu, or rows of one's own.

None of the sets is in the package; every loader takes the user's copy. What is read:

- a folder with RAGTruth's ``response.jsonl`` and ``source_info.jsonl`` as published (the part ``test``), or with the
  files of ``imprimatur eval passages ragtruth``;
- DiaHalu's ``.xlsx`` (its first sheet), or the same as ``.csv`` or ``.jsonl``: a dialogue of turns ``A1:``, ``B1:``, …;
  every turn of B is a sample whose reference is the turns before it;
- rows ``{id, response, reference: text | [text] | object, hallucinated, question?, task?, source?}``.

Contract: all is read before anything is asked; a row that is not so is an InputError with its line. Records become
lines ``path: value``, so that words of them can be quoted.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.evals import passage_sets
from imprimatur.evals.passage_sets import json_rows, text_of
from imprimatur.evals.sheets import sheet_rows
from imprimatur.teqhallu.found import Sample
from imprimatur.teqhallu.kinds import Category

__all__ = ["Labelled", "flattened", "load"]

_TURN = re.compile(r"^[ \t]*([AB])(\d+)[ \t]*:", re.MULTILINE)
#: How the names of DiaHalu's categories begin, whatever their hyphens; it also has "reasoning error".
_CATEGORIES = {
    "nonfactual": Category.NON_FACTUAL,
    "incoheren": Category.INCOHERENT,
    "irrelevan": Category.IRRELEVANT,
    "overrelian": Category.OVER_RELIANT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One sample with its label.

    Attributes:
        unit: what the label is of: the sample itself, or the dialogue that it is a turn of.
        source: what it shares its reference with; rows of one source stand or fall together.
        hallucinated: the label of the unit. categories: of its turns, with DiaHalu.
    """

    sample: Sample
    unit: str
    source: str
    task: str
    hallucinated: bool
    categories: frozenset[Category] = frozenset()


def load(path: Path, *, tasks: Iterable[str] = ()) -> tuple[Labelled, ...]:
    """The samples of a folder or file, those of some tasks (parts of their names will do) or all.

    Raises:
        InputError: it cannot be read, is not as it should be, or has none of these.
    """
    wanted = [task.casefold() for task in tasks]
    rows = _ragtruth(path) if path.is_dir() else _of_file(path)
    found = tuple(row for row in rows if not wanted or any(task in row.task.casefold() for task in wanted))
    if not found:
        raise InputError("holds no row" if not wanted else f"holds no row of {', '.join(wanted)}", where=str(path))
    ids = [row.sample.id for row in found]
    if len(set(ids)) != len(ids):
        twice = next(each for number, each in enumerate(ids) if each in ids[:number])
        raise InputError(f"the id {twice[:60]!r} comes twice", where=str(path))
    return found


def flattened(value: Any, path: str = "") -> str:
    """A record as lines, one for each value; a text as it is. Booleans are yes and no, null is unknown."""
    if isinstance(value, Mapping):
        return "\n".join(flattened(each, f"{path} {key}".strip()) for key, each in value.items())
    if isinstance(value, list):
        return "\n".join(flattened(each, f"{path} {number}".strip()) for number, each in enumerate(value, 1))
    said = {True: "yes", False: "no", None: "unknown"}.get(value) if value is None or isinstance(value, bool) else None
    text = str(value) if said is None else said
    return f"{path}: {text}" if path else text


# -- files -------------------------------------------------------------------------------------------------------------
def _of_file(path: Path) -> Iterator[Labelled]:
    read = {".csv": _table, ".xlsx": sheet_rows}.get(path.suffix.lower(), json_rows)
    for number, (row, where) in enumerate(read(path), 1):
        if "response" in row:
            yield _own(row, number, where)
        else:
            yield from _dialogue(row, number, where)


def _table(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    reader = csv.DictReader(text_of(path).splitlines(keepends=True), strict=True)
    try:
        for row in reader:
            yield dict(row), f"{path}:{reader.line_num}"
    except csv.Error as fault:
        raise InputError(f"no table of comma-separated values: {fault}", where=f"{path}:{reader.line_num}") from fault


def _string(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"`{key}` must be a text", where=where)
    return str(value)


# -- rows of one's own -------------------------------------------------------------------------------------------------
def _own(row: Mapping[str, Any], number: int, where: str) -> Labelled:
    label = row.get("hallucinated")
    if not isinstance(label, bool):
        raise InputError("`hallucinated` must be true or false", where=where)
    given = row.get("reference")
    texts = given if isinstance(given, list) else [given]
    if not all(isinstance(text, str | Mapping) for text in texts):
        raise InputError("`reference` must be a text, a list of texts or an object", where=where)
    reference = tuple(flattened(text) for text in texts)
    name = _string(row, "id", where) if "id" in row else str(number)
    question = _string(row, "question", where) if row.get("question") is not None else ""
    sample = Sample(id=name, response=_string(row, "response", where), reference=reference, question=question)
    source, task = str(row.get("source", name)), str(row.get("task", "rows"))
    return Labelled(sample=sample, unit=name, source=source, task=task, hallucinated=label)


# -- RAGTruth ----------------------------------------------------------------------------------------------------------
def _ragtruth(folder: Path) -> Iterator[Labelled]:
    if not (folder / "response.jsonl").exists():
        for each in passage_sets.load("ragtruth", folder):
            texts = tuple(_unfolded(text) if each.task == "data2txt" else text for text in each.context)
            sample = Sample(id=each.id, response=each.text, reference=texts, question=each.question or "")
            yield Labelled(
                sample=sample, unit=each.id, source=each.source, task=each.task, hallucinated=bool(each.spans)
            )
        return
    sources = {_string(row, "source_id", where): (row, where) for row, where in json_rows(folder / "source_info.jsonl")}
    for row, where in json_rows(folder / "response.jsonl"):
        if row.get("split", "test") != "test":
            continue
        source = _string(row, "source_id", where)
        if source not in sources:
            raise InputError(f"the source {source[:60]!r} is not in source_info.jsonl", where=where)
        labels = row.get("labels")
        if not isinstance(labels, list):
            raise InputError("`labels` must be a list", where=where)
        task, question, text = _source(*sources[source])
        name = _string(row, "id", where)
        sample = Sample(id=name, response=_string(row, "response", where), reference=(text,), question=question)
        yield Labelled(sample=sample, unit=name, source=source, task=task, hallucinated=bool(labels))


def _source(row: Mapping[str, Any], where: str) -> tuple[str, str, str]:
    """Task, question and reference of a source."""
    task, info = _string(row, "task_type", where).lower(), row.get("source_info")
    if task == "qa":
        info = _unfolded(info, as_text=False) if isinstance(info, str) else info
        if not isinstance(info, Mapping):
            raise InputError("`source_info` must have a question and passages", where=where)
        return task, _string(info, "question", where), flattened(info.get("passages"))
    if not isinstance(info, str | Mapping):
        raise InputError("`source_info` must be a text or an object", where=where)
    return task, "", flattened(info) if isinstance(info, Mapping) else _unfolded(info)


def _unfolded(text: str, *, as_text: bool = True) -> Any:
    """A record that was written as JSON, as lines; any other text as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return flattened(value) if as_text else value


# -- DiaHalu -----------------------------------------------------------------------------------------------------------
def _dialogue(row: Mapping[str, Any], number: int, where: str) -> Iterator[Labelled]:
    text = row.get("text", row.get("AI"))
    label = str(row.get("label", "")).strip()
    if not isinstance(text, str) or label.partition(".")[0] not in ("0", "1"):
        hint = "rows of DiaHalu have `text` (or `AI`) and `label` 0 or 1; rows of your own have `response`"
        raise InputError("neither a dialogue nor a response", where=where, hint=hint)
    turns = list(_turns(text))
    if not any(speaker == "B" for speaker, _, _ in turns):
        raise InputError("the dialogue has no turn `B1: …`", where=where)
    name = str(row.get("ID") or number)
    common: dict[str, Any] = {
        "unit": name,
        "source": name,
        "task": str(row.get("domain", "dialogue")),
        "hallucinated": label.startswith("1"),
        "categories": frozenset(_categories(str(row.get("index", row.get("type", ""))))),
    }
    for place, (speaker, turn, said) in enumerate(turns):
        if speaker == "B":
            before = tuple(f"{who}{which}: {words}" for who, which, words in turns[:place])
            sample = Sample(id=f"{name}/{place}", response=said, reference=before, dialogue=name, turn=turn)
            yield Labelled(sample=sample, **common)


def _turns(text: str) -> Iterator[tuple[str, int, str]]:
    """Who speaks, in which turn, and what is said."""
    marks = list(_TURN.finditer(text))
    for mark, after in zip(marks, [*marks[1:], None]):
        yield mark[1], int(mark[2]), text[mark.end() : after.start() if after else len(text)].strip()


def _categories(index: str) -> Iterator[Category]:
    letters = re.sub(r"[^a-z]", "", index.casefold())
    return (category for beginning, category in _CATEGORIES.items() if beginning in letters)
