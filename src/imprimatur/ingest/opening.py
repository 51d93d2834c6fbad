"""What an ingest works with, opened from a configuration: the graph without the store, the ontology, reader and checks.

Contract: what comes out of a reader or a check does not depend on facts that documents gave before, or a second run
would find other things than the first. What people have accepted counts like what they wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.config import GraphConfig, KnowledgeBaseConfig, ModelConfig
from imprimatur.errors import InputError
from imprimatur.ingest.candidate import FactReader
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.store import DERIVED, FOLDER, MODEL
from imprimatur.registry import Registry

if TYPE_CHECKING:
    from imprimatur.sources.graph.store import Graph

__all__ = ["GROUP", "Ground", "ReaderSetting", "base_graph", "guardrail_of", "open_fact_reader", "readers"]

#: Other packages add readers by entry points of this group: ``ReaderSetting`` in, ``FactReader`` out.
GROUP = "imprimatur.fact_readers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What facts are read and checked on.

    Attributes:
        graph: the knowledge base's own graph and what people accepted. guardrail: what facts may say; None: no limits.
        folder: the knowledge base's. shapes: the files of its shapes.
    """

    folder: Path
    graph: Graph
    guardrail: Guardrail | None
    named: GraphConfig
    shapes: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSetting:
    """What opens a reader: ``value`` is what stood behind ``KIND=``; ``model`` the language model that is configured."""

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


def base_graph(config: KnowledgeBaseConfig | None, guardrail: Guardrail | None, folder: Path) -> Graph:
    """The graph of a knowledge base without what its documents gave, with the words of the ontology.

    Raises:
        KnowledgeBaseError: a file cannot be read.
    """
    from imprimatur.sources.graph.store import Graph, GraphFile

    named = config.graph if config is not None else GraphConfig()
    store = {folder / FOLDER / name for name in (DERIVED, MODEL)}
    roles = (("data", named.data), ("ontology", named.ontology))
    files = [GraphFile(path, role, named.trust_of(path)) for role, paths in roles for path in paths if path not in store]
    if guardrail is not None:
        told = Path("ontology under `ingest:`")
        files.append(GraphFile(told, "ontology", mapped=_Turtle(guardrail.to_turtle())))
    return Graph.load(files, years=named.years)


class _Turtle:
    """Turtle that is in no file (implements ``files.Mapped``)."""

    def __init__(self, text: str) -> None:
        from hashlib import sha256

        self._text = text
        self.content_hash = sha256(text.encode()).hexdigest()

    def quads(self):  # type: ignore[no-untyped-def]
        """The triples."""
        import pyoxigraph as ox

        return ox.parse(self._text.encode(), format=ox.RdfFormat.TURTLE)


def _patterns(setting: ReaderSetting) -> FactReader:
    raise InputError("no reader of patterns yet", where=setting.kind)
