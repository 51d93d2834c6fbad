"""``imprimatur eval suites``: the prompt suites of the Licensing Oracle's paper, expectation against decision.

A suite is a JSON list of ``{id, answer | prompt, claim, expected: ANSWER | ABSTAIN, category?, comment?}``; its name is
the middle of its file's name (``prompt_suite.NAME.json``). An answer is checked as it stands, a prompt is answered
"Yes.", and ANSWER is decided when all of it is licensed. Suites go by the knowledge base of their name; the others are
told, and nothing is made up for them. Invariant: an expectation comes from the suite alone. It is no gold of what is
so: the suites expect ABSTAIN of a true sentence where the paper's shapes forbid it, and ANSWER of what only the paper's
graph, which is not public, states.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.evals.finishing import finish, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Figure, Outcome, Row, Table
from imprimatur.evals.passage_sets import wrong
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label, worst

__all__ = ["BUNDLED", "Decided", "Prompt", "decided", "outcome_of", "read_suite", "run"]

#: The bundled knowledge bases that stand in for the paper's graphs, which are not public.
BUNDLED: Mapping[str, str] = {"philosophers": "philosophers", "rivers-v3": "rivers"}

_FIRST, _LAST = "prompt_suite.", ".json"
_ANSWER, _ABSTAIN = "ANSWER", "ABSTAIN"
_SHAPE = 'a suite looks like [{"id": "A1", "prompt": "Was A influenced by B?", "expected": "ABSTAIN"}, …]'
_NOTE = (
    "The graphs that the suites were made for are not public; bundled knowledge bases about the same things stand in "
    "for them. The philosophers' suite expects ABSTAIN where two lives do not overlap, though influence by the dead is "
    "ordinary and often stored, and asks after study where its claim says influence."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One entry: what is said in answer to what, and whether the suite expects that it passes."""

    id: str
    answer: str
    question: str | None
    passes: bool
    category: str

    @property
    def text(self) -> str:
        """What is asked and said, in one line."""
        return self.answer if self.question is None else f"{self.question} {self.answer}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A prompt of a suite with its verdict."""

    suite: str
    prompt: Prompt
    label: Label
    reasons: tuple[str, ...]
    evidence: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether all of the answer is licensed."""
        return self.label is Label.SUPPORTED

    @property
    def as_expected(self) -> bool:
        """Whether the decision is the expected one."""
        return self.passed is self.prompt.passes


def read_suite(path: Path) -> tuple[Prompt, ...]:
    """The prompts of a suite.

    Raises:
        InputError: the file cannot be read as one.
    """
    try:
        told = json.loads(path.read_bytes().decode("utf-8"))
        if not isinstance(told, list) or not all(isinstance(values, dict) for values in told):
            raise ValueError("not a list of objects")
        return tuple(_prompt(values) for values in told)
    except OSError as fault:
        raise InputError(f"cannot be read: {fault.strerror}", where=str(path), hint="check the path") from fault
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise InputError(f"is no suite of prompts: {wrong(fault)}", where=str(path), hint=_SHAPE) from fault


def _prompt(values: Mapping[str, Any]) -> Prompt:
    expected, question, answer = values["expected"], values.get("prompt"), values.get("answer", "Yes.")
    if expected not in (_ANSWER, _ABSTAIN):
        raise ValueError(f"`expected` is {expected!r}")
    if (
        not isinstance(answer, str)
        or not isinstance(question, str | None)
        or (question is None) is not ("answer" in values)
    ):
        raise ValueError("give either `prompt` or `answer`, a text")
    told = str(values.get("category") or values.get("comment", ""))
    return Prompt(id=str(values["id"]), answer=answer, question=question, passes=expected == _ANSWER, category=told)


def run(path: Path, kbs: Mapping[str, str], *, as_json: bool, out: Path | None) -> int:
    """Judges the suites of a folder, or one, prints and writes what came of it, and returns 0.

    Args:
        kbs: suite -> knowledge base, beside ``BUNDLED``.

    Raises:
        InputError: there is no suite, or a suite is named that is not there.
    """
    files = {_name(file): file for file in sorted(path.glob(f"{_FIRST}*{_LAST}"))} if path.is_dir() else {}
    files = files or {_name(path): path}
    if path.is_dir() and path in files.values():
        hint = "the suites are in https://github.com/s-emanuilov/world_mind (no licence stated)"
        raise InputError(f"has no {_FIRST}NAME{_LAST}", where=str(path), hint=hint)
    for name in kbs:
        if name not in files:
            raise InputError(f"there is no suite {name!r}", where=str(path), hint=f"there are {', '.join(files)}")
    before = sum(os.times()[:4])
    named = {**BUNDLED, **kbs}
    oracles = {name: Oracle.from_folder(named[name]) for name in files if name in named}
    rows = [row for name, oracle in oracles.items() for row in decided(name, read_suite(files[name]), oracle)]
    left = {name: len(read_suite(file)) for name, file in files.items() if name not in oracles}
    sources, versions = provenance(*oracles.values(), files=files.values())
    found = outcome_of(
        rows, left, {"knowledge bases": {name: named[name] for name in oracles}}, sources=sources, versions=versions,
        seconds=sum(os.times()[:4]) - before,
    )  # fmt: skip
    return finish(found, as_json=as_json, out=out)


def _name(path: Path) -> str:
    return path.name.removeprefix(_FIRST).removesuffix(_LAST)


def decided(suite: str, prompts: Sequence[Prompt], oracle: Oracle) -> Iterator[Decided]:
    """Each prompt with its verdict."""
    for prompt in prompts:
        report = oracle.check(prompt.answer, prompt.question)
        verdicts = [claim.verdict for segment in report.segments for claim in segment.claims]
        yield Decided(
            suite=suite,
            prompt=prompt,
            label=worst([segment.label for segment in report.segments]),
            reasons=tuple(dict.fromkeys(reason.value for verdict in verdicts for reason in verdict.reasons)),
            evidence=tuple(dict.fromkeys(item.content for verdict in verdicts for item in verdict.evidence)),
        )


def outcome_of(
    rows: Sequence[Decided],
    left: Mapping[str, int],
    settings: Mapping[str, Any],
    *,
    sources: Mapping[str, str],
    versions: Mapping[str, str],
    seconds: float,
) -> Outcome:
    """What some decisions show; ``left``: suites without a graph, and how many prompts they have."""
    head = ("suite", "expected", "prompts", "as expected", "licensed", "refuted", "not found", "other")
    notes = [f"No graph for the suite {name} ({count} prompts): name one with --kb." for name, count in left.items()]
    return Outcome(
        name="suites",
        title="Prompt suites",
        tables=(Table(title="Expectation and decision", head=head, rows=tuple(_lines(rows))),),
        cases=tuple(_case(row) for row in rows if not row.as_expected),
        rows=tuple(Row(id=f"{row.suite}/{row.prompt.id}", said=row.label.value, right=row.as_expected) for row in rows),
        settings=settings,
        sources=sources,
        versions=versions,
        used={"processor seconds": round(seconds, 1)},
        notes=(_NOTE, *notes),
    )


def _lines(rows: Sequence[Decided]) -> Iterator[tuple[Cell, ...]]:
    for suite in dict.fromkeys(row.suite for row in rows):
        for passes in (True, False):
            these = [row for row in rows if row.suite == suite and row.prompt.passes is passes]
            if not these:
                continue
            right = Figure.of(Share(sum(row.as_expected for row in these), len(these)))
            labels = Counter(row.label for row in these)
            shown = [labels.pop(label, 0) for label in (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND)]
            yield suite, _ANSWER if passes else _ABSTAIN, len(these), right, *shown, labels.total()


def _case(row: Decided) -> Case:
    return Case(
        id=f"{row.suite}/{row.prompt.id}",
        kind="expected to be withheld" if row.passed else "expected to pass",
        text=row.prompt.text,
        gold=f"{_ANSWER if row.prompt.passes else _ABSTAIN} ({row.prompt.category})",
        said=row.label.value,
        reasons=row.reasons,
        evidence=row.evidence,
    )
