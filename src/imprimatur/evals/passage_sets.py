"""Loaders of sets that label answers or claims against passages: RAGTruth, BEGIN, WiCE, Factcheck-Bench.

None of them is in the package: each has its own licence, so every loader takes the folder where the user keeps the
published files. Contract: a loader reads the whole folder before it returns; a file that is absent or a row that is
not as published is an InputError that names it; ids are unique; spans lie within their answer and cover the words that
the set says they do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError, nearest

__all__ = ["SETS", "Example", "PassageSet", "json_rows", "load", "text_of", "wrong"]

_MOST_BYTES = 400_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One labelled text with the passages that it is to be judged against.

    Attributes:
        source: what it shares passages with; rows of one source stand or fall together.
        task: the part of the set; model: what wrote the text, empty where nothing is said.
        gold: the set's own label. spans: the characters that the set marks as unfounded.
    """

    id: str
    source: str
    task: str
    model: str
    text: str
    question: str | None
    context: tuple[str, ...]
    gold: str
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSet:
    """How to read one set, and what its labels mean.

    Attributes:
        good: the labels of what the passages bear out; everything else should be flagged.
        classes: which of the set's labels a verdict amounts to.
    """

    name: str
    read: Callable[[Path], Iterator[Example]]
    good: frozenset[str]
    classes: Mapping[str, str]


def load(name: str, folder: Path) -> tuple[Example, ...]:
    """All examples of a set.

    Raises:
        InputError: no such set; a file is absent or not as published.
    """
    if name not in SETS:
        near = nearest(name, SETS)
        hint = f"did you mean {near!r}?" if near else f"the sets are {', '.join(sorted(SETS))}"
        raise InputError(f"{name!r} is not a set of labelled texts", hint=hint)
    if not folder.is_dir():
        raise InputError("no such folder", where=str(folder), hint=f"give the folder with the files of {name}")
    seen: set[str] = set()
    found = []
    for example in SETS[name].read(folder):
        if example.id in seen:
            raise InputError(f"the id {example.id[:80]!r} comes twice", where=str(folder))
        seen.add(example.id)
        found.append(example)
    if not found:
        raise InputError("holds no row", where=str(folder))
    return tuple(found)


def text_of(path: Path) -> str:
    """The text of a file, which may begin with a byte order mark. Raises InputError where it cannot be read."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"larger than {_MOST_BYTES} bytes", where=str(path))
        return path.read_text("utf-8-sig")
    except OSError as fault:
        hint = "give the folder that holds the files as they were published"
        raise InputError(f"cannot be read: {fault.strerror}", where=str(path), hint=hint) from fault
    except UnicodeDecodeError as fault:
        raise InputError(f"not UTF-8 text (byte {fault.start})", where=str(path)) from fault


def json_rows(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """The JSON objects of a file, one a line, each with its place."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as fault:
            raise InputError(f"not a line of JSON: {str(fault)[:200]}", where=where) from fault
        if not isinstance(row, dict):
            raise InputError("not a JSON object", where=where)
        yield row, where


def wrong(fault: Exception) -> str:
    """What was wrong with a value that was taken for another shape, in words of the data and not of the code."""
    if isinstance(fault, KeyError):
        return f"lacks `{fault.args[0]}`"
    if isinstance(fault, TypeError | AttributeError):
        return "a value has another form"
    return "not UTF-8 text" if isinstance(fault, UnicodeError) else str(fault)[:200]


