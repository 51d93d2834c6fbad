"""``imprimatur ask``: answer a question from a knowledge base; only what is licensed is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.options import Recording, extractor_option, recording_options
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
@click.option("--option", "options", multiple=True, metavar="TEXT", help="An answer to choose from; repeatable.")
@click.option("--show-context", is_flag=True, help="Also show the evidence that retrieval finds for the question.")
@recording_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer and its report as JSON.")
def command(
    *,
    question: str,
    kb: str | None,
    policy: str | None,
    extractor: str | None,
    options: tuple[str, ...],
    show_context: bool,
    recording: Recording,
    as_json: bool,
) -> int:
    """Answer a question from a knowledge base; only what is licensed is said.

    The answer is put together from facts of its graph, without a model, and licensed like any other answer, or refused.
    A question that can be meant in several ways is given back. Exit status: 0 answered, 1 refused, 2 a mistake in the
    call.
    """
    from imprimatur.generate.answers import answer
    from imprimatur.oracle import Oracle

    if len(options) > _MOST_OPTIONS:
        raise click.UsageError(f"{len(options)} options are given; at most {_MOST_OPTIONS} can be chosen from.")
    oracle = session.open_oracle(kb, policy, extractor)
    assert isinstance(oracle, Oracle)
    found = answer(question, oracle, options=options)
    refusal = oracle.policy.abstention_text
    if found.report is not None:
        recording.record(found.report, kb)
    trail = _trail(question, oracle) if show_context else None
    if as_json:
        session.emit_json(_json(found, refusal) | ({"context": trail.to_dict()} if trail is not None else {}))
    else:
        _print(found, refusal)
    if trail is not None and not as_json:
        from imprimatur.cli.context import lines

        click.echo("\n".join(("", *lines(trail))))
    return 0 if found.text else 1


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


def _trail(question: str, oracle: Oracle) -> EvidenceTrail:
    from imprimatur.retrieve import retrieve

    return retrieve(question, oracle.knowledge)


def _json(found: Answered, refusal: str) -> dict[str, Any]:
    return {
        "outcome": found.outcome.value,
        "answer": found.text or refusal,
        "values": list(found.values),
        "things": list(found.iris),
        "more": found.more,
        "clarify": found.clarify or None,
        "report": found.report.to_dict() if found.report is not None else None,
    }


def _show_evidence(found: Answered) -> None:
    assert found.report is not None
    shown = dict.fromkeys(
        (e.content, e.origin) for s in found.report.segments for c in s.claims for e in c.verdict.evidence
    )
    label = found.report.segments[0].label
    for content, origin in shown:
        click.echo(f"    {label_words(label)} {plain(' '.join(content.split()))}  [{plain(origin)}]")
