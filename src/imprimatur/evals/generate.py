"""Graphs of rivers of any size for the benchmark, the seven shapes of the Licensing Oracle paper, and claims to check.

Contract: the same size gives the same bytes; a graph holds exactly as many distinct triples as asked for. Names and
values are invented; what is copied is the make-up of the paper's graph (Ackermann & Emanuilov 2025: 118,047 triples on
9,538 rivers in 50 states): which properties a river has and how often, a few hubs that nearly all rivers point at, and
some rivers that break a shape. Hubs grow with the graph, as they do in real ones. The shapes are the paper's seven
constraints in own words, once with ``sh:sparql`` as the paper writes them and once in SHACL Core; on graphs made here
both forbid the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

__all__ = [
    "PAPER_TRIPLES",
    "SHAPES_CORE",
    "SHAPES_SPARQL",
    "Made",
    "claim_triples",
    "main",
    "ontology",
    "triples",
    "write_folder",
    "write_graph",
]

#: The size of the graph in the paper.
PAPER_TRIPLES = 118_047

_BASE = "https://imprimatur.dev/bench/"
_NS = "https://imprimatur.dev/bench#"
_RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_DOUBLE = "<http://www.w3.org/2001/XMLSchema#double>"
_INTEGER = "<http://www.w3.org/2001/XMLSchema#integer>"
_STATES, _COUNTIES, _COUNTRIES, _FEATURES, _SYSTEMS = 50, 824, 40, 3_200, 120
_FIRST = (
    "Alder Birch Cedar Dry Elk Fox Green Hazel Iron Jay Kettle Little Mill North Otter Pine Rock Silver Turkey".split()
)
_SECOND = "Bend Branch Brook Creek Ford Fork Gap Hollow Kill Lick Prairie Rapids River Run Spring Swamp Valley".split()
_WORDS = "flows rises joins crosses drains valley basin north south forest farmland bridge town reservoir".split()

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
    sh:or ( [ sh:property [ sh:path :inCountry ; sh:hasValue id:Country_0 ] ]
            [ sh:property [ sh:path :traverses ; sh:qualifiedValueShape [ sh:class :State ] ; sh:qualifiedMaxCount 0 ] ] ) .
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The files of a made knowledge base."""

    data: Path
    ontology: Path
    shapes_core: Path
    shapes_sparql: Path


def _thing(kind: str, number: int) -> str:
    return f"<{_BASE}{kind}_{number}>"


def _term(name: str) -> str:
    return f"<{_NS}{name}>"


def _double(value: float) -> str:
    return f'"{value:.1f}"^^{_DOUBLE}'


#: Properties of a river: name, how many rivers of a thousand have one (above 1000: all have one and some a second).
_OBJECTS = (
    ("hasSource", 450, "Feature", _FEATURES),
    ("hasMouth", 880, "Feature", _FEATURES),
    ("traverses", 1_100, "State", _STATES),
    ("inCounty", 900, "County", _COUNTIES),
    ("partOfSystem", 330, "System", _SYSTEMS),
)
_AMOUNTS: tuple[tuple[str, int, Callable[[random.Random], float]], ...] = (
    ("length", 760, lambda rng: 500 + int(rng.random() ** 3 * 900_000)),
    ("discharge", 270, lambda rng: 0.1 + int(rng.random() ** 4 * 40_000) / 10),
    ("watershed", 370, lambda rng: 1 + int(rng.random() ** 3 * 90_000)),
)


