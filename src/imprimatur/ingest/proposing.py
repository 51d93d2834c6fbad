"""What proposes that two things are one, and what confirms it: vectors of names, and a model that is asked.

Vectors only propose. The model is shown both things as quoted text, and says yes, no, or that it cannot tell; whatever
fails, comes late or follows no schema counts as that it cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from imprimatur._dataclasses import dataclass
from imprimatur.errors import RuntimeFault
from imprimatur.models.asking import Model, Prompt, Shape
from imprimatur.models.prompts import Exhibit, compose, template
from imprimatur.models.structured import Structured

if TYPE_CHECKING:
    import numpy

    from imprimatur.sources.passages.embedding import Embeds

__all__ = ["ModelVerifier", "Proposes", "Side", "SimilarNames", "Verifies"]

#: Names whose vectors have a smaller cosine are not proposed.
LEAST = 0.7
_MOST = 3
_SECONDS = 30.0
_SHAPE = Shape(
    name="same_thing",
    schema={
        "type": "object",
        "properties": {"same": {"type": "string", "enum": ["yes", "no", "cannot tell"]}},
        "required": ["same"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two things: its name, what kinds of thing it is, and sentences or facts about it."""

    name: str
    kinds: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As a model is shown it."""
        kinds = f" ({', '.join(self.kinds)})" if self.kinds else ""
        return "\n".join((f"{self.name}{kinds}", *self.sentences))


class Proposes(Protocol):
    """Gives things with names like one."""

    identity: str

    def near(self, name: str) -> tuple[str, ...]:
        """The IRIs of things that may be meant, the nearest first; none where it fails."""
        ...


class Verifies(Protocol):
    """Says whether two things are one."""

    identity: str

    def same(self, left: Side, right: Side) -> bool | None:
        """Whether they are one; None where that cannot be told, or where it fails."""
        ...


class SimilarNames:
    """Things by the vectors of their names (implements ``Proposes``).

    Args:
        names: IRIs with a name each. embedder: what makes vectors.
    """

    def __init__(self, names: Iterable[tuple[str, str]], embedder: Embeds, *, least: float = LEAST) -> None:
        self._embedder, self._least = embedder, least
        ordered = sorted(set(names))
        self._iris = [iri for iri, _ in ordered]
        self._vectors: Any = _stacked(list(embedder.embed_all([name for _, name in ordered])))
        self.identity = f"names:{embedder.fingerprint[:16]}"

    def near(self, name: str) -> tuple[str, ...]:
        """The IRIs of at most three things, the nearest first; of equally near ones the first by IRI."""
        if self._vectors is None:
            return ()
        try:
            cosines = self._vectors @ self._embedder.embed(name)
        except RuntimeFault:
            return ()
        ranked = sorted(range(len(self._iris)), key=lambda at: (-round(float(cosines[at]), 6), self._iris[at]))
        chosen = [self._iris[at] for at in ranked if cosines[at] >= self._least]
        return tuple(dict.fromkeys(chosen))[:_MOST]


def _stacked(vectors: list[numpy.ndarray[Any, Any]]) -> Any:
    if not vectors:
        return None
    import numpy

    return numpy.stack(vectors)


class ModelVerifier:
    """A language model that is asked (implements ``Verifies``); each pair is asked about once."""

    def __init__(self, model: Model, *, seconds: float = _SECONDS) -> None:
        self._model, self._seconds = Structured(model), seconds
        self._template = template("same-thing")
        self._said: dict[tuple[Side, Side], bool | None] = {}
        self.identity = f"llm:{model.identity}, {self._template.identity}"

    def same(self, left: Side, right: Side) -> bool | None:
        """Whether the model says that they are one; None where it cannot tell, fails, or is late."""
        if (left, right) not in self._said:
            self._said[left, right] = self._ask(left, right)
        return self._said[left, right]

    def _ask(self, left: Side, right: Side) -> bool | None:
        question = "Are the two the same thing?"
        prompt: Prompt = compose(self._template, question, [Exhibit(left.text), Exhibit(right.text)])
        try:
            answer = self._model.ask(prompt, _SHAPE, seconds=self._seconds)
        except RuntimeFault:
            return None
        return {"yes": True, "no": False}.get(answer["same"])
