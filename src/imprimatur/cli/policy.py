"""``imprimatur policy``: check a policy for mistakes, or show what it comes to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import plain

if TYPE_CHECKING:
    from imprimatur.policy import Policy

__all__ = ["command"]


@click.group()
def command() -> None:
    """Check a policy, or show it in full."""


@command.command()
@click.argument("source", metavar="PRESET|FILE")
def lint(*, source: str) -> int:
    """Check a policy: what is wrong, and what is allowed but looks wrong.

    Exit status: 0 when there is nothing to say, 1 when something looks wrong, 2 when the policy cannot be used.
    """
    from imprimatur import policy

    found = policy.lint(_load(source), on=datetime.now(UTC).date())
    for sentence in found:
        click.echo(plain(sentence))
    if not found:
        click.echo(f"{plain(source)}: nothing to say")
    return 1 if found else 0


@command.command()
@click.argument("source", metavar="PRESET|FILE")
@click.option("--resolved", is_flag=True, help="Everything, with what it extends and the defaults filled in, as YAML.")
@click.option("--json", "as_json", is_flag=True, help="The resolved policy as JSON.")
def show(*, source: str, resolved: bool, as_json: bool) -> int:
    """Show a policy: its actions in short, or with --resolved all of it as a policy file."""
    policy = _load(source)
    if as_json:
        session.emit_json(policy.resolved())
    elif resolved:
        import yaml

        click.echo(yaml.safe_dump(policy.resolved(), sort_keys=False, allow_unicode=True).rstrip())
    else:
        _summarise(policy)
    return 0


def _summarise(policy: Policy) -> None:
    click.echo(f"{plain(policy.name)}  ({policy.content_hash[:19]})")
    for label, action in policy.actions:
        click.echo(f"  {label.value:<14}{action.value}")
    click.echo(f"  soft residue  {'withheld' if policy.soft_residue else 'annotated'}")
    click.echo(f"  abstention    {plain(policy.abstention_text)!r}, in place of the {policy.scope.value}")
    for waiver in policy.waivers:
        click.echo(f"  {plain(waiver.describe())}")


def _load(source: str) -> Policy:
    from imprimatur.policy import load

    return load(source)
