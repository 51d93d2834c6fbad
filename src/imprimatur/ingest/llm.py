"""A language model as a reader of documents: asked for facts under an ontology, as JSON that follows a schema.

Contract: one request for each passage, which goes as JSON in a message of its own, called material, in which nothing
steers (``models.prompts``). Every fact names its sentence; subject and value must stand in it verbatim, and values are
read back by rules (``read_back``): else the fact is dropped, with a reason. A model that fails is an error: its silence
would look like a document that states nothing. What it proposes has the trust class ``model``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from imprimatur.answer import Message
from imprimatur.ingest.candidate import Candidate, Place, Refusal
from imprimatur.ingest.ontology import Guardrail, Property, is_datatype, word_key
from imprimatur.ingest.ontology_words import words_of_guardrail
from imprimatur.ingest.patterns import Readout
from imprimatur.ingest.read_back import Proposal, ReadBack, readable, span_in
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import Template, quoted, template
from imprimatur.models.structured import Structured
from imprimatur.sources.graph.terms import local_name
from imprimatur.sources.passages.passage import Document, Sentence

__all__ = ["LlmReader", "schema_for"]

_MOST_FACTS = 100
_MOST_SHOWN = 300
_TEXTS = ("subject", "subject_class", "property", "value", "value_class")


def schema_for(sentences: Sequence[Sentence]) -> Mapping[str, Any]:
    """The form of an answer: no more facts than the sentences can state."""
    words = sum(len(sentence.text.split()) for sentence in sentences)
    fact = {
        "type": "object",
        "properties": {
            "sentence": {"type": "integer", "minimum": 1, "maximum": len(sentences)},
            **{name: {"type": "string", "maxLength": 400} for name in _TEXTS},
        },
        "required": ["sentence", *_TEXTS],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"facts": {"type": "array", "items": fact, "maxItems": min(_MOST_FACTS, 2 + words // 3)}},
        "required": ["facts"],
        "additionalProperties": False,
    }


class LlmReader:
    """Reads documents by asking a model (implements ``FactReader``).

    Args:
        seconds: how long it has for one passage; None for as long as its own limits say.
    """

    def __init__(
        self,
        model: Model,
        guardrail: Guardrail,
        *,
        name: str = "llm",
        instructions: Template | None = None,
        seconds: float | None = None,
    ) -> None:
        self._instructions = template("facts") if instructions is None else instructions
        parts = (model.identity, self._instructions.content_hash, guardrail.content_hash)
        self.identity = f"llm:{name}:" + sha256("\n".join(parts).encode()).hexdigest()[:16]
        self._asking = Structured(model)
        self._seconds = seconds
        self._guardrail = guardrail
        self._back = ReadBack(guardrail, words_of_guardrail(guardrail), by=self.identity)
        self._ontology = _told(guardrail)

    def candidates(self, document: Document) -> list[Candidate]:
        """What the model proposes and the sentences bear out. Raises ModelFailed where it gives no answer."""
        return list(self.read(document).candidates)

    def read(self, document: Document) -> Readout:
        """What the model proposes, and what of it was dropped."""
        found: list[Candidate] = []
        refused: list[tuple[Place, Refusal]] = []
        for sentences in _by_passage(document):
            for sentence, made in self._asked(sentences, document):
                if isinstance(made, Refusal):
                    place = Place(document=document.id, start=sentence.start, end=sentence.end, quote=sentence.text)
                    refused.append((place, made))
                else:
                    found.append(made)
        return Readout(tuple(dict.fromkeys(found)), tuple(refused))

    def _asked(
        self, sentences: Sequence[Sentence], document: Document
    ) -> Iterator[tuple[Sentence, Candidate | Refusal]]:
        shape = Shape(name="facts", schema=schema_for(sentences))
        said = self._asking.ask(self._prompt(sentences), shape, seconds=self._seconds)
        for each in said["facts"]:
            sentence = sentences[each["sentence"] - 1]
            proposal = self._proposal(each, sentence)
            made = proposal if isinstance(proposal, Refusal) else self._back.candidate(proposal, sentence, document)
            yield sentence, made

    def _prompt(self, sentences: Sequence[Sentence]) -> Prompt:
        numbered = ", ".join(f'"{n}": {quoted(s.text)}' for n, s in enumerate(sentences, 1))
        material = f'{{"sentences": {{{numbered}}}, {self._ontology}}}'
        return Prompt(messages=(Message("system", self._instructions.text), Message("user", material)))

    def _proposal(self, said: Mapping[str, Any], sentence: Sentence) -> Proposal | Refusal:
        properties = self._guardrail.properties_named(said["property"])
        if len(properties) != 1:
            return Refusal(code="unknown-relation", detail=f"no one property is called {said['property'][:80]!r}")
        subject, value = span_in(said["subject"], sentence), span_in(said["value"], sentence)
        if subject is None or value is None:
            missing = said["subject"] if subject is None else said["value"]
            return Refusal(code="not-in-sentence", detail=f"{missing[:80]!r} does not stand in the sentence")
        classes = [self._class(said[name]) for name in ("subject_class", "value_class")]
        if None in classes:
            return Refusal(code="unknown-class", detail="a class that the ontology does not name")
        return Proposal(
            property=properties[0],
            subject=subject,
            value=value,
            subject_class=classes[0] or "",
            value_class=classes[1] or "",
        )

    def _class(self, name: str) -> str | None:
        """The class of a name; "" for none, None for one that the ontology does not have."""
        if not word_key(name):
            return ""
        found = self._guardrail.classes_named(name)
        return found[0] if len(found) == 1 else None


def _by_passage(document: Document) -> Iterator[list[Sentence]]:
    kept = readable(document)
    for passage in document.passages:
        sentences = [s for s in kept if s.passage == passage.id]
        if sentences:
            yield sentences


def _told(guardrail: Guardrail) -> str:
    """The classes and properties as JSON, for the prompt."""
    classes = ", ".join(quoted(each.name) for each in guardrail.classes[:_MOST_SHOWN])
    properties = ", ".join(_property(guardrail, each) for each in guardrail.properties[:_MOST_SHOWN])
    return f'"classes": [{classes}], "properties": [{properties}]'


def _property(guardrail: Guardrail, known: Property) -> str:
    def named(iri: str) -> str:
        cls = guardrail.class_(iri)
        return cls.name if cls is not None else local_name(iri) if is_datatype(iri) else "anything"

    of = ", ".join(quoted(each) for each in sorted({named(p.source) for p in known.patterns}))
    kinds = ", ".join(quoted(each) for each in sorted({named(p.target) for p in known.patterns}))
    return f'{{"name": {quoted(known.name)}, "of": [{of}], "is": [{kinds}]}}'
