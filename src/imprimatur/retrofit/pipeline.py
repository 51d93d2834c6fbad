"""The cycle extraction, detection, selection, verification, retrofitting, until every claim agrees, or so many rounds.

Two ways to take what the last stage writes. ``Taking.LICENSED`` takes stored values in place of wrong ones, and other
words only where the five stages license the sentence; it ends when all of the response is licensed. ``Taking.WRITTEN``
takes it as it is written, as the paper does, so that a claim for which there is no evidence stands. A corrected value
may make the next claim wrong, which the next round sees.
Invariants: it ends: no text is looked at twice; a model that fails, or time that is used up, ends it with the text of
the round before; nothing here licenses anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, zip_longest

from imprimatur.decision import applied
from imprimatur.errors import LimitExceeded, RuntimeFault
from imprimatur.oracle import Oracle
from imprimatur.policy import Action, Policy
from imprimatur.report import Report
from imprimatur.retrofit.kinds import (
    UNVERIFIED,
    Ended,
    Entity,
    Finding,
    Retrofitted,
    Round,
    Stated,
    Triple,
    Turn,
    Verified,
)
from imprimatur.retrofit.stages import Stages
from imprimatur.retrofit.taking import FINE, taken
from imprimatur.verdict import Label

__all__ = ["Retrofitter", "Taking"]

_LONGEST, _MOST_CLAIMS = 20_000, 200
Read = Callable[[str], Report]
Refused = tuple[tuple[str, str], ...]


class Taking(StrEnum):
    """What is taken of a revised response."""

    LICENSED = "licensed"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrofitter:
    """Retrofits drafts to one knowledge base.

    Attributes:
        rounds: how often the cycle is gone through at most.
        seconds: the time for one draft, without that of the five stages.
    """

    oracle: Oracle
    stages: Stages
    taking: Taking = Taking.LICENSED
    rounds: int = 3
    seconds: float = 120.0

    def __call__(self, question: str, draft: str) -> Retrofitted:
        """What becomes of a draft. Raises ConfigError where the model is wrongly configured."""
        ends = time.monotonic() + self.seconds
        found = Retrofitted(question=question, draft=draft, text=draft, ended=Ended.ROUNDS)
        if len(draft) > _LONGEST:
            return replace(found, ended=Ended.FAILED, why=f"a draft has at most {_LONGEST} characters")
        seen = {draft}
        read = self._reading(question)
        refused: Refused = ()
        for _ in range(self.rounds):
            turn = Turn(question=question, response=found.text, report=read(found.text), refused=refused)
            if self.taking is Taking.LICENSED and _is_licensed(turn.report):
                return replace(found, ended=Ended.LICENSED)
            if time.monotonic() >= ends:
                return replace(found, ended=Ended.LATE, why="the time is over")
            made, fault = self._round(turn, read)
            found = replace(found, rounds=(*found.rounds, made))
            if fault is not None:
                ended = Ended.LATE if isinstance(fault, LimitExceeded) else Ended.FAILED
                return replace(found, ended=ended, why=fault.message)
            if made.revised == turn.response:
                if not made.refused or made.refused == refused:
                    return replace(found, ended=Ended.UNCHANGED)
                refused = made.refused  # the next round knows what cannot be taken
                continue
            refused = ()
            if made.revised in seen:
                return replace(found, ended=Ended.CIRCLE)
            seen.add(made.revised)
            found = replace(found, text=made.revised)
        if self.taking is Taking.LICENSED and _is_licensed(read(found.text)):
            return replace(found, ended=Ended.LICENSED)
        return found

    def _round(self, turn: Turn, read: Read) -> tuple[Round, RuntimeFault | None]:
        """One round, and what ended it before its time."""
        findings, revised, fault = self._gone_through(turn)
        if fault is not None:
            made = Round(response=turn.response, findings=findings, revised=turn.response, fault=fault.message)
            return made, fault
        refused: Refused = ()
        if self.taking is Taking.WRITTEN:
            fits = any(char.isalnum() for char in revised) and len(revised) <= _LONGEST
            revised = revised if fits else turn.response
        elif revised != self._by_values(turn):
            revised, refused = taken(turn, revised, self.oracle.knowledge.lexicon, read)
        return Round(response=turn.response, findings=findings, revised=revised, refused=refused), None

    def _gone_through(self, turn: Turn) -> tuple[tuple[Finding, ...], str, RuntimeFault | None]:
        """What the stages find and write, as far as they come."""
        stages, revised = self.stages, turn.response
        claims: Sequence[Stated] = ()
        entities: Sequence[tuple[Entity, ...]] = ()
        triples: Sequence[tuple[Triple, ...]] = ()
        verified: Sequence[Verified] = ()

        def findings() -> tuple[Finding, ...]:
            rows = islice(zip_longest(claims, entities, triples, verified), len(claims))
            return tuple(
                Finding(claim=claim, entities=named or (), triples=known or (), verified=said or UNVERIFIED)
                for claim, named, known, said in rows
            )

        try:
            claims = stages.extract(turn)[:_MOST_CLAIMS]
            entities = stages.detect(turn, claims)
            triples = stages.select(turn, claims, entities)
            verified = stages.verify(turn, claims, triples)
            revised = stages.retrofit(turn, findings())
        except RuntimeFault as fault:
            return findings(), turn.response, fault
        return findings(), revised, None

    def _by_values(self, turn: Turn) -> str:
        """The response with stored values in place of wrong ones."""
        failed = [each for each in turn.report.segments if each.label not in FINE]
        return applied(turn.response, [edit for each in failed for edit in self.oracle.edits(turn.response, each)])

    def _reading(self, question: str) -> Read:
        """What judges texts by the five stages, each text once; nothing is withheld or corrected meanwhile."""
        policy, known = _showing(self.oracle.policy), dict[str, Report]()

        def read(text: str) -> Report:
            if text not in known:
                known[text] = self.oracle.check(text, question, policy=policy)
            return known[text]

        return read


def _showing(policy: Policy) -> Policy:
    """The policy with its limits, under which everything is shown."""
    fine = dict.fromkeys(FINE, Action.LICENSE)
    return replace(policy, actions=tuple((label, fine.get(label, Action.ANNOTATE)) for label in Label))


def _is_licensed(report: Report) -> bool:
    return all(segment.label in FINE for segment in report.segments)
