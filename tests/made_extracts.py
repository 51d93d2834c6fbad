"""Worlds to extract from, in the shape of Wikidata and of DBpedia: ranks, qualifiers, times, units, nodes, keys."""

from __future__ import annotations

__all__ = ["DBPEDIA", "WIKIDATA"]

_HEAD = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix wdv: <http://www.wikidata.org/value/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix pqv: <http://www.wikidata.org/prop/qualifier/value/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""

_PROPERTIES = (
    ("P31", "instance of", "WikibaseItem"),
    ("P6", "mayor", "WikibaseItem"),
    ("P17", "country", "WikibaseItem"),
    ("P1082", "population", "Quantity"),
    ("P2046", "area", "Quantity"),
    ("P2044", "elevation", "Quantity"),
    ("P571", "inception", "Time"),
    ("P580", "start time", "Time"),
    ("P582", "end time", "Time"),
    ("P585", "point in time", "Time"),
    ("P1448", "official name", "Monolingualtext"),
    ("P281", "postal code", "String"),
    ("P214", "VIAF ID", "ExternalId"),
    ("P18", "image", "CommonsMedia"),
    ("P189", "patron saint", "WikibaseItem"),
)


def _property(name: str, label: str, kind: str) -> str:
    return f"""
wd:{name} rdfs:label "{label}"@en ; wikibase:propertyType wikibase:{kind} ; wikibase:directClaim wdt:{name} ;
    wikibase:claim p:{name} ; wikibase:statementProperty ps:{name} ; wikibase:statementValue psv:{name} .
"""


_FACTS = """
wd:Q100 rdfs:label "burgh"@en .
wd:Q1 rdfs:label "Arbroy"@en, "Arbroi"@fr ; skos:altLabel "Arbroy Haven"@en ; owl:sameAs wd:Q2 ;
    wdt:P31 wd:Q100 ; p:P31 wds:a0 ; wdt:P17 wd:Q50 ;
    wdt:P6 wd:Q11 ; p:P6 wds:a1, wds:a2, wds:a3, wds:a4 ;
    wdt:P1082 "+5200"^^xsd:decimal ; p:P1082 wds:a5, wds:a6 ;
    wdt:P2046 "+12.5"^^xsd:decimal ; p:P2046 wds:a7 ;
    wdt:P571 "1204-01-01T00:00:00Z"^^xsd:dateTime ; p:P571 wds:a8 ;
    wdt:P189 wd:Q60 ; p:P189 wds:a9 ;
    wdt:P214 "12345" ; wdt:P18 <http://commons.wikimedia.org/wiki/Special:FilePath/A.jpg> ; wdt:P281 "AR-07" ;
    wdt:P1448 "Burgh of Arbroy"@en, "Arbroi"@fr .
wds:a0 wikibase:rank wikibase:NormalRank ; ps:P31 wd:Q100 .
wds:a1 wikibase:rank wikibase:NormalRank ; ps:P6 wd:Q10 ; pq:P580 "2001-05-01T00:00:00Z"^^xsd:dateTime ;
    pqv:P580 wdv:t1 ; pq:P582 "2009-05-01T00:00:00Z"^^xsd:dateTime ; pqv:P582 wdv:t2 .
wdv:t1 wikibase:timeValue "2001-05-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 11 .
wdv:t2 wikibase:timeValue "2009-05-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 11 .
wds:a2 wikibase:rank wikibase:PreferredRank ; ps:P6 wd:Q11 ; pq:P580 "2009-05-02T00:00:00Z"^^xsd:dateTime ;
    pqv:P580 wdv:t3 .
wdv:t3 wikibase:timeValue "2009-05-02T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 11 .
wds:a3 wikibase:rank wikibase:DeprecatedRank ; ps:P6 wd:Q12 .
wds:a4 wikibase:rank wikibase:NormalRank ; ps:P6 wd:Q13 .
wds:a5 wikibase:rank wikibase:PreferredRank ; ps:P1082 "+5200"^^xsd:decimal ; psv:P1082 wdv:q1 ;
    pq:P585 "2020-01-01T00:00:00Z"^^xsd:dateTime ; pqv:P585 wdv:t4 .
wdv:q1 wikibase:quantityAmount "+5200"^^xsd:decimal ; wikibase:quantityUnit wd:Q199 .
wdv:t4 wikibase:timeValue "2020-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 .
wds:a6 wikibase:rank wikibase:NormalRank ; ps:P1082 "+4800"^^xsd:decimal ; psv:P1082 wdv:q2 ;
    pq:P585 "2010-01-01T00:00:00Z"^^xsd:dateTime ; pqv:P585 wdv:t5 .
wdv:q2 wikibase:quantityAmount "+4800"^^xsd:decimal ; wikibase:quantityUnit wd:Q199 .
wdv:t5 wikibase:timeValue "2010-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 .
wds:a7 wikibase:rank wikibase:NormalRank ; ps:P2046 "+12.5"^^xsd:decimal ; psv:P2046 wdv:q3 .
wdv:q3 wikibase:quantityAmount "+12.5"^^xsd:decimal ; wikibase:quantityUnit wd:Q712226 .
wds:a8 wikibase:rank wikibase:NormalRank ; ps:P571 "1204-01-01T00:00:00Z"^^xsd:dateTime ; psv:P571 wdv:t6 .
wdv:t6 wikibase:timeValue "1204-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 .
wds:a9 wikibase:rank wikibase:NormalRank ; ps:P189 wd:Q60 ; pq:P1480 wd:Q999 .
wd:Q2 rdfs:label "Benholm"@en ; wdt:P31 wd:Q100 ; wdt:P17 wd:Q50 ;
    wdt:P2046 "+2000"^^xsd:decimal ; p:P2046 wds:b1 ; wdt:P2044 "+100"^^xsd:decimal ; p:P2044 wds:b2 ;
    wdt:P571 "1300-01-01T00:00:00Z"^^xsd:dateTime ; p:P571 wds:b3 ; wdt:P6 wd:Q14, wd:Q15 ; p:P6 wds:b4, wds:b5 .
wds:b1 wikibase:rank wikibase:NormalRank ; ps:P2046 "+2000"^^xsd:decimal ; psv:P2046 wdv:q4 .
wdv:q4 wikibase:quantityAmount "+2000"^^xsd:decimal ; wikibase:quantityUnit wd:Q35852 .
wds:b2 wikibase:rank wikibase:NormalRank ; ps:P2044 "+100"^^xsd:decimal ; psv:P2044 wdv:q5 .
wdv:q5 wikibase:quantityAmount "+100"^^xsd:decimal ; wikibase:quantityUnit wd:Q11573 .
wds:b3 wikibase:rank wikibase:NormalRank ; ps:P571 "1300-01-01T00:00:00Z"^^xsd:dateTime ; psv:P571 wdv:t7 .
wdv:t7 wikibase:timeValue "1300-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 7 .
wds:b4 wikibase:rank wikibase:NormalRank ; ps:P6 wd:Q14 ; pq:P582 [] .
wds:b5 wikibase:rank wikibase:NormalRank ; ps:P6 wd:Q15 ; pq:P582 "2000-01-01T00:00:00Z"^^xsd:dateTime ;
    pqv:P582 wdv:t8 .
wdv:t8 wikibase:timeValue "2000-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 8 .
wd:Q3 rdfs:label "Cairnie"@en ; wdt:P31 wd:Q100 ; wdt:P2046 "+7"^^xsd:decimal ; p:P2046 wds:c1 ;
    wdt:P2044 "+300"^^xsd:decimal ; p:P2044 wds:c2 .
wds:c1 wikibase:rank wikibase:NormalRank ; ps:P2046 "+7"^^xsd:decimal ; psv:P2046 wdv:q6 .
wdv:q6 wikibase:quantityAmount "+7"^^xsd:decimal ; wikibase:quantityUnit wd:Q712226 .
wds:c2 wikibase:rank wikibase:NormalRank ; ps:P2044 "+300"^^xsd:decimal ; psv:P2044 wdv:q7 .
wdv:q7 wikibase:quantityAmount "+300"^^xsd:decimal ; wikibase:quantityUnit wd:Q8888 .
wd:Q10 rdfs:label "Ann Marlow"@en . wd:Q11 rdfs:label "Jo Tarn"@en . wd:Q12 rdfs:label "Kit Orr"@en .
wd:Q13 rdfs:label "Lee Moss"@en . wd:Q14 rdfs:label "Max Dale"@en . wd:Q15 rdfs:label "Nan Pye"@en .
wd:Q50 rdfs:label "Scotland"@en . wd:Q60 rdfs:label "Saint Arn"@en . wd:Q999 rdfs:label "presumably"@en .
wd:Q712226 rdfs:label "square kilometre"@en . wd:Q35852 rdfs:label "hectare"@en . wd:Q11573 rdfs:label "metre"@en .
wd:Q8888 rdfs:label "old ell of Cairnie"@en .
"""

