"""``imprimatur doctor --grounding``: whether a knowledge base grounds its answers, in six steps with what each found.

1 the trail has the very fact that answers a question; 2 evidence is found again in its files; 3 answers rest on
structured evidence rather than on prose; 4 what was answered is recorded with its evidence; 5 questions without support
are refused before any model is asked; 6 the share of refused answers is neither near zero nor leaps up.

Contract: the questions are made from the knowledge base (``grounding_questions``, ``unsupported``), so that what is
right is known; no model is asked but one that is given, and that one only about a few. Equal knowledge bases, seeds and
ledgers give equal findings. A step that cannot be done is a warning, and one that fails is wrong; none is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import ImprimaturError, ModelFailed
from imprimatur.evals.grounding_facts import stated_again
from imprimatur.evals.grounding_ledger import abstaining, logged
from imprimatur.evals.grounding_questions import MadeQuestion, baseless_questions, has_fact, made_questions
from imprimatur.evals.grounding_sources import Refound, refound
from imprimatur.evals.grounding_steps import Finding, State, share_state
from imprimatur.evidence import Evidence
from imprimatur.generate.answers import answer
from imprimatur.generate.asker import Asker, AskSettings
from imprimatur.generate.generated import Ended
from imprimatur.models.asking import Completion, Model, Prompt
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.retrieve.gate import Gate
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.settle import STRUCTURED
from imprimatur.verdict import Label

__all__ = ["Grounding", "findings", "summary"]

_MOST_OF_MODEL = 3
_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """What is looked at.

    Attributes:
        oracle: the knowledge base under its policy. name: what records call the knowledge base.
        questions: the user's own, beside the made ones.
        most: how many questions are made of each sort. ledger: the file with the records.
        model: one that is asked a few of the questions; None for none.
        asking: settings for retrieval, with an embedder where there is one.
    """

    oracle: Oracle
    name: str
    ledger: Path
    questions: tuple[str, ...] = ()
    most: int = 40
    seed: int = 1
    model: Model | None = None
    asking: AskSettings = field(default_factory=AskSettings)
    step: Callable[[str], None] = lambda what: None


@dataclass(slots=True)
class _Seen:
    """What the steps have seen: made questions with their trails, evidence, and how they were answered."""

    trails: list[tuple[MadeQuestion, EvidenceTrail]] = field(default_factory=list)
    evidence: dict[Evidence, None] = field(default_factory=dict)
    reports: list[Report] = field(default_factory=list)
    answered: list[bool] = field(default_factory=list)


class _Nobody:
    """A model that must not be asked: it counts who does."""

    identity = "nobody"

    def __init__(self) -> None:
        self.calls = 0

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """Counts, and gives no answer."""
        self.calls += 1
        raise ModelFailed("nobody is asked here")


def findings(what: Grounding) -> Iterator[Finding]:
    """What each of the six steps finds, and what became of a model's answers where one was given."""
    seen = _Seen()
    yield from _guarded(1, "trail", lambda: _trail(what, seen))
    yield from _guarded(1, "own questions", lambda: _own(what)) if what.questions else ()
    yield from _guarded(2, "sources", lambda: _sources(what, seen))
    yield from _guarded(3, "structured", lambda: _structured(what, seen))
    yield from _guarded(4, "log", lambda: logged(what.ledger, what.oracle, what.name))
    refused: list[bool] = []
    yield from _guarded(5, "refusals", lambda: _refusals(what, refused))
    yield from _guarded(
        6,
        "abstention",
        lambda: abstaining(what.ledger, what.oracle, what.name, answered=seen.answered, refused=refused),
    )
    if what.model is not None:
        model = what.model
        yield from _guarded(0, "model", lambda: _asked(what, seen, model))


def _guarded(step: int, name: str, look: Callable[[], Finding]) -> Iterator[Finding]:
    """One finding; an error while looking is a finding that something is wrong."""
    try:
        yield look()
    except ImprimaturError as fault:
        detail = f"could not be looked at: {fault}"
        yield Finding(step=step, name=name, state=State.WRONG, detail=detail, mend=fault.hint)


def _retrieval(what: Grounding) -> Retrieval:
    asking = what.asking
    return Retrieval(what.oracle.knowledge, limits=asking.limits, embedder=asking.embedder, as_of=asking.as_of)


