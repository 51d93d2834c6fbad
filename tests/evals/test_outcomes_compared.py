"""Two outcomes held against each other: figures, intervals of differences, rows, and what is grave."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_outcomes import sample

from imprimatur.evals.comparing import compared, difference
from imprimatur.evals.finishing import keep
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Figure, Outcome, Row, Table

Shell = Callable[..., Ran]


def _pair(tmp_path: Path, one: Outcome, two: Outcome) -> tuple[str, str]:
    keep(one, tmp_path / "one.json")
    keep(two, tmp_path / "two.json")
    return str(tmp_path / "one.json"), str(tmp_path / "two.json")


def _figures(found: Outcome) -> dict[str, tuple[object, ...]]:
    return {str(row[0]): row[1:] for row in found.tables[0].rows}


@pytest.mark.parametrize(
    ("one", "two", "low", "high"),
    [
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((2, 7), (6, 7), 0.0582, 0.8062),
        ((0, 29), (5, 56), -0.0381, 0.1926),
        ((0, 20), (10, 10), 0.6791, 1.0),
    ],
)
def test_the_interval_of_a_difference(one: tuple[int, int], two: tuple[int, int], low: float, high: float) -> None:
    """It equals what is published (Newcombe 1998, table II, method 10)."""
    found = difference(Figure.of(Share(*one)), Figure.of(Share(*two)))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-4)


def test_figures_are_matched_by_name_and_not_by_place() -> None:
    """Rows in another order are the same rows; what is in one outcome only is said so."""
    one = Table(title="t", head=("", "x"), rows=(("a", Figure.of(Share(1, 2))), ("b", Figure.of(Share(2, 2)))))
    two = Table(title="t", head=("", "x"), rows=(("b", Figure.of(Share(2, 2))), ("c", Figure.of(Share(0, 2)))))
    found = _figures(compared(Outcome(name="n", title="n", tables=(one,)), Outcome(name="n", title="n", tables=(two,))))
    assert found["a · x"][-1] == found["c · x"][-1] == "not in both"
    assert found["b · x"][-1] == "the same"


def test_a_difference_is_told_from_chance() -> None:
    """A large difference of shares is marked, a small one may be chance, another unit has none."""
    found = _figures(compared(sample(10), sample(36)))
    assert found["right · here"][-1] == "differs"
    assert _figures(compared(sample(35), sample(36)))["right · here"][-1] == "may be chance"
    assert difference(Figure(value=1, unit="s"), Figure(value=1)) is None
    assert found["nothing · here"][-1] == "nothing to compare"


def test_what_changed_around_the_figures_is_told() -> None:
    """Settings, sources, versions and use that differ are tables; other sources and evaluations are warned of."""
    two = replace(sample(kb="ff"), settings={"seed": 2}, versions={"imprimatur": "0.2.0"}, name="other", used={})
    found = compared(sample(), two)
    assert [table.title for table in found.tables[1:]] == [
        "Settings that differ",
        "Sources that differ",
        "Versions that differ",
        "Used",
    ]
    assert sum(note.startswith("WARNING") for note in found.notes) == 2
    assert not compared(sample(), sample()).notes
    assert len(compared(sample(), sample()).tables) == 1


def test_a_new_false_licence_is_grave(tmp_path: Path, shell: Shell) -> None:
    """Where it is new the exit status is 1, where it is gone or was there it is 0."""
    clean, bad = sample(cases=()), sample()
    ran = shell("eval", "compare", *_pair(tmp_path, clean, bad))
    assert ran.status == 1
    assert "NEW: FALSE LICENCE  7" in ran.out
    assert "1 grave case is new" in ran.out
    ran = shell("eval", "compare", *_pair(tmp_path, bad, clean))
    assert ran.status == 0
    assert "GONE: FALSE LICENCE  7" in ran.out
    assert shell("eval", "compare", *_pair(tmp_path, bad, bad)).status == 0


def test_rows_are_compared_one_by_one(tmp_path: Path, shell: Shell) -> None:
    """Rows with another verdict are told, and the exact test says whether they may be chance."""
    names = [str(number) for number in range(20)]
    one = replace(sample(cases=()), rows=tuple(Row(id=name, said="not_found", right=False) for name in names))
    two = replace(one, rows=tuple(Row(id=name, said="supported", right=int(name) < 10) for name in names))
    ran = shell("eval", "compare", *_pair(tmp_path, one, two), "--json")
    told = json.loads(ran.out)
    assert len(told["cases"]) == 20
    assert told["cases"][-1]["kind"] == "became right"
    assert "20 rows were judged in both: 10 became right, 0 became wrong; a difference of 0.500 [" in ran.out
    assert "exact McNemar test, p = 0.00195." in ran.out


def test_what_is_no_outcome_is_told(tmp_path: Path, shell: Shell) -> None:
    """A missing file, a file of something else, and broken JSON are usage errors that say what to do."""
    keep(sample(), tmp_path / "one.json")
    (tmp_path / "two.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "three.json").write_text("{", encoding="utf-8")
    for name in ("two.json", "three.json", "missing.json"):
        ran = shell("eval", "compare", str(tmp_path / "one.json"), str(tmp_path / name))
        assert ran.status == 2
        assert "hint" in ran.err
        assert "Traceback" not in ran.err


def test_a_comparison_is_a_page_too(tmp_path: Path, shell: Shell) -> None:
    """`--html` writes the page, `--out` the outcome."""
    pair = _pair(tmp_path, sample(30), sample(36))
    ran = shell("eval", "compare", *pair, "--html", str(tmp_path / "it.html"), "--out", str(tmp_path / "it.json"))
    assert ran.status == 0
    assert "<caption>Figures</caption>" in (tmp_path / "it.html").read_text("utf-8")
    assert Outcome.from_dict(json.loads((tmp_path / "it.json").read_text("utf-8"))).name == "compare"
