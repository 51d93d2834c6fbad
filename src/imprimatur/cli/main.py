"""The entry point: finds the command, and turns every error into words and an exit status.

Exit statuses: 0 licensed or no claims; 1 some segment is not licensed; 2 the caller's mistake; 3 a fault, or nothing
worse than ``unchecked``; 130 interrupted; 141 the reader went away. Invariants: no traceback reaches the user without
``--debug``; a command's module is imported only when it runs, so that help and ``check`` start fast; what a command
prints as its result goes to stdout, all else to stderr.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence

import click

from imprimatur._collection import uncollected
from imprimatur._dataclasses import dataclass
from imprimatur.errors import ImprimaturError, RuntimeFault, nearest

__all__ = ["COMMANDS", "main", "run"]

#: Command → (module, what it does in one line). The module's ``command`` is the click command.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("imprimatur.cli.init", "Make a knowledge base folder from a graph."),
    "check": ("imprimatur.cli.check", "Judge an answer against a knowledge base."),
    "explain": ("imprimatur.cli.explain", "Say why parts of an answer were withheld, and what would license them."),
    "ask": ("imprimatur.cli.ask", "Answer a question from a knowledge base; only what is licensed is said."),
    "batch": ("imprimatur.cli.batch", "Judge many answers: JSON lines in, JSON lines out."),
    "serve": ("imprimatur.cli.serve", "Serve the gateway: a model server whose answers are licensed."),
    "kb": (
        "imprimatur.cli.kb",
        "Make a knowledge base of tables, look at one, validate it, or find what its words lack.",
    ),
    "memory": ("imprimatur.cli.memory", "Keep the entries that answers may cite."),
    "passages": ("imprimatur.cli.passages", "Index the documents that claims are judged by, and search them."),
    "tables": ("imprimatur.cli.tables", "Look at the tables of a knowledge base, and query them."),
    "model": ("imprimatur.cli.model", "Ask whether a language model can be asked."),
    "policy": ("imprimatur.cli.policy", "Check a policy, or show it in full."),
    "ledger": ("imprimatur.cli.ledger", "List, show, count and verify recorded reports."),
    "eval": ("imprimatur.cli.eval", "Measure verdicts against labelled claims."),
    "tune": ("imprimatur.cli.tune", "Tune a model by an adapter, on questions of a knowledge base."),
    "doctor": ("imprimatur.cli.doctor", "Say what is installed, and whether it works."),
    "demo": ("imprimatur.cli.demo", "Judge three short answers about rivers."),
}


_READER_GONE = 141


@dataclass(slots=True)
class Invocation:
    """What the options before the command say."""

    debug: bool = False


class _Commands(click.Group):
    """A group whose commands are known by name and imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        with uncollected(keep=True):
            command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest(args[0], COMMANDS)
            hint = f" Did you mean {near!r}?" if near else " `imprimatur --help` lists the commands."
            raise click.UsageError(f"No command is called {args[0][:60]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"imprimatur {version('imprimatur')}")
        ctx.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
@click.pass_obj
def _program(invocation: Invocation, *, debug: bool) -> None:
    """Judge every factual claim of an answer against trusted evidence, then license, correct or withhold it."""
    invocation.debug = debug


def run(args: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit status; never raises but under ``--debug``."""
    invocation = Invocation()
    try:
        status = _program.main(args=args, prog_name="imprimatur", standalone_mode=False, obj=invocation)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except ImprimaturError as fault:
        if invocation.debug:
            raise
        return _tell(fault)
    except click.ClickException as fault:
        fault.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        # What is still buffered has no reader; without this the interpreter complains while it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _READER_GONE
    except SystemExit as stop:
        # click ends so, with 1, on a broken pipe (1 would read as "not licensed"), and with 0 after shell completion.
        return _READER_GONE if stop.code else 0
    except Exception as fault:
        if invocation.debug:
            raise
        click.echo(f"internal error: {type(fault).__name__}: {_line(str(fault))}", err=True)
        click.echo("  hint: this is a fault of imprimatur; `imprimatur --debug …` shows where", err=True)
        return 3


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(run())


def _tell(fault: ImprimaturError) -> int:
    click.echo(f"error: {_line(fault.message)}", err=True)
    if fault.where:
        click.echo(f"  where: {_line(fault.where)}", err=True)
    if fault.hint:
        click.echo(f"  hint: {_line(fault.hint)}", err=True)
    return 3 if isinstance(fault, RuntimeFault) else 2


def _line(text: str) -> str:
    from imprimatur.cli.terminal import plain

    return plain(text[:2000])
