"""The vocabulary: properties, classes, types, disjointness, and what shapes add."""

from __future__ import annotations

from pathlib import Path

from graphs import EX, graph_of_text, number

from imprimatur.sources.graph.schema import ClassInfo, PropertyInfo, Schema
from imprimatur.sources.graph.shapes import Shapes

ONTOLOGY = """
@prefix qudt: <http://qudt.org/schema/qudt/> .
:Water rdfs:label "water"@en . :River rdfs:subClassOf :Water ; rdfs:label "river", "Fluss"@de ; skos:altLabel "stream" .
:Creek rdfs:subClassOf :River . :City a owl:Class ; owl:disjointWith :Water . :Town rdfs:subClassOf :City .
:length a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :River ; rdfs:range xsd:decimal ;
    rdfs:comment "How long." ; qudt:hasUnit :M .
:height a owl:DatatypeProperty ; qudt:applicableUnit :M, :FT .
:mainLength rdfs:subPropertyOf :length .
:drains rdfs:range :Water ; schema:domainIncludes :River, :City ; owl:inverseOf :drainedBy ; a owl:TransitiveProperty .
:drainedBy owl:propertyDisjointWith :near .
:near a owl:SymmetricProperty ; rdfs:domain [ owl:unionOf (:River :City) ] .
:id a owl:InverseFunctionalProperty ; owl:inverseOf :idOf .
:uncle owl:propertyChainAxiom ( :parent [ owl:inverseOf :sibling ] ) .
:x a :Creek ; :length 3.0 ; :hasFriend :y ; :age 3 ; :mixed :y, "y" . :y a :Town .
"""


def schema_of(folder: Path, turtle: str, *, shapes: str = "", complete: tuple[str, ...] = ()) -> Schema:
    """The vocabulary of some Turtle and shapes."""
    graph = graph_of_text(folder, turtle, shapes=shapes)
    files = [file.path for file in graph.shapes_files]
    return Schema.of(graph, implied=Shapes.load(graph, files).implied() if files else (), complete=complete)


def info(schema: Schema, name: str) -> PropertyInfo:
    """The entry of ``:name``."""
    found = schema.property(EX + name)
    assert found is not None
    return found


def class_info(schema: Schema, name: str) -> ClassInfo:
    """The entry of class ``:name``."""
    found = schema.class_(EX + name)
    assert found is not None
    return found


def test_declared_property(tmp_path: Path) -> None:
    """A declared property has labels, domain, range, unit and characteristics."""
    schema = schema_of(tmp_path, ONTOLOGY, complete=(EX + "length",))
    length = info(schema, "length")
    assert length == PropertyInfo(
        iri=EX + "length",
        labels=("length",),
        comment="How long.",
        domains=(EX + "River",),
        ranges=("http://www.w3.org/2001/XMLSchema#decimal",),
        is_object=False,
        datatype="http://www.w3.org/2001/XMLSchema#decimal",
        unit_iri=EX + "M",
        functional=True,
        subs=(EX + "mainLength",),
        complete=True,
        used=1,
    )
    assert info(schema, "mainLength").supers == (EX + "length",)
    assert info(schema, "mainLength").functional
    assert info(schema, "height").unit_iri is None


def test_characteristics_of_object_properties(tmp_path: Path) -> None:
    """Inverses, symmetry, transitivity, chains, disjointness and alternatives of domains are read."""
    schema = schema_of(tmp_path, ONTOLOGY)
    drains, near = info(schema, "drains"), info(schema, "near")
    assert drains.transitive
    assert drains.is_object is True
    assert drains.inverses == (EX + "drainedBy",)
    assert set(drains.domains) == {EX + "River", EX + "City"} == set(near.domains)
    assert near.symmetric
    assert near.disjoint_with == (EX + "drainedBy",)
    assert info(schema, "uncle").chains == ((EX + "parent", "^" + EX + "sibling"),)
    assert info(schema, "idOf").functional
    assert not info(schema, "id").functional


def test_undeclared_property_is_known_by_its_use(tmp_path: Path) -> None:
    """A property that is only used gets its name and kind from the data."""
    schema = schema_of(tmp_path, ONTOLOGY)
    friend = info(schema, "hasFriend")
    assert friend.labels == ("has friend",)
    assert friend.is_object is True
    assert info(schema, "age").datatype == "http://www.w3.org/2001/XMLSchema#integer"
    assert info(schema, "mixed").is_object is None
    assert "http://www.w3.org/1999/02/22-rdf-syntax-ns#type" not in schema.properties
    assert "http://www.w3.org/2000/01/rdf-schema#label" not in schema.properties


