"""The words of a graph as an extractor is given them: its classes and properties, by name."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.errors import ConfigError, nearest

__all__ = ["Term", "Terms", "chosen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A class or a property.

    Attributes:
        label: what it is called.
        above: for a class, itself and all classes above it.
        domains: for a property, the classes of what has it, as alternatives; any where there are none.
        ranges: likewise the classes of its values.
        value: for a property, what its values are: ``entity``, ``quantity``, ``date``, ``text`` or ``any``.
    """

    iri: str
    label: str
    above: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    ranges: frozenset[str] = frozenset()
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The classes and properties of a graph; ``locale`` is that of the answers."""

    classes: tuple[Term, ...] = ()
    properties: tuple[Term, ...] = ()
    locale: str = "en"


def chosen(terms: Sequence[Term], wanted: Sequence[str], *, what: str, where: str) -> tuple[Term, ...]:
    """The terms that are wanted, in the order of the graph; all where none is.

    Raises:
        ConfigError: one of them is not in the graph.
    """
    known = {term.iri for term in terms}
    for iri in wanted:
        if iri not in known:
            near = nearest(iri, known)
            hint = f"did you mean {near!r}?" if near else "write its IRI as the graph has it"
            raise ConfigError(f"the graph has no {what} {iri[:100]!r}", where=where, hint=hint)
    return tuple(term for term in terms if not wanted or term.iri in wanted)
