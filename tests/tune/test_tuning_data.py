"""Rows to train on: what they teach, which are held out, and that they are read as they were written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.errors import InputError
from imprimatur.evals.posed import Draw, open_set, states
from imprimatur.generate.conditions import CONDITIONS, How
from imprimatur.generate.drafts import prompt_for, says_nothing
from imprimatur.oracle import Oracle
from imprimatur.testing import ScriptedServer, say
from imprimatur.tune.building import build
from imprimatur.tune.posing import Amount, Parts, is_held_out, pose
from imprimatur.tune.recipes import DONT_KNOW, Kind
from imprimatur.tune.rows import Row, heldout_file, read_rows, write_rows

Shell = Callable[..., Ran]
AMOUNT = Amount(train=40, heldout=10, unsupported=9, heldout_unsupported=6)


@pytest.fixture(scope="module")
def parts() -> Parts:
    """Questions of the bundled rivers."""
    return pose(Oracle.from_folder("rivers"), AMOUNT)


def test_no_thing_is_in_both_parts(parts: Parts) -> None:
    """What is held out is about held-out things; what is trained on is about others, and tells none of its facts."""
    for each in parts.heldout:
        assert each.right == () or is_held_out(each.about[0], AMOUNT.share)
    trained = {each.about[0] for each in parts.train if each.right}
    assert not any(is_held_out(iri, AMOUNT.share) for iri in trained)
    assert not trained & {iri for each in parts.heldout for iri in each.about[:1]}
    facts = {frozenset(each.about) for each in parts.heldout if each.right and len(each.about) > 1}
    assert not facts & {frozenset(each.about) for each in parts.train}
    counts = [(sum(bool(each.right) for each in part), len(part)) for part in (parts.train, parts.heldout)]
    assert counts == [(40, 49), (10, 16)]


def test_a_graph_whose_things_have_several_values() -> None:
    """Questions are made in the words of its labels; each value is right, and the answer tells them all."""
    oracle = Oracle.from_folder("philosophers")
    parts = pose(oracle, Amount(train=12, heldout=5))
    assert (len(parts.train), len(parts.heldout)) == (12, 5)
    assert any(len(each.right) > 1 for each in parts.train)
    built = build(Kind.FACTUAL, parts, oracle, model=None, settings=None)
    for row in built.train:
        assert row.answer.removesuffix(".") == ", ".join(row.right).removesuffix(".")
    held = {frozenset(gold.split()[::2][:2]) for each in parts.heldout for gold in each.gold}
    assert not held & {frozenset(gold.split()[::2][:2]) for each in parts.train for gold in each.gold}


def test_no_question_tells_its_answer(parts: Parts) -> None:
    """What "Mill Creek (Lake Erie)" flows into could be had from its name alone."""
    oracle = Oracle.from_folder("rivers")
    for each in (*parts.train, *parts.heldout):
        assert not any(states(each.text, value, oracle) for value in each.right)


def test_the_same_seed_gives_the_same_questions(parts: Parts) -> None:
    """Another gives others."""
    oracle = Oracle.from_folder("rivers")
    assert pose(oracle, AMOUNT) == parts
    assert pose(oracle, Amount(train=40, heldout=10, seed=2)).train != parts.train[:40]


def test_factual_rows_answer_what_the_condition_plain_asks(shell: Shell, tmp_path: Path) -> None:
    """The messages are those of the condition, and the answer is the right value; the same bytes each time."""
    file = tmp_path / "rows.jsonl"
    options = ("--kb", "rivers", "--recipe", "factual", "--most", "20", "--held-out", "5")
    assert shell("tune", "data", *options, "--out", str(file)).status == 0
    before = file.read_bytes()
    rows = read_rows(file)
    assert len(rows) == 20
    for row in rows:
        assert row.asked == prompt_for(row.question, CONDITIONS[How.PLAIN], None).messages
        assert row.answer.removesuffix(".") == row.right[0].removesuffix(".")
    held = read_rows(heldout_file(file))
    assert ({row.part for row in rows}, {row.part for row in held}) == ({"train"}, {"heldout"})
    assert shell("tune", "data", *options, "--out", str(file)).status == 0
    assert file.read_bytes() == before


def test_abstention_rows_keep_what_the_model_knows(shell: Shell, tmp_path: Path) -> None:
    """A right answer stays the right value; a wrong one becomes that it is not known; the model's own is kept."""
    known = tmp_path / "factual.jsonl"
    options = ("--kb", "rivers", "--most", "3", "--held-out", "2", "--unsupported", "3")
    assert shell("tune", "data", *options, "--recipe", "factual", "--out", str(known)).status == 0
    rows = read_rows(known)
    file = tmp_path / "abstention.jsonl"
    script = [say(f"It is {rows[0].right[0]}."), say("It is Nowhere Brook."), say("I don't know.")]
    with ScriptedServer(script) as server:
        named = ("--base-url", server.url, "--model", "tiny", "--record", str(tmp_path / "own.jsonl"))
        ran = shell("tune", "data", *options, "--recipe", "abstention", "--out", str(file), *named, "--json")
    assert json.loads(ran.out)["known before"] == 1
    made = read_rows(file)
    assert [row.answer for row in made[:3]] == [rows[0].answer, DONT_KNOW, DONT_KNOW]
    assert [row.own is not None and row.own.answer for row in made[:3]] == [
        f"It is {rows[0].right[0]}.",
        "It is Nowhere Brook.",
        "",
    ]
    assert [(row.answer, row.own, row.right) for row in made[3:]] == [(DONT_KNOW, None, ())] * 3
    before = file.read_bytes()
    replayed = ("--replay", str(tmp_path / "own.jsonl"))
    assert shell("tune", "data", *options, "--recipe", "abstention", "--out", str(file), *replayed).status == 0
    assert file.read_bytes() == before


