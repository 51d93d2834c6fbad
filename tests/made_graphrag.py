"""Objects of the shape of GraphRAG-SDK's: a rag that retrieves given sections and writes given answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MadeContext", "MadeItem", "MadeRag", "MadeResult", "MadeRetrieved", "facts", "hint", "passages"]


@dataclass
class MadeItem:
    """A section, as the SDK's ``RetrieverResultItem``."""

    content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    score: float | None = None


@dataclass
class MadeRetrieved:
    """As the SDK's ``RetrieverResult``."""

    items: list[MadeItem]


@dataclass
class MadeResult:
    """As the SDK's ``RagResult``."""

    answer: Any
    retriever_result: MadeRetrieved | None = None


@dataclass
class MadeContext:
    """As the SDK's ``Context``, as far as it is asked for here."""

    parent: MadeContext | None = None

    def child(self) -> MadeContext:
        """A context with a clock of its own."""
        return MadeContext(self)


class MadeRag:
    """Retrieves the same sections for every question, and writes one answer."""

    def __init__(self, answer: Any, *items: MadeItem, fault: Exception | None = None, nodes: int = 5) -> None:
        self._answer, self._items, self._fault, self._nodes = answer, list(items), fault, nodes
        self.retrievals: list[dict[str, Any]] = []
        self.completions: list[dict[str, Any]] = []

    async def retrieve(self, question: str, **asked: Any) -> MadeRetrieved:
        """The sections."""
        self.retrievals.append({"question": question, **asked})
        if self._fault is not None:
            raise self._fault
        return MadeRetrieved(self._items)

    async def completion(self, question: str, **asked: Any) -> MadeResult:
        """The answer."""
        self.completions.append({"question": question, **asked})
        return MadeResult(self._answer, MadeRetrieved(self._items) if asked.get("return_context") else None)

    async def get_statistics(self) -> dict[str, Any]:
        """How many nodes there are."""
        return {"node_count": self._nodes}


def hint(text: str = "Answer format: Name the specific person(s).") -> MadeItem:
    """A section that only says how to answer."""
    return MadeItem(text, {"section": "hint"})


def passages(*texts: str, score: float | None = None) -> MadeItem:
    """The section of passages, with its header glued to the first."""
    return MadeItem("## Source Document Passages\n" + "\n---\n".join(texts), {"section": "passages"}, score)


def facts(*lines: str) -> MadeItem:
    """The section of facts that a model read out of the documents."""
    shown: Sequence[str] = [f"- {line}" for line in lines]
    return MadeItem("## Knowledge Graph Facts\n" + "\n".join(shown), {"section": "facts"})
