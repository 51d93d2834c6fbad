"""A language model as a corrector: shown one sentence, what is wrong with it and what is known, it writes it anew.

Contract: one request for each sentence, so that no sentence can speak of another. All that others wrote goes as JSON in
a message of its own, called material, in which nothing steers (``models.prompts``). Equal material makes equal prompts,
so that kept answers are found again. What comes back is one text; whether it may be taken is not decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from imprimatur.answer import Message
from imprimatur.config import CorrectorConfig, ModelConfig
from imprimatur.errors import ConfigError
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.opening import open_model
from imprimatur.models.prompts import Template, quoted, template
from imprimatur.models.structured import Structured
from imprimatur.protocols import Flawed

__all__ = ["SCHEMA", "LlmCorrector", "open_corrector"]

_LONGEST = 2000
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"sentence": {"type": "string", "maxLength": _LONGEST}},
    "required": ["sentence"],
    "additionalProperties": False,
}


class LlmCorrector:
    """Proposes what a language model makes of a sentence."""

    def __init__(self, model: Model, *, instructions: Template | None = None) -> None:
        self._instructions = template("correct") if instructions is None else instructions
        self._asking = Structured(model)
        self.identity = f"corrector {model.identity}, {self._instructions.identity}"

    def propose(self, flawed: Flawed, *, seconds: float) -> str:
        """The sentence in other words, "" where it cannot be mended. Raises what ``Structured.ask`` raises."""
        messages = (Message("system", self._instructions.text), Message("user", material(flawed)))
        said = self._asking.ask(
            Prompt(messages=messages), Shape(name="correction", schema=SCHEMA), seconds=max(seconds, 0.001)
        )
        found: str = said["sentence"]
        return found.strip()


def material(flawed: Flawed) -> str:
    """All that is shown of a sentence, as JSON in which nothing steers."""
    told = [f'"sentence": {quoted(flawed.text)}', f'"wrong": {_listed(flawed.faults)}']
    told.append(f'"facts": {_listed(flawed.facts)}')
    told += [f'"question": {quoted(flawed.question)}'] if flawed.question else []
    told += [f'"before": {quoted(flawed.before)}'] if flawed.before else []
    if flawed.refused:
        each = (f'{{"sentence": {quoted(said)}, "why": {quoted(why)}}}' for said, why in flawed.refused)
        told.append(f'"refused": [{", ".join(each)}]')
    return f"{{{', '.join(told)}}}"


def _listed(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(quoted, texts))}]"


def open_corrector(config: CorrectorConfig, default: ModelConfig | None) -> LlmCorrector:
    """The model that a configuration names; it is not asked before a segment fails.

    Args:
        config: the block ``correct:``.
        default: the knowledge base's own model, where the block has none.

    Raises:
        ConfigError: no model is named, an option is of another kind, or an extra is not installed.
    """
    named = config.model if config.model is not None else default
    if named is None:
        hint = "give `model: {base_url: …, name: …}`, under `correct` or for the whole knowledge base"
        raise ConfigError("no model is configured", where=config.where, hint=hint)
    if find_spec("jsonschema") is None:
        raise ConfigError("JSON Schema is not installed", where=config.where, hint="pip install 'imprimatur[models]'")
    return LlmCorrector(open_model(named))
