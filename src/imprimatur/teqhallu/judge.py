"""TeQHallu as a trained judge (``judges: [{kind: teqhallu, …}]``): it looks once more at what was found supported.

Contract: that of ``judges`` (decision 17): it is asked about nothing else, and agreement changes nothing. Each claim is
a response of its own, with a database of its own made from the texts that it was found supported by; it agrees where
the claim is fully supported and everything that this rests on held.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from importlib.util import find_spec

from imprimatur.config import JudgeConfig, ModelConfig, ModelLimits
from imprimatur.errors import ConfigError
from imprimatur.judges.opening import Opened
from imprimatur.models.asking import Model
from imprimatur.models.prompts import template, template_names
from imprimatur.models.served import ServedModel
from imprimatur.protocols import Case, Opinion
from imprimatur.teqhallu.asker import Limits
from imprimatur.teqhallu.found import Found, Sample
from imprimatur.teqhallu.kinds import Support
from imprimatur.teqhallu.pipeline import TeQHallu
from imprimatur.verdict import Label

__all__ = ["TeQHalluJudge", "open_judge"]

#: So many claims are under way at once.
_AT_ONCE = 4
_LABELS = {
    Support.FULLY: Label.SUPPORTED,
    Support.CONTRADICTED: Label.CONTRADICTED,
    Support.UNCHECKED: Label.UNCHECKED,
}


class TeQHalluJudge:
    """Agrees where a database made of the evidence bears the claim out."""

    def __init__(self, name: str, model: Model, *, tokens: int | None = None) -> None:
        self.name = name
        self._model = model
        self._limits = Limits() if tokens is None else Limits(tokens=tokens)
        prompts = (template(each).content_hash for each in template_names() if each.startswith("teqhallu-"))
        parts = (model.identity, str(self._limits.tokens), *prompts)
        self.fingerprint = sha256("\n".join(parts).encode()).hexdigest()[:16]

    def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
        """One opinion for each case; those that fail say why, and the others count."""
        ends = time.monotonic() + seconds
        with ThreadPoolExecutor(min(_AT_ONCE, len(cases)) or 1) as pool:
            return list(pool.map(lambda case: self._weighed(case, ends), cases))

    def _weighed(self, case: Case, ends: float) -> Opinion:
        sample = Sample(id="claim", response=case.claim, reference=case.texts, question=case.question)
        with TeQHallu(self._model, limits=self._limits) as method:
            found = method.check(sample, seconds=ends - time.monotonic())
        label = _LABELS.get(found.verdict, Label.NOT_FOUND)
        agrees = label is Label.SUPPORTED
        return Opinion(label=label, score=float(agrees), detail="" if agrees else _why(found))


def _why(found: Found) -> str:
    """What speaks against a claim, in a few words of our own or of its queries; what the model says is left out."""
    lowered = next((claim.lowered for claim in found.claims if claim.lowered), "")
    return (found.fault or lowered or found.verdict.value)[:200]


def open_judge(config: JudgeConfig) -> Opened:
    """The model behind an address; it is not asked before there is something to judge.

    Raises:
        ConfigError: the entry names no address or no model, or an extra is not installed.
    """
    if config.base_url is None or not config.model:
        raise ConfigError(
            "`base_url` or `model` is missing", hint="the server, and the name by which it knows the model"
        )
    missing = [name for name in ("sqlglot", "jsonschema") if find_spec(name) is None]
    if missing:
        raise ConfigError(f"{missing[0]} is not installed", hint="pip install 'imprimatur[tables,models]'")
    limits = ModelLimits(seconds=600, answer_tokens=None)
    asked = ModelConfig(base_url=config.base_url, name=config.model, key=config.key, limits=limits, where=config.where)
    if not config.fixed:
        asked = replace(asked, temperature=None, seed=None)
    return Opened(TeQHalluJudge(config.name, ServedModel(asked), tokens=config.tokens), _AT_ONCE)