def _string(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise InputError(f"`{key}` must be a text", where=where)
    return value


def _one_of(value: str, known: frozenset[str], where: str) -> str:
    if value not in known:
        raise InputError(f"{value[:60]!r} is none of the labels {', '.join(sorted(known))}", where=where)
    return value


def _ragtruth(folder: Path) -> Iterator[Example]:
    if (folder / "response.jsonl").exists():
        yield from _ragtruth_whole(folder)
        return
    for task in ("qa", "summary", "data2txt"):
        sources = {
            _string(row, "source_id", where): _ragtruth_context(row, where)
            for row, where in json_rows(folder / f"{task}_sources.jsonl")
        }
        for row, where in json_rows(folder / f"{task}_responses.jsonl"):
            source = _string(row, "source_id", where)
            if source not in sources:
                raise InputError(f"the source {source[:60]!r} is not in {task}_sources.jsonl", where=where)
            yield _ragtruth_answer(row, where, task, sources[source])


def _ragtruth_whole(folder: Path) -> Iterator[Example]:
    """The part `test` of the set as it was published: response.jsonl and source_info.jsonl."""
    sources: dict[str, tuple[str, tuple[str | None, tuple[str, ...]]]] = {}
    for row, where in json_rows(folder / "source_info.jsonl"):
        task = _string(row, "task_type", where).lower()
        sources[str(row.get("source_id"))] = (task, _ragtruth_context(row, where))
    for row, where in json_rows(folder / "response.jsonl"):
        if row.get("split", "test") != "test":
            continue
        source = str(row.get("source_id"))
        if source not in sources:
            raise InputError(f"the source {source[:60]!r} is not in source_info.jsonl", where=where)
        task, context = sources[source]
        yield _ragtruth_answer({**row, "id": str(row.get("id")), "source_id": source}, where, task, context)


def _ragtruth_answer(
    row: Mapping[str, Any], where: str, task: str, about: tuple[str | None, tuple[str, ...]]
) -> Example:
    question, context = about
    text = _string(row, "response", where)
    spans = tuple(_ragtruth_span(item, text, where) for item in _list(row, "labels", where))
    return Example(
        id=_string(row, "id", where),
        source=f"{task}/{_string(row, 'source_id', where)}",
        task=task,
        model=_string(row, "model", where),
        text=text,
        question=question,
        context=context,
        gold="unfounded" if spans else "faithful",
        spans=spans,
    )


def _ragtruth_context(row: Mapping[str, Any], where: str) -> tuple[str | None, tuple[str, ...]]:
    """The question and the passages of a source: a text, a record, or a question with passages."""
    info = row.get("source_info")
    if row.get("task_type") == "QA":
        try:
            info = json.loads(info) if isinstance(info, str) else info
        except ValueError as fault:
            raise InputError(f"`source_info` is not JSON: {str(fault)[:200]}", where=where) from fault
        if not isinstance(info, dict):
            raise InputError("`source_info` must have a question and passages", where=where)
        return _string(info, "question", where), (_string(info, "passages", where),)
    if isinstance(info, str):
        return None, (info,)
    if isinstance(info, dict):
        return None, (json.dumps(info, ensure_ascii=False),)
    raise InputError("`source_info` must be a text or an object", where=where)


def _list(row: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = row.get(key)
    if not isinstance(value, list):
        raise InputError(f"`{key}` must be a list", where=where)
    return value


def _ragtruth_span(item: Any, text: str, where: str) -> tuple[int, int]:
    if not isinstance(item, dict):
        raise InputError("a label must be an object", where=where)
    start, end = item.get("start"), item.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or text[start:end] != item.get("text"):
        raise InputError("a label's `start` and `end` do not cover its `text`", where=where)
    return start, end


_BEGIN = ("model_name", "data_source", "knowledge", "message", "response", "begin_label")
_BEGIN_LABELS = frozenset(("Fully attributable", "Not fully attributable", "Generic"))


def _begin(folder: Path) -> Iterator[Example]:
    found = False
    for part in ("dev", "test"):
        path = folder / f"begin_{part}_wow.tsv"
        if not path.exists():
            continue
        found = True
        head, *lines = text_of(path).rstrip("\n").split("\n")
        if tuple(head.split("\t")) != _BEGIN:
            raise InputError(f"the columns must be {', '.join(_BEGIN)}", where=f"{path}:1")
        for number, line in enumerate(lines, 2):
            cells = line.split("\t")
            if len(cells) != len(_BEGIN):
                raise InputError(f"{len(cells)} columns, not {len(_BEGIN)}", where=f"{path}:{number}")
            model, _, knowledge, message, response, label = cells
            yield Example(
                id=f"{part}-{number}",
                source=knowledge,
                task=part,
                model=model,
                text=response,
                question=message,
                context=(knowledge,),
                gold=_one_of(label, _BEGIN_LABELS, f"{path}:{number}"),
            )
    if not found:
        raise InputError("no begin_dev_wow.tsv or begin_test_wow.tsv", where=str(folder))


_WICE = frozenset(("supported", "partially_supported", "not_supported"))


def _wice(folder: Path) -> Iterator[Example]:
    found = False
    for part in ("dev", "test"):
        path = folder / f"claim_{part}.jsonl"
        if not path.exists():
            continue
        found = True
        for number, (row, where) in enumerate(json_rows(path), 1):
            lines = [str(line) for line in _list(row, "evidence", where)]
            yield Example(
                id=f"{part}-{number}",
                source=f"{part}-{lines[0] if lines else ''}-{len(lines)}",
                task=part,
                model="",
                text=_string(row, "claim", where),
                question=None,
                context=("\n".join(lines),),
                gold=_one_of(_string(row, "label", where), _WICE, where),
            )
    if not found:
        raise InputError("no claim_dev.jsonl or claim_test.jsonl", where=str(folder))


_STANCES = frozenset(("completely-support", "partially-support", "refute", "irrelevant"))


def _factcheck(folder: Path) -> Iterator[Example]:
    for number, (row, where) in enumerate(json_rows(folder / "subtask3_claim_evidence_stance.jsonl"), 1):
        claim = _string(row, "claim", where)
        yield Example(
            id=str(number),
            source=claim,
            task="stance",
            model="",
            text=claim,
            question=None,
            context=(_string(row, "evidence", where),),
            gold=_one_of(_string(row, "stance", where), _STANCES, where),
        )


#: ``partial`` is a verdict of several claims of which some are supported and none is contradicted.
SETS: dict[str, PassageSet] = {
    "ragtruth": PassageSet(
        name="RAGTruth",
        read=_ragtruth,
        good=frozenset(("faithful",)),
        classes={"supported": "faithful", "partial": "unfounded", "contradicted": "unfounded", "not": "unfounded"},
    ),
    "begin": PassageSet(
        name="BEGIN",
        read=_begin,
        good=frozenset(("Fully attributable", "Generic")),
        classes={
            "supported": "Fully attributable",
            "partial": "Not fully attributable",
            "contradicted": "Not fully attributable",
            "not": "Not fully attributable",
            "no claim": "Generic",
        },
    ),
    "wice": PassageSet(
        name="WiCE",
        read=_wice,
        good=frozenset(("supported",)),
        classes={
            "supported": "supported",
            "partial": "partially_supported",
            "contradicted": "not_supported",
            "not": "not_supported",
        },
    ),
    "factcheck": PassageSet(
        name="Factcheck-Bench",
        read=_factcheck,
        good=frozenset(("completely-support",)),
        classes={
            "supported": "completely-support",
            "partial": "partially-support",
            "contradicted": "refute",
            "not": "irrelevant",
        },
    ),
}
