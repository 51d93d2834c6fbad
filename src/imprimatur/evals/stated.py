"""What an RDF graph states of the things that a text names, read from its files without the oracle.

``Stated`` is the second opinion of the mutation gate: it knows names, links and values as they are written, and nothing
of wordings, units or inference. Invariant: no module that judges answers is imported here.
"""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyoxigraph as ox

__all__ = ["Stated"]

_SYMMETRIC = ox.NamedNode("http://www.w3.org/2002/07/owl#SymmetricProperty")
#: Last parts of the names of properties that hold both ways whatever an ontology says.
_MUTUAL = ("spouse", "sibling", "partner", "confluenceWith", "twinTown")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NAME = re.compile(r"[^\W\d_][\w.'’-]*")
_EXTRA = re.compile(r"\s*\([^)]*\)|,.*")
_FORMATS = {".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES}


class Stated:
    """Names, neighbours and mutual links of a graph's nodes."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._nodes: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, set[str]] = defaultdict(set)
        self._links: dict[str, set[str]] = defaultdict(set)
        self._values: dict[str, set[str]] = defaultdict(set)
        edges: list[tuple[str, str, str]] = []
        mutual: set[str] = set()
        for quad in (quad for path in files for quad in _quads(path)):
            s, p = _key(quad.subject), quad.predicate.value
            if quad.object == _SYMMETRIC:
                mutual.add(s)
            elif isinstance(quad.object, ox.Literal):
                self._add_literal(s, quad.object.value)
            else:
                edges.append((s, p, _key(quad.object)))
                self._links[s].add(edges[-1][2])
                self._links[edges[-1][2]].add(s)
        self._both = {frozenset((s, o)) for s, p, o in edges if p in mutual or p.endswith(_MUTUAL)}

    def _add_literal(self, subject: str, text: str) -> None:
        self._values[subject].add(text)
        for name in (text, _EXTRA.sub("", text)):
            self._nodes[name.lower()].add(subject)
            self._names[subject].add(name)

    def nodes(self, name: str) -> set[str]:
        """The nodes that have the name as one of their values, brackets and places after it left out."""
        return self._nodes.get(name.lower(), set()) | self._nodes.get(name.lower().removeprefix("the "), set())

    def mutual(self, one: str, other: str) -> bool:
        """Whether a relation that holds both ways links things of two names, directly or by a node between them."""
        others = self.nodes(other)
        for node in self.nodes(one):
            for near in self._links[node]:
                if near in others and frozenset((node, near)) in self._both:
                    return True
                if any(frozenset((near, far)) in self._both for far in self._links[near] & others):
                    return True
        return False

    def holds(self, names: Sequence[str], added: str) -> bool:
        """Whether all that was put in are numbers and names that stand next to one of the things named."""
        near = [text for name in names for node in self.nodes(name) for text in self._around(node)]
        numbers = {str(float(n)) for text in near for n in _NUMBER.findall(text)}
        digits = _NUMBER.findall(added.replace(",", ""))
        left = added
        for text in sorted(set(near), key=len, reverse=True):
            left = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", " ", left, flags=re.IGNORECASE)
        known = all(str(float(n)) in numbers or _decade(n, added, numbers) for n in digits)
        words = {w.lower() for w in _NAME.findall(re.sub(r"\d+s\b", "", left))}
        return bool(digits or left != added) and known and words <= {"in", "on", "the", "and", "as", "well"}

    def _around(self, node: str) -> Iterable[str]:
        yield from self._values[node]
        for near in self._links[node]:
            yield from self._values[near] | self._names[near]
            if not self._names[near]:
                for far in self._links[near]:
                    yield from self._names[far]


def _decade(number: str, added: str, known: set[str]) -> bool:
    return f"{number}s" in added and any(n.startswith(number[:3]) and len(n) == 6 for n in known)


def _key(term: object) -> str:
    return str(term)


def _quads(path: Path) -> Iterable[ox.Quad]:
    bare = path.with_suffix("") if path.suffix == ".gz" else path
    data = path.read_bytes()
    yield from ox.parse(gzip.decompress(data) if bare != path else data, format=_FORMATS[bare.suffix])
