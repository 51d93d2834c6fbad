"""How running text speaks of a table's rows: pairs and sums of columns, contests, levels, parts, other records.

The section ``spoken`` of a described table (``described``); every key is optional::

    spoken:
      values:
        field goals: {pair: [FGM, FGA], words: [field goals, from the field]}   # "7-15", "7 of 15", "7-for-15"
        record: {pair: [wins, losses], bare: true}      # "(12-10)" right after the row's name, without words
        first half: {sum: [Q1, Q2], words: [points], when: [first half]}
        points: {main: true}                            # a column: "112-103" between two rows is this one
        Q1: {words: [points], when: [first quarter]}    # meant only where these words stand beside it
      ahead: {points: [beat, defeated]}                 # the subject's cell is the larger one
      behind: {points: [lost to]}                       # the smaller one
      gaps: {points: [win, victory]}                    # "a 20-point win": what two rows differ by
      leads: {points: [lead, deficit]}                  # the same, where a time is said
      levels: {double figures: {of: [points], at_least: 10}}
      feats: {double-double: {of: [points, rebounds], at_least: 10, count: 2}}
      parts: {starter: [starter, starters], "not starter": [bench, reserve]}    # a column of yes and no
      belongs: [led, paced]                             # the row before is of the parent's row after: "led the Hawks"
      elsewhere: [season, career]                       # words after which a number is of another record
      empty: "0"                                        # what an empty cell of numbers means

Invariants: nothing of a table is read here; ``check`` is asked about its columns when it is opened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.errors import ConfigError, nearest
from imprimatur.settings_file import Section

__all__ = ["Feat", "Spoken", "SpokenValue", "read_spoken"]

_NOT = "not "


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenValue:
    """A value of a row under its name: a column's own, or one that is made of others.

    ``pair``: the two columns of "7-15". ``total``: columns that are added. ``when``: words that must stand beside it.
    ``bare``: it follows the row's name in brackets. ``main``: it is meant where nothing says which.
    """

    name: str
    words: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
    total: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    bare: bool = False
    main: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """That at least ``count`` of some columns are at least ``least``."""

    columns: tuple[str, ...]
    least: Fraction
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What is said of a table for running text. ``parts`` has a column, whether it is yes, and the words."""

    values: tuple[SpokenValue, ...] = ()
    ahead: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    behind: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    gaps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    leads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    feats: Mapping[str, Feat] = field(default_factory=dict)
    parts: tuple[tuple[str, bool, tuple[str, ...]], ...] = ()
    belongs: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    empty: str | None = None

    def columns(self) -> Iterator[str]:
        """The columns that must be there."""
        for value in self.values:
            yield from (*value.pair, *value.total) or (value.name,)
        yield from (*self.ahead, *self.behind, *self.gaps, *self.leads, *(column for column, _, _ in self.parts))
        for feat in self.feats.values():
            yield from feat.columns

    def check(self, table: str, columns: Collection[str], where: str) -> None:
        """Raises ConfigError for a column that the table has not."""
        for name in self.columns():
            if name not in columns:
                near = nearest(name, columns)
                hint = f"did you mean {near!r}?" if near else f"it has {', '.join(columns)}"
                raise ConfigError(f"`spoken`: the table {table!r} has no column {name[:60]!r}", where=where, hint=hint)


def read_spoken(part: Section) -> Spoken:
    """The section. Raises ConfigError for a wrong key or value."""
    values, parts = part.section("values"), part.section("parts")
    feats = {name: _feat(each) for key in ("levels", "feats") for name, each in _sections(part.section(key))}
    made = Spoken(
        values=tuple(_value(name, each) for name, each in _sections(values)),
        ahead=_words(part.section("ahead")),
        behind=_words(part.section("behind")),
        gaps=_words(part.section("gaps")),
        leads=_words(part.section("leads")),
        feats=feats,
        parts=tuple((name.removeprefix(_NOT), not name.startswith(_NOT), parts.texts(name)) for name in parts.values),
        belongs=part.texts("belongs"),
        elsewhere=part.texts("elsewhere"),
        empty=part.text("empty"),
    )
    part.close()
    return made


def _sections(part: Section) -> Iterator[tuple[str, Section]]:
    return ((str(name), part.section(name)) for name in list(part.values))


def _words(part: Section) -> dict[str, tuple[str, ...]]:
    return {str(name): part.texts(name) for name in list(part.values)}


def _value(name: str, part: Section) -> SpokenValue:
    made = SpokenValue(
        name=name,
        words=part.texts("words"),
        pair=part.texts("pair"),
        total=part.texts("sum"),
        when=part.texts("when"),
        bare=part.flag("bare", False),
        main=part.flag("main", False),
    )
    if made.pair and (len(made.pair) != 2 or made.total):
        raise part.fault("pair", "expected two columns", hint="write `pair: [made, tried]`, without `sum`")
    part.close()
    return made


def _feat(part: Section) -> Feat:
    columns = part.texts("of")
    if not columns:
        raise part.fault("of", "expected columns", hint="write `of: [points]`")
    made = Feat(
        columns=columns,
        least=Fraction(part.integer("at_least", 1, low=0, high=10**9)),
        count=part.integer("count", 1, low=1, high=len(columns)),
    )
    part.close()
    return made
