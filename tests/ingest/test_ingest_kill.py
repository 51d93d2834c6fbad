"""An ingest that is killed at any moment, a disk that is full, two writers, and readers beside a writer."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from made_ingest import BrookReader, brought_up, files_of, write_documents

from imprimatur.errors import ImprimaturError, StoreUnavailable
from imprimatur.ingest.rows import Row
from imprimatur.ingest.store import Facts, FactStore
from imprimatur.sources.graph import switched
from imprimatur.sources.graph.store import Graph, GraphFile

_KILLS = 24
_CHILD = """
    import sys
    from pathlib import Path
    from made_ingest import BrookReader, brought_up
    workers, pause = int(sys.argv[2]), float(sys.argv[3])
    base = Path(sys.argv[1])
    print("ready", flush=True)
    brought_up(base, base / "docs", reader=BrookReader(pause=pause), workers=workers)
    print("done", flush=True)
"""


def _texts(version: int) -> dict[str, str]:
    names = [f"{chr(65 + n // 26)}{chr(97 + n % 26)} Brook" for n in range(40)]
    return {
        f"{number}.md": f"{name} is {number + version} metres long. {name} flows into {names[0]}.\n"
        for number, name in enumerate(names)
    }


def _child(base: Path, *, workers: int, pause: float) -> subprocess.Popen[str]:
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    command = [sys.executable, "-c", textwrap.dedent(_CHILD), str(base), str(workers), str(pause)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def rest(tmp_path: Path) -> Path:
    """A knowledge base before its documents changed."""
    base = tmp_path / "kb"
    write_documents(base / "docs", _texts(1))
    brought_up(base, base / "docs")
    write_documents(base / "docs", _texts(2))
    (base / "docs" / "7.md").unlink()
    return base


@pytest.mark.slow
def test_killed_at_random_moments_it_ends_equal(rest: Path, tmp_path: Path) -> None:
    """After every kill the store is the old or the new one, whole; the last run ends as an uninterrupted one does."""
    before = files_of(rest)
    whole = tmp_path / "whole"
    write_documents(whole / "docs", {path.name: path.read_text() for path in (rest / "docs").iterdir()})
    brought_up(whole, whole / "docs")
    after = files_of(whole)
    shutil.copytree(rest / "facts", tmp_path / "facts")
    chance, finished, resumed = random.Random(7), 0, 0
    for number in range(_KILLS):
        resumed += bool(list((rest / "facts" / ".work").glob("*")))
        with _child(rest, workers=1 + number % 2, pause=0.01) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0, 0.3))
            child.send_signal(signal.SIGKILL)
            done = "done" in child.stdout.read()
        FactStore(rest).read()
        assert files_of(rest) in ((after,) if done else (before, after))
        if done:  # begin again, so that kills fall on every step
            finished += 1
            shutil.rmtree(rest / "facts")
            shutil.copytree(tmp_path / "facts", rest / "facts")
    assert finished < _KILLS / 2 < resumed, "most kills are to fall into the work"
    brought_up(rest, rest / "docs")
    assert files_of(rest) == after
    assert not list((rest / "facts").glob(".part*"))
    assert not (rest / "facts" / switched.NEXT).exists()


@pytest.mark.parametrize("step", range(26))
def test_every_step_of_a_switch_can_be_the_last(
    rest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Whichever call to the disk is the last one, a reader finds the old or the new store whole."""
    before = files_of(rest)
    calls = 0

    class Died(BaseException):
        """The process is gone."""

    def counted(function: object) -> object:
        def call(*args: object, **more: object) -> object:
            nonlocal calls
            calls += 1
            if calls > step:
                raise Died
            return function(*args, **more)  # type: ignore[operator]

        return call

    brought_up(rest, rest / "docs", dry_run=True)
    with monkeypatch.context() as patched:
        for name in ("rename", "replace", "rmdir", "mkdir"):
            patched.setattr(Path, name, counted(getattr(Path, name)))
        patched.setattr(os, "fsync", counted(os.fsync))
        patched.setattr(shutil, "rmtree", lambda *args, **more: None)
        facts = FactStore(rest).read()
        changed = Facts(rows=facts.rows[:9], documents=facts.documents, roots=facts.roots, checks="other")
        try:
            with FactStore(rest).writing():
                FactStore(rest).write(changed)
        except Died:
            pass
        after = changed.files()
    FactStore(rest).read()
    assert files_of(rest) in (before, after)
    brought_up(rest, rest / "docs")
    assert not (rest / "facts" / switched.NEXT).exists()
    assert not list((rest / "facts").glob(".part*"))