def test_classes_and_types(tmp_path: Path) -> None:
    """Classes know their hierarchy, labels and members; types are asserted ones and superclasses."""
    schema = schema_of(tmp_path, ONTOLOGY)
    river = class_info(schema, "River")
    assert river.labels == ("river",)
    assert river.alt_labels == ("stream",)
    assert (river.supers, river.subs, river.instances) == ((EX + "Water",), (EX + "Creek",), 1)
    x = number(schema.graph, "x")
    assert schema.types(x) == {EX + "Creek", EX + "River", EX + "Water"}
    assert schema.is_a(x, EX + "Water")
    assert not schema.is_a(x, EX + "City")
    assert not schema.is_a(x, EX + "Nothing")


def test_disjointness_is_inherited(tmp_path: Path) -> None:
    """Subclasses of disjoint classes are disjoint, in both directions."""
    schema = schema_of(tmp_path, ONTOLOGY)
    assert schema.disjoint(EX + "Creek", EX + "Town")
    assert schema.disjoint(EX + "Town", EX + "Creek")
    assert not schema.disjoint(EX + "Creek", EX + "River")
    assert not schema.disjoint(EX + "Creek", EX + "Unknown")
    assert set(class_info(schema, "Creek").disjoint) == {EX + "City", EX + "Town"}


def test_boolean_classes(tmp_path: Path) -> None:
    """Intersections, unions, disjoint unions, complements and groups of disjoint classes are read."""
    schema = schema_of(
        tmp_path,
        """:AB owl:equivalentClass [ owl:intersectionOf (:A :B) ] . :U owl:unionOf (:P :Q) .
        :D owl:disjointUnionOf (:D1 :D2) . :N owl:complementOf :M .
        [] a owl:AllDisjointClasses ; owl:members (:E1 :E2 :E3) . :ab a :AB . :p a :P .""",
    )
    assert {EX + "A", EX + "B"} <= schema.types(number(schema.graph, "ab"))
    assert schema.is_a(number(schema.graph, "p"), EX + "U")
    for left, right in (("D1", "D2"), ("N", "M"), ("E1", "E3"), ("E3", "E2")):
        assert schema.disjoint(EX + left, EX + right)


def test_domain_and_range_imply_types_only_when_asked(tmp_path: Path) -> None:
    """Types from domains and ranges are off by default."""
    schema = schema_of(tmp_path, ":p rdfs:domain :D ; rdfs:range :R . :s :p :o .")
    s, o = number(schema.graph, "s"), number(schema.graph, "o")
    assert schema.types(s) == schema.types(o) == frozenset()
    assert schema.types(s, infer=True) == {EX + "D"}
    assert schema.types(o, infer=True) == {EX + "R"}


def test_cycles_end(tmp_path: Path) -> None:
    """Cyclic hierarchies and lists are equivalences, and reading them ends."""
    schema = schema_of(
        tmp_path,
        """:A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A . :x a :A .
        :p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :p . :q owl:equivalentProperty :r .
        :l owl:propertyChainAxiom _:l . _:l rdf:first :p ; rdf:rest _:l .""",
    )
    assert schema.types(number(schema.graph, "x")) == {EX + "A", EX + "B", EX + "C"}
    assert set(info(schema, "p").supers) == set(info(schema, "p").subs) == {EX + "q", EX + "r"}
    assert info(schema, "l").chains == ((EX + "p",),)


SHAPES = """
:S a sh:NodeShape ; sh:targetClass :River ;
    sh:property [ sh:path :mouth ; sh:maxCount 1 ; sh:class :Water ], [ sh:path :source ; sh:maxCount 2 ],
        [ sh:path :name ; sh:maxCount 1 ; sh:severity sh:Warning ], [ sh:path ( :a :b ) ; sh:maxCount 1 ],
        [ sh:path :elsewhere ; sh:maxCount 1 ], [ sh:path :off ; sh:maxCount 1 ; sh:deactivated true ] ;
    sh:not [ sh:property [ sh:path :hidden ; sh:maxCount 1 ] ] .
:T sh:targetSubjectsOf :depth ; sh:property [ sh:path :depth ; sh:maxCount 1 ; sh:datatype xsd:decimal ] .
"""


def test_shapes_say_functional_only_where_they_hold_for_every_use(tmp_path: Path) -> None:
    """sh:maxCount 1 counts where all subjects are targets, not under sh:not, for a warning or when switched off."""
    schema = schema_of(
        tmp_path,
        """:Creek rdfs:subClassOf :River . :r a :Creek ; :mouth :sea ; :source :s1 ; :name "r" ; :hidden 1 ; :off 1 ;
        :a :b ; :depth 2.0 ; :elsewhere :x . :city :elsewhere :y .""",
        shapes=SHAPES,
    )
    functional = {iri.removeprefix(EX) for iri, found in schema.properties.items() if found.functional}
    assert functional == {"mouth", "depth"}
    assert info(schema, "mouth").ranges == (EX + "Water",)
    assert info(schema, "depth").datatype == "http://www.w3.org/2001/XMLSchema#decimal"
