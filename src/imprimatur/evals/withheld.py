"""``imprimatur ledger rates``: how much of what was checked is withheld, why, and how much of that is true.

An answer is withheld when its decision is not to let it out as it came (``abstained``, ``redacted``, ``corrected``). In
the modes ``shadow`` and ``audit`` of the gateway, where everything is shown, this is what would have been withheld.
Whether what was withheld is true a person must say: a label is ``{"id": 12, "true": true}``, the id a record's, true
where all that the answer says is true. The over-block rate is the share of true answers that are withheld; its interval
holds for the traffic only where the labelled records were drawn at random. Invariants: every record is counted once; a
reason counts once for each answer; shares of nothing are none, never 0.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError
from imprimatur.evals.metrics import Share
from imprimatur.ledger import Ledger, Record

__all__ = ["Rates", "rates_of", "read_labels", "run"]

_SHOWN = ("licensed", "annotated")
_FINE = ("supported", "not_a_claim")
_SHAPE = 'a label looks like {"id": 12, "true": true}'


@dataclass(slots=True)
class Rates:
    """What became of the recorded answers of one knowledge base."""

    decisions: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    #: Labelled records, by whether they are true and whether they are withheld.
    labelled: Counter[tuple[bool, bool]] = field(default_factory=Counter)

    def add(self, record: Record, true: bool | None = None) -> None:
        """Counts a record, and its label where it has one."""
        withheld = record.decision not in _SHOWN
        self.decisions[record.decision] += 1
        if withheld:
            self.reasons.update(_reasons(record.report()))
        if true is not None:
            self.labelled[true, withheld] += 1

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return self.decisions.total()

    @property
    def withheld(self) -> Share:
        """How many answers are withheld, or changed."""
        return Share(self.answers - sum(self.decisions[kind] for kind in _SHOWN), self.answers)

    @property
    def over_blocked(self) -> Share:
        """How many of the answers that are true are withheld, or changed."""
        return Share(self.labelled[True, True], self.labelled[True, True] + self.labelled[True, False])

    @property
    def let_through(self) -> Share:
        """How many of the answers that are not true are shown as they came."""
        return Share(self.labelled[False, False], self.labelled[False, False] + self.labelled[False, True])

    def by_reason(self) -> dict[str, Share]:
        """How many answers are withheld for each reason, the most frequent first."""
        ordered = sorted(self.reasons.items(), key=lambda each: (-each[1], each[0]))
        return {reason: Share(count, self.answers) for reason, count in ordered}

    def to_dict(self) -> dict[str, Any]:
        """The rates as JSON-ready values."""
        made: dict[str, Any] = {
            "answers": self.answers,
            "decisions": dict(sorted(self.decisions.items())),
            "withheld": self.withheld.to_dict(),
            "reasons": {reason: share.to_dict() for reason, share in self.by_reason().items()},
        }
        if self.labelled:
            made["over_blocked"] = self.over_blocked.to_dict()
            made["let_through"] = self.let_through.to_dict()
        return made


def run(ledger: Ledger, labels: Path | None, *, since: str | None, as_json: bool) -> int:
    """Prints the rates of a ledger by knowledge base, and returns the exit status.

    Raises:
        InputError: a label cannot be read, or is of no record that is counted.
    """
    known = {} if labels is None else read_labels(labels)
    found = rates_of(ledger.each(since=since), known)
    counted = sum(rates.labelled.total() for rates in found.values())
    if counted < len(known):
        message = f"{len(known) - counted} of the {len(known)} labels are of records that are not counted"
        raise InputError(message, where=str(labels), hint="`imprimatur ledger list` shows the ids")
    if as_json:
        session.emit_json({kb: rates.to_dict() for kb, rates in found.items()})
    else:
        click.echo("\n".join(_rendered(kb, rates) for kb, rates in found.items()) or "no answers are recorded")
    return 0


def rates_of(records: Iterable[Record], labels: Mapping[int, bool]) -> dict[str, Rates]:
    """The rates of some records, by knowledge base."""
    found: dict[str, Rates] = {}
    for record in records:
        found.setdefault(record.kb, Rates()).add(record, labels.get(record.id))
    return dict(sorted(found.items()))


def read_labels(path: Path) -> dict[int, bool]:
    """Which records are true, by their ids. Raises InputError with the line that is wrong."""
    labels: dict[int, bool] = {}
    for number, line in enumerate(session.read_file(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        key, true = (said.get("id"), said.get("true")) if isinstance(said, dict) else (None, None)
        if type(key) is not int or not isinstance(true, bool):
            raise InputError("this is no label", where=f"{path}, line {number}", hint=_SHAPE)
        if key in labels:
            raise InputError(f"record {key} is labelled twice", where=f"{path}, line {number}")
        labels[key] = true
    return labels


def _reasons(report: Mapping[str, Any]) -> set[str]:
    """Why segments of an answer are not licensed."""
    return {reason for each in report["segments"] if each["label"] not in _FINE for reason in each["reasons"]}


def _rendered(kb: str, rates: Rates) -> str:
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(rates.decisions.items()))
    lines = [f"{plain(kb)}: {rates.answers} answers ({told})", f"withheld: {rates.withheld}"]
    if rates.reasons:
        rows = [(f"  {reason}", str(share)) for reason, share in rates.by_reason().items()]
        lines.append(aligned(("  reason", "answers"), rows))
    if rates.labelled:
        lines.append(f"over-blocked (true, but withheld): {rates.over_blocked}")
        lines.append(f"let through (not true, but shown): {rates.let_through}")
    return "\n".join((*lines, ""))
