"""Statements of "only", "all" and "not": which rows there are besides, or that there are none.

"A is the only team from Spain", "only A scored more than 10", "all games were played in May", "A did not win". The
rows that have the one thing are compared with those that have the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.sources.tables.prose.atoms import Atom
from imprimatur.sources.tables.prose.binding import BE
from imprimatur.sources.tables.prose.cues import denials
from imprimatur.sources.tables.prose.left import left_over
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import Read
from imprimatur.sources.tables.prose.rows import groups, having

__all__ = ["denial", "every", "only", "same"]

_ALL = frozenset("all every each".split())


def only(read: Read) -> Outcome | None:
    """What a relation says of a statement with "only" before a name, or of "the only" one."""
    end = len(read.line.spans)
    places = [at for at in range(end) if read.word(at) in ("only", "sole")]
    if len(places) != 1:
        return None
    at = places[0]
    focus, others = _focus(read, at, end)
    if not focus or not others:
        return None
    named = sorted({row for atom in focus for row in atom.rows})
    rows = having(others, read.every) or having(others, read.every, loose=True)
    holds = bool(rows) and set(rows) <= set(named) and all(set(atom.rows) & set(rows) for atom in focus)
    return Outcome(
        holds=holds,
        form="only",
        rows=tuple(rows or named),
        columns=tuple(sorted({column for atom in (*focus, *others) for column in atom.columns})),
        used=(*focus, *others),
        left=left_over(read, (*focus, *others), (at,)),
    )


def _focus(read: Read, at: int, end: int) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """The atoms that "only" singles out, and the others."""
    before, after = read.within(0, at), read.within(at + 1, end)
    if read.word(at - 1) == "the" and read.word(at - 2) in BE and before:
        return before, after
    verb = read.verb(at, end)
    if read.word(at - 1) == "the" and verb is not None:
        claimed = tuple(atom for atom in after if atom.at > verb)
        return claimed, (*before, *(atom for atom in after if atom.at < verb))
    if at + 1 < end and after and after[0].at <= at + 2 and not after[0].number and not before:
        columns = after[0].columns
        listed = tuple(atom for atom in after if atom.columns == columns)
        return listed, tuple(atom for atom in after if atom not in listed)
    return (), ()


def every(read: Read) -> Outcome | None:
    """What a relation says of a statement about all rows that have something."""
    end = len(read.line.spans)
    places = [at for at in range(end) if read.word(at) in _ALL]
    if len(places) != 1 or denials(read.line.spans):
        return None
    at = places[0]
    verb = read.verb(at, end)
    if verb is None:
        return None
    domain = [*read.within(0, at), *read.within(at + 1, verb)]
    claimed = read.within(verb + 1, end)
    if not claimed or len(groups(domain)) > 1 or len(groups(claimed)) > 1:
        return None
    rows = read.rows(domain)
    if len(rows) < 2:
        return None
    held = having(claimed, rows) or having(claimed, rows, loose=True)
    return Outcome(
        holds=len(held) == len(rows),
        form="all",
        rows=tuple(rows),
        columns=tuple(sorted({column for atom in claimed for column in atom.columns})),
        used=(*domain, *claimed),
        left=left_over(read, (*domain, *claimed), (at,)),
    )


def denial(read: Read) -> Outcome | None:
    """What a relation says of a statement that denies something of a row."""
    places = denials(read.line.spans)
    if len(places) != 1 or not read.atoms:
        return None
    strong: Sequence[Atom] = tuple(atom for atom in read.atoms if not atom.weak)
    if len(groups(strong)) > 1 or len(strong) < 2 or not all(atom.rows for atom in strong if atom.at < places[0]):
        return None
    held = having(strong, read.every)
    return Outcome(
        holds=not held,
        form="denial",
        rows=tuple(held),
        columns=tuple(sorted({column for atom in strong for column in atom.columns})),
        used=tuple(strong),
        left=left_over(read, strong, places),
    )


def same(read: Read) -> Outcome | None:
    """What a relation says of a statement that several rows have the same of something."""
    end = len(read.line.spans)
    places = [at for at in range(end) if read.word(at) == "same"]
    if len(places) != 1:
        return None
    at = places[0]
    named = next((place for place in read.headings(at + 1, min(at + 4, end)) if read.is_name(place)), None)
    if named is None or len(read.columns(named)) != 1:
        return None
    column = read.columns(named)[0]
    atoms = tuple(atom for atom in read.atoms if not atom.weak)
    rows = [row for part in groups(atoms) for row in having(part, read.every)]
    said = {read.index.words.get((row, column)) for row in rows}
    if len(rows) < 2 or None in said or any(column in atom.columns for atom in atoms):
        return None
    return Outcome(
        holds=len(said) == 1,
        form="same",
        rows=tuple(rows),
        columns=(column,),
        used=atoms,
        left=left_over(read, atoms, (at,)),
        sure=len(rows) == len(groups(atoms)),
    )
