"""What reads documents, by its name: rules, a GLiNER model in a folder, or a language model.

Contract: all of them read under one guardrail. What is not installed or not named is a ``ConfigError`` before anything
is read. A model's own limits hold for all documents together.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from imprimatur.config import ModelConfig
from imprimatur.errors import ConfigError, nearest
from imprimatur.ingest.candidate import FactReader
from imprimatur.ingest.ontology import Guardrail
from imprimatur.protocols import Lexicon

__all__ = ["READERS", "open_fact_reader"]

READERS = ("patterns", "gliner", "llm")


def open_fact_reader(
    kind: str,
    guardrail: Guardrail,
    *,
    known: Lexicon | None = None,
    folder: Path | None = None,
    model: ModelConfig | None = None,
) -> FactReader:
    """What reads documents under a guardrail.

    Args:
        kind: one of ``READERS``.
        known: what knows the things of the present graph by name; used by ``patterns``.
        folder: of the model, for ``gliner``. model: for ``llm``.

    Raises:
        ConfigError: there is no such reader, it lacks what it needs, or an extra is not installed.
    """
    if kind == "patterns":
        from imprimatur.ingest.ontology_words import words_of_guardrail
        from imprimatur.ingest.patterns import PatternReader

        return PatternReader(words_of_guardrail(guardrail), known=known)
    if kind == "gliner":
        from imprimatur.extractors.marker_folder import MarkerFolder
        from imprimatur.ingest.gliner import open_reader

        if folder is None:
            raise ConfigError("no model is named", hint="give the folder of a GLiNER or GLiNER2 model")
        return open_reader(MarkerFolder.open(folder), guardrail)
    if kind == "llm":
        from imprimatur.ingest.llm import LlmReader
        from imprimatur.models.opening import open_model

        if model is None:
            raise ConfigError("no model is configured", hint="give `model: {base_url: …, name: …}`")
        if find_spec("jsonschema") is None:
            raise ConfigError("JSON Schema is not installed", hint="pip install 'imprimatur[models]'")
        name = model.name or (model.path.stem if model.path else "llm")
        return LlmReader(open_model(model), guardrail, name=name)
    near = nearest(kind, READERS)
    hint = f"did you mean {near!r}?" if near else f"use one of {', '.join(READERS)}"
    raise ConfigError(f"no reader is called {kind[:60]!r}", hint=hint)
