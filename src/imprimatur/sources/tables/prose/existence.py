"""Plain statements: there is a row that has everything that is said, or one for each thing that is spoken of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from imprimatur.sources.tables.prose.atoms import Atom
from imprimatur.sources.tables.prose.degrees import turns
from imprimatur.sources.tables.prose.left import left_over
from imprimatur.sources.tables.prose.outcome import Outcome
from imprimatur.sources.tables.prose.read import Read
from imprimatur.sources.tables.prose.rows import groups, having

__all__ = ["existence"]


def existence(read: Read) -> Outcome | None:
    """What a relation says of a plain statement; None where nothing of it stands in the relation.

    Ordinary words that happen to stand in cells count only where they fit; a name counts as a part of a cell only where
    no whole cell fits. Where a word is left that would turn the statement ("not", "only", "most"), it is not read.
    """
    strong = tuple(atom for atom in read.atoms if not atom.weak)
    if not strong:
        return None
    for chosen, loose in ((read.atoms, False), (read.atoms, True), (strong, False)):
        found = [having(part, loose=loose) for part in _parts(read, chosen)]
        if all(found):
            rows = tuple(sorted({row for part in found for row in part}))
            return _outcome(read, chosen, rows, holds=True, sure=not loose)
    failed = [part for part in _parts(read, strong) if not having(part)]
    nearest = [_nearest(read, part) for part in failed]
    sure = any(not _silent(read, part, rows) for part, rows in zip(failed, nearest, strict=True))
    return _outcome(read, strong, tuple(sorted({row for rows in nearest for row in rows})), holds=False, sure=sure)


def _nearest(read: Read, atoms: Sequence[Atom]) -> tuple[int, ...]:
    """The rows that have most of what is said, if they have any of it; what names a row counts twice."""
    titles = read.titles
    count: Counter[int] = Counter()
    for atom in atoms:
        count.update(dict.fromkeys(atom.rows, 2 if atom.columns <= titles else 1))
    most = max(count.values(), default=0)
    return tuple(sorted(row for row, number in count.items() if number == most))


def _silent(read: Read, atoms: Sequence[Atom], rows: Sequence[int]) -> bool:
    """Whether one of some rows says nothing where it would have to say what it lacks."""
    for row in rows:
        lacking = [atom for atom in atoms if row not in atom.rows]
        if all(not any((row, column) in read.index.words for column in atom.columns) for atom in lacking):
            return True
    return False


def _outcome(read: Read, atoms: Sequence[Atom], rows: tuple[int, ...], *, holds: bool, sure: bool) -> Outcome | None:
    paired = [at for at in range(len(read.line.spans)) if read.word(at) == "respectively"]
    left = left_over(read, atoms, paired)
    if any(turns(word) for word in left):
        return None
    return Outcome(
        holds=holds,
        form="rows",
        rows=rows,
        columns=tuple(sorted({column for atom in atoms for column in atom.columns})),
        used=tuple(atoms),
        left=left,
        sure=sure,
    )


def _parts(read: Read, atoms: Sequence[Atom]) -> list[tuple[Atom, ...]]:
    """The atoms by the rows that they are said of; "respectively" pairs two lists."""
    if any(read.word(at) == "respectively" for at in range(len(read.line.spans))):
        lists = _lists(atoms)
        if len(lists) == 2 and len(lists[0]) == len(lists[1]) > 1:
            paired = {atom.at for each in lists for atom in each}
            shared = tuple(atom for atom in atoms if atom.at not in paired)
            return [(one, other, *shared) for one, other in zip(*lists, strict=True)]
    return groups(atoms)


def _lists(atoms: Sequence[Atom]) -> list[list[Atom]]:
    """The runs of at least two atoms of one column."""
    runs: list[list[Atom]] = []
    for atom in atoms:
        if runs and runs[-1][-1].columns & atom.columns:
            runs[-1].append(atom)
        else:
            runs.append([atom])
    return [run for run in runs if len(run) > 1]
