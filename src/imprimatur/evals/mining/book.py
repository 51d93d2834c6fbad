"""A second opinion on what a knowledge base says: its triples and what follows from them, worked out from scratch.

``Book`` knows labels, stored triples and the axioms that are in common use: sub-properties and sub-classes,
equivalents, inverses, symmetry, transitivity, chains of properties, ``owl:sameAs``, functional properties, disjoint
classes. All that follows is written out beforehand (forward chaining), where the judge follows axioms from a question
backwards. Invariant: no module that reads or judges answers is imported here, so that gold labels do not rest on what
they measure. ``unknown`` names the axioms of the ontology that are not followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from imprimatur.errors import InputError

__all__ = ["RDF_TYPE", "Book", "Literal", "Node", "Triple", "number_of"]

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = _RDF + "type"
_VOCABULARIES = (_RDF, _RDFS, _OWL, "http://www.w3.org/ns/shacl#")
#: Classes whose members may be anything.
_OF_THINGS = (_OWL + "NamedIndividual", _OWL + "Thing", _RDFS + "Resource")
#: More is refused: a closure without end would use up the machine.
_MOST = 4_000_000
#: Axioms that say something of facts and are not followed here.
_UNKNOWN = (
    *("hasValue", "intersectionOf", "unionOf", "oneOf", "someValuesFrom", "allValuesFrom", "hasKey", "complementOf"),
    *("maxCardinality", "maxQualifiedCardinality", "qualifiedCardinality", "cardinality", "AsymmetricProperty"),
    *("IrreflexiveProperty", "propertyDisjointWith", "AllDisjointProperties", "NegativePropertyAssertion"),
    *("differentFrom", "disjointUnionOf", "hasSelf", "ReflexiveProperty"),
)
_NUMERIC = frozenset(
    _XSD + name
    for name in (
        *("integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger"),
        *("positiveInteger", "negativeInteger", "nonPositiveInteger", "unsignedInt", "unsignedLong", "unsignedShort"),
    )
)


class Literal(NamedTuple):
    """A value as it is written, with its datatype (an IRI) or its language."""

    text: str
    datatype: str = ""
    language: str = ""


#: An IRI, a blank node (``_:…``), or a value.
Node: TypeAlias = str | Literal
Triple: TypeAlias = tuple[str, str, Node]


def number_of(node: Node) -> Fraction | None:
    """The number that a value is; None for all else."""
    if not isinstance(node, Literal) or node.datatype not in _NUMERIC:
        return None
    try:
        return Fraction(node.text.strip())
    except (ValueError, ZeroDivisionError):
        return None


class Book:
    """All triples of a graph, stored and entailed.

    Args:
        triples: those that are stored, with the ontology's.

    Raises:
        InputError: more follows than can be written out.
    """

    def __init__(self, triples: Iterable[Triple]) -> None:
        self.stored: dict[Triple, None] = dict.fromkeys(triples)
        self.out: dict[str, dict[str, dict[Node, None]]] = defaultdict(lambda: defaultdict(dict))
        self._into: dict[str, dict[Node, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
        axioms = _Axioms(self.stored)
        self.functional, self.unknown = axioms.functional, axioms.unknown
        self._axioms = axioms
        self._close()
        self._neighbours: dict[tuple[str, Node], set[str]] = defaultdict(set)
        for subject, properties in self.out.items():
            for name, values in properties.items():
                for value in values:
                    self._neighbours[subject, value].add(name)

    def _close(self) -> None:
        waiting = list(self.stored)
        count = 0
        while waiting:
            subject, name, value = waiting.pop()
            values = self.out[subject][name]
            if value in values:
                continue
            count += 1
            if count > _MOST:
                raise InputError(
                    f"more than {_MOST:,} facts follow from the graph", hint="measure on a part of the knowledge base"
                )
            values[value] = None
            self._into[name][value][subject] = None
            waiting += self._follow(subject, name, value)

    def _follow(self, subject: str, name: str, value: Node) -> Iterator[Triple]:
        axioms = self._axioms
        for other in axioms.above.get(name, ()):
            yield subject, other, value
        if name == RDF_TYPE and isinstance(value, str):
            for wider in axioms.wider.get(value, ()):
                yield subject, name, wider
        for same in axioms.same.get(subject, ()):
            yield same, name, value
        if isinstance(value, str):
            for same in axioms.same.get(value, ()):
                yield subject, name, same
            for other in axioms.inverse.get(name, ()):
                yield value, other, subject
            if name in axioms.transitive:
                for far in self.out[value][name] if value in self.out else ():
                    yield subject, name, far
                for near in self._into[name].get(subject, ()):
                    yield near, name, value
        for head, links, place in axioms.chains.get(name, ()):
            starts = self._along([subject], [(link, not back) for link, back in reversed(links[:place])])
            ends = self._along([value], links[place + 1 :])
            if links[place][1]:
                starts = self._along([value], [(link, not back) for link, back in reversed(links[:place])])
                ends = self._along([subject], links[place + 1 :])
            for start in starts:
                if isinstance(start, str):
                    for end in ends:
                        yield start, head, end

    def _along(self, nodes: Iterable[Node], links: Iterable[tuple[str, bool]]) -> list[Node]:
        """What is reached from some nodes along properties, each followed backwards where it says so."""
        found = list(nodes)
        for name, back in links:
            step: dict[Node, None] = {}
            for node in found:
                if back:
                    step.update(self._into[name].get(node, {}))
                elif isinstance(node, str) and node in self.out:
                    step.update(self.out[node].get(name, {}))
            found = list(step)
        return found

    # -- asking -------------------------------------------------------------------------------------------------------
    def values(self, subject: str, name: str) -> tuple[Node, ...]:
        """The values of a property of a thing, stored and entailed."""
        return tuple(self.out[subject].get(name, ())) if subject in self.out else ()

    def holds(self, subject: str, name: str, value: Node) -> bool:
        """Whether a triple is stored or follows, numbers compared as numbers."""
        values = self.values(subject, name)
        number = number_of(value)
        return value in values or (number is not None and any(number_of(each) == number for each in values))

    def related(self, one: str, other: Node) -> bool:
        """Whether any property leads from one thing to another, or back."""
        back = isinstance(other, str) and self._neighbours.get((other, one))
        return bool(self._neighbours.get((one, other)) or back)

    def subjects(self, name: str) -> dict[str, None]:
        """The things that have a property, stored or entailed, in the order of the files."""
        return {subject: None for subject, properties in self.out.items() if properties.get(name)}

    def objects(self, name: str) -> list[Node]:
        """The distinct values of a property, in the order of the files."""
        return [value for value, subjects in self._into.get(name, {}).items() if subjects]

    def classes(self, thing: Node) -> frozenset[str]:
        """All classes of a thing."""
        kinds = self.values(thing, RDF_TYPE) if isinstance(thing, str) else ()
        return frozenset(kind for kind in kinds if isinstance(kind, str))

    def singles(self, name: str) -> tuple[str, ...]:
        """The property and those above it of which a thing has one value at most."""
        above = (name, *self._axioms.above.get(name, ()))
        return tuple(each for each in above if each in self.functional)

    def one_each(self, name: str) -> bool:
        """Whether no two things share a value of a property."""
        above = (name, *self._axioms.above.get(name, ()))
        backwards = {other for each in above for other in self._axioms.inverse.get(each, ())}
        return bool(self._axioms.inverse_functional.intersection(above) or self.functional & backwards)

    def kin(self, name: str) -> frozenset[str]:
        """The properties that have one above or below them in common with a property, itself among them."""
        found, waiting = {name}, [name]
        links = [(one, other) for one, above in self._axioms.above.items() for other in above]
        while waiting:
            at = waiting.pop()
            near = {other for one, other in links if one == at} | {one for one, other in links if other == at}
            near |= self._axioms.inverse.get(at, set()) | {
                n for n, others in self._axioms.inverse.items() if at in others
            }
            waiting += near - found
            found |= near
        return frozenset(found)

    def same(self, one: Node, other: Node) -> bool:
        """Whether two names are of one thing."""
        return one == other or (isinstance(one, str) and other in self._axioms.same.get(one, ()))

    def disjoint(self, thing: str, kind: str) -> bool:
        """Whether no member of the class can be what a thing is."""
        others = {kind, *self._axioms.wider.get(kind, ())}
        return any(frozenset((own, other)) in self._axioms.disjoint for own in self.classes(thing) for other in others)

    def is_vocabulary(self, node: str) -> bool:
        """Whether a node is a term of the ontology or of RDF, and no thing that facts are about."""
        return node in self._axioms.terms or node.startswith(_VOCABULARIES)


class _Axioms:
    """What the ontology says, read from its triples; closures of sub-properties and sub-classes taken once."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._by: dict[str, list[tuple[str, Node]]] = defaultdict(list)
        self._of: dict[str, dict[str, Node]] = defaultdict(dict)
        for subject, name, value in triples:
            if name.startswith(_VOCABULARIES[:3]):
                self._by[name].append((subject, value))
                self._of[subject][name] = value
        kinds: dict[Node, set[str]] = defaultdict(set)
        for subject, kind in self._by[RDF_TYPE]:
            kinds[kind].add(subject)
        self.inverse_functional = frozenset(kinds[_OWL + "InverseFunctionalProperty"])
        self.transitive = frozenset(kinds[_OWL + "TransitiveProperty"])
        self.above = _closed(self._pairs(_RDFS + "subPropertyOf", _OWL + "equivalentProperty"))
        single = kinds[_OWL + "FunctionalProperty"]
        below = {name for name, above in self.above.items() if single.intersection(above)}
        self.functional = frozenset(single | below)
        self.wider = _closed(self._pairs(_RDFS + "subClassOf", _OWL + "equivalentClass"))
        self.same = _closed(self._pairs(None, _OWL + "sameAs"))
        self.inverse: dict[str, set[str]] = defaultdict(set)
        for one, other in self._by[_OWL + "inverseOf"]:
            if isinstance(other, str) and not one.startswith("_:"):
                self.inverse[one].add(other)
                self.inverse[other].add(one)
        for name in kinds[_OWL + "SymmetricProperty"]:
            self.inverse[name].add(name)
        self.disjoint = frozenset(self._disjoint(kinds[_OWL + "AllDisjointClasses"]))
        self.chains = self._chains()
        self.terms = frozenset(self._terms(kinds))
        used = {name for name in self._by if name.startswith(_OWL)} | {k for k in kinds if isinstance(k, str)}
        self.unknown = tuple(name for name in _UNKNOWN if _OWL + name in used)

    def _pairs(self, narrow: str | None, equal: str) -> Iterator[tuple[str, str]]:
        for one, other in self._by[narrow] if narrow else ():
            if isinstance(other, str):
                yield one, other
        for one, other in self._by[equal]:
            if isinstance(other, str):
                yield one, other
                yield other, one

    def _disjoint(self, groups: Iterable[str]) -> Iterator[frozenset[str]]:
        for one, other in self._by[_OWL + "disjointWith"]:
            if isinstance(other, str):
                yield frozenset((one, other))
        for group in groups:
            members = [m for m in self._list(self._of[group].get(_OWL + "members")) if isinstance(m, str)]
            yield from (frozenset((a, b)) for n, a in enumerate(members) for b in members[n + 1 :])

    def _chains(self) -> dict[str, list[tuple[str, list[tuple[str, bool]], int]]]:
        found: dict[str, list[tuple[str, list[tuple[str, bool]], int]]] = defaultdict(list)
        for head, chain in self._by[_OWL + "propertyChainAxiom"]:
            links: list[tuple[str, bool]] = []
            for link in self._list(chain):
                back = self._of[link].get(_OWL + "inverseOf") if str(link).startswith("_:") else None
                links.append((str(back), True) if back is not None else (str(link), False))
            for place, (name, _) in enumerate(links):
                found[name].append((head, links, place))
        return found

    def _list(self, node: Node | None) -> list[str]:
        """The members of an RDF list."""
        found: list[str] = []
        while isinstance(node, str) and node in self._of and len(found) < 1000:
            member = self._of[node].get(_RDF + "first")
            if isinstance(member, str):
                found.append(member)
            node = self._of[node].get(_RDF + "rest")
        return found

    def _terms(self, kinds: dict[Node, set[str]]) -> Iterator[str]:
        for kind, members in kinds.items():
            if isinstance(kind, str) and kind.startswith(_VOCABULARIES) and kind not in _OF_THINGS:
                yield from members
            elif isinstance(kind, str):
                yield kind
        for name, pairs in self._by.items():
            if name.startswith((_RDFS + "sub", _RDFS + "domain", _RDFS + "range")):
                yield from (subject for subject, _ in pairs)


def _closed(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """All that is reached from each node, itself left out."""
    steps: dict[str, dict[str, None]] = defaultdict(dict)
    for one, other in pairs:
        steps[one][other] = None
    found: dict[str, tuple[str, ...]] = {}
    for start in list(steps):
        reached: dict[str, None] = {}
        waiting = list(steps[start])
        while waiting:
            node = waiting.pop()
            if node not in reached and node != start:
                reached[node] = None
                waiting += steps.get(node, ())
        found[start] = tuple(reached)
    return found
