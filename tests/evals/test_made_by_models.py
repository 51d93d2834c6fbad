"""Evaluations tell how much of their outcome rests on what a model made, and can leave that out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_harbour import write_harbour

from imprimatur.evals.borne_out import Ground
from imprimatur.evals.made_by_models import has_any, without
from imprimatur.oracle import Oracle

Shell = Callable[..., Ran]

_MODEL = ":point :height 20 ; :keeper :jo ."
_ROWS = (
    {"id": "a", "text": "The height of Holm Light is 41.5 m.", "label": "supported"},
    {"id": "b", "text": "The height of Point Light is 20 m.", "label": "supported"},
    {"id": "c", "text": "The height of Point Light is 25 m.", "label": "contradicted"},
    {"id": "d", "text": "The keeper of Point Light is Jo Tarn.", "label": "not_found"},
)


@pytest.fixture
def kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The harbour with facts that a model made, a policy that trusts them, and labelled rows."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = write_harbour(tmp_path / "kb", model=_MODEL)
    (folder / "trusting.yaml").write_text("version: 1\ntrust: [curated, derived, model]\n", encoding="utf-8")
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in _ROWS), encoding="utf-8")
    return folder


def test_how_many_verdicts_rest_on_it(shell: Shell, kb: Path) -> None:
    """Where the policy trusts a model they are counted: also the false licence that comes of it."""
    run = ("eval", "claims", str(kb / "rows.jsonl"), "--kb", str(kb), "--policy", str(kb / "trusting.yaml"))
    ran = shell(*run)
    assert ran.status == 1
    assert "FALSE LICENCE  d" in ran.out
    assert "rested on model facts: 3 of 4" in ran.out
    assert json.loads(shell(*run, "--json").out)["rested_on_model_facts"]["count"] == 3


def test_left_out(shell: Shell, kb: Path) -> None:
    """With --without-model the outcome is that under a policy which trusts none, and nothing is counted."""
    run = ("eval", "claims", str(kb / "rows.jsonl"), "--kb", str(kb), "--json")
    plain = shell(*run)
    left_out = shell(*run, "--policy", str(kb / "trusting.yaml"), "--without-model")
    assert (plain.status, plain.out) == (0, left_out.out)
    assert "rested_on_model_facts" not in json.loads(plain.out)


def test_of_answers(shell: Shell, kb: Path) -> None:
    """Questions that are asked in several ways tell it of their answers too."""
    run = ("eval", "conditions", "made", "--kb", str(kb), "--how", "graph", "--most", "60")
    trusting = ("--policy", str(kb / "trusting.yaml"))
    told = json.loads(shell(*run, *trusting, "--json").out)["graph"]
    assert told["rested on model facts"]["count"] >= 1
    assert "rested on model facts" in shell(*run, *trusting).out
    bare = json.loads(shell(*run, *trusting, "--without-model", "--json").out)["graph"]
    assert "rested on model facts" not in bare
    assert bare["answered"]["count"] < told["answered"]["count"]


def test_what_a_model_made_bears_nothing_out(kb: Path) -> None:
    """The files that say whether something was made up are those of no model."""
    question = "What is the height of Point Light?"
    assert Ground(kb).unfounded("Point Light is 20 m high.", question) == ("20",)
    assert Ground(kb).unfounded("Point Light was built in 1860.", question) == ()


def test_without_any(kb: Path, tmp_path: Path) -> None:
    """An oracle whose policy trusts no model is the same without; one that has no such facts counts nothing."""
    strict = Oracle.from_folder(kb)
    assert without(strict) is strict
    trusting = {"version": 1, "trust": ["curated", "derived", "model"]}
    assert has_any(Oracle.from_folder(kb, policy=trusting))
    assert not has_any(Oracle.from_folder(write_harbour(tmp_path / "plain"), policy=trusting))
