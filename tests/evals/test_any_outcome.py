"""Any outcome at all: written and read back, made into a page that is well formed, into Markdown, and compared."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.evals.comparing import compared
from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Kind, Matrix, Outcome, Published, Row, Table, rendered
from imprimatur.evals.pages.markdown import markdown
from imprimatur.evals.pages.page import page
from imprimatur.report_json import dumps

_ALONE = ("meta", "br", "hr")
_TEXT = st.text(st.characters(), max_size=8) | st.sampled_from(
    ("", "</td>", "<b>", "|", "`", "\ud800", "a\nb", "&amp;")
)
_NUMBER = st.floats(-1e12, 1e12, allow_nan=False) | st.floats(0, 1) | st.sampled_from((0.0, 1.0, -0.0))
_COUNT = st.integers(0, 10**9)


@st.composite
def _figures(draw: st.DrawFn) -> Figure:
    value = draw(st.none() | _NUMBER)
    low, high = (draw(_NUMBER), draw(_NUMBER)) if draw(st.booleans()) else (None, None)
    if value is not None and low is not None and high is not None:
        low, high = min(low, value), max(high, value)
    published = draw(st.none() | st.builds(Published, value=_NUMBER, source=_TEXT, why=_TEXT))
    counts = draw(st.none() | st.tuples(_COUNT, _COUNT)) or (None, None)
    return Figure(
        value=value, low=low, high=high, count=counts[0], total=counts[1], unit=draw(_TEXT), published=published
    )


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    wide = draw(st.integers(0, 3))
    cell: st.SearchStrategy[Cell] = _figures() | _TEXT | _COUNT | st.none()
    rows = draw(st.lists(st.tuples(*[cell] * wide), max_size=3).map(tuple))
    return Table(title=draw(_TEXT), head=draw(st.tuples(*[_TEXT] * wide)), rows=rows, note=draw(_TEXT))


@st.composite
def _matrices(draw: st.DrawFn) -> Matrix:
    rows, columns = draw(st.lists(_TEXT, max_size=3)), draw(st.lists(_TEXT, max_size=3))
    counts = tuple(tuple(draw(st.integers(0, 9)) for _ in columns) for _ in rows)
    return Matrix(title=draw(_TEXT), rows=tuple(rows), columns=tuple(columns), counts=counts)


_POINTS = st.lists(st.tuples(_NUMBER, _NUMBER), max_size=4).map(tuple)
_NAMES = st.lists(_TEXT, max_size=4).map(tuple)
_CURVES = st.builds(
    Curve,
    title=_TEXT,
    kind=st.sampled_from(Kind),
    across=_TEXT,
    up=_TEXT,
    series=st.dictionaries(_TEXT, _POINTS, max_size=3),
    names=_NAMES,
    spread=st.dictionaries(_TEXT, _POINTS, max_size=2),
)
_CASES = st.builds(
    Case, id=_TEXT, kind=_TEXT, text=_TEXT, gold=_TEXT, said=_TEXT, reasons=_NAMES, evidence=_NAMES, grave=st.booleans()
)
_OUTCOMES = st.builds(
    Outcome,
    name=_TEXT,
    title=_TEXT,
    command=_TEXT,
    tables=st.lists(_tables(), max_size=2).map(tuple),
    curves=st.lists(_CURVES, max_size=2).map(tuple),
    matrices=st.lists(_matrices(), max_size=2).map(tuple),
    cases=st.lists(_CASES, max_size=3).map(tuple),
    rows=st.lists(st.builds(Row, id=_TEXT, said=_TEXT, right=st.booleans()), max_size=3).map(tuple),
    settings=st.dictionaries(_TEXT, st.none() | _TEXT | _COUNT, max_size=2),
    sources=st.dictionaries(_TEXT, _TEXT, max_size=2),
    versions=st.dictionaries(_TEXT, _TEXT, max_size=2),
    used=st.dictionaries(_TEXT, _NUMBER, max_size=2),
    notes=_NAMES,
)


class _Balanced(HTMLParser):
    """Holds every end tag against the last start tag."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.plots = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _ALONE:
            self.open.append(tag)
        self.plots += any(name == "class" and (value or "").startswith("plot") for name, value in attrs if tag == "svg")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@settings(max_examples=60)
@given(_OUTCOMES, _OUTCOMES)
def test_any_outcome_is_shown_on_every_surface(one: Outcome, two: Outcome) -> None:
    """Nothing that an outcome may hold breaks a surface, and none drops a plot."""
    written = dumps(one.to_dict())
    again = Outcome.from_dict(json.loads(written))
    assert dumps(again.to_dict()) == written
    text = page((one, two), two.title)
    text.encode("utf-8")
    seen = _Balanced()
    seen.feed(text)
    assert seen.open == []
    assert seen.plots >= sum(len(each.curves) + len(each.matrices) for each in (one, two))
    markdown((one, two), one.title).encode("utf-8")
    rendered(one).encode("utf-8")
    found = compared(one, two)
    rendered(found).encode("utf-8")
    page((found,), "x")
    new = {(case.id, case.text) for case in two.cases if case.grave} - {
        (case.id, case.text) for case in one.cases if case.grave
    }
    assert found.status == bool(new)
