"""Comparing conditions: what is right, what is counted, recordings, and the command."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_asking import Fixed
from small_kb import write_kb

from imprimatur.answer import Message
from imprimatur.errors import InputError, ModelFailed
from imprimatur.evals.conditions import Settings, compare, run
from imprimatur.evals.metered import Metered
from imprimatur.evals.posed import Draw, Posed, PosedSet, is_right, open_set, states
from imprimatur.generate import AskSettings
from imprimatur.models.asking import Completion, Prompt, Usage
from imprimatur.oracle import Oracle
from imprimatur.testing import ScriptedServer, when

LENGTHS = ("12 km", "13 km", "14 km", "15 km", "16 km")
TOWNS = ("Arden", "Corfe", "Oakham", "Wells", "Diss")


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph about brooks and towns."""
    return write_kb(tmp_path_factory.mktemp("kb"))


@pytest.fixture(scope="module")
def brooks(kb: Path) -> Oracle:
    """Its oracle."""
    return Oracle.from_folder(kb)


def _rows(path: Path) -> Path:
    head = ["river_name", "question_id", "question", *(f"answer_{n}" for n in range(1, 6)), "correct_answer_index"]
    rows = [
        ["Elm Brook", "1", "How long is Elm Brook?", *LENGTHS, "0"],
        ["Elm Brook", "2", "Which brook does Elm Brook flow into?", "Oak Brook", *TOWNS[1:], "0"],
        ["Elm Brook", "3", "Who painted Elm Brook?", "Bob", *TOWNS[1:], "0"],
    ]
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([head, *rows])
    return path


@pytest.mark.parametrize(
    ("text", "right", "options", "is_it"),
    [
        ("Elm Brook is 12 km long.", "12 km", LENGTHS, True),
        ("Elm Brook is 7.46 mi long.", "12 km", LENGTHS, True),
        ("It is 12 km long. It is also 13 km long.", "12 km", LENGTHS, False),
        ("Elm Brook is 13 km long.", "12 km", LENGTHS, False),
        ("It flows through Arden.", "Arden", TOWNS, True),
        ("It flows through Arden and Corfe.", "Arden", TOWNS, False),
        ("It flows through Ardenham.", "Arden", TOWNS, False),
        ("It is a tributary of Deep Creek.", "Deep Creek", ("Deep Creek", "North Deep Creek", "Mill Branch"), True),
        ("North Deep Creek.", "Deep Creek", ("Deep Creek", "North Deep Creek"), False),
        ("It is 2,000 mi².", "2,000 sq mi", ("2,000 sq mi", "2,000 km2"), True),
        ("It is 27 km.", "27.0 km", ("27.0 km", "27.5 km"), True),
        ("", "Arden", TOWNS, False),
    ],
)
def test_what_is_right(brooks: Oracle, text: str, right: str, options: tuple[str, ...], is_it: bool) -> None:
    """The right value and no other option, numbers by the number rules, names as whole words."""
    posed = Posed(id="1", text="What of Mill Brook?", right=(right,), options=options)
    assert is_right(text, posed, brooks) is is_it


def test_options_in_the_question_do_not_count(brooks: Oracle) -> None:
    """A name that was asked about may be repeated."""
    posed = Posed(id="1", text="What is the Little Fox River a tributary of?", right=("Fox River",))
    assert is_right("The Little Fox River is a tributary of Fox River.", posed, brooks)
    assert states("the fox river", "The Fox River", brooks)


def test_every_way_is_counted(kb: Path, brooks: Oracle) -> None:
    """Answered, right, wrong, abstained and unfounded, with what the model used; the parts make the whole."""
    posed = PosedSet(
        oracle=brooks,
        folder=str(kb),
        of=2,
        questions=(
            Posed(id="1", text="How long is Elm Brook?", right=("12 km",), options=LENGTHS),
            Posed(id="2", text="How long is Oak Brook?", right=("30 km",)),
            Posed(id="3", text="Who painted Elm Brook?"),
        ),
    )
    said = Fixed(*["Elm Brook is 12 km long.", "Oak Brook is 31 km long.", "Bob."] * 2)
    settings = Settings(hows=("plain", "oracle", "graph"), model=lambda: said)
    found = {how: tally.shares() for how, tally in compare(posed, settings).items()}
    counts = {how: [shares[kind].count for kind in list(shares)[:5]] for how, shares in found.items()}
    assert counts == {"plain": [3, 1, 2, 0, 2], "oracle": [1, 1, 0, 2, 0], "graph": [2, 2, 0, 1, 0]}
    assert found["plain"]["false answers on what is not entailed"].count == 1
    assert (found["oracle"]["abstention precision"].count, found["oracle"]["abstention precision"].total) == (1, 2)
    assert found["oracle"]["licensed answer accuracy"].total == 1
    for shares in found.values():
        assert shares["answered"].count == shares["right"].count + shares["wrong"].count
        assert shares["answered"].count + shares["abstained"].count == 3


