"""Rows that have all of some atoms, and how the atoms of a statement fall into what is said of one row and another.

A row has several atoms only in several columns, or in one cell that holds them all. Two values of one column in one
statement are of two rows: "A and B come from C" says two things, "A comes from B and C from D" as well. What stands
before the first or after the last of them is said of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from imprimatur.sources.tables.prose.atoms import Atom

__all__ = ["groups", "having", "single"]


def having(atoms: Sequence[Atom], among: Iterable[int] | None = None, *, loose: bool = False) -> list[int]:
    """The rows that have all atoms, each in a column of its own; in order.

    With ``loose`` a name counts where it is said among other things, too.
    """
    if not atoms:
        return sorted(among or ())
    rows = [(atom, _rows(atom, loose=loose)) for atom in atoms]
    common = set(rows[0][1])
    for _, own in rows[1:]:
        common &= own.keys()
    if among is not None:
        common &= set(among)
    return sorted(row for row in common if _apart([(atom, own[row]) for atom, own in rows]))


def _rows(atom: Atom, *, loose: bool) -> Mapping[int, frozenset[int]]:
    return atom.more if loose and atom.more is not None else atom.rows


def single(atoms: Sequence[Atom]) -> bool:
    """Whether the atoms may all be said of one row: each has a column of its own, or shares a cell with another."""
    return _apart([(atom, atom.columns) for atom in atoms])


def _apart(wanted: Sequence[tuple[Atom, frozenset[int]]]) -> bool:
    """Whether each atom can be given a column that no other has, but for parts of one cell and two limits."""
    given: dict[int, int] = {}

    def place(number: int, seen: set[int]) -> bool:
        for column in sorted(wanted[number][1]):
            if column in seen:
                continue
            seen.add(column)
            other = given.get(column)
            if other is None or place(other, seen):
                given[column] = number
                return True
        return False

    return all(
        place(number, set()) or _shares(number, wanted, given) for number in range(len(wanted)) if wanted[number][1]
    )


def _shares(number: int, wanted: Sequence[tuple[Atom, frozenset[int]]], given: Mapping[int, int]) -> bool:
    """Whether an atom is a part of a cell of which another part is spoken of, or a further limit of a number."""
    atom, columns = wanted[number]
    others = [wanted[given[column]][0] for column in columns if column in given]
    if any(atom.sign != other.sign for other in others):
        return True
    if atom.whole:
        return False
    return any(not other.whole and other.rows.keys() & atom.rows.keys() for other in others)


def groups(atoms: Sequence[Atom]) -> list[tuple[Atom, ...]]:
    """The atoms by the rows that they are said of."""
    if single(atoms):
        return [tuple(atoms)]
    repeated = {
        column
        for number, atom in enumerate(atoms)
        for column in atom.columns
        if len(atom.columns) == 1 and any(other.columns == atom.columns for other in atoms[:number])
    }
    if not repeated:
        return [tuple(atoms)]
    key = [bool(atom.columns & repeated) and len(atom.columns) == 1 for atom in atoms]
    places = [number for number, is_key in enumerate(key) if is_key]
    parts = _closed(atoms, places)
    if parts:
        return [*parts[:-1], (*parts[-1], *atoms[places[-1] + 1 :])]
    first, last = places[0], places[-1]
    opened: list[list[Atom]] = []
    for number in range(first, last + 1):
        atom = atoms[number]
        if not opened or (key[number] and any(other.columns == atom.columns for other in opened[-1])):
            opened.append([])
        opened[-1].append(atom)
    shared = [*atoms[:first], *atoms[last + 1 :]]
    return [(*part, *(each for each in shared if single([*part, each]))) for part in opened]


def _closed(atoms: Sequence[Atom], places: Sequence[int]) -> list[tuple[Atom, ...]]:
    """The atoms up to each of some places, where each such run says the same kinds of things: "A at X and B at Y"."""
    edges = [0, *(place + 1 for place in places)]
    runs = [tuple(atoms[first:stop]) for first, stop in pairwise(edges)]
    shape = [atom.columns for atom in runs[0]]
    alike = all(
        len(run) == len(shape) > 1 and all(atom.columns & other for atom, other in zip(run, shape, strict=True))
        for run in runs[1:]
    )
    return runs if alike and len(runs) > 1 and all(single(run) for run in runs) else []
