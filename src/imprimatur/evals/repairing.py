"""``imprimatur eval repairs``: correct texts of which the wrong spans are known, and see that only these were changed.

A row of the JSON-lines file is one of: ``{id, text, wrong: [[start, end], …], question?}``; a true text with a false
twin, ``{id, text, twin: {text, label | labels}}``, whose wrong span is where they differ; an annotated answer, ``{id,
answer, segments: [{claims: [{start, end, gold}]}], question?}``, whose wrong spans are its claims that are not
supported. Spans are half-open code points.

An edit is sound when it puts words in only where a wrong span is, or takes out a segment, clause or list member that
holds one. Invariants: every row is counted once; whatever goes out is judged again by a check of its own, and a row is
repaired only if all of that is licensed and none of its segments with a wrong span is simply gone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import click

from imprimatur._expressions import expression
from imprimatur.cli import session
from imprimatur.cli.correcting import edits_of
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.decision import Abstained, Edit
from imprimatur.errors import InputError
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.mutants import licensed
from imprimatur.evals.outcome import Case, Outcome
from imprimatur.evals.told_figures import tables_of
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

__all__ = ["Flawed", "Mended", "Repairs", "outcome", "read_rows", "run"]

_SHAPE = 'a row looks like {"id": "1", "text": "…", "wrong": [[12, 17]]}, or has a "twin", or "segments" with "claims"'
_WORD = expression(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flawed:
    """A text with the spans in it that are wrong; ``right``: the text that would be right, where one is known."""

    id: str
    text: str
    wrong: tuple[tuple[int, int], ...]
    question: str | None = None
    right: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What became of a text.

    Attributes:
        fate: ``same`` (as the right text), ``repaired``, ``taken out`` (what is wrong is gone, the rest stays),
            ``withheld``, ``licensed`` (nothing was changed), or ``unsound``: what goes out is not licensed.
        outside: edits that put words in where nothing is wrong.
    """

    row: Flawed
    fate: str
    out: str
    contradicted: bool
    outside: tuple[Edit, ...] = ()


@dataclass(slots=True)
class Repairs:
    """All texts, and how they fared."""

    mended: list[Mended] = field(default_factory=list)

    def share(self, *fates: str) -> Share:
        """How many have one of some fates, of those that were refuted."""
        refuted = [m for m in self.mended if m.contradicted]
        return Share(sum(m.fate in fates for m in refuted), len(refuted))

    @property
    def wrong(self) -> list[Mended]:
        """Where something that is not licensed went out, or words were put in where nothing was wrong."""
        return [m for m in self.mended if m.fate == "unsound" or m.outside]

    def to_dict(self) -> dict[str, Any]:
        """The counts and every text, JSON-ready."""
        return {
            "texts": len(self.mended),
            "contradicted": self.share().total,
            "repaired": self.share("same", "repaired").to_dict(),
            "taken_out": self.share("taken out").to_dict(),
            "fates": dict(sorted(Counter(m.fate for m in self.mended).items())),
            "outside": [_shown(m) for m in self.mended if m.outside],
            "texts_shown": [_shown(m) for m in self.mended],
        }


def run(rows_path: Path, kb: str, *, as_json: bool, out: Path | None = None) -> int:
    """Corrects the texts of a file, prints what came of it; 1 when something was changed that was not wrong.

    Raises:
        ImprimaturError: the file, a row or the knowledge base is wrong.
    """
    rows = read_rows(rows_path)
    oracle = Oracle.from_folder(kb, policy="correct")
    repairs = Repairs()
    with Progress("Correcting", len(rows)) as progress:
        for row in progress.over(rows, lambda _: 1):
            repairs.mended.append(mended(row, oracle))
    if out is not None:
        sources, versions = provenance(oracle, files=(rows_path,))
        told = {"kb": Path(kb).name, "policy": "correct"}
        keep(replace(outcome(repairs), settings=told, sources=sources, versions=versions), out)
    if as_json:
        session.emit_json(repairs.to_dict())
    else:
        click.echo(rendered(repairs))
    return 1 if repairs.wrong else 0


def mended(row: Flawed, oracle: Oracle) -> Mended:
    """Corrects a text and looks at what was changed."""
    report = oracle.check(row.text, row.question)
    contradicted = Label.CONTRADICTED in {segment.label for segment in report.segments}
    decision = report.decision
    edits = edits_of(report)
    if licensed(report):
        return Mended(row=row, fate="licensed", out=row.text, contradicted=contradicted)
    if isinstance(decision, Abstained):
        return Mended(row=row, fate="withheld", out=decision.text, contradicted=contradicted)
    outside = tuple(edit for edit in edits if edit.after.strip() and not _sound(edit, row))
    put_right = all(any(edit.after.strip() for edit in _at(edits, span, row.text)) for span in row.wrong)
    fate = "repaired" if put_right else "taken out"
    if decision.text == row.right:
        fate = "same"
    elif not licensed(oracle.check(decision.text, row.question)):
        fate = "unsound"
    return Mended(row=row, fate=fate, out=decision.text, contradicted=contradicted, outside=outside)


