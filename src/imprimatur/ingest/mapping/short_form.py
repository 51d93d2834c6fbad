"""The short form of a mapping, in YAML::

    version: 1
    prefixes: {ex: "https://lights.example/"}
    sources:
      lights: lights.csv                              # in the mapping's folder: CSV, TSV, JSON, JSON lines, Parquet
      keepers: {file: keepers.db, table: keepers}     # a table of an SQLite file
      visits: {file: visits.json, items: "$.log[*]"}  # the things below keys of a JSON file
      ports: {url_env: PORTS_URL, table: ports}       # a database, its address in the environment
      old: {file: old.csv, nulls: ["", "n/a"]}        # what says nothing; by default what says nothing in any table
    maps:
      lights:
        source: lights
        subject: "ex:light/{id}"                      # cells are percent-encoded
        class: ex:Light
        label: name                                   # a column, or {column: name, language: en}
        when: {status: [lit, manned], built: any}     # or {status: {not: [ruined]}}
        properties:
          ex:height: {column: height, datatype: decimal, unit: m, label: height, functional: true}
          ex:colour: colour                           # a column as text
          ex:keeper: {map: keepers, match: {keeper_id: id}}
          ex:region: {iri: "ex:region/{region}"}
          ex:site: {column: homepage, datatype: iri}
        words: {ex:Light: {label: lighthouse, synonyms: [light]}}

Invariants: whatever a mapping names lies in its folder (a link there may point elsewhere); what is wrong is a
``ConfigError`` that names the key.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from collections.abc import Mapping as Keyed
from pathlib import Path
from typing import Any

from imprimatur._config_models import named_key
from imprimatur._config_paths import NamedFiles
from imprimatur._expressions import expression
from imprimatur.errors import ConfigError, nearest
from imprimatur.ingest.mapping.model import Join, Map, Mapping, Property, Source, Vocabulary
from imprimatur.ingest.mapping.terms import DATATYPES, Template, is_iri, settled, template
from imprimatur.language import units
from imprimatur.settings_file import Section, read
from imprimatur.sources.graph.terms import RDF, RDFS, SKOS, spoken_name
from imprimatur.sources.tables.numbers import unit_iri

__all__ = ["SUFFIXES", "read_mapping", "words_of"]

#: Files of rows; tables of a database need a name beside it.
SUFFIXES = (".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".parquet")
STORED = (".sqlite", ".sqlite3", ".db")
_ITEMS = expression(r"\$(?:\.[^.\[\]*$?()@'\"\s]{1,200}|\[\*\])*")
_LANGUAGE = expression(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*", re.IGNORECASE)
_VARIABLE = expression(r"[A-Za-z_][A-Za-z0-9_]*")
_CAMEL = expression(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST = 200


def read_mapping(path: Path, *, environ: Keyed[str, str] | None = None) -> Mapping:
    """The mapping of a file.

    Args:
        path: the file; what it names lies in its folder.
        environ: what ``url_env`` refers to; the process's environment by default.

    Raises:
        ConfigError: it is no mapping. KnowledgeBaseError: a file that it names is not there, or outside its folder.
    """
    known = os.environ if environ is None else environ
    top = Section(read(path, error=ConfigError, environ={}), str(path), ConfigError)
    top.version()
    reader = _Reader(path, top, known)
    made = reader.mapping()
    top.close()
    return made


class _Reader:
    """Reads the keys of one file."""

    def __init__(self, path: Path, top: Section, environ: Keyed[str, str]) -> None:
        self.path, self.top, self.environ = path, top, environ
        self.named = NamedFiles(Path(os.path.abspath(path)).parent, top)
        self.words: dict[str, Vocabulary] = {}
        prefixes = top.section("prefixes")
        self.prefixes = {str(name): prefixes.text(str(name)) or "" for name in prefixes.values}
        for name, iri in self.prefixes.items():
            if not is_iri(iri):
                raise prefixes.fault(name[:60], "is no IRI", hint='for instance {ex: "https://lights.example/"}')

    def mapping(self) -> Mapping:
        """The whole of it; maps refer to maps and sources that are there."""
        sources = {name: self.source(name, part) for name, part in self.entries("sources", short="file")}
        maps = {name: self.map(name, part, sources) for name, part in self.entries("maps")}
        for each in maps.values():
            self.check(each, maps)
        return Mapping(
            where=self.path,
            sources=tuple(sources.values()),
            maps=tuple(maps.values()),
            vocabulary=tuple(self.words.values()),
        )

    def entries(self, key: str, *, short: str = "") -> Iterator[tuple[str, Section]]:
        """The named mappings below a key, at least one; ``short``: a text stands for a mapping with this key."""
        part = self.top.section(key)
        if not part.values:
            raise self.top.fault(key, "is missing", hint=f"see docs/structured.md for what stands under `{key}`")
        if len(part.values) > _MOST:
            raise self.top.fault(key, f"more than {_MOST} entries")
        for name in part.values:
            value = part.take(name)
            if short and isinstance(value, str):
                value = {short: value}
            if not isinstance(value, dict):
                raise part.fault(str(name)[:60], "expected a mapping")
            inner = Section(value, part.where, part.error, path=f"{part.path}{str(name)[:60]}.")
            yield str(name), inner
            inner.close()

    # -- sources -------------------------------------------------------------------------------------------------------
    def source(self, name: str, part: Section) -> Source:
        """One source."""
        nulls = frozenset(each.strip().lower() for each in part.texts("nulls")) if "nulls" in part.values else None
        part.known.add("nulls")
        table = part.text("table", "") or ""
        variable = part.text("url_env")
        if variable is not None:
            if not _VARIABLE.fullmatch(variable):
                raise part.fault("url_env", "is not the name of an environment variable", hint="for instance PORTS_URL")
            if not table:
                raise part.fault("table", "is missing", hint="name the table or view of the database")
            key = named_key(variable, self.environ)
            return Source(name=name, shown=f"database:{variable}", table=table, nulls=nulls, address=key)
        file = part.text("file")
        if file is None:
            raise part.fault("file", "is missing", hint="name a file of rows, or a database with `url_env`")
        path = self.named.existing(part, "file", file, folders=False)
        suffix = path.suffix.lower()
        if suffix not in (*SUFFIXES, *STORED):
            hint = f"known are {', '.join((*SUFFIXES, *STORED))}"
            raise part.fault("file", f"{file[:60]!r} is no file of rows", hint=hint)
        if (suffix in STORED) != bool(table):
            hint = "name one of its tables: {file: keepers.db, table: keepers}" if suffix in STORED else "leave it out"
            raise part.fault("table", "an SQLite file needs a table, and other files have none", hint=hint)
        shown = path.relative_to(self.named.folder).as_posix()
        return Source(name=name, path=path, shown=shown, table=table, items=self.items(part, suffix), nulls=nulls)

    @staticmethod
    def items(part: Section, suffix: str) -> tuple[str, ...]:
        """The keys that lead to the things of a JSON file."""
        written = part.text("items")
        if written is None:
            return ()
        if suffix != ".json" or not _ITEMS.fullmatch(written):
            hint = 'keys, and [*] for each of a list: "$.log[*]"; no filters, and for JSON files alone'
            raise part.fault("items", f"{written[:60]!r} is no way to things", hint=hint)
        return tuple("*" if key == "[*]" else key[1:] for key in re.findall(r"\.[^.\[]+|\[\*\]", written))

    # -- maps ----------------------------------------------------------------------------------------------------------
    def map(self, name: str, part: Section, sources: Keyed[str, Source]) -> Map:
        """One map; what it says of words is added to the vocabulary."""
        source = part.text("source", name) or ""
        if source not in sources:
            near = nearest(source, sources)
            hint = f"did you mean {near!r}?" if near else f"there are {', '.join(sources)}"
            raise part.fault("source", f"no source is called {source[:60]!r}", hint=hint)
        classes = tuple(self.iri(part, "class", each) for each in part.texts("class"))
        for each in classes:
            self.words.setdefault(each, Vocabulary(iri=each, kind="class", label=words_of(each).lower()))
        made = Map(
            name=name,
            source=source,
            subject=self.template(part, "subject", part.text("subject")),
            classes=classes,
            properties=(*self.labels(part), *self.properties(part)),
            when=tuple(self.conditions(part.section("when"))),
        )
        for iri, inner in self.inner(part.section("words")):
            said = self.words.get(self.iri(inner, "", iri))
            if said is None:
                raise inner.fault("", f"{iri[:60]!r} is no class or property of this mapping")
            self.words[said.iri] = self.spoken(inner, said)
            inner.close()
        return made

    @staticmethod
    def inner(part: Section) -> Iterator[tuple[str, Section]]:
        """The mappings below the keys of a section."""
        for key in part.values:
            yield str(key), part.section(key)

    def labels(self, part: Section) -> Iterator[Property]:
        """What names the things: ``label``, and ``synonyms`` for other names."""
        for key, iri in (("label", RDFS + "label"), ("synonyms", SKOS + "altLabel")):
            value = part.take(key)
            for each in value if isinstance(value, list) else [] if value is None else [value]:
                inner = {"column": each} if isinstance(each, str) else each
                if not isinstance(inner, dict):
                    raise part.fault(key, "expected a column", hint="for instance label: name")
                made = Section(inner, part.where, part.error, path=f"{part.path}{key}.")
                if "template" in made.values:
                    yield Property(iri=iri, template=self.text_template(made), language=self.language(made))
                else:
                    yield Property(iri=iri, column=self.column(made), language=self.language(made))
                made.close()

    def properties(self, part: Section) -> Iterator[Property]:
        """The properties, each with what it makes of a row; several under one IRI as a list."""
        section = part.section("properties")
        for key in section.values:
            iri = self.iri(section, str(key), str(key))
            if iri == RDF + "type":
                raise section.fault(str(key), "classes stand under `class`")
            value = section.take(key)
            for each in value if isinstance(value, list) else [value]:
                given = {"column": each} if isinstance(each, str) else each
                if not isinstance(given, dict):
                    raise section.fault(str(key)[:60], "expected a column or a mapping", hint="for instance height")
                inner = Section(given, part.where, part.error, path=f"{section.path}{str(key)[:60]}.")
                made = self.property(iri, inner)
                said = self.words.setdefault(iri, Vocabulary(iri=iri, kind=_kind(made), label=words_of(iri)))
                self.words[iri] = self.spoken(inner, said)
                inner.close()
                yield made

    def property(self, iri: str, part: Section) -> Property:
        """One property: just one of ``column``, ``iri``, ``template``, ``value`` and ``map`` says what it is."""
        ways = [key for key in ("column", "iri", "template", "value", "map") if part.values.get(key) is not None]
        if len(ways) != 1:
            hint = "for instance {column: height, datatype: decimal}"
            raise part.fault("column", "one of column, iri, template, value and map is given", hint=hint)
        if ways == ["iri"]:
            return Property(iri=iri, template=self.template(part, "iri", part.text("iri")), datatype="iri")
        if ways == ["map"]:
            on = part.section("match")
            pairs = tuple((str(own), on.text(str(own)) or "") for own in on.values)
            return Property(iri=iri, join=Join(map=part.text("map") or "", on=pairs), datatype="iri")
        language = self.language(part)
        datatype = part.choice("datatype", ("iri", *DATATYPES), "string")
        if language and datatype != "string":
            raise part.fault("language", "texts have a language, and no other datatype", hint="leave one of them out")
        if ways == ["template"]:
            return Property(iri=iri, template=self.text_template(part), language=language, datatype=datatype)
        if ways == ["value"]:
            value = part.text("value") or ""
            value = self.iri(part, "value", value) if datatype == "iri" else value
            return Property(iri=iri, constant=value, language=language, datatype=datatype)
        return Property(iri=iri, column=self.column(part), language=language, datatype=datatype)

    def spoken(self, part: Section, said: Vocabulary) -> Vocabulary:
        """How a class or property is spoken of, by what a section says and what was said before."""
        unit = part.text("unit")
        return Vocabulary(
            iri=said.iri,
            kind=said.kind,
            label=part.text("label", said.label) or said.label,
            synonyms=tuple(dict.fromkeys((*said.synonyms, *part.texts("synonyms")))),
            unit=self.unit(part, unit) if unit is not None else said.unit,
            functional=part.flag("functional", said.functional),
        )

    @staticmethod
    def unit(part: Section, written: str) -> str:
        """The IRI of a unit: QUDT's local name, an ISO code of a currency, or as people write it."""
        found = units.by_name(written) or units.by_name(f"cur:{written}") or units.parse(written)
        iri = unit_iri(found) if found is not None else None
        if iri is None:
            hint = "for instance m, km², M3-PER-SEC or EUR"
            raise part.fault("unit", f"{written[:60]!r} is no unit that is known", hint=hint)
        return iri

    # -- small parts ---------------------------------------------------------------------------------------------------
    def iri(self, part: Section, key: str, written: str) -> str:
        """An IRI in full, or with a prefix."""
        prefix, colon, rest = written.partition(":")
        iri = self.prefixes[prefix] + rest if colon and prefix in self.prefixes else written
        if not is_iri(iri) or (iri is written and not rest.startswith("//") and prefix.lower() not in ("urn", "tag")):
            near = nearest(prefix, self.prefixes)
            hint = f"did you mean {near}:?" if near else "declare its prefix under `prefixes`, or write it in full"
            raise part.fault(key[:60], f"{written[:80]!r} is no IRI", hint=hint)
        return iri

    def template(self, part: Section, key: str, written: str | None) -> Template:
        """A template of IRIs with at least one column."""
        prefix, colon, rest = (written or "").partition(":")
        iri = self.prefixes[prefix] + rest if colon and prefix in self.prefixes else written or ""
        made = template(iri)
        known = prefix in self.prefixes or prefix.lower() in ("http", "https", "urn", "tag")
        right = known and made is not None and made.columns and settled(made)
        if made is None or not right or made.iri(dict.fromkeys(made.columns, "x")) is None:
            hint = 'for instance "https://lights.example/light/{id}": scheme and host in full, and a column in brackets'
            raise part.fault(key, f"{(written or '')[:80]!r} is no template of IRIs", hint=hint)
        return made

    @staticmethod
    def text_template(part: Section) -> Template:
        """A template of texts."""
        made = template(part.text("template") or "")
        if made is None or not made.columns:
            raise part.fault("template", "is no text with columns in brackets", hint='for instance "{first} {last}"')
        return made

    @staticmethod
    def column(part: Section) -> str:
        name = part.text("column")
        if not name or "\0" in name or len(name) > 1000:
            raise part.fault("column", "is missing", hint="name a column of the source")
        return name

    @staticmethod
    def language(part: Section) -> str:
        written = part.text("language", "") or ""
        if written and not _LANGUAGE.fullmatch(written):
            raise part.fault("language", f"{written[:40]!r} is no language tag", hint="for instance en")
        return written.lower()

    @staticmethod
    def conditions(part: Section) -> Iterator[tuple[str, tuple[str, ...], bool]]:
        """The conditions under ``when``."""
        for column in part.values:
            value: Any = part.take(column)
            if value == "any":
                yield str(column), (), True
            elif isinstance(value, dict):
                inner = part.section(column)
                yield str(column), inner.texts("not"), False
                inner.close()
            else:
                yield str(column), part.texts(column), True

    def check(self, made: Map, maps: Keyed[str, Map]) -> None:
        """Raises ConfigError for a join with a map that is not there, or of other rows without columns."""
        for each in made.properties:
            if each.join is None:
                continue
            other = maps.get(each.join.map)
            where = f"maps.{made.name}.properties"
            if other is None:
                near = nearest(each.join.map, maps)
                hint = f"did you mean {near!r}?" if near else f"there are {', '.join(maps)}"
                raise ConfigError(
                    f"`{where}`: no map is called {each.join.map[:60]!r}", where=str(self.path), hint=hint
                )
            if not each.join.on and other.source != made.source:
                hint = "say which columns are the same: match: {keeper_id: id}"
                raise ConfigError(f"`{where}`: a join with other rows", where=str(self.path), hint=hint)


def words_of(iri: str) -> str:
    """The words of an IRI's last part, for want of a label."""
    return " ".join(_CAMEL.sub(" ", spoken_name(iri)).split())


def _kind(made: Property) -> str:
    return "link" if made.datatype == "iri" else "value"
