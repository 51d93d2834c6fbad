"""Write docs/cli.md from the commands' own help.

Usage: ``python scripts/write_cli_docs.py docs/cli.md``. ``tests/test_docs.py`` fails when the file is not what this
prints.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from imprimatur.cli.main import COMMANDS

_WIDTH = 96
_HEAD = """\
# Command line

Made from the commands' own help by `make docs`; a test keeps it current.

Input is a text, a file's name, or `-` for standard input. Results go to standard output (`--json` where a program reads
them), everything else to standard error.

Exit status: 0 licensed or no claims; 1 some segment is not licensed, even if it was then corrected, redacted or
annotated; 2 a mistake in the call; 3 a fault, or nothing worse than `unchecked`. `batch` ends by job status, `eval`
with 1 when there was a false licence.
"""


def page() -> str:
    """The whole page."""
    program = click.Context(
        click.Group("imprimatur"),
        info_name="imprimatur",
        help_option_names=["-h", "--help"],
        max_content_width=_WIDTH,
        terminal_width=_WIDTH,
    )
    sections = [_HEAD]
    for name in COMMANDS:
        command: click.Command = importlib.import_module(COMMANDS[name][0]).command
        sections.extend(_sections(command, click.Context(command, program, info_name=name), 2))
    return "\n".join(sections)


def _sections(command: click.Command, context: click.Context, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} `{context.command_path}`\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None:
                yield from _sections(found, click.Context(found, context, info_name=name), depth + 1)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
