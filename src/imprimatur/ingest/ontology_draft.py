"""An ontology while it is read: what several files and readers say of one class or property comes together here.

What any of them allows is allowed, but a side that says nothing yields to one that says something: a range that is
missing in one file is no licence for everything where another file gives it. A class that is only named in a pattern is
a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import quote

from imprimatur.ingest.ontology import (
    ANY_THING,
    ANY_VALUE,
    ANYTHING,
    Guardrail,
    OntologyClass,
    Pattern,
    Property,
    is_datatype,
    words_of,
)
from imprimatur.sources.graph.terms import XSD, RdfLiteral, literal_text, local_name

__all__ = ["BASE", "Draft", "datatypes_of", "label_of", "slug"]

#: Where the names of forms without IRIs of their own live, unless the caller says otherwise.
BASE = "urn:imprimatur:ontology:"
_PLACES = (ANY_THING, ANY_VALUE, ANYTHING)
_DATES = ("date", "gYear", "gYearMonth")
#: What forms that know no IRIs call kinds of values. A date may be as exact as it is known.
_KINDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("string", "str", "text"), ("string",)),
    **dict.fromkeys(("integer", "int", "count"), ("integer",)),
    **dict.fromkeys(("number", "decimal", "float", "double", "numeric"), ("decimal", "double")),
    **dict.fromkeys(("boolean", "bool"), ("boolean",)),
    **dict.fromkeys(("datetime", "timestamp"), ("dateTime",)),
    **dict.fromkeys(("url", "uri", "anyuri"), ("anyURI",)),
    "date": _DATES,
    "day": ("date",),
    "year": ("gYear",),
    "time": ("time",),
}


def datatypes_of(word: str) -> tuple[str, ...]:
    """The datatypes that a word such as ``number`` or ``Date`` stands for; none for any other word."""
    if word.lower() in ("value", "list"):
        return (ANY_VALUE,)
    return tuple(XSD + name for name in _KINDS.get(word.lower(), ()))


def label_of(name: str) -> str:
    """A label as running text has it: a name of a schema (``recordLabel``, ``WORKS_AT``) becomes words."""
    plain = " ".join(name.split())
    inner = any(a.islower() and b.isupper() for a, b in pairwise(plain))
    return words_of(plain) if plain and " " not in plain and ("_" in plain or inner) else plain


def slug(name: str) -> str:
    """A name as the end of an IRI: spaces as underscores, all but letters, digits and ``-._`` escaped."""
    return quote("_".join(name.split()), safe="")


@dataclass(slots=True)
class _Class:
    labels: dict[str, None] = field(default_factory=dict)
    description: str = ""
    above: set[str] = field(default_factory=set)
    disjoint: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Property:
    labels: dict[str, None] = field(default_factory=dict)
    description: str = ""
    patterns: set[Pattern] = field(default_factory=set)
    #: Those that a person wrote out, any thing included.
    written: set[Pattern] = field(default_factory=set)
    single: set[str] = field(default_factory=set)
    unit: str = ""
    allowed: list[tuple[str | RdfLiteral, ...]] = field(default_factory=list)
    target: str = ANYTHING


@dataclass(slots=True)
class Draft:
    """What was read so far. ``closed`` is what a file says of it, None where none does."""

    closed: bool | None = None
    _classes: dict[str, _Class] = field(default_factory=dict)
    _properties: dict[str, _Property] = field(default_factory=dict)
    _remarks: dict[str, None] = field(default_factory=dict)

    def remark(self, text: str) -> None:
        """Notes something that is read but not checked."""
        self._remarks[text] = None

    def add_class(
        self,
        iri: str,
        *,
        labels: Iterable[str] = (),
        description: str = "",
        above: Iterable[str] = (),
        disjoint: Iterable[str] = (),
    ) -> None:
        """Adds a class, or more of one."""
        known = self._classes.setdefault(iri, _Class())
        known.labels.update(dict.fromkeys(each for each in map(label_of, labels) if each))
        known.description = known.description or " ".join(description.split())
        known.above.update(each for each in above if each not in (iri, *_PLACES))
        for each in disjoint:
            if each != iri:
                known.disjoint.add(each)
                self._classes.setdefault(each, _Class()).disjoint.add(iri)

    def add_words(self, iri: str, *, labels: Iterable[str] = (), description: str = "", target: str = "") -> None:
        """Adds a property, or words of one; ``target`` is where it leads when no pattern says so."""
        known = self._properties.setdefault(iri, _Property())
        known.labels.update(dict.fromkeys(each for each in map(label_of, labels) if each))
        known.description = known.description or " ".join(description.split())
        known.target = target or known.target

    def add_use(
        self,
        iri: str,
        patterns: Iterable[Pattern],
        *,
        single: Iterable[str] = (),
        unit: str = "",
        allowed: Iterable[str | RdfLiteral] | None = None,
        written: bool = False,
    ) -> None:
        """Adds ways to use a property.

        Args:
            allowed: an empty list where these ways know no list of values.
            written: whether "any thing" in them is meant, and does not stand for an end of which nothing is said.
        """
        known = self._properties.setdefault(iri, _Property())
        ways = tuple(patterns)
        known.patterns.update(ways)
        if written:
            known.written.update(ways)
        known.single.update(single)
        known.unit = known.unit or unit
        if allowed is not None:
            known.allowed.append(tuple(allowed))

    def has_property(self, iri: str) -> bool:
        """Whether a property was added."""
        return iri in self._properties

    def guardrail(self, *, closed: bool | None = None) -> Guardrail:
        """What was read. ``closed`` goes before what the files say; without either it is closed."""
        for known in self._properties.values():
            for pattern in known.patterns:
                for end in (pattern.source, pattern.target):
                    if end not in _PLACES and not is_datatype(end):
                        self._classes.setdefault(end, _Class())
        for each in list(self._classes.values()):
            for other in (*each.above, *each.disjoint):
                self._classes.setdefault(other, _Class())
        chosen = closed if closed is not None else self.closed if self.closed is not None else True
        return Guardrail.of(
            [_class(iri, each) for iri, each in self._classes.items()],
            [_property(iri, each) for iri, each in self._properties.items()],
            closed=chosen,
            remarks=sorted(self._remarks),
        )


def _labels(iri: str, labels: Iterable[str]) -> tuple[str, ...]:
    from urllib.parse import unquote

    return tuple(labels) or (label_of(unquote(local_name(iri)).replace("_", " ")),)


def _class(iri: str, made: _Class) -> OntologyClass:
    return OntologyClass(
        iri=iri,
        labels=_labels(iri, made.labels),
        description=made.description,
        above=tuple(sorted(made.above)),
        disjoint=tuple(sorted(made.disjoint)),
    )


def _property(iri: str, made: _Property) -> Property:
    lists = made.allowed
    allowed = {each for listed in lists for each in listed} if lists and all(lists) else set()
    return Property(
        iri=iri,
        labels=_labels(iri, made.labels),
        description=made.description,
        patterns=tuple(sorted(_constrained(made.patterns) | made.written or {Pattern(ANY_THING, made.target)})),
        single=tuple(sorted(made.single)),
        unit=made.unit,
        allowed=tuple(sorted(allowed, key=lambda each: each if isinstance(each, str) else literal_text(each))),
    )


def _constrained(patterns: set[Pattern]) -> set[Pattern]:
    """The patterns without those of which one side says nothing, where another says something in its place."""
    said = {each.source for each in patterns if each.target != ANYTHING}
    found = {each for each in patterns if each.target != ANYTHING or each.source not in said}
    targets = {each.target for each in found if each.source != ANY_THING}
    return {each for each in found if each.source != ANY_THING or each.target not in targets}
