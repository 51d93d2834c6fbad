"""Gaps of a knowledge base filled by a model, from the graph to the store of facts: what it proposes waits there.

Contract: what the model was asked once is not asked again (its answers are kept beside the facts), so that a run that
ended early goes on where it was. What a person rejected stays out. Whatever ends a run, what was proposed before is
stored. Nothing here licenses: a proposal is a model's fact until a person accepts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.errors import CheckFailed, ImprimaturError, InputError, LimitExceeded, StoreUnavailable, nearest
from imprimatur.ingest.candidate import Candidate, Refusal
from imprimatur.ingest.filling import Filler, Outcome, Proposal, askable
from imprimatur.ingest.gaps import LEAST, Gap, Lack, gaps_of
from imprimatur.ingest.holding import Settled, row_of
from imprimatur.ingest.reviewing import add_rows
from imprimatur.ingest.rows import Row
from imprimatur.ingest.store import FOLDER, MODEL, FactStore
from imprimatur.knowledge import Knowledge, open_knowledge
from imprimatur.models.asking import Model
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.terms import TRUST_CLASSES

__all__ = ["Filled", "Wanted", "Which", "answers_file", "fill", "is_named", "named_iri", "wanted"]

_ANSWERS = ".answers"
#: So many gaps are asked before what came of them is stored.
_BATCH = 50
#: So many gaps without a usable answer, one after the other, end a run: the model is of no use.
_PATIENCE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Which gaps are meant: IRIs or names of a class and a property, the least share, how many at most."""

    cls: str | None = None
    relation: str | None = None
    least: float = LEAST
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The gaps of a knowledge base.

    Attributes:
        knowledge: what the model is told by, without what a model made.
        lacks: what is lacking. gaps: those to ask about, in order.
        proposed: how many have a proposal, or a decision on one. unfit: how many cannot be asked about.
        more: how many are left for another time.
    """

    knowledge: Knowledge
    lacks: tuple[Lack, ...]
    gaps: tuple[Gap, ...]
    proposed: int
    unfit: int
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What came of a run.

    Attributes:
        rows: what was stored for review. written: whether the store has changed.
        stopped: what ended it before all gaps were asked; None where all were.
    """

    proposals: tuple[Proposal, ...]
    rows: tuple[Row, ...]
    written: bool
    stopped: ImprimaturError | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each outcome was met."""
        found = Counter(each.outcome for each in self.proposals)
        return {outcome: found[outcome] for outcome in Outcome.ALL}


def wanted(config: KnowledgeBaseConfig, which: Which, *, cache_dir: Path | None = None) -> Wanted:
    """The gaps of a knowledge base that are to be asked about.

    Raises:
        InputError: no class or property of that name is known, or several are. KnowledgeBaseError: no graph is there.
    """
    whole = open_knowledge(config, cache_dir=cache_dir)
    if whole.part is None:
        hint = "name a graph's files under `graph: {data: [...]}` in imprimatur.yaml"
        raise InputError("has no graph", where=str(config.folder), hint=hint)
    schema = whole.part.schema
    cls = None if which.cls is None else named_iri(which.cls, schema, kind="class")
    relation = None if which.relation is None else named_iri(which.relation, schema, kind="property")
    lacks = gaps_of(whole, cls=cls, property_=relation, least=which.least)
    trusted = whole.trusting(TRUST_CLASSES[:2])
    every = [Gap(thing, lack.relation) for lack in lacks for thing in lack.things]
    fit, unfit = askable(every, trusted)
    stored = FactStore(config.folder).read().rows
    decided = {(row.subject, row.property) for row in stored if row.in_graph or row.state == "rejected"}
    left = [gap for gap in fit if (gap.thing, gap.property) not in decided]
    most = len(left) if which.most is None else which.most
    return Wanted(
        knowledge=trusted,
        lacks=lacks,
        gaps=tuple(left[:most]),
        proposed=len(fit) - len(left),
        unfit=unfit,
        more=max(0, len(left) - most),
    )


def fill(
    found: Wanted,
    model: Model,
    *,
    agree: int = 1,
    holds: Callable[[Candidate], Sequence[Refusal]] | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> Filled:
    """Asks a model about gaps, and stores what it proposes in ``facts/`` of the knowledge base.

    Raises:
        InputError: a number of askings that makes no sense. StoreUnavailable: the store cannot be written.
        ImprimaturError: a check failed as no check should; what was proposed before is stored.
    """
    filler = Filler(model, found.knowledge, agree=agree, holds=holds)
    base, words = found.knowledge.config.folder, _words(found.knowledge)
    proposals: list[Proposal] = []
    rows: list[Row] = []
    waiting: list[Row] = []
    stopped: ImprimaturError | None = None
    written = False
    try:
        for gap in found.gaps:
            try:
                made = filler.propose(gap)
            except (LimitExceeded, StoreUnavailable) as fault:
                stopped = fault
                break
            proposals += made
            if all(each.outcome == Outcome.FAILED for each in proposals[-_PATIENCE:]) and len(proposals) >= _PATIENCE:
                stopped = CheckFailed(f"{_PATIENCE} gaps in a row have no usable answer", hint=_detail(proposals[-1]))
                break
            waiting += [_row(each, words) for each in made if each.candidate is not None]
            progress(gap.thing)
            if len(waiting) >= _BATCH:
                written = add_rows(base, waiting) or written
                rows, waiting = [*rows, *waiting], []
    finally:
        if waiting:
            written = add_rows(base, waiting) or written
    return Filled(proposals=tuple(proposals), rows=(*rows, *waiting), written=written, stopped=stopped)


def _detail(proposal: Proposal) -> str:
    return proposal.reasons[0].detail if proposal.reasons else ""


def answers_file(config: KnowledgeBaseConfig, model: str) -> Path:
    """Where the answers of a model of that identity are kept; its folder is made."""
    folder = config.folder / FOLDER / _ANSWERS
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise StoreUnavailable(f"cannot be made: {fault.strerror or fault}", where=str(folder)) from fault
    return folder / f"{sha256(model.encode('utf-8')).hexdigest()[:16]}.jsonl"


def is_named(config: KnowledgeBaseConfig) -> bool:
    """Whether the knowledge base names the file of a model's facts, as such."""
    file = config.folder / FOLDER / MODEL
    return file in config.graph.data and config.graph.trust_of(file) == TRUST_CLASSES[2]


