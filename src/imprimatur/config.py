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
    passages: [handbook.md]
    policy: strict                    # a preset's name, a file, or the policy itself
    locale: en
    tolerance: {about: 0.05}          # "about 2,300 km" may be off by this share; it caps what a policy says
    require_shapes: false
    reading: {parse: auto}            # auto: with the parser (the extra "parse") where it is installed; never
    model: {url: …, name: …, api_key: ${KEY}, timeout: 60, retries: 2}

Invariants: every path is absolute, lies lexically inside the folder and existed when the folder was read; nothing below
this module reads the environment; every way in which a folder can be wrong raises ``KnowledgeBaseError`` (files) or
``ConfigError`` (keys) with a hint.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from imprimatur._expressions import expression
from imprimatur.errors import ConfigError, KnowledgeBaseError, nearest
from imprimatur.settings_file import Section, read

__all__ = [
    "FILE_NAME",
    "TRUST_CLASSES",
    "GraphConfig",
    "KnowledgeBaseConfig",
    "ModelConfig",
    "bundled",
    "bundled_names",
    "load_folder",
    "resolve",
]

FILE_NAME = "imprimatur.yaml"
#: How far a fact is trusted: written by people, derived from such, or filled in by a model.
TRUST_CLASSES = ("curated", "derived", "model")
_BUNDLED = Path(__file__).parent / "kbs"
_ABOUT = Fraction(1, 20)
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
class ModelConfig:
    """A model server that speaks the OpenAI protocol. ``timeout`` is in seconds."""

    url: str | None = None
    name: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout: int = 60
    retries: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeBaseConfig:
    """All that ``imprimatur.yaml`` says, checked.

    ``policy`` is a preset's name, a file, or the policy's own keys; ``imprimatur.policy.load`` takes it as it is.
    ``about`` is the share by which a value called "about" may be off.
    """

    folder: Path
    name: str
    graph: GraphConfig = field(default_factory=GraphConfig)
    memory: Path | None = None
    tables: tuple[Path, ...] = ()
    passages: tuple[Path, ...] = ()
    policy: str | Path | Mapping[str, Any] = "strict"
    locale: str = "en"
    about: Fraction = _ABOUT
    require_shapes: bool = False
    parse: str = "auto"
    model: ModelConfig | None = None

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
    values = read(file, error=ConfigError, environ=os.environ if environ is None else environ)
    return _Reader(folder, Section(values, str(file), ConfigError)).config()


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
            passages=self.files(top, "passages", folders=True),
            policy=self.policy(),
            locale=self.locale(),
            about=about,
            require_shapes=top.flag("require_shapes", False),
            parse=self.parse(),
            model=self.model(),
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

    def parse(self) -> str:
        part = self.top.section("reading")
        value = part.choice("parse", ("auto", "never"), "auto")
        part.close()
        return value

    def model(self) -> ModelConfig | None:
        part = self.top.section("model")
        if not part.values:
            return None
        made = ModelConfig(
            url=_address(part, "url"),
            name=part.text("name"),
            api_key=part.text("api_key"),
            timeout=part.integer("timeout", 60, low=1, high=3600),
            retries=part.integer("retries", 2, low=0, high=10),
        )
        part.close()
        return made


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
