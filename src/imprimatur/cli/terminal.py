"""Printing for people: labels as a sign and a word, with colour where there is any, and text made harmless.

Invariants: text from answers and files never reaches a terminal with control characters, escape sequences or marks that
reorder what follows; colour adds nothing that the words do not say.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from imprimatur._expressions import expression
from imprimatur.verdict import Label

__all__ = ["SIGNS", "aligned", "label_words", "plain", "print_table", "tint"]

#: Label → (sign, colour).
SIGNS: dict[str, tuple[str, str]] = {
    Label.SUPPORTED: ("✓", "green"),
    Label.CONTRADICTED: ("✗", "red"),
    Label.CONFLICTING: ("≠", "magenta"),
    Label.NOT_FOUND: ("?", "yellow"),
    Label.AMBIGUOUS: ("~", "yellow"),
    Label.UNCHECKED: ("!", "magenta"),
    Label.NOT_A_CLAIM: ("·", "bright_black"),
}
#: How wide a table is where there is no terminal.
_WIDTH = 120
_HARMFUL = expression("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def plain(text: str) -> str:
    """The text with every harmful character shown as an escape, ``\\x1b`` for instance; line ends become ``\\n``."""
    return _HARMFUL.sub(_escape, text.replace("\r\n", "\n"))


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def label_words(label: str) -> str:
    """A label's sign and word, padded to equal width and coloured."""
    sign, colour = SIGNS.get(label, ("?", "white"))
    return click.style(f"{sign} {label:<12}", fg=colour)


def tint(label: str, text: str) -> str:
    """``text`` (made harmless) in the label's colour."""
    return click.style(plain(text), fg=SIGNS.get(label, ("?", "white"))[1])


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain columns as wide as their widest cell; the last column is not padded."""
    table = [tuple(head), *(tuple(plain(cell).replace("\n", " ") for cell in row) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table)
    return "\n".join(lines)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, folded: bool = False) -> None:
    """A table on the standard output; what is in it is shown, never obeyed.

    Args:
        folded: whether a cell that is too long goes on in a further line; else it is cut.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in columns:
        least = min(len(name), 8)
        made.add_column(
            Text(_cell(name)), overflow="fold" if folded else "ellipsis", no_wrap=not folded, min_width=least
        )
    for row in rows:
        made.add_row(*(Text(_cell(cell), style="" if cell is not None else "dim") for cell in row))
    width = None if sys.stdout.isatty() else _WIDTH
    Console(file=sys.stdout, width=width, highlight=False, emoji=False).print(made)


def _cell(cell: Any) -> str:
    return "–" if cell is None else plain(str(cell)).replace("\n", " ")
