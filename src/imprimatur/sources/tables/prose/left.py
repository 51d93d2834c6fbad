"""The words of a statement that nothing of a reading accounts for.

Invariant: only words of closed classes that say nothing of a table, words of what the table is called, and names of
columns are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable

from imprimatur.language.closed_class import is_function_word
from imprimatur.sources.tables.prose.atoms import Atom
from imprimatur.sources.tables.prose.linking import SpanKind
from imprimatur.sources.tables.prose.read import Read

__all__ = ["left_over"]

_SILENT = frozenset("when while during by there then throughout within be also from against both among".split())


def left_over(read: Read, used: Iterable[Atom], places: Iterable[int] = ()) -> tuple[str, ...]:
    """The words that neither atoms, names of columns nor the words at some places account for."""
    line = read.line
    known = {*places, *line.mute}
    for atom in used:
        known.add(atom.at)
        if atom.at in line.limits:
            known |= set(line.limits[atom.at].places)
    left = []
    for at, span in enumerate(line.spans):
        if at in known or span.kind is SpanKind.HEADING or span.token.stem in line.index.context:
            continue
        if len(span.read) == 1 and (is_function_word(span.text) or span.text in _SILENT):
            continue
        left.append(span.text)
    return tuple(left)
