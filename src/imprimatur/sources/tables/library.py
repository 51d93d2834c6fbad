"""The tables of a knowledge base: hashed, opened when they are needed, as parts of its graph and as a database.

Invariants: everything is kept under a hash of the files' bytes, of the rows of databases behind an address, of what
describes them and of the code that reads them, so that a changed file or database is never judged by an old one; files
are read only when what is kept does not suffice, databases always. Where nothing can be kept, the database is made anew
in memory.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.errors import ConfigError, KnowledgeBaseError, nearest
from imprimatur.sources.graph.cache import default_directory
from imprimatur.sources.graph.files import GraphFile, file_hash
from imprimatur.sources.tables.stored import check_whole
from imprimatur.sources.tables.terms import class_iri

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.config import TableSource
    from imprimatur.sources.tables.attributes.index import RowIndex
    from imprimatur.sources.tables.attributes.source import RowSource
    from imprimatur.sources.tables.opening import Opened
    from imprimatur.sources.tables.raw import RawTable
    from imprimatur.sources.tables.relation import Relation
    from imprimatur.sources.tables.sandbox import Sandbox

__all__ = ["Tables"]

#: The kinds of columns that say something whatever the words around it (``relation.ColumnKind``).
_TOLD = ("flag", "hours")
#: Rows: more cannot be read within the time of one answer.
_MOST_TOLD = 200_000


class Tables:
    """The tables that a knowledge base names."""

    def __init__(self, files: Sequence[TableSource], *, years: str = "xsd10", cache_dir: Path | None = None) -> None:
        """Raises KnowledgeBaseError for a file or database that cannot be read, or two of one name."""
        self.files, self.years = tuple(files), years
        self._folder = cache_dir or default_directory()
        twice = [name for name, count in Counter(each.origin for each in files).items() if count > 1]
        if twice:
            raise KnowledgeBaseError(f"two files of tables are called {twice[0]!r}", hint="rename one")
        self._addressed = _addressed(files)
        hashes = [f"{path.name} {file_hash(path, self._folder)}" for path in self._read()]
        hashes += [f"{origin} {_rows_hash(raws)}" for origin, raws in self._addressed.items()]
        hashes += [repr((each.origin, each.trust, getattr(each, "table", ""))) for each in files]
        self.content_hash = hashlib.sha256("\n".join((*hashes, years, _code())).encode()).hexdigest()
        self._opened: Opened | None = None
        self._sandbox: Sandbox | None = None
        self._lost: dict[str, int] | None = None
        self._told: dict[str, dict[str, Any]] | None = None
        self._rows: RowIndex | None = None

    def _read(self) -> Iterator[Path]:
        for each in self.files:
            if each.path is not None:
                check_whole(each.path)
                yield each.path
            if each.described is not None:
                yield each.described

    def opened(self) -> Opened:
        """What the files hold. Raises KnowledgeBaseError and ConfigError as ``open_sources``."""
        if self._opened is None:
            from imprimatur.sources.tables.opening import open_sources

            described = dict.fromkeys(each.described for each in self.files if each.described is not None)
            self._opened = open_sources(self.files, described, addressed=self._addressed)
        return self._opened

    def relations(self) -> tuple[Relation, ...]:
        """The relations, read from the files."""
        return self.opened().relations

    # -- as a part of the graph ----------------------------------------------------------------------------------------
    def graph_files(self) -> list[GraphFile]:
        """What the graph is made of besides its own files."""
        return [
            GraphFile(each.path or Path(each.origin), "data", each.trust, mapped=MappedTables(self, each.origin))
            for each in self.files
        ]

    def complete(self) -> tuple[str, ...]:
        """The classes of tables that hold all of their kind: all of the files that they are of have to say so.

        Of a document of which things may have been left aside none does, whatever is said. Raises ConfigError for a
        table that is not there.
        """
        said: dict[str, int] = {}
        for each in self.files:
            if each.complete is False:
                continue
            names = [name for name, told in self.told().items() if each.origin in told["origins"]]
            for name in names if each.complete is True else each.complete:
                if name not in names:
                    near = nearest(name, names)
                    hint = f"did you mean {near!r}?" if near else f"it holds {', '.join(names)}"
                    raise ConfigError(f"`tables`: {each.origin} holds no table {name[:60]!r}", hint=hint)
                said[name] = said.get(name, 0) + (each.origin not in self.lost())
        told = self.told()
        return tuple(class_iri(name) for name, files in said.items() if files == len(told[name]["origins"]))

    # -- as a database -------------------------------------------------------------------------------------------------
    def sandbox(self) -> Sandbox:
        """The database, for reading."""
        if self._sandbox is None:
            from imprimatur.sources.tables.sandbox import Sandbox

            path = self._folder / f"tables-{self.content_hash[:32]}.sqlite"
            self._sandbox = self._kept(path)
            if self._sandbox is None:
                self._sandbox = Sandbox()
                self._sandbox.load(self.opened())
        return self._sandbox

    def _kept(self, path: Path) -> Sandbox | None:
        """The database in the cache, made where it is not there; None where none can be."""
        from imprimatur.sources.tables.database import ABOUT, write_database
        from imprimatur.sources.tables.sandbox import Sandbox, SqlFailed, quoted

        for made in (False, True):
            try:
                if not path.is_file() or made:
                    write_database(path, self.opened())
                opened = Sandbox(path=path)
                opened.look_up(f"SELECT count(*) FROM {quoted(ABOUT)}")
                return opened
            except (SqlFailed, sqlite3.Error, OSError):
                continue
        return None

    def told(self) -> dict[str, dict[str, Any]]:
        """What is known of each table: its file, columns, title, number of rows."""
        if self._told is None:
            from imprimatur.sources.tables.database import described

            self._told = {each["name"]: each for each in described(self.sandbox())}
        return self._told

    def asides(self) -> list[dict[str, Any]]:
        """What was left aside of documents: file, line, characters, how it begins, and why."""
        from imprimatur.sources.tables.database import asides

        return asides(self.sandbox())

    def lost(self) -> dict[str, int]:
        """The documents of which things may have been left aside, each with the first line."""
        if self._lost is None:
            from imprimatur.sources.tables.database import lost

            self._lost = lost(self.sandbox())
        return self._lost

    def warnings(self) -> tuple[str, ...]:
        """What every report must say of the tables."""
        wanted = [each.origin for each in self.files if each.complete is not False and each.origin in self.lost()]
        return tuple(
            f"{origin}: `complete` does not hold, for line {self.lost()[origin]} and perhaps others were left aside"
            for origin in wanted
        )

    # -- as what prose is held against ---------------------------------------------------------------------------------
    def rows_are_told(self) -> bool:
        """Whether some table has yes or no, or opening hours, of things with a title, and none of them is too large."""
        if sum(each["rows"] for each in self.told().values()) > _MOST_TOLD:
            return False
        titled = (each["columns"] for each in self.told().values() if each["title"])
        return any(column["kind"] in _TOLD for columns in titled for column in columns)

    def rows(self) -> RowIndex:
        """The rows by their titles. Raises as ``relations``."""
        if self._rows is None:
            from imprimatur.sources.tables.attributes.index import RowIndex

            self._rows = RowIndex(self.relations())
        return self._rows

    def source(self, question: str) -> tuple[RowSource, ...]:
        """What judges the claims of one answer by the rows, if there is any."""
        if not self.rows_are_told():
            return ()
        from imprimatur.sources.tables.attributes.source import RowSource
        from imprimatur.sources.tables.evidence import Rows

        return (RowSource(self.rows, Rows(self), trust=self.trust_of, question=question),)

    def trust_of(self, relation: str) -> str:
        """How far the file of a table is trusted."""
        origin = self.told()[relation]["origin"]
        return next(each.trust for each in self.files if each.origin == origin)

    def first_rows(self, name: str, most: int) -> tuple[tuple[Any, ...], ...]:
        """The first rows of a table."""
        from imprimatur.sources.tables.sandbox import quoted

        columns = ", ".join(quoted(each["name"]) for each in self.told()[name]["columns"])
        return self.sandbox().look_up(f"SELECT {columns} FROM {quoted(name)} ORDER BY _rowid_ LIMIT {most:d}").rows

    def info(self) -> dict[str, Any]:
        """The tables for people: names with rows and columns."""
        told = self.told().values()
        rows = {
            each["name"]: f"{each['rows']} rows, {len(each['columns'])} columns ({each['origin']})" for each in told
        }
        complete = set(self.complete())
        read = [each.origin for each in self.files if each.statements]
        found = {"tables": rows, "complete": [name for name in self.told() if class_iri(name) in complete]}
        return {**found, "statements": read} if read else found


class MappedTables:
    """The tables of one file as triples (implements ``files.Mapped``)."""

    def __init__(self, tables: Tables, name: str) -> None:
        self._tables, self._name = tables, name

    @property
    def content_hash(self) -> str:
        """A hash of all that the triples depend on."""
        return f"{self._tables.content_hash} {self._name}"

    def quads(self) -> Iterator[ox.Quad]:
        """The triples."""
        from imprimatur.sources.tables.mapping import quads

        relations = self._tables.relations()
        names = [each.name for each in relations if each.origin == self._name]
        return quads(relations, names, years=self._tables.years)


def _addressed(files: Sequence[TableSource]) -> dict[str, tuple[RawTable, ...]]:
    """The tables of databases behind an address, read now."""
    found: dict[str, tuple[RawTable, ...]] = {}
    for each in files:
        if each.path is None:
            from imprimatur.sources.tables.addressed import read_address

            found[each.origin] = read_address(each)
    return found


def _rows_hash(raws: Sequence[RawTable]) -> str:
    digest = hashlib.sha256()
    for raw in raws:
        refers = [(name, to.relation, to.column) for name, to in raw.refers]
        digest.update(repr((raw.name, raw.names, sorted(raw.keys), refers, len(raw.rows))).encode())
        for row in raw.rows:
            digest.update(repr((row.place, row.cells)).encode())
    return digest.hexdigest()


@cache
def _code() -> str:
    """A hash of the code of this package: another code, other triples."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
