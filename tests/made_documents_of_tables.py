"""Documents that say the same of three lights, each in another form, for the tests of documents as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from imprimatur.sources.tables.documents.joining import joined
from imprimatur.sources.tables.documents.reading import read_document
from imprimatur.sources.tables.raw import RawTable

__all__ = ["FORMS", "LIGHTS", "read_tables", "reasons", "spotted"]

#: Of each light its height, colour, year and whether it has WiFi.
LIGHTS: Mapping[str, Mapping[str, str]] = {
    "Skerry Light": {"Height": "30 m", "Colour": "red", "Year built": "1871", "Has WiFi": "yes"},
    "Holm Light": {"Height": "41.5 m", "Colour": "green", "Year built": "1902", "Has WiFi": "no"},
    "Bain Light": {"Height": "12 m", "Colour": "white", "Year built": "1911", "Has WiFi": "yes"},
}
_Lights = Mapping[str, Mapping[str, str]]


def _bullets(lights: _Lights) -> str:
    parts = [f"## {name}\n\n" + "".join(f"- **{k}**: {v}\n" for k, v in said.items()) for name, said in lights.items()]
    return "# Lighthouses\n\nOur lights.\n\n" + "\n".join(parts)


def _nested(lights: _Lights) -> str:
    parts = [f"- {name}\n" + "".join(f"  - {k}: {v}\n" for k, v in said.items()) for name, said in lights.items()]
    return "# Lighthouses\n\n" + "".join(parts)


def _pipes(lights: _Lights) -> str:
    columns = list(next(iter(lights.values())))
    rows = [f"| *{name}* | " + " | ".join(said.values()) + " |\n" for name, said in lights.items()]
    return f"# Lighthouses\n\n| Name | {' | '.join(columns)} |\n|:-|{'-|' * len(columns)}\n{''.join(rows)}"


def _page(lights: _Lights) -> str:
    columns = "".join(f"<th>{name}" for name in ("Name", *next(iter(lights.values()))))
    rows = [f"<tr><th>{name}<td>" + "</td><td>".join(said.values()) + "</td>\n" for name, said in lights.items()]
    return f"<html><body><p>Our lights</p><table><caption>Lighthouses</caption>\n<tr>{columns}\n{''.join(rows)}</table>"


def _terms(lights: _Lights) -> str:
    parts = [
        f"<h2>{name}</h2><dl>" + "".join(f"<dt>{k}</dt><dd>{v}</dd>\n" for k, v in said.items()) + "</dl>"
        for name, said in lights.items()
    ]
    return "<h1>Lighthouses</h1>" + "".join(parts)


def _keyed(lights: _Lights) -> str:
    parts = [f"Name: {name}\n" + "".join(f"{k}: {v}\n" for k, v in said.items()) for name, said in lights.items()]
    return "Lighthouses\n===========\n\n" + "\n".join(parts)


#: The forms, by the name of the file.
FORMS: Mapping[str, Callable[[_Lights], str]] = {
    "bullets.md": _bullets,
    "nested.md": _nested,
    "pipes.markdown": _pipes,
    "page.html": _page,
    "terms.htm": _terms,
    "keyed.txt": _keyed,
}


def read_tables(folder: Path, **files: str) -> tuple[RawTable, ...]:
    """The tables of some documents; ``a_md="…"`` is the file ``a.md``."""
    return joined([read_document(_written(folder, name, text)) for name, text in files.items()])[0]


def reasons(folder: Path, name: str, text: str) -> list[tuple[int, str]]:
    """What is left aside of a document: lines and reasons."""
    asides = joined([read_document(_written(folder, name, text))])[1]
    return [(each.spot.line, each.reason) for each in asides]


def spotted(table: RawTable, text: str) -> list[list[str]]:
    """What stands in the document where the cells of a table are said to stand."""
    return [["" if spot is None else text[spot.start : spot.end] for spot in row.spots] for row in table.rows]


def _written(folder: Path, name: str, text: str) -> Path:
    path = folder / (name if "." in name else name.replace("_", "."))
    path.write_bytes(text.encode("utf-8"))
    return path
