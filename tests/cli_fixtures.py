"""A fake oracle for the commands, and a way to run them as from a shell; ``conftest`` makes the fixtures known."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from made_reports import report_of

from imprimatur.answer import Answer, MemoryEntry, Message
from imprimatur.cli import session
from imprimatur.cli.main import run
from imprimatur.errors import CheckFailed
from imprimatur.report import Report
from imprimatur.tagged import TaggedClaim, joined
from imprimatur.trace import Traced
from imprimatur.verdict import Label

__all__ = ["Explained", "FakeOracle", "Ran", "oracle", "shell"]


@dataclass(frozen=True)
class Explained:
    """One explanation."""

    start: int
    end: int
    text: str
    label: Label
    why: str
    needed: str


@dataclass
class FakeOracle:
    """Judges by the first word of the answer: a label's name, ``crash`` or ``fail``; anything else is no claim."""

    calls: list[dict[str, Any]] = field(default_factory=list)

    def check(
        self,
        answer: str | Answer,
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
    ) -> Report:
        text = answer if isinstance(answer, str) else answer.text
        call = {"text": text, "question": question, "context": tuple(context), "as_of": as_of}
        self.calls.append({**call, "messages": tuple(messages), "memory": tuple(memory)})
        word = text.split(" ")[0]
        if word == "crash":
            raise ZeroDivisionError("by \x1b[31mzero")
        if word == "fail":
            raise CheckFailed("the check failed", hint="try again", where="shape 3")
        return report_of(text, Label(word) if word in list(Label) else Label.NOT_A_CLAIM)

    def check_claims(
        self,
        claims: Sequence[TaggedClaim],
        question: str | None = None,
        context: Sequence[str] = (),
        *,
        messages: Sequence[Message] = (),
        memory: Sequence[MemoryEntry] = (),
        as_of: date | None = None,
    ) -> Report:
        report = self.check(joined(claims), question, context, messages=messages, memory=memory, as_of=as_of)
        self.calls[-1]["claims"] = tuple(claims)
        return report

    def trace(self, report: Report) -> Sequence[Traced]:
        return ()

    def explain(self, report: Report) -> Sequence[Explained]:
        if report.decision.kind == "licensed":
            return ()
        label = report.segments[0].label
        return (Explained(0, 4, report.answer[:4], label, "the graph is silent", "a triple\nsuch as this"),)

    def info(self) -> Mapping[str, Any]:
        return {"name": "fake", "sources": {"graph": {"triples": 3}}, "knowledge_base": "sha256:" + 64 * "0"}


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> FakeOracle:
    """The oracle that every command opens."""
    made = FakeOracle()
    monkeypatch.setattr(session, "open_oracle", lambda kb, policy, extractor=None: made)
    return made


@dataclass(frozen=True)
class Ran:
    """What one command line did."""

    status: int
    out: str
    err: str


@pytest.fixture
def shell(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs a command line, with what stands on standard input."""

    def runs(*args: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = run(list(args))
        captured = capsysbinary.readouterr()
        return Ran(status, captured.out.decode(), captured.err.decode())

    return runs
