"""Graphs of rivers of any size for the benchmark, the seven shapes of the Licensing Oracle paper, and claims to check.

Contract: the same size gives the same bytes; a graph holds exactly as many distinct triples as asked for. Names and
values are invented; what is copied is the make-up of the paper's graph (Ackermann & Emanuilov 2025: 118,047 triples on
9,538 rivers in 50 states): which properties a river has and how often, a few hubs that nearly all rivers point at, and
some rivers that break a shape. Hubs grow with the graph, as they do in real ones. The shapes are the paper's seven
constraints in own words, once with ``sh:sparql`` as the paper writes them and once in SHACL Core; on graphs made here
both forbid the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.errors import InputError
from imprimatur.evals.made_shapes import SHAPES_CORE, SHAPES_SPARQL

if TYPE_CHECKING:
    from imprimatur.sources.graph.store import Graph

__all__ = [
    "PAPER_TRIPLES",
    "MadeClaim",
    "MadeFolder",
    "claims",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFolder:
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
        self.growth = size / PAPER_TRIPLES

    def things(self) -> Iterator[str]:
        """States, counties, countries, features and systems: each with its class and label."""
        growing = (("County", _COUNTIES), ("Feature", _FEATURES), ("System", _SYSTEMS))
        fixed = (("State", _STATES), ("Country", _COUNTRIES))
        for kind, count in (*fixed, *((kind, self._grown(count)) for kind, count in growing)):
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
            count = self._grown(count) if kind != "State" else count
            times = often // 1000 + (rng.random() * 1000 < often % 1000)
            for other in {int(rng.random() ** 2 * count): None for _ in range(times)}:
                yield f"{river} {_term(name)} {_thing(kind, other)} .\n"
        country = 0 if rng.random() < 0.998 else rng.randrange(1, _COUNTRIES)
        yield f"{river} {_term('inCountry')} {_thing('Country', country)} .\n"
        if number and rng.random() < 0.5:
            yield f"{river} {_term('flowsInto')} {_thing('River', rng.randrange(number))} .\n"
        for other in {rng.randrange(number): None for _ in range(rng.randrange(2))} if number else ():
            yield f"{river} {_term('hasTributary')} {_thing('River', other)} .\n"

    def _grown(self, count: int) -> int:
        return max(1, round(count * self.growth))

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


@dataclass(frozen=True, slots=True)
class MadeClaim:
    """A claim as three terms in N-Triples, and how it was made: ``true``, ``changed`` (its value) or ``breaking``."""

    subject: str
    predicate: str
    object: str
    made: str


#: Values that no river can have.
_IMPOSSIBLE = (
    ("length", _double(-5)),
    ("sourceElevation", _double(0)),
    ("mouthElevation", _double(-4000)),
    ("discharge", _double(-1)),
    ("hasTributary", _thing("State", 1)),
)


def claims(graph: Graph, count: int, *, seed: int = 0) -> tuple[MadeClaim, ...]:
    """Claims about the rivers of a graph made here: half true, three tenths with a changed value, the rest breaking.

    Raises:
        InputError: the graph has no rivers.
    """
    rng = random.Random(seed)
    kind, river = graph.id(_RDF_TYPE[1:-1]), graph.id(_NS + "River")
    rivers = graph.subjects(kind, river) if kind is not None and river is not None else ()
    if not rivers:
        raise InputError("the graph has no rivers", hint="make one with `python -m imprimatur.evals.generate`")
    spoken = [number for name in _SPOKEN if (number := graph.id(_NS + name)) is not None]
    return tuple(_claim(graph, rng, rivers=rivers, spoken=spoken) for _ in range(count))


def _claim(graph: Graph, rng: random.Random, *, rivers: Sequence[int], spoken: Sequence[int]) -> MadeClaim:
    share = rng.random()
    if share >= 0.8:
        name, value = rng.choice(_IMPOSSIBLE)
        return MadeClaim(graph.n3(rng.choice(rivers)), _term(name), value, "breaking")
    while True:
        subject, predicate = rng.choice(rivers), rng.choice(spoken)
        values = graph.objects(subject, predicate)
        if share < 0.5:
            others, made = values, "true"
        else:
            others, made = graph.objects(rng.choice(rivers), predicate), "changed"
        if values and others:
            return MadeClaim(graph.n3(subject), graph.n3(predicate), graph.n3(others[0]), made)


_SPOKEN = (*(name for name, _ in _RANGES), *_NUMBERS)


def write_graph(path: Path, size: int) -> None:
    """Writes the graph of ``size`` triples to a file in N-Triples, a block at a time."""
    lines = triples(size)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        while block := list(islice(lines, 20_000)):
            stream.write("".join(block))


def write_folder(folder: Path, size: int) -> MadeFolder:
    """Writes graph, ontology and both kinds of shapes into a folder; a graph that is there already is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    made = MadeFolder(
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


def main(args: Sequence[str] | None = None) -> int:
    """Writes a graph with its ontology and shapes."""
    parser = argparse.ArgumentParser(
        prog="python -m imprimatur.evals.generate", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--triples", type=int, default=PAPER_TRIPLES, help="how many (default: %(default)s)")
    given = parser.parse_args(args)
    made = write_folder(given.folder, given.triples)
    print(made.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
