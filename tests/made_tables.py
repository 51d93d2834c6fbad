"""A folder of three related tables about lights and ferries, for the tests of tables as evidence."""

from __future__ import annotations

from pathlib import Path

__all__ = ["DESCRIBED", "write_tables"]

LIGHTS = """name,height (m),colour,year built,keeper,has WiFi,tidal,rating
Skerry Light,30,red,1871,Ann Marlow,yes,no,4.5
Holm Light,41.5,dark green,1902,Jo Tarn,no,yes,3
Bain Light,12,white,1911,Ann Marlow,,,
Ness Light,25,white,1911,Ann Marlow,yes,no,4
"""
KEEPERS = """name,born,village
Ann Marlow,1950,Eddle
Jo Tarn,1962,Corran
"""
FERRIES = """[
  {"name": "MV Puffin", "size": {"len": "42", "cap": 120}, "serves": "Holm Light", "dogs": "x", "fare": "6 USD"},
  {"name": "MV Tern", "size": {"len": "38.2", "cap": null}, "serves": "Skerry Light", "dogs": "o", "fare": "tbc"}
]
"""
DESCRIBED = """version: 1
tables:
  lights:
    is: lighthouse
    synonyms: [light]
    columns:
      keeper: {synonyms: [kept by, is kept by]}
      rating: {synonyms: [star rating]}
  keepers:
    columns:
      village: {synonyms: [lives in]}
  ferries:
    silent: [tbc]
    columns:
      size len: {words: length, unit: m}
      size cap: {words: capacity, synonyms: [carries]}
      dogs: {words: dogs allowed, yes_words: [x], no_words: [o]}
"""
CONFIG = """version: 1
tables:
  - {file: lights.csv, complete: true, described: words.yaml}
  - {file: keepers.csv, described: words.yaml}
  - {file: ferries.json, described: words.yaml, trust: derived}
"""


def write_tables(folder: Path, *, config: str = CONFIG) -> Path:
    """Writes the knowledge base into a folder, and returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("lights.csv", LIGHTS),
        ("keepers.csv", KEEPERS),
        ("ferries.json", FERRIES),
        ("words.yaml", DESCRIBED),
        ("imprimatur.yaml", config),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder
