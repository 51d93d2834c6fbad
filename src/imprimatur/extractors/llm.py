"""A language model as an extractor: asked which claims a text makes, as JSON that follows a schema, with quotations.

Contract: one request for each excerpt, so that no text can speak of another. The excerpt and what completes it go as
JSON in a message of their own, called material, in which nothing steers (``models.prompts``). Every claim quotes its
words; a quotation that does not stand in the text makes the whole answer a failure, for then nobody knows what it read.
The model is asked for temperature 0 and a seed; a server need not heed them. It is the model that may be wrong here:
what it says counts only where the reader reads the same (``reading_back``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

from imprimatur.answer import Message
from imprimatur.config import ExtractorConfig
from imprimatur.errors import CheckFailed, ConfigError, ImprimaturError
from imprimatur.extractors.extraction import Opened
from imprimatur.extractors.terms import Terms
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.opening import open_model
from imprimatur.models.prompts import Template, quoted, template
from imprimatur.models.structured import Structured
from imprimatur.protocols import Excerpt, Proposal, Proposed

__all__ = ["LlmExtractor", "open_extractor", "schema_for"]

#: So many requests are under way at once.
_AT_ONCE = 4
_MOST_CLAIMS = 100
_CLAIM: Mapping[str, Any] = {
    "type": "object",
    "properties": {"quote": {"type": "string"}, "says": {"type": "string"}},
    "required": ["quote", "says"],
    "additionalProperties": False,
}


def schema_for(text: str) -> Mapping[str, Any]:
    """The form of an answer: no more claims than a text of its length can have, so that no model goes on for ever."""
    most = min(_MOST_CLAIMS, 2 + len(text.split()) // 2)
    return {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": _CLAIM, "maxItems": most}},
        "required": ["claims"],
        "additionalProperties": False,
    }


class LlmExtractor:
    """Proposes what a language model takes a text to claim, each claim with its place."""

    def __init__(self, model: Model, *, name: str = "llm", instructions: Template | None = None) -> None:
        self.name = name
        self._instructions = template("claims") if instructions is None else instructions
        self._asking = Structured(model)
        parts = (model.identity, self._instructions.content_hash)
        self.fingerprint = sha256("\n".join(parts).encode()).hexdigest()[:16]

    def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> list[Proposed]:
        """The proposals for each excerpt; those that fail say why, and the others count."""
        ends = time.monotonic() + seconds
        with ThreadPoolExecutor(min(_AT_ONCE, len(excerpts)) or 1) as pool:
            return list(pool.map(lambda excerpt: self._proposed(excerpt, ends), excerpts))

    def _proposed(self, excerpt: Excerpt, ends: float) -> Proposed:
        if not any(char.isalnum() for char in excerpt.text):
            return Proposed()
        left = ends - time.monotonic()
        if left <= 0:
            return Proposed(fault="was late")
        try:
            said = self._asking.ask(
                self._prompt(excerpt), Shape(name="claims", schema=schema_for(excerpt.text)), seconds=left
            )
            return Proposed(_placed(excerpt.text, [(each["quote"], each["says"]) for each in said["claims"]]))
        except ConfigError:
            raise
        except ImprimaturError as fault:
            return Proposed(fault=fault.message)

    def _prompt(self, excerpt: Excerpt) -> Prompt:
        told = [f'"text": {quoted(excerpt.text)}']
        if excerpt.before:
            told.append(f'"before": {quoted(excerpt.before)}')
        if excerpt.around:
            told.append(f'"around": [{", ".join(map(quoted, excerpt.around))}]')
        messages = (Message("system", self._instructions.text), Message("user", f"{{{', '.join(told)}}}"))
        return Prompt(messages=messages)


def _placed(text: str, said: Sequence[tuple[str, str]]) -> tuple[Proposal, ...]:
    """The claims with the places of their quotations: of several, the first that is not before the claim before it.

    Raises:
        CheckFailed: a quotation does not stand in the text, or a claim says nothing.
    """
    made: list[Proposal] = []
    reached = 0
    for quote, says in said:
        words = quote.strip()
        at = text.find(words, reached) if words else -1
        at = text.find(words) if words and at < 0 else at
        if at < 0:
            raise CheckFailed("quoted words that do not stand in the text")
        if not says.strip():
            raise CheckFailed("proposed a claim that says nothing")
        reached = at
        made.append(Proposal(start=at, end=at + len(words), says=says.strip()))
    return tuple(dict.fromkeys(made))


def open_extractor(config: ExtractorConfig, terms: Terms) -> Opened:
    """The model behind an address, or weights on this machine; it is not asked before there is something to read.

    Raises:
        ConfigError: no model is named, an option is of another kind, or an extra is not installed.
    """
    if config.path is not None or config.hub is not None:
        hint = "name it under `model`, of the extractor or of the knowledge base"
        raise ConfigError("a language model is no folder of an extractor", hint=hint)
    if config.model is None:
        hint = "give `model: {base_url: …, name: …}`, under `extractor` or for the whole knowledge base"
        raise ConfigError("no model is configured", hint=hint)
    if find_spec("jsonschema") is None:
        raise ConfigError("JSON Schema is not installed", hint="pip install 'imprimatur[models]'")
    model = open_model(config.model)
    name = config.name or config.model.name or (config.model.path.stem if config.model.path else "llm")
    here = config.model.path is not None
    return Opened(LlmExtractor(model, name=name), batch=1 if here else _AT_ONCE, here=here, writes=True)
