"""The entry under ``graph:`` in imprimatur.yaml: the files of the graph, and what must be known to read them.

Invariant: nothing here is opened but to see that it exists.
"""

from __future__ import annotations

from pathlib import Path

from imprimatur._config_paths import NamedFiles
from imprimatur._config_vectors import web_address
from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.settings_file import Section

__all__ = ["TRUST_CLASSES", "GraphConfig", "read_graph"]

#: How far a fact is trusted: written by people, derived from such, or filled in by a model.
TRUST_CLASSES = ("curated", "derived", "model")
_Trust = tuple[tuple[Path, str], ...]
#: What facts from documents are at most, by the files of their store (``ingest/store.py``); its folder, a file beside.
_LEAST = {"derived.nq": "derived", "model.nq": "model"}
_FOLDER, _STORED = "facts", "stored.jsonl"
_IRI = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


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


def read_graph(part: Section, named: NamedFiles) -> GraphConfig:
    """The graph source."""
    data = named.files(part, "data", folders=False)
    ontology = named.files(part, "ontology", folders=False)
    shapes = named.files(part, "shapes", folders=False)
    time = part.section("time")
    made = GraphConfig(
        data=data,
        ontology=ontology,
        shapes=shapes,
        complete=_iris(part, "complete"),
        time_from=_iris(time, "from"),
        time_to=_iris(time, "to"),
        trust=_of_stores(_trust(part.section("trust"), (*data, *ontology), named), data, part),
        years=part.choice("years", ("xsd10", "xsd11"), "xsd10"),
        endpoint=web_address(part, "endpoint"),
    )
    time.close()
    part.close()
    return made


def _trust(part: Section, files: tuple[Path, ...], named: NamedFiles) -> _Trust:
    classes = []
    for name in part.values:
        path = named.inside(part, str(name), str(name))
        if path not in files:
            hint = "name a file that stands under `data` or `ontology`"
            raise part.fault(str(name), "the graph has no such file", hint=hint)
        classes.append((path, part.choice(name, TRUST_CLASSES, TRUST_CLASSES[0])))
    return tuple(classes)


def _of_stores(stated: _Trust, data: tuple[Path, ...], part: Section) -> _Trust:
    """The classes with those of facts that came from documents: never more trusted than what read them."""
    classes = dict(stated)
    for path in data:
        kept = path.parent.name == _FOLDER or (path.parent / _STORED).is_file()
        least = _LEAST.get(path.name) if kept else None
        if least is None:
            continue
        if TRUST_CLASSES.index(classes.setdefault(path, least)) < TRUST_CLASSES.index(least):
            hint = f"write {least}; `imprimatur kb review --accept` makes single facts curated"
            raise part.fault("trust", f"{path.name} cannot be {classes[path]}", hint=hint)
    return tuple(classes.items())


def _iris(part: Section, key: str) -> tuple[str, ...]:
    iris = part.texts(key)
    for iri in iris:
        if not _IRI.fullmatch(iri):
            hint = "write it in full, without < and >, for instance https://example.org/length"
            raise part.fault(key, f"{iri[:100]!r} is not an IRI", hint=hint)
    return iris
