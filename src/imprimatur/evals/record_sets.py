"""Texts about games beside the games' records, with the mistakes that people marked: a published set.

It is not in the package; the loader takes the user's copy, and checks it. Spans are half-open, in code points.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.sources.tables.columns import relation_of
from imprimatur.sources.tables.described import TableWords, read_described
from imprimatur.sources.tables.raw import RawTable, cell_of
from imprimatur.sources.tables.relation import Relation, Row

__all__ = ["Described", "Mistake", "described", "half_of", "json_objects", "load_games", "table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A span that people marked, its type, and what they wrote in its place (empty: nothing)."""

    start: int
    end: int
    kind: str
    correction: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A text, the relations of its record, the mistakes in it, and the values of the record as they may be written."""

    id: str
    text: str
    relations: tuple[Relation, ...]
    mistakes: tuple[Mistake, ...]
    values: frozenset[str] = frozenset()


def half_of(name: str) -> str:
    """The half of a set, "first" or "second", that something falls into by the hash of its name."""
    return ("first", "second")[hashlib.sha256(name.encode()).digest()[0] % 2]


def described(name: str) -> dict[str, TableWords]:
    """The description of tables that the package brings for a set."""
    with as_file(files("imprimatur") / "resources" / "records" / f"{name}.yaml") as path:
        return read_described(path)


def table(name: str, names: tuple[str, ...], rows: list[list[Any]], words: Mapping[str, TableWords]) -> Relation:
    """A relation of values in memory."""
    made = tuple(Row(place=f"row {i}", cells=tuple(map(cell_of, row))) for i, row in enumerate(rows, 1))
    told = words.get(name)
    if told is not None:
        told.check(name, names)
    return relation_of(RawTable(name=name, origin=name, names=names, rows=made), told)


_TEAM = {
    "points": "PTS",
    "rebounds": "REB",
    "assists": "AST",
    "turnovers": "TOV",
    "wins": "WINS",
    "losses": "LOSSES",
    "field goal percentage": "FG_PCT",
    "three-point percentage": "FG3_PCT",
    "free throw percentage": "FT_PCT",
    "points in the first quarter": "PTS_QTR1",
    "points in the second quarter": "PTS_QTR2",
    "points in the third quarter": "PTS_QTR3",
    "points in the fourth quarter": "PTS_QTR4",
}
_PLAYER = {
    "name": "PLAYER_NAME",
    "points": "PTS",
    "rebounds": "REB",
    "offensive rebounds": "OREB",
    "defensive rebounds": "DREB",
    "assists": "AST",
    "steals": "STL",
    "blocks": "BLK",
    "turnovers": "TO",
    "fouls": "PF",
    "minutes": "MIN",
    "field goals made": "FGM",
    "field goals tried": "FGA",
    "three-pointers made": "FG3M",
    "three-pointers tried": "FG3A",
    "free throws made": "FTM",
    "free throws tried": "FTA",
    "position": "START_POSITION",
}


def load_games(folder: Path) -> list[Described]:
    """The annotated texts of the shared task on evaluating accuracy (games.csv, gsml.csv, shared_task.jsonl).

    Raises InputError with the file for what is missing or not as published.
    """
    words = described("basketball")
    marked: dict[str, list[dict[str, str]]] = {}
    for row in _csv_rows(folder / "gsml.csv", ("TEXT_ID", "TYPE", "CORRECTION", "DOC_TOKEN_START", "DOC_TOKEN_END")):
        marked.setdefault(row["TEXT_ID"].removesuffix(".txt"), []).append(row)
    games = {str(each.get("shared_task_text_id")): each for each in json_objects(folder / "shared_task.jsonl")}
    found = []
    for row in _csv_rows(folder / "games.csv", ("TEXT_ID", "GENERATED_TEXT")):
        name, text = row["TEXT_ID"], row["GENERATED_TEXT"]
        if name not in games:
            raise InputError(f"no game for the text {name!r}", where=str(folder / "shared_task.jsonl"))
        mistakes = tuple(_mistake(text, each, folder) for each in marked.get(name, ()))
        try:
            relations = _game(games[name], words)
        except (KeyError, TypeError, ValueError) as fault:
            where = str(folder / "shared_task.jsonl")
            raise InputError(f"the game of {name!r} is not as published: {fault}", where=where) from fault
        found.append(
            Described(id=name, text=text, relations=relations, mistakes=mistakes, values=_values_of(relations))
        )
    return found


def _mistake(text: str, row: Mapping[str, str], folder: Path) -> Mistake:
    tokens = text.split(" ")
    try:
        first, last = int(row["DOC_TOKEN_START"]) - 1, int(row["DOC_TOKEN_END"])
    except ValueError:
        first, last = -1, -1
    if not 0 <= first < last <= len(tokens):
        raise InputError(f"a mistake of {row['TEXT_ID']} lies outside its text", where=str(folder / "gsml.csv"))
    start = sum(len(token) + 1 for token in tokens[:first])
    return Mistake(
        start=start,
        end=start + len(" ".join(tokens[first:last])),
        kind=row["TYPE"],
        correction=row["CORRECTION"].strip(),
    )


def _game(game: Mapping[str, Any], words: Mapping[str, TableWords]) -> tuple[Relation, ...]:
    lines = [("home", game["home_line"]), ("vis", game["vis_line"])]
    day = datetime.strptime(game["day"], "%m_%d_%y").date()
    teams = [
        [
            game[f"{side}_name"],
            f"{game[f'{side}_city']} {game[f'{side}_name']}",
            game[f"{side}_city"],
            *(line[f"TEAM-{key}"] for key in _TEAM.values()),
        ]
        for side, line in lines
    ]
    box = game["box_score"]
    players = []
    for index in box["PLAYER_NAME"]:
        starts = "no" if box["START_POSITION"][index] == "N/A" else "yes"
        city = box["TEAM_CITY"][index]
        team = game["home_name"] if city == game["home_city"] else game["vis_name"]
        players.append([team, starts, *(box[key][index] for key in _PLAYER.values())])
    return (
        table("games", ("date", "home", "visitor"), [[day.isoformat(), game["home_name"], game["vis_name"]]], words),
        table("teams", ("nickname", "full name", "city", *_TEAM), teams, words),
        table("players", ("team", "starter", *_PLAYER), players, words),
    )


def _values_of(relations: tuple[Relation, ...]) -> frozenset[str]:
    """Every cell in lower case, and the day of the week of every date."""
    cells = {cell.lower() for each in relations for row in each.rows for cell in row.cells if cell is not None}
    days = {datetime.fromisoformat(cell).strftime("%A").lower() for cell in cells if len(cell) == 10 and cell[4] == "-"}
    return frozenset(cells | days)


def _csv_rows(path: Path, names: tuple[str, ...]) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in names if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(f"has no column {missing[0]!r}", where=str(path), hint="give the file as published")
            yield from reader
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise InputError(f"cannot be read: {fault}", where=str(path)) from fault


def json_objects(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines. Raises InputError with the line for what is none."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"cannot be read: {fault}", where=str(path)) from fault
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except ValueError as fault:
            raise InputError("is no JSON", where=f"{path}:{number}") from fault
        if not isinstance(row, dict):
            raise InputError("is no object", where=f"{path}:{number}")
        yield row
