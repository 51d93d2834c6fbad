"""An RML mapping read, checked, and put into terms in which nothing of it or of its rows can do harm.

What may stand in it is a closed list: logical sources, maps of subjects, predicates and objects by template, reference
or constant, classes, datatypes, languages, joins. Functions (fnml), queries, graphs, blank nodes and whatever else is
not known are refused. A source is a file in the mapping's folder, a table of an SQLite file there, or a database by
the name of an environment variable (``env:NAME``).

The engine sees other names: columns are called c0, c1, …, each source is a CSV file that is written for it
(``stage``), IRIs from cells are checked beforehand, all other cells are percent-encoded, and datatypes are stand-ins,
for engines write numbers and dates anew. So no cell ends a term, and each literal is as exact as in its file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pyoxigraph as ox

from imprimatur._config_models import named_key
from imprimatur._config_paths import NamedFiles
from imprimatur._expressions import expression
from imprimatur.errors import ConfigError
from imprimatur.ingest.mapping.model import Source
from imprimatur.ingest.mapping.rml_staging import Column, Rml, encoded
from imprimatur.ingest.mapping.short_form import STORED, SUFFIXES
from imprimatur.ingest.mapping.terms import Template, is_iri, settled, template
from imprimatur.settings_file import Section
from imprimatur.sources.graph.terms import RDF, RdfLiteral, iri_text, literal_text

__all__ = ["AS", "read_rml"]

RR, RML, QL = "http://www.w3.org/ns/r2rml#", "http://semweb.mmlab.be/ns/rml#", "http://semweb.mmlab.be/ns/ql#"
_NEW = "http://w3id.org/rml/"
#: Stands before a datatype, percent-encoded, while the engine works.
AS = "urn:imprimatur:datatype:"
_RML_OWN = frozenset(("logicalSource", "source", "referenceFormulation", "iterator", "reference", "null"))
_KEYS = _RML_OWN | frozenset(
    "subjectMap predicateObjectMap predicateMap objectMap subject predicate object template constant class datatype "
    "language termType parentTriplesMap joinCondition child parent tableName".split()
)
_CLASSES = frozenset(
    "TriplesMap LogicalSource SubjectMap PredicateObjectMap PredicateMap ObjectMap RefObjectMap TermMap Join "
    "BaseTableOrView Source".split()
)
_FORMULATIONS = ("CSV", "JSONPath", "SQL2008Table")
_WHY = {
    "query": "a query is run as it stands, by an engine that can do more than read",
    "sqlQuery": "a query is run as it stands, by an engine that can do more than read",
    "graph": "the graph of a fact is the place of its row",
    "graphMap": "the graph of a fact is the place of its row",
    "functionValue": "functions run code",
    "functionExecution": "functions run code",
}
_ITEMS = expression(r"\$(?:\.[^.\[\]*$?()@'\"\s]{1,200}|\[\*\])*")
_LANGUAGE = expression(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*", re.IGNORECASE)
_LARGEST = 1 << 20
_BASE = "urn:imprimatur:mapping"


def read_rml(path: Path, *, environ: dict[str, str]) -> Rml:
    """The mapping of a Turtle file.

    Raises:
        ConfigError: it is no Turtle, no mapping, or asks for what is refused.
        KnowledgeBaseError: a file that it names is not there, or lies outside its folder.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise ConfigError(f"larger than {_LARGEST} bytes", where=str(path), hint="is this the right file?")
        triples = list(ox.parse(path.read_bytes(), format=ox.RdfFormat.TURTLE, base_iri=_BASE))
    except SyntaxError as fault:
        raise ConfigError(f"is no Turtle: {str(fault)[:200]}", where=str(path)) from fault
    except (OSError, ValueError) as fault:
        raise ConfigError(f"cannot be read: {str(fault)[:200]}", where=str(path)) from fault
    return _Reading(path, triples, environ).rml()


