"""The seven constraints of the Licensing Oracle paper for the graphs that ``generate`` makes, in own words, twice.

``SHAPES_SPARQL`` says them by ``sh:sparql``, as the paper does (Ackermann & Emanuilov 2025, appendix, "SHACL
Constraints"), ``SHAPES_CORE`` in SHACL Core. On a graph made by ``generate`` both are broken by the same rivers.
"""

from __future__ import annotations

__all__ = ["SHAPES_CORE", "SHAPES_SPARQL"]

SHAPES_CORE = """\
@prefix : <https://imprimatur.dev/bench#> .
@prefix id: <https://imprimatur.dev/bench/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

:TributaryIsRiver a sh:NodeShape ; sh:targetSubjectsOf :hasTributary ;
    sh:property [ sh:path :hasTributary ; sh:class :River ; sh:message "what joins a river must be a river" ] .
:SourceAboveSea a sh:NodeShape ; sh:targetClass :River ;
    sh:property [ sh:path :sourceElevation ; sh:minExclusive 0 ; sh:message "a source lies above the sea" ] .
:LengthAboveZero a sh:NodeShape ; sh:targetClass :River ;
    sh:property [ sh:path :length ; sh:minExclusive 0 ; sh:message "a river has some length" ] .
:DischargeAboveZero a sh:NodeShape ; sh:targetClass :River ;
    sh:property [ sh:path :discharge ; sh:minExclusive 0 ; sh:message "a river carries some water" ] .
:MouthNotTooLow a sh:NodeShape ; sh:targetClass :River ;
    sh:property [ sh:path :mouthElevation ; sh:minInclusive -100 ; sh:message "a mouth lies no lower than -100 m" ] .
:Downhill a sh:NodeShape ; sh:targetClass :River ;
    sh:property [ sh:path :mouthElevation ; sh:lessThan :sourceElevation ; sh:message "water runs downhill" ] .
:CountryOfState a sh:NodeShape ; sh:targetSubjectsOf :traverses ;
    sh:message "who crosses a state is in its country" ;
    sh:or ( [ sh:path :inCountry ; sh:hasValue id:Country_0 ]
            [ sh:path :traverses ; sh:qualifiedValueShape [ sh:class :State ] ; sh:qualifiedMaxCount 0 ] ) .
"""

_SPARQL_HEAD = """\
@prefix : <https://imprimatur.dev/bench#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<https://imprimatur.dev/bench> sh:declare
    [ sh:prefix "" ; sh:namespace "https://imprimatur.dev/bench#"^^xsd:anyURI ] ,
    [ sh:prefix "id" ; sh:namespace "https://imprimatur.dev/bench/"^^xsd:anyURI ] .
"""
_SPARQL_SHAPE = """
:{name} a sh:NodeShape ; {target} ;
    sh:sparql [ a sh:SPARQLConstraint ; sh:prefixes <https://imprimatur.dev/bench> ; sh:message "{message}" ;
        sh:select "SELECT $this WHERE {{ {where} }}" ] .
"""
_OF_RIVERS = "sh:targetClass :River"
_SPARQL = (
    (
        "TributaryIsRiver",
        "sh:targetSubjectsOf :hasTributary",
        "what joins a river must be a river",
        "$this :hasTributary ?other . FILTER NOT EXISTS { ?other a :River }",
    ),
    ("SourceAboveSea", _OF_RIVERS, "a source lies above the sea", "$this :sourceElevation ?m . FILTER (?m <= 0)"),
    ("LengthAboveZero", _OF_RIVERS, "a river has some length", "$this :length ?m . FILTER (?m <= 0)"),
    ("DischargeAboveZero", _OF_RIVERS, "a river carries some water", "$this :discharge ?m . FILTER (?m <= 0)"),
    (
        "MouthNotTooLow",
        _OF_RIVERS,
        "a mouth lies no lower than -100 m",
        "$this :mouthElevation ?m . FILTER (?m < -100)",
    ),
    (
        "Downhill",
        _OF_RIVERS,
        "water runs downhill",
        "$this :sourceElevation ?top . $this :mouthElevation ?end . FILTER (?top <= ?end)",
    ),
    (
        "CountryOfState",
        "sh:targetSubjectsOf :traverses",
        "who crosses a state is in its country",
        "$this :traverses ?state . ?state a :State . FILTER NOT EXISTS { $this :inCountry id:Country_0 }",
    ),
)
SHAPES_SPARQL = _SPARQL_HEAD + "".join(
    _SPARQL_SHAPE.format(name=name, target=target, message=message, where=where)
    for name, target, message, where in _SPARQL
)
