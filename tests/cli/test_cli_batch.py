"""`batch`: rows in, rows out, in order, whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.answer import MemoryEntry, Message
from imprimatur.cli.rows import parse_row, row_id
from imprimatur.errors import InputError
from imprimatur.ledger import Ledger
from imprimatur.tagged import TaggedClaim, joined, spans

Shell = Callable[..., Any]


def _rows(*rows: object) -> bytes:
    return b"".join(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.usefixtures("oracle")
def test_every_row_comes_out_in_order(shell: Shell, tmp_path: Path, jobs: str) -> None:
    """One line for each row, the same ids in the same order, with one process or several."""
    ids: list[str | int] = [number if number % 2 else f"r{number}" for number in range(150)]
    (tmp_path / "in").write_bytes(_rows(*({"id": name, "answer": f"supported {name}"} for name in ids)))
    ran = shell("batch", str(tmp_path / "in"), str(tmp_path / "out"), "--no-ledger", "--jobs", jobs)
    made = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()]
    assert (ran.status, ran.err) == (0, "")
    assert [row["id"] for row in made] == ids
    assert [row["report"]["text"] for row in made] == [f"supported {name}" for name in ids]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.usefixtures("oracle")
def test_bad_rows_do_not_stop_the_others(shell: Shell, tmp_path: Path, jobs: str) -> None:
    """A row that cannot be read or judged gets its error line; the worst of them gives the exit status."""
    rows = _rows({"id": 1, "answer": "supported"}, b"{oops\n", b"\n", {"id": "x"}, {"id": 2, "answer": "crash"})
    ran = shell("batch", "-", str(tmp_path / "out"), "--no-ledger", "--jobs", jobs, stdin=rows)
    made = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()]
    assert ran.status == 3
    assert [(row["id"], "report" in row) for row in made] == [(1, True), (None, False), ("x", False), (2, False)]
    assert made[1]["error"].startswith("line 2: not a line of JSON")
    assert made[2]["error"] == "line 4: give either `answer` or `claims`"
    assert "ZeroDivisionError" in made[3]["error"]
    ran = shell("batch", "-", "-", "--no-ledger", stdin=_rows({"id": 1}, {"id": 2, "answer": "contradicted"}))
    assert (ran.status, len(ran.out.splitlines())) == (2, 2)
    assert "some rows" in ran.err


def test_all_parts_of_a_row_reach_the_oracle(shell: Shell, oracle: Any) -> None:
    """Question, dialogue, passages, memory and tagged claims arrive as they should."""
    full = {
        "id": "a",
        "claims": [{"text": "One.", "citations": ["m1", 2]}, {"text": "Two.", "kind": "inference"}],
        "question": "Q?",
        "messages": [{"role": "user", "content": "hi"}],
        "context": ["p"],
        "memory": [{"id": "m1", "text": "t"}, {"id": 2, "text": "u"}],
        "label": "left alone",
    }
    ran = shell("batch", "-", "-", "--no-ledger", stdin=_rows(full, {"id": "b", "answer": "", "question": None}))
    assert ran.status == 0
    call = oracle.calls[0]
    assert call["claims"] == (
        TaggedClaim(text="One.", citations=("m1", "2")),
        TaggedClaim(text="Two.", kind="inference"),
    )
    assert (call["question"], call["context"], call["text"]) == ("Q?", ("p",), "One.\nTwo.")
    assert call["messages"] == (Message("user", "hi"),)
    assert call["memory"] == (MemoryEntry("m1", "t"), MemoryEntry("2", "u"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"[]", "not a JSON object"),
        (b"\xff", "not a line of JSON"),
        (b"[" * 100_000, "not a line of JSON"),
        (b'{"id": ' + b"9" * 5000 + b"}", "not a line of JSON"),
        (b'{"id": 1, "answer": "a", "claims": []}', "either `answer` or `claims`"),
        (b'{"answer": "a"}', "`id` must be"),
        (b'{"id": true, "answer": "a"}', "`id` must be"),
        (b'{"id": 1, "answer": null}', "`answer` must be a text"),
        (b'{"id": 1, "answer": "a", "question": 3}', "`question` must be a text"),
        (b'{"id": 1, "answer": "a", "context": "p"}', "`context` must be a list"),
        (b'{"id": 1, "answer": "a", "context": ["p", 1]}', r"`context\[1\]`: a passage"),
        (b'{"id": 1, "answer": "a", "memory": [{"id": "m"}]}', r"`memory\[0\]`: `text`"),
        (b'{"id": 1, "answer": "a", "messages": [1]}', r"`messages\[0\]`: expected a JSON object"),
        (b'{"id": 1, "claims": [{"text": "a", "kind": "opinion"}]}', "`kind` must be"),
        (b'{"id": 1, "claims": [{"text": "a", "citations": [null]}]}', r"`citations\[0\]`"),
    ],
)
def test_wrong_rows_say_what_is_wrong(row: bytes, message: str) -> None:
    """The message names the key, down to the item."""
    with pytest.raises(InputError, match=message):
        parse_row(row)


@settings(max_examples=80)
@given(st.binary(max_size=40) | st.recursive(st.none() | st.text(max_size=4), st.lists, max_leaves=4).map(_rows))
def test_any_bytes_are_a_row_or_a_clear_error(line: bytes) -> None:
    """Nothing but InputError ever comes of a line, and its id is found or None."""
    row_id(line)
    with pytest.raises(InputError):
        parse_row(line)


@pytest.mark.usefixtures("oracle")
def test_the_output_appears_whole_or_not_at_all(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted batch leaves the old file and no other trace; a finished one replaces it."""
    target = tmp_path / "out"
    target.write_text("old")
    source = _rows({"id": 1, "answer": "supported"})

    def interrupted(number: int, line: bytes) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("imprimatur.cli.batch._judge_row", interrupted)
        assert shell("batch", "-", str(target), "--no-ledger", stdin=source).status == 130
    assert (target.read_text(), os.listdir(tmp_path)) == ("old", ["out"])
    assert shell("batch", "-", str(target), "--no-ledger", stdin=source).status == 0
    assert (json.loads(target.read_text())["id"], os.listdir(tmp_path)) == (1, ["out"])


