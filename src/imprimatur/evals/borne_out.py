"""What of a text a graph does not bear out, found without anything that judges.

The graph's files are read as triples. Of the things that a question names, and of what lies within two steps of them,
all names, texts and numbers are taken together; a number of the text must be one of these numbers in some unit, as
exact as it is written, or stand in one of the texts; a capitalised word must stand in one of them, in the question, or
open a sentence as a plain word. What is left over is not borne out. What a model made bears nothing out.

Contract: this looks at values, not at what is said of them: it finds what was made up, and not a true value in a wrong
place. In doubt a word is not borne out.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyoxigraph as ox

from imprimatur._expressions import expression
from imprimatur.config import load_folder, resolve
from imprimatur.evals.made_by_models import MODEL

__all__ = ["Ground"]

_LABELS = ("http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel")
_FORMATS = {".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES, ".nq": ox.RdfFormat.N_QUADS}
_STEPS = 2
_NUMBER = expression(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w*\])")
_WORD = expression(r"[^\W\d_][\w'’.-]*")
_CITED = expression(r"\[[^\[\]]{0,200}\]")
_OPENING = expression(r"(?:^|[.!?:]\s|\n)\s*[-*#>“\"(]*\s*(?=\w)", re.MULTILINE)
#: What one of a unit is in others of its kind: of length, of area (from square metres and square kilometres), of flow.
_FACTORS = (
    *(1.0, 1e3, 0.01, 100.0, 0.3048, 1609.344, 0.9144),
    *(1e6, 1e4, 4046.8564224, 2589988.110336, 0.004046856, 2.589988110336, 0.028316846592),
)
_PLAIN_OPENERS = frozenset(
    "the a an it its this that these those in at on of from to by with yes no there according both and".split()
)


class Ground:
    """The files of one knowledge base's graph, as far as they bear texts out."""

    def __init__(self, kb: str | Path) -> None:
        """Reads the graph of a folder, or of a bundled name."""
        self._near: dict[str, set[str]] = {}
        self._texts: dict[str, set[str]] = {}
        self._bearers: dict[str, set[str]] = {}
        graph = load_folder(resolve(kb)).graph
        for path in (path for path in graph.data if graph.trust_of(path) != MODEL):
            for quad in _parsed(path):
                self._add(quad)
        self._longest = max((len(name.split()) for name in self._bearers), default=0)

    def unfounded(self, text: str, question: str) -> tuple[str, ...]:
        """The numbers and capitalised words of a text that neither the question nor the graph around it has."""
        said = " ".join(sorted(self._around(question)))
        words = {word.casefold().rstrip(".") for word in _WORD.findall(f"{said} {question}".replace("’", "'"))}
        numbers = [_value(found) for found in _NUMBER.findall(said)]
        asked = set(_NUMBER.findall(question))
        bare = _CITED.sub(" ", text)
        left = [found for found in _NUMBER.findall(bare) if found not in asked and not _is_one(found, numbers)]
        openings = {match.end() for match in _OPENING.finditer(bare)}
        for match in _WORD.finditer(bare):
            word = match[0].rstrip(".").replace("’", "'")
            bare_word = word.removesuffix("'s")
            plain = match.start() in openings and word.casefold() in _PLAIN_OPENERS
            if word[:1].isupper() and words.isdisjoint((word.casefold(), bare_word.casefold())) and not plain:
                left.append(bare_word)
        return tuple(left)

    def _add(self, quad: ox.Quad) -> None:
        subject, value = quad.subject, quad.object
        if not isinstance(subject, ox.NamedNode):
            return
        if isinstance(value, ox.Literal):
            self._texts.setdefault(subject.value, set()).add(value.value)
            if quad.predicate.value in _LABELS:
                self._bearers.setdefault(value.value.casefold(), set()).add(subject.value)
        elif isinstance(value, ox.NamedNode):
            self._near.setdefault(subject.value, set()).add(value.value)
            self._near.setdefault(value.value, set()).add(subject.value)

    def _around(self, question: str) -> set[str]:
        """All texts of the things that a question names, and of what lies around them."""
        found = set(self._named(question))
        edge = set(found)
        for step in range(_STEPS):
            # What very many things point at (a class, a country) is a hub: nothing is reached through it.
            hubs = {each for each in edge if step and len(self._near.get(each, ())) > 1000}
            edge = {other for each in edge - hubs for other in self._near.get(each, ())} - found
            found |= edge
        return {text for each in found for text in self._texts.get(each, ())}

    def _named(self, question: str) -> Iterator[str]:
        words = question.replace("?", " ").replace("’", "'").split()
        for start in range(len(words)):
            for length in range(1, min(self._longest, len(words) - start) + 1):
                name = " ".join(words[start : start + length]).casefold()
                for written in {name, name.rstrip(",.;:"), name.removesuffix("'s")}:
                    yield from self._bearers.get(written, ())


def _parsed(path: Path) -> Iterator[ox.Quad]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    kind = _FORMATS[path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix]
    return ox.parse(data, format=kind)


def _value(written: str) -> float:
    return float(written.replace(",", ""))


def _is_one(written: str, numbers: Sequence[float]) -> bool:
    """Whether a written number is one of some numbers in some unit, to its last digit or to half a percent."""
    value = _value(written)
    half = 0.5 * 10 ** -len(written.partition(".")[2])
    loose = 0.005 * value if len(written.replace(",", "").replace(".", "").strip("0")) >= 2 else 0.0
    allowed = max(half, loose) * (1 + 1e-9)
    return any(abs(number / factor - value) <= allowed for number in numbers for factor in _FACTORS)
