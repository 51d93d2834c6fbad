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
    tables: [people.csv]
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

Invariants: every path is absolute, lies lexically inside the folder and existed when the folder was read; nothing below
this module reads the environment; every way in which a folder can be wrong raises ``KnowledgeBaseError`` (files) or
``ConfigError`` (keys) with a hint.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Any

from imprimatur._config_extractor import READER, ExtractorConfig, named_extractor, read_extractor
from imprimatur._config_judges import JudgeConfig, read_judges
from imprimatur._config_models import Key, ModelConfig, ModelLimits, file_key, named_key, read_address, read_model
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
    "EmbedConfig",
    "ExtractorConfig",
    "GraphConfig",
    "JudgeConfig",
    "Key",
    "KnowledgeBaseConfig",
    "ModelConfig",
    "ModelLimits",
    "bundled",
    "bundled_names",
    "coverage",
    "file_key",
    "load_folder",
    "model_folder",
    "named_extractor",
    "named_key",
    "read_address",
    "resolve",
]

FILE_NAME = "imprimatur.yaml"
#: How citations may be written: ``[mem:a]``, ``[^a]``, ``[1]``.
CITATION_STYLES = ("mem", "footnote", "number")
#: The share of a claim's content words that text evidence must have, and below which nobody may put it.
LEAST_COVERAGE = Fraction(4, 5)
LOWEST_COVERAGE = Fraction(1, 2)
#: How far a fact is trusted: written by people, derived from such, or filled in by a model.
TRUST_CLASSES = ("curated", "derived", "model")
_BUNDLED = Path(__file__).parent / "kbs"
_ABOUT = Fraction(1, 20)
_LIMITS = ("max_bytes", "max_text", "max_depth", "max_pages", "seconds")
_IRI = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_LOCALE = expression(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphConfig:
    """The graph source: its files, and what must be known to read them."""

    data: tuple[Path, ...] = ()
    ontology: tuple[Path, ...] = ()
    shapes: tuple[Path, ...] = ()
    complete: tuple[str, ...] = ()
    time_from: tuple[str, ...] = ()
    time_to: tuple[str, ...] = ()
    trust: tuple[tuple[Path, str], ...] = ()
    years: str = "xsd10"
    endpoint: str | None = None

    def trust_of(self, path: Path) -> str:
        """The trust class of one of the graph's files; ``curated`` where none is given."""
        return dict(self.trust).get(path, TRUST_CLASSES[0])

    @property
    def named(self) -> bool:
        """Whether there is a graph at all."""
        return bool(self.data or self.ontology or self.endpoint)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedConfig:
    """An embedding model: a folder, or the address of a server with the model's name there.

    ``query`` and ``passage`` are what the model wants to stand before a question, and before a passage.
    """

    folder: Path | None = None
    url: str | None = None
    name: str = ""
    api_key: str | None = field(default=None, repr=False)
    query: str = ""
    passage: str = ""
    timeout: int = 60
    retries: int = 2


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
    tables: tuple[Path, ...] = ()
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

    @property
    def files(self) -> tuple[Path, ...]:
        """Every source file, in the order of the configuration."""
        graph = self.graph
        memory = (self.memory,) if self.memory else ()
        return (*graph.data, *graph.ontology, *graph.shapes, *memory, *self.tables, *self.passages)


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
    if _exists(path):
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
    if not _exists(folder):
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
    return _Reader(folder, Section(values, str(file), ConfigError), known).config()


def model_folder(environ: Mapping[str, str]) -> Path:
    """Where ``imprimatur passages model`` puts the embedding model: in the user's data folder."""
    home = environ.get("XDG_DATA_HOME")
    base = Path(home) if home and os.path.isabs(home) else Path("~/.local/share").expanduser()
    return base / "imprimatur" / "all-MiniLM-L6-v2"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the top section; one method for each part of the file."""

    folder: Path
    top: Section
    environ: Mapping[str, str]

    def config(self) -> KnowledgeBaseConfig:
        top = self.top
        top.version()
        tolerance = top.section("tolerance")
        about = tolerance.share("about", _ABOUT, high=_ABOUT)
        tolerance.close()
        made = KnowledgeBaseConfig(
            folder=self.folder,
            name=top.text("name") or self.folder.name,
            graph=self.graph(top.section("graph")),
            memory=self.memory(),
            tables=self.files(top, "tables", folders=False),
            passages=self.passages(),
            embed=self.embed(),
            weights=self.file("weights"),
            gate=self.file("gate"),
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
        )
        top.close()
        return made

    def graph(self, part: Section) -> GraphConfig:
        data = self.files(part, "data", folders=False)
        ontology = self.files(part, "ontology", folders=False)
        shapes = self.files(part, "shapes", folders=False)
        time = part.section("time")
        made = GraphConfig(
            data=data,
            ontology=ontology,
            shapes=shapes,
            complete=_iris(part, "complete"),
            time_from=_iris(time, "from"),
            time_to=_iris(time, "to"),
            trust=self.trust(part.section("trust"), (*data, *ontology)),
            years=part.choice("years", ("xsd10", "xsd11"), "xsd10"),
            endpoint=_address(part, "endpoint"),
        )
        time.close()
        part.close()
        return made

    def trust(self, part: Section, files: tuple[Path, ...]) -> tuple[tuple[Path, str], ...]:
        classes = []
        for name in part.values:
            path = self.inside(part, str(name), str(name))
            if path not in files:
                hint = "name a file that stands under `data` or `ontology`"
                raise part.fault(str(name), "the graph has no such file", hint=hint)
            classes.append((path, part.choice(name, TRUST_CLASSES, TRUST_CLASSES[0])))
        return tuple(classes)

    def memory(self) -> Path | None:
        name = self.top.text("memory")
        return None if name is None else self.existing(self.top, "memory", name, folders=False)

    def files(self, part: Section, key: str, *, folders: bool) -> tuple[Path, ...]:
        return tuple(self.existing(part, key, name, folders=folders) for name in part.texts(key))

    def passages(self) -> tuple[Path, ...]:
        """Files, folders, and what patterns match; a pattern that matches nothing is a mistake."""
        found: dict[Path, None] = {}
        for name in self.top.texts("passages"):
            if any(char in name for char in "*?["):
                found.update(dict.fromkeys(self.matching(name)))
            else:
                found[self.existing(self.top, "passages", name, folders=True)] = None
        return tuple(found)

    def matching(self, pattern: str) -> list[Path]:
        cleaned = self.inside(self.top, "passages", pattern).relative_to(self.folder).as_posix()
        try:
            found = sorted(path for path in self.folder.glob(cleaned) if path.is_file())
        except (OSError, ValueError) as fault:
            raise self.top.fault("passages", f"{pattern[:100]!r} is no pattern: {fault}") from fault
        if not found:
            message = f"`passages` names {pattern[:100]!r}, which matches no file"
            raise KnowledgeBaseError(message, where=self.top.where, hint="patterns are relative to the folder")
        root = Path(os.path.realpath(self.folder))
        for path in found:
            if not Path(os.path.realpath(path)).is_relative_to(root):
                message = f"`passages` matches {path.name[:100]!r}, a link that leads out of the folder"
                raise KnowledgeBaseError(message, where=self.top.where, hint="name the link itself, if it is meant")
        return found

    def file(self, key: str) -> Path | None:
        """The file that a key names."""
        name = self.top.text(key)
        return None if name is None else self.existing(self.top, key, name, folders=False)

    def embed(self) -> EmbedConfig | None:
        """The embedding model; its folder may lie anywhere."""
        if not isinstance(self.top.values.get("embed"), Mapping):
            name = self.top.text("embed")
            if name is not None and name.startswith(("http://", "https://")):
                raise self.top.fault("embed", "an address needs the model's name", hint="embed: {url: …, name: …}")
            return None if name is None else EmbedConfig(folder=self.model_in(name))
        part = self.top.section("embed")
        folder, url = part.text("folder"), _address(part, "url")
        made = EmbedConfig(
            folder=None if folder is None else self.model_in(folder),
            url=url,
            name=part.text("name") or "",
            api_key=part.text("api_key"),
            query=part.text("query") or "",
            passage=part.text("passage") or "",
            timeout=part.integer("timeout", 60, low=1, high=3600),
            retries=part.integer("retries", 2, low=0, high=10),
        )
        part.close()
        if (folder is None) == (url is None) or (url is not None and not made.name):
            message = "a model is a `folder`, or a `url` with the model's `name`"
            raise part.fault("url", message, hint="give one of both")
        return made

    def model_in(self, name: str) -> Path:
        """The folder that a name of a model means."""
        return model_folder(self.environ) if name == "minilm" else self.folder / Path(name).expanduser()

    def limits(self, part: Section) -> tuple[tuple[str, int], ...]:
        """Limits of one document, as far as they are given."""
        made = tuple((name, part.integer(name, 1, low=1, high=1 << 40)) for name in _LIMITS if name in part.values)
        part.known.update(_LIMITS)
        part.close()
        return made

    def existing(self, part: Section, key: str, name: str, *, folders: bool) -> Path:
        path = self.inside(part, key, name)
        where, label = part.where, f"`{part.path}{key}` names {name[:100]!r}, which"
        if not _exists(path):
            siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
            near = nearest(path.name, siblings)
            hint = f"did you mean {near!r}?" if near else f"put the file into {self.folder}, or mend its name"
            raise KnowledgeBaseError(f"{label} does not exist", where=where, hint=hint)
        if not path.is_file() and not (folders and path.is_dir()):
            raise KnowledgeBaseError(f"{label} is not a file", where=where, hint="name each file")
        if not os.access(path, os.R_OK):
            raise KnowledgeBaseError(f"{label} may not be read", where=where, hint="check the file's permissions")
        return path

    def inside(self, part: Section, key: str, name: str) -> Path:
        """The absolute path of a file; links are not followed, so that a link may point anywhere."""
        cleaned = os.path.normpath(name)
        if not name.strip() or "\0" in name or len(name) > 1000:
            raise part.fault(key[:60], "a file name that is empty, too long or has a NUL in it")
        if os.path.isabs(cleaned) or cleaned.split(os.sep)[0] == os.pardir:
            message = f"{name[:100]!r} lies outside the knowledge base's folder"
            hint = "use a path relative to the folder; a symbolic link inside it may point elsewhere"
            raise KnowledgeBaseError(f"`{part.path}{key[:60]}`: {message}", where=part.where, hint=hint)
        return self.folder / cleaned

    def policy(self) -> str | Path | Mapping[str, Any]:
        value = self.top.take("policy")
        if value is None:
            return "strict"
        if isinstance(value, dict):
            return value
        name = self.top.text("policy") or ""
        looks_like_file = name.endswith((".yaml", ".yml")) or "/" in name
        return self.existing(self.top, "policy", name, folders=False) if looks_like_file else name

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
        path = self.inside(self.top, "language", name)
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


def _iris(part: Section, key: str) -> tuple[str, ...]:
    iris = part.texts(key)
    for iri in iris:
        if not _IRI.fullmatch(iri):
            hint = "write it in full, without < and >, for instance https://example.org/length"
            raise part.fault(key, f"{iri[:100]!r} is not an IRI", hint=hint)
    return iris


def _address(part: Section, key: str) -> str | None:
    value = part.text(key)
    if value is not None and not re.match(r"https?://[^/\s]", value):
        raise part.fault(key, f"{value[:100]!r} is not a web address", hint="it starts with http:// or https://")
    return value
