"""A model proposes values that a graph lacks: one question for each gap, asked as often as is wished, read strictly.

Contract: what is proposed is a ``Candidate`` of trust class ``model``; nothing is stored here. An empty answer is an
answer. Of several askings only what all of them say is kept. A value is refused with its reasons where it cannot be
read exactly, where nothing or more than one thing bears its name, or where the graph, its shapes or an ontology speak
against it. All that others wrote goes to the model as JSON in which nothing steers (``models.prompts``). Equal gaps of
an equal graph make equal prompts, so that kept answers are found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Message
from imprimatur.errors import CheckFailed, InputError, LimitExceeded, ModelFailed, RuntimeFault
from imprimatur.ingest.candidate import Candidate, Refusal, Thing, Value
from imprimatur.ingest.gaps import Gap
from imprimatur.ingest.quads import unfit
from imprimatur.ingest.said_values import form_of, value_of
from imprimatur.knowledge import GraphPart, Knowledge
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import quoted, template
from imprimatur.models.structured import Structured
from imprimatur.sources.graph.around import Around
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import RDF, iri_text, literal_text

__all__ = ["MOST_ASKINGS", "Filler", "Outcome", "Proposal", "askable"]

MOST_ASKINGS = 9
_SEVERAL = 5
_FACTS = 12
_SHAPE_SECONDS = 5.0
_TOKENS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What became of one gap, or of one of the values that were said for it.

    Attributes:
        outcome: see ``Outcome``. said: what the model said, an entry for each asking.
        candidate: the value as a fact; its value has no IRI where it names nothing that is known, or several things.
        reasons: why it was refused.
    """

    gap: Gap
    outcome: str
    said: tuple[tuple[str, ...], ...] = ()
    candidate: Candidate | None = None
    reasons: tuple[Refusal, ...] = ()


class Outcome:
    """What may become of a gap: the words that are told and counted."""

    PROPOSED = "proposed"
    UNKNOWN = "unknown"
    DIFFERENT = "answers differ"
    REFUSED = "refused"
    FAILED = "no usable answer"
    ALL = (PROPOSED, UNKNOWN, DIFFERENT, REFUSED, FAILED)


def askable(gaps: Iterable[Gap], knowledge: Knowledge) -> tuple[list[Gap], int]:
    """The gaps that a model can be asked about, each once, and how many it cannot.

    It cannot where the property takes a kind of value that is not asked for, or where another thing bears the same
    name: an answer might be about that one.
    """
    part = _part(knowledge)
    each = list(dict.fromkeys(gaps))
    found = [gap for gap in each if _asks_for(part, gap.property) and _alone(part, gap.thing)]
    return found, len(each) - len(found)


def _asks_for(part: GraphPart, iri: str) -> bool:
    info = _info(part, iri)
    return info is not None and bool(form_of(info, part.judging))


def _alone(part: GraphPart, thing: str) -> bool:
    """Whether a thing is the only one of its name."""
    number = part.graph.id(thing)
    return number is not None and set(part.judging.lexicon.candidates(part.graph.label(number))) <= {thing}