def _at(edits: Iterable[Edit], span: tuple[int, int], text: str) -> list[Edit]:
    return [edit for edit in edits if _touches(edit, span, text)]


def _sound(edit: Edit, row: Flawed) -> bool:
    """Whether an edit that puts words in keeps to a wrong span, or only leaves some of the words that were there."""
    inside = any(_touches(edit, span, row.text) for span in row.wrong)
    words = iter(_WORD.findall(edit.before.lower()))
    only_fewer = all(any(word == other for other in words) for word in _WORD.findall(edit.after.lower()))
    return inside or only_fewer


def _touches(edit: Edit, span: tuple[int, int], text: str) -> bool:
    """Whether an edit is at a span, or only marks stand between: a number and its unit are one value."""
    start, end = span
    between = text[min(edit.end, end) : max(edit.start, start)]
    return (edit.start < end and start < edit.end) or not any(char.isalnum() for char in between)


def read_rows(path: Path) -> tuple[Flawed, ...]:
    """The texts of a JSON-lines file that have a wrong span.

    Raises:
        InputError: the file cannot be read, a row is none of the known shapes, or no text is wrong.
    """
    rows: list[Flawed] = []
    for number, line in enumerate(session.read_file(path).split("\n"), 1):
        if line.strip():
            rows += _row(line, f"{path}:{number}")
    if not rows:
        raise InputError("holds no text with a wrong span", where=str(path), hint=_SHAPE)
    return tuple(rows)


def _row(line: str, where: str) -> Sequence[Flawed]:
    try:
        values = json.loads(line)
        if "twin" in values:
            return [_twin(values)]
        if "segments" in values:
            found = _annotated(values)
        else:
            wrong = tuple((int(start), int(end)) for start, end in values["wrong"])
            found = Flawed(id=str(values["id"]), text=values["text"], wrong=wrong, question=values.get("question"))
        fits = isinstance(found.text, str) and all(0 <= a < b <= len(found.text) for a, b in found.wrong)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as fault:
        raise InputError(f"not a row of a known shape: {str(fault)[:120]}", where=where, hint=_SHAPE) from fault
    if not fits:
        raise InputError("a wrong span lies outside of the text", where=where, hint=_SHAPE)
    return [found] if found.wrong else []


def _twin(values: Mapping[str, Any]) -> Flawed:
    right, text = str(values["text"]), str(values["twin"]["text"])
    ours, theirs = _WORD.findall(text), _WORD.findall(right)
    spans, at = [], [0]
    for word in ours:
        at.append(at[-1] + len(word))
    for kind, a, b, _, _ in SequenceMatcher(a=ours, b=theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            spans.append((at[a], max(at[b], at[a] + 1)))
    return Flawed(id=str(values["id"]), text=text, wrong=tuple(spans), right=right)


def _annotated(values: Mapping[str, Any]) -> Flawed:
    claims = [claim for segment in values["segments"] for claim in segment["claims"]]
    wrong = [(c["start"], c["end"]) for c in claims if c["gold"] in ("contradicted", "not_found", "ambiguous")]
    return Flawed(
        id=str(values["id"]),
        text=values["answer"],
        wrong=tuple(sorted(wrong)),
        question=values.get("question"),
    )


def outcome(repairs: Repairs) -> Outcome:
    """The shares as an outcome; a text that goes out and is not licensed is grave."""
    figures = {key: value for key, value in repairs.to_dict().items() if key != "texts_shown"}
    cases = tuple(
        Case(
            id=each.row.id,
            kind="changed elsewhere" if each.outside and each.fate != "unsound" else each.fate,
            text=each.row.text,
            gold=each.row.right or "",
            said=each.out,
            evidence=tuple(f"{edit.before} → {edit.after}" for edit in each.outside),
            grave=each.fate == "unsound",
        )
        for each in repairs.mended
        if each in repairs.wrong or each.fate == "withheld"
    )
    return Outcome(name="repairs", title="Texts with wrong spans corrected", tables=tables_of(figures), cases=cases)


def rendered(repairs: Repairs) -> str:
    """The outcome as a table, with every change outside of what is wrong above it."""
    lines = [
        f"OUTSIDE  {plain(m.row.id)}: {plain(edit.before)!r} -> {plain(edit.after)!r}"
        for m in repairs.mended
        for edit in m.outside
    ]
    lines += [f"UNSOUND  {plain(m.row.id)}: {plain(m.out)}" for m in repairs.mended if m.fate == "unsound"]
    body = [
        ["the same as the right text", str(repairs.share("same"))],
        ["repaired, the same or not", str(repairs.share("same", "repaired"))],
        ["taken out, the rest stays", str(repairs.share("taken out"))],
        ["withheld", str(repairs.share("withheld"))],
    ]
    total = f"{len(repairs.mended)} texts, {repairs.share().total} of them refuted somewhere; of these:"
    return "\n".join([*lines, total, aligned(["fate", "share"], body)])


def _shown(found: Mended) -> dict[str, Any]:
    return {
        "id": found.row.id,
        "fate": found.fate,
        "contradicted": found.contradicted,
        "text": found.row.text,
        "out": found.out,
        "outside": [[edit.start, edit.end, edit.before, edit.after] for edit in found.outside],
    }
