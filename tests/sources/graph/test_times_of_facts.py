"""Facts with times: what is licensed is true in every world that fits the graph, in every wording."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from imprimatur.oracle import Oracle

_GOLDEN = Path(__file__).parents[2] / "golden" / "judge"
_NOW = 2026 * 12 + 2  # March 2026
_EARLY = 1980 * 12

#: The months of a world in which somebody worked there.
World = frozenset[int]


def label(text: str, *, complete: bool = False) -> str:
    """The label of the first segment on 1 March 2026, where the graph may be declared to know all who work there."""
    return str(_oracle(complete).check(text, as_of=date(2026, 3, 1)).segments[0].label)


@cache
def _oracle(complete: bool) -> Oracle:
    if not complete:
        return Oracle.from_folder(_GOLDEN / "times")
    with TemporaryDirectory() as folder:
        shutil.copytree(_GOLDEN / "times", folder, dirs_exist_ok=True)
        config = Path(folder, "imprimatur.yaml")
        declared = "graph: {data: [times.ttl], complete: [http://example.org/worksAt]}"
        config.write_text(f"version: 1\n{declared}\n", encoding="utf-8")
        return Oracle.from_folder(folder)


def _rows() -> list[list[str]]:
    lines = (_GOLDEN / "times.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("text", "expected"), _rows())
def test_rows(text: str, expected: str) -> None:
    """Points, unreadable times, names in the past and values that follow each other."""
    assert label(text) == expected


# -- worlds -------------------------------------------------------------------------------------------------------
def _in(year: int) -> range:
    return range(year * 12, year * 12 + 12, 5)


def _held(start: int, end: int) -> World:
    return frozenset(range(start, end + 1))


def _only_an_end() -> Iterator[World]:
    for end in _in(1999):
        yield from (_held(start, end) for start in (*range(_EARLY, end, 7), end))


def _only_a_start() -> Iterator[World]:
    yield from (_held(start, end) for start in _in(1999) for end in (_NOW, _NOW + 5, _NOW + 240))


def _both(first: int, last: int) -> Iterator[World]:
    yield from (_held(start, end) for start in _in(first) for end in _in(last) if start <= end)


def _point() -> Iterator[World]:
    around = [_held(a, b) for m in _in(1999) for a in (_EARLY, m - 14, m) for b in (m, m + 14, _NOW + 9)]
    yield from around
    yield from (
        one | other for one in around for other in (_held(2005 * 12, 2005 * 12 + 3), _held(1990 * 12, 1990 * 12))
    )


def _unknown() -> Iterator[World]:
    yield from (_held(a, b) for a in range(_EARLY, _NOW, 50) for b in range(a, _NOW + 1, 50))


_WORLDS: dict[str, tuple[World, ...]] = {
    "Enda Lee": tuple(_only_an_end()),
    "Stan Roe": tuple(_only_a_start()),
    "Bob Hale": tuple(_both(1995, 1999)),
    "Pia Moss": tuple(_point()),
    "Wes Vane": tuple(_both(1999, 1999)),
    "Una Dale": tuple(_unknown()),
    "Dee Wick": tuple(_unknown()),
    "Fred Orr": tuple(_held(start, start + 30) for start in _in(2040)),
}

# -- wordings -----------------------------------------------------------------------------------------------------
Truth = Callable[[World], bool]


def _any(begin: int, end: int) -> Truth:
    """Whether it was so in some month from the start of one year to the end of another, as far as it has come."""
    return lambda world: any(begin * 12 <= month < (end + 1) * 12 for month in world if month <= _NOW)


def _not(truth: Truth) -> Truth:
    return lambda world: not truth(world)


def _since(year: int) -> Truth:
    return lambda world: min(world) // 12 == year and _NOW in world and _held(min(world), _NOW) <= world


def _until(year: int) -> Truth:
    return lambda world: max(world) // 12 == year


def _month(year: int, month: int) -> Truth:
    return lambda world: year * 12 + month - 1 in world


def _whole(year: int) -> Truth:
    return lambda world: set(range(year * 12, year * 12 + 12)) <= world


def _stint(first: int, last: int) -> Truth:
    return lambda world: min(world) // 12 == first and max(world) // 12 == last


def _never(world: World) -> bool:
    """Not true of any world: what may be read in two ways is not to be licensed."""
    return not world


_NOW_SO: Truth = lambda world: _NOW in world  # noqa: E731
_ONCE: Truth = _any(0, 3000)


def _wordings() -> Iterator[tuple[str, Truth]]:
    work = "{} worked at Acme Pumps "
    nots = "{} did not work at Acme Pumps "
    for text in ("{} works at Acme Pumps.", "{} is working at Acme Pumps.", "{}'s employer is Acme Pumps."):
        yield text, _NOW_SO
    yield from (("{} still works at Acme Pumps.", _NOW_SO), ("Acme Pumps employs {}.", _NOW_SO))
    yield "{} does not work at Acme Pumps.", _not(_NOW_SO)
    yield "{} no longer works at Acme Pumps.", lambda world: _NOW not in world and _ONCE(world)
    for text in ("{} worked at Acme Pumps.", "{} used to work at Acme Pumps.", "{} has worked at Acme Pumps."):
        yield text, _ONCE
    for text in (
        "{} never worked at Acme Pumps.",
        "{} has never worked at Acme Pumps.",
        "{} did not work at Acme Pumps.",
    ):
        yield text, _not(_ONCE)
    yield "{} has not worked at Acme Pumps.", _not(_ONCE)
    yield from (("{} will work at Acme Pumps.", _never), ("{} will not work at Acme Pumps.", _never))
    yield from (("{} will work at Acme Pumps in 2045.", _never), ("{} works at Acme Pumps in 2045.", _never))
    for year in (1990, 1995, 1997, 1999, 2005, 2026):
        yield f"{work}in {year}.", _any(year, year)
        yield f"{nots}in {year}.", _not(_any(year, year))
        yield f"In {year}, {{}} was working at Acme Pumps.", _any(year, year)
        yield f"{{}}'s employer in {year} was not Acme Pumps.", _not(_any(year, year))
        yield f"{work}throughout {year}.", _whole(year)
        yield f"{work}before {year}.", _any(0, year - 1)
        yield f"{nots}before {year}.", _not(_any(0, year - 1))
        yield f"{work}by {year}.", _any(0, year)
        yield f"{work}after {year}.", _any(year + 1, 3000)
        yield f"{nots}after {year}.", _not(_any(year + 1, 3000))
        yield f"{{}} has worked at Acme Pumps since {year}.", _since(year)
        yield f"{{}} worked at Acme Pumps since {year}.", _since(year)
        yield f"{{}} has not worked at Acme Pumps since {year}.", _not(_any(year, 3000))
        yield f"{work}until {year}.", _until(year)
        yield f"{work}up to {year}.", _until(year)
        yield f"{nots}until {year}.", _never
        yield f"{work}in May {year}.", _month(year, 5)
        yield f"{nots}in May {year}.", _not(_month(year, 5))
    for first, last in ((1995, 1999), (1990, 1999), (1999, 2005), (2000, 2005), (1999, 1999), (1980, 1990)):
        yield f"{work}from {first} to {last}.", _stint(first, last)
        yield f"{nots}from {first} to {last}.", _not(_any(first, last))
        yield f"{work}between {first} and {last}.", _any(first, last)
        yield f"{nots}between {first} and {last}.", _not(_any(first, last))
    for decade in (1980, 1990, 2000):
        yield f"{work}in the {decade}s.", _any(decade, decade + 9)
        yield f"{nots}in the {decade}s.", _not(_any(decade, decade + 9))
    yield from ((f"{work}for four years.", _stint(1995, 1999)), (f"{nots}for four years.", _never))


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("name", list(_WORLDS))
def test_what_is_licensed_is_true_in_every_world(name: str, complete: bool) -> None:
    """Every wording that is licensed is true however the times that the graph leaves open may be."""
    wrong = [
        text.format(name)
        for text, truth in _wordings()
        if label(text.format(name), complete=complete) == "supported"
        and not all(truth(world) for world in _WORLDS[name])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Enda Lee", "in 1999|until 1999|before 2005|in the 1990s|!in 2005|!after 2005|!between 2000 and 2005"),
        ("Stan Roe", "in 1999|in 2005|in 2026|after 2005|in the 1990s|!in 1990|!before 1995|!from 1980 to 1990"),
        (
            "Bob Hale",
            "in 1997|throughout 1997|until 1999|from 1995 to 1999|before 2005|!in 2005|!in 1990|for four years",
        ),
        ("Pia Moss", "in 1999|in the 1990s|before 2005"),
        ("Wes Vane", "in 1999|until 1999|from 1999 to 1999|!in 2005|!after 1999"),
    ],
)
def test_what_is_known_is_licensed(name: str, parts: str) -> None:
    """What follows from the times is said freely, and a denial where the graph knows all of them."""
    for part in parts.split("|"):
        verb = "did not work" if part.startswith("!") else "worked"
        text = f"{name} {verb} at Acme Pumps {part.removeprefix('!')}."
        assert label(text, complete=True) == "supported", part
        assert label(text) == ("not_found" if part.startswith("!") else "supported"), part


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{} works at Acme Pumps.", "Stan Roe|Ned Tarn|Enid Fox"),
        ("{} does not work at Acme Pumps.", "Enda Lee|Bob Hale|Fred Orr"),
        ("{} has worked at Acme Pumps since 1999.", "Stan Roe"),
        (
            "{} worked at Acme Pumps.",
            "Enda Lee|Stan Roe|Bob Hale|Pia Moss|Wes Vane|Una Dale|Enid Fox|Ned Tarn|Dee Wick",
        ),
    ],
)
def test_who_works_there_now(text: str, names: str) -> None:
    """A start without an end holds until the day of the check, and what has no time, or an end to come, holds."""
    everyone = (*_WORLDS, "Enid Fox", "Ned Tarn")
    found = {name for name in everyone if label(text.format(name)) == "supported"}
    assert found == set(names.split("|"))


@pytest.mark.parametrize("name", ["Enda Lee", "Bob Hale", "Wes Vane"])
def test_not_since(name: str) -> None:
    """Who left may have come back, where the graph does not know all times."""
    text = f"{name} has not worked at Acme Pumps since 2005."
    assert (label(text), label(text, complete=True)) == ("not_found", "supported")
