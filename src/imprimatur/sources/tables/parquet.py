"""The table of a Parquet file, by the extra ``parquet``."""

from __future__ import annotations

from pathlib import Path

from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.tables.raw import RawTable, cell_of, checked_size, distinct
from imprimatur.sources.tables.relation import Row

__all__ = ["read_parquet"]


def read_parquet(path: Path) -> RawTable:
    """The table of a file. Raises KnowledgeBaseError where it is none, or the library is not installed."""
    try:
        from pyarrow import parquet
    except ImportError as fault:
        hint = "install it: pip install 'imprimatur[parquet]'"
        raise KnowledgeBaseError("Parquet needs the extra `parquet`", where=str(path), hint=hint) from fault
    try:
        table = parquet.read_table(path)
    except (OSError, ValueError) as fault:
        said = " ".join(str(fault).split())[:120]
        raise KnowledgeBaseError(f"is no Parquet file that can be read: {said}", where=str(path)) from fault
    checked_size(table.num_rows * table.num_columns, str(path))
    names = distinct(table.column_names, str(path))
    columns = [column.to_pylist() for column in table.columns]
    rows = tuple(
        Row(place=f"row {number}", cells=tuple(map(cell_of, cells))) for number, cells in enumerate(zip(*columns), 1)
    )
    return RawTable(name=path.stem, origin=path.name, names=names, rows=rows)