@pytest.mark.usefixtures("oracle")
def test_input_and_output_may_be_one_file(shell: Shell, tmp_path: Path) -> None:
    """The input is read to its end before the output takes its name; a link stays a link."""
    (tmp_path / "rows").write_bytes(_rows({"id": 1, "answer": "supported"}))
    (tmp_path / "link").symlink_to(tmp_path / "rows")
    assert shell("batch", str(tmp_path / "rows"), str(tmp_path / "link"), "--no-ledger").status == 0
    assert (tmp_path / "link").is_symlink()
    assert "report" in json.loads((tmp_path / "rows").read_text())


@pytest.mark.usefixtures("oracle")
def test_devices_are_written_through(shell: Shell) -> None:
    """A device is never replaced by a file."""
    assert shell("batch", "-", "/dev/null", "--no-ledger", stdin=_rows({"id": 1, "answer": "x"})).status == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    ("source", "target"), [("absent", "out"), (".", "out"), ("in", "no/such/folder/out"), ("in", "."), ("a\0", "out")]
)
@pytest.mark.usefixtures("oracle")
def test_files_that_cannot_be_used(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, target: str
) -> None:
    """Input or output that cannot be opened is the caller's mistake, and nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").write_bytes(_rows({"id": 1, "answer": "x"}))
    ran = shell("batch", source, target, "--no-ledger")
    assert (ran.status, "Traceback" in ran.err) == (2, False)
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.usefixtures("oracle")
def test_reports_are_recorded_in_order(shell: Shell, tmp_path: Path) -> None:
    """Every report, and no error, is in the ledger."""
    rows = _rows({"id": 1, "answer": "supported a"}, {"id": 2}, {"id": 3, "answer": "supported b"})
    shell("batch", "-", "-", "--jobs", "2", "--ledger", str(tmp_path / "l"), stdin=rows)
    with Ledger.open(tmp_path / "l", create=False) as ledger:
        assert [record.report()["text"] for record in ledger.list()] == ["supported b", "supported a"]
        assert ledger.verify().faults == ()


@given(st.lists(st.text(max_size=8), max_size=5))
def test_tagged_claims_stand_where_spans_say(texts: list[str]) -> None:
    """Spans refer to the texts joined by newlines."""
    claims = [TaggedClaim(text=text) for text in texts]
    assert [joined(claims)[start:end] for start, end in spans(claims)] == texts
