"""The command that judges labelled sets: its figures, beside baselines, on made-up samples."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_passage_sets import begin, factcheck, ragtruth, wice

from imprimatur.evals.passage_baselines import length, overlap, task_and_length
from imprimatur.evals.passage_judging import judge
from imprimatur.evals.passage_sets import load


def test_ragtruth_is_judged_with_every_figure(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """All six answers are judged right; tasks, baselines and spans are told."""
    folder = ragtruth(tmp_path)
    ran = shell("eval", "passages", "ragtruth", str(folder), "--jobs", "1", "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert (told["parts"]["all"]["rows"], told["parts"]["all"]["unfounded"]) == (6, 3)
    assert told["parts"]["all"]["f1"] == 1.0
    assert told["parts"]["all"]["auroc"] == 1.0
    assert 0 < told["parts"]["all"]["span_f1"] <= 1
    assert set(told["baselines"]) == {"flag everything", "lexical overlap", "length", "task, then length"}
    assert told["baselines"]["flag everything"]["all"] == {"auroc": 0.5, "f1": pytest.approx(2 / 3)}


@pytest.mark.parametrize(("name", "make"), [("begin", begin), ("wice", wice), ("factcheck", factcheck)])
def test_classes_of_the_other_sets_are_told(
    tmp_path: Path, shell: Callable[..., Ran], name: str, make: Callable[[Path], Path]
) -> None:
    """Every gold class has its share judged right, and its balanced accuracy against the rest."""
    folder = make(tmp_path)
    ran = shell("eval", "passages", name, str(folder), "--jobs", "1", "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    golds = {example.gold for example in load(name, folder)}
    assert all(told["classes"][gold]["recall"] is not None for gold in golds)
    assert told["balanced_accuracy"] >= 0.5


def test_the_figures_are_printed_for_people(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """A table of parts, one of baselines, one of verdicts, and the speed."""
    ran = shell("eval", "passages", "wice", str(wice(tmp_path)), "--jobs", "1")
    assert ran.status == 0, ran.err
    for words in ("AUROC", "flag everything", "lexical overlap", "gold \\ verdict", "a second on one core"):
        assert words in ran.out


def test_a_wrong_folder_is_a_usage_error(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """What is missing is named; no traceback."""
    ran = shell("eval", "passages", "ragtruth", str(tmp_path))
    assert ran.status == 2
    assert "qa_sources.jsonl" in ran.err


def test_several_processes_judge_as_one_does(tmp_path: Path) -> None:
    """The outcomes are the same, in the same order; only the time differs."""
    examples = load("ragtruth", ragtruth(tmp_path))
    one = [(o.share, o.spans, o.verdict) for o in judge(examples, policy="annotate", jobs=1)]
    two = [(o.share, o.spans, o.verdict) for o in judge(examples, policy="annotate", jobs=2)]
    assert one == two


def test_baselines_look_at_words_and_length_only(tmp_path: Path) -> None:
    """What repeats the passages has no new words; task and length rank the tasks first."""
    examples = load("ragtruth", ragtruth(tmp_path))
    scores = dict(zip((example.id for example in examples), overlap(examples)))
    assert scores["qa-0"] == 0.0
    assert scores["qa-1"] > 0.3
    assert length(examples)[0] == len(examples[0].text)
    ranked = task_and_length(examples, [example.task == "summary" for example in examples])
    assert min(ranked[2:4]) > max(*ranked[:2], *ranked[4:])
