"""What becomes of a draft in the conditions that revise it: retrofitting by the graph, or criticism by passages.

Contract: the draft is there before anything is retrieved, for what is looked up is what it says. Where the model fails,
or time and budget are used up on the way, the text so far goes on. Nothing here is licensed; a condition that is
checked has the five stages judge what comes out.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from imprimatur.errors import InputError, LimitExceeded, RuntimeFault
from imprimatur.generate.conditions import Condition, Revision, relevant, shown
from imprimatur.models.asking import Model, Shape
from imprimatur.models.prompts import template
from imprimatur.oracle import Oracle
from imprimatur.retrieve.retrieval import Retrieval
from imprimatur.retrofit.asked import Asking, ByModel
from imprimatur.retrofit.by_graph import ByGraph
from imprimatur.retrofit.kinds import Stage
from imprimatur.retrofit.pipeline import Retrofitter, Taking
from imprimatur.retrofit.single import SinglePrompt
from imprimatur.retrofit.stages import Mixed, Stages

__all__ = ["FORMS", "RetrofitSettings", "Revised", "Revising", "criticised", "prompts_of", "retrofitted", "stages_of"]

#: The stages by a model one by one, in one prompt, or by the graph.
FORMS = ("stages", "single", "graph")
_TEXT = {"type": "string", "maxLength": 40_000}
_CRITIQUE = {
    "type": "object",
    "properties": {
        "critique": _TEXT,
        "verdict": {"type": "string", "enum": ["right", "wrong", "unknown"]},
        "response": _TEXT,
    },
    "required": ["critique", "verdict", "response"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrofitSettings:
    """How drafts are revised.

    Attributes:
        rounds: how often at most.
        form: how the stages are done; one of ``FORMS``.
        by_graph: stages that the graph does where a model does the others (the form ``stages``).
        tokens: the longest answer of the model to one of them; as configured by default.
    """

    rounds: int = 3
    form: str = FORMS[0]
    by_graph: frozenset[Stage] = frozenset()
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Revising:
    """How one draft is revised: in which condition, by which settings, and within how many seconds."""

    condition: Condition
    settings: RetrofitSettings
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised:
    """A draft as it was revised; ``ended`` says why no further round was made, ``process`` how it came so far."""

    text: str
    ended: str
    why: str = ""
    process: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The revision as JSON-ready values."""
        return {"text": self.text, "ended": self.ended, "why": self.why or None, **self.process}


def retrofitted(
    question: str,
    draft: str,
    oracle: Oracle,
    model: Model,
    how: Revising,
) -> Revised:
    """A draft, retrofitted by the graph of a knowledge base. Raises ConfigError for a wrong model."""
    fit = Retrofitter(
        oracle=oracle,
        stages=stages_of(oracle, model, how.settings, seconds=how.seconds),
        taking=Taking.LICENSED if how.condition.checked else Taking.WRITTEN,
        rounds=how.settings.rounds,
        seconds=how.seconds,
    )
    found = fit(question, draft)
    return Revised(text=found.text, ended=found.ended.value, why=found.why, process=found.to_dict())


def stages_of(
    oracle: Oracle, model: Model | None, settings: RetrofitSettings, *, seconds: float | None = None
) -> Stages:
    """What does the five stages; ``seconds`` is the time from now in which the model may be asked at all.

    Raises:
        InputError: there is no such form, or no model for it.
    """
    graph = ByGraph(oracle)
    if settings.form not in FORMS:
        raise InputError(f"there is no form {settings.form[:40]!r}", hint=f"choose among {', '.join(FORMS)}")
    if settings.form == "graph":
        return graph
    if model is None:
        raise InputError("a model is needed for this form", hint="name one, or choose the form `graph`")
    asking = Asking(model, tokens=settings.tokens)
    if seconds is not None:
        asking.ends = time.monotonic() + seconds
    if settings.form == "single":
        return SinglePrompt(asking, graph)
    by_model = ByModel(asking, graph)
    return Mixed(graph, by_model, settings.by_graph) if settings.by_graph else by_model


def criticised(
    question: str,
    draft: str,
    retrieval: Retrieval,
    model: Model,
    how: Revising,
) -> Revised:
    """A draft, criticised by what is found for it and written anew, until the critic has nothing against it."""
    asking, condition = Asking(model, tokens=how.settings.tokens), how.condition
    asking.ends = time.monotonic() + how.seconds
    text, rounds = draft, list[dict[str, Any]]()
    for _ in range(how.settings.rounds):
        trail = shown(relevant(retrieval(f"{question} {text}"[:4000]), condition), condition)
        evidence = [{"number": number, "text": item.text} for number, item in enumerate(trail.items, 1)]
        try:
            shape = Shape(name="critique", schema=_CRITIQUE)
            said = asking.ask("critic", shape, question=question, response=text, evidence=evidence)
        except RuntimeFault as fault:
            ended = "late" if isinstance(fault, LimitExceeded) else "failed"
            return Revised(text=text, ended=ended, why=fault.message, process={"rounds": rounds})
        revised = said["response"].strip()
        rounds.append({"response": text, "evidence": [item.text for item in trail.items], **said})
        if said["verdict"] == "right" or not any(map(str.isalnum, revised)) or revised == text:
            return Revised(text=text, ended="unchanged", process={"rounds": rounds})
        text = revised
    return Revised(text=text, ended="rounds", process={"rounds": rounds})


def prompts_of(condition: Condition, settings: RetrofitSettings) -> Sequence[str]:
    """The identities of the instructions that a revision goes by."""
    if condition.revision is Revision.CRITICISED:
        return (template("critic").identity,)
    if settings.form == "graph":
        return ()
    names = {
        Stage.EXTRACTION: "claims",
        Stage.DETECTION: "entities",
        Stage.SELECTION: "select",
        Stage.VERIFICATION: "verify",
        Stage.RETROFITTING: "retrofit",
    }
    asked = ("single",) if settings.form == "single" else [names[s] for s in Stage if s not in settings.by_graph]
    return tuple(template(f"kgr-{name}").identity for name in asked)
