"""Random queries put together from parts without regard to sense, as far as they are compiled.

They reuse few variables in many places, so that scopes meet: patterns, OPTIONAL, UNION, BIND, EXISTS, FILTER, and
sub-queries with and without groups, one within another.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from fuzzing import EX, LINKS, PREFIXES, random_targets

from imprimatur.sources.graph.load import Loader
from imprimatur.sources.graph.store import graph_of
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.facts import read_facts

__all__ = ["random_compositions"]

_NODES = ("?x", "?y", "?z", "?value", "$this", "$this", "$this", ":a")
_HEADS = ("$this", "$this ?value", "$this ?value ?n", "DISTINCT $this ?value", "?value", "*", "$this (?n AS ?value)")
_COUNTS = ("COUNT(*)", "COUNT(?x)", "COUNT(DISTINCT ?y)", "COUNT(?value)", "COUNT(DISTINCT *)")
_DEEPEST = 3


def _path(rng: random.Random) -> str:
    link, other = (":" + rng.choice(LINKS) for _ in range(2))
    ways = (f"{link}/{other}", f"{link}|{other}", f"^{link}", f"{link}+", f"{link}?", f"({link}|{other})/{link}")
    return rng.choice((link, link, link, *ways, "?p", ":n", "a"))


def _patterns(rng: random.Random) -> str:
    some = range(rng.choice((1, 1, 2, 3)))
    return " . ".join(f"{rng.choice(_NODES)} {_path(rng)} {rng.choice(_NODES)}" for _ in some)


def _bound(rng: random.Random) -> str:
    return f"{rng.choice('<>=')} {rng.randint(0, 3)}"


def _filter(rng: random.Random) -> str:
    tests = (f"?n {_bound(rng)}", "?x != ?y", "!bound(?y)", "?value = :a || ?x = :b", "?m > ?n", "!bound(?n)")
    return f"FILTER ({rng.choice((*tests, f'COALESCE(?n, 0) {_bound(rng)}'))})"


def _sub_query(rng: random.Random, depth: int) -> str:
    names = " ".join(rng.sample(("?x", "?y", "?value"), rng.choice((0, 0, 0, 1, 2))))
    kind, body = rng.random(), _group(rng, depth + 1)
    if kind < 0.2:
        return f"{{ SELECT {rng.choice(('', 'DISTINCT '))}$this {names} WHERE {body} }}"
    count = f"({rng.choice(_COUNTS)} AS {rng.choice(('?n', '?m'))})"
    if kind < 0.35:
        return f"{{ SELECT {count} WHERE {body} }}"
    having = f"HAVING ({rng.choice(_COUNTS)} {_bound(rng)})" if rng.random() < 0.3 else ""
    return f"{{ SELECT $this {names} {count} WHERE {body} GROUP BY $this {names} {having} }}"


def _element(rng: random.Random, depth: int) -> str:
    kind = rng.random()
    if kind < 0.5 or depth >= _DEEPEST:
        return _patterns(rng)
    if kind < 0.68:
        return (
            f"{{ {_patterns(rng)} }} UNION {{ {_patterns(rng)} }}"
            if kind < 0.6
            else f"OPTIONAL {_group(rng, depth + 1)}"
        )
    if kind < 0.8:
        exists = f"FILTER {rng.choice(('', 'NOT '))}EXISTS {{ {_patterns(rng)} }}"
        return rng.choice(("BIND (STR(?x) AS ?s)", exists))
    return _sub_query(rng, depth)


def _group(rng: random.Random, depth: int = 0) -> str:
    elements = [_element(rng, depth) for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    if rng.random() < 0.3:
        elements.append(_filter(rng))
    return "{ " + " . ".join(elements) + " }"


def _query(rng: random.Random) -> str:
    kind, body = rng.random(), _group(rng)
    if kind < 0.55:
        return f"{rng.choice(_HEADS)} WHERE {body}"
    having = f"HAVING ({rng.choice(_COUNTS)} {_bound(rng)})"
    if kind < 0.7:
        return f"$this ({rng.choice(_COUNTS)} AS ?n) WHERE {body} {having}"
    names = rng.choice(("", "?value"))
    having = having if rng.random() < 0.7 else ""
    return f"$this {names} ({rng.choice(_COUNTS)} AS ?n) WHERE {body} GROUP BY $this {names} {having}"


def random_compositions(rng: random.Random, number: int = 4) -> str:
    """Shapes in Turtle, all of them compiled."""
    parts = [PREFIXES]
    while len(parts) <= number:
        query = f'sh:select """PREFIX : <{EX}> SELECT {_query(rng)}""" ; sh:message "found {{?value}} {{?n}}"'
        shape = f":S{len(parts)} a sh:NodeShape ; sh:sparql [ {query} ] ; {random_targets(rng)} ."
        if _is_compiled(shape):
            parts.append(shape)
    return "\n".join(parts)


def _is_compiled(shape: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shapes.ttl"
        path.write_text(PREFIXES + shape, encoding="utf-8")
        (root,) = Engine(graph_of(Loader()), read_facts([path])).roots
    return root.way == "compiled"
