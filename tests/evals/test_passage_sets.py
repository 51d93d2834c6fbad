"""Loaders of labelled sets: what they take, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_passage_sets import begin, factcheck, ragtruth, wice

from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import SETS, load

_PUBLISHED = Path(__file__).parent.parent.parent.parent / "shared" / "data"
#: Set, its folder there, and the numbers of rows and of labels that a full reading gives.
_FULL = {"ragtruth": "ragtruth", "begin": "begin-wow", "wice": "wice", "factcheck": "factcheck-bench"}


def test_ragtruth_gives_answers_with_their_spans(tmp_path: Path) -> None:
    """A question with its passages, a text and a record become context; spans cover the words that they name."""
    examples = load("ragtruth", ragtruth(tmp_path))
    tasks = {example.task: example for example in examples if example.gold == "unfounded"}
    assert set(tasks) == {"qa", "summary", "data2txt"}
    assert tasks["qa"].question == "how long is the Orla"
    assert json.loads(tasks["data2txt"].context[0])["name"] == "Mill Café"
    for example in tasks.values():
        assert all(example.text[start:end].strip() for start, end in example.spans)


def test_the_other_sets_are_read_with_their_labels(tmp_path: Path) -> None:
    """Every published label is kept as it is."""
    golds = {
        name: {example.gold for example in load(name, make(tmp_path / name))}
        for name, make in (("begin", begin), ("wice", wice), ("factcheck", factcheck))
    }
    assert golds["begin"] == {"Fully attributable", "Not fully attributable"}
    assert golds["wice"] == {"supported", "partially_supported", "not_supported"}
    assert golds["factcheck"] == {"completely-support", "refute", "irrelevant"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"labels": [{"start": 0, "end": 3, "text": "nothing"}]}, "do not cover"),
        ({"labels": "none"}, "must be a list"),
        ({"source_id": "99"}, "is not in"),
        ({"response": 5}, "must be a text"),
    ],
)
def test_a_row_that_is_not_as_published_is_named(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    """The file and the line are in the message."""
    folder = ragtruth(tmp_path)
    path = folder / "qa_responses.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    path.write_text(json.dumps(rows[0] | change) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=told) as caught:
        load("ragtruth", folder)
    assert str(caught.value).startswith(f"{path}:1")


def test_absent_files_foreign_text_and_unknown_names_are_told(tmp_path: Path) -> None:
    """No traceback: what, where, and how to mend it."""
    with pytest.raises(InputError) as caught:
        load("ragtrut", tmp_path)
    assert caught.value.hint == "did you mean 'ragtruth'?"
    with pytest.raises(InputError, match="no such folder"):
        load("wice", tmp_path / "none")
    with pytest.raises(InputError, match="no claim_dev"):
        load("wice", tmp_path)
    (tmp_path / "claim_dev.jsonl").write_text("{]", encoding="utf-8")
    with pytest.raises(InputError, match="not a line of JSON"):
        load("wice", tmp_path)
    (tmp_path / "begin_dev_wow.tsv").write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match="columns must be"):
        load("begin", tmp_path)


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_published_files_are_read(name: str) -> None:
    """Where the published files are at hand: all rows, ids unique, every label known."""
    folder = _PUBLISHED / _FULL[name]
    if not folder.is_dir():
        pytest.skip(f"the files of {name} may not be redistributed: put them into {folder}")
    examples = load(name, folder)
    assert len(examples) > 300
    assert len({example.id for example in examples}) == len(examples)
    assert any(example.gold in SETS[name].good for example in examples)
    assert any(example.gold not in SETS[name].good for example in examples)