#: Towns: mayors with times, of which two are not known; areas in two units; an elevation in no known unit.
WIKIDATA = _HEAD + "".join(_property(*each) for each in _PROPERTIES) + _FACTS

#: A player with two stations, a lake with a number in a unit, axioms and notes that are no facts.
DBPEDIA = """
@prefix dbr: <http://dbpedia.org/resource/> .
@prefix dbo: <http://dbpedia.org/ontology/> .
@prefix dbt: <http://dbpedia.org/datatype/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
dbo:Athlete rdfs:label "athlete"@en . dbo:Lake rdfs:label "lake"@en . dbo:team rdfs:label "team"@en, "equipo"@es .
dbo:areaTotal rdfs:label "area"@en . dbo:birthPlace rdfs:label "birth place"@en .
dbo:careerStation rdfs:label "career station"@en . dbo:startYear rdfs:label "start year"@en .
dbo:endYear rdfs:label "end year"@en .
dbr:Ned_Pell a dbo:Athlete, owl:Thing ; rdfs:label "Ned Pell"@en, "Ned Pell"@de ; dbo:birthPlace dbr:Arbroy ;
    dbo:abstract "Ned Pell is an athlete."@en ; dbo:wikiPageWikiLink dbr:Benholm ; owl:sameAs dbr:Someone_else ;
    dbo:careerStation dbr:Ned_Pell__CareerStation__1, dbr:Ned_Pell__CareerStation__2 .
dbr:Ned_Pell__CareerStation__1 dbo:team dbr:Arbroy_FC ; dbo:startYear "1990"^^xsd:gYear ;
    dbo:endYear "1995"^^xsd:gYear .
dbr:Ned_Pell__CareerStation__2 dbo:team dbr:Benholm_FC ; dbo:startYear "1996"^^xsd:gYear ;
    dbo:endYear "2001"^^xsd:gYear .
dbr:Loch_Arn a dbo:Lake ; rdfs:label "Loch Arn"@en ; dbo:areaTotal "2.5"^^dbt:squareKilometre .
dbr:Arbroy rdfs:label "Arbroy"@en .
dbr:Arbroy_FC rdfs:label "Arbroy FC"@en . dbr:Benholm_FC rdfs:label "Benholm FC"@en .
"""
