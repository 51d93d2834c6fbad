"""Opening a knowledge base and starting the command, each beside a plain baseline of the same run (``bench``).

Contract: every row measures both sides in this run on this machine; nothing is asserted about time.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.config import load_folder, resolve

if TYPE_CHECKING:
    import pyoxigraph

__all__ = ["Row", "load_rows", "start_row", "timed"]

_CHECKED = "The Ohoopee River is 192 km long."
_OPEN = """
import json, sys, time
from pathlib import Path
from imprimatur.oracle import Oracle
start = time.perf_counter()
Oracle.from_folder(sys.argv[1], cache_dir=Path(sys.argv[2]))
print(json.dumps(time.perf_counter() - start))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measurement: what, both times in seconds, and what they are times of."""

    what: str
    ours: float
    baseline: float
    against: str
    note: str = ""

    def cells(self) -> list[str]:
        """The row as text, the ratio with three significant digits."""
        ratio = f"{self.ours / self.baseline:.3g} x" if self.baseline else "-"
        return [self.what, _duration(self.ours), _duration(self.baseline), ratio, self.against, self.note]


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def timed(work: Callable[[str], object], items: Sequence[str]) -> list[float]:
    """How long some work takes for each item, in seconds."""
    times = []
    for item in items:
        start = time.perf_counter()
        work(item)
        times.append(time.perf_counter() - start)
    return times


def load_rows(kb: str) -> tuple[Row, ...]:
    """Opening a knowledge base in a fresh process, cold and from the compiled cache, against pyoxigraph's bulk load."""
    import pyoxigraph

    folder = resolve(kb)
    config = load_folder(folder)
    raw = [(path, _content(path)) for path in (*config.graph.data, *config.graph.ontology)]
    start = time.perf_counter()
    store = pyoxigraph.Store()
    for path, content in raw:
        store.bulk_load(io.BytesIO(content), format=_format(path))
    baseline = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (_opened(folder, cache) for _ in range(2))
    against = f"pyoxigraph, bulk load of {len(store)} triples"
    note = "graph and lexicon, in a fresh process"
    rows = (("a knowledge base, cold", cold), ("a knowledge base, warm", warm))
    return tuple(Row(what=what, ours=ours, baseline=baseline, against=against, note=note) for what, ours in rows)


def _content(path: Path) -> bytes:
    raw = path.read_bytes()
    return gzip.decompress(raw) if path.suffix == ".gz" else raw


def _format(path: Path) -> pyoxigraph.RdfFormat | None:
    import pyoxigraph

    return pyoxigraph.RdfFormat.from_extension(path.name.removesuffix(".gz").rpartition(".")[2])


def _opened(folder: Path, cache: str) -> float:
    ran = subprocess.run([sys.executable, "-c", _OPEN, str(folder), cache], capture_output=True, text=True, check=True)
    return float(json.loads(ran.stdout))


def start_row(kb: str, times: int) -> Row:
    """The whole of one ``imprimatur check`` as a process, against an empty Python."""
    program = [sys.executable, "-c", "from imprimatur.cli.main import main; main()"]
    ours = _median([*program, "check", _CHECKED, "--kb", kb, "--no-ledger"], times)
    baseline = _median([sys.executable, "-c", "pass"], times)
    note = f"median of {times}, cache warm"
    return Row(
        what="`imprimatur check`, one sentence", ours=ours, baseline=baseline, against="`python -c pass`", note=note
    )


def _median(command: Sequence[str], times: int) -> float:
    # As where a user runs it: compiled modules are kept.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(_: object) -> object:
        return subprocess.run(command, capture_output=True, check=False, env=env)

    run(None)
    return statistics.median(timed(run, [""] * times))
