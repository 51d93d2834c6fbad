"""True sentences made of rows are never held against them, and each made false in one point always is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from made_places import reader

from imprimatur.sources.tables.attributes.reading import RowReader

#: How English says that a thing is there, and that it is not: {} is the thing.
_THERE = (
    "The place has {}.",
    "It offers {} to its guests.",
    "Visitors are glad that there is {}, and the staff are kind.",
    "{} is available, which makes it popular.",
    "It is known for its view, and it also provides {}.",
    "While it is small, it features {}.",
)
_NOT_THERE = (
    "The place has no {}.",
    "It does not offer {} to its guests.",
    "{} is not available, but the staff are kind.",
    "It lacks {}.",
    "While it is small, it does not have {}.",
    "There is neither a bar nor {}.",
    "Guests have to do without {}, sadly.",
)
#: Things of each row by what it says of them.
_THINGS = {
    "Hotel Anker": {"pool": True, "sauna": False, "WiFi": True, "Wi-Fi": True, "room service": True, "parking": True},
    "Harbour Museum": {"cafe": True, "gift shop": False, "guided tours": True},
    "Birch Meadow": {"WiFi": True, "bread service": True},
    "Otter Bend": {"WiFi": False, "bread service": False},
    "Pension Elsa": {"pool": False, "sauna": True, "WiFi": False, "parking": False, "airport shuttle": False},
}
_SILENT = {"Hotel Anker": ["airport shuttle"], "Harbour Museum": ["audio guide"]}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_HOURS = {"Tuesday": (10, 17), "Wednesday": (10, 17), "Thursday": (10, 20), "Friday": (10, 17), "Saturday": (11, 16)}
_OPEN = (
    "It is open from {0} to {1} on {2}.",
    "On {2}, the museum opens at {0} and closes at {1}.",
    "The museum operates from {0} until {1} on {2}s.",
    "{2}: the museum is open {0} - {1}.",
    "Opening hours on {2} are {0} to {1}, and children are welcome.",
)


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RowReader]:
    """A reader for each row."""
    folder = tmp_path_factory.mktemp("places")
    return {name: reader(folder, name) for name in _THINGS}


def _agrees(reader: RowReader, sentence: str) -> set[bool | None]:
    return {each.agrees for each in reader.told(sentence) if each.columns}


@pytest.mark.parametrize("name", _THINGS)
def test_what_is_there_and_what_is_not(readers: dict[str, RowReader], name: str) -> None:
    """Said as it is, a thing agrees in every wording; said the other way, it never does."""
    for thing, there in _THINGS[name].items():
        for wording in _THERE:
            assert _agrees(readers[name], wording.format(thing)) == {there}, wording.format(thing)
        for wording in _NOT_THERE:
            assert _agrees(readers[name], wording.format(thing)) == {not there}, wording.format(thing)


@pytest.mark.parametrize("name", _SILENT)
def test_silence_is_neither(readers: dict[str, RowReader], name: str) -> None:
    """Of an empty cell neither yes nor no agrees."""
    for thing, wording in itertools.product(_SILENT[name], (*_THERE, *_NOT_THERE)):
        assert _agrees(readers[name], wording.format(thing)) == {None}, wording.format(thing)


@pytest.mark.parametrize("name", _THINGS)
def test_each_member_of_a_list_by_itself(readers: dict[str, RowReader], name: str) -> None:
    """In a list of things that are there, each one that is not is found, and no other."""
    things = _THINGS[name]
    for first, second in itertools.permutations(things, 2):
        if {first, second} == {"WiFi", "Wi-Fi"}:
            continue
        for wording in (
            "It offers {} and {}.",
            "The place has {}, {} and kind staff.",
            "Both {} and {} are available.",
        ):
            found = [each.agrees for each in readers[name].told(wording.format(first, second)) if each.columns]
            assert found == [things[first], things[second]], wording.format(first, second)
        for wording in ("It offers neither {} nor {}.", "It has no {} or {}.", "There is no {} and no {}."):
            found = [each.agrees for each in readers[name].told(wording.format(first, second)) if each.columns]
            assert found == [not things[first], not things[second]], wording.format(first, second)


def _times() -> Iterator[tuple[str, int, int, bool]]:
    """Days with true hours, and with hours that are off by one or two."""
    for day, (first, last) in _HOURS.items():
        for a, b in itertools.product((-2, -1, 0, 1), (-1, 0, 2)):
            yield day, first + a, last + b, (a, b) == (0, 0)


@pytest.mark.parametrize("wording", _OPEN)
def test_hours_are_held_against_their_day(readers: dict[str, RowReader], wording: str) -> None:
    """True hours agree in both ways to write a time; any other hour does not."""
    for day, first, last, true in _times():
        for clock in (_twelve, _full):
            said = wording.format(clock(first), clock(last), day)
            agrees = _agrees(readers["Harbour Museum"], said)
            assert agrees == {True} if true else False in agrees and None not in agrees, said


def test_days_that_are_open_or_closed(readers: dict[str, RowReader]) -> None:
    """Only Monday is closed."""
    for day in _DAYS:
        for wording, is_open in (
            ("It is open on {}.", True),
            ("It is closed on {}.", False),
            ("{}s are closed.", False),
        ):
            assert _agrees(readers["Harbour Museum"], wording.format(day)) == {is_open is (day != "Monday")}, day


def _twelve(hour: int) -> str:
    return f"{(hour - 1) % 12 + 1} {'pm' if hour >= 12 else 'am'}"


def _full(hour: int) -> str:
    return f"{hour}:00"
