"""Writes triples into a FalkorDB graph, as an ordinary property graph that has the IRIs of its things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox
from property_server import FalkorServer

from imprimatur.sources.graph.terms import RDF, RDFS, SKOS, local_name
from imprimatur.sources.property.values import written_parameters

__all__ = ["write_triples"]

_AT_ONCE = 500
#: A label of the writer's own, which is no class: it has the index by which ends are found.
_ALL = "__Resource__"
_NAMES = {RDFS + "label": "label", SKOS + "altLabel": "altLabel"}


def write_triples(server: FalkorServer, graph: str, quads: Iterable[ox.Quad]) -> None:
    """Things become nodes with ``iri``, classes labels, literals keys (as texts), links relationships."""
    labels: dict[str, list[str]] = defaultdict(list)
    keys: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    links: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for quad in quads:
        value = quad.object
        assert isinstance(quad.subject, ox.NamedNode)
        assert isinstance(value, ox.NamedNode | ox.Literal)
        subject, predicate = quad.subject.value, quad.predicate.value
        keys[subject]  # a thing is a node even if it has no key
        if isinstance(value, ox.Literal):
            keys[subject][_NAMES.get(predicate, local_name(predicate))].append(value.value)
        elif predicate == RDF + "type":
            labels[subject].append(local_name(value.value))
        else:
            links[local_name(predicate)].append((subject, value.value))
            keys[value.value]
    server.write(graph, f"CREATE INDEX FOR (n:{_ALL}) ON (n.iri)")
    by_labels: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for subject, has in keys.items():
        made: dict[str, Any] = {key: found[0] if len(found) == 1 else found for key, found in has.items()}
        by_labels[tuple(sorted(labels[subject]))].append({"iri": subject, **made})
    for each, nodes in by_labels.items():
        named = "".join(f":`{label}`" for label in (_ALL, *each))
        for part in _parts(nodes):
            server.write(
                graph, f"{written_parameters({'rows': part})}UNWIND $rows AS row CREATE (n{named}) SET n = row"
            )
    for type_, pairs in links.items():
        for part in _parts(pairs):
            found = f"MATCH (a:{_ALL} {{iri: row[0]}}), (b:{_ALL} {{iri: row[1]}})"
            query = f"UNWIND $rows AS row {found} CREATE (a)-[:`{type_}`]->(b)"
            server.write(graph, written_parameters({"rows": part}) + query)


def _parts(rows: list[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(rows), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]
