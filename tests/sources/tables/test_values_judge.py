"""Tables that values of running text are held against, in the five stages."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import pytest
from made_quiz import TRUE, quiz

from imprimatur.errors import ConfigError
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.segment import segment
from imprimatur.sources.tables.values.judge import Values, ValueSource
from imprimatur.verdict import Label

_TABLES = "".join(
    f"  - {{file: {name}.csv, values: true, described: words.yaml}}\n" for name in ("matches", "schools", "pupils")
)


def _oracle(folder: Path, tables: str = _TABLES, policy: str = "annotate") -> Oracle:
    quiz(folder)
    (folder / "imprimatur.yaml").write_text(f"version: 1\npolicy: {policy}\ntables:\n{tables}", encoding="utf-8")
    return Oracle.from_folder(folder)


def _told(report: Report, text: str) -> list[tuple[str, str]]:
    """What is said to be wrong; that a row has no cell for something is another matter (``attributes``)."""
    findings = [f for s in report.segments for c in s.claims for f in c.verdict.findings]
    return [(text[f.start : f.end], f.detail) for f in findings if f.detail != "in no cell"]


def test_wrong_values_are_contradicted_with_what_is_right(tmp_path: Path) -> None:
    """A wrong number and a wrong name are findings with their spans, and evidence with a SELECT that was run."""
    text = "Mara Lind paced Corden on Saturday. Tom Reed chipped in with 21 points on 7-of-11 answers."
    report = _oracle(tmp_path).check(text)
    assert [each.label for each in report.segments] == [Label.CONTRADICTED, Label.CONTRADICTED]
    assert _told(report, text) == [
        ("Corden", "right would be Ashby School"),
        ("21", "points: right would be 19"),
    ]
    evidence = report.segments[1].claims[-1].verdict.evidence[0]
    assert (evidence.kind, evidence.origin) == ("row", "pupils.csv, line 3")
    assert evidence.content.startswith("pupils: name = Tom Reed; points = 19")
    assert evidence.query.startswith('SELECT "name", "points"')


def test_values_that_agree_license_nothing(tmp_path: Path) -> None:
    """A sentence whose values all agree is not licensed by that: the words between them are not read."""
    report = _oracle(tmp_path).check("Tom Reed chipped in with 19 points while the hall was booing at the referee.")
    assert [each.label for each in report.segments] == [Label.NOT_FOUND]
    assert _told(report, "") == []


def test_without_the_setting_no_value_is_looked_at(tmp_path: Path) -> None:
    """Tables whose entry does not say so contradict no values."""
    tables = _TABLES.replace("values: true", "values: false")
    text = "Mara Lind paced Corden on Saturday."
    assert [each.label for each in _oracle(tmp_path, tables).check(text).segments] == [Label.NOT_FOUND]


def test_pronouns_reach_back_over_segments(tmp_path: Path) -> None:
    """The source hears the whole answer: a later sentence's pronoun stands for an earlier one's name."""
    text = "Karl Benn chipped in with 14 points. He also chipped in with four buzzes."
    assert _told(_oracle(tmp_path).check(text), text) == [("four", "buzzes: right would be 3")]


def test_a_copy_hears_for_itself(tmp_path: Path) -> None:
    """What a copy of the source hears leaves the source as it was."""
    oracle = _oracle(tmp_path)
    values = oracle.knowledge.text.values
    assert values is not None
    source = ValueSource(values)
    text = "Karl Benn had 14 points. Mara Lind had 31 points. She had nine buzzes."
    parts = segment(text)
    source.hear(text, parts[:1])
    other = copy(source)
    other.hear(text, parts)
    source.hear(text, parts)
    assert source._found == other._found


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_streamed_answer_is_judged_the_same(tmp_path: Path, size: int) -> None:
    """However an answer is cut into chunks, the same values are contradicted."""
    oracle = _oracle(tmp_path)
    text = TRUE.replace("19 points", "21 points").replace("It was a 14-point win. ", "")
    stream = oracle.stream(text[at : at + size] for at in range(0, len(text), size))
    shown = "".join(stream)
    assert _told(stream.report, text) == _told(oracle.check(text), text) == [("21", "points: right would be 19")]
    assert shown


def test_the_setting_must_be_yes_or_no(tmp_path: Path) -> None:
    """A setting that is no truth value is an error that names it."""
    with pytest.raises(ConfigError, match=r"tables\[0\]\.values"):
        _oracle(tmp_path, "  - {file: pupils.csv, values: maybe, described: words.yaml}\n")


def test_what_is_held_against_is_hashed(tmp_path: Path) -> None:
    """The hash of the knowledge base knows whether values are held against tables."""
    with_values = _oracle(tmp_path).knowledge.text
    assert isinstance(with_values.values, Values)
    assert "values" in with_values.content_hash
    without = _oracle(tmp_path, _TABLES.replace("values: true", "values: false")).knowledge.text
    assert without.empty
