"""Which attributes a graph lacks: what most things of a class have, or its shapes ask for, and some of them do not.

Contract: the same knowledge base gives the same gaps in the same order. A value that a model made fills no gap: it is
counted apart, as ``proposed``. Nothing is missing of a property that the operator declares complete, nor of a
transitive one, which follows from others. A value counts by whatever says it: the property, one below it, its inverse.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.knowledge import GraphPart, Knowledge
from imprimatur.sources.graph.schema import PropertyInfo, Schema
from imprimatur.sources.graph.terms import RDF, RDFS, UNNAMED, RdfLiteral, parse_number

if TYPE_CHECKING:
    from imprimatur.sources.shacl.facts import Facts

__all__ = ["FEWEST", "LEAST", "Gap", "Lack", "gaps_of", "wanted_by_shapes"]

#: The share of a class that must have a property for the others to lack it, and how many members the class must have.
LEAST = 0.5
FEWEST = 3
_MODEL = "model"
#: A class of more members is not looked through.
_MOST_MEMBERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Gap:
    """A thing without a value of a property; both by IRI."""

    thing: str
    property: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """A property that members of a class lack.

    Attributes:
        cls, relation: IRIs of the class and the property. names: what both are called.
        have: how many members have a value that no model made. proposed: how many have only one that a model made.
        things: the members that have none of either, by IRI, sorted. Things without a name are not among them.
        by_shape: whether a shape asks for it.
    """

    cls: str
    relation: str
    names: tuple[str, str]
    have: int
    proposed: int
    things: tuple[str, ...]
    members: int
    by_shape: bool = False

    @property
    def share(self) -> float:
        """The part of the members that has it, 0 to 1."""
        return self.have / self.members if self.members else 0.0


def gaps_of(
    knowledge: Knowledge, *, cls: str | None = None, property_: str | None = None, least: float = LEAST
) -> tuple[Lack, ...]:
    """What is lacking, by class and property.

    Args:
        knowledge: the whole knowledge base, with the files of every trust class.
        cls, property_: the IRI of the only class or property that is looked at.
        least: the share of a class that must have a property. What shapes ask for needs none.

    Raises:
        KnowledgeBaseError: it has no graph, or a shapes file is malformed.
    """
    part = knowledge.part
    if part is None:
        hint = "name a graph's files under `graph: {data: [...]}` in imprimatur.yaml"
        raise KnowledgeBaseError("has no graph", where=str(knowledge.config.folder), hint=hint)
    wanted = wanted_by_shapes(knowledge.config.graph.shapes)
    looking = _Looking(part, property_)
    classes = sorted(part.schema.classes) if cls is None else [cls]
    found = [lack for each in classes for lack in looking.lacks(each, wanted.get(each, frozenset()), least)]
    return tuple(_without_repeats(found, part.schema))


class _Looking:
    """Counts which members of a class have which properties."""

    def __init__(self, part: GraphPart, only: str | None) -> None:
        self._graph, self._schema = part.graph, part.schema
        self._type = part.graph.id(RDF + "type")
        self._counted: dict[int, tuple[PropertyInfo, ...]] = {}
        self._mirrored: dict[int, tuple[PropertyInfo, ...]] = {}
        self._only = only
        self._models = {n for n, origin in enumerate(part.graph.origins) if origin.trust == _MODEL}
        for info in part.schema.properties.values():
            self._count(info)

    def _count(self, info: PropertyInfo) -> None:
        """Notes by what a value of a property is said."""
        if info.complete or info.event or info.transitive or (self._only is not None and info.iri != self._only):
            return
        for iri in (info.iri, *info.subs):
            if (number := self._graph.id(iri)) is not None:
                self._counted[number] = (*self._counted.get(number, ()), info)
        for iri in (*info.inverses, *((info.iri,) if info.symmetric else ())):
            if (number := self._graph.id(iri)) is not None:
                self._mirrored[number] = (*self._mirrored.get(number, ()), info)

    def lacks(self, cls: str, asked: Collection[str], least: float) -> Iterator[Lack]:
        """What members of a class lack, by property."""
        members = self._members(cls)
        if not members:
            return
        have: dict[str, set[int]] = {iri: set() for iri in asked if self._of_interest(iri)}
        proposed: dict[str, set[int]] = {}
        for member in members:
            for iri, made in self._values(member):
                (proposed if made else have).setdefault(iri, set()).add(member)
        for iri in sorted(have):
            by_shape = iri in asked
            enough = len(members) >= FEWEST and len(have[iri]) >= least * len(members)
            if not (by_shape or (enough and have[iri])) or not self._may_bear(cls, iri):
                continue
            only = proposed.get(iri, set()) - have[iri]
            without = [m for m in members if m not in have[iri] and m not in only and self._named(m)]
            if without or only:
                names = (self._name(cls), self._name(iri))
                things = tuple(sorted(self._graph.iri(m) for m in without))
                numbers = {"have": len(have[iri]), "proposed": len(only), "members": len(members)}
                yield Lack(cls=cls, relation=iri, names=names, things=things, by_shape=by_shape, **numbers)

    def _of_interest(self, iri: str) -> bool:
        info = self._schema.property(iri)
        return not (info and info.complete) and (self._only is None or iri == self._only)

    def _members(self, cls: str) -> list[int]:
        known = self._schema.class_(cls)
        if self._type is None or known is None or known.instances > _MOST_MEMBERS:
            return []
        found: dict[int, None] = {}
        for iri in (cls, *known.subs):
            number = self._graph.id(iri)
            found |= dict.fromkeys(self._graph.subjects(self._type, number) if number is not None else ())
        return [member for member in found if self._graph.is_iri(member)]

    def _values(self, member: int) -> Iterator[tuple[str, bool]]:
        """The properties that a thing has values of, each with whether a model made the value."""
        for p, o in self._graph.out(member):
            for info in self._counted.get(p, ()):
                yield info.iri, self._made((member, p, o))
        for s, p in self._graph.into(member) if self._mirrored else ():
            for info in self._mirrored.get(p, ()):
                yield info.iri, self._made((s, p, member))

    def _made(self, triple: tuple[int, int, int]) -> bool:
        return bool(self._models) and self._graph.origin(*triple).trust == _MODEL

    def _may_bear(self, cls: str, iri: str) -> bool:
        """Whether a property is of this class at all, as far as its domain says."""
        info, known = self._schema.property(iri), self._schema.class_(cls)
        if info is None or not info.domains or known is None:
            return True
        return any(domain in (cls, *known.supers) for domain in info.domains)

    def _named(self, member: int) -> bool:
        return bool(self._graph.named(member)) or not self._graph.iri(member).startswith(UNNAMED)

    def _name(self, iri: str) -> str:
        number = self._graph.id(iri)
        return iri if number is None else self._graph.label(number)


def _without_repeats(found: Iterable[Lack], schema: Schema) -> Iterator[Lack]:
    """The gaps without those of a class all of which its subclasses have been told to lack already."""
    told: dict[str, list[Lack]] = {}
    each = list(found)
    for lack in each:
        told.setdefault(lack.relation, []).append(lack)
    for lack in each:
        known = schema.class_(lack.cls)
        below = set(known.subs) - {lack.cls} if known is not None else set()
        named = {thing for other in told[lack.relation] if other.cls in below for thing in other.things}
        if not lack.things or not named.issuperset(lack.things):
            yield lack


def wanted_by_shapes(files: Iterable[Path]) -> Mapping[str, frozenset[str]]:
    """By class, the properties of which its shapes want a value (``sh:minCount`` of 1 or more, W3C SHACL 4.2.1).

    Shapes count that name a class as their target, or are one themselves, and whose path is one property.

    Raises:
        KnowledgeBaseError: a file cannot be read.
    """
    paths = tuple(files)
    if not paths:
        return {}
    from imprimatur.sources.shacl.facts import read_facts

    facts = read_facts(paths)
    wanted: dict[str, set[str]] = {}
    for shape in dict.fromkeys(facts.subjects(_SH + "property")):
        classes = [each for each in facts.sh(shape, "targetClass") if isinstance(each, str)]
        if any(kind in (RDFS + "Class", _OWL_CLASS) for kind in facts.values(shape, RDF + "type")):
            classes.append(shape)
        if classes and not _off(facts, shape):
            asked = {path for each in facts.sh(shape, "property") for path in _asked(facts, each)}
            for cls in classes:
                wanted.setdefault(cls, set()).update(asked)
    return {cls: frozenset(each) for cls, each in sorted(wanted.items()) if each}


_SH = "http://www.w3.org/ns/shacl#"
_OWL_CLASS = "http://www.w3.org/2002/07/owl#Class"


def _asked(facts: Facts, shape: str | RdfLiteral) -> Iterator[str]:
    """The property of a property shape that wants a value."""
    paths = [each for each in facts.sh(shape, "path") if isinstance(each, str) and not each.startswith("_:")]
    least = [each for each in facts.sh(shape, "minCount") if isinstance(each, RdfLiteral)]
    counts = [parse_number(each.lexical, each.datatype) for each in least]
    if len(paths) == 1 and any(count is not None and count >= 1 for count in counts) and not _off(facts, shape):
        yield paths[0]


def _off(facts: Facts, shape: str | RdfLiteral) -> bool:
    return any(
        isinstance(each, RdfLiteral) and each.lexical in ("true", "1") for each in facts.sh(shape, "deactivated")
    )