def _trail(what: Grounding, seen: _Seen) -> Finding:
    """Step 1: of questions that the knowledge base answers, the trail has the specific fact."""
    made = made_questions(what.oracle.knowledge, what.most, seed=what.seed)
    if not made:
        hint = "give labels to things and properties, or ask your own with --question"
        return Finding(step=1, name="trail", state=State.WARN, detail="no question could be made", mend=hint)
    retrieval = _retrieval(what)
    failed: dict[str, None] = {}
    missed: list[str] = []
    for question in made:
        what.step(question.text)
        trail = retrieval(question.text)
        seen.trails.append((question, trail))
        seen.evidence |= dict.fromkeys(each for item in trail.items[:_SHOWN] for each in item.evidence)
        failed |= dict.fromkeys(f"{each.path}: {each.why}" for each in trail.failures)
        if not has_fact(trail, question):
            missed.append(question.text)
    found = len(made) - len(missed)
    state = share_state(found, len(made), good=0.9, bad=0.6)
    if failed:  # what it would have found is missing, even where others found enough
        state = State.WARN if state is State.OK else State.WRONG
    told = f"{found} of {len(made)} made questions find the very fact that answers them"
    mend = "give the properties and things more labels (`imprimatur kb suggest`), or name an embedding model (`embed:`)"
    return Finding(
        step=1,
        name="trail",
        state=state,
        detail="; ".join((told, *(f"failed: {each}" for each in failed))),
        mend=f"mend what failed: {next(iter(failed))}" if failed else mend,
        examples=tuple(f"not found: {text}" for text in missed),
        figures={"asked": len(made), "found": found},
    )


def _own(what: Grounding) -> Finding:
    """Step 1, the user's questions: whether there is enough evidence, and what fits best."""
    retrieval, gate = _retrieval(what), Gate.of(what.oracle.knowledge.config)
    told: list[str] = []
    enough = 0
    for question in what.questions:
        what.step(question)
        trail = retrieval(question)
        decided = gate.decide(trail)
        enough += decided.enough
        best = " ".join(trail.items[0].text.split())[:120] if trail.items else "nothing"
        told.append(f"{question} → {'enough' if decided.enough else f'refused: {decided.why}'}; the best: {best}")
    return Finding(
        step=1,
        name="own questions",
        state=State.OK if enough == len(what.questions) else State.WARN,
        detail=f"{enough} of {len(what.questions)} have enough evidence to be answered",
        mend="look at what was found (`imprimatur ask QUESTION --show-context`); is the fact in the knowledge base?",
        examples=tuple(told),
        figures={"asked": len(what.questions), "enough": enough},
    )


def _sources(what: Grounding, seen: _Seen) -> Finding:
    """Step 2: evidence is found again by its query, and in the file that it names."""
    for question, _ in seen.trails:
        what.step(question.text)
        report = _answered(what.oracle, question)
        seen.answered.append(report is not None)
        if report is not None:
            seen.reports.append(report)
            seen.evidence |= dict.fromkeys(_supporting(report))
    found = refound(seen.evidence, what.oracle.knowledge)
    stated = stated_again(what.oracle.knowledge.config)
    gone = [row for row, same in stated if not same]
    count = {each: sum(value is each for value in found.values()) for each in Refound}
    if not (found or stated):
        return Finding(step=2, name="sources", state=State.WARN, detail="there was no evidence to look for")
    told = f"{count[Refound.SAME]} of {len(found)} pieces of evidence stand where they say, and their queries give them"
    left = count[Refound.OUT_OF_REACH]
    other = [evidence for evidence, value in found.items() if value is Refound.OTHER]
    return Finding(
        step=2,
        name="sources",
        state=State.WRONG if other or gone else State.WARN if found and left == len(found) else State.OK,
        detail=told
        + (f"; {left} cannot be looked at from here" if left else "")
        + (f"; {len(stated) - len(gone)} of {len(stated)} facts of documents stand in them" if stated else ""),
        mend="what it is from has changed: `imprimatur kb ingest`, `imprimatur passages build`, or run it again",
        examples=(
            *(f"not as it says: {each.origin}: {' '.join(each.content.split())[:120]}" for each in other),
            *(f"not in {row.document} any more: {row.words}" for row in gone),
        ),
        figures={
            **{each.value.replace(" ", "_"): number for each, number in count.items()},
            "facts_of_documents": len(stated),
            "facts_gone": len(gone),
        },
    )


def _answered(oracle: Oracle, question: MadeQuestion) -> Report | None:
    """The report on what answers a made question; None where it is not answered, or the text is not supported."""
    if question.structured:
        found = answer(question.text, oracle)
        return found.report if found.text else None
    cited = f"{question.text} [mem:{min(question.wanted)}]" if "#" not in min(question.wanted) else question.text
    report = oracle.check(cited)
    return report if _supporting(report) else None