class _Maker:
    """Writes the triples of one graph; ``growth`` is how much larger than the paper's it is."""

    def __init__(self, size: int) -> None:
        self.rng = random.Random(size)
        self.growth = max(1, round(size / PAPER_TRIPLES))

    def things(self) -> Iterator[str]:
        """States, counties, countries, features and systems: each with its class and label."""
        growing = (("County", _COUNTIES), ("Feature", _FEATURES), ("System", _SYSTEMS))
        fixed = (("State", _STATES), ("Country", _COUNTRIES))
        for kind, count in (*fixed, *((kind, count * self.growth) for kind, count in growing)):
            for number in range(count):
                yield f"{_thing(kind, number)} {_RDF_TYPE} {_term(kind)} .\n"
                yield f'{_thing(kind, number)} {_LABEL} "{self._name()} {kind} {number}"@en .\n'

    def river(self, number: int) -> Iterator[str]:
        """All triples of one river. Its tributaries have smaller numbers, so they are described before it."""
        rng, river = self.rng, _thing("River", number)
        name = f"{self._name()} {number}"
        yield f"{river} {_RDF_TYPE} {_term('River')} .\n"
        yield f'{river} {_LABEL} "{name}"@en .\n'
        yield f'{river} {_term("pageID")} "{10_000 + 7 * number}"^^{_INTEGER} .\n'
        if rng.random() < 0.6:
            yield f'{river} {_term("abstractText")} "The {name} {" ".join(rng.choices(_WORDS, k=14))}."@en .\n'
        if rng.random() < 0.3:
            yield f'{river} {_term("otherNames")} "{self._name()} Water {number}"@en .\n'
        for name, often, amount in _AMOUNTS:
            if rng.random() * 1000 < often:
                yield f"{river} {_term(name)} {_double(amount(rng) if rng.random() > 0.001 else 0)} .\n"
        yield from self._elevations(river)
        yield from self._links(river, number)

    def _elevations(self, river: str) -> Iterator[str]:
        rng = self.rng
        mouth = int(rng.random() ** 2 * 1_500)
        source = mouth + 1 + int(rng.random() * 900) if rng.random() > 0.002 else mouth
        if rng.random() < 0.41:
            yield f"{river} {_term('sourceElevation')} {_double(source)} .\n"
        if rng.random() < 0.46:
            yield f"{river} {_term('mouthElevation')} {_double(mouth)} .\n"

    def _links(self, river: str, number: int) -> Iterator[str]:
        rng = self.rng
        for name, often, kind, count in _OBJECTS:
            count *= self.growth if kind != "State" else 1
            times = often // 1000 + (rng.random() * 1000 < often % 1000)
            for other in {int(rng.random() ** 2 * count): None for _ in range(times)}:
                yield f"{river} {_term(name)} {_thing(kind, other)} .\n"
        country = 0 if rng.random() < 0.998 else rng.randrange(1, _COUNTRIES)
        yield f"{river} {_term('inCountry')} {_thing('Country', country)} .\n"
        if number and rng.random() < 0.5:
            yield f"{river} {_term('flowsInto')} {_thing('River', rng.randrange(number))} .\n"
        for other in {rng.randrange(number): None for _ in range(rng.randrange(2))} if number else ():
            yield f"{river} {_term('hasTributary')} {_thing('River', other)} .\n"

    def _name(self) -> str:
        return f"{self.rng.choice(_FIRST)} {self.rng.choice(_SECOND)}"


def triples(size: int) -> Iterator[str]:
    """The graph of ``size`` triples, as lines of N-Triples."""

    def endless() -> Iterator[str]:
        maker = _Maker(size)
        yield from maker.things()
        number = 0
        while True:
            yield from maker.river(number)
            number += 1

    return islice(endless(), size)


def ontology() -> str:
    """The vocabulary in Turtle: classes, properties with domains and ranges, what is functional, inverse or broader."""
    lines = [
        f"@prefix : <{_NS}> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
        *(f":{kind} a owl:Class ; rdfs:subClassOf :Place ." for kind in _KINDS),
        *(f":{name} a owl:ObjectProperty ; rdfs:domain :River ; rdfs:range :{kind} ." for name, kind in _RANGES),
        *(
            f":{name} a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain :River ; rdfs:range xsd:double ."
            for name in _NUMBERS
        ),
        ":hasTributary owl:inverseOf :tributaryOf .",
        ":flowsInto rdfs:subPropertyOf :drainsInto .",
    ]
    return "\n".join(lines) + "\n"


_KINDS = ("River", "State", "County", "Country", "Feature", "System")
_RANGES = (
    *((name, kind) for name, _, kind, _ in _OBJECTS),
    ("inCountry", "Country"),
    ("flowsInto", "River"),
    ("hasTributary", "River"),
)
_NUMBERS = ("length", "discharge", "watershed", "sourceElevation", "mouthElevation")


def write_graph(path: Path, size: int) -> None:
    """Writes the graph of ``size`` triples to a file in N-Triples, a block at a time."""
    lines = triples(size)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        while block := list(islice(lines, 20_000)):
            stream.write("".join(block))


def write_folder(folder: Path, size: int) -> Made:
    """Writes graph, ontology and both kinds of shapes into a folder; a graph that is there already is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Made(
        data=folder / f"rivers-{size}.nt",
        ontology=folder / "ontology.ttl",
        shapes_core=folder / "shapes-core.ttl",
        shapes_sparql=folder / "shapes-sparql.ttl",
    )
    if not made.data.exists():
        part = made.data.with_suffix(".part")
        write_graph(part, size)
        part.replace(made.data)
    made.ontology.write_text(ontology(), encoding="utf-8")
    made.shapes_core.write_text(SHAPES_CORE, encoding="utf-8")
    made.shapes_sparql.write_text(SHAPES_SPARQL, encoding="utf-8")
    return made
