"""Queries written by a model, for retrieval (implements ``retrieve.queries.QueryWriter``).

Contract: the model is told the vocabulary and the things that the question names, never the data; what it writes is
checked and run by ``retrieve.queries``, and goes back to it with what is wrong. A model that is asked for queries is
asked before the gate decides, which is why nobody is who does not want it. SPARQL is asked for as
text, Cypher as JSON of one form.
"""

from __future__ import annotations

from imprimatur.answer import Message
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import quoted, template, without_thoughts
from imprimatur.models.structured import Structured
from imprimatur.retrieve.queries import QueryRequest

__all__ = ["ModelQueries", "query_prompt"]

_TOKENS = 400
_NONE = "none"
_TEMPLATES = {"sparql": "query", "cypher": "query-cypher"}
_SHAPE = Shape(
    name="query",
    schema={
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)


class ModelQueries:
    """Asks one model for the query of a question."""

    def __init__(self, model: Model, *, tokens: int = _TOKENS) -> None:
        self._model = model
        self._structured = Structured(model)
        self._tokens = tokens

    def write(self, request: QueryRequest) -> str:
        """The query as the model wrote it; empty where it has none. Raises what ``Model.complete`` raises."""
        prompt = query_prompt(request, self._tokens)
        if request.language == "cypher":
            return str(self._structured.ask(prompt, _SHAPE, seconds=request.seconds)["query"])
        said = self._model.complete(prompt, seconds=request.seconds)
        text = without_thoughts(said.whole())
        return "" if text.strip(" .`\n").lower() == _NONE else text


def query_prompt(request: QueryRequest, tokens: int) -> Prompt:
    """What asks a model for a query. Raises KeyError for a language that has no template."""
    things = [f"{quoted(words)}: {written}" for words, written in request.things]
    before = [
        f"This query was refused:\n{attempt.query}\nbecause:\n{chr(10).join(attempt.problems)}"
        for attempt in request.before
    ]
    material = "\n".join(
        (
            f"Question: {quoted(request.question)}",
            "What the graph has:",
            request.vocabulary,
            "Things that the question names:",
            *(things or ["none is known"]),
            *before,
        )
    )
    system = template(_TEMPLATES[request.language]).text
    return Prompt(messages=(Message("system", system), Message("user", material)), tokens=tokens)
