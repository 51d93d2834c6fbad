"""TeQHallu over samples: the five steps with their ablations, in databases of one of three scopes.

Contract: a failure of the model (no answer, none that can be read, a budget that is used up) makes its sample
``unchecked`` and is told; the next sample is judged all the same. What is wrong with a configuration or a recording is
raised. Samples of one dialogue come in the order of their turns.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from imprimatur._dataclasses import dataclass
from imprimatur.errors import RuntimeFault
from imprimatur.models.asking import Model
from imprimatur.sources.tables.sql_steps import SqlFailed, SqlRefused
from imprimatur.teqhallu import shapes
from imprimatur.teqhallu.asker import Asker, Limits
from imprimatur.teqhallu.building import build
from imprimatur.teqhallu.claims import Drafted, atomic, by_entries, by_selects
from imprimatur.teqhallu.database import Database
from imprimatur.teqhallu.entries import Entries
from imprimatur.teqhallu.found import Audit, ClaimFound, Found, Sample, Span
from imprimatur.teqhallu.judging import Initial, categories_in, judge, strictly
from imprimatur.teqhallu.kinds import Ablation, Category, Scope, Stage, Support, lowest, of_claims
from imprimatur.teqhallu.spans import sentences_of

__all__ = ["TeQHallu"]

_Store = TypeVar("_Store", Database, Entries)


@dataclass(slots=True)
class _Known:
    """What is known of a sample so far; it is what is left where the model fails."""

    initial: Initial | None = None
    drafts: tuple[Drafted, ...] = ()
    claims: tuple[ClaimFound, ...] = ()
    said: Support | None = None
    reason: str = ""
    categories: tuple[tuple[Category, str], ...] = ()
    audit: Audit = Audit()


class TeQHallu:
    """Judges responses by one model; use it as a context manager, or ``close`` it."""

    def __init__(
        self,
        model: Model,
        *,
        ablation: Ablation = Ablation.FULL,
        scope: Scope = Scope.PASSAGE,
        limits: Limits | None = None,
    ) -> None:
        self.ablation = ablation
        self.scope = scope
        self._asker = Asker(model, limits or Limits())
        self._at: str | None = None
        self._store: Database | Entries | None = None

    def __enter__(self) -> TeQHallu:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forgets the databases."""
        if self._store is not None:
            self._store.close()
        self._at, self._store = None, None

    def check(self, sample: Sample, *, seconds: float = math.inf) -> Found:
        """What is found of a response, in so many seconds. Raises UsageError for what is no failure of the model."""
        self._asker.ends = time.monotonic() + seconds
        known = _Known()
        fault = ""
        try:
            self._run(sample, known)
        except (RuntimeFault, SqlFailed, SqlRefused) as wrong:
            fault = wrong.message
            if self.scope is not Scope.GLOBAL:
                self.close()
        return self._found(sample, known, fault)

    # -- the steps -----------------------------------------------------------------------------------------------------
    def _run(self, sample: Sample, known: _Known) -> None:
        match self.ablation:
            case Ablation.DIRECT:
                known.initial = self._initial(sample)
                known.said, known.reason = known.initial.verdict, known.initial.reason
                known.categories = known.initial.categories
                return
            case Ablation.CLAIMS:
                known.initial = self._initial(sample)
                self._judged(sample, known, atomic(sample, self._asker), sample.reference)
            case Ablation.KEY_VALUE:
                known.initial = self._initial(sample)
                entries = self._opened(sample, Entries)
                entries.build(sample.reference, self._asker)
                known.audit = _audit(sample, entries)
                self._judged(sample, known, by_entries(sample, entries, self._asker), entries.texts)
            case Ablation.STRICT_IDS:
                database = self._built(sample, known)
                drafts = by_selects(sample, database, self._asker, strict=True)
                known.claims = strictly(drafts)
            case Ablation.FULL | Ablation.NO_INITIAL:
                if self.ablation is Ablation.FULL:
                    known.initial = self._initial(sample)
                database = self._built(sample, known)
                self._judged(sample, known, by_selects(sample, database, self._asker), database.texts)

    def _initial(self, sample: Sample) -> Initial:
        dialogue = bool(sample.dialogue)
        said = self._asker.ask(
            Stage.INITIAL,
            "initial-turn" if dialogue else "initial",
            shapes.initial(dialogue=dialogue),
            question=sample.question,
            reference=list(sample.reference),
            response=sample.response,
        )
        return Initial(
            verdict=Support(said["verdict"]), reason=said["reason"], categories=categories_in(said, sample.response)
        )

    def _built(self, sample: Sample, known: _Known) -> Database:
        database = self._opened(sample, Database)
        build(database, sample.reference, self._asker)
        known.audit = _audit(sample, database)
        return database

    def _judged(self, sample: Sample, known: _Known, drafts: list[Drafted], texts: Iterable[str]) -> None:
        known.drafts = tuple(drafts)
        found = judge(sample, drafts, tuple(texts), self._asker, initial=known.initial, audit=known.audit)
        known.claims, known.said, known.reason = found.claims, found.said, found.reason
        known.categories = found.categories

    def _opened(self, sample: Sample, kind: type[_Store]) -> _Store:
        """The store of a sample's scope; that of another place is forgotten."""
        at = {Scope.PASSAGE: f"sample {sample.id}", Scope.DIALOGUE: f"dialogue {sample.dialogue or sample.id}"}
        place = at.get(self.scope, "all")
        if self._at != place or not isinstance(self._store, kind):
            self.close()
            self._at, self._store = place, kind()
        assert isinstance(self._store, kind)
        return self._store

    # -- what comes out ------------------------------------------------------------------------------------------------
    def _found(self, sample: Sample, known: _Known, fault: str) -> Found:
        verdict = Support.UNCHECKED
        if not fault:
            verdict = self._verdict(sample, known)
        return Found(
            id=sample.id,
            verdict=verdict,
            flagged=_flagged(sample, known, verdict),
            said=known.said,
            initial=known.initial.verdict if known.initial is not None else None,
            reason=known.reason,
            claims=known.claims,
            categories=known.categories,
            audit=_with_unclaimed(known.audit, sample, known.claims),
            used=self._asker.taken(),
            fault=fault,
        )

    def _verdict(self, sample: Sample, known: _Known) -> Support:
        if self.ablation is Ablation.DIRECT and known.said is not None:
            return known.said
        verdicts = [claim.verdict for claim in known.claims]
        if not verdicts and not any(char.isalnum() for char in sample.response):
            return Support.FULLY
        # A response without claims, by a model that says so, may be a turn that says nothing; documents' are checked.
        if not verdicts and sample.dialogue and known.said is not None:
            return known.said
        held = of_claims(verdicts)
        return held if known.said is None else lowest(held, known.said)


