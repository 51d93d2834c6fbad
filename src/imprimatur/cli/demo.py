"""``imprimatur demo``: three answers about rivers, one true, one subtly false, one mixed, through the real oracle."""

from __future__ import annotations

import click

from imprimatur.cli import session
from imprimatur.cli.check import rendered

__all__ = ["ANSWERS", "command"]

#: (what it is, the answer), about rivers in the bundled knowledge base ``rivers``.
ANSWERS: tuple[tuple[str, str], ...] = (
    ("true", "The Ohoopee River is 192 km long. It is a tributary of the Altamaha River."),
    ("subtly false", "The Ohoopee River is 129 km long."),
    ("mixed", "The Ohoopee River is a tributary of the Altamaha River. It is 129 km long."),
)


@click.command()
@click.option("--policy", default="redact", show_default=True, help="A preset (strict, redact, …) or a file.")
def command(*, policy: str) -> int:
    """Judge three short answers about rivers: one true, one subtly false, one mixed. Nothing is recorded."""
    oracle = session.open_oracle("rivers", policy)
    for what, answer in ANSWERS:
        click.echo(click.style(f"── {what} ── {answer}", bold=True))
        click.echo(rendered(oracle.check(answer)))
        click.echo()
    click.echo(
        "The same from Python: Oracle.from_folder(…).check(answer); from here: imprimatur check TEXT --kb rivers"
    )
    return 0
