"""``imprimatur explain``: why parts of an answer were withheld, and what would have to be added for them to pass."""

from __future__ import annotations

import click

from imprimatur.cli import session
from imprimatur.cli.options import Request, answer_options
from imprimatur.cli.terminal import label_words, plain, tint
from imprimatur.cli.tracing import trace_keys, trace_lines

__all__ = ["command"]


@click.command()
@answer_options
@click.option("--json", "as_json", is_flag=True, help="Print the explanations as JSON.")
@click.option("--trace", "traced", is_flag=True, help="Show how each segment was read instead.")
def command(*, request: Request, as_json: bool, traced: bool) -> int:
    """Say why parts of an answer were withheld, and what would license them.

    Takes what `check` takes, judges the same way, and records nothing. The exit status is that of `check`. With
    `--trace`, for every segment: the names, quantities and dates that it mentions, the readings of its claims, and the
    words that no supported claim accounts for.
    """
    oracle, report = request.judge()
    if traced:
        segments = oracle.trace(report)
        if as_json:
            session.emit_json([trace_keys(each) for each in segments])
        else:
            click.echo("\n".join(line for each in segments for line in trace_lines(each, report.answer)))
        return session.status_of(report)
    found = oracle.explain(report)
    if as_json:
        session.emit_json([_keys(item) for item in found])
        return session.status_of(report)
    for item in found:
        click.echo(f"{label_words(item.label)} {tint(item.label, ' '.join(item.text.split()))}")
        click.echo(f"    why:    {_indented(item.why)}")
        click.echo(f"    needed: {_indented(item.needed)}")
    if not found:
        click.echo("Nothing was withheld.")
    return session.status_of(report)


def _keys(item: session.ExplanationLike) -> dict[str, str | int]:
    span = {"start": item.start, "end": item.end}
    return {**span, "text": item.text, "label": str(item.label), "why": item.why, "needed": item.needed}


def _indented(text: str) -> str:
    return plain(text).replace("\n", "\n            ")
