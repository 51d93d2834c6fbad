"""Each evaluation writes what it found as an outcome: read back, made into a page, and the same when run again."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.cli.main import run
from imprimatur.evals.outcome import Outcome
from imprimatur.evals.pages.markdown import markdown
from imprimatur.evals.pages.page import page

_TRUE = ("The Fresno River is 83 miles long.", "The Levisa Fork is 164 miles long.", "Whiteoak Run is 6.15 km long.")
_ROWS = [
    *({"id": f"t{n}", "text": text, "label": "supported"} for n, text in enumerate(_TRUE)),
    {"id": "f1", "text": "The Fresno River is 84 miles long.", "label": "contradicted"},
    {"id": "f2", "text": "The Fresno River is blue.", "label": "supported"},
]


def _claims(folder: Path) -> list[str]:
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in _ROWS), encoding="utf-8")
    return [str(file), "--kb", "rivers"]


def _facts(folder: Path) -> list[str]:
    file = folder / "facts.txt"
    lines = (
        "brook-1 = Elm Brook is 12 km long.\n+ same | Elm Brook is 12 km long.\n- number | Elm Brook is 13 km long.\n"
    )
    file.write_text(lines, encoding="utf-8")
    return ["--facts", str(file)]


def _changed(folder: Path) -> list[str]:
    file = folder / "changed.jsonl"
    false = [{"kind": "number", "claim": "Elm Brook is 13 km long."}]
    row = {"id": "a", "text": "Elm Brook is 12 km long.", "true": ["Elm Brook is 12 km long."], "false": false}
    file.write_text(json.dumps(row), encoding="utf-8")
    return [str(file)]


def _wrong(folder: Path) -> list[str]:
    file = folder / "wrong.jsonl"
    text = "The Fresno River is 84 miles long."
    file.write_text(json.dumps({"id": "1", "text": text, "wrong": [[20, 22]]}), encoding="utf-8")
    return [str(file), "--kb", "rivers"]


def _texts(folder: Path) -> list[str]:
    file = folder / "texts.jsonl"
    passage = "Elm Brook is 12 km long. It rises near Ashby."
    rows = [
        {"id": f"{n}{label}", "text": text, "context": [passage], "label": label}
        for n in range(30)
        for text, label in ((f"Elm Brook has {n + 40} mills.", "not_found"), ("Elm Brook is 12 km long.", "supported"))
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [str(file), "--out", str(folder / "weights.json"), "--risk", "0.3"]


def _gate(folder: Path) -> list[str]:
    file = folder / "questions.jsonl"
    rows = [
        {"question": question, "supported": supported}
        for n in range(20)
        for question, supported in (
            ("How long is the Fresno River?", True),
            (f"Who painted the room {n} of Elm House?", False),
        )
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [str(file), "--kb", "rivers", "--risk", "0.3"]


def _set(*words: str) -> Callable[[Path], list[str]]:
    return lambda folder: list(words)


@pytest.mark.parametrize(
    ("name", "make", "option"),
    [
        ("claims", _claims, "--out"),
        ("fence", _facts, "--out"),
        ("mutants", lambda folder: [*_claims(folder), "--most", "2", "--each", "3"], "--out"),
        ("restoring", lambda folder: [*_claims(folder), "--most", "2"], "--out"),
        ("retrofit", lambda folder: [*_claims(folder), "--most", "2"], "--out"),
        ("changes", _changed, "--out"),
        ("repairs", _wrong, "--out"),
        ("hops", _set("--kb", "rivers", "--most", "3"), "--out"),
        ("retrieval", _set("chains", "--most", "3", "--unsupported", "3"), "--outcome"),
        ("risk-coverage", _set("made", "--most", "3", "--unsupported", "3"), "--outcome"),
        ("calibrate", _texts, "--outcome"),
        ("calibrate-gate", _gate, "--outcome"),
    ],
)
def test_an_evaluation_writes_its_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, make: Callable[[Path], list[str]], option: str
) -> None:
    """It has tables, sources, versions and a command without a folder of the machine, and makes page and Markdown."""
    out = tmp_path / "outcome.json"
    arguments = ["eval", name, *make(tmp_path)]
    plain = run(arguments)
    printed = capsys.readouterr().out
    assert run([*arguments, option, str(out)]) == plain
    assert capsys.readouterr().out == printed
    found = Outcome.from_dict(json.loads(out.read_text(encoding="utf-8")))
    assert found.tables
    assert found.tables[0].rows
    assert found.sources
    assert all(len(value) >= 16 for value in found.sources.values())
    assert found.versions["imprimatur"]
    assert found.command.startswith(f"imprimatur eval {name}")
    assert str(tmp_path) not in out.read_text(encoding="utf-8")
    assert escape(found.title) in page((found,), "x")
    assert markdown((found,), "x")


def test_a_false_licence_is_a_grave_case(tmp_path: Path, shell: Callable[..., Ran], oracle: object) -> None:
    """What was licensed and must not have been is a case that makes the outcome grave."""
    file, out = tmp_path / "rows.jsonl", tmp_path / "outcome.json"
    row = {"id": "b", "answer": "supported two", "label": ["contradicted", "not_found"]}
    file.write_text(json.dumps(row), encoding="utf-8")
    assert shell("eval", "claims", str(file), "--kb", "rivers", "--out", str(out)).status == 1
    found = Outcome.from_dict(json.loads(out.read_text(encoding="utf-8")))
    assert found.status == 1
    assert found.cases[0].kind == "false licence"
    assert found.rows[0].right is False