class Filler:
    """Asks one model for values of one knowledge base.

    Args:
        knowledge: the part of the knowledge base that is told and read by; what a model made should not be in it.
        agree: how often each gap is asked; only what every answer says is kept.
        holds: what else may speak against a candidate, as an ontology does.
    """

    def __init__(
        self,
        model: Model,
        knowledge: Knowledge,
        *,
        agree: int = 1,
        holds: Callable[[Candidate], Sequence[Refusal]] | None = None,
    ) -> None:
        """Raises InputError for a number of askings that makes no sense, KnowledgeBaseError without a graph."""
        if not 1 <= agree <= MOST_ASKINGS:
            raise InputError(f"a gap is asked 1 to {MOST_ASKINGS} times", hint="for instance --agree 2")
        self._part = _part(knowledge)
        self._locale = knowledge.config.locale
        self._instructions = template("fill")
        self._asking = Structured(model)
        self._around = Around(self._part.graph, self._part.schema, most=_FACTS)
        self._agree = agree
        self._holds = holds
        self.by = f"llm:{model.identity}"

    def propose(self, gap: Gap) -> tuple[Proposal, ...]:
        """What the model says of one gap; one entry for each value, or one that says why there is none.

        Raises:
            LimitExceeded: the budget or the time is used up. StoreUnavailable: the model cannot be reached.
        """
        info, number = _info(self._part, gap.property), self._part.graph.id(gap.thing)
        if info is None or number is None or not form_of(info, self._part.judging):
            raise InputError(f"no value of <{gap.property[:100]}> can be asked for", where=gap.thing[:200])
        said: list[tuple[str, ...]] = []
        try:
            for turn in range(self._agree):
                said.append(self._asked(gap, info, number, turn))
                if not said[-1]:
                    return (Proposal(gap=gap, outcome=Outcome.UNKNOWN, said=tuple(said)),)
        except LimitExceeded:
            raise
        except (ModelFailed, CheckFailed) as fault:
            reason = Refusal(code="no-answer", detail=fault.message[:200])
            return (Proposal(gap=gap, outcome=Outcome.FAILED, said=tuple(said), reasons=(reason,)),)
        return tuple(self._judged(gap, info, number, tuple(said)))

    def prompt(self, gap: Gap, turn: int = 0) -> Prompt:
        """What the model is sent for a gap; another order of the facts in another turn."""
        info, number = _info(self._part, gap.property), self._part.graph.id(gap.thing)
        if info is None or number is None:
            raise InputError("the graph does not know this gap", where=f"{gap.thing} {gap.property}"[:200])
        messages = (Message("system", self._instructions.text), Message("user", self._material(info, number, turn)))
        return Prompt(messages=messages, tokens=_TOKENS)

    def _asked(self, gap: Gap, info: PropertyInfo, number: int, turn: int) -> tuple[str, ...]:
        most = 1 if info.functional else _SEVERAL
        shape = Shape(name="values", schema=_schema(most))
        found: dict[str, Any] = self._asking.ask(self.prompt(gap, turn), shape)
        return tuple(dict.fromkeys(value.strip() for value in found["values"] if value.strip()))

    def _material(self, info: PropertyInfo, number: int, turn: int) -> str:
        part = self._part
        facts = self._around((part.graph.iri(number),), " ".join(info.labels))
        ordered = facts if turn % 2 == 0 else tuple(reversed(facts))
        kinds = sorted(part.graph.label(each) for each in part.schema.type_ids(number) if part.graph.is_iri(each))
        told = [f'"thing": {quoted(part.graph.label(number))}', f'"kinds": {_listed(kinds)}']
        told += [f'"facts": {_listed(ordered)}', f'"property": {quoted(part.schema.shown(info))}']
        told += [f'"means": {quoted(info.comment[:500])}'] if info.comment else []
        told.append(f'"form": {quoted(form_of(info, part.judging))}')
        told += [f'"asked": {turn + 1}'] if turn else []
        return f"{{{', '.join(told)}}}"

    def _judged(
        self, gap: Gap, info: PropertyInfo, number: int, said: tuple[tuple[str, ...], ...]
    ) -> Iterator[Proposal]:
        """What all askings agree on, and what else was said where they agree on nothing."""
        read = [[(text, self._read(text, info)) for text in each] for each in said]
        first, others = read[0], read[1:]
        agreed = [each for each in first if all(_same(each, other) for other in others)]
        if not agreed:
            yield Proposal(gap=gap, outcome=Outcome.DIFFERENT, said=said)
            return
        kept: dict[str, None] = {}
        for text, value in agreed:
            candidate = self._candidate(number, info, value if not isinstance(value, Refusal) else Thing(name=text))
            reasons = (value,) if isinstance(value, Refusal) else self._against(candidate, number, info)
            if not isinstance(value, Refusal) and _term(value) in kept:
                continue
            kept[_term(candidate.value)] = None
            outcome = Outcome.REFUSED if reasons else Outcome.PROPOSED
            yield Proposal(gap=gap, outcome=outcome, said=said, candidate=candidate, reasons=reasons)

    def _read(self, text: str, info: PropertyInfo) -> Value | Refusal:
        return value_of(text, info, self._part.judging, locale=self._locale)

    def _candidate(self, number: int, info: PropertyInfo, value: Value) -> Candidate:
        graph = self._part.graph
        classes = tuple(sorted(graph.iri(n) for n in graph.objects(number, graph.id(RDF + "type") or -1)))
        subject = Thing(name=graph.label(number), iri=graph.iri(number), classes=classes)
        return Candidate(subject=subject, property=info.iri, value=value, place=None, trust="model", by=self.by)

    def _against(self, candidate: Candidate, number: int, info: PropertyInfo) -> tuple[Refusal, ...]:
        """What speaks against a value that was read: that it cannot be kept, the graph, its shapes, an ontology."""
        found = [*unfit(candidate), *self._against_by_graph(candidate, number, info)]
        if self._part.shapes is not None and not found:
            found += self._against_by_shapes(candidate)
        if self._holds is not None:
            found += self._holds(candidate)
        return tuple(dict.fromkeys(found))

    def _against_by_graph(self, candidate: Candidate, number: int, info: PropertyInfo) -> Iterator[Refusal]:
        entailment, value = self._part.judging.entailment, candidate.value
        held = entailment.values(number, info.iri)
        if held and (info.functional or not entailment.complete(number, info.iri)):
            yield Refusal(
                code="several-values", detail=f"{info.labels[0]!r} has a value already, and may have one only"
            )
        other = self._part.graph.id(value.iri) if isinstance(value, Thing) else None
        if other is None:
            return
        if other == number:
            yield Refusal(code="wrong-target", detail="the thing itself is no value of it")
        owners = entailment.values(other, info.iri, inverse=True) if info.inverse_functional else ()
        if any(fact.object != number for fact in owners):
            yield Refusal(code="several-values", detail=f"another thing has it as {info.labels[0]!r}, and one only may")
        for iri in info.disjoint_with:
            if any(fact.object == other for fact in entailment.values(number, iri)):
                yield Refusal(code="wrong-target", detail="the two are linked by a property that excludes this one")

    def _against_by_shapes(self, candidate: Candidate) -> Iterator[Refusal]:
        shapes = self._part.shapes
        assert shapes is not None
        triple = (iri_text(candidate.subject.iri), iri_text(candidate.property), _term(candidate.value))
        try:
            broken = shapes.judge([triple], limit_s=_SHAPE_SECONDS)
        except (RuntimeFault, InputError) as fault:
            yield Refusal(code="unchecked", detail=f"the shapes could not be held against it: {fault.message[:200]}")
            return
        for violation in broken:
            if violation.blocks and violation.conflict:
                yield Refusal(code="breaks-a-shape", detail=violation.message[:300])


def _same(each: tuple[str, Value | Refusal], other: Sequence[tuple[str, Value | Refusal]]) -> bool:
    """Whether another asking says this value too: the same term, or the same words where they are none."""
    text, value = each
    if isinstance(value, Refusal):
        return any(isinstance(v, Refusal) and t.casefold() == text.casefold() for t, v in other)
    return any(not isinstance(v, Refusal) and _term(v) == _term(value) for _, v in other)


def _term(value: Value) -> str:
    if isinstance(value, Thing):
        return iri_text(value.iri) if value.iri else value.name
    return literal_text(value)


def _schema(most: int) -> Mapping[str, Any]:
    value = {"type": "string", "maxLength": 300}
    return {
        "type": "object",
        "properties": {"values": {"type": "array", "items": value, "maxItems": most}},
        "required": ["values"],
        "additionalProperties": False,
    }


def _listed(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(quoted, texts))}]"


def _part(knowledge: Knowledge) -> GraphPart:
    if knowledge.part is None:
        raise InputError("has no graph", where=str(knowledge.config.folder), hint="name one under `graph:`")
    return knowledge.part


def _info(part: GraphPart, iri: str) -> PropertyInfo | None:
    return part.schema.property(iri)
