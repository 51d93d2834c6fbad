"""`imprimatur eval extraction`: the shipped sample, gold of several forms, an extractor beside, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from small_kb import write_kb

from imprimatur.errors import InputError
from imprimatur.evals.gold_sets import SAMPLE, read_sets
from imprimatur.evals.interventions import segments_of
from imprimatur.evals.outcome import Outcome
from imprimatur.testing import ScriptedServer, say_json, when

Shell = Callable[..., Ran]

_B = "https://example.org/brooks/"


def row(id: str, text: str, label: str, *triple: str) -> dict[str, Any]:
    """A row as `eval mine --write` writes it."""
    return {"id": id, "text": text, "label": [label], "triple": list(triple)}


_ROWS = [
    row("1", "Elm Brook flows through Bree.", "supported", f"<{_B}elm>", f"<{_B}flowsThrough>", f"<{_B}bree>"),
    row(
        "2",
        "Elm Brook is 12 km long.",
        "supported",
        f"<{_B}elm>",
        f"<{_B}length>",
        '"12000"^^<http://www.w3.org/2001/XMLSchema#integer>',
    ),
    row("3", "Elm Brook bewitched Arden.", "supported", f"<{_B}elm>", f"<{_B}flowsThrough>", f"<{_B}arden>"),
    row("4", "Elm Brook flows through Corfe.", "not_found", f"<{_B}elm>", f"<{_B}flowsThrough>", f"<{_B}corfe>"),
]


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A file of rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def table(outcome: dict[str, Any], title: str) -> list[Any]:
    """The rows of a table of an outcome."""
    return next(each["rows"] for each in outcome["tables"] if each["title"] == title)


def test_the_shipped_sample_needs_nothing(shell: Shell) -> None:
    """Without a file and without a model the sample is read, with both tables and the note on its gold."""
    ran = shell("eval", "extraction", "--most", "12")
    assert ran.status == 0
    for title in ("Triples by extractor", "By relation: reader", "Error budget", "As one stage after the other"):
        assert title in ran.out
    assert "not all that it says" in ran.out
    assert SAMPLE.stat().st_size < 100_000
    assert "CC BY-SA 4.0" in (SAMPLE.parent / "ATTRIBUTION.md").read_text(encoding="utf-8")


def test_mined_rows_by_the_reader(shell: Shell, tmp_path: Path) -> None:
    """The third true triple is lost at its relation; the false one is read, and not licensed."""
    kb, rows = write_kb(tmp_path / "kb"), written(tmp_path / "rows.jsonl", _ROWS)
    out = tmp_path / "out.json"
    ran = shell("eval", "extraction", str(rows), "--kb", str(kb), "--json", "--out", str(out))
    assert ran.status == 0
    told = json.loads(ran.out)
    assert Outcome.from_dict(json.loads(out.read_text(encoding="utf-8"))).to_dict() == told
    line = table(told, "Triples by extractor")[0]
    assert line[2:4] == [4, 3]
    assert [(each["count"], each["total"]) for each in line[4:6]] == [(3, 3), (3, 4)]
    stages = {each[0]: each[1] for each in table(told, "Error budget")}
    assert stages == {"relation": 1, "all": 1}
    fates = table(told, "Gold claims from end to end")[0]
    assert [(each["count"], each["total"]) for each in fates[1:]] == [(2, 3), (0, 1)]
    assert [each["kind"] for each in told["cases"]] == ["lost: relation"]


def test_a_model_beside_the_reader(shell: Shell, tmp_path: Path) -> None:
    """What a model proposes is read alone, and what the reader finds counts as far as it is confirmed."""
    kb, rows = write_kb(tmp_path / "kb"), written(tmp_path / "rows.jsonl", _ROWS[:2])
    said = {"claims": [{"quote": "Elm Brook flows through Bree.", "says": "Elm Brook flows through Bree."}]}
    with ScriptedServer([when("Bree", say_json(said)), when("", say_json({"claims": []}))]) as server:
        options = ("--extractor", "reader", "--extractor", "llm", "--base-url", server.url, "--model", "tiny")
        ran = shell("eval", "extraction", str(rows), "--kb", str(kb), *options, "--no-budget", "--json")
    assert ran.status == 0
    lines = table(json.loads(ran.out), "Triples by extractor")
    assert [(each[1], each[5]["count"]) for each in lines] == [("reader", 2), ("llm alone", 1), ("reader + llm", 1)]


def test_what_is_licensed_falsely_is_grave(shell: Shell, tmp_path: Path) -> None:
    """A row that calls false what the graph states ends with status 1, and is shown."""
    kb = write_kb(tmp_path / "kb")
    rows = written(tmp_path / "rows.jsonl", [{**_ROWS[0], "label": ["not_found"]}])
    ran = shell("eval", "extraction", str(rows), "--kb", str(kb))
    assert ran.status == 1
    assert "FALSE LICENCE" in ran.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no row"),
        ("nonsense\n", "not a line of JSON"),
        ('{"id": "1", "text": "x"}\n', "no row with gold claims"),
        ('{"id": "1", "text": "x", "label": "supported", "triple": ["<a>", "b c", "<d>"]}\n', "not as the first one"),
        ('{"id": "1", "text": "x", "label": "supported", "triple": ["<a>", "<b>", "<d>"]}\n', "knowledge base"),
    ],
)
def test_bad_gold_is_told(text: str, said: str, tmp_path: Path) -> None:
    """Every mistake in a file is an error that says what is wrong, before anything is judged."""
    path = tmp_path / "rows.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_sets(path, {}, tmp_path)


def test_answers_and_paraphrases(tmp_path: Path) -> None:
    """Claims of an answer have their own words; a twin has no triple; a life's years are the person's own."""
    said = {"subject": "Ann Vane__lifespan", "property": "wm:start", "value": "1850"}
    claim = {"start": 9, "end": 21, "statement": said, "gold": "supported", "triples": []}
    segment = {"start": 0, "end": 21, "claims": [claim, {**claim, "gold": "not_a_claim"}]}
    answer = {
        "id": "a",
        "domain": "philosophers",
        "answer": "Ann Vane, born 1850.",
        "segments": [segment],
        "question": "?",
    }
    fact = {
        "s": "http://e/s",
        "p": "http://e/p",
        "o": {"value": "5", "datatype": "http://e/t"},
        "from": "2001",
        "to": "2002",
    }
    paraphrase = {"id": "p", "domain": "x", "text": "It is 5.", "fact": fact, "twin": {"text": "It is 6."}}
    (one,) = read_sets(written(tmp_path / "a.jsonl", [answer]), {"": "kb"}, tmp_path)
    (made,) = one.texts[0].claims
    assert made.triple is not None
    assert (made.triple[1].rpartition("#")[2], made.start, one.texts[0].told) == ("birthYear", 9, True)
    (two,) = read_sets(written(tmp_path / "p.jsonl", [paraphrase]), {"x": "kb"}, tmp_path)
    assert [claim.true for text in two.texts for claim in text.claims] == [True, False]
    assert two.texts[0].claims[0].when == ("2001", "2002")
    assert segments_of(two.texts[0]) is None
