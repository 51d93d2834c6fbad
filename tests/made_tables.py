"""A folder of three related tables about lights and ferries, for the tests of tables as evidence."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CONFIG", "DESCRIBED", "LIGHTS", "SENTENCES", "write_tables"]

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

#: What the tables say, refute, and leave open: by label, a sentence a line.
SENTENCES = {
    "supported": """
        Skerry Light is 30 m tall.
        Skerry Light is between 25 and 35 m tall.
        The colour of Holm Light is dark green.
        Skerry Light was built in 1871.
        Skerry Light was built before Holm Light.
        Skerry Light is kept by Ann Marlow.
        Ann Marlow keeps Skerry Light.
        The keeper of Holm Light was born in 1962.
        The keeper of Skerry Light lives in Eddle.
        MV Puffin serves a lighthouse kept by Jo Tarn.
        The lighthouse that was built in 1902 is kept by Jo Tarn.
        Holm Light is taller than Skerry Light.
        Holm Light is 11.5 m taller than Skerry Light.
        Holm Light is the tallest lighthouse.
        Skerry Light is the second tallest lighthouse.
        Bain Light is the shortest light.
        There are four lighthouses.
        Three lighthouses are kept by Ann Marlow.
        Skerry Light and Holm Light have a combined height of 71.5 m.
        The average height of Skerry Light and Holm Light is 35.75 m.
        MV Puffin is 42 m long.
        MV Puffin is 137.8 ft long.
        MV Puffin has a capacity of 120.
        The fare of MV Puffin is $6.
        MV Tern is a ferry.
        Skerry Light has WiFi.
        Skerry Light offers WiFi.
        WiFi is available at Skerry Light.
        Holm Light has no WiFi.
        Holm Light does not have WiFi.
        Holm Light is tidal.
        Skerry Light isn't tidal.
        Dogs are allowed on MV Puffin.
        Dogs are not allowed on MV Tern.
        Skerry Light has 4.5 stars.
        Skerry Light is rated 4.5.
        Skerry Light has a rating of 4.5 stars.
    """,
    "contradicted": """
        Skerry Light is 31 m tall.
        Skerry Light is over 40 m tall.
        The colour of Holm Light is red.
        Skerry Light was built in 1872.
        Holm Light is kept by Ann Marlow.
        The keeper of Skerry Light lives in Corran.
        Skerry Light is taller than Holm Light.
        Holm Light is 10 m taller than Skerry Light.
        Skerry Light is the tallest lighthouse.
        There are five lighthouses.
        Two lighthouses are kept by Ann Marlow.
        All lighthouses have WiFi.
        MV Puffin serves Skerry Light.
        Holm Light has WiFi.
        Skerry Light has no WiFi.
        Skerry Light is tidal.
        Holm Light is not tidal.
        Dogs are allowed on MV Tern.
        Skerry Light has 3 stars.
    """,
    "not_found": """
        Bain Light has WiFi.
        Bain Light has no WiFi.
        Bain Light is not tidal.
        Bain Light has 4 stars.
        MV Tern has a capacity of 120.
        The fare of MV Tern is $6.
        The fare of MV Puffin is €6.
        Two lighthouses have WiFi.
        There are two ferries.
        MV Puffin is the longest ferry.
        Fair Light is 30 m tall.
        Skerry Light has free WiFi.
        Skerry Light has WiFi in the tower.
        Skerry Light will have WiFi.
        Skerry Light used to have WiFi.
        Skerry Light has WiFi and parking.
        Holm Light has WiFi or parking.
        Holm Light is more tidal than Skerry Light.
        Dogs and cats are allowed on MV Puffin.
        Skerry Light has a rating of 4.5 out of 10.
    """,
}


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
