"""Which of the things that complete a question's sentence are its answer.

Contract: a thing must be of the kind that is asked for; where several may be and one is asked for, only what the graph
states in the very words of the question is the answer, and nothing when part of the question was passed over. What
comes last of all ("ultimately") is answered only as far as the graph says so (``sources.graph.furthest``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from imprimatur.extract.asked import Asked
from imprimatur.extract.syntax import Item
from imprimatur.generate.answered import Outcome
from imprimatur.generate.kinds import Kind, kind_of
from imprimatur.language import closed_class
from imprimatur.sources.graph.completing import Things
from imprimatur.sources.graph.furthest import furthest, stated
from imprimatur.sources.graph.judge import GraphSource

__all__ = ["fitting", "of_outcome", "unqualified"]


def fitting(
    asked: Asked, found: Things, source: GraphSource, *, name: Callable[[str], str], lossy: bool
) -> tuple[str, ...] | Outcome:
    """The things that answer a question, or why there are none."""
    named = {iri for i in asked.items if i.entity is not None for iri in i.entity.candidates} | set(asked.apart)
    kinds = {iri: kind_of(asked.noun, iri, source) for iri in found.iris if iri not in named}
    possible = tuple(iri for iri, kind in kinds.items() if kind is not Kind.IS_NOT)
    if not possible or found.many:
        return Outcome.UNKNOWN
    if of_outcome(asked.items):
        last = furthest(source, found.along, possible)
        return (last,) if last else Outcome.UNKNOWN
    sure = tuple(iri for iri in possible if kinds[iri] is Kind.IS)
    if _one(possible, name):
        return Outcome.AMBIGUOUS if _in_doubt(found, possible, source) else sure or possible
    if asked.plural and not lossy:
        return sure or Outcome.UNKNOWN
    told = () if lossy or asked.plural else stated(source, found.along, possible)
    return told if told and _one(told, name) else Outcome.AMBIGUOUS


def _in_doubt(found: Things, iris: Sequence[str], source: GraphSource) -> bool:
    """Whether the graph has another fact of the thing with a name of one letter more or less: neither is sure."""
    graph = source.graph
    known = {graph.id(iri) for iri in iris}
    linked = {value for way in found.along for _, value in graph.out(way.thing) if not graph.is_literal(value)}
    told = [graph.label(n) for n in known if n is not None]
    return any(_alike(graph.label(value), name) for value in linked - known for name in told)


def _alike(a: str, b: str) -> bool:
    """Whether one name is the other with one letter more ("Grass River", "Grasse River")."""
    short, long = sorted((a.casefold(), b.casefold()), key=len)
    same = next((n for n, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    return len(long) == len(short) + 1 and short[same:] == long[same + 1 :]


def of_outcome(items: Sequence[Item]) -> bool:
    """Whether a sentence says what comes last of all ("ultimately")."""
    return any(i.lower in closed_class.words("outcome") for i in items)


def unqualified(name: str) -> str:
    """A name without what tells it from others of the same name: "Cross Creek (Ohio River tributary)"."""
    return name.partition(" (")[0]


def _one(iris: Iterable[str], name: Callable[[str], str]) -> bool:
    return len({unqualified(name(iri)) for iri in iris}) == 1