def test_a_meter_counts_calls_that_fail_too() -> None:
    """Tokens as the model tells them, else by length; reading sets it back."""
    prompt = Prompt(messages=(Message("user", "x" * 40),))
    metered = Metered(Fixed("y" * 40, Completion(text="z", usage=Usage(5, 6)), ModelFailed("gone")))
    metered.complete(prompt)
    metered.complete(prompt)
    with pytest.raises(ModelFailed):
        metered.complete(prompt)
    assert (metered.used.calls, metered.used.tokens) == (3, 20 + 11)
    assert metered.reset().calls == 3
    assert metered.used.calls == 0


def test_the_command_compares_and_replays(kb: Path, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Recorded answers give the same figures without the server; what is printed names every way."""
    rows, kept = _rows(tmp_path / "rows.csv"), tmp_path / "kept.jsonl"
    asked = ("eval", "conditions", "rivers", str(rows), "--kb", str(kb), "--unsupported", "3")
    ways = [word for how in ("graph", "plain", "qkr", "oracle") for word in ("--how", how)]
    with ScriptedServer([when("How long is", "Elm Brook is 12 km long."), when("", "I don't know.")]) as server:
        named = ("--base-url", server.url, "--model", "m", "--record", str(kept))
        ran = shell(*asked, *ways, *named, "--answers")
    assert ran.status == 0, ran.err
    assert ran.out.startswith("2 of 2 questions whose fact is in the graph, 3 without")
    assert "oracle right  How long is Elm Brook?  Elm Brook is 12 km long." in ran.out
    again = shell(*asked, *ways, "--replay", str(kept), "--json")
    told = json.loads(again.out)
    assert set(told) == {"graph", "plain", "qkr", "oracle"}
    assert (told["oracle"]["right"]["count"], told["oracle"]["wrong"]["count"]) == (1, 0)
    assert "cost" not in again.out + ran.out
    priced = json.loads(shell(*asked, *ways, "--replay", str(kept), "--json", "--price", "1/1").out)
    for how, each in priced.items():
        assert each["cost"] == pytest.approx(told[how]["tokens"] / 1e6)
        assert each["cost each"] == pytest.approx(each["cost"] / 5)
    assert "for each question" in shell(*asked, *ways, "--replay", str(kept), "--price", "1/1").out
    assert (told["graph"]["right"]["count"], told["graph"]["calls"]) == (2, 0)
    assert told["oracle"]["calls"] == 2
    without = shell(*asked, "--how", "plain")
    assert (without.status, "base_url" in without.err) == (2, True)


def test_a_set_of_relations_is_asked(tmp_path: Path) -> None:
    """Of a knowledge base made of the rows; other names of an answer are right too."""
    rows = tmp_path / "rows.jsonl"
    row = {"input": "Elm Bridge [SEP] crosses", "topic_entity": {"Q1": "Elm Bridge"}, "answer": "Elm Brook"}
    rows.write_text(json.dumps({**row, "alias": ["the Elm"]}), encoding="utf-8")
    posed = open_set("relations", [rows], "", folder=tmp_path / "kb", draw=Draw(most=5))
    (question,) = posed.questions
    assert (question.right, len(question.gold)) == (("Elm Brook", "the Elm"), 1)
    assert is_right("It crosses the Elm.", question, posed.oracle)


def test_mistakes_are_told(kb: Path, tmp_path: Path) -> None:
    """No model for conditions that need one; a set without questions."""
    with pytest.raises(InputError, match="a model is needed"):
        run("rivers", (_rows(tmp_path / "rows.csv"),), Settings(kb=str(kb), hows=("plain",)))
    with pytest.raises(InputError, match="one file"):
        open_set("rivers", [], str(kb), folder=tmp_path, draw=Draw())
    assert AskSettings().tokens is None
