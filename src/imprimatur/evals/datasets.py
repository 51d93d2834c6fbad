"""``imprimatur eval datasets``: which data sets there are, and what a copy of one holds.

A copy is a folder as the set was published, or ``hf:`` for the rows that the Hugging Face hub has. It is read by the
loader of the evaluation that uses it, so that a copy that passes here can be evaluated on. Invariant: a row that the
loader refuses ends the check with its place; everything else is counted and told, and nothing is mended.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from imprimatur.errors import InputError, nearest
from imprimatur.evals.datasets_checks import balance, cases, labels, overlaps, problems
from imprimatur.evals.datasets_hub import PREFIX, fetched
from imprimatur.evals.datasets_listed import LISTED, DataSet
from imprimatur.evals.datasets_rows import Shown, all_of
from imprimatur.evals.finishing import provenance, versions
from imprimatur.evals.outcome import Outcome, Table

__all__ = ["checked", "listing", "named"]


def named(name: str) -> DataSet:
    """A data set by its name. Raises InputError where there is none."""
    if name in LISTED:
        return LISTED[name]
    near = nearest(name, LISTED)
    hint = f"did you mean {near!r}?" if near else "`imprimatur eval datasets` lists them"
    raise InputError(f"{name!r} is not a data set", hint=hint)


def listing() -> Outcome:
    """All data sets: what they are, where they are to be had, and how they may be used here."""
    head = ("name", "set", "rows", "licence", "shipped", "evaluated by")
    rows = tuple(
        (each.name, each.title, each.size, each.licence, _shipped(each), each.command) for each in LISTED.values()
    )
    places = tuple((each.name, each.home, each.citation, each.files) for each in LISTED.values())
    uses = tuple((each.name, each.use, each.tested, " ".join(each.leaks)) for each in LISTED.values())
    return Outcome(
        name="datasets",
        title="Data sets",
        tables=(
            Table(title="Data sets", head=head, rows=rows),
            Table(title="Where they are to be had", head=("name", "home", "to cite", "files wanted"), rows=places),
            Table(title="Use", head=("name", "used here as", "loader tried on", "what to mind"), rows=uses),
        ),
        versions=versions(),
        notes=("`imprimatur eval datasets NAME FOLDER` checks a copy.",),
    )


def _shipped(each: DataSet) -> str:
    return "-" if each.shipped is None else "yes" if each.shipped.is_file() else "a sample"


def checked(name: str, place: str | None) -> Outcome:
    """What a copy of a data set holds.

    Args:
        place: a folder or file, ``hf:``, or None for what is shipped.

    Raises:
        InputError: no such set, no copy, or one that its loader refuses.
    """
    found = named(name)
    if place is not None and place.startswith(PREFIX):
        with TemporaryDirectory() as folder:
            return _checked(found, fetched(found, place, Path(folder)), place)
    path = found.shipped if place is None else Path(place)
    if path is None:
        hint = f"get it from {found.home} ({found.licence}) and give the folder that holds {found.files}"
        raise InputError(f"nothing of {found.title} is shipped", hint=hint)
    return _checked(found, path, path.name)


def _checked(found: DataSet, path: Path, told: str) -> Outcome:
    try:
        rows = all_of(found.read(path))
    except InputError as fault:
        raise fault if fault.where else InputError(fault.message, where=str(path), hint=fault.hint) from fault
    between = overlaps(rows)
    sources, packages = provenance(files=(path,))
    return Outcome(
        name="datasets",
        title=f"{found.title}: {len(rows)} rows",
        tables=(labels(rows), problems(rows), *([between] if between is not None else []), _sources(rows)),
        curves=(balance(rows),),
        cases=tuple(cases(rows)),
        settings={"set": found.name, "copy": told},
        sources=sources,
        versions=packages,
        notes=tuple(_notes(found, rows)),
    )


def _sources(rows: tuple[Shown, ...]) -> Table:
    """How many rows hang on one source: intervals over rows are too narrow where many do."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.source or row.id] = counts.get(row.source or row.id, 0) + 1
    most = max(counts, key=lambda name: (counts[name], name))
    body = ((len(counts), f"{len(rows) / len(counts):.2f}", counts[most], " ".join(most.split())[:60]),)
    return Table(title="Sources", head=("sources", "rows of each, mean", "most rows", "of the source"), rows=body)


def _notes(found: DataSet, rows: tuple[Shown, ...]) -> Iterator[str]:
    yield f"Published: {found.size}. Licence: {found.licence}. {found.home}"
    yield f"Used here as {found.use}. Loader tried on {found.tested}."
    for leak in found.leaks:
        yield f"To mind: {leak}"
