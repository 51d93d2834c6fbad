"""What a document says of which things: records and sheets, made of its blocks.

A record is what is said of one named thing: by the attributes under a heading that names it, beneath an item of a list
that names it, or in a block that begins with its name. A sheet is a table of the document. Invariants: a thing is never
named by a guess, and what is said twice in different ways of one thing is not said at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.sources.tables.documents.blocks import (
    Aside,
    Block,
    Entry,
    Fields,
    Grid,
    Heading,
    Item,
    Listing,
    Text,
    Words,
    leads_over,
)
from imprimatur.sources.tables.documents.keyed import Line, entry_of, key_value
from imprimatur.sources.tables.relation import Spot

__all__ = ["Record", "Said", "Sheet", "Things", "things_of"]

_NAMELESS = "nothing names the thing that it is said of"
_LED = "comes after a line that may say of what it tells"
_NAMES = ("name", "title")
#: The headers of a table that lists the attributes of one thing.
_KEYS = frozenset(("", "property", "attribute", "field", "key", "feature", "characteristic", "specification"))
_VALUES = frozenset(("value", "values", ""))


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that is said: the keys that lead to it, and the words; several keys are of a thing within the thing."""

    path: tuple[str, ...]
    words: Words

    @property
    def column(self) -> str:
        """The name of its column."""
        return " ".join(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is said of the thing that ``title`` names; ``group`` is the heading over all things of its kind."""

    title: Words
    group: str
    said: tuple[Said, ...]
    spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table, and what it is called; empty where nothing says so."""

    name: str
    grid: Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """All that a document says, and what was left aside of it."""

    records: tuple[Record, ...]
    sheets: tuple[Sheet, ...]
    asides: tuple[Aside, ...]


def things_of(blocks: Iterable[Block], text: Text) -> Things:
    """What the blocks of a document say."""
    blocks = list(blocks)
    gathering = _Gathering(text, {key.lower() for block in blocks for key in _valued(block)})
    for block in blocks:
        gathering.take(block)
    gathering.end()
    asides = sorted(gathering.asides, key=lambda each: (each.spot.line, each.spot.start))
    return Things(records=tuple(gathering.records), sheets=tuple(gathering.sheets), asides=tuple(asides))


class _Gathering:
    """Takes the blocks of a document, one after another."""

    def __init__(self, text: Text, keys: set[str]) -> None:
        self._text, self._keys = text, keys
        self.records: list[Record] = []
        self.sheets: list[Sheet] = []
        self.asides: list[Aside] = []
        self._above: list[Heading] = []
        self._section: list[Entry] = []
        self._beside_named = False
        self._leads = self._led = False  # whether a line leads over to the next block, or one to an earlier one
        self._headings: list[Heading] = []
        self._parents: list[int] = []  # of each heading, the number of the one above it; -1 where there is none
        self._named: set[int] = set()  # the headings that name things
        self._open: list[int] = []

    @property
    def _heading(self) -> str:
        return self._above[-1].words.text if self._above else ""

    def take(self, block: Block) -> None:
        """The next block."""
        match block:
            case Heading():
                self._end_section()
                self._led = self._leads = False
                while self._above and self._above[-1].level >= block.level:
                    self._above.pop()
                    self._open.pop()
                self._parents.append(self._open[-1] if self._open else -1)
                self._open.append(len(self._headings))
                words = replace(block.words, text=block.words.text.removesuffix(":").rstrip())
                block = replace(block, words=words)
                self._headings.append(block)
                self._above.append(block)
            case Grid():
                self._grid(block)
            case Fields():
                self._fields(block)
            case Listing():
                self._listing(block)
            case Aside():
                self.asides.append(block)
        self._leads = isinstance(block, Aside) and block.leads

    def end(self) -> None:
        """There are no more blocks."""
        self._end_section()
        self._beside()

    def _end_section(self) -> None:
        """What was said under the last heading is said of what it names."""
        if self._section and self._beside_named:
            for entry in self._section:
                self._aside(entry.value, f"“{entry.key}” is said beside things that have names, but of none of them")
        elif self._section:
            self._named.add(self._open[-1])
            group = self._above[-2].words.text if len(self._above) > 1 else ""
            self._record(self._above[-1].words, self._section, group)
        self._section, self._beside_named = [], False

    def _aside(self, words: Words | Spot, reason: str, *, lost: bool = False) -> None:
        spot = words.spot if isinstance(words, Words) else words
        text = words.text if isinstance(words, Words) else self._text.text[spot.start : spot.end]
        self.asides.append(Aside.of(spot, text, reason, lost=lost))

    def _beside(self) -> None:
        """Headings beside such as name things, with nothing said under them: they may be things, too."""
        parents = {self._parents[number] for number in self._named}
        for number, heading in enumerate(self._headings):
            if number not in self._named and self._parents[number] in parents:
                self._aside(heading.words, "is a heading beside things of which attributes are told", lost=True)

    def _record(self, title: Words, entries: Sequence[Entry], group: str) -> None:
        if title.doubt or not title.text:
            self._aside(title, f"names a thing, but {title.doubt or 'is empty'}", lost=True)
            return
        said = self._once([each for entry in entries for each in _flat(entry)])
        spot = title.spot if title.spot.end else entries[0].value.spot
        self.records.append(Record(title=title, group=group, said=tuple(said), spot=spot))

    def _once(self, said: Sequence[Said]) -> Iterator[Said]:
        """What is said, without what is said in two ways."""
        ways: dict[str, dict[str, None]] = {}
        for each in said:
            ways.setdefault(each.column.lower(), {})[each.words.text] = None
        seen: set[str] = set()
        for each in said:
            if len(ways[each.column.lower()]) > 1:
                self._aside(each.words, f"is one of several values of “{each.column}” of one thing")
            elif each.column.lower() not in seen:
                seen.add(each.column.lower())
                yield each

    # -- blocks --------------------------------------------------------------------------------------------------------
    def _grid(self, grid: Grid) -> None:
        names = [each.text.lower() for each in grid.header]
        if len(names) == 2 and names[0] in _KEYS and names[1] in _VALUES and grid.rows:
            entries = tuple(Entry(key=key.text.rstrip(" :"), value=value) for key, value in grid.rows)
            self._fields(Fields(entries=entries, spot=grid.spot, title=grid.caption))
        else:
            name = grid.caption.text if grid.caption is not None else self._heading
            self.sheets.append(Sheet(name=name, grid=grid))

    def _fields(self, fields: Fields) -> None:
        entries = self._kept([entry for entry in fields.entries if entry.key])
        named = next((entry for entry in entries if entry.key.lower() in _NAMES), None)
        if not entries:
            return
        if fields.settings:
            if named is None:
                self._aside(fields.spot, "are settings without a name or title", lost=True)
            else:
                self._record(named.value, [entry for entry in entries if entry is not named], "")
        elif fields.title is not None:
            self._beside_named = True
            self._record(fields.title, entries, self._heading)
        else:
            self._of_section(entries, fields.spot)

    def _of_section(self, entries: Sequence[Entry], spot: Spot) -> None:
        """What is said of the thing that the first entry names, or else the heading above."""
        first = entries[0]
        if first.key.lower() == "name" or (first.key.lower() == "title" and not self._above):
            self._beside_named = True
            self._record(first.value, entries[1:], self._heading)
        elif self._above and (self._leads or self._led):
            self._led = True
            self._aside(spot, _LED, lost=True)
        elif self._above:
            self._section.extend(entries)
        else:
            self._aside(spot, _NAMELESS, lost=True)

    def _listing(self, listing: Listing) -> None:
        things: list[Item] = []
        others: list[Item] = []
        for item in listing.items:
            (things if _names_thing(item) else others).append(item)
        if things and not any(map(_attribute, others)):
            self._things(things)
            for item in others:
                self._aside(item.words, "stands among things, with nothing said of it", lost=True)
            return
        entries = []
        for at, item in enumerate(listing.items):
            entry = self._entry(item)
            if entry is not None:
                entries.append(entry)
            elif leads_over(item.words.text):
                for after in listing.items[at + 1 :]:
                    self._aside(after.words, _LED, lost=True)
                break
        if entries := self._kept(entries):
            self._of_section(entries, listing.spot)

    def _kept(self, entries: Sequence[Entry]) -> list[Entry]:
        """The entries up to a key that has no value here nor anywhere: it may be a name, and lead over to the next."""
        for at, entry in enumerate(entries):
            silent = not (entry.value.text or entry.value.doubt or entry.value.note or entry.inner)
            if silent and entry.key.lower() not in self._keys:
                for after in entries[at:]:
                    self._aside(replace(after.value, text=f"{after.key}: {after.value.text}"), _LED, lost=True)
                return list(entries[:at])
        return list(entries)

    def _things(self, items: Sequence[Item]) -> None:
        """Items that name things; an item with a colon may as well name a group of attributes."""
        keys = [{found[0].lower() for each in item.inner if (found := key_value(each.words.text))} for item in items]
        often = Counter(key for each in keys for key in each)
        for item, own in zip(items, keys):
            alike = any(often[key] > 1 for key in own)
            if not alike and (item.words.text.endswith(":") or len(items) > 1):
                self._aside(item.words, "may name a thing or a group of attributes", lost=True)
                continue
            name = item.words.text.removesuffix(":").rstrip()
            words = Words(text=name, spot=item.words.spot, doubt=item.words.doubt)
            entries = [entry for each in item.inner if (entry := self._entry(each)) is not None]
            if entries:
                self._record(words, entries, self._heading)

    def _entry(self, item: Item) -> Entry | None:
        """What an item says, with what stands beneath it; None, and left aside, where it says nothing of its kind."""
        inner = tuple(entry for each in item.inner if (entry := self._entry(each)) is not None)
        words = item.words
        found = key_value(words.text)
        if found is None and not (inner and words.text):
            self._aside(words, words.note or words.doubt or "is no key and value")
            return None
        doubt = words.doubt
        if found is not None and found[1] and (item.inner or item.more):
            doubt = doubt or "has more said beneath it, which may change it"
        line = Line(words.text, words.spot.start, words.spot.end, doubt, words.note)
        entry = entry_of(line, self._text) if words.spot.end else None
        if entry is None:
            key, value = found or (words.text, "")
            made = Words(text=value, spot=words.spot, doubt=doubt, note=words.note)
            return Entry(key=key, value=made, inner=inner)
        return Entry(key=entry.key, value=entry.value, inner=inner)


def _valued(block: Block) -> Iterator[str]:
    """The keys of a block that have values."""
    if isinstance(block, Fields):
        yield from (entry.key for entry in block.entries if entry.value.text)
    items = list(block.items) if isinstance(block, Listing) else []
    while items:
        item = items.pop()
        items.extend(item.inner)
        found = key_value(item.words.text)
        if found is not None and found[1]:
            yield found[0]


def _attribute(item: Item) -> bool:
    return key_value(item.words.text) is not None


def _names_thing(item: Item) -> bool:
    """Whether an item has attributes beneath it, and is none itself."""
    found = key_value(item.words.text)
    return (found is None or not found[1]) and any(map(_attribute, item.inner))


def _flat(entry: Entry, above: tuple[str, ...] = ()) -> Iterator[Said]:
    """An entry and what is beneath it, under the names that lead to it."""
    path = (*above, entry.key)
    if entry.value.text or entry.value.doubt or not entry.inner:
        yield Said(path, entry.value)
    for each in entry.inner:
        yield from _flat(each, path)
