"""Evidence found again where it says that it is from: in the files themselves, and by its own query.

Contract: a piece of evidence is ``same`` when its query gives it again and its file has it, ``other`` when one of them
says something else, ``out_of_reach`` where neither can be looked at from here (an index without its documents, a
database elsewhere). Files are read anew, not what was made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from imprimatur._expressions import expression
from imprimatur.config import KnowledgeBaseConfig
from imprimatur.errors import ImprimaturError
from imprimatur.evidence import Evidence
from imprimatur.knowledge import Knowledge
from imprimatur.sources.graph.candidates import Triple, rested_on
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import Document, Passage

__all__ = ["Refound", "documents_of", "refound"]

_ADDRESS = expression(r"(?P<id>.+#\d+)(?:@(?P<start>\d+)-(?P<end>\d+))?")
_MOST_DOCUMENTS = 2_000


class Refound(StrEnum):
    """What came of looking."""

    SAME = "same"
    OTHER = "other"
    OUT_OF_REACH = "out of reach"


def refound(found: Iterable[Evidence], knowledge: Knowledge) -> Mapping[Evidence, Refound]:
    """What comes of looking for each piece of evidence where it is from."""
    each = list(dict.fromkeys(found))
    looking = _Looking(knowledge, each)
    return {evidence: looking.at(evidence) for evidence in each}


def documents_of(config: KnowledgeBaseConfig) -> tuple[Document, ...]:
    """The documents that a knowledge base names, read anew; without those that cannot be read."""
    return tuple(_documents(config).values())


def _read(paths: tuple[Path, ...], folder: Path, limits: Limits) -> Mapping[str, Document]:
    from imprimatur.sources.passages.folder import IndexFolder
    from imprimatur.sources.passages.listing import origins_of
    from imprimatur.sources.passages.reading import read_document

    plain = [path for path in paths if not (path.is_dir() and IndexFolder(path).exists)]
    made: dict[str, Document] = {}
    for origin in origins_of(plain, base=folder)[:_MOST_DOCUMENTS] if plain else ():
        try:
            made[origin.id] = read_document(origin.read(limits), id_=origin.id, form=origin.form, limits=limits)
        except ImprimaturError:
            continue
    return made


def _documents(config: KnowledgeBaseConfig) -> Mapping[str, Document]:
    if not config.passages:
        return {}
    try:
        return _read(config.passages, config.folder, Limits(**dict(config.limits)))
    except ImprimaturError:
        return {}


class _Looking:
    """Looks for evidence of one knowledge base."""

    def __init__(self, knowledge: Knowledge, evidence: Iterable[Evidence]) -> None:
        self._knowledge = knowledge
        wanted = {triple for each in evidence for triple in _asserted(each)}
        self._documents: Mapping[str, Document] | None = None
        self._stands = frozenset(_standing(knowledge.config, wanted)) if wanted else frozenset()

    def at(self, evidence: Evidence) -> Refound:
        """What comes of looking for one."""
        try:
            if evidence.source == "memory":
                return self._entry(evidence)
            if evidence.source == "passages":
                return self._passage(evidence)
            if evidence.kind == "row" and not evidence.query.lstrip().upper().startswith(("SELECT ?", "ASK")):
                return self._row(evidence)
            return self._triples(evidence)
        except ImprimaturError:
            return Refound.OTHER

    def _triples(self, evidence: Evidence) -> Refound:
        part = self._knowledge.part
        if part is None or not evidence.query.lstrip().upper().startswith("ASK"):
            return Refound.OUT_OF_REACH
        if not part.graph.ask(evidence.query):
            return Refound.OTHER
        if self._stands.issuperset(_asserted(evidence)):
            return Refound.SAME
        # Triples that tables are mapped to stand in no file of the graph.
        return Refound.OUT_OF_REACH if part.tables is not None else Refound.OTHER

    def _row(self, evidence: Evidence) -> Refound:
        part = self._knowledge.part
        if part is None or part.tables is None:
            return Refound.OUT_OF_REACH
        rows = part.tables.sandbox().look_up(evidence.query).rows
        shown = evidence.content
        cells = [str(cell)[:40] for row in rows for cell in row if cell is not None]
        return Refound.SAME if rows and all(cell in shown for cell in cells) else Refound.OTHER

    def _entry(self, evidence: Evidence) -> Refound:
        memory = self._knowledge.text.memory
        entry = memory.get(evidence.query) if memory is not None else None
        return Refound.SAME if entry is not None and evidence.content in entry.text else Refound.OTHER

    def _passage(self, evidence: Evidence) -> Refound:
        address = _ADDRESS.fullmatch(evidence.query)
        if address is None:
            return Refound.OUT_OF_REACH
        if self._documents is None:
            self._documents = _documents(self._knowledge.config)
        documents = self._documents
        document = documents.get(address["id"].rpartition("#")[0])
        if document is None:
            return Refound.OTHER if documents else Refound.OUT_OF_REACH
        passage = next((each for each in document.passages if each.id == address["id"]), None)
        return Refound.SAME if passage is not None and _says(document, passage, address, evidence) else Refound.OTHER


def _says(document: Document, passage: Passage, address: re.Match[str], evidence: Evidence) -> bool:
    """Whether a document, read anew, has the words of a piece of evidence where it says."""
    stands = document.text[passage.start : passage.end] == passage.text
    if address["start"] is None:
        return stands and evidence.content == passage.text
    start, end = int(address["start"]), int(address["end"])
    return stands and evidence.content in (document.text[start:end], passage.text[start:end])


def _asserted(evidence: Evidence) -> tuple[Triple, ...]:
    """The triples of a piece of evidence that stand in a file: what a fact follows from, or the fact itself.

    Triples of rules stand in none, and blank nodes have other names there.
    """
    if evidence.source != "graph" or evidence.kind != "triple" or "(rule:" in evidence.origin:
        return ()
    fact, _, reasons = evidence.content.partition(" <= ")
    found = rested_on(replace(evidence, content=reasons or fact))
    return tuple(each for each in found if not any(term.startswith("_:") for term in each))


def _standing(config: KnowledgeBaseConfig, wanted: set[Triple]) -> Iterator[Triple]:
    """Those of some triples that stand in the graph's files, which are parsed anew."""
    import pyoxigraph as ox

    from imprimatur.sources.graph.files import GraphFile
    from imprimatur.sources.graph.load import read_quads

    left: dict[tuple[object, object, object], Triple] = {}
    for triple in wanted:
        with suppress(SyntaxError, ValueError):
            for quad in ox.parse(f"{' '.join(triple)} .", format=ox.RdfFormat.N_TRIPLES):
                left[quad.subject, quad.predicate, quad.object] = triple
    for path in (*config.graph.data, *config.graph.ontology) if left else ():
        for quad in read_quads(GraphFile(path)):
            found = left.pop((quad.subject, quad.predicate, quad.object), None)
            if found is not None:
                yield found
            if not left:
                return
