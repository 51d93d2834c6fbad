"""What an evaluation found: written and read back, shown, and never more than was measured."""

from __future__ import annotations

import json
from typing import Any

import pytest

from imprimatur.errors import InputError
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Curve, Figure, Kind, Matrix, Outcome, Published, Table, rendered

_PAPER = Published(value=0.5, source="a paper, table 5", why="it counted a rejection as none")
_EMPTY = {"schema": "imprimatur.outcome/1", "name": "x", "title": "x"}
_OUTCOME = Outcome(
    name="cards",
    title="Cards",
    tables=(
        Table(
            title="Measures",
            head=("measure", "ours", "rows"),
            rows=(
                ("CVRR", Figure.of(Share(3, 4), _PAPER), 4),
                ("nothing", Figure.of(Share(0, 0)), None),
                ("time", Figure(value=1.5, unit="s"), 0),
            ),
            note="A note.",
        ),
    ),
    curves=(
        Curve(title="Risk", kind=Kind.LINES, across="coverage", up="risk", series={"gate": ((0.0, 0.0), (1.0, 0.25))}),
    ),
    matrices=(Matrix(title="Confusion", rows=("E",), columns=("yes", "no"), counts=((3, 1),)),),
    cases=(
        Case(id="7", kind="false licence", text="Elm Brook is long.", gold="no", said="yes", grave=True),
        Case(id="8", kind="withheld", text="x\x1b[31m", reasons=("not-stated",), evidence=("a triple",)),
    ),
    settings={"seed": 1, "kb": "rivers"},
    sources={"cards.jsonl": "ab" * 32},
    versions={"imprimatur": "0"},
    used={"seconds": 2.0},
    notes=("Read with care.",),
)


def test_an_outcome_is_read_back_as_it_was_written() -> None:
    """Through JSON and back nothing is lost, and the bytes are the same."""
    written = json.dumps(_OUTCOME.to_dict())
    again = Outcome.from_dict(json.loads(written))
    assert again == _OUTCOME
    assert json.dumps(again.to_dict()) == written


def test_grave_cases_give_the_status() -> None:
    """The status is 1 with a grave case and 0 without."""
    assert _OUTCOME.status == 1
    assert Outcome(name="x", title="x", cases=_OUTCOME.cases[1:]).status == 0


def test_an_outcome_is_shown_with_what_was_published_and_why_it_differs() -> None:
    """Tables, intervals, published figures, reasons and notes are shown, and no control character."""
    shown = rendered(_OUTCOME)
    for part in ("FALSE LICENCE  7", "3/4 0.750 [", "(published 0.500)", "counted a rejection", "A note.", "with care"):
        assert part in shown
    assert "\x1b" not in shown
    assert "1.500 s" in shown


def test_a_figure_of_nothing_is_none() -> None:
    """A share of nothing has no value and no interval, and is shown as a dash."""
    figure = Figure.of(Share(0, 0))
    assert (figure.value, figure.low, str(figure)) == (None, None, "-")


@pytest.mark.parametrize("values", [{"value": float("nan")}, {"value": 0.5, "low": 0.6, "high": 0.7}])
def test_a_figure_that_cannot_be_is_refused(values: dict[str, Any]) -> None:
    """What is no number, or outside of its interval, is no figure."""
    with pytest.raises(ValueError):
        Figure(**values)


@pytest.mark.parametrize(
    "values",
    [
        None,
        {},
        {"schema": "imprimatur.outcome/2"},
        {"schema": "imprimatur.outcome/1"},
        {**_EMPTY, "tables": [{"title": "t", "head": ["a"], "rows": [[1, 2]]}]},
        {**_EMPTY, "tables": [3]},
        {**_EMPTY, "more": 1},
    ],
)
def test_something_else_is_no_outcome(values: object) -> None:
    """What is not a whole outcome is refused with the place."""
    with pytest.raises(InputError, match="outcome"):
        Outcome.from_dict(values, "a.json")
