"""What an ingest works with, opened from a configuration: the graph without the store, the ontology, reader and checks.

Contract: what a reader finds, and which things are meant, does not depend on facts that documents gave before, or a
second run would find other things than the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur import __version__
from imprimatur._dataclasses import dataclass
from imprimatur.config import GraphConfig, KnowledgeBaseConfig, ModelConfig
from imprimatur.errors import UsageError
from imprimatur.ingest.candidate import Candidate, FactReader
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.setting_up import is_made_ontology
from imprimatur.ingest.store import ACCEPTED, FOLDER
from imprimatur.registry import Registry
from imprimatur.sources.graph.switched import FACT_FILES
from imprimatur.sources.passages.passage import Document

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.graph.store import Graph, GraphFile

__all__ = ["GROUP", "Ground", "ReaderSetting", "ground_of", "guardrail_of", "open_fact_reader", "readers"]

#: Other packages add readers by entry points of this group: ``ReaderSetting`` in, ``FactReader`` out.
GROUP = "imprimatur.fact_readers"


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

    def with_accepted(self) -> Graph:
        """The graph with what people accepted of its store."""
        from imprimatur.sources.graph.store import Graph

        return Graph.load([*self.files, *self.accepted], years=self.years) if self.accepted else self.graph


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSetting:
    """What opens a reader: ``value`` is what stood behind ``KIND=``, ``model`` the language model, if any."""

    kind: str
    ground: Ground
    value: str = ""
    model: ModelConfig | None = None


def readers() -> Registry[Callable[[ReaderSetting], FactReader]]:
    """What can read documents."""
    own: Mapping[str, str | Callable[[ReaderSetting], FactReader]] = {
        "patterns": "imprimatur.ingest.opening:_patterns",
    }
    return Registry("reader of facts", own, group=GROUP)


def open_fact_reader(said: str, ground: Ground, model: ModelConfig | None = None) -> FactReader:
    """The reader that is named: ``KIND`` or ``KIND=VALUE``.

    Raises:
        UsageError: there is none of this kind, or it cannot be opened.
    """
    kind, _, value = said.partition("=")
    return readers().get(kind)(ReaderSetting(kind=kind, value=value, ground=ground, model=model))


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


def _patterns(setting: ReaderSetting) -> FactReader:
    """The rules that read answers, over the words of the ontology and the names of the knowledge base."""
    from imprimatur.ingest.ontology_words import words_of
    from imprimatur.ingest.patterns import PatternReader

    if setting.value:
        raise UsageError("patterns take nothing", where=f"{setting.kind}={setting.value}", hint="write `patterns`")
    ground = setting.ground
    reader = PatternReader(words_of(ground.graph))
    depends = (__version__, reader.identity, ground.graph.content_hash)
    return _Named(f"{reader.identity}:{sha256(chr(0).join(depends).encode()).hexdigest()[:16]}", reader)


class _Named:
    """A reader under an identity that says all that it depends on."""

    def __init__(self, identity: str, reader: FactReader) -> None:
        self.identity, self._reader = identity, reader

    def candidates(self, document: Document) -> list[Candidate]:
        """What the reader proposes."""
        return self._reader.candidates(document)
