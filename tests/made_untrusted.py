"""Files of a model beside the small graph about brooks, and sentences that each would have judged otherwise."""

from __future__ import annotations

from pathlib import Path

from small_kb import SHAPES, write_kb

__all__ = ["BASE", "DECIDED", "LEAKS", "RDFS", "TRUSTING", "TYPE", "written"]

TRUSTING = {"version": 1, "trust": ["curated", "derived", "model"]}

BASE = "https://example.org/brooks/"
RDFS, OWL = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#"
SKOS, XSD = "http://www.w3.org/2004/02/skos/core#", "http://www.w3.org/2001/XMLSchema#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

MORE = f"""
@prefix : <{BASE}> . @prefix rdfs: <{RDFS}> . @prefix owl: <{OWL}> .
:Brook owl:disjointWith :Town . :Town a owl:Class . :Gate a owl:Class ; rdfs:label "gate" .
:brea a :Town ; rdfs:label "Brea" . :gale rdfs:label "Gale" . :upper rdfs:subPropertyOf :flowsThrough .
:serves a owl:ObjectProperty, owl:InverseFunctionalProperty ; rdfs:label "serves" ; rdfs:range :Town .
:ferry a :Boat ; rdfs:label "Ferry Anne" ; :serves :corfe . :Boat a owl:Class ; rdfs:label "boat" .
:tug a :Boat ; rdfs:label "Tug Jo" . :corfe :twin :bree . :Gate rdfs:label "gate" .
:visits a owl:ObjectProperty ; rdfs:label "visits" ; rdfs:domain :Boat ; rdfs:range :Town .
""" + "\n".join(
    f':g{n} a :Gate ; rdfs:label "Gate {word}" .'
    for n, word in enumerate(
        "Ash Birch Cedar Dogwood Elder Fig Gorse Hazel Ivy Juniper Kale Larch Maple Nettle".split()
    )
)

#: Each kind of thing that a file may say, and sentences that would be judged otherwise if it were believed.
LEAKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "a value": (f"<{BASE}fir> <{BASE}length> 9000", ("Fir Brook is 9 km long.", "Fir Brook is 8 km long.")),
    "a second value": (f"<{BASE}elm> <{BASE}length> 9000", ("Elm Brook is 12 km long.", "Elm Brook is 9 km long.")),
    "a name": (f"<{BASE}oak> <{RDFS}label> 'Great Brook'", ("Great Brook is 30 km long.",)),
    "a namesake": (
        f"<{BASE}new> <{RDFS}label> 'Elm Brook' ; <{TYPE}> <{BASE}Brook> ; <{BASE}length> 900",
        ("Elm Brook is 12 km long.", "Elm Brook is 900 m long."),
    ),
    "sameness": (f"<{BASE}bree> <{OWL}sameAs> <{BASE}brea>", ("Elm Brook flows through Brea.",)),
    "a kind": (
        f"<{BASE}gale> <{TYPE}> <{BASE}Town>",
        ("Gale is a town.", "Gale is a brook.", "Gale is not a brook."),
    ),
    "one more of a whole kind": (
        f"<{BASE}gale> <{TYPE}> <{BASE}Gate>",
        ("There are 14 gates.", "There are 15 gates.", "There are more than 14 gates."),
    ),
    "words of a property": (f"<{BASE}mouth> <{SKOS}altLabel> 'rises in'", ("Elm Brook rises in Oak Brook.",)),
    "only one value": (
        f"<{BASE}flowsThrough> <{TYPE}> <{OWL}FunctionalProperty>",
        ("Elm Brook flows through Corfe.", "Oak Brook flows through Arden."),
    ),
    "one owner": (f"<{BASE}tug> <{BASE}serves> <{BASE}arden>", ("Ferry Anne serves Arden.", "Tug Jo serves Arden.")),
    "a more general property": (
        f"<{BASE}serves> <{RDFS}subPropertyOf> <{BASE}visits>",
        ("Ferry Anne visits Corfe.",),
    ),
    "a chain": (
        f"<{BASE}visits> <{OWL}propertyChainAxiom> (<{BASE}serves> <{BASE}twin>)",
        ("Ferry Anne visits Bree.",),
    ),
    "a backward property": (
        f"<{BASE}drains> <{OWL}inverseOf> <{BASE}flowsThrough> . <{BASE}corfe> <{BASE}drains> <{BASE}elm>",
        ("Elm Brook flows through Corfe.",),
    ),
    "the longest": (
        f"<{BASE}fir> <{BASE}length> 90000",
        ("Oak Brook is the longest brook.", "Fir Brook is the longest brook.", "Fir Brook is longer than Elm Brook."),
    ),
    "one more kind above": (f"<{BASE}Boat> <{RDFS}subClassOf> <{BASE}Brook>", ("Ferry Anne is a brook.",)),
    "kinds that exclude each other": (
        f"<{BASE}Boat> <{OWL}disjointWith> <{BASE}Town>",
        ("Ferry Anne is not a town.", "Ferry Anne is a town."),
    ),
    "an equal property": (f"<{BASE}visits> <{OWL}equivalentProperty> <{BASE}serves>", ("Ferry Anne visits Corfe.",)),
    "another unit": (
        f"<{BASE}length> <http://qudt.org/schema/qudt/hasUnit> <http://qudt.org/vocab/unit/KiloM>",
        ("Oak Brook is 30 km long.", "Oak Brook is 30000 km long."),
    ),
}
#: Sentences that the curated facts alone decide; nothing above may change these either.
DECIDED = ("Elm Brook is 12 km long.", "Elm Brook flows through Bree.", "Elm Brook flows into Fir Brook.")


def written(folder: Path, triples: str | None, *, shapes: str = SHAPES) -> Path:
    extra = f"  complete: ['{BASE}Gate']"
    if triples is not None:
        extra += "\n  trust: {model.ttl: model}"
    write_kb(folder, shapes=shapes, extra=extra)
    with (folder / "data.ttl").open("a", encoding="utf-8") as file:
        file.write(MORE)
    if triples is not None:
        (folder / "model.ttl").write_text(f"{triples} .\n", encoding="utf-8")
        config = folder / "imprimatur.yaml"
        config.write_text(config.read_text().replace("[data.ttl]", "[data.ttl, model.ttl]"), encoding="utf-8")
    return folder
