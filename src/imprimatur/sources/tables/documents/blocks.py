"""What a document is made of, as its readers see it: headings, grids, lists of attributes, and what is left aside.

Invariants: everything that a reader can see of a document is in one of its blocks; offsets count the characters of the
decoded file (without its byte order mark), and ``text[start:end]`` of a spot is the source that its words were read
from.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from dataclasses import replace
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import InputError, KnowledgeBaseError
from imprimatur.sources.passages.passage import Form
from imprimatur.sources.passages.reading import decoded
from imprimatur.sources.tables.relation import Spot

__all__ = [
    "Aside",
    "Block",
    "Entry",
    "Fields",
    "Grid",
    "Heading",
    "Item",
    "Listing",
    "Text",
    "Words",
    "leads_over",
    "line_of",
]

#: A larger document is refused: it belongs into a file of tables.
MOST_BYTES = 16 << 20
_LINE_END = expression(r"\r\n?|\n")
_EXCERPT = 80
_LEADING = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Some words of a document without its markup, and where they stand.

    ``doubt`` says why they cannot be taken for a value; ``note`` what was left out of them.
    """

    text: str
    spot: Spot
    doubt: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """What was not read: where it stands, how it begins, and why.

    ``lost``: it may be a thing of a kind of which other things were read, so that not all of them are known.
    ``leads``: it is a line that may say of what the next block tells ("Its neighbour:", "**Holm Light**").
    """

    spot: Spot
    text: str
    reason: str
    origin: str = ""
    lost: bool = False
    leads: bool = False

    @classmethod
    def prose(cls, spot: Spot, text: str) -> Aside:
        """Text that is no table: a line that does not end as a sentence does leads over to what comes next."""
        end = text.rstrip().rstrip("*_`~ \t")[-1:]
        leads = end == ":" or (len(text) <= _LEADING and end not in tuple('.!?…”")'))
        return replace(cls.of(spot, text, "is text: no table, list or keys and values"), leads=leads)

    @classmethod
    def of(cls, spot: Spot, text: str, reason: str, *, lost: bool = False) -> Aside:
        """With only the beginning of the text."""
        short = " ".join(text[: _EXCERPT * 4].split())
        cut = short[:_EXCERPT] + ("…" if len(short) > _EXCERPT else "")
        return cls(spot=spot, text=cut, reason=reason, lost=lost)


def leads_over(text: str) -> bool:
    """Whether a text may say of what the next one tells: it ends in a colon, or is short and no sentence."""
    end = text.rstrip().rstrip("*_`~ \t")[-1:]
    return end == ":" or (len(text) <= _LEADING and end not in tuple('.!?…”")'))


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading; level 1 is the highest."""

    level: int
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: the names of its columns, and its rows, each with as many cells."""

    header: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]
    spot: Spot
    caption: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is said of a thing: "Height: 30 m", and of its value, what is said beneath it."""

    key: str
    value: Words
    inner: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Lines of keys and values that belong together; ``title`` is the line above that says of what."""

    entries: tuple[Entry, ...]
    spot: Spot
    title: Words | None = None
    settings: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An item of a list, and the items beneath it; ``more``: something else stands beneath it, too."""

    words: Words
    inner: tuple[Item, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list."""

    items: tuple[Item, ...]
    spot: Spot


Block = Heading | Grid | Fields | Listing | Aside


class Text:
    """The text of a document: its lines, and the spots in it."""

    def __init__(self, text: str, *, name: str = "") -> None:
        self.text, self.name = text, name
        self.starts = [0]
        self.ends: list[int] = []
        for found in _LINE_END.finditer(text):
            self.ends.append(found.start())
            self.starts.append(found.end())
        self.ends.append(len(text))

    @classmethod
    def of(cls, path: Path, form: Form) -> Text:
        """The text of a file.

        Raises:
            KnowledgeBaseError: it is too large, cannot be read, or is no text in the encoding that it says it has.
        """
        try:
            if os.stat(path).st_size > MOST_BYTES:
                hint = "split it, or make a file of tables of it"
                raise KnowledgeBaseError(f"larger than {MOST_BYTES >> 20} MiB", where=str(path), hint=hint)
            return cls(decoded(path.read_bytes(), form), name=path.name)
        except InputError as fault:
            raise KnowledgeBaseError(fault.message, where=str(path), hint=fault.hint) from fault
        except OSError as fault:
            raise KnowledgeBaseError(f"cannot be read: {fault.strerror or fault}", where=str(path)) from fault

    def line(self, number: int) -> str:
        """A line, from 0, without its end."""
        return self.text[self.starts[number] : self.ends[number]]

    def spot(self, start: int, end: int) -> Spot:
        """The spot of a stretch."""
        return Spot(line_of(self.starts, start), start, end)

    def lines(self, first: int, last: int) -> Spot:
        """The spot of lines from ``first`` up to ``last`` (from 0, without that one)."""
        first = min(first, len(self.starts) - 1)
        last = max(first + 1, min(last, len(self.starts)))
        return Spot(first + 1, self.starts[first], self.ends[last - 1])


def line_of(starts: list[int], at: int) -> int:
    """The number (from 1) of the line that a character stands in."""
    return bisect_right(starts, at)
