"""Lines of keys and values: "Height: 30 m"; and plain text that is made of them.

A key begins with a letter or digit, is short, and ends at a colon before a blank or the end of the line. Invariant:
lines are read as keys and values only where every line of their block is one, but for a line above that names the
thing; else nothing of the block is, for what follows a value may change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from imprimatur._expressions import expression
from imprimatur.sources.tables.documents.blocks import Aside, Block, Entry, Fields, Heading, Text, Words
from imprimatur.sources.tables.relation import Spot

__all__ = ["Line", "beside", "fields_of", "key_value", "read_keyed", "settings_of"]

_LONGEST_KEY = 60
_MOST_WORDS = 6
#: What no name of a column has in it.
_NO_KEY = expression(r"[|<>{}\[\]=\"“”`\\]|[.!?;]\s")
_BULLET = expression(r"(?:[-*+•]|\d{1,4}[.)])[ \t]+")
_UNDERLINE = expression(r"(={3,}|-{3,})[ \t]*")
_RULE = expression(r"(?:[-=*_][ \t]*){3,}")
_LONGEST_TITLE = 80
#: What a line that names a thing does not end in: it is a sentence, or goes on.
_NO_TITLE = tuple(".,;:!?")


class Line(NamedTuple):
    """A line without markup, and where its source begins and ends in the document."""

    text: str
    start: int
    end: int
    doubt: str = ""
    note: str = ""


def key_value(text: str) -> tuple[str, str] | None:
    """The key and the value of a line, both without the white space around them; None where it has no key."""
    at = text.find(":", 0, _LONGEST_KEY + 20)
    if at < 1 or (at + 1 < len(text) and not text[at + 1].isspace()):
        return None
    key = text[:at].strip()
    if not key or not key[0].isalnum() or len(key) > _LONGEST_KEY or len(key.split()) > _MOST_WORDS:
        return None
    return None if _NO_KEY.search(key) else (key, text[at + 1 :].strip())


def entry_of(line: Line, text: Text) -> Entry | None:
    """What a line says; None where it has no key."""
    found = key_value(line.text)
    if found is None:
        return None
    start, end = value_span(text.text, line.start, line.end, found[1])
    value = Words(text=found[1], spot=text.spot(start, end), doubt=line.doubt, note=line.note)
    return Entry(key=found[0], value=value)


def value_span(source: str, start: int, end: int, value: str) -> tuple[int, int]:
    """Where the value of a line stands in its source: the value itself, else all that follows the colon."""
    colon = source.find(":", start, end)
    after = start if colon < 0 else colon + 1
    if source.endswith(value, after, end):
        return end - len(value), end
    if (at := source.find(value, after, end)) >= 0:
        return at, at + len(value)
    while after < end and source[after].isspace():
        after += 1
    return after, end


def fields_of(lines: Sequence[Line], text: Text) -> Fields | None:
    """The keys and values of a block of lines, at least two; None where not every line is one.

    The first line may name the thing, where it is short and no sentence.
    """
    entries = [entry_of(line, text) for line in lines]
    title = None
    first = lines[0] if lines else Line("", 0, 0)
    named = 0 < len(first.text) <= _LONGEST_TITLE and not first.text.rstrip().endswith(_NO_TITLE)
    if entries and entries[0] is None and named:
        title = Words(text=first.text.strip(), spot=text.spot(first.start, first.end), doubt=first.doubt)
        entries = entries[1:]
    known = tuple(entry for entry in entries if entry is not None)
    if len(known) < len(entries) or len(known) < 2:
        return None
    return Fields(entries=known, spot=text.spot(lines[0].start, lines[-1].end), title=title)


def read_keyed(text: Text) -> Iterator[Block]:
    """The blocks of a plain text: underlined headings, and blocks of keys and values between empty lines."""
    count, at = len(text.starts), 0
    first = next((n for n in range(count) if text.line(n).strip()), 0)
    if text.line(first).rstrip() == "---":
        found, at = settings_of(text, first)
        yield from found
    held: list[int] = []
    while at <= count:
        line = text.line(at) if at < count else ""
        under = _UNDERLINE.fullmatch(line.rstrip()) if len(held) == 1 else None
        if under and len(line) < 1000 and key_value(text.line(held[0])) is None:
            start, end = _inner(text, held[0])
            yield Heading(
                level=1 if under[1][0] == "=" else 2, words=Words(text=text.text[start:end], spot=text.spot(start, end))
            )
            held = []
        elif not line.strip() or (len(line) < 1000 and _RULE.fullmatch(line.strip())):
            if held:
                yield _block(text, held)
            held = []
        else:
            held.append(at)
        at += 1


def _inner(text: Text, number: int) -> tuple[int, int]:
    """Where the words of a line begin and end."""
    line = text.line(number)
    start = text.starts[number] + len(line) - len(line.lstrip())
    return start, text.starts[number] + len(line.rstrip())


def _block(text: Text, numbers: Sequence[int]) -> Block:
    lines: list[Line] = []
    for number in numbers:
        start, end = _inner(text, number)
        words = text.text[start:end]
        bullet = _BULLET.match(words)
        deeper = len(text.line(number)) - len(text.line(number).lstrip())
        if lines and deeper >= 2 and not bullet and key_value(words) is None:
            before = lines[-1]  # an indented line goes on with the value above
            lines[-1] = Line(f"{before.text} {words}", before.start, end)
            continue
        start += bullet.end() if bullet else 0
        lines.append(Line(text.text[start:end], start, end))
    found = fields_of(lines, text)
    spot = text.lines(numbers[0], numbers[-1] + 1)
    return found or beside(spot, text, lines)


def beside(spot: Spot, text: Text, lines: Sequence[Line]) -> Aside:
    """A block of lines that is left aside; with keys in it, it may have been meant to tell of a thing."""
    keys = sum(key_value(line.text) is not None for line in lines)
    lost = keys > 1 or (keys > 0 and key_value(lines[0].text) is not None)
    return replace(Aside.prose(spot, text.text[spot.start : spot.end]), lost=lost)


def settings_of(text: Text, first: int) -> tuple[list[Block], int]:
    """The settings between two lines ``---`` at the beginning (``first``), and the line after them.

    Only plain keys and values are read; what is nested or listed in them is left aside.
    """
    last = next((n for n in range(first + 1, min(len(text.starts), first + 500)) if text.line(n).rstrip() == "---"), 0)
    if not last:
        return [], first
    entries: list[Entry] = []
    asides: list[Block] = []
    for number in range(first + 1, last):
        start, end = _inner(text, number)
        words = text.text[start:end]
        if not words or words.startswith("#"):
            continue
        entry = None if text.line(number)[:1].isspace() else entry_of(Line(words, start, end), text)
        goes_on = number + 1 < last and text.line(number + 1)[:1] in (" ", "\t", "-")
        if entry is None or goes_on or entry.value.text[:1] in tuple("[{&*!|>%@`"):
            asides.append(Aside.of(text.spot(start, end), words, "is no plain key and value"))
            continue
        entries.append(_unquoted(entry, text))
    spot = text.lines(first, last + 1)
    return [Fields(entries=tuple(entries), spot=spot, settings=True), *asides], last + 1


def _unquoted(entry: Entry, text: Text) -> Entry:
    """The entry without YAML's quotes and comment; in doubt where it has more of YAML in it."""
    value, spot = entry.value.text, entry.value.spot
    doubt = ""
    if value[:1] in ("'", '"'):
        inner = value[1:-1]
        if len(value) < 2 or value[-1] != value[0] or value[0] in inner or "\\" in inner:
            doubt = "is quoted in a way that is not read"
        else:
            value, spot = inner, text.spot(spot.start + 1, spot.end - 1)
    elif value.startswith("#") or " #" in value:
        value = "" if value.startswith("#") else value.split(" #", 1)[0].rstrip()
        spot = text.spot(spot.start, spot.start + len(value))
    return Entry(key=entry.key, value=Words(text=value, spot=spot, doubt=doubt))
