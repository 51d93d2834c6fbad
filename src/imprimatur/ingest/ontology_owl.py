"""What RDFS and OWL say that may be said: classes, domains, ranges, and what has one value only.

Read: rdfs:subClassOf, owl:equivalentClass, owl:unionOf, owl:intersectionOf, owl:disjointWith, owl:AllDisjointClasses,
owl:disjointUnionOf, rdfs:domain and rdfs:range (several are alternatives, as everywhere in this package),
schema:domainIncludes and rangeIncludes, rdfs:subPropertyOf and owl:inverseOf (a property without domain or range has
that of the one above it, or the other side's), owl:FunctionalProperty, datatypes and owl:oneOf, and the unit of QUDT.
Restrictions of single classes are named in a remark: shapes and axioms of the knowledge base see to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from imprimatur.ingest.ontology import ANY_THING, ANY_VALUE, ANYTHING, Pattern, is_datatype
from imprimatur.ingest.ontology_draft import Draft, datatypes_of
from imprimatur.sources.graph.labels import ALTERNATIVE, MAIN, rank_of
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SCHEMA, SH, SKOS, RdfLiteral, local_name, spoken_name
from imprimatur.sources.shacl.facts import Facts
from imprimatur.sources.shacl.view import Term

__all__ = ["UNITS", "read_owl", "words"]

_VOCABULARIES = (RDF, RDFS, OWL, SH)
_CLASSES = (OWL + "Class", RDFS + "Class")
_KINDS = ("ObjectProperty", "DatatypeProperty", "FunctionalProperty", "InverseFunctionalProperty", "SymmetricProperty")
_PROPERTIES = (RDF + "Property", *(OWL + name for name in (*_KINDS, "TransitiveProperty")))
_DOMAINS = (RDFS + "domain", *(each + "domainIncludes" for each in SCHEMA))
_RANGES = (RDFS + "range", *(each + "rangeIncludes" for each in SCHEMA))
UNITS = ("http://qudt.org/schema/qudt/hasUnit", "http://qudt.org/schema/qudt/unit")


def words(facts: Facts, subject: str) -> tuple[tuple[str, ...], str]:
    """The labels of a term, the main ones first, those in English or no language if there are any; and its comment."""

    def texts(predicates: Iterable[str]) -> list[RdfLiteral]:
        found = [value for each in predicates for value in facts.values(subject, each)]
        literals = [each for each in found if isinstance(each, RdfLiteral) and each.lexical.strip()]
        return sorted(literals, key=lambda each: rank_of(each.lang))

    labels = [*texts(MAIN), *texts(ALTERNATIVE)]
    own = [each for each in labels if not rank_of(each.lang)] or labels[:1]
    comments = texts((RDFS + "comment", SKOS + "definition", SH + "description"))
    return tuple(dict.fromkeys(each.lexical for each in own)), comments[0].lexical if comments else ""


def read_owl(facts: Facts, draft: Draft) -> None:
    """Adds what the axioms of some files say."""
    _Reader(facts, draft).read()


class _Reader:
    """Reads one set of files."""

    def __init__(self, facts: Facts, draft: Draft) -> None:
        self.facts, self.draft = facts, draft
        self._declared = {each for kind in _CLASSES for each in facts.subjects(RDF + "type", kind)}
        self._declared |= set(facts.subjects(RDFS + "subClassOf"))
        #: Whether the files tell properties of things from properties of values.
        self._apart = any(True for _ in facts.subjects(RDF + "type", OWL + "DatatypeProperty"))

    def read(self) -> None:
        self._read_classes()
        self._read_disjointness()
        for iri in sorted(self._properties()):
            self._read_property(iri)

    # Classes

    def _read_classes(self) -> None:
        for iri in sorted(filter(_is_own, self._declared)):
            above = [*self.facts.values(iri, RDFS + "subClassOf"), *self.facts.values(iri, OWL + "equivalentClass")]
            for each in above:
                if isinstance(each, str) and self.facts.values(each, OWL + "onProperty"):
                    self.draft.remark(
                        f"{spoken_name(iri)}: its restriction of a property is left to the graph's shapes"
                    )
            inside = [member for each in (iri, *above) for member in self._members(each, OWL + "intersectionOf")]
            labels, comment = words(self.facts, iri)
            named = [each for each in (*above, *inside) if isinstance(each, str) and _is_own(each)]
            self.draft.add_class(iri, labels=labels, description=comment, above=named)
            for each in self.facts.values(iri, OWL + "equivalentClass"):
                if isinstance(each, str) and _is_own(each):
                    self.draft.add_class(each, above=(iri,))
            unions = [iri, *(each for each in self.facts.values(iri, OWL + "equivalentClass"))]
            for name in ("unionOf", "disjointUnionOf"):
                for member in [m for each in unions for m in self._members(each, OWL + name)]:
                    if isinstance(member, str) and _is_own(member):
                        self.draft.add_class(member, above=(iri,))

    def _read_disjointness(self) -> None:
        groups: list[Sequence[Term]] = []
        for iri in set(self.facts.subjects(OWL + "disjointWith")):
            groups += [(iri, other) for other in self.facts.values(iri, OWL + "disjointWith")]
        for node in set(self.facts.subjects(RDF + "type", OWL + "AllDisjointClasses")):
            groups.append(self._members(node, OWL + "members"))
        for iri in set(self.facts.subjects(OWL + "disjointUnionOf")):
            groups.append(self._members(iri, OWL + "disjointUnionOf"))
        for group in groups:
            named = [each for each in group if isinstance(each, str) and _is_own(each)]
            for each in named:
                self.draft.add_class(each, disjoint=[other for other in named if other != each])

    def _members(self, node: Term, predicate: str) -> list[Term]:
        try:
            return [member for head in self.facts.values(node, predicate) for member in self.facts.items(head)]
        except ValueError:
            self.draft.remark("a list of classes is malformed, and is left out")
            return []

    # Properties

    def _properties(self) -> set[str]:
        found = {each for kind in _PROPERTIES for each in self.facts.subjects(RDF + "type", kind)}
        found |= {each for predicate in (*_DOMAINS, *_RANGES) for each in self.facts.subjects(predicate)}
        found |= set(self.facts.subjects(RDFS + "subPropertyOf"))
        return {each for each in found if _is_own(each)}

    def _read_property(self, iri: str) -> None:
        kinds = set(self.facts.values(iri, RDF + "type"))
        labels, comment = words(self.facts, iri)
        known = self._apart or OWL + "DatatypeProperty" in kinds
        target = ANYTHING
        if OWL + "DatatypeProperty" in kinds:
            target = ANY_VALUE
        elif OWL + "ObjectProperty" in kinds and known:
            target = ANY_THING
        self.draft.add_words(iri, labels=labels, description=comment, target=target)
        sources = self._inherited(iri, _DOMAINS, _RANGES)
        ranges = self._inherited(iri, _RANGES, _DOMAINS)
        targets = list(dict.fromkeys(each for term in ranges for each in self._targets(term)))
        units = [each for name in UNITS for each in self.facts.values(iri, name) if isinstance(each, str)]
        if sources or targets:
            chosen = list(dict.fromkeys(each for term in sources for each in self._classes(term)))
            pairs = product(chosen or (ANY_THING,), targets or (target,))
            self.draft.add_use(iri, [Pattern(*pair) for pair in pairs])
        functional = OWL + "FunctionalProperty" in kinds
        listed = [value for term in ranges for value in self._members(term, OWL + "oneOf")]
        self.draft.add_use(
            iri,
            (),
            single=(ANY_THING,) if functional else (),
            unit=units[0] if len(units) == 1 else "",
            allowed=listed or None,
        )

    def _inherited(self, iri: str, own: Iterable[str], turned: Iterable[str]) -> list[Term]:
        """What is declared of a property by some predicates; else of the nearest above it, or of its inverse."""
        seen, queue = {iri}, [iri]
        for each in queue:
            found = [value for predicate in own for value in self.facts.values(each, predicate)]
            for other in (*self.facts.values(each, OWL + "inverseOf"), *self.facts.subjects(OWL + "inverseOf", each)):
                found += [v for predicate in turned for v in self.facts.values(other, predicate)] if not found else []
            if found:
                return found
            new = [up for up in self.facts.values(each, RDFS + "subPropertyOf") if isinstance(up, str)]
            queue += [up for up in new if up not in seen]
            seen.update(new)
        return []

    def _classes(self, term: Term) -> Iterator[str]:
        """The classes of a domain: itself, or the members of a union."""
        if isinstance(term, str) and not term.startswith("_:"):
            yield ANY_THING if term in (ANY_THING, ANYTHING) else term
            return
        members = self._members(term, OWL + "unionOf")
        for member in members:
            yield from self._classes(member)
        if not members:
            self.draft.remark("a class expression as a domain or range is taken for anything")
            yield ANY_THING

    def _targets(self, term: Term) -> Iterator[str]:
        """The classes and datatypes of a range."""
        if isinstance(term, RdfLiteral):
            return
        if term.startswith("_:"):
            yield from self._expression(term)
        elif is_datatype(term) or term in (ANY_THING, ANYTHING):
            yield term
        elif RDFS + "Datatype" in self.facts.values(term, RDF + "type"):
            self.draft.remark(f"{spoken_name(term)}: a datatype of its own, taken for any value")
            yield ANY_VALUE
        else:
            # Some ontologies write the kind of a value as a class of that name, which they declare nowhere.
            yield from (() if term in self._declared else datatypes_of(local_name(term))) or (term,)

    def _expression(self, node: str) -> Iterator[str]:
        members = self._members(node, OWL + "unionOf")
        listed = self._members(node, OWL + "oneOf")
        based = [each for each in self.facts.values(node, OWL + "onDatatype") if isinstance(each, str)]
        for member in members:
            yield from self._targets(member)
        for value in listed:
            yield value.datatype if isinstance(value, RdfLiteral) else ANY_THING
        if based:
            self.draft.remark(f"a restriction of {spoken_name(based[0])} is left to the graph's shapes")
            yield based[0]
        if not (members or listed or based):
            self.draft.remark("a class expression as a domain or range is taken for anything")
            yield ANYTHING


def _is_own(iri: str) -> bool:
    return not iri.startswith(("_:", *_VOCABULARIES)) and not is_datatype(iri)
