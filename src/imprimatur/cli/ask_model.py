"""``imprimatur ask`` with a model: what is asked how, and how the outcome is printed.

Invariant: what no stage has looked at is printed with the words "not checked", and never with exit status 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.model_options import ModelOptions
from imprimatur.cli.terminal import label_words, plain

if TYPE_CHECKING:
    from imprimatur.config import ModelConfig
    from imprimatur.generate.generated import Generated
    from imprimatur.oracle import Oracle
    from imprimatur.report import Report
    from imprimatur.retrieve import EvidenceTrail

__all__ = ["GRAPH", "HOWS", "Shown", "answered", "chosen"]

#: Without a model.
GRAPH = "graph"
HOWS = (GRAPH, "plain", "cot", "rag", "qkr", "graph-rag", "critic", "kgr-written", "kgr", "oracle")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An outcome as the command gives it: exit status, JSON, what prints it, and what it rests on."""

    status: int
    json: dict[str, Any]
    show: Callable[[], None]
    report: Report | None = None
    trail: EvidenceTrail | None = None


def chosen(how: str | None, named: ModelOptions, oracle: Oracle) -> tuple[str, ModelConfig]:
    """How a question is asked, and of which model: of the oracle's condition where some model is named, else of none.

    Raises:
        InputError: an option or a variable that names a model has a value that it must not.
    """
    from imprimatur.config import ModelConfig

    if how == GRAPH:
        return GRAPH, ModelConfig()
    config = named.config(oracle.knowledge.config.model)
    is_named = config.base_url is not None or config.path is not None
    return how or ("oracle" if is_named else GRAPH), config


def answered(
    question: str, oracle: Oracle, config: ModelConfig, *, how: str, options: Sequence[str], queries: bool
) -> Shown:
    """What becomes of a question that a model is asked. Raises ImprimaturError where it cannot be asked."""
    from imprimatur.generate.asker import AskSettings, ask
    from imprimatur.models.opening import open_model

    settings, model = AskSettings.fitting(config, oracle), open_model(config)
    if queries:
        from imprimatur.generate.query_writer import ModelQueries

        settings = replace(settings, writer=ModelQueries(model))
    found = ask(question, oracle, model=model, how=how, options=options, settings=settings)
    return Shown(
        status=_status(found),
        json=found.to_dict(),
        show=lambda: _print(found),
        report=found.report,
        trail=found.trail,
    )


def _status(found: Generated) -> int:
    """0 licensed, 1 not all of it or no answer, 3 not checked."""
    if found.report is None or found.outcome.value != "answered":
        return 1
    return session.status_of(found.report)


def _print(found: Generated) -> None:
    """Prints an outcome for people: the text first, what it is, then the evidence and what is wrong."""
    from imprimatur.generate.generated import NOT_CHECKED

    click.echo(plain(found.text))
    if found.why:
        click.echo(plain(found.why[0].upper() + found.why[1:].rstrip(".") + "."))
    if found.label == NOT_CHECKED:
        click.echo(f"    {label_words('unchecked').strip()}: {NOT_CHECKED}; no stage has looked at this answer")
        return
    if found.report is not None and found.outcome.value == "answered":
        _print_evidence(found.report)
    for problem in found.citations:
        cited = found.draft[problem.start : problem.end]
        click.echo(f"    {label_words('not_found')} citation {plain(cited)}: {problem.reason.value}")


def _print_evidence(report: Report) -> None:
    shown = {
        (segment.label, evidence.content, evidence.origin): None
        for segment in report.segments
        for claim in segment.claims
        for evidence in claim.verdict.evidence
    }
    for label, content, origin in shown:
        click.echo(f"    {label_words(label)} {plain(' '.join(content.split()))}  [{plain(origin)}]")
    for segment in report.segments if report.decision.kind == "annotated" else ():
        said = " ".join(report.answer[segment.start : segment.end].split())
        click.echo(f"    {label_words(segment.label)} {plain(said)}")
