"""Several processes that serve one gateway: one ledger, figures together, an end without loss."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from imprimatur.ledger import Ledger

pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX"),
]


@contextmanager
def _running(brooks: Path, ledger: Path, *, workers: int = 2) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and its address as soon as it takes calls."""
    command = [sys.executable, "-m", "imprimatur", "serve", "--kb", str(brooks), "--port", "0"]
    command += ["--workers", str(workers), "--ledger", str(ledger)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = process.stderr.readline()
            found = re.search(r"http://[\w.:]+", said)
            assert found, said
            _get(f"{found.group()}/readyz")
            yield process, found.group()
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as reply:
        text: str = reply.read().decode()
        return text


def _check(url: str) -> str:
    body = json.dumps({"answer": "The Long Brook is 12 km long."}).encode()
    request = urllib.request.Request(f"{url}/v1/check", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        decision: str = json.load(reply)["decision"]
        return decision


def _children(number: int) -> set[int]:
    return {int(each) for each in Path(f"/proc/{number}/task/{number}/children").read_text().split()}


def test_one_ledger_and_one_sum(brooks: Path, tmp_path: Path) -> None:
    """Calls that several processes answer are one chain of records, and are counted together."""
    with _running(brooks, tmp_path / "ledger") as (_, url):
        with ThreadPoolExecutor(8) as pool:
            decisions = list(pool.map(lambda _: _check(url), range(60)))
        figures = _get(f"{url}/metrics")
    assert len(set(decisions)) == 1
    total = re.search(r'imprimatur_requests_total\{route="/v1/check",status="200"\} (\d+)', figures)
    assert total
    assert int(total.group(1)) == 60
    with Ledger.open(tmp_path / "ledger") as ledger:
        found = ledger.verify()
    assert (found.count, found.faults) == (60, ())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to see the processes")
def test_a_worker_that_dies_is_replaced(brooks: Path, tmp_path: Path) -> None:
    """After the sudden end of one worker, calls go on, and what it said of itself last is not told any more."""
    with _running(brooks, tmp_path / "ledger") as (process, url):
        for _ in range(20):
            _check(url)
        before = set(re.findall(r'imprimatur_abstention_share\{pid="(\d+)"\}', _get(f"{url}/metrics")))
        victim = int(before.pop())
        os.kill(victim, signal.SIGKILL)
        until = time.monotonic() + 60
        while victim in _children(process.pid) and time.monotonic() < until:
            time.sleep(0.1)
        assert _check(url) == _check(url)
        figures = _get(f"{url}/metrics")
    assert f'pid="{victim}"' not in figures


def test_what_is_wrong_is_told_once(tmp_path: Path) -> None:
    """A knowledge base that is not there is told by the first process, before any other is started."""
    command = [sys.executable, "-m", "imprimatur", "serve", "--kb", str(tmp_path / "none"), "--workers", "3"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert ran.stderr.count("no such folder") == 1
    assert "Traceback" not in ran.stderr


def test_the_end_waits_for_calls(brooks: Path, tmp_path: Path) -> None:
    """SIGTERM ends all processes with status 0, and every call that was answered is in the ledger."""
    with _running(brooks, tmp_path / "ledger") as (process, url):
        with ThreadPoolExecutor(8) as pool:
            calls = [pool.submit(_check, url) for _ in range(40)]
            time.sleep(0.05)
            process.terminate()
            answered = sum(call.exception() is None for call in calls)
        assert process.wait(60) == 0
    with Ledger.open(tmp_path / "ledger") as ledger:
        found = ledger.verify()
    assert found.faults == ()
    assert found.count >= answered
