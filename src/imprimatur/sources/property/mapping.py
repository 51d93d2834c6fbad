"""How a property graph becomes a graph of triples: what the file under ``mapping`` may say, all of it optional.

    version: 1
    base: https://example.org/kb/       # IRIs that are made begin with it; by default "urn:imprimatur:graph:"
    id: [iri, uri, id]                  # the keys that say which thing a node is, the first that it has
    names: [name, title, label]         # the key that names a node, the first that nodes with its labels have
    aliases: [alias, aliases]           # keys with further names
    hidden: [embedding]                 # keys that are no evidence
    labels:
      Person: {class: "https://example.org/Person", words: person, synonyms: [human], id: [ssn], names: [fullName]}
      Chunk: {hidden: true}             # its nodes are not read
    relationships:
      WORKS_AT: {property: "https://…/worksAt", words: works at, synonyms: [is employed by], functional: true,
                 keys: {joined: first, left: last, year: none},      # what a key says of the time at which it held
                 past: false,                                        # what WORKED_AT says by its name
                 only: {status: [confirmed]}, least: {score: 0.9}}   # others of this type are not read
      EMPLOYS: {property: "https://…/worksAt", inverse: true}        # it states END property START
      MENTIONED_IN: {hidden: true}
    keys:
      birthDate: {property: "https://…/born", datatype: date, words: birth date, synonyms: [born on]}
      height: {unit: m, datatype: decimal, functional: true}
      motto_de: {language: de, words: motto}
      home: {datatype: iri}             # the value is the IRI of a thing

Invariants: an unknown key is an error; nothing here reaches a server.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import ConfigError
from imprimatur.language import units
from imprimatur.settings_file import Section, read
from imprimatur.sources.graph.terms import XSD
from imprimatur.values import Unit

__all__ = ["BASE", "IRI", "KeyRule", "LabelRule", "PropertyMapping", "TypeRule", "plain_key", "read_mapping", "time_of"]

BASE = "urn:imprimatur:graph:"
#: The datatype of values that are IRIs of things.
IRI = "iri"
#: What keys of relationships say by their names, in small letters and without what is no letter or digit.
_FIRST = frozenset(
    "from since start startdate startyear starttime startedat startedon begin begindate beginning validfrom fromdate "
    "fromyear validat".split()
)
_LAST = frozenset(
    "to until till end enddate endyear endtime endedat endedon ending validto validuntil validthrough todate "
    "toyear invalidat".split()
)
_POINT = frozenset("pointintime year date on when".split())
_SIDES = ("first", "last", "point", "none")
_ABSOLUTE = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20]{1,2000}")
_TAG = expression(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
_DATATYPES = (
    *("string", "integer", "decimal", "double", "float", "boolean", "date", "dateTime", "gYear", "gYearMonth"),
    *("anyURI", "time", "duration", IRI),
)
_OTHER = expression(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRule:
    """What is said of a key of nodes. Empty or None: nothing. ``datatype`` is an IRI, or the word ``iri``."""

    property: str = ""
    datatype: str = ""
    language: str = ""
    unit: Unit | None = None
    words: str = ""
    synonyms: tuple[str, ...] = ()
    functional: bool | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRule:
    """What is said of a label."""

    iri: str = ""
    words: str = ""
    synonyms: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeRule:
    """What is said of a type of relationships.

    Attributes:
        times: the side of its time that a key gives.
        past: whether it says that something was so; None: as its name does.
        only: the values that a key must have; least: the number that a key must reach. Others are not read.
    """

    property: str = ""
    words: str = ""
    synonyms: tuple[str, ...] = ()
    inverse: bool = False
    functional: bool = False
    hidden: bool = False
    past: bool | None = None
    times: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    least: Mapping[str, Decimal] = field(default_factory=dict)


_KEY, _LABEL, _TYPE = KeyRule(), LabelRule(), TypeRule()


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyMapping:
    """All of a mapping."""

    base: str = BASE
    id: tuple[str, ...] = ("iri", "uri", "id")
    names: tuple[str, ...] = ("name", "title", "label")
    aliases: tuple[str, ...] = ("alias", "aliases", "altLabel", "altLabels", "alternateName", "alsoKnownAs")
    hidden: tuple[str, ...] = ("embedding", "embeddings")
    labels: Mapping[str, LabelRule] = field(default_factory=dict)
    types: Mapping[str, TypeRule] = field(default_factory=dict)
    keys: Mapping[str, KeyRule] = field(default_factory=dict)

    def key(self, name: str) -> KeyRule:
        """What is said of a key."""
        return self.keys.get(name, _KEY)

    def label(self, name: str) -> LabelRule:
        """What is said of a label."""
        return self.labels.get(name, _LABEL)

    def type(self, name: str) -> TypeRule:
        """What is said of a type of relationships."""
        return self.types.get(name, _TYPE)


def time_of(rule: TypeRule, key: str) -> str:
    """Which side of the time at which a relationship held a key gives: first, last, point, or none."""
    if key in rule.times:
        return rule.times[key]
    plain = plain_key(key)
    return "first" if plain in _FIRST else "last" if plain in _LAST else "point" if plain in _POINT else "none"


def plain_key(key: str) -> str:
    """What ``validUntil``, ``valid_until`` and ``Valid-Until`` have in common."""
    return _OTHER.sub("", key.lower())


def read_mapping(path: Path | None, *, base: str | None = None) -> PropertyMapping:
    """The mapping of a file; the usual one where there is none.

    Args:
        path: a YAML file.
        base: stands instead of the file's ``base`` where it has none.

    Raises:
        ConfigError: the file cannot be read, or says something that it must not.
    """
    if path is None:
        return PropertyMapping(base=base or BASE)
    top = Section(read(path, error=ConfigError, environ=os.environ), str(path), ConfigError)
    top.version()
    usual = PropertyMapping()
    labels, types, keys = top.section("labels"), top.section("relationships"), top.section("keys")
    made = PropertyMapping(
        base=_iri(top, "base") or base or BASE,
        id=top.texts("id") or usual.id,
        names=top.texts("names") or usual.names,
        aliases=top.texts("aliases") or usual.aliases,
        hidden=(*usual.hidden, *top.texts("hidden")),
        labels={str(name): _label(labels.section(name)) for name in list(labels.values)},
        types={str(name): _type(types.section(name)) for name in list(types.values)},
        keys={str(name): _key(keys.section(name)) for name in list(keys.values)},
    )
    top.close()
    return made


def _label(part: Section) -> LabelRule:
    made = LabelRule(
        iri=_iri(part, "class"),
        words=part.text("words", "") or "",
        synonyms=part.texts("synonyms"),
        id=part.texts("id"),
        names=part.texts("names"),
        aliases=part.texts("aliases"),
        hidden=part.flag("hidden", False),
    )
    part.close()
    return made


def _type(part: Section) -> TypeRule:
    times, only, least = part.section("keys"), part.section("only"), part.section("least")
    made = TypeRule(
        property=_iri(part, "property"),
        words=part.text("words", "") or "",
        synonyms=part.texts("synonyms"),
        inverse=part.flag("inverse", False),
        functional=part.flag("functional", False),
        hidden=part.flag("hidden", False),
        past=part.flag("past", False) if "past" in part.values else None,
        times={str(name): times.choice(name, _SIDES, "none") for name in list(times.values)},
        only={str(name): _words(only, name) for name in list(only.values)},
        least={str(name): _number(least, name) for name in list(least.values)},
    )
    part.known.add("past")
    part.close()
    return made


def _key(part: Section) -> KeyRule:
    written = part.text("unit")
    unit = units.parse(written) if written else None
    if written and unit is None:
        raise part.fault("unit", f"{written[:40]!r} is no unit that is known", hint="for instance km², ft or USD")
    language = part.text("language", "") or ""
    datatype = _datatype(part)
    if language and not _TAG.fullmatch(language):
        raise part.fault("language", f"{language[:40]!r} is no language tag", hint="for instance en")
    if language and datatype:
        raise part.fault("language", "a value with a datatype has no language", hint="leave one of them out")
    functional = part.flag("functional", False) if "functional" in part.values else None
    made = KeyRule(
        property=_iri(part, "property"),
        datatype=datatype,
        language=language,
        unit=unit,
        words=part.text("words", "") or "",
        synonyms=part.texts("synonyms"),
        functional=functional,
        hidden=part.flag("hidden", False),
    )
    part.known.add("functional")
    part.close()
    return made


def _words(part: Section, key: str) -> tuple[str, ...]:
    """Values that a key may have, as words."""
    value = part.take(key)
    found = value if isinstance(value, list) else [value]
    if not found or not all(isinstance(each, str | bool | int) for each in found):
        raise part.fault(key, "expected values that it may have", hint="for instance [confirmed, checked], or true")
    return tuple(str(each).lower() if isinstance(each, bool) else str(each) for each in found)


def _number(part: Section, key: str) -> Decimal:
    value = part.take(key)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise part.fault(key, "expected a number that it must reach", hint="for instance 0.9")
    return Decimal(value)


def _datatype(part: Section) -> str:
    value = part.text("datatype", "") or ""
    if ":" in value and not value.startswith("xsd:"):
        return _iri(part, "datatype")
    name = value.removeprefix("xsd:")
    if name and name not in _DATATYPES:
        hint = f"one of {', '.join(_DATATYPES)}, or an IRI in full"
        raise part.fault("datatype", f"{value[:60]!r} is no datatype", hint=hint)
    return name if name in ("", IRI) else XSD + name


def _iri(part: Section, key: str) -> str:
    value = part.text(key, "") or ""
    if value and not _ABSOLUTE.fullmatch(value):
        hint = "write it in full, without < and >, for instance https://example.org/worksAt"
        raise part.fault(key, f"{value[:100]!r} is not an IRI", hint=hint)
    return value
