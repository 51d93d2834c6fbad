"""Rows from the Hugging Face hub, by its ``datasets`` library (the extra ``datasets``), written down as JSON lines.

Nothing of the library is imported before it is asked for. Contract: the rows are written as the hub has them into the
file that the set's loader reads, and that loader alone decides whether they are as they should be.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from imprimatur.errors import InputError

if TYPE_CHECKING:
    from imprimatur.evals.datasets_listed import DataSet

__all__ = ["PREFIX", "fetched"]

PREFIX = "hf:"


def fetched(found: DataSet, place: str, folder: Path) -> Path:
    """Writes the rows of a data set into a folder, and returns it.

    Args:
        place: ``hf:`` for the repository that is known, or ``hf:REPOSITORY[:CONFIGURATION][@SPLIT]``.

    Raises:
        InputError: no form of the set on the hub is read, the library is not installed, or the hub does not give it.
    """
    hub = found.hub
    if hub is None:
        hint = f"get it from {found.home} and give the folder that holds {found.files}"
        raise InputError(f"no form of {found.title} on the hub is read", where=place, hint=hint)
    told, _, split = place.removeprefix(PREFIX).partition("@")
    repository, _, config = told.partition(":")
    try:
        library: Any = import_module("datasets")
    except ImportError as fault:
        hint = "pip install 'imprimatur[datasets]', or give a folder"
        raise InputError("the `datasets` library is not installed", where=place, hint=hint) from fault
    own = not repository or repository == hub.repository
    try:
        rows = library.load_dataset(
            repository or hub.repository, config or (hub.config if own else None), split=split or hub.split
        )
    except Exception as fault:  # the library raises whatever its parts do
        hint = "check the name and the network; a set whose repository runs code is not loaded"
        raise InputError(f"the hub does not give it: {str(fault)[:200]}", where=place, hint=hint) from fault
    _written(cast("Iterable[Mapping[str, Any]]", rows), folder / hub.file)
    return folder


def _written(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    with path.open("w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
