"""The entry under ``ingest:`` in imprimatur.yaml: documents whose facts become part of the graph, and what reads them.

    ingest:
      documents: [docs/, handbook.md]   # files and folders in the knowledge base's folder
      ontology: guard.yaml              # or several; what facts may say (docs/ontology.md)
      reader: patterns                  # or gliner=FOLDER, or llm
      workers: 2                        # how many processes read

Invariant: nothing here is opened; a document need not be there, for then its facts go.
"""

from __future__ import annotations

from pathlib import Path

from imprimatur._config_paths import NamedFiles
from imprimatur._dataclasses import dataclass
from imprimatur.settings_file import Section

__all__ = ["IngestConfig", "read_ingest"]

_MOST_WORKERS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestConfig:
    """What becomes facts, and how. ``reader`` is a kind, or ``KIND=FOLDER``."""

    documents: tuple[Path, ...] = ()
    ontology: tuple[Path, ...] = ()
    reader: str = "patterns"
    workers: int = 1


def read_ingest(top: Section, named: NamedFiles) -> IngestConfig:
    """The block; its defaults where it is absent."""
    part = top.section("ingest")
    made = IngestConfig(
        documents=tuple(named.inside(part, "documents", name) for name in part.texts("documents")),
        ontology=named.files(part, "ontology", folders=False),
        reader=part.text("reader", "patterns") or "patterns",
        workers=part.integer("workers", 1, low=1, high=_MOST_WORKERS),
    )
    part.close()
    return made
