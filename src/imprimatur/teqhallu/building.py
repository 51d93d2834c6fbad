"""The first three steps: a model looks at the tables, asks what exists, and adds what the reference says.

Contract: a text that a database has already is not read again. Where there is no table yet, there is nothing to look
at, and the model is asked for the third step only. Long texts are read in portions of whole sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from imprimatur.sources.tables.sql_steps import Step
from imprimatur.teqhallu import shapes
from imprimatur.teqhallu.asker import Asker
from imprimatur.teqhallu.database import Database, cells_of
from imprimatur.teqhallu.kinds import Stage
from imprimatur.teqhallu.repairing import run_all
from imprimatur.teqhallu.spans import sentences_of

__all__ = ["build", "portions", "schema_of"]

_MOST_ENTITIES = 200


def build(database: Database, texts: Sequence[str], asker: Asker) -> None:
    """Adds to a database what some texts say. Raises what asking the model raises."""
    new = [text for text in texts if text not in database.texts]
    database.texts.extend(new)
    for portion in portions(new, asker.limits.characters):
        tables = _inspected(database, asker)
        known = _existing(database, tables, portion, asker) if tables else []
        _store(database, tables, known, portion, asker)


def schema_of(database: Database) -> list[dict[str, Any]]:
    """The tables with their columns, as a model is told them."""
    return [{"table": name, "columns": list(columns)} for name, columns in database.tables().items()]


def portions(texts: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """The texts, some at a time, so that those of one portion have at most so many characters if sentences allow it."""
    taken: list[str] = []
    for part in (part for text in texts for part in _parts(text, most)):
        if taken and sum(map(len, taken)) + len(part) > most:
            yield tuple(taken)
            taken = []
        taken.append(part)
    if taken:
        yield tuple(taken)


def _parts(text: str, most: int) -> Iterator[str]:
    if len(text) <= most:
        yield text
        return
    start = reached = 0
    for sentence in sentences_of(text):
        if sentence.end - start > most and reached > start:
            yield text[start:reached]
            start = reached
        reached = sentence.end
    yield text[start:]


def _inspected(database: Database, asker: Asker) -> list[dict[str, Any]]:
    """Step 1: the columns of the tables that the model asks for."""
    names = list(database.tables())
    if not names:
        return []
    said = asker.ask(Stage.INSPECT, "inspect", shapes.statements(), tables=names)
    ran = run_all(said["statements"], lambda _, sql: database.look(sql, Step.INSPECT), asker, tables=names)
    asked = [
        {"statement": each.sql, "columns": [f"{row[1]} {row[2]}" for row in each.got.rows]} for each in ran if each.got
    ]
    return asked or schema_of(database)


def _existing(
    database: Database, tables: list[dict[str, Any]], portion: Sequence[str], asker: Asker
) -> list[dict[str, Any]]:
    """Step 2: what the database has of what the reference speaks of."""
    told = {"tables": tables, "entities": list(database.entities()[:_MOST_ENTITIES])}
    said = asker.ask(Stage.EXISTING, "existing", shapes.statements(), **told, reference=list(portion))
    ran = run_all(said["statements"], lambda _, sql: database.look(sql, Step.QUERY), asker, tables=schema_of(database))
    return [
        {"query": each.sql, "columns": list(each.got.columns), "rows": cells_of(each.got)} for each in ran if each.got
    ]


def _store(
    database: Database, tables: list[dict[str, Any]], known: list[dict[str, Any]], portion: Sequence[str], asker: Asker
) -> None:
    """Step 3: tables and rows that are missing, and ids that are one."""
    told = {
        "tables": tables,
        "known": known,
        "entities": list(database.entities()[:_MOST_ENTITIES]),
        "aliases": [{"alias": alias, "entity": entity} for alias, entity in database.aliases.items()],
        "reference": list(portion),
    }
    said = asker.ask(Stage.STORE, "store", shapes.stored("\n".join(portion)), **told)
    made = run_all(said["tables"], lambda _, sql: database.make(sql), asker)
    quotes = [row["quote"] for row in said["rows"]]
    rows = run_all(
        [row["sql"] for row in said["rows"]],
        lambda number, sql: database.insert(sql, quotes[number]),
        asker,
        tables=schema_of(database),
    )
    database.failed.extend(f"{each.fault}: {each.sql[:200]}" for each in (*made, *rows) if each.fault)
    database.align((pair["alias"], pair["entity"]) for pair in said["aliases"])
