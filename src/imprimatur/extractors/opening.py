"""The extractor that a configuration names, opened.

Every mistake of the operator is told here, before any answer is read: an unknown kind, a folder that is absent or holds
no model, an extra that is not installed. Other packages add kinds by an entry point of the group
``imprimatur.extractors`` that names a function of this shape: ``ExtractorConfig`` and ``Terms`` in, ``Opened`` out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from imprimatur.config import ExtractorConfig
from imprimatur.errors import ConfigError, ImprimaturError
from imprimatur.extractors.extraction import Extraction, Opened
from imprimatur.extractors.terms import Terms
from imprimatur.registry import Registry

__all__ = ["NEEDS", "Opener", "kinds", "open_extraction"]

GROUP = "imprimatur.extractors"
#: Kind → the modules without which it cannot be opened (of those for models of GLiNER and GLiNER2, one is enough).
NEEDS: Mapping[str, tuple[str, ...]] = {"gliner": ("torch", "gliner"), "llm": ("openai", "jsonschema")}

Opener = Callable[[ExtractorConfig, Terms], Opened]


def kinds() -> Registry[Opener]:
    """What can stand under ``kind`` beside ``reader``: what comes with Imprimatur, and other packages'."""
    own: dict[str, str | Opener] = {
        "gliner": "imprimatur.extractors.gliner:open_extractor",
        "llm": "imprimatur.extractors.llm:open_extractor",
    }
    return Registry("kind of extractor", own, group=GROUP)


def open_extraction(config: ExtractorConfig, terms: Terms) -> Extraction:
    """The extractor that is configured, which is not the reader.

    Raises:
        ConfigError: it cannot be opened; where it stands is named.
    """
    try:
        opened = kinds().get(config.kind)(config, terms)
    except ImprimaturError as fault:
        where = f"{config.where}: {fault.where}" if fault.where else config.where
        raise ConfigError(f"the extractor {config.kind!r}: {fault.message}", where=where, hint=fault.hint) from fault
    return Extraction(opened, terms, seconds=config.seconds)
