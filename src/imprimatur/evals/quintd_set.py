"""Texts that models wrote of records, with the spans that people and GPT-4 marked: a published set of three domains.

It is not in the package; the loader takes the user's copy, and checks it. Spans are half-open, in code points. A record
comes as the models saw it: a list of properties, a series as CSV, a forecast as Python writes a dictionary.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.evals.record_sets import Mistake, described, json_objects, table
from imprimatur.sources.tables.described import ColumnWords, TableWords
from imprimatur.sources.tables.relation import Relation

__all__ = ["DOMAINS", "Generated", "load_quintd"]

DOMAINS = ("wikidata", "owid", "openweather")
_STEP = {
    "time": ("dt_txt",),
    "temperature": ("main", "temp"),
    "feels like": ("main", "feels_like"),
    "lowest temperature": ("main", "temp_min"),
    "highest temperature": ("main", "temp_max"),
    "pressure": ("main", "pressure"),
    "clouds": ("clouds", "all"),
    "wind": ("wind", "speed"),
    "gusts": ("wind", "gust"),
    "direction": ("wind", "deg"),
    "rain": ("rain", "3h"),
    "snow": ("snow", "3h"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A text that a model wrote of a record, the spans that people marked in it, and those that GPT-4 marked."""

    id: str
    domain: str
    model: str
    source: str
    text: str
    relations: tuple[Relation, ...]
    human: tuple[Mistake, ...]
    gpt4: tuple[Mistake, ...]


def load_quintd(folder: Path) -> list[Generated]:
    """The annotated texts of Quintd-1 of three domains (annotated.jsonl, sources.jsonl).

    Raises InputError with the file for what is missing or not as published.
    """
    made: dict[tuple[str, str], tuple[Relation, ...]] = {}
    for row in json_objects(folder / "sources.jsonl"):
        domain, key, data = str(row.get("domain")), str(row.get("source_key")), str(row.get("prompt_data"))
        if domain in DOMAINS:
            made[domain, key] = _READERS[domain](data, f"{folder / 'sources.jsonl'}: {key}")
    found = []
    for row in json_objects(folder / "annotated.jsonl"):
        if row.get("domain") not in DOMAINS:
            continue
        where = str(folder / "annotated.jsonl")
        try:
            domain, key, text = row["domain"], row["source_key"], row["text"]
            human, model = _spans(row["human_spans"], text), _spans(row["gpt4_spans"], text)
            name, by, relations = row["id"], row["model"], made[domain, key]
        except (KeyError, TypeError, ValueError) as fault:
            raise InputError(f"a row is not as published: {fault}", where=where) from fault
        found.append(
            Generated(
                id=name, domain=domain, model=by, source=key, text=text, relations=relations, human=human, gpt4=model
            )
        )
    return found


def _spans(rows: list[dict[str, Any]], text: str) -> tuple[Mistake, ...]:
    kept = [row for row in rows if row["start"] is not None]
    if any(not 0 <= row["start"] <= row["end"] <= len(text) for row in kept):
        raise ValueError("a span lies outside its text")
    return tuple(Mistake(start=row["start"], end=row["end"], kind=row["type"]) for row in kept)


def _weather(data: str, where: str) -> tuple[Relation, ...]:
    """A forecast: a dictionary as Python writes it, read as a literal and never run."""
    try:
        value = ast.literal_eval(data)
        city, steps = value["city"], value["list"]
        rows = [
            [
                *(_inner(step, path) for path in _STEP.values()),
                "; ".join(each["description"] for each in step["weather"]),
            ]
            for step in steps
        ]
        place = [[city["name"], city["country"]]]
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError) as fault:
        raise InputError(f"is no forecast: {str(fault)[:80]}", where=where) from fault
    words = described("weather")
    return (
        table("city", ("name", "country"), place, words),
        table("forecast", (*_STEP, "weather"), rows, words),
    )


def _inner(value: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key, {})
    return None if value == {} else value


def _chart(data: str, where: str) -> tuple[Relation, ...]:
    """A series: lines "# key: value", then dates and values."""
    head = dict(line[2:].split(": ", 1) for line in data.splitlines() if line.startswith("# ") and ": " in line)
    lines = [line.split(",") for line in data.splitlines() if line and not line.startswith("#")]
    if len(lines) < 2 or lines[0] != ["date", "value"] or any(len(line) != 2 for line in lines):
        raise InputError("is no series of dates and values", where=where)
    title = head.get("title", "value")
    told = ColumnWords(words=title, synonyms=tuple({head.get("unit", title), "value"}), kind="number")
    words = {
        "series": TableWords(columns={"date": ColumnWords(kind="date"), "value": told}),
        "chart": TableWords(noun="chart", title="country"),
    }
    about = [head.get("country"), title, head.get("description"), head.get("unit")]
    return (
        table("chart", ("country", "title", "description", "unit"), [about], words),
        table("series", ("date", "value"), lines[1:], words),
    )


def _properties(data: str, where: str) -> tuple[Relation, ...]:
    """A thing and its properties: a title, a rule, and lines "- property: value"."""
    title, _, rest = data.strip().partition("\n")
    pairs: dict[str, list[str]] = {}
    for line in rest.splitlines():
        if line.startswith("- ") and ": " in line:
            name, value = line[2:].split(": ", 1)
            pairs.setdefault(name.strip(), []).append(value.strip())
    if not title.strip() or not pairs:
        raise InputError("is no list of properties", where=where)
    names = [name for name in pairs if name.lower() != "title"]
    told = {name: ColumnWords(separator=" | ") for name in names if len(pairs[name]) > 1}
    words = {"thing": TableWords(noun="thing", title="title", columns=told)}
    return (table("thing", ("title", *names), [[title.strip(), *(" | ".join(pairs[n]) for n in names)]], words),)


_READERS = {"wikidata": _properties, "owid": _chart, "openweather": _weather}
