"""What an ingest stands on, from a configuration: the graph without the store's facts, the ontology, and the reader.

Contract: what a reader finds, and which things are meant, does not depend on facts that documents gave before, or a
second run would find other things than the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur import __version__
from imprimatur._dataclasses import dataclass
from imprimatur.config import GraphConfig, KnowledgeBaseConfig, ModelConfig
from imprimatur.errors import ConfigError
from imprimatur.ingest.candidate import Candidate, FactReader
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.ontology_words import words_of
from imprimatur.ingest.opening import open_fact_reader
from imprimatur.ingest.patterns import PatternReader
from imprimatur.ingest.setting_up import is_made_ontology
from imprimatur.ingest.store import ACCEPTED, FOLDER
from imprimatur.protocols import Lexicon
from imprimatur.sources.graph.switched import FACT_FILES
from imprimatur.sources.passages.passage import Document

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.graph.store import Graph, GraphFile

__all__ = ["Ground", "ground_of", "guardrail_of", "reader_on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What facts are read and checked on.

    Attributes:
        folder: the knowledge base's.
        graph: its own graph, without any fact of its store. files: of which it was made.
        accepted: the files of facts that people accepted, for validation only.
        guardrail: what facts may say; None: no limits. shapes: the files of its shapes.
    """

    folder: Path
    graph: Graph
    files: tuple[GraphFile, ...] = ()
    guardrail: Guardrail | None = None
    shapes: tuple[Path, ...] = ()
    accepted: tuple[GraphFile, ...] = ()
    years: str = "xsd10"

    def lexicon(self) -> Lexicon:
        """The names of the graph's things."""
        from imprimatur.sources.graph.lexicon import GraphLexicon
        from imprimatur.sources.graph.schema import Schema

        return GraphLexicon.of(self.graph, Schema.of(self.graph))

    def with_accepted(self) -> Graph:
        """The graph with what people accepted of its store."""
        from imprimatur.sources.graph.store import Graph

        return Graph.load([*self.files, *self.accepted], years=self.years) if self.accepted else self.graph


def guardrail_of(paths: Sequence[Path]) -> Guardrail | None:
    """What the files of an ontology allow; None where none is named. Raises InputError."""
    if not paths:
        return None
    from imprimatur.ingest.ontology_files import read_guardrail

    return read_guardrail(paths)


def ground_of(config: KnowledgeBaseConfig | None, guardrail: Guardrail | None, folder: Path) -> Ground:
    """The ground of a knowledge base; of none, that of its ontology alone.

    Raises:
        KnowledgeBaseError: a file of the graph cannot be read.
    """
    from imprimatur.sources.graph.store import Graph, GraphFile

    named = config.graph if config is not None else GraphConfig()
    roles = (("data", named.data), ("ontology", named.ontology))
    files = [GraphFile(path, role, named.trust_of(path)) for role, paths in roles for path in paths]
    own = [file for file in files if file.path.parent != folder / FOLDER or file.path.name not in FACT_FILES]
    if guardrail is not None:
        own = [file for file in own if not is_made_ontology(file.path)]
        told = folder / "ontology"
        own.append(GraphFile(told, "ontology", mapped=_Turtle(guardrail.to_turtle())))
    accepted = tuple(file for file in files if file not in own and file.path.name == ACCEPTED)
    return Ground(
        folder=folder,
        graph=Graph.load(own, years=named.years),
        files=tuple(own),
        guardrail=guardrail,
        shapes=named.shapes,
        accepted=accepted,
        years=named.years,
    )


class _Turtle:
    """Turtle that is in no file (implements ``files.Mapped``)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.content_hash = sha256(text.encode()).hexdigest()

    def quads(self) -> Iterator[ox.Quad]:
        """The triples."""
        import pyoxigraph as ox

        yield from ox.parse(self._text.encode(), format=ox.RdfFormat.TURTLE)


def reader_on(said: str, ground: Ground, model: ModelConfig | None = None) -> FactReader:
    """The reader that is named, ``KIND`` or ``KIND=FOLDER``, on the ground of a knowledge base.

    Raises:
        ConfigError: there is none of this kind, it lacks what it needs, or an extra is not installed.
    """
    kind, _, folder = said.partition("=")
    if ground.guardrail is None:
        if kind != "patterns":
            raise ConfigError(f"{kind[:60]} needs an ontology", hint="add --ontology FILE, or `ingest: {ontology: …}`")
        reader: FactReader = PatternReader(words_of(ground.graph))
    else:
        named = Path(folder) if folder else None
        known = ground.lexicon() if kind == "patterns" else None
        reader = open_fact_reader(kind, ground.guardrail, known=known, folder=named, model=model)
    if kind != "patterns":
        return reader
    depends = "\0".join((__version__, reader.identity, ground.graph.content_hash))
    return _Named(f"patterns:{sha256(depends.encode()).hexdigest()[:16]}", reader)


class _Named:
    """A reader under an identity that says all that it depends on: here the names that the graph knows, too."""

    def __init__(self, identity: str, reader: FactReader) -> None:
        self.identity, self._reader = identity, reader

    def candidates(self, document: Document) -> list[Candidate]:
        """What the reader proposes."""
        return self._reader.candidates(document)