def test_a_full_disk_changes_nothing(rest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk takes no more, an error says so, and the store is as it was."""
    before = files_of(rest)
    written = 0

    def full(descriptor: int) -> None:
        nonlocal written
        written += 1
        if written > 2:
            raise OSError(28, "No space left on device")

    with FactStore(rest).writing():
        facts = FactStore(rest).read()
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(StoreUnavailable, match="stay as they were: No space left"):
                FactStore(rest).write(Facts(rows=facts.rows[:5], documents=facts.documents))
    assert files_of(rest) == before
    assert not list((rest / "facts").glob(".part*"))


def test_there_is_one_writer_at_a_time(rest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one is told who writes, and changes nothing."""
    monkeypatch.setattr(switched, "_PATIENCE", 0.05)
    with FactStore(rest).writing(), pytest.raises(StoreUnavailable, match=f"process {os.getpid()}"):
        brought_up(rest, rest / "docs")


def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    """The lock is free at once, and the processes that read end by themselves."""
    base = tmp_path / "kb"
    write_documents(base / "docs", _texts(1))
    with _child(base, workers=3, pause=0.2) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        kept = base / "facts" / ".work"
        while not (kept.is_dir() and list(kept.glob("*.json"))):
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        with FactStore(base).writing():
            pass
        assert child.stdout.read() == ""  # it ends when the last process that holds it has ended


def test_readers_beside_a_writer_see_one_state(rest: Path, tmp_path: Path) -> None:
    """Whoever reads while the store changes gets the rows, and the graph, of one state."""
    states = [files_of(rest)]
    brought_up(rest, rest / "docs")
    states.append(files_of(rest))
    facts = [_facts(state) for state in states]
    ended = threading.Event()
    faults: list[BaseException] = []

    def write() -> None:
        try:
            for number in range(60):
                with FactStore(rest).writing():
                    FactStore(rest).write(facts[number % 2])
        except BaseException as fault:
            faults.append(fault)
        finally:
            ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = set()
    files = [GraphFile(rest / "facts" / name) for name in ("derived.nq", "model.nq", "accepted.nq")]
    triples = {len(Graph.load(files, cache_dir=tmp_path / "cache"))}
    while not ended.is_set():
        try:
            found = FactStore(rest).read()
            triples.add(len(Graph.load(files, cache_dir=tmp_path / "cache")))
        except StoreUnavailable:
            continue
        seen.add(json.dumps(sorted(row.id for row in found.rows)))
    writer.join()
    assert not faults
    assert seen <= {json.dumps(sorted(row.id for row in each.rows)) for each in facts}
    assert len(triples) <= 2


def _facts(state: dict[str, bytes]) -> Facts:
    from imprimatur.ingest.rows import read_rows

    rows: list[Row] = [row for name in ("stored.jsonl", "review.jsonl") for row in read_rows(state[name], where=name)]
    told = json.loads(state["state.json"])
    return Facts(rows=tuple(rows), roots=tuple(told["roots"]), checks=told["checks"])


def test_hands_that_change_the_files_are_noticed(rest: Path) -> None:
    """A file that was changed by other hands is an error that names it; a missing RDF file is made anew."""
    brought_up(rest, rest / "docs")
    content = files_of(rest)
    for name in ("derived.nq", "stored.jsonl", "review.jsonl"):
        (rest / "facts" / name).write_bytes(content[name] + b"\n")
        with pytest.raises(ImprimaturError, match="changed by other hands"):
            brought_up(rest, rest / "docs")
        (rest / "facts" / name).write_bytes(content[name])
    (rest / "facts" / "derived.nq").unlink()
    brought_up(rest, rest / "docs")
    assert files_of(rest) == content
    (rest / "facts" / "state.json").write_text('{"version": 1}', encoding="utf-8")
    with pytest.raises(ImprimaturError, match="damaged"):
        brought_up(rest, rest / "docs", reader=BrookReader())