class _Reading:
    """Reads one mapping, node by node; what it does not come across is refused in the end."""

    def __init__(self, path: Path, triples: Sequence[ox.Quad], environ: dict[str, str]) -> None:
        self.path, self.environ = path, environ
        self.named = NamedFiles(path.absolute().parent, Section({}, str(path), ConfigError))
        self.nodes: dict[object, dict[str, list[object]]] = defaultdict(lambda: defaultdict(list))
        self.read: set[tuple[object, str]] = set()
        self.lines: list[str] = []
        self.sources: dict[Source, list[Column]] = {}
        self.properties: dict[str, bool] = {}
        self.classes: dict[str, None] = {}
        for triple in triples:
            key = self._key(triple)
            if key:
                self.nodes[triple.subject][key].append(triple.object)

    def fault(self, message: str, hint: str = "") -> ConfigError:
        """An error of this file."""
        return ConfigError(message, where=str(self.path), hint=hint)

    def _key(self, triple: ox.Quad) -> str:
        """The name of a predicate of the mapping languages; "" for a class of theirs."""
        iri = triple.predicate.value
        if iri == RDF + "type":
            space, name = _split(triple.object.value if isinstance(triple.object, ox.NamedNode) else "")
            if name in _CLASSES and space:
                return ""
            raise self.fault(f"what is a {name[:60] or 'node'!r} is not taken", "see docs/structured.md")
        space, name = _split(iri)
        if not space or name not in _KEYS:
            raise self.fault(f"`{name[:60]}` is not taken", _WHY.get(name, "see docs/structured.md for what is"))
        return name

    def one(self, node: object, *keys: str) -> tuple[str, object] | None:
        """The only value of the only one of some keys that a node has."""
        found = [(key, value) for key in keys for value in self.all(node, key)]
        if len(found) > 1:
            raise self.fault(f"one of {', '.join(keys)} is given, and one only")
        return found[0] if found else None

    def all(self, node: object, key: str) -> Sequence[object]:
        """All values under a key, which is thereby read."""
        self.read.add((node, key))
        return self.nodes.get(node, {}).get(key, ())

    def text(self, node: object, key: str) -> str | None:
        """The text under a key."""
        found = self.one(node, key)
        if found is None:
            return None
        if not isinstance(found[1], ox.Literal):
            raise self.fault(f"`{key}` is a text")
        return found[1].value

    # -- the whole -----------------------------------------------------------------------------------------------------
    def rml(self) -> Rml:
        """All of it."""
        maps = [node for node, keys in self.nodes.items() if "logicalSource" in keys]
        if not maps:
            raise self.fault("no map with rml:logicalSource is in it", "is it R2RML? Then name the files as sources")
        self.maps = {node: (f"<{_BASE}#m{number}>", self.source(node)) for number, node in enumerate(maps)}
        for node in maps:
            self.map(node)
        idle = next((key for node, keys in self.nodes.items() for key in keys if (node, key) not in self.read), None)
        if idle is not None:
            raise self.fault(f"`{idle}` has no effect where it stands", "leave it out, or is it at the wrong node?")
        return Rml(
            where=self.path,
            lines=tuple(self.lines),
            sources=tuple(self.sources),
            columns=tuple(map(tuple, self.sources.values())),
            properties=tuple(self.properties.items()),
            classes=tuple(self.classes),
        )

    def source(self, node: object) -> Source:
        """The source of a map."""
        found = self.one(node, "logicalSource")
        logical = found[1] if found else None
        written, table = self.text(logical, "source"), self.text(logical, "tableName") or ""
        formulation = self.one(logical, "referenceFormulation")
        name = _split(formulation[1].value)[1] if formulation and isinstance(formulation[1], ox.NamedNode) else "CSV"
        if name not in _FORMULATIONS:
            raise self.fault(f"the formulation {name[:40]!r} is not taken", f"known are {', '.join(_FORMULATIONS)}")
        if written is None:
            raise self.fault("a logical source has no rml:source", 'for instance rml:source "lights.csv"')
        stated = self.all(logical, "null")
        nulls = frozenset(each.value.strip().lower() for each in stated if isinstance(each, ox.Literal)) or None
        if written.startswith("env:"):
            variable = written.removeprefix("env:")
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable) or not table:
                raise self.fault("a database is env:NAME with rr:tableName", "NAME is an environment variable")
            key = named_key(variable, self.environ)
            made = Source(name=written, shown=f"database:{variable}", table=table, nulls=nulls, address=key)
        else:
            made = self.file(written, table, self.text(logical, "iterator"), nulls)
        self.sources.setdefault(made, [])
        return made

    def file(self, written: str, table: str, iterator: str | None, nulls: frozenset[str] | None) -> Source:
        """A file of the mapping's folder."""
        if "://" in written or written.startswith("{"):
            raise self.fault(
                f"the source {written[:80]!r} is no file of the folder", "nothing is fetched: put it there"
            )
        path = self.named.existing(self.named.top, "rml:source", written, folders=False)
        suffix = path.suffix.lower()
        if suffix not in (*SUFFIXES, *STORED) or (suffix in STORED) != bool(table):
            hint = f"known are {', '.join((*SUFFIXES, *STORED))}; an SQLite file has rr:tableName beside it"
            raise self.fault(f"{written[:80]!r} is no source of rows", hint)
        items: tuple[str, ...] = ()
        if iterator is not None:
            if suffix != ".json" or not _ITEMS.fullmatch(iterator):
                raise self.fault(f"the iterator {iterator[:80]!r} is not taken", 'keys and [*] alone: "$.log[*]"')
            items = tuple("*" if key == "[*]" else key[1:] for key in re.findall(r"\.[^.\[]+|\[\*\]", iterator))
        shown = path.relative_to(self.named.folder).as_posix()
        return Source(name=shown, path=path, shown=shown, table=table, items=items, nulls=nulls)

    # -- maps ----------------------------------------------------------------------------------------------------------
    def map(self, node: object) -> None:
        """One map, written for the engine."""
        name, source = self.maps[node]
        number = list(self.sources).index(source)
        self.say(name, RDF + "type", f"<{RR}TriplesMap>")
        self.say(name, RML + "logicalSource", f"{name[:-1]}s>")
        self.say(f"{name[:-1]}s>", RML + "source", f'"s{number}.csv"')
        self.say(f"{name[:-1]}s>", RML + "referenceFormulation", f"<{QL}CSV>")
        found = self.one(node, "subjectMap", "subject")
        if found is None:
            raise self.fault("a map has no subject", "add rr:subjectMap [ rr:template … ]")
        subject = f"{name[:-1]}u>"
        self.say(name, RR + "subjectMap", subject)
        if found[0] == "subject":
            self.constant(subject, found[1], source)
        else:
            self.term(subject, found[1], source, things=True)
            for cls in self.all(found[1], "class"):
                iri = self.iri(cls)
                self.classes[iri] = None
                self.say(subject, RR + "class", iri_text(iri))
        self.say(subject, RR + "graphMap", f"{name[:-1]}g>")
        self.say(f"{name[:-1]}g>", RML + "reference", '"place"')
        self.say(f"{name[:-1]}g>", RR + "termType", f"<{RR}IRI>")
        for at, each in enumerate(self.all(node, "predicateObjectMap")):
            pair = f"{name[:-1]}p{at}>"
            self.say(name, RR + "predicateObjectMap", pair)
            self.pair(pair, each, source)

    def pair(self, name: str, node: object, source: Source) -> None:
        """Predicates and objects."""
        short = self.all(node, "predicate")
        predicates: list[str] = []
        for at, each in enumerate((*short, *self.all(node, "predicateMap"))):
            inner = f"{name[:-1]}v{at}>"
            self.say(name, RR + "predicateMap", inner)
            constant = each if at < len(short) else (self.one(each, "constant") or ("", None))[1]
            if constant is None:
                raise self.fault("a predicate is one for all rows", "give it with rr:predicate")
            predicates.append(self.iri(constant))
            self.say(inner, RR + "constant", iri_text(predicates[-1]))
        things = False
        short = self.all(node, "object")
        for at, each in enumerate((*short, *self.all(node, "objectMap"))):
            inner = f"{name[:-1]}o{at}>"
            self.say(name, RR + "objectMap", inner)
            if at < len(short):
                things = self.constant(inner, each, source)
            else:
                things = self.value(inner, each, source)
        for iri in predicates:
            self.properties.setdefault(iri, things)

    def value(self, name: str, node: object, source: Source) -> bool:
        """One object; whether it is a thing."""
        parent = self.one(node, "parentTriplesMap")
        if parent is None:
            return self.term(name, node, source, things=False)
        if parent[1] not in self.maps:
            raise self.fault("a parent map is not in the mapping")
        other, its = self.maps[parent[1]]
        conditions = self.all(node, "joinCondition")
        if not conditions and its != source:
            raise self.fault("a join with other rows has no rr:joinCondition")
        self.say(name, RR + "parentTriplesMap", other)
        for at, each in enumerate(conditions):
            child, its_own = self.text(each, "child"), self.text(each, "parent")
            if child is None or its_own is None:
                raise self.fault("a join has rr:child and rr:parent")
            inner = f"{name[:-1]}j{at}>"
            self.say(name, RR + "joinCondition", inner)
            self.say(inner, RR + "child", f'"{self.column(source, "cell", child)}"')
            self.say(inner, RR + "parent", f'"{self.column(its, "parent", its_own)}"')
        return True

    def term(self, name: str, node: object, source: Source, *, things: bool) -> bool:
        """A term by template, reference or constant; whether it is an IRI."""
        found = self.one(node, "template", "reference", "constant")
        if found is None:
            raise self.fault("a map of terms has a template, a reference or a constant")
        key, value = found
        kind = self.kind(node, default="IRI" if things or key == "template" else "Literal")
        if key == "constant" and isinstance(value, ox.NamedNode):
            return self.constant(name, value, source)
        if not isinstance(value, ox.Literal):
            raise self.fault(f"`{key}` is a text")
        if kind == "IRI":
            self.address(name, key, value.value, source)
            return True
        if things:
            raise self.fault("a subject is an IRI")
        staged = {"template": "text", "reference": "cell", "constant": "constant"}[key]
        if staged == "text" and template(value.value) is None:
            raise self.fault(f"{value.value[:80]!r} is no template")
        if not value.value:
            raise self.fault(f"`{key}` is empty")
        self.say(name, RML + "reference", f'"{self.column(source, staged, value.value)}"')
        self.say(name, RR + "termType", f"<{RR}Literal>")
        stated = value if key == "constant" else None
        self.typed(name, node, stated)
        return False

    def address(self, name: str, key: str, text: str, source: Source) -> None:
        """An IRI by a template, or by cells that are IRIs."""
        if key == "reference":
            self.say(name, RML + "reference", f'"{self.column(source, "iri", text)}"')
        elif key == "constant":
            raise self.fault("a constant IRI is written as an IRI")
        else:
            made = template(text)
            if made is None or not made.columns or not settled(made) or not made.iri(dict.fromkeys(made.columns, "x")):
                hint = "scheme and host in full, and a column in brackets"
                raise self.fault(f"{text[:80]!r} is no template of IRIs", hint)
            parts = list(made.parts)
            parts[1::2] = [self.column(source, "cell", column) for column in made.columns]
            self.say(name, RR + "template", literal_text(RdfLiteral(Template(tuple(parts)).text)))
        self.say(name, RR + "termType", f"<{RR}IRI>")

    def constant(self, name: str, value: object, source: Source) -> bool:
        """A constant; whether it is an IRI."""
        if isinstance(value, ox.Literal):
            if not value.value:
                raise self.fault("a constant is empty")
            self.say(name, RML + "reference", f'"{self.column(source, "constant", value.value)}"')
            self.say(name, RR + "termType", f"<{RR}Literal>")
            self.typed(name, None, value)
            return False
        self.say(name, RR + "constant", iri_text(self.iri(value)))
        return True

    def typed(self, name: str, node: object, stated: ox.Literal | None) -> None:
        """The language or datatype of a literal, from its map or from the constant itself."""
        language = self.text(node, "language") or (stated.language if stated is not None else None)
        datatype = self.one(node, "datatype")
        iri = self.iri(datatype[1]) if datatype else stated.datatype.value if stated is not None else None
        if language:
            if datatype or not _LANGUAGE.fullmatch(language):
                raise self.fault(f"{language[:40]!r} is no language tag, or there is a datatype beside it")
            self.say(name, RR + "language", f'"{language.lower()}"')
        elif iri is not None and not iri.endswith("XMLSchema#string"):
            self.say(name, RR + "datatype", f"<{AS}{encoded(iri)}>")

    def kind(self, node: object, *, default: str) -> str:
        """The kind of a term: IRI or Literal."""
        stated = self.one(node, "termType")
        if stated is None:
            keys = self.nodes.get(node, {})
            return "Literal" if "datatype" in keys or "language" in keys else default
        name = _split(stated[1].value)[1] if isinstance(stated[1], ox.NamedNode) else ""
        if name not in ("IRI", "URI", "Literal"):
            raise self.fault(f"terms of kind {name[:40]!r} are not taken", "name the thing by an IRI")
        return "Literal" if name == "Literal" else "IRI"

    # -- small parts ---------------------------------------------------------------------------------------------------
    def iri(self, value: object) -> str:
        """An IRI that is written in the mapping."""
        if not isinstance(value, ox.NamedNode) or not is_iri(value.value):
            raise self.fault("an IRI is expected where a predicate, class or datatype stands")
        return value.value

    def column(self, source: Source, kind: str, of: str) -> str:
        """The staged column of a source."""
        columns = self.sources[source]
        if (kind, of) not in columns:
            columns.append((kind, of))
        return f"c{columns.index((kind, of))}"

    def say(self, subject: str, predicate: str, value: str) -> None:
        self.lines.append(f"{subject} <{predicate}> {value} .")


def _split(iri: str) -> tuple[str, str]:
    """The mapping language's namespace that an IRI begins with, or "", and its name in it."""
    space = next((each for each in (RR, RML, QL, _NEW) if iri.startswith(each)), "")
    return space, iri.removeprefix(space) if space else iri.rstrip("/#").rpartition("/")[2].rpartition("#")[2]
