"""The section ``spoken`` of a described table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from imprimatur.errors import ConfigError
from imprimatur.sources.tables.described import TableWords, read_described

_WHOLE = """
version: 1
tables:
  rowers:
    spoken:
      values:
        strokes: {pair: [clean, all], words: [strokes]}
        first lap: {words: [seconds], when: [first lap]}
        both laps: {sum: [lap one, lap two]}
        rank: {bare: true, main: true}
      ahead: {rank: [beat]}
      behind: {rank: [lost to]}
      gaps: {rank: [win]}
      leads: {rank: [lead]}
      levels: {fast: {of: [rank], at_least: 3}}
      feats: {twice fast: {of: [lap one, lap two], at_least: 10, count: 2}}
      parts: {junior: [junior], not junior: [senior]}
      belongs: [led]
      elsewhere: [season]
      empty: "0"
"""


def _read(folder: Path, text: str) -> TableWords:
    (folder / "words.yaml").write_text(text, encoding="utf-8")
    return read_described(folder / "words.yaml")["rowers"]


def test_all_keys_are_read(tmp_path: Path) -> None:
    """Every key of the section is in what comes out."""
    spoken = _read(tmp_path, _WHOLE).spoken
    assert [value.name for value in spoken.values] == ["strokes", "first lap", "both laps", "rank"]
    assert spoken.values[0].pair == ("clean", "all")
    assert spoken.values[1].when == ("first lap",)
    assert spoken.values[2].total == ("lap one", "lap two")
    assert spoken.values[3].bare
    assert spoken.values[3].main
    assert (dict(spoken.ahead), dict(spoken.behind)) == ({"rank": ("beat",)}, {"rank": ("lost to",)})
    assert (dict(spoken.gaps), dict(spoken.leads)) == ({"rank": ("win",)}, {"rank": ("lead",)})
    assert {name: (feat.columns, feat.least, feat.count) for name, feat in spoken.feats.items()} == {
        "fast": (("rank",), Fraction(3), 1),
        "twice fast": (("lap one", "lap two"), Fraction(10), 2),
    }
    assert spoken.parts == (("junior", True, ("junior",)), ("junior", False, ("senior",)))
    assert (spoken.belongs, spoken.elsewhere, spoken.empty) == (("led",), ("season",), "0")


def test_a_column_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """What is said of a column that the table has not names the nearest that it has."""
    words = _read(tmp_path, _WHOLE)
    with pytest.raises(ConfigError, match="no column 'clean'") as raised:
        words.check("rowers", ["cleans", "all", "lap one", "lap two", "rank", "junior", "first lap"])
    assert "cleans" in str(raised.value.hint)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("values: {strokes: {pair: [clean]}}", "expected two columns"),
        ("values: {strokes: {pairs: [clean, all]}}", "unknown key"),
        ("feats: {fast: {at_least: 3}}", "expected columns"),
        ("feats: {fast: {of: [a], count: 2}}", "between 1 and 1"),
        ("ahead: [beat]", "expected a mapping"),
        ("gap: {points: [win]}", "unknown key"),
    ],
)
def test_wrong_keys_are_errors(tmp_path: Path, wrong: str, message: str) -> None:
    """A wrong key or value is an error that says where and what."""
    with pytest.raises(ConfigError, match=message):
        _read(tmp_path, f"version: 1\ntables:\n  rowers:\n    spoken:\n      {wrong}\n")
