"""A knowledge base of FactBench's correct facts, some of them withheld.

Each fact is ``subject –relation→ node –property→ object`` with ``dbo:from`` and ``dbo:to`` at the node, as the set
states it. Invariants: nothing of a withheld fact is in the graph but the names of its ends; nothing of a wrong fact is,
and no name that only wrong facts have.

World assumptions: the graph is open (what it does not say is not false) and no property of the vocabulary is
functional; a date refutes since the graph states the very fact at another time.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyoxigraph as ox

from imprimatur.errors import InputError
from imprimatur.evals.factbench_set import Fact
from imprimatur.evals.passage_sets import text_of
from imprimatur.sources.graph.terms import OWL, RDFS, XSD, RdfLiteral, iri_text, literal_text

__all__ = ["ONTOLOGY", "joined", "names_of", "write_folder"]

#: The vocabulary that is taken where a folder has none.
ONTOLOGY = Path(__file__).parents[1] / "resources" / "datasets" / "factbench" / "ontology.ttl"
_BASE = "https://imprimatur.dev/factbench"
_DBO = "http://dbpedia.org/ontology/"
_LABEL = RDFS + "label"
_NAMES = (_LABEL, "http://www.w3.org/2004/02/skos/core#altLabel")
#: The two schemes of ids of which the set is put together; one thing may have an id in each.
_SCHEMES = ("http://dbpedia.org/resource/", "http://rdf.freebase.com/ns/")
_TYPES = {4: "gYear", 7: "gYearMonth", 10: "date"}


def write_folder(folder: Path, kept: Sequence[Fact], named: Sequence[Fact], *, source: Path, join: bool) -> int:
    """Writes the knowledge base and returns how many things were taken as one with another.

    Args:
        kept: the facts that are stated; named: those whose ends are named.
        source: the folder of the set: its ``ontology.ttl`` is taken, and the names of its ``kg*.nt``.
        join: whether a name that both schemes of ids have an id for is the name of one thing.
    """
    lines: dict[str, None] = {}
    for number, fact in enumerate(kept):
        lines.update(dict.fromkeys(_stated(fact, number)))
    things = {iri for fact in named for iri in (fact.subject_iri, fact.object_iri) if iri}
    for fact in named:
        for iri, name in ((fact.subject_iri, fact.subject), (fact.object_iri, fact.object)):
            lines[_triple(iri, _LABEL, literal_text(RdfLiteral(name, lang="en")))] = None
    lines.update(dict.fromkeys(names_of(source, things)))
    pairs = joined(named) if join else []
    lines.update(dict.fromkeys(_triple(one, OWL + "sameAs", iri_text(other)) for one, other in pairs))
    (folder / "graph.nt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    own = source / "ontology.ttl"
    shutil.copyfile(own if own.is_file() else ONTOLOGY, folder / "ontology.ttl")
    settings = "version: 1\nname: factbench\ngraph: {data: [graph.nt], ontology: [ontology.ttl]}\n"
    (folder / "imprimatur.yaml").write_text(settings, encoding="utf-8")
    return len(pairs)


def _stated(fact: Fact, number: int) -> Iterator[str]:
    node = f"{_BASE}/{fact.relation}/{number}"
    yield _triple(fact.subject_iri, f"{_BASE}#{fact.relation}", iri_text(node))
    yield _triple(node, fact.predicate, iri_text(fact.object_iri))
    for name, written in (("from", fact.first), ("to", fact.last)):
        if written:
            kind = _TYPES[len(written.removeprefix("-"))]
            yield _triple(node, _DBO + name, literal_text(RdfLiteral(written, XSD + kind)))


def _triple(subject: str, predicate: str, object_: str) -> str:
    return f"{iri_text(subject)} {iri_text(predicate)} {object_} ."


def names_of(source: Path, things: set[str]) -> Iterator[str]:
    """The names that the graph files beside the facts (``kg*.nt``) have for things of the facts, and nothing else."""
    for path in sorted(source.glob("kg*.nt")) if source.is_dir() else ():
        try:
            for quad in ox.parse(text_of(path), format=ox.RdfFormat.N_TRIPLES):
                if quad.predicate.value in _NAMES and getattr(quad.subject, "value", "") in things:
                    yield f"{quad.subject} {quad.predicate} {quad.object} ."
        except SyntaxError as fault:
            raise InputError(f"cannot be read as N-Triples: {str(fault)[:200]}", where=str(path)) from fault


def joined(facts: Sequence[Fact]) -> list[tuple[str, str]]:
    """The pairs of ids, one of each scheme, that bear one name which no third thing bears."""
    bearers: dict[str, set[str]] = {}
    for fact in facts:
        bearers.setdefault(fact.subject, set()).add(fact.subject_iri)
        bearers.setdefault(fact.object, set()).add(fact.object_iri)
    pairs = []
    for name in sorted(bearers):
        ids = sorted(bearers[name])
        if len(ids) == 2 and all(iri.startswith(scheme) for iri, scheme in zip(ids, _SCHEMES, strict=True)):
            pairs.append((ids[0], ids[1]))
    return pairs