def _flagged(sample: Sample, known: _Known, verdict: Support) -> bool:
    """Whether a response departs; a turn does when the model says so, a claim is contradicted, or all is unchecked."""
    if not sample.dialogue or known.said is None or verdict is Support.UNCHECKED:
        return verdict is not Support.FULLY
    wrong = any(claim.verdict is Support.CONTRADICTED for claim in known.claims)
    return wrong or bool(known.categories) or known.said is not Support.FULLY


def _audit(sample: Sample, store: Database | Entries) -> Audit:
    """Which sentences of the reference left no row."""
    by_text: dict[int, list[Span]] = {}
    for span in store.spans:
        by_text.setdefault(span.number, []).append(span)
    sentences = unread = 0
    missing: list[Span] = []
    for text in sample.reference:
        number = store.texts.index(text) + 1
        for sentence in sentences_of(text, number):
            sentences += 1
            if not any(s.start < sentence.end and sentence.start < s.end for s in by_text.get(number, ())):
                unread += 1
                missing.append(sentence)
    return Audit(
        sentences=sentences,
        unread=tuple(missing),
        rows=store.rows,
        unmarked=store.unmarked,
        failed=tuple(store.failed),
    )


def _with_unclaimed(audit: Audit, sample: Sample, claims: Iterable[ClaimFound]) -> Audit:
    """The audit, with the sentences of the response that no claim quotes."""
    places = [(claim.start, claim.end) for claim in claims]
    left = tuple(
        sentence.text
        for sentence in sentences_of(sample.response)
        if not any(start < sentence.end and sentence.start < end for start, end in places)
    )
    return replace(audit, unclaimed=left)
