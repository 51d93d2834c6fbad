"""The entries under ``tables:`` in imprimatur.yaml: files and databases, and what must be known to judge by them.

    tables:
      - rivers.csv
      - {file: guide.md, table: lighthouses, complete: true, described: words.yaml, trust: derived}
      - {url: "sqlite:///lights.db", tables: [lights, keepers]}
      - {url_env: LIGHTS_URL, tables: [public.lights], complete: [lights], seconds: 60}

Invariants: nothing here is opened but to see that it exists; an address with a password in it stands in the
environment, never in imprimatur.yaml, and shows in nothing that is printed of a configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from imprimatur._config_models import Key, named_key
from imprimatur._config_paths import NamedFiles
from imprimatur._config_rdf import TRUST_CLASSES
from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.settings_file import Section

__all__ = ["TableAddress", "TableFile", "TableSource", "read_tables"]

_VARIABLE = expression(r"[A-Za-z_][A-Za-z0-9_]*")
_ADDRESS = expression(r"[A-Za-z][A-Za-z0-9_+]{0,60}://[\x21-\x7e]{0,2000}")
_SECRETS = expression(r"pass|pwd|secret|token|key", 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """A file of tables.

    ``complete``: its tables hold all things of their kind; or the names of those that do. ``described``: the file that
    says what its columns are. ``statements``: whole statements in prose are read over those of its tables that are
    complete, and may be refuted by them. ``values``: single numbers, names and days of running text are held against
    its rows, and may be contradicted. ``table`` is what the things of a document are called where no heading says so.
    """

    path: Path
    complete: bool | tuple[str, ...] = False
    described: Path | None = None
    trust: str = TRUST_CLASSES[0]
    statements: bool = False
    values: bool = False
    table: str = ""

    @property
    def origin(self) -> str:
        """What evidence says where it is from."""
        return self.path.name


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAddress:
    """Tables of a database behind an address.

    ``origin`` is what it is called wherever it is spoken of, without user, password and options; ``seconds`` is the
    longest that reading all of its tables may take.
    """

    address: Key
    origin: str
    tables: tuple[str, ...]
    complete: bool | tuple[str, ...] = False
    described: Path | None = None
    trust: str = TRUST_CLASSES[0]
    seconds: int = 60
    folder: Path = Path()
    statements: bool = False
    values: bool = False

    @property
    def path(self) -> None:
        """It is no file."""
        return None


TableSource = TableFile | TableAddress


def read_tables(top: Section, named: NamedFiles, environ: Mapping[str, str]) -> tuple[TableSource, ...]:
    """The files and databases: names, or mappings with ``file``, ``url`` or ``url_env``."""
    value = top.take("tables")
    entries = value if isinstance(value, list) else [] if value is None else [value]
    found: list[TableSource] = []
    for number, entry in enumerate(entries):
        if isinstance(entry, str):
            entry = {"file": entry}
        if not isinstance(entry, dict):
            raise top.fault("tables", "expected files, or mappings with `file`", hint="for instance [rivers.csv]")
        part = Section(entry, top.where, top.error, path=f"{top.path}tables[{number}].")
        addressed = "url" in entry or "url_env" in entry
        found.append(_address(part, named, environ) if addressed else _table(part, named))
        part.close()
    return tuple(found)


def _table(part: Section, named: NamedFiles) -> TableFile:
    name = part.text("file")
    if name is None:
        raise part.fault("file", "is missing", hint="name the file of the table, or a database with `url`")
    return TableFile(
        path=named.existing(part, "file", name, folders=False),
        complete=_complete(part),
        described=_described(part, named),
        trust=part.choice("trust", TRUST_CLASSES, TRUST_CLASSES[0]),
        table=part.text("table", "") or "",
        statements=_statements(part),
        values=part.flag("values", False),
    )


def _statements(part: Section) -> bool:
    """Whether whole statements are read over the tables, which must be complete for that."""
    asked = part.flag("statements", False)
    if asked and not _complete(part):
        raise part.fault(
            "statements", "needs tables that hold all of their kind", hint="add complete: true, if it is so"
        )
    return asked


def _address(part: Section, named: NamedFiles, environ: Mapping[str, str]) -> TableAddress:
    url, variable = part.text("url"), part.text("url_env")
    if url is not None and variable is not None:
        raise part.fault("url_env", "a database has a `url` or a `url_env`, not both", hint="leave one of them out")
    if variable is not None:
        if not _VARIABLE.fullmatch(variable):
            # Whoever puts the address itself here must not find its password in the error.
            raise part.fault("url_env", "is not the name of an environment variable", hint="for instance LIGHTS_URL")
        address, origin = named_key(variable, environ), f"database {variable}"
    else:
        address, origin = Key("imprimatur.yaml", _open_url(part, url or "")), _shown(url or "")
    tables = part.texts("tables")
    if not tables:
        raise part.fault("tables", "is missing", hint="name the tables or views to read: tables: [lights, keepers]")
    return TableAddress(
        address=address,
        origin=origin,
        tables=tuple(dict.fromkeys(tables)),
        complete=_complete(part),
        described=_described(part, named),
        trust=part.choice("trust", TRUST_CLASSES, TRUST_CLASSES[0]),
        seconds=part.integer("seconds", 60, low=1, high=3600),
        folder=named.folder,
        statements=_statements(part),
        values=part.flag("values", False),
    )


def _open_url(part: Section, url: str) -> str:
    """An address that may stand in the file: one without a password."""
    if not _ADDRESS.fullmatch(url):
        hint = "for instance sqlite:///lights.db or postgresql+psycopg://host/lights"
        raise part.fault("url", "is not the address of a database", hint=hint)
    inner, _, options = url.split("://", 1)[1].partition("?")
    if ":" in inner.rpartition("@")[0] or _SECRETS.search(options):
        hint = "put the whole address into an environment variable, and name it with `url_env`"
        raise part.fault("url", "has a password in it", hint=hint)
    return url


def _shown(url: str) -> str:
    """An address without user and options."""
    dialect, _, rest = url.partition("://")
    return f"{dialect.partition('+')[0]}://{rest.partition('?')[0].rpartition('@')[2]}"


def _complete(part: Section) -> bool | tuple[str, ...]:
    stated = part.values.get("complete")
    return part.texts("complete") if isinstance(stated, list) else part.flag("complete", False)


def _described(part: Section, named: NamedFiles) -> Path | None:
    described = part.text("described")
    return None if described is None else named.existing(part, "described", described, folders=False)
