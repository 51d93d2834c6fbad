"""``imprimatur ask``: answer a question from a knowledge base; only what is licensed is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from imprimatur.cli import ask_model, session
from imprimatur.cli.model_options import ModelOptions, model_options
from imprimatur.cli.options import Recording, extractor_option, recording_options, tenant_option
from imprimatur.cli.terminal import label_words, plain

if TYPE_CHECKING:
    from imprimatur.generate.answered import Answered
    from imprimatur.oracle import Oracle
    from imprimatur.retrieve import EvidenceTrail

__all__ = ["command"]

#: The most options that a question may give to choose from.
_MOST_OPTIONS = 50


@click.command()
@click.argument("question", metavar="QUESTION")
@click.option("--kb", metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@extractor_option
@tenant_option
@click.option("--option", "options", multiple=True, metavar="TEXT", help="An answer to choose from; repeatable.")
@click.option("--how", type=click.Choice(ask_model.HOWS), help="Who answers, from what; see above.")
@click.option("--queries", is_flag=True, help="The model may also write queries, which are checked, before the gate.")
@click.option("--show-context", is_flag=True, help="Also show the evidence that retrieval finds for the question.")
@model_options
@recording_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer and its report as JSON.")
def command(
    *,
    question: str,
    kb: str | None,
    policy: str | None,
    extractor: str | None,
    tenant: str | None,
    options: tuple[str, ...],
    how: str | None,
    queries: bool,
    show_context: bool,
    model: ModelOptions,
    recording: Recording,
    as_json: bool,
) -> int:
    """Answer a question from a knowledge base; only what is licensed is said.

    Without a model (--how graph) the answer is put together from facts of the graph and licensed like any other answer,
    or refused; a question that can be meant in several ways is given back. Where a model is named (here, in the
    environment or in the knowledge base), evidence is found, a gate decides whether it is enough, the model writes, and
    the five stages license what it wrote (--how oracle).

    The other ways are for comparison, and what they give is not checked: plain (the question alone), cot (thinking
    aloud first), rag (with passages), qkr (with facts about what the question names), graph-rag (as oracle, without
    the stages), critic (its draft criticised by passages), kgr-written (its draft retrofitted by the graph). With kgr
    the draft is retrofitted, and the five stages license what comes of it.

    Exit status: 0 answered and licensed, 1 refused or not all of it licensed, 2 a mistake in the call, 3 not checked,
    or the model could not be asked.
    """
    from imprimatur.oracle import Oracle

    if len(options) > _MOST_OPTIONS:
        raise click.UsageError(f"{len(options)} options are given; at most {_MOST_OPTIONS} can be chosen from.")
    oracle = session.open_oracle(kb, policy, extractor, tenant)
    assert isinstance(oracle, Oracle)
    way, config = ask_model.chosen(how, model, oracle)
    if way == ask_model.GRAPH:
        found = _of_graph(question, oracle, options)
    else:
        found = ask_model.answered(question, oracle, config, how=way, options=options, queries=queries)
    if found.report is not None:
        recording.record(found.report, kb)
    trail = (found.trail or _trail(question, oracle)) if show_context else None
    if as_json:
        session.emit_json(found.json | ({"context": trail.to_dict()} if trail is not None else {}))
        return found.status
    found.show()
    if trail is not None:
        from imprimatur.cli.context import lines

        click.echo("\n".join(("", *lines(trail))))
    return found.status


#: Why a question is refused, in words.
_WHY = {
    "unread": "The question is not understood.",
    "unknown": "The graph does not say.",
    "ambiguous": "More than one answer fits.",
    "late": "It took too long.",
}


def _print(found: Answered, refusal: str) -> None:
    if not found.text:
        click.echo(plain(refusal))
        click.echo(plain(found.clarify) if found.clarify else _WHY[found.outcome.value])
        return
    click.echo(plain(found.text))
    if found.more:
        click.echo(f"({found.more} more are known to fit)")
    _show_evidence(found)


def _of_graph(question: str, oracle: Oracle, options: Sequence[str]) -> ask_model.Shown:
    """What the graph answers; no model is asked."""
    from imprimatur.generate.answers import answer

    found = answer(question, oracle, options=options)
    refusal = oracle.policy.abstention_text
    return ask_model.Shown(
        status=0 if found.text else 1,
        json=found.to_dict(refusal),
        show=lambda: _print(found, refusal),
        report=found.report,
    )


def _trail(question: str, oracle: Oracle) -> EvidenceTrail:
    from imprimatur.retrieve import retrieve

    return retrieve(question, oracle.knowledge)


def _show_evidence(found: Answered) -> None:
    assert found.report is not None
    shown = dict.fromkeys(
        (e.content, e.origin) for s in found.report.segments for c in s.claims for e in c.verdict.evidence
    )
    label = found.report.segments[0].label
    for content, origin in shown:
        click.echo(f"    {label_words(label)} {plain(' '.join(content.split()))}  [{plain(origin)}]")
