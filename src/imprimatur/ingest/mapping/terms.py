"""Terms that a mapping makes of cells: IRIs by templates, literals by datatypes.

Invariants: a template has its scheme in its own text, and what a cell puts into it is percent-encoded but for the
unreserved characters of RFC 3986, so that no cell ends an IRI, changes its scheme or climbs out of its path. A literal
is the cell as it is written; white space around it goes only where a datatype collapses it (XSD 1.1 part 2, section
4.3.6). A cell that is no value of its datatype makes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.sources.graph.terms import XSD, RdfLiteral

__all__ = ["DATATYPES", "Cells", "Template", "is_iri", "literal", "open_iri", "settled", "template"]

#: The cells of a row by column; None where nothing is said.
Cells = Mapping[str, str | None]

_IRI = expression(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f-\x9f<>\"{}|\\^`\ud800-\udfff]{1,2000}")
#: A cell that is an IRI names a thing on the web, or one by a name: never a script or a file.
_OPEN_IRI = expression(r"(?:https?://|urn:)[^\x00-\x20\x7f-\x9f<>\"{}|\\^`\ud800-\udfff]{1,2000}", re.IGNORECASE)
_BEGUN = expression(r"(?:https?://[^/?#]+[/?#]|(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:)", re.IGNORECASE)
_INTEGER = r"[+-]?[0-9]{1,400}"
_DECIMAL = r"[+-]?(?:[0-9]{1,200}(?:\.[0-9]{0,200})?|\.[0-9]{1,200})"
_ZONE = r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
_DAY = r"-?[0-9]{4,9}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
#: Datatypes that may be named, and the cells that are values of them; any text is a ``string``.
DATATYPES: Mapping[str, re.Pattern[str] | None] = {
    "string": None,
    "integer": expression(_INTEGER),
    "decimal": expression(_DECIMAL),
    "double": expression(rf"{_DECIMAL}(?:[eE][+-]?[0-9]{{1,3}})?"),
    "boolean": expression(r"true|false|1|0"),
    "date": expression(_DAY + _ZONE),
    "dateTime": expression(rf"{_DAY}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:\.[0-9]{{1,9}})?{_ZONE}"),
    "gYear": expression(rf"-?[0-9]{{4,9}}{_ZONE}"),
    "gYearMonth": expression(rf"-?[0-9]{{4,9}}-(?:0[1-9]|1[0-2]){_ZONE}"),
    "anyURI": _OPEN_IRI,
}
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Template:
    """Text with columns in it: ``parts`` are texts and columns in turn, the first and last a text."""

    parts: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, in their order."""
        return self.parts[1::2]

    @property
    def text(self) -> str:
        """As it is written."""
        texts = [part.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}") for part in self.parts]
        return "".join(f"{{{part}}}" if number % 2 else part for number, part in enumerate(texts))

    def iri(self, cells: Cells) -> str | None:
        """The IRI of a row; None where a cell says nothing or what comes out is none."""
        made = self._filled(cells, lambda cell: quote(cell, safe="", errors="replace"))
        return made if made is not None and is_iri(made) else None

    def filled(self, cells: Cells) -> str | None:
        """The text of a row, cells as they are; None where one says nothing."""
        return self._filled(cells, str)

    def _filled(self, cells: Cells, written: Callable[[str], str]) -> str | None:
        made = []
        for number, part in enumerate(self.parts):
            cell = cells.get(part) if number % 2 else part
            if cell is None:
                return None
            made.append(written(cell) if number % 2 else cell)
        return "".join(made)


def template(text: str) -> Template | None:
    r"""A template from its text, in which ``\{`` and ``\}`` are braces; None where brackets do not fit."""
    parts, open_ = [""], False
    signs = iter(text)
    for sign in signs:
        if sign == "\\":
            parts[-1] += next(signs, "\\")
        elif sign == "{":
            if open_:
                return None
            open_ = True
            parts.append("")
        elif sign == "}":
            if not open_ or not parts[-1]:
                return None
            open_ = False
            parts.append("")
        else:
            parts[-1] += sign
    return None if open_ else Template(tuple(parts))


def settled(made: Template) -> bool:
    """Whether a template says itself which scheme and, on the web, which host its IRIs have."""
    return _BEGUN.match(made.parts[0]) is not None


def is_iri(text: str) -> bool:
    """Whether a text is an absolute IRI."""
    return _IRI.fullmatch(text) is not None


def open_iri(cell: str) -> str | None:
    """The IRI that a cell is: of the web, or a name (``urn:``); None where it is none."""
    stripped = cell.strip()
    return stripped if _OPEN_IRI.fullmatch(stripped) is not None else None


def literal(cell: str, datatype: str, language: str = "") -> RdfLiteral | None:
    """The literal that a cell is; None where it is no value of the datatype (a name of ``DATATYPES``)."""
    if language:
        return RdfLiteral(cell, "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", language)
    values = DATATYPES[datatype]
    if values is None:
        return RdfLiteral(cell)
    lexical = cell.strip(" \t\r\n")
    if values.fullmatch(lexical) is None or (datatype in ("date", "dateTime") and not _is_day(lexical)):
        return None
    return RdfLiteral(lexical, XSD + datatype)


def _is_day(lexical: str) -> bool:
    """Whether a day is one of its month; the 29th of February only in leap years (of years after Christ)."""
    year, month, day = map(int, lexical.lstrip("-")[: len(lexical.lstrip("-").partition("-")[0]) + 6].split("-"))
    leap = lexical.startswith("-") or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return day <= _DAYS[month - 1] and (month != 2 or day < 29 or leap)