def test_what_abstains_is_no_answer() -> None:
    """The words that are taught are understood as a refusal by what asks."""
    assert says_nothing(DONT_KNOW)


def test_abstention_needs_the_model(shell: Shell, tmp_path: Path) -> None:
    """A mistake of the caller, with how to mend it; nothing is written. A factual recipe asks none."""
    file = tmp_path / "rows.jsonl"
    ran = shell("tune", "data", "--kb", "rivers", "--recipe", "abstention", "--most", "3", "--out", str(file))
    assert (ran.status, "a model is needed" in ran.err, file.exists()) == (2, True, False)
    options = ("--kb", "rivers", "--recipe", "factual", "--record", str(tmp_path / "x"), "--out", str(file))
    assert "no model is asked" in shell("tune", "data", *options).err


def test_held_out_rows_are_a_set_of_questions(tmp_path: Path, parts: Parts) -> None:
    """They can be asked by `eval conditions posed`; those without right values are without support."""
    file = tmp_path / "rows.jsonl"
    rows = [
        {"id": each.id, "question": each.text, "right": list(each.right), "gold": list(each.gold)}
        for each in parts.heldout
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    posed = open_set("posed", [file], "rivers", folder=tmp_path, draw=Draw(most=100))
    assert sorted(each.id for each in posed.questions) == sorted(each.id for each in parts.heldout)
    assert sum(each.supported for each in posed.questions) == 10
    file.write_text('{"question": "Where?", "right": "here"}\n')
    with pytest.raises(InputError, match="no question with its answers") as caught:
        open_set("posed", [file], "rivers", folder=tmp_path, draw=Draw())
    assert caught.value.where.endswith("rows.jsonl:1")


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    """And bare messages, as other tools write them, are rows too."""
    file = tmp_path / "rows.jsonl"
    file.write_text('{"messages": [{"role": "user", "content": "é?"}, {"role": "assistant", "content": "ö"}]}\n\n')
    rows = read_rows(file)
    assert (rows[0].asked[0].content, rows[0].answer, rows[0].part) == ("é?", "ö", "train")
    write_rows(file, rows)
    assert read_rows(file) == rows


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        '{"messages": []}',
        '{"messages": [{"role": "user", "content": "a"}]}',
        '{"messages": [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}]}',
        '{"messages": [{"role": "root", "content": "a"}, {"role": "assistant", "content": "b"}]}',
        '{"messages": [{"role": "user", "content": 3}, {"role": "assistant", "content": "b"}]}',
        '{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": " "}]}',
        '{"messages": 7}',
        "[" * 100_000,
    ],
)
def test_what_is_no_row_is_told(line: str, tmp_path: Path) -> None:
    """With its line, and never by a traceback."""
    file = tmp_path / "rows.jsonl"
    file.write_text('{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}\n' + line)
    with pytest.raises(InputError) as caught:
        read_rows(file)
    assert caught.value.where == f"{file}:2"
    assert caught.value.hint


def test_an_empty_or_absent_file_is_told(tmp_path: Path) -> None:
    """An empty file has no rows; one that is not there cannot be read."""
    (tmp_path / "empty.jsonl").write_text("\n")
    for name in ("empty.jsonl", "absent.jsonl"):
        with pytest.raises(InputError):
            read_rows(tmp_path / name)
    assert Row(id="1", messages=()).part == "train"
