"""Files and databases of tables opened as relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.config import TableAddress, TableFile, TableSource
from imprimatur.errors import ConfigError, KnowledgeBaseError, nearest
from imprimatur.sources.tables.columns import referring, relation_of
from imprimatur.sources.tables.delimited import read_delimited
from imprimatur.sources.tables.described import TableWords, read_described
from imprimatur.sources.tables.documents.blocks import Aside
from imprimatur.sources.tables.documents.joining import joined
from imprimatur.sources.tables.documents.reading import SUFFIXES as _DOCUMENTS
from imprimatur.sources.tables.documents.reading import read_document
from imprimatur.sources.tables.nested import read_nested
from imprimatur.sources.tables.raw import RawTable, checked_name
from imprimatur.sources.tables.relation import Relation
from imprimatur.sources.tables.stored import read_sqlite

__all__ = ["SUFFIXES", "Opened", "open_relations", "open_sources"]

_DELIMITED = (".csv", ".tsv", ".tab")
_NESTED = (".json", ".jsonl", ".ndjson")
_STORED = (".sqlite", ".sqlite3", ".db")
_RESERVED = ("sqlite_", "imprimatur ")
SUFFIXES = (*_DELIMITED, *_NESTED, *_STORED, ".parquet", *_DOCUMENTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The relations of some files and databases, and what of them was left aside."""

    relations: tuple[Relation, ...]
    asides: tuple[Aside, ...] = ()


def open_relations(paths: Iterable[Path], described: Iterable[Path] = ()) -> tuple[Relation, ...]:
    """The relations of some files: see ``open_sources``."""
    return open_sources([TableFile(path=path) for path in paths], described).relations


def open_sources(
    sources: Sequence[TableSource],
    described: Iterable[Path] = (),
    *,
    addressed: Mapping[str, tuple[RawTable, ...]] | None = None,
) -> Opened:
    """The relations of some files and databases, with what they refer to.

    Args:
        sources: the files and databases.
        described: files that say what the tables hold (``described``).
        addressed: the tables of databases that were read already, by what these are called.

    Raises:
        KnowledgeBaseError: a file is of no kind that is read, or is none of its kind; or two tables have one name.
        ConfigError: a description is malformed, or speaks of what is not there.
    """
    raws, asides = _raws(sources, addressed or {})
    for raw in raws:
        if not checked_name(raw.name, raw.origin) or raw.name.lower().startswith(_RESERVED):
            raise KnowledgeBaseError(f"a table cannot be called {raw.name!r}", where=raw.origin, hint="rename it")
    twice = [name for name, count in Counter(raw.name.lower() for raw in raws).items() if count > 1]
    if twice:
        files = ", ".join(sorted({raw.origin for raw in raws if raw.name.lower() == twice[0]}))
        raise KnowledgeBaseError(f"two tables are called {twice[0]!r}", where=files, hint="rename a file")
    told = _told(described, {raw.name: raw for raw in raws})
    found = referring([relation_of(raw, told.get(raw.name)) for raw in raws])
    for relation in found:
        _check_references(relation, {each.name: each for each in found})
    return Opened(relations=found, asides=asides)


def _raws(
    sources: Sequence[TableSource], addressed: Mapping[str, tuple[RawTable, ...]]
) -> tuple[list[RawTable], tuple[Aside, ...]]:
    """The tables as they stand in the sources; those of documents, joined, come last."""
    raws: list[RawTable] = []
    documents = []
    for each in sources:
        if isinstance(each, TableAddress):
            raws.extend(addressed[each.origin])
        elif each.path.suffix.lower() in _DOCUMENTS:
            documents.append(read_document(each.path, table=each.table, trust=each.trust))
        else:
            raws.extend(_read(each.path))
    tables, asides = joined(documents)
    return [*raws, *tables], asides


def _told(described: Iterable[Path], raws: Mapping[str, RawTable]) -> dict[str, TableWords]:
    """What descriptions say of the tables, by name."""
    found: dict[str, TableWords] = {}
    for path in described:
        for name, words in read_described(path).items():
            if name not in raws:
                near = nearest(name, raws)
                hint = f"did you mean {near!r}?" if near else f"there are {', '.join(raws)}"
                raise ConfigError(f"no table is called {name[:60]!r}", where=words.where, hint=hint)
            if name in found:
                raise ConfigError(f"the table {name!r} is described twice", where=words.where, hint="keep one")
            words.check(name, raws[name].names)
            found[name] = words
    return found


def _check_references(relation: Relation, known: Mapping[str, Relation]) -> None:
    """Raises KnowledgeBaseError for a reference to what is not there."""
    for column in relation.columns:
        to = column.refers
        if to is None:
            continue
        if to.relation not in known or (to.column and to.column not in known[to.relation].numbers):
            message = f"the column {column.name!r} of {relation.name!r} refers to {to.relation}.{to.column}"
            raise KnowledgeBaseError(
                f"{message}, which is not there", where=relation.origin, hint="name its file under `tables`, too"
            )


def _read(path: Path) -> tuple[RawTable, ...]:
    suffix = path.suffix.lower()
    if suffix in _DELIMITED:
        return (read_delimited(path),)
    if suffix in _NESTED:
        return read_nested(path)
    if suffix in _STORED:
        return read_sqlite(path)
    if suffix == ".parquet":
        from imprimatur.sources.tables.parquet import read_parquet

        return (read_parquet(path),)
    raise KnowledgeBaseError(
        f"files that end in {suffix or 'nothing'} are not read as tables",
        where=str(path),
        hint=f"known are {', '.join(SUFFIXES)}",
    )
