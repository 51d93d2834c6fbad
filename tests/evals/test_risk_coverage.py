"""Risk and coverage: the curve from points, the command, and the picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_fixtures import Ran

from imprimatur.evals.curves import Line, drawn
from imprimatur.evals.risk_coverage import Curve, Point, curve_of, excess

_ROWS = [
    {"input": "Elm Bridge [SEP] crosses", "topic_entity": {"Q1": "Elm Bridge"}, "answer": "Elm Brook"},
    {"input": "Oak Bridge [SEP] crosses", "topic_entity": {"Q2": "Oak Bridge"}, "answer": "Oak Brook"},
    {"input": "Mira Falk [SEP] employer", "topic_entity": {"Q3": "Mira Falk"}, "answer": "Elm Mill"},
]


def test_a_curve_of_points() -> None:
    """Falling confidence, equal ones together, unanswered ones in the whole only."""
    points = [
        Point(0.9, True, True),
        Point(0.8, True, True),
        Point(0.8, True, False),
        Point(0.7, False, False),
        Point(0.1, True, False),
    ]
    curve = curve_of(points)
    assert [covered for covered, _ in curve.steps] == [0.2, 0.6, 0.8]
    assert [risk for _, risk in curve.steps] == pytest.approx([0.0, 1 / 3, 0.5])
    assert (curve.coverage(0.0), curve.coverage(0.4), curve.coverage(0.5), curve.most) == (0.2, 0.6, 0.8, 0.8)
    assert curve.area == pytest.approx((0.2 * 0 + 0.4 / 3 + 0.2 * 0.5) / 0.8)


def test_how_far_a_curve_lies_above_the_best_order() -> None:
    """Right, wrong, right: risks 0, 1/2, 1/3 against 0, 0, 1/3; in the best order nothing is left."""
    points = [Point(0.9, True, True), Point(0.8, True, False), Point(0.7, True, True), Point(0.9, False, False)]
    assert excess(points) == pytest.approx((1 / 2 + 1 / 3) / 3 - (1 / 3) / 3)
    assert excess([Point(0.9, True, True), Point(0.8, True, True), Point(0.1, True, False)]) == pytest.approx(0.0)
    assert excess([Point(0.9, False, False)]) == 0.0


def test_no_answer_has_no_risk() -> None:
    """A curve without a step covers nothing."""
    curve = curve_of([Point(0.5, False, False)])
    assert (curve, curve.most, curve.area, curve.coverage(1.0)) == (Curve(()), 0.0, 0.0, 0.0)


def test_the_picture_is_sound_xml() -> None:
    """One line for each curve, inside of its frame; names are quoted."""
    picture = drawn([Line("a & <b>", [(0.0, 0.0), (1.0, 0.5)]), Line("c", [(0.5, 0.1)])], across="x", up="y")
    root = ElementTree.fromstring(picture)
    lines = [each for each in root.iter() if each.tag.endswith("polyline")]
    assert len(lines) == 2
    places = [tuple(map(float, pair.split(","))) for pair in lines[0].attrib["points"].split()]
    assert all(0 <= x <= 560 and 0 <= y <= 340 for x, y in places)
    assert "a & <b>" in [each.text for each in root.iter()]


def test_the_command_measures_and_draws(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Over relations: with the stages nothing wrong is said; the picture has both curves."""
    rows, out = tmp_path / "rows.jsonl", tmp_path / "curve.svg"
    rows.write_text("\n".join(map(json.dumps, _ROWS)), encoding="utf-8")
    asked = ("eval", "risk-coverage", "relations", str(rows), "--unsupported", "6")
    ran = shell(*asked, "--out", str(out))
    assert ran.status == 0, ran.err
    assert "gate and stages" in ran.out
    assert "gate alone" in out.read_text(encoding="utf-8")
    told = json.loads(shell(*asked, "--json").out)
    assert told["gate and stages"]["area"] == 0.0
    assert told["gate alone"]["most"] >= told["gate and stages"]["most"]
    wrong = shell(*asked, "--out", str(tmp_path / "absent" / "curve.svg"))
    assert (wrong.status, "cannot be written" in wrong.err) == (2, True)
