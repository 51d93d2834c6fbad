"""``imprimatur eval``: the evaluations over tables and records."""

from __future__ import annotations

from pathlib import Path

import click

from imprimatur.cli.eval_options import out_option

__all__ = ["basketball", "data2txt", "quintd", "tabfact"]

HALVES = ("both", "first", "second")


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--half", type=click.Choice(HALVES), default="both", show_default=True, help="Only these texts.")
@click.option("--wrong", is_flag=True, help="Also print what was flagged or missed wrongly.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def basketball(*, folder: Path, half: str, wrong: bool, as_json: bool, out: Path | None) -> int:
    """Find the mistakes of texts about games by the games' records, value by value.

    FOLDER holds games.csv, gsml.csv and shared_task.jsonl of the shared task on evaluating accuracy (INLG 2021).
    """
    from imprimatur.evals.basketball import run

    status: int = run(folder, half=half, wrong=wrong, as_json=as_json, out=out)
    return status


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--half", type=click.Choice(HALVES), default="both", show_default=True, help="Only texts of these inputs."
)
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def quintd(*, folder: Path, half: str, as_json: bool, out: Path | None) -> int:
    """Find wrong spans of texts about forecasts, series and properties by the records that they were written from.

    FOLDER holds annotated.jsonl and sources.jsonl of Quintd-1 (ACL 2024).
    """
    from imprimatur.evals.quintd import run

    status: int = run(folder, half=half, as_json=as_json, out=out)
    return status


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--policy", default="annotate", show_default=True, help="A preset or a file.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def data2txt(*, folder: Path, policy: str, as_json: bool, out: Path | None) -> int:
    """Judge answers about records by the records as rows of a table, as text, and by both.

    FOLDER holds data2txt_sources.jsonl and data2txt_responses.jsonl of RAGTruth: records of businesses, and answers
    with the spans that are not borne out. Everything is printed side by side, for each model and type of span.
    """
    from imprimatur.evals.data2txt import run

    status: int = run(folder, policy=policy, as_json=as_json, out=out)
    return status


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--half",
    type=click.Choice(HALVES),
    default="both",
    show_default=True,
    help="Only the statements of one half of the tables, by a hash of their ids.",
)
@click.option("--wrong", is_flag=True, help="Also print the strict answers that are wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def tabfact(*, folder: Path, half: str, wrong: bool, as_json: bool) -> int:
    """Read the statements of TabFact over their tables, and compare with what the set says of them.

    FOLDER holds statements.jsonl, rows {id, table_id, statement, label, channel}, and tables.jsonl, rows {table_id,
    caption, columns, rows}. Printed are coverage and accuracy by how much is asked of a reading.
    """
    from imprimatur.evals.tabfact import run

    status: int = run(folder, half=half, wrong=wrong, as_json=as_json)
    return status
