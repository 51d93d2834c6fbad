"""The forms in which sets of questions are published, as the rows that ``answer_sets`` reads.

Beside JSON lines there are: SimpleQuestions on Wikidata as text (subject, property, object and question, separated by
tabs); Mintaka as one JSON list whose rows have ``answer: {answerType, answer, mention}`` and ``questionEntity``, and as
rows of the Hugging Face hub with ``answerText`` and ``answerEntity``; HotpotQA as one JSON list of rows with ``_id``,
``context: [[title, [sentence]]]`` and ``supporting_facts: [[title, number]]``, and as rows of the hub, where both are
objects of lists. Invariant: a row that has none of these forms is handed on as it is, and refused where it is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import json_rows, text_of

__all__ = ["hotpot", "mintaka", "rows_of", "simple"]

_Row = dict[str, Any]
#: What Mintaka's description calls a number, its files call numerical.
_KINDS = {"number": "numerical"}


def rows_of(files: Sequence[Path]) -> Iterator[tuple[_Row, str]]:
    """The rows of JSON lines, or of JSON files that hold one list, each with its place."""
    for file in files:
        if file.suffix.lower() != ".json":
            yield from json_rows(file)
            continue
        try:
            found = json.loads(text_of(file))
        except (ValueError, RecursionError) as fault:
            raise InputError(f"not JSON: {str(fault)[:200]}", where=str(file)) from fault
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise InputError("must hold a list of objects", where=str(file), hint="JSON lines end in .jsonl")
        for number, row in enumerate(found, 1):
            yield row, f"{file}: row {number}"


def simple(files: Sequence[Path]) -> Iterator[tuple[_Row, str]]:
    """The rows of SimpleQuestions on Wikidata: ``{s, p, o, question}``."""
    for file in files:
        if file.suffix.lower() != ".txt":
            yield from rows_of((file,))
            continue
        for number, line in enumerate(text_of(file).split("\n"), 1):
            if line.strip():
                cells = line.rstrip("\r").split("\t")
                if len(cells) != 4:
                    raise InputError(f"{len(cells)} columns, not 4", where=f"{file}:{number}")
                yield dict(zip(("s", "p", "o", "question"), cells, strict=True)), f"{file}:{number}"


# -- Mintaka -----------------------------------------------------------------------------------------------------------
def mintaka(files: Sequence[Path]) -> Iterator[tuple[_Row, str]]:
    """The rows of Mintaka: ``{id, question, answer_type, answer, names?, things?}``; those without an answer left out.

    ``names`` are all ways in which the answer may be written; ``things`` the ids that the question is annotated with.
    """
    for row, where in rows_of(files):
        if isinstance(row.get("answer"), Mapping):
            yield from ((made, where) for made in _of_published(row, where))
        elif "answerText" in row:
            yield _of_hub(row, where), where
        else:
            yield row, where


def _of_published(row: Mapping[str, Any], where: str) -> Iterator[_Row]:
    told = row["answer"]
    kind = _KINDS.get(str(told.get("answerType")), told.get("answerType"))
    values = told.get("answer")
    if values is None:
        return  # a question that the annotators could not answer
    if not isinstance(values, list) or not values:
        raise InputError("`answer` must have a list `answer`", where=where)
    names = [_name(value) for value in values]
    made: _Row = {"id": row.get("id"), "question": row.get("question"), "answer_type": kind, "answer": names[0]}
    if kind == "entity":
        # Several things together are one answer; each of them alone is not.
        made["answer"] = ", ".join(map(str, names))
        made["names"] = [told["mention"]] if isinstance(told.get("mention"), str) else []
    yield made | {"things": _annotated(row.get("questionEntity"))}


def _name(value: Any) -> Any:
    """A value, or the English label of a thing."""
    if not isinstance(value, Mapping):
        return value
    label = value.get("label")
    return label.get("en") if isinstance(label, Mapping) else label if label is not None else value.get("name")


def _of_hub(row: Mapping[str, Any], where: str) -> _Row:
    text = row["answerText"]
    if not isinstance(text, str):
        raise InputError("`answerText` must be a text", where=where)
    things = row.get("answerEntity")
    labels = [str(each["label"]) for each in things if isinstance(each, Mapping)] if isinstance(things, list) else []
    kind = "entity" if labels else "string"
    answer: _Row = {"answer_type": kind, "answer": ", ".join(labels) or text, "names": [text]}
    return {"id": row.get("id"), "question": row.get("question"), **answer} | {
        "things": _annotated(row.get("questionEntity"))
    }


def _annotated(things: Any) -> dict[str, str]:
    """The things that a question names, by id."""
    found = [each for each in things if isinstance(each, Mapping)] if isinstance(things, list) else []
    return {
        str(each["name"]): str(_name(each) or each.get("mention") or "")
        for each in found
        if each.get("entityType") == "entity" and isinstance(each.get("name"), str)
    }


# -- HotpotQA ----------------------------------------------------------------------------------------------------------
def hotpot(files: Sequence[Path]) -> Iterator[tuple[_Row, str]]:
    """The rows of HotpotQA: ``{qas_id, question, answer, paragraphs: [{title, context, is_supp}]}``."""
    for row, where in rows_of(files):
        yield (row if "paragraphs" in row else _hotpot(row, where)), where


def _hotpot(row: Mapping[str, Any], where: str) -> _Row:
    context, supporting = row.get("context"), row.get("supporting_facts")
    if isinstance(context, Mapping):
        context = list(zip(context.get("title", ()), context.get("sentences", ())))
    if isinstance(supporting, Mapping):
        supporting = [(title,) for title in supporting.get("title", ())]
    if not isinstance(context, list) or not isinstance(supporting, list):
        raise InputError("neither `paragraphs` nor `context` and `supporting_facts`", where=where)
    try:
        needed = {str(each[0]) for each in supporting}
        paragraphs = [
            {"title": title, "context": "".join(sentences).strip(), "is_supp": title in needed}
            for title, sentences in context
        ]
    except (TypeError, ValueError, IndexError, KeyError) as fault:
        raise InputError(f"`context` is not as published: {str(fault)[:100]}", where=where) from fault
    name = row.get("_id", row.get("id"))
    shown = [each for each in paragraphs if each["context"]]
    return {"qas_id": name, "question": row.get("question"), "answer": row.get("answer"), "paragraphs": shown}
