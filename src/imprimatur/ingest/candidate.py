"""What is proposed as a fact, and where it stands: frozen, without input or output."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.passages.passage import Document

__all__ = ["Candidate", "FactReader", "Place", "Refusal", "Thing", "Value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Words of a document that state something: ``text[start:end] == quote`` in code points of its extracted text.

    ``document`` is the path of its file below the knowledge base's folder (or as the user named it), with ``/``.
    """

    document: str
    start: int
    end: int
    quote: str

    @property
    def iri(self) -> str:
        """The place as the name of a graph: the file's path, and the stretch as RFC 5147 writes it."""
        from urllib.parse import quote

        return f"doc:{quote(self.document)}#char={self.start},{self.end}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A thing that a text names.

    Attributes:
        name: as the text has it. span: where, in the document; None where it is named elsewhere or not at all.
        classes: the IRIs of what it is taken for, the most exact first.
        iri: which thing it is; "" until that is settled.
    """

    name: str
    span: tuple[int, int] | None = None
    classes: tuple[str, ...] = ()
    iri: str = ""


#: A value of a fact.
Value: TypeAlias = Thing | RdfLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A fact that is proposed: ``subject property value``. Membership in a class has ``rdf:type`` and the class.

    Attributes:
        property: an IRI.
        place: the sentence that states it; None for what a model adds from its own knowledge.
        trust: ``derived`` where rules read it, ``model`` where a model had a part in it.
        by: what read it, with a version or hash: "patterns", "gliner:…", "llm:…".
        valid: first and last day or year, as lexical forms of XSD; "" where that end is open or not told.
        span: where the value stands in the document, None where it does not.
    """

    subject: Thing
    property: str
    value: Value
    place: Place | None
    trust: str
    by: str
    valid: tuple[str, str] = ("", "")
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a candidate is not let in: a stable code, such as ``unknown-relation``, and words that say what was met."""

    code: str
    detail: str


class FactReader(Protocol):
    """What proposes facts from documents."""

    @property
    def identity(self) -> str:
        """Its name, with a hash of all that its proposals depend on."""
        ...

    def candidates(self, document: Document) -> list[Candidate]:
        """What a document states, in the order of the text. Raises an ``ImprimaturError`` where it cannot be asked."""
        ...
