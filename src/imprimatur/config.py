"""A knowledge base's folder as one frozen object: ``imprimatur.yaml`` read, checked, and its files found.

Only ``version: 1`` is required; a folder without any source judges against what comes with each call. Every other key::

    version: 1
    name: rivers                      # default: the folder's name
    graph:
      data: [rivers.ttl]              # plain relative files; symbolic links are allowed, leaving by `..` is not
      ontology: [ontology.ttl]
      shapes: [shapes.ttl]
      complete: [https://…/lengthKm]  # properties and classes of which the graph knows all
      time: {from: [IRI, …], to: [IRI, …]}
      trust: {rivers.ttl: curated}    # curated (default), derived or model
      years: xsd10                    # xsd10: -0384 is 384 BC; xsd11: 385 BC
      endpoint: https://…/sparql
    memory: memory.jsonl
    tables: [people.csv]              # or {file: people.csv, complete: true, statements: true, described: people.yaml},
                                      # or {url: "sqlite:///people.db", tables: [people]}, or {url_env: NAME, …}
    passages: [handbook.md, pages/, notes/*.txt]   # files, folders, patterns, or an index
    weights: weights.json             # signs of invention, weighed as `imprimatur eval calibrate` wrote them
    gate: gate.json                   # how well evidence must fit, as `imprimatur eval calibrate-gate` wrote it
    embed: minilm                     # the model of `imprimatur passages model`, or a folder with one; none by default;
                                      # or {url: …/v1, name: …, api_key: ${KEY}, query: "query: ", passage: "passage: "}
    limits: {max_bytes: 33554432, max_pages: 5000}  # of one document; also max_text, max_depth and seconds
    policy: strict                    # a preset's name, a file, or the policy itself
    locale: en
    language: basque                  # a folder with the language's words, where none comes with Imprimatur
    tolerance: {about: 0.05}          # "about 2,300 km" may be off by this share; it caps what a policy says
    coverage: 0.8                     # the share of a claim's content words that text evidence must have, at least
    citations: [mem, footnote, number]    # how citations are written: [mem:a], [^a], [1]
    require_shapes: false
    reading: {parse: auto}            # auto: with the parser (the extra "parse") where it is installed; never
    model: {base_url: http://localhost:8000/v1, name: …, key_env: KEY}   # all keys: docs/models.md
    extractor: reader                 # what says which claims an answer makes; or gliner, llm (docs/extractors.md)
    judges:                           # trained models that may lower a verdict; none by default
      - {kind: pairs, path: models/minicheck, threshold: 0.5}
      - {kind: llm, base_url: http://localhost:8000/v1, model: …, key_env: KEY, on_failure: note}
    correct: {rounds: 2}              # a model that proposes corrections; none by default (docs/correction.md)
    ingest: {documents: [docs/], ontology: guard.yaml}   # documents that become facts (docs/ingest.md)

Invariants: every path is absolute, lies lexically inside the folder and existed when the folder was read; nothing below
this module reads the environment; every way in which a folder can be wrong raises ``KnowledgeBaseError`` (files) or
``ConfigError`` (keys) with a hint.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Any

from imprimatur._config_corrector import CorrectorConfig, read_corrector
from imprimatur._config_extractor import READER, ExtractorConfig, named_extractor, read_extractor
from imprimatur._config_ingest import IngestConfig, read_ingest
from imprimatur._config_judges import JudgeConfig, read_judges
from imprimatur._config_models import Key, ModelConfig, ModelLimits, file_key, named_key, read_address, read_model
from imprimatur._config_paths import NamedFiles, exists
from imprimatur._config_price import Price, price_of
from imprimatur._config_rdf import TRUST_CLASSES, GraphConfig, read_graph
from imprimatur._config_tables import TableAddress, TableFile, TableSource, read_tables
from imprimatur._config_vectors import EmbedConfig, model_folder, read_embed
from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import ConfigError, KnowledgeBaseError, nearest
from imprimatur.settings_file import Section, read

__all__ = [
    "CITATION_STYLES",
    "FILE_NAME",
    "LEAST_COVERAGE",
    "LOWEST_COVERAGE",
    "READER",
    "TRUST_CLASSES",
    "CorrectorConfig",
    "EmbedConfig",
    "ExtractorConfig",
    "GraphConfig",
    "IngestConfig",
    "JudgeConfig",
    "Key",
    "KnowledgeBaseConfig",
    "ModelConfig",
    "ModelLimits",
    "Price",
    "TableAddress",
    "TableFile",
    "TableSource",
    "bundled",
    "bundled_names",
    "coverage",
    "file_key",
    "load_folder",
    "model_folder",
    "named_extractor",
    "named_key",
    "price_of",
    "read_address",
    "resolve",
]

FILE_NAME = "imprimatur.yaml"
#: How citations may be written: ``[mem:a]``, ``[^a]``, ``[1]``.
CITATION_STYLES = ("mem", "footnote", "number")
#: The share of a claim's content words that text evidence must have, and below which nobody may put it.
LEAST_COVERAGE = Fraction(4, 5)
LOWEST_COVERAGE = Fraction(1, 2)
_BUNDLED = Path(__file__).parent / "kbs"
_ABOUT = Fraction(1, 20)
_LIMITS = ("max_bytes", "max_text", "max_depth", "max_pages", "seconds")
_LOCALE = expression(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeBaseConfig:
    """All that ``imprimatur.yaml`` says, checked.

    ``policy`` is a preset's name, a file, or the policy's own keys; ``imprimatur.policy.load`` takes it as it is.
    ``about`` is the share by which a value called "about" may be off; ``coverage`` the share of a claim's content words
    that evidence in text must have at least; ``citations`` are the ways to write a citation that count; ``embed`` is an
    embedding model, ``weights`` a file of ``imprimatur eval calibrate``, ``gate`` one of ``calibrate-gate``; ``limits``
    are those of one document that differ from the safe ones.
    """

    folder: Path
    name: str
    graph: GraphConfig = field(default_factory=GraphConfig)
    memory: Path | None = None
    tables: tuple[TableSource, ...] = ()
    passages: tuple[Path, ...] = ()
    embed: EmbedConfig | None = None
    weights: Path | None = None
    gate: Path | None = None
    limits: tuple[tuple[str, int], ...] = ()
    policy: str | Path | Mapping[str, Any] = "strict"
    locale: str = "en"
    language: Path | None = None
    about: Fraction = _ABOUT
    coverage: Fraction = LEAST_COVERAGE
    citations: tuple[str, ...] = CITATION_STYLES
    require_shapes: bool = False
    parse: str = "auto"
    model: ModelConfig | None = None
    extractor: ExtractorConfig = ExtractorConfig()
    judges: tuple[JudgeConfig, ...] = ()
    correct: CorrectorConfig | None = None
    ingest: IngestConfig = IngestConfig()

    @property
    def files(self) -> tuple[Path, ...]:
        """Every source file, in the order of the configuration."""
        graph = self.graph
        memory = (self.memory,) if self.memory else ()
        tables = [path for each in self.tables for path in (each.path, each.described) if path is not None]
        return (*graph.data, *graph.ontology, *graph.shapes, *memory, *tables, *self.passages)


def bundled_names() -> tuple[str, ...]:
    """The names of the knowledge bases that come with the package, sorted."""
    return tuple(sorted(found.parent.name for found in _BUNDLED.glob(f"*/{FILE_NAME}")))


def bundled(name: str) -> Path | None:
    """The folder of a bundled knowledge base, or None when there is none of that name."""
    return _BUNDLED / name if name in bundled_names() else None


def resolve(path_or_name: str | Path) -> Path:
    """The folder that is meant: a path where one exists, else a bundled name.

    Raises:
        KnowledgeBaseError: neither exists; the hint names the nearest bundled one.
    """
    path = Path(path_or_name)
    if exists(path):
        return path
    folder = bundled(str(path_or_name))
    if folder is not None:
        return folder
    names = bundled_names()
    near = nearest(str(path_or_name), names)
    hint = f"did you mean the bundled {near!r}?" if near else f"give a folder, or a bundled name: {', '.join(names)}"
    raise KnowledgeBaseError("no such folder or bundled knowledge base", where=str(path_or_name)[:200], hint=hint)


def load_folder(path: str | Path, *, environ: Mapping[str, str] | None = None) -> KnowledgeBaseConfig:
    """The configuration of the knowledge base in a folder.

    Args:
        path: the folder.
        environ: what ``${NAME}`` refers to; the process's environment by default.

    Raises:
        KnowledgeBaseError: the folder or a file that it names is absent, not readable, or outside it.
        ConfigError: ``imprimatur.yaml`` is not YAML, lacks ``version: 1``, or has a wrong key or value.
    """
    folder = Path(os.path.abspath(path))
    if not exists(folder):
        raise KnowledgeBaseError(
            "no such folder", where=str(path)[:200], hint="check the path given as the knowledge base"
        )
    if not folder.is_dir():
        hint = f"give the folder that holds {FILE_NAME}; `imprimatur init GRAPH.ttl` makes one from a graph"
        raise KnowledgeBaseError("a file, not a folder", where=str(path), hint=hint)
    file = folder / FILE_NAME
    if not file.is_file():
        hint = f"write a {FILE_NAME} whose first line is `version: 1`, or run `imprimatur init GRAPH.ttl`"
        raise KnowledgeBaseError(f"the folder has no {FILE_NAME}", where=str(path), hint=hint)
    known = os.environ if environ is None else environ
    values = read(file, error=ConfigError, environ=known)
    top = Section(values, str(file), ConfigError)
    return _Reader(NamedFiles(folder, top), top, known).config()


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the top section; one method for each part of the file."""

    named: NamedFiles
    top: Section
    environ: Mapping[str, str]

    @property
    def folder(self) -> Path:
        return self.named.folder

    def config(self) -> KnowledgeBaseConfig:
        top = self.top
        top.version()
        tolerance = top.section("tolerance")
        about = tolerance.share("about", _ABOUT, high=_ABOUT)
        tolerance.close()
        made = KnowledgeBaseConfig(
            folder=self.folder,
            name=top.text("name") or self.folder.name,
            graph=read_graph(top.section("graph"), self.named),
            memory=self.named.memory(),
            tables=read_tables(top, self.named, self.environ),
            passages=self.named.passages(),
            embed=read_embed(top, self.folder, self.environ),
            weights=self.named.file("weights"),
            gate=self.named.file("gate"),
            limits=self.limits(top.section("limits")),
            policy=self.policy(),
            locale=self.locale(),
            language=self.language(),
            about=about,
            coverage=coverage(top, LEAST_COVERAGE),
            citations=self.citations(),
            require_shapes=top.flag("require_shapes", False),
            parse=self.parse(),
            model=read_model(top.section("model"), self.folder, self.environ),
            extractor=read_extractor(top, self.folder, self.environ),
            judges=read_judges(top, self.folder, self.environ),
            correct=read_corrector(top, self.folder, self.environ),
            ingest=read_ingest(top, self.named),
        )
        top.close()
        return made

    def limits(self, part: Section) -> tuple[tuple[str, int], ...]:
        """Limits of one document, as far as they are given."""
        made = tuple((name, part.integer(name, 1, low=1, high=1 << 40)) for name in _LIMITS if name in part.values)
        part.known.update(_LIMITS)
        part.close()
        return made

    def policy(self) -> str | Path | Mapping[str, Any]:
        value = self.top.take("policy")
        if value is None:
            return "strict"
        if isinstance(value, dict):
            return value
        name = self.top.text("policy") or ""
        looks_like_file = name.endswith((".yaml", ".yml")) or "/" in name
        return self.named.existing(self.top, "policy", name, folders=False) if looks_like_file else name

    def locale(self) -> str:
        value = self.top.text("locale", "en") or ""
        if not _LOCALE.fullmatch(value):
            raise self.top.fault("locale", f"{value[:40]!r} is not a language tag", hint="for instance en, en-GB or de")
        return value

    def citations(self) -> tuple[str, ...]:
        styles = self.top.texts("citations") or CITATION_STYLES
        for style in styles:
            if style not in CITATION_STYLES:
                hint = f"choose among {', '.join(CITATION_STYLES)}"
                raise self.top.fault("citations", f"{style[:40]!r} is no way to write a citation", hint=hint)
        return tuple(dict.fromkeys(styles))

    def language(self) -> Path | None:
        """The folder of the language's data; its files are read when the knowledge base is opened."""
        name = self.top.text("language")
        if name is None:
            return None
        path = self.named.inside(self.top, "language", name)
        if not path.is_dir():
            hint = "name a folder in the knowledge base's folder, or leave the key out to go by `locale`"
            raise KnowledgeBaseError(
                f"`language` names {name[:100]!r}, which is no folder", where=self.top.where, hint=hint
            )
        return path

    def parse(self) -> str:
        part = self.top.section("reading")
        value = part.choice("parse", ("auto", "never"), "auto")
        part.close()
        return value


def coverage(part: Section, default: Fraction) -> Fraction:
    """The share under ``coverage``, not below ``LOWEST_COVERAGE``."""
    share = part.share("coverage", default, high=Fraction(1))
    if share < LOWEST_COVERAGE:
        raise part.fault("coverage", f"must not lie below {float(LOWEST_COVERAGE):g}", hint="for instance 0.8")
    return share
