"""``imprimatur tables``: what the tables of a knowledge base are taken to be, and queries over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import plain, print_table
from imprimatur.errors import ImprimaturError, InputError, KnowledgeBaseError, nearest

if TYPE_CHECKING:
    from imprimatur.sources.tables.library import Tables

__all__ = ["command", "print_asides", "print_columns"]

_ROWS, _ASIDES = 5, 20
_COLUMNS = 8


@click.group()
def command() -> None:
    """Look at the tables of a knowledge base, and query them.

    A knowledge base names its tables under `tables:` in imprimatur.yaml: CSV, TSV, JSON, SQLite and Parquet files,
    documents (Markdown, HTML, plain text), and databases behind an address.
    """


@command.command()
@click.argument("kb", metavar="DIR")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--rows", type=click.IntRange(0, 1000), default=_ROWS, show_default=True, help="Rows to show.")
@click.option("--asides", "only_asides", is_flag=True, help="List all that was left aside of documents instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(*, kb: str, name: str | None, rows: int, only_asides: bool, as_json: bool) -> int:
    """Show the tables: their columns with kinds, units, keys and references, and the first rows.

    What was left aside of documents is listed below them, with its line and why.
    """
    tables = _tables(kb)
    told = tables.told()
    if name is not None and name not in told:
        near = nearest(name, told)
        hint = f"did you mean {near!r}?" if near else f"there are {', '.join(told)}"
        raise InputError(f"no table is called {name[:60]!r}", hint=hint)
    complete = tables.info()["complete"]
    chosen = [told[name]] if name is not None else [*told.values()]
    origins = {origin for each in chosen for origin in each["origins"]}
    asides = [each for each in tables.asides() if name is None or each["file"] in origins]
    if as_json:
        made = [{**each, "complete": each["name"] in complete} for each in chosen]
        session.emit_json(asides if only_asides else made)
        return 0
    if only_asides:
        _print_asides(asides, most=None)
        return 0
    for number, each in enumerate(chosen):
        click.echo("\n" if number else "", nl=False)
        print_columns(each, complete=each["name"] in complete)
        if rows:
            first = tables.first_rows(each["name"], rows)
            names = [column["name"] for column in each["columns"]]
            print_table(names[:_COLUMNS], [row[:_COLUMNS] for row in first])
            if len(names) > _COLUMNS:
                click.echo(f"and {len(names) - _COLUMNS} more columns")
    print_asides(asides)
    return 0


def print_columns(told: Mapping[str, Any], *, complete: bool) -> None:
    """What a table and its columns are taken for."""
    click.echo(_head(told, complete))
    columns = ("column", "kind", "unit", "spoken of as", "key", "refers to")
    print_table(columns, [_column_row(told, column) for column in told["columns"]])


def print_asides(asides: Sequence[Mapping[str, Any]]) -> None:
    """The first of what was left aside."""
    if asides:
        click.echo("\nLeft aside, and no evidence:")
    _print_asides(asides, most=_ASIDES)


def _print_asides(asides: Sequence[Mapping[str, Any]], *, most: int | None) -> None:
    """What was left aside, each with its place and why."""
    for each in asides[:most]:
        shown = f": {each['text']}" if each["text"] else ""
        click.echo(plain(f"  {each['file']}, line {each['line']}: {each['reason']}{shown}"))
    if most is not None and len(asides) > most:
        click.echo(f"  and {len(asides) - most} more: --asides lists them all")


@command.command()
@click.argument("kb", metavar="DIR")
@click.argument("sql", metavar="SQL")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
def query(*, kb: str, sql: str, as_json: bool) -> int:
    """Run one SELECT over the tables, read-only, within limits of time and rows.

    The query is checked before it runs, as those of models are. Needs the extra `tables`.
    """
    found = _run(_tables(kb), sql)
    if as_json:
        rows = [list(row) for row in found.rows]
        session.emit_json({"columns": list(found.columns), "rows": rows, "cut": found.cut})
        return 0
    print_table(found.columns, found.rows)
    click.echo(f"{len(found.rows)} {'row' if len(found.rows) == 1 else 'rows'}{', and more' if found.cut else ''}")
    return 0


def _run(tables: Tables, sql: str) -> Any:
    from imprimatur.sources.tables.sql_steps import Step

    try:
        import imprimatur.sources.tables.sql_check  # noqa: F401 - its parser is an extra
    except ImportError as fault:
        hint = "install it: pip install 'imprimatur[tables]'"
        raise KnowledgeBaseError("queries need the extra `tables`", hint=hint) from fault
    sandbox = tables.sandbox()
    try:
        return sandbox.run(sql, Step.QUERY)
    except ImprimaturError as fault:
        raise InputError(fault.message, hint="`imprimatur tables show` lists tables and columns") from fault


def _tables(kb: str) -> Tables:
    from imprimatur.config import load_folder, resolve
    from imprimatur.knowledge import open_tables

    config = load_folder(resolve(kb))
    found = open_tables(config)
    if found is None:
        hint = "name files under `tables: [...]` in imprimatur.yaml"
        raise KnowledgeBaseError("has no tables", where=str(config.folder), hint=hint)
    return found


def _head(told: Mapping[str, Any], complete: bool) -> str:
    noun = told["nouns"][0] if told["nouns"] else told["name"]
    whole = f", all there are of the kind “{noun}”" if complete else ""
    about = f"\n{told['about']}" if told["about"] else ""
    rows = f"{told['rows']} {'row' if told['rows'] == 1 else 'rows'}"
    return plain(f"{told['name']}: {rows} ({told['origin']}); a row is a {noun}{whole}{about}")


def _column_row(told: Mapping[str, Any], column: dict[str, Any]) -> tuple[str, ...]:
    name = column["name"]
    names = name == told["title"] or name in told["names"]
    spoken = "names the rows" if names else "no evidence" if column["hidden"] else ", ".join(_spoken(column))
    return name, column["kind"], column["unit"] or "", spoken, "yes" if column["key"] else "", column["refers"] or ""


def _spoken(column: dict[str, Any]) -> list[str]:
    return [column["words"], *column["synonyms"]]
