"""The report's page and its Markdown: every number, nothing but text, the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_outcomes import HOSTILE, hostile, sample

from imprimatur.errors import InputError
from imprimatur.evals.finishing import keep
from imprimatur.evals.outcome import Outcome
from imprimatur.evals.pages.markdown import markdown
from imprimatur.evals.pages.page import page
from imprimatur.evals.pages.scale import scale_of

Shell = Callable[..., Ran]


def test_a_page_has_every_figure_and_asks_for_nothing() -> None:
    """Values, intervals, counts, published figures with reasons, cases, settings, hashes; and no address."""
    text = page((sample(),), "Brooks")
    for part in ("0.900", "36 of 40", "[0.769, 0.960]", "published 0.500", "+0.400", "counts a rejection", "1.500 s"):
        assert part in text
    for part in ("Elm Brook is long.", "not-stated", "cdcd", "imprimatur eval sample brooks.jsonl", "Read with care."):
        assert part in text
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert not re.findall(r"<[^>]+\s(?:style|on\w+|src)=", text)


def test_the_same_outcomes_give_the_same_bytes() -> None:
    """No time and no chance is in a page."""
    assert page((sample(), sample(30)), "x") == page((sample(), sample(30)), "x")


def test_several_outcomes_have_a_card_each() -> None:
    """Each card leads to its section and says whether something grave is there."""
    text = page((sample(), sample(cases=())), "Brooks")
    assert text.count('class="card"') == 2
    assert "1 grave</p>" in text
    assert "no grave case</p>" in text
    assert 'href="#e1"' in text


def test_hostile_texts_make_no_element() -> None:
    """In both forms what somebody wrote into an outcome is text, without control characters."""
    bare = page((hostile("x"),), "x")
    text = page((hostile(),), HOSTILE)
    # A name that is too long for its place has the whole of it as a title.
    assert set(re.findall(r"<[a-z]+", text)) == set(re.findall(r"<[a-z]+", bare)) | {"<title"}
    assert not re.search("[\x00\x1b\u202e\u2066]", text + markdown((hostile(),), HOSTILE))
    # Within a line of code nothing is markup.
    assert "<img" not in re.sub(r"`[^`\n]*`", "", markdown((hostile(),), HOSTILE))
    assert "](" not in re.sub(r"`[^`\n]*`", "", markdown((hostile("[a](http://b)"),), "x"))


def test_markdown_has_the_same_tables() -> None:
    """Tables, curves, matrices, published figures, cases and sources; a bar in a text does not end a cell."""
    text = markdown((sample(),), "Brooks | streams")
    for part in ("# Brooks \\| streams", "## A sample of brooks", "| right | 36/40 0.900", "0.500", "Elm Brook"):
        assert part in text.replace("\\(", "(").replace("\\)", ")")
    for line in text.split("\n"):
        if line.startswith("|"):
            assert line.endswith("|")
            assert len(re.findall(r"(?<!\\)\|", line)) >= 3


def test_report_writes_what_is_asked_for(tmp_path: Path, shell: Shell) -> None:
    """One command, two files; without a file to write it is a usage error."""
    keep(sample(), tmp_path / "a.json")
    keep(sample(30), tmp_path / "b.json")
    files = (str(tmp_path / "a.json"), str(tmp_path / "b.json"))
    ran = shell("eval", "report", *files, "--out", str(tmp_path / "r.html"), "--markdown", str(tmp_path / "r.md"))
    assert ran.status == 0, ran.err
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!doctype html>")
    assert (tmp_path / "r.md").read_text("utf-8").startswith("# Evaluation report")
    ran = shell("eval", "report", *files)
    assert ran.status == 2
    assert "--out" in ran.err


def test_an_outcome_with_nothing_makes_a_page() -> None:
    """No table, no case, no source: a page all the same."""
    empty = Outcome(name="x", title="")
    assert "<main" in page((empty,), "")
    assert markdown((empty,), "")


@pytest.mark.parametrize(
    "change",
    [
        {"title": 5},
        {"cases": {"a": 1}},
        {"cases": [{"id": "1", "kind": "k", "text": ["x"]}]},
        {"used": {"seconds": "many"}},
        {"used": {"seconds": float("nan")}},
        {"sources": {"a": {"b": "c"}}},
        {"curves": [{"title": "c", "kind": "bars", "series": {"s": [[1, float("inf")]]}}]},
        {"curves": [{"title": "c", "kind": "pie", "series": {}}]},
        {"tables": [{"title": "t", "head": ["a"], "rows": [[{"value": True}]]}]},
        {"tables": [{"title": "t", "head": "a", "rows": []}]},
        {"matrices": [{"title": "m", "rows": ["a"], "columns": ["b"], "counts": [["1"]]}]},
        {"rows": [{"id": 3}]},
    ],
)
def test_what_is_of_the_wrong_type_is_refused(change: dict[str, object]) -> None:
    """A file from elsewhere is refused before anything of it is shown."""
    values = {"schema": "imprimatur.outcome/1", "name": "x", "title": "x", **change}
    with pytest.raises(InputError, match="whole outcome"):
        Outcome.from_dict(json.loads(json.dumps(values)), "a.json")


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.2, 0.9], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        ([3, 12], [0.0, 5.0, 10.0, 15.0]),
        ([], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        ([-3, 5], [-4.0, -2.0, 0.0, 2.0, 4.0, 6.0]),
        ([1e-300, 1e300], [0.0, 2e299, 4e299, 6e299, 8e299, 1e300]),
    ],
)
def test_an_axis_ends_at_round_values(values: list[float], ticks: list[float]) -> None:
    """Shares go from 0 to 1; other values to the next round one on either side, however large."""
    assert scale_of(values, 0, 100).ticks() == pytest.approx(ticks)
