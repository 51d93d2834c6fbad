"""What an ontology allows: classes, properties, and which classes a property may lead from and to.

Invariants: frozen and sorted, so that equal ontologies are equal values with equal hashes, whatever they were read
from; closures over subclasses and disjoint classes are taken once. Nothing is inferred of a thing from a property that
it has. A guardrail is closed unless it says otherwise: what it does not name is refused.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from hashlib import sha256
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.names import folded
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, XSD, RdfLiteral, literal_text, spoken_name

if TYPE_CHECKING:
    from imprimatur.ingest.candidate import Candidate, Refusal, Value

__all__ = [
    "ANYTHING",
    "ANY_THING",
    "ANY_VALUE",
    "Guardrail",
    "OntologyClass",
    "Pattern",
    "Property",
    "is_datatype",
    "word_key",
    "words_of",
]

#: What may stand in a pattern beside classes and datatypes: any thing, any literal, either.
ANY_THING, ANY_VALUE, ANYTHING = OWL + "Thing", RDFS + "Literal", RDFS + "Resource"
_DATATYPES_OUTSIDE_XSD = (RDF + "langString", RDF + "HTML", RDF + "JSON", ANY_VALUE)


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """One way in which a property may be used.

    Attributes:
        source: the class of subjects; ``ANY_THING`` for any.
        target: a class, a datatype, ``ANY_THING``, ``ANY_VALUE``, or ``ANYTHING`` where the ontology does not say.
    """

    source: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyClass:
    """A class.

    Attributes:
        labels: what it is called in running text, the main label first.
        above: classes that it is declared to be a kind of. disjoint: classes that share no member with it.
    """

    iri: str
    labels: tuple[str, ...]
    description: str = ""
    above: tuple[str, ...] = ()
    disjoint: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The main label."""
        return self.labels[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A property: a relation where it leads to things, an attribute where it leads to values, or both.

    Attributes:
        labels: what it is called in running text, the main label first.
        patterns: how it may be used, sorted; never empty.
        single: classes whose members have one value at most; ``ANY_THING`` where that holds of all.
        unit: the IRI of the unit in which its numbers are stored; "" where there is none.
        allowed: the only values that there may be (IRIs and literals); empty for no such list.
    """

    iri: str
    labels: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    description: str = ""
    single: tuple[str, ...] = ()
    unit: str = ""
    allowed: tuple[str | RdfLiteral, ...] = ()

    @property
    def name(self) -> str:
        """The main label."""
        return self.labels[0]

    @property
    def functional(self) -> bool:
        """Whether everything has one value at most."""
        return ANY_THING in self.single

    @property
    def leads_to_things(self) -> bool:
        """Whether a thing may be its value."""
        return any(not is_datatype(each.target) for each in self.patterns)

    @property
    def leads_to_values(self) -> bool:
        """Whether a literal may be its value."""
        return any(is_datatype(each.target) or each.target == ANYTHING for each in self.patterns)

    @property
    def datatypes(self) -> tuple[str, ...]:
        """The datatypes of its values, sorted; ``ANY_VALUE`` among them where any will do."""
        found = {ANY_VALUE if each.target == ANYTHING else each.target for each in self.patterns}
        return tuple(sorted(each for each in found if is_datatype(each)))


@dataclass(frozen=True, slots=True)
class _Lookups:
    """What is looked up by IRI and by words."""

    classes: Mapping[str, OntologyClass]
    properties: Mapping[str, Property]
    above: Mapping[str, frozenset[str]]
    apart: frozenset[frozenset[str]]
    named_classes: Mapping[str, tuple[str, ...]]
    named_properties: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guardrail:
    """What may be said. Make it with ``Guardrail.of``, or of files with ``ontology_files.read_guardrail``.

    Attributes:
        classes, properties: sorted by IRI.
        closed: whether classes and properties that it does not name are refused.
        remarks: what the files say that is no pattern and is not checked here, in words.
    """

    classes: tuple[OntologyClass, ...]
    properties: tuple[Property, ...]
    closed: bool = True
    remarks: tuple[str, ...] = ()
    _found: _Lookups = field(repr=False, compare=False)

    @classmethod
    def of(
        cls,
        classes: Iterable[OntologyClass],
        properties: Iterable[Property],
        *,
        closed: bool = True,
        remarks: Iterable[str] = (),
    ) -> Guardrail:
        """The guardrail of some classes and properties, each IRI once."""
        known = tuple(sorted(classes, key=lambda each: each.iri))
        related = tuple(sorted(properties, key=lambda each: each.iri))
        found = _lookups(known, related)
        return cls(classes=known, properties=related, closed=closed, remarks=tuple(remarks), _found=found)

    @property
    def relations(self) -> tuple[Property, ...]:
        """The properties that may lead to things."""
        return tuple(each for each in self.properties if each.leads_to_things)

    @property
    def attributes(self) -> tuple[Property, ...]:
        """The properties that may lead to values."""
        return tuple(each for each in self.properties if each.leads_to_values)

    def class_(self, iri: str) -> OntologyClass | None:
        """The class of an IRI; None where it is not named."""
        return self._found.classes.get(iri)

    def property_(self, iri: str) -> Property | None:
        """The property of an IRI; None where it is not named."""
        return self._found.properties.get(iri)

    def classes_named(self, words: str) -> tuple[str, ...]:
        """The IRIs of the classes that bear a name, however it is written ("film award", "FilmAward")."""
        return self._found.named_classes.get(word_key(words), ())

    def properties_named(self, words: str) -> tuple[str, ...]:
        """The IRIs of the properties that bear a name, however it is written ("works at", "WORKS_AT", "worksAt")."""
        return self._found.named_properties.get(word_key(words), ())

    def above(self, iri: str) -> frozenset[str]:
        """A class and all that it is a kind of, by declaration; the class alone where it is not named."""
        return self._found.above.get(iri) or frozenset((iri,))

    def is_a(self, classes: Collection[str], wanted: str) -> bool:
        """Whether something that is taken for these classes counts as a member of another."""
        return wanted in (ANY_THING, ANYTHING) or any(wanted in self.above(each) for each in classes)

    def disjoint(self, left: str, right: str) -> bool:
        """Whether two classes share no member, by declaration or by inheritance."""
        pairs = self._found.apart
        return bool(pairs) and any(frozenset((a, b)) in pairs for a in self.above(left) for b in self.above(right))

    def refusals(self, candidate: Candidate, held: Iterable[Value] = ()) -> tuple[Refusal, ...]:
        """All that speaks against letting a candidate in, by what its things are taken for; see ``refusing``.

        Args:
            candidate: what is proposed.
            held: values of the same subject and property that are there already.
        """
        from imprimatur.ingest.refusing import refusals

        return refusals(self, candidate, held)

    @property
    def content_hash(self) -> str:
        """A SHA-256 of all that is allowed, and of whether that is all."""
        said = {
            "classes": [[c.iri, c.labels, c.description, c.above, c.disjoint] for c in self.classes],
            "properties": [_said(each) for each in self.properties],
            "closed": self.closed,
        }
        return sha256(json.dumps(said, sort_keys=True, ensure_ascii=True).encode()).hexdigest()

    def to_turtle(self) -> str:
        """The same as an ontology file for a knowledge base, so that answers are judged in the same words."""
        from imprimatur.ingest.ontology_turtle import turtle

        return turtle(self)


def _said(each: Property) -> list[object]:
    allowed = [value if isinstance(value, str) else literal_text(value) for value in each.allowed]
    patterns = [[pattern.source, pattern.target] for pattern in each.patterns]
    return [each.iri, each.labels, each.description, patterns, each.single, each.unit, allowed]


def _lookups(classes: tuple[OntologyClass, ...], properties: tuple[Property, ...]) -> _Lookups:
    direct = {each.iri: each.above for each in classes}
    return _Lookups(
        classes={each.iri: each for each in classes},
        properties={each.iri: each for each in properties},
        above={iri: _closure(iri, direct) for iri in direct},
        apart=frozenset(frozenset((each.iri, other)) for each in classes for other in each.disjoint),
        named_classes=_by_name(classes),
        named_properties=_by_name(properties),
    )


def _closure(start: str, direct: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    seen = {start: None}
    for each in (queue := [start]):
        new = [other for other in direct.get(each, ()) if other not in seen]
        seen.update(dict.fromkeys(new))
        queue += new
    return frozenset(seen)


def _by_name(named: Iterable[OntologyClass | Property]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for each in named:
        for label in (*each.labels, spoken_name(each.iri)):
            found.setdefault(word_key(label), {})[each.iri] = None
    return {key: tuple(iris) for key, iris in found.items()}


def is_datatype(iri: str) -> bool:
    """Whether an IRI is that of a datatype of XSD or RDF, or stands for any."""
    return iri.startswith(XSD) or iri in _DATATYPES_OUTSIDE_XSD


def words_of(name: str) -> str:
    """A name of a schema as words: "WORKS_AT" gives "works at", "recordLabel" "record label", "NGO" "NGO"."""
    spaced = " ".join(name.replace("-", " ").replace("_", " ").split()) if name.isupper() else spoken_name(name)
    if name.isupper() and "_" in name:
        return spaced.lower()
    words = spaced.split()
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words) or name


def word_key(text: str) -> str:
    """A name as it is compared: its words without accents, in small letters."""
    return folded(words_of(text))
