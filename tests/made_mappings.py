"""Rows and a mapping for tests: a world of lights, and cells that try what cells can."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

__all__ = ["CELLS", "KEEPERS", "LIGHTS", "MAPPING", "needs_rml", "rml_python", "world"]

LIGHTS = """id,name,height,colour,keeper_id,status
s1,Skerry Light,30,red,k1,lit
h1,Holm Light,41.5,dark green,k2,lit
b1,Bain Light,tall,white,k1,ruined
"""
KEEPERS = (("k1", "Ann Marlow", 1950), ("k2", "Jo Tarn", 1962))
MAPPING = """version: 1
prefixes: {ex: "https://lights.example/"}
sources:
  lights: lights.csv
  keepers: {file: keepers.db, table: keepers}
maps:
  lights:
    subject: "ex:light/{id}"
    class: ex:Lighthouse
    label: name
    properties:
      ex:height: {column: height, datatype: decimal, unit: m, functional: true}
      ex:colour: colour
      ex:keeper: {map: keepers, match: {keeper_id: id}}
  keepers:
    subject: "ex:keeper/{id}"
    class: ex:Keeper
    label: name
    properties:
      ex:birthYear: {column: born, datatype: gYear, label: year of birth}
"""

#: Cells that are hard to carry over: quotes, escapes, signs of other languages, numbers that must not be written anew.
CELLS = {
    "quotes": 'the "old" one',
    "two quotes": '""',
    "a closing quote and a triple": '" <urn:p> <urn:o> . <urn:s> <urn:p> "x',
    "backslash": "a\\b\\",
    "an escape": "\\u0041\\n",
    "a line end": "one\ntwo",
    "a carriage return": "one\r\ntwo\rthree",
    "a tab": "one\ttwo",
    "unicode": "Łódź – 東京 🗼",
    "combining": "e\u0301",
    "right to left": "\u202eabc\u202c",
    "no-break space": "a\u00a0b",
    "spaces around": "  a  b ",
    "leading zeros": "007",
    "a long integer": "12345678901234567890123",
    "a decimal": "1.10",
    "a signed decimal": "+0.50",
    "an exponent": "1e400",
    "a date": "2024-02-29",
    "no date": "2023-02-29",
    "percent": "100% {x} /?#[]@",
    "an IRI": "https://a.example/ü?b=c#d",
    "no IRI": "https://a.example/> <urn:p> <urn:o>",
    "a script": "javascript:alert(1)",
    "a path": "../../etc/passwd",
    "a NUL": "a\0b",
    "control signs": "a\x01\x1b[31mb\x7f",
    "a formula": "=cmd|' /C calc'!A0",
    "another formula": "@SUM(1+1)*cmd|x",
    "a reference": "${HOME} $(id) `id` %HOME% {{7*7}}",
    "nan": "nan",
    "None": "None",
    "true": "True",
    "a mark for nothing": "n/a",
    "empty": "",
    "white space": "   ",
    "very long": "x" * 100_000,
    "a comma": "a,b;c|d",
    "hash": "# no comment",
    "sql": "'); DROP TABLE rows; --",
}


def rml_python() -> str | None:
    """A Python with morph-kgc: what the variable names, the one of `make test-slow`, or this one."""
    from imprimatur.ingest.mapping.engine import VARIABLE

    named = os.environ.get(VARIABLE)
    beside = Path(__file__).parents[1] / ".venv-rml" / "bin" / "python"
    if named:
        return named
    return str(beside) if beside.exists() else None


needs_rml = pytest.mark.skipif(
    rml_python() is None and find_spec("morph_kgc") is None,
    reason="morph-kgc is not installed: .venv-rml has none, and IMPRIMATUR_RML_PYTHON names no Python with it",
)


def world(folder: Path) -> Path:
    """Lights in CSV, keepers in SQLite, and the mapping of both; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lights.csv").write_text(LIGHTS, encoding="utf-8")
    with closing(sqlite3.connect(folder / "keepers.db")) as made, made:
        made.execute("CREATE TABLE keepers (id TEXT PRIMARY KEY, name TEXT, born INTEGER)")
        made.executemany("INSERT INTO keepers VALUES (?, ?, ?)", KEEPERS)
    (folder / "lights.yaml").write_text(MAPPING, encoding="utf-8")
    return folder / "lights.yaml"