def named_iri(said: str, schema: Schema, *, kind: str) -> str:
    """The IRI of a class or property that is meant by its IRI or by one of its names. Raises InputError."""
    known = schema.classes if kind == "class" else schema.properties
    if said in known:
        return said
    names: dict[str, list[str]] = {}
    for iri, info in known.items():
        for label in (*info.labels, *info.alt_labels):
            names.setdefault(label.casefold(), []).append(iri)
    found = sorted(set(names.get(said.casefold(), ())))
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{said[:60]!r} is the name of {len(found)}", hint=f"give one by IRI: {', '.join(found[:3])}")
    near = nearest(said.casefold(), names)
    hint = f"did you mean {near!r}?" if near else "give its name or IRI as the graph has it"
    raise InputError(f"the graph knows no {kind} {said[:60]!r}", hint=hint)


def _words(knowledge: Knowledge) -> Callable[[str], str]:
    part = knowledge.part
    assert part is not None
    schema = part.schema

    def shown(iri: str) -> str:
        info = schema.property(iri)
        return iri if info is None else schema.shown(info)

    return shown


def _row(proposal: Proposal, words: Callable[[str], str]) -> Row:
    candidate = proposal.candidate
    assert candidate is not None
    settled = Settled(candidate=candidate, how="proposed", refusals=proposal.reasons)
    state = "quarantined" if proposal.reasons else "waiting"
    return row_of(settled, words(candidate.property), state=state)