def _supporting(report: Report) -> list[Evidence]:
    judged = [claim.verdict for segment in report.segments for claim in segment.claims]
    return [each for verdict in judged if verdict.label is Label.SUPPORTED for each in verdict.evidence]


def _structured(what: Grounding, seen: _Seen) -> Finding:
    """Step 3: which answers rest on direct query output, and which on prose alone."""
    kinds = [{each.source for each in _supporting(report)} for report in seen.reports]
    kinds = [each for each in kinds if each]
    of_structure = sum(not each.isdisjoint(STRUCTURED) for each in kinds)
    hint = (
        "put what matters most into a graph or tables (`imprimatur kb build`, `kb ingest`): prose is read by words only"
    )
    if not kinds:
        detail = "no made question was answered, so nothing rests on anything"
        return Finding(step=3, name="structured", state=State.WARN, detail=detail, mend=hint)
    return Finding(
        step=3,
        name="structured",
        state=share_state(of_structure, len(kinds), good=0.5, bad=0.0),
        detail=f"{of_structure} of {len(kinds)} answers rest on facts of a graph or tables"
        + (", the others on prose alone" if of_structure < len(kinds) else ""),
        mend=hint,
        figures={"answers": len(kinds), "structured": of_structure},
    )


def _refusals(what: Grounding, refused: list[bool]) -> Finding:
    """Step 5: what nothing supports is refused by the gate, no model is asked, and nothing is licensed."""
    questions = baseless_questions(what.oracle.knowledge, what.most, seed=what.seed)
    if not questions:
        detail = "no question without support could be made"
        return Finding(step=5, name="refusals", state=State.WARN, detail=detail)
    nobody = _Nobody()
    asker = Asker(what.oracle, nobody, settings=what.asking)
    let_through, licensed = [], []
    for question in questions:
        what.step(question)
        before = nobody.calls
        ended = _ended(asker, question)
        refused.append(ended is Ended.REFUSED)
        if nobody.calls > before or ended is not Ended.REFUSED:
            let_through.append(question)
        if answer(question, what.oracle).text:
            licensed.append(question)
    state = share_state(len(questions) - len(let_through), len(questions), good=0.95, bad=0.75)
    told = f"{len(questions) - len(let_through)} of {len(questions)} made questions without support are refused unasked"
    return Finding(
        step=5,
        name="refusals",
        state=State.WRONG if licensed else state,
        detail=told + (f"; {len(licensed)} are answered from the graph" if licensed else ""),
        mend="choose the gate's floor from your own questions: `imprimatur eval calibrate-gate`",
        examples=(*(f"answered: {text}" for text in licensed), *(f"let through: {text}" for text in let_through)),
        figures={"asked": len(questions), "refused": len(questions) - len(let_through), "answered": len(licensed)},
    )


def _ended(asker: Asker, question: str) -> Ended | None:
    """What becomes of a question; None where a model would have been asked."""
    try:
        return asker(question).outcome
    except ModelFailed:
        return None


def _asked(what: Grounding, seen: _Seen, model: Model) -> Finding:
    """A few of the questions asked of the model: what it says is licensed, or withheld."""
    asker = Asker(what.oracle, model, settings=what.asking)
    texts = [*what.questions, *(question.text for question, _ in seen.trails if question.structured)][:_MOST_OF_MODEL]
    ended = [(text, asker(text)) for text in texts]
    licensed = sum(found.outcome is Ended.ANSWERED for _, found in ended)
    return Finding(
        step=0,
        name="model",
        state=share_state(licensed, len(ended), good=0.5, bad=0.0) if ended else State.WARN,
        detail=f"{licensed} of {len(ended)} questions put to {model.identity} are answered by what is licensed",
        mend="see what was withheld, and why: `imprimatur ask QUESTION --explain`",
        examples=tuple(
            f"{found.outcome.value}: {text}" for text, found in ended if found.outcome is not Ended.ANSWERED
        ),
        figures={"asked": len(ended), "licensed": licensed},
    )


def summary(found: Sequence[Finding]) -> Mapping[str, Any]:
    """All findings as JSON-ready values, with the worst state among them."""
    worst = max((each.state for each in found), key=list(State).index, default=State.OK)
    return {"state": worst.value, "steps": [each.to_dict() for each in found]}
