"""``imprimatur check``: judge one answer and show, for every claim, its label and the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import click

from imprimatur.cli import correcting, session
from imprimatur.cli.options import Recording, Request, answer_options, recording_options
from imprimatur.cli.terminal import label_words, plain, tint
from imprimatur.errors import InputError
from imprimatur.report import JudgedClaim, JudgedSegment, Report

__all__ = ["command", "rendered"]


@click.command()
@answer_options
@recording_options
@click.option(
    "--correct", is_flag=True, help="Put wrong values right, take out what is not confirmed; show a word diff."
)
@click.option("--write", is_flag=True, help="With --correct: change the file itself; as it was, it stays as FILE.bak.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(*, request: Request, recording: Recording, correct: bool, write: bool, as_json: bool) -> int:
    """Judge an answer against a knowledge base.

    The answer is a text, a file's name, or - for standard input. Exit status: 0 licensed or no claims, 1 some segment
    is not licensed, 2 a mistake in the call, 3 a fault, or nothing worse than unchecked.
    """
    if correct and request.policy is not None:
        raise InputError("--correct and --policy cannot both be given", hint="--correct is the policy `correct`")
    if write and not correct:
        raise InputError("--write needs --correct", hint="add --correct")
    path = correcting.file_named(request.answer) if write else None
    _, report = (replace(request, policy="correct") if correct else request).judge()
    recording.record(report, request.kb)
    if as_json:
        session.emit_json(report.to_dict())
    else:
        click.echo(correcting.told(report) if correct else rendered(report))
    if path is not None:
        click.echo(correcting.write(report, path), err=as_json)
    return session.status_of(report)


def rendered(report: Report) -> str:
    """The report for people: segments, claims, evidence, the accounting, the decision, what may be shown."""
    lines = [line for segment in report.segments for line in _segment(report.answer, segment)]
    counts = ", ".join(f"{count} {label}" for label, count in report.accounting.items() if count)
    total = len(report.segments)
    lines += ["", f"Accounting: {total} segment{'s' if total != 1 else ''}: {counts or 'nothing to account for'}"]
    lines += [f"Decision: {report.decision.kind} ({report.summary})"]
    lines += [f"Warning: {plain(warning)}" for warning in report.warnings]
    if report.decision.kind == "licensed":
        return "\n".join([*lines, "May be shown: the answer as it is."])
    shown = (f"  {line}" for line in plain(report.decision.text).splitlines())
    return "\n".join([*lines, "May be shown:", *shown])


def _segment(answer: str, segment: JudgedSegment) -> Iterator[str]:
    text = " ".join(answer[segment.start : segment.end].split())
    reasons = _reasons([reason.value for reason in segment.reasons])
    yield f"{label_words(segment.label)} {tint(segment.label, text)}{reasons if not segment.claims else ''}"
    for judged in segment.claims:
        yield from _claim(judged)
    left = [answer[part.start : part.end] for part in segment.residue if part.hard]
    if left:
        yield f"    not accounted for: {plain(', '.join(repr(words) for words in left))}"


def _claim(judged: JudgedClaim) -> Iterator[str]:
    claim, verdict = judged.claim, judged.verdict
    reasons = _reasons([reason.value for reason in verdict.reasons])
    yield f"    {label_words(verdict.label)} {tint(verdict.label, ' '.join(claim.text.split()))}{reasons}"
    for evidence in verdict.evidence:
        content = plain(" ".join(evidence.content.split()))
        yield f"        {content}  [{plain(evidence.source)}: {plain(evidence.origin)}]"
        if evidence.correction is not None:
            yield f"        right would be: {plain(evidence.correction)}"
    if verdict.clarify:
        yield f"        {plain(verdict.clarify)}"


def _reasons(reasons: list[str]) -> str:
    return f"  ({', '.join(reasons)})" if reasons else ""
