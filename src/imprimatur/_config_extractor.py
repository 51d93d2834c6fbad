"""The block ``extractor:`` in imprimatur.yaml: what says, beside the reader, which claims an answer makes.

    extractor: reader                 # the default: the reader alone
    extractor:
      kind: gliner                    # reader, gliner, llm, or a kind that another package provides
      path: models/gliner             # a folder with the model's files, in the knowledge base's folder or anywhere else
      hub: urchade/gliner_small-v2.1  # instead: a model that lies in this machine's hub cache
      revision: main                  # which version of it
      download: false                 # true: fetch it where it does not lie there
      threshold: 0.5                  # from this score on, a name or relation counts
      relations: auto                 # the model's own where it has them; pairs: all pairs of names that fit
      classes: [https://…/River]      # the classes and properties to look for; by default all of the graph
      properties: [https://…/length]
      seconds: 10                     # how long it may take for one answer
      name: small                     # what reports call it; by default its folder's name, or the model's
    extractor:
      kind: llm
      model: {base_url: http://localhost:8000/v1, name: …}   # by default that under ``model:``

Invariants: nothing here is opened or reached; a key never shows in what is printed of a configuration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from imprimatur._config_models import ModelConfig, read_model
from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.settings_file import Section

__all__ = ["READER", "RELATIONS", "ExtractorConfig", "named_extractor", "read_extractor"]

READER = "reader"
RELATIONS = ("auto", "pairs")
_HALF = Fraction(1, 2)
_NAME = expression(r"[\w.@:/ -]{1,80}")
_HUB = expression(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?")
_REVISION = expression(r"[\w][\w./-]{0,99}")
_IRI = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractorConfig:
    """An extractor: its kind, and where its model is: a folder, an id of a hub, or a server.

    ``classes`` and ``properties`` are what is looked for; all of the graph where they are empty. ``model`` is None
    where that of the knowledge base is meant.
    """

    kind: str = READER
    name: str = ""
    where: str = "extractor"
    path: Path | None = None
    hub: str | None = None
    revision: str | None = None
    download: bool = False
    threshold: Fraction = _HALF
    relations: str = RELATIONS[0]
    classes: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    seconds: int = 10
    model: ModelConfig | None = None


def read_extractor(top: Section, folder: Path, environ: Mapping[str, str]) -> ExtractorConfig:
    """The block; the reader alone where it is absent. Raises the section's error for whatever is wrong with it."""
    if isinstance(top.values.get("extractor"), str):
        return ExtractorConfig(kind=top.text("extractor") or READER, where=f"{top.where}: extractor")
    part = top.section("extractor")
    if not part.values:
        return ExtractorConfig()
    path, hub = part.text("path"), part.text("hub")
    if path is not None and hub is not None:
        raise part.fault("hub", "a model has a `path` or a `hub`, not both", hint="leave one of them out")
    made = ExtractorConfig(
        kind=part.text("kind") or READER,
        name=_matching(part, "name", _NAME, "letters, digits, spaces and . @ : / - _") or "",
        where=f"{part.where}: extractor",
        path=None if path is None else folder / Path(path).expanduser(),
        hub=_matching(part, "hub", _HUB, "for instance urchade/gliner_small-v2.1"),
        revision=_matching(part, "revision", _REVISION, "a branch, a tag, or the hash of a version"),
        download=part.flag("download", False),
        threshold=part.share("threshold", _HALF, high=Fraction(1)),
        relations=part.choice("relations", RELATIONS, RELATIONS[0]),
        classes=_iris(part, "classes"),
        properties=_iris(part, "properties"),
        seconds=part.integer("seconds", 10, low=1, high=600),
        model=read_model(part.section("model"), folder, environ),
    )
    part.close()
    return made


def named_extractor(said: str, configured: ExtractorConfig) -> ExtractorConfig:
    """The extractor that the command line names: ``KIND``, or ``KIND=FOLDER``.

    Args:
        said: what stands there; a kind that is configured already is taken as it is configured.
        configured: what the knowledge base says.

    Raises:
        InputError: nothing is named.
    """
    kind, equals, path = said.partition("=")
    if not kind.strip() or (equals and not path.strip()):
        hint = "reader, gliner, llm, or gliner=FOLDER"
        raise InputError(f"{said[:60]!r} names no extractor", where="--extractor", hint=hint)
    if equals:
        return ExtractorConfig(kind=kind, path=Path(path).expanduser().absolute(), where="--extractor")
    return configured if kind == configured.kind else ExtractorConfig(kind=kind, where="--extractor")


def _matching(part: Section, key: str, pattern: re.Pattern[str], hint: str) -> str | None:
    value = part.text(key)
    if value is not None and not pattern.fullmatch(value):
        raise part.fault(key, f"{value[:40]!r} is none", hint=hint)
    return value


def _iris(part: Section, key: str) -> tuple[str, ...]:
    iris = part.texts(key)
    for iri in iris:
        if not _IRI.fullmatch(iri):
            hint = "write it in full, without < and >, for instance https://example.org/River"
            raise part.fault(key, f"{iri[:100]!r} is not an IRI", hint=hint)
    return tuple(dict.fromkeys(iris))
