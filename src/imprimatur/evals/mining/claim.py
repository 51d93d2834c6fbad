"""A claim that was made of a knowledge base, with what is right of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from imprimatur.evals.mining.book import Literal, Node, Triple
from imprimatur.verdict import Label

__all__ = ["KINDS", "Kind", "MinedClaim", "shown"]


class Kind(StrEnum):
    """What a claim is, by the second opinion."""

    ENTAILED = "entailed"
    CONTRADICTED = "contradicted"
    NON_ENTAILED = "non-entailed"
    VIOLATING = "constraint-violating"


#: In the order of the tables.
KINDS = tuple(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedClaim:
    """One sentence.

    Attributes:
        label: the verdicts that are right of it; none of them is ``supported`` unless it is entailed.
        made: how it was made: "stored", "inferred", "another value", "denied", "withheld" …
        form: how it is worded.
        property: what the property is called; ``iri`` its IRI.
        triple: what it says; for a denial, what it denies.
        shape: the shape that it breaks; empty else.
    """

    id: str
    text: str
    kind: Kind
    label: tuple[Label, ...]
    made: str
    form: str
    property: str
    iri: str
    triple: Triple
    shape: str = ""

    def to_dict(self) -> dict[str, Any]:
        """A row as ``eval claims`` reads it."""
        shape = {"shape": self.shape} if self.shape else {}
        return {
            "id": self.id,
            "text": self.text,
            "label": [label.value for label in self.label],
            "kind": self.kind.value,
            "made": self.made,
            "form": self.form,
            "property": self.iri,
            "triple": [shown(term) for term in self.triple],
            **shape,
        }


def shown(node: Node) -> str:
    """A term as N-Triples has it."""
    if not isinstance(node, Literal):
        return node if node.startswith("_:") else f"<{node}>"
    text = node.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    tail = f"@{node.language}" if node.language else f"^^<{node.datatype}>" if node.datatype else ""
    return f'"{text}"{tail}'
