"""``imprimatur doctor --grounding``: the six steps on a knowledge base, and how they are printed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.model_options import ModelOptions
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import plain
from imprimatur.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from imprimatur.evals.grounding_steps import Finding
    from imprimatur.oracle import Oracle

__all__ = ["run"]

_COLOURS = {"ok": "green", "warn": "yellow", "wrong": "red"}
_EXAMPLES = 5


def run(
    kb: str | None, policy: str | None, *, ledger: Path, questions: tuple[str, ...], as_json: bool, **given: int
) -> int:
    """Looks at a knowledge base and prints what was found; 3 when something is wrong, else 0.

    Raises:
        ImprimaturError: the knowledge base cannot be opened.
    """
    from imprimatur.evals.grounding import findings, summary
    from imprimatur.oracle import Oracle

    oracle = session.open_oracle(kb, policy)
    if not isinstance(oracle, Oracle) or (oracle.knowledge.part is None and oracle.knowledge.text.empty):
        hint = "name a graph, tables, passages or a memory in imprimatur.yaml"
        raise KnowledgeBaseError("there is no evidence in it", where=kb or ".", hint=hint)
    what = _what(oracle, kb or ".", ledger=ledger, questions=questions, **given)
    with Progress("Looking at", None) as progress:
        found = list(findings(replace(what, step=progress.step)))
    if as_json:
        session.emit_json(dict(summary(found)))
    else:
        for each in found:
            _print(each)
    return 3 if any(each.state == "wrong" for each in found) else 0


def _what(oracle: Oracle, name: str, **given: Any) -> Any:
    from imprimatur.config import ModelConfig
    from imprimatur.evals.grounding import Grounding
    from imprimatur.generate.asker import AskSettings
    from imprimatur.models.opening import open_model

    config = ModelOptions().config(oracle.knowledge.config.model)
    named = config.base_url is not None or config.path is not None
    asking = AskSettings.fitting(config if named else ModelConfig(), oracle)
    return Grounding(oracle=oracle, name=name, model=open_model(config) if named else None, asking=asking, **given)


def _print(found: Finding) -> None:
    """One finding: its state and what was found; below, what to do and some of what was not as it should be."""
    number = f"{found.step} " if found.step else "  "
    state = click.style(f"{found.state.value:<6}", fg=_COLOURS[found.state.value])
    click.echo(f"{state} {number}{found.name:<14} {plain(found.detail)}")
    if found.state.value != "ok" and found.mend:
        click.echo(f"{'':<9}→ {plain(found.mend)}")
    for example in found.examples[:_EXAMPLES]:
        click.echo(f"{'':<11}{plain(' '.join(example.split()))[:200]}")
    if len(found.examples) > _EXAMPLES:
        click.echo(f"{'':<11}and {len(found.examples) - _EXAMPLES} more")
