"""Rows judged in several processes and kept: same order, same results, and nothing lost with a run that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import CheckFailed, InputError
from imprimatur.evals.kept import Kept
from imprimatur.evals.outcome import Outcome
from imprimatur.evals.running import Running, Task, rows_judged


def _task(judge: Callable[[int], int], **about: object) -> Task[int, int]:
    def same(value: int) -> int:
        return value

    return Task(judge=judge, key=same, told=str, write=same, read=same, about=about)


def _slowly(row: int) -> int:
    time.sleep(0.02 if row % 7 == 0 else 0)
    return row * row


@pytest.mark.parametrize("jobs", [1, 2, 3, 40])
def test_results_come_in_the_order_of_the_rows(jobs: int) -> None:
    """Whatever the number of processes, and though some rows take longer."""
    rows = list(range(300))
    assert list(rows_judged(rows, _task(_slowly), Running(jobs=jobs))) == [row * row for row in rows]


@settings(max_examples=10)
@given(st.lists(st.integers(-5, 5), max_size=30), st.integers(1, 3))
def test_any_rows_in_any_number_of_processes(rows: list[int], jobs: int) -> None:
    """None, one, or the same row several times."""
    assert list(rows_judged(rows, _task(abs), Running(jobs=jobs))) == list(map(abs, rows))


def test_what_is_kept_is_not_judged_again(tmp_path: Path) -> None:
    """A second run asks the judge nothing, and gives the same; other settings ask everything."""
    asked: list[int] = []

    def judge(row: int) -> int:
        asked.append(row)
        return -row

    rows, how = [3, 1, 2], Running(keep=tmp_path / "kept")
    first = list(rows_judged(rows, _task(judge, seed=1), how))
    assert asked == rows
    assert list(rows_judged([*rows, 9], _task(judge, seed=1), how)) == [*first, -9]
    assert asked == [*rows, 9]
    list(rows_judged(rows, _task(judge, seed=2), how))
    assert asked == [*rows, 9, *rows]


def test_what_must_not_be_kept_is_judged_again(tmp_path: Path) -> None:
    """A result that came of a time limit is given, and not kept."""
    task = replace(_task(abs), keeps=lambda result: result != 4)
    assert list(rows_judged([4, 5], task, Running(keep=tmp_path))) == [4, 5]
    assert len(list(tmp_path.rglob("*.json"))) == 1


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"name": "x", "result": 5}'])
def test_what_is_broken_is_judged_again(tmp_path: Path, content: str) -> None:
    """A file that is cut off, empty, or of another row is as if it were not there."""
    how = Running(keep=tmp_path)
    list(rows_judged([4], _task(abs), how))
    (file,) = tmp_path.rglob("*.json")
    whole = file.read_text(encoding="utf-8")
    file.write_text(content, encoding="utf-8")
    assert list(rows_judged([4], _task(abs), how)) == [4]
    assert file.read_text(encoding="utf-8") == whole


def test_a_changed_result_is_not_believed(tmp_path: Path) -> None:
    """A result that somebody has changed is judged again."""
    how = Running(keep=tmp_path)
    list(rows_judged([4], _task(abs), how))
    (file,) = tmp_path.rglob("*.json")
    file.write_text(file.read_text(encoding="utf-8").replace('"result":4', '"result":5'), encoding="utf-8")
    assert list(rows_judged([4], _task(abs), how)) == [4]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """What cannot hold results is refused before the first row."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="not a folder"):
        list(rows_judged([4], _task(abs), Running(keep=tmp_path / "file")))


def test_a_name_hangs_on_row_and_settings(tmp_path: Path) -> None:
    """Each change of either gives another name, half a character too; the order of settings does not."""
    names = {Kept(tmp_path, about).name(row) for about in ({}, {"a": 1, "b": 2}, {"a": 2}) for row in ("x", "\ud800")}
    assert len(names) == 6
    assert Kept(tmp_path, {"b": 2, "a": 1}).name("x") in names


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_judge_that_fails_is_told_by_row(jobs: int) -> None:
    """Any error of a judge is a failed check at that row; the results before it were given."""

    def judge(row: int) -> int:
        if row == 5:
            raise RuntimeError("out of luck")
        return row

    found: list[int] = []
    with pytest.raises(CheckFailed, match="out of luck") as fault:
        found += rows_judged(range(9), _task(judge), Running(jobs=jobs))
    assert fault.value.where == "row 5"


def test_a_process_that_ends_is_told_by_row(tmp_path: Path) -> None:
    """A process that is killed is a fault that names the row; what was judged before stands in the folder."""

    def judge(row: int) -> int:
        if row == 30:
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGKILL)
        return row

    with pytest.raises(CheckFailed, match="signal 9") as fault:
        list(rows_judged(range(60), _task(judge), Running(jobs=2, keep=tmp_path)))
    assert fault.value.where == "row 30"
    assert len(list(tmp_path.rglob("*.json"))) >= 30


def test_an_interrupted_reader_ends_the_processes() -> None:
    """Whoever stops taking results leaves no process behind."""
    found = rows_judged(range(1000), _task(lambda row: row + os.getpid() * 10_000), Running(jobs=2))
    pid = next(found) // 10_000
    found.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """Killed in the middle without warning, and run again: what it prints and writes is that of a run left alone."""
    names = ("Rhine", "Danube", "Elbe", "Loire", "Po", "Ebro")
    rows = [
        {"id": f"{name}-{n}", "text": f"The {name} is {n} km long.", "label": "not_found"}
        for name in names
        for n in range(100, 160)
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    kept = tmp_path / "kept"

    def command(*more: str) -> list[str]:
        return [sys.executable, "-m", "imprimatur", "eval", "claims", str(file), "--kb", "rivers", "--json", *more]

    alone = subprocess.run(command("--out", str(tmp_path / "alone.json")), capture_output=True)
    running = subprocess.Popen(
        command("--jobs", "2", "--keep", str(kept)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    end = time.monotonic() + 60
    while len(list(kept.rglob("*.json"))) < 40 and running.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    running.kill()
    running.wait()
    before = {path: path.stat().st_mtime_ns for path in kept.rglob("*.json")}
    assert 40 <= len(before) < len(rows)
    again = subprocess.run(
        command("--jobs", "2", "--keep", str(kept), "--out", str(tmp_path / "again.json")), capture_output=True
    )
    assert again.stdout == alone.stdout
    assert again.returncode == alone.returncode
    assert all(path.stat().st_mtime_ns == time_ for path, time_ in before.items())
    one, two = (
        Outcome.from_dict(json.loads((tmp_path / name).read_text("utf-8"))) for name in ("alone.json", "again.json")
    )
    assert (one.tables, one.cases, one.rows, one.sources) == (two.tables, two.cases, two.rows, two.sources)
