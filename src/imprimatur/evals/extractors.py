"""``imprimatur eval extractors``: each extractor over the same sets, what it confirms and what that costs.

A set is a file of one of two kinds: labelled rows as ``eval claims`` takes them, judged against ``--kb``; or ground
truth of Text2KGBench (rows ``{id, sent, triples}``), judged against a graph of its own triples (``evals.text2kg``).
Printed for each set and extractor:

    licensed        rows of which nothing is withheld; of labelled rows, of those that are true
    false           labelled rows that are licensed although no label allows it
    right, wrong    supported claims that say a gold triple of their own sentence, and those that do not
    recall          gold triples that a supported claim says
    proposals       how many claims the extractor proposed (none for the reader alone)
    failed          segments about which the extractor could not be asked
    a second        rows a second of processor time in this process (a server's time is not in it)

The gold triples of a sentence are not all that it says, so "wrong" is an upper bound. The exit status is 1 when a
labelled row is licensed falsely.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.model_options import ModelOptions
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned
from imprimatur.config import READER, ExtractorConfig, load_folder, named_extractor, resolve
from imprimatur.errors import InputError
from imprimatur.evals.claims import read_rows as read_labelled
from imprimatur.evals.metrics import Share
from imprimatur.evals.text2kg import Triple, said_triples, write_folder
from imprimatur.evals.text2kg import read_rows as read_gold
from imprimatur.extractors.extraction import Extraction, Opened
from imprimatur.extractors.graph_terms import terms_of
from imprimatur.extractors.llm import LlmExtractor
from imprimatur.extractors.terms import Terms
from imprimatur.models.opening import open_model
from imprimatur.models.recorded import Recorder, Replay
from imprimatur.oracle import Oracle
from imprimatur.protocols import Excerpt, Extractor, Proposed
from imprimatur.report import Report
from imprimatur.verdict import Label

__all__ = ["Outcome", "Settings", "Tally", "opened", "run"]

_OPEN = (Label.SUPPORTED, Label.NOT_A_CLAIM)
_SECONDS = 3600.0
_BATCH = 4
_HEAD = ("set", "extractor", "rows", "licensed", "false", "right", "wrong", "recall", "proposals", "failed", "a second")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the command line says. ``model`` names the language model of ``llm``; answers are kept or replayed."""

    kb: str | None = None
    extractors: tuple[str, ...] = (READER,)
    most: int | None = None
    model: ModelOptions = field(default_factory=ModelOptions)
    record: Path | None = None
    replay: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A text; ``allowed`` are the labels that are right for it, ``gold`` its triples; None where there are none."""

    text: str
    allowed: tuple[Label, ...] | None = None
    gold: frozenset[Triple] | None = None


class Tally:
    """An extractor with what it was asked counted (implements ``protocols.Extractor``)."""

    def __init__(self, inner: Extractor) -> None:
        self.name = inner.name
        self.fingerprint = inner.fingerprint
        self.inner = inner
        self.proposals = 0
        self.failed = 0

    def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> Sequence[Proposed]:
        """What the extractor proposes."""
        found = self.inner.propose(excerpts, seconds=seconds)
        self.proposals += sum(len(each.claims) for each in found)
        self.failed += sum(bool(each.fault) for each in found)
        return found


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What came out for one set and one extractor."""

    name: str
    extractor: str
    rows: int = 0
    licensed: int = 0
    true: int = 0
    false: int = 0
    labelled: bool = False
    right: int = 0
    wrong: int = 0
    found: int = 0
    gold: int = 0
    proposals: int = 0
    failed: int = 0
    seconds: float = 0.0

    def add(self, row: _Row, report: Report) -> None:
        """Counts one row."""
        self.rows += 1
        licensed = all(segment.label in _OPEN for segment in report.segments)
        if row.allowed is not None:
            right = Label.SUPPORTED in row.allowed
            self.true += right
            self.licensed += licensed and right
            says = any(segment.label is Label.SUPPORTED for segment in report.segments)
            self.false += licensed and says and not right
        else:
            self.licensed += licensed
        if row.gold is not None:
            self._triples(row.gold, report)

    def _triples(self, gold: frozenset[Triple], report: Report) -> None:
        claims = [judged for segment in report.segments for judged in segment.claims]
        said = [said_triples(each) for each in claims if each.verdict.label is Label.SUPPORTED]
        self.right += sum(bool(each & gold) for each in said)
        self.wrong += sum(not each & gold for each in said)
        self.found += len(gold & frozenset[Triple]().union(*said))
        self.gold += len(gold)

    def to_dict(self) -> dict[str, Any]:
        """All counts, JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__}

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        true = f"{self.licensed} of {self.true}" if self.labelled else str(self.licensed)
        triples = (str(self.right), str(self.wrong), str(Share(self.found, self.gold))) if self.gold else ("", "", "")
        speed = f"{self.rows / self.seconds:.1f}" if self.seconds else ""
        counts = (str(self.proposals), str(self.failed), speed)
        return (self.name, self.extractor, str(self.rows), true, str(self.false), *triples, *counts)


def run(files: Sequence[Path], settings: Settings, *, as_json: bool) -> int:
    """Measures, prints the table, and returns the exit status: 1 where a row is licensed falsely.

    Raises:
        ImprimaturError: a file, the knowledge base, an extractor or the model is wrong.
    """
    outcomes = [outcome for path in files for outcome in _measured(path, settings)]
    if as_json:
        session.emit_json([outcome.to_dict() for outcome in outcomes])
    else:
        click.echo(aligned(_HEAD, [outcome.cells() for outcome in outcomes]))
    return 1 if any(outcome.false for outcome in outcomes) else 0


def _measured(path: Path, settings: Settings) -> Iterator[Outcome]:
    """The outcomes of one set."""
    if '"triples"' in session.read_file(path).partition("\n")[0]:
        rows = [_Row(text=row.text, gold=row.gold) for row in read_gold(path)]
        with tempfile.TemporaryDirectory() as made:
            write_folder(path, Path(made))
            yield from _over(path.stem, rows[: settings.most], Path(made), settings)
        return
    if settings.kb is None:
        raise InputError("these rows need a knowledge base", where=str(path), hint="add --kb DIR")
    labelled = [_Row(text=row.text, allowed=row.gold) for row in read_labelled(path)]
    yield from _over(path.stem, labelled[: settings.most], resolve(settings.kb), settings)


def _over(name: str, rows: Sequence[_Row], folder: Path, settings: Settings) -> Iterator[Outcome]:
    for said in settings.extractors:
        oracle, tally = opened(said, folder, settings)
        outcome = Outcome(name=name, extractor=said, labelled=any(row.allowed is not None for row in rows))
        with Progress(f"{name}, {said}", len(rows)) as progress:
            for row in progress.over(rows, lambda _: 1):
                begun = time.process_time()
                report = oracle.check(row.text, seconds=_SECONDS)
                outcome.seconds += time.process_time() - begun
                outcome.add(row, report)
        if tally is not None:
            outcome.proposals, outcome.failed = tally.proposals, tally.failed
        yield outcome


def opened(said: str, folder: Path, settings: Settings) -> tuple[Oracle, Tally | None]:
    """The oracle with an extractor whose work is counted; it may take its time."""
    config = load_folder(folder)
    named = named_extractor(said, config.extractor)
    if named.kind == "llm":
        named = replace(named, model=settings.model.config(named.model or config.model))
    opened = _recorded(named, settings)
    oracle = Oracle.from_folder(folder, extractor=ExtractorConfig() if opened else named)
    knowledge = oracle.knowledge
    if opened is None and knowledge.extraction is not None:
        opened = knowledge.extraction.opened
    if opened is None:
        return oracle, None
    tally = Tally(opened.extractor)
    terms = terms_of(knowledge.part.schema) if knowledge.part else Terms()
    counted = Extraction(replace(opened, extractor=tally), terms, seconds=_SECONDS)
    return Oracle(replace(knowledge, extraction=counted), oracle.policy), tally


def _recorded(named: ExtractorConfig, settings: Settings) -> Opened | None:
    """A language model whose answers are kept in a file, or come from one; None without a file."""
    if named.kind != "llm" or (settings.record is None and settings.replay is None):
        return None
    if settings.replay is not None:
        model: Replay | Recorder = Replay(settings.replay)
    else:
        assert settings.record is not None
        assert named.model is not None
        model = Recorder(open_model(named.model), settings.record)
    return Opened(LlmExtractor(model), batch=_BATCH, writes=True)
