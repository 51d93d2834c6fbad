"""Whole ingests by the command: small documents, and published sentences under two published ontologies."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
import pytest
from cli_fixtures import Ran

from imprimatur.config import load_folder
from imprimatur.ingest.rows import Row
from imprimatur.ingest.store import FactStore
from imprimatur.sources.graph.places import where
from imprimatur.sources.graph.store import Graph, GraphFile
from imprimatur.sources.passages.reading import read_document

Shell = Callable[..., Ran]

_SMALL = Path(__file__).parents[1] / "cases" / "ingested"
_PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "text2kgbench"
_A_DOCUMENT = 5


@dataclass(frozen=True)
class Told:
    """Documents and the file of their ontology, in the working folder.

    Attributes:
        fewest: so many facts come of them at least. kills: so often it is killed; fewer where it takes long.
    """

    ontology: str
    fewest: int
    kills: int = 24
    documents: str = "docs"

    @property
    def command(self) -> tuple[str, ...]:
        """What ingests them."""
        return ("kb", "ingest", "kb", self.documents, "--ontology", self.ontology)


def _small() -> Told:
    shutil.copytree(_SMALL / "docs", "docs")
    shutil.copy(_SMALL / "guard.yaml", "guard.yaml")
    return Told("guard.yaml", fewest=15)


def _published(part: str, name: str, *, fewest: int, kills: int = 24) -> Told:
    if not _PUBLISHED.is_dir():
        pytest.skip("the published data is not here")
    truth = _PUBLISHED / part / "ground_truth" / f"ont_{name}_ground_truth.jsonl"
    sentences = [json.loads(line)["sent"] for line in truth.read_text(encoding="utf-8").splitlines()]
    Path("docs").mkdir()
    for start in range(0, len(sentences), _A_DOCUMENT):
        text = "\n\n".join(sentences[start : start + _A_DOCUMENT])
        Path("docs", f"{start:04}.txt").write_text(f"{text}\n", encoding="utf-8")
    shutil.copy(_PUBLISHED / part / "ontologies" / f"{name}_ontology.json", "guard.json")
    return Told("guard.json", fewest=fewest, kills=kills)


_MADE: dict[str, Callable[[], Told]] = {
    "small": _small,
    "airports": lambda: _published("dbpedia_webnlg", "3_airport", fewest=40),
    "politicians": lambda: _published("dbpedia_webnlg", "6_politician", fewest=90, kills=4),
}


@pytest.fixture(
    params=["small", *(pytest.param(name, marks=pytest.mark.slow) for name in ("airports", "politicians"))],
)
def told(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """Documents that are to be ingested."""
    monkeypatch.chdir(tmp_path)
    return _MADE[request.param]()


def _files(folder: str = "kb") -> dict[str, bytes]:
    """All files of a knowledge base that are not hidden, by their paths."""
    root = Path(folder)
    paths = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return {str(path): (root / path).read_bytes() for path in paths if not any(p[0] == "." for p in path.parts)}


def _rows(folder: str = "kb") -> tuple[Row, ...]:
    return FactStore(Path(folder)).read().rows


def _quads(folder: str = "kb") -> list[ox.Quad]:
    files = [Path(folder, "facts", name) for name in ("derived.nq", "model.nq", "accepted.nq")]
    return [quad for file in files for quad in ox.parse(file.read_bytes(), format=ox.RdfFormat.N_QUADS)]


def test_every_stored_fact_opens_its_sentence(shell: Shell, told: Told, tmp_path: Path) -> None:
    """Each row's place holds its words; each quad of the graph names such a place; evidence tells it for each fact."""
    assert shell(*told.command).status == 0
    texts: dict[str, str] = {}
    places = set()
    for row in _rows():
        if row.document not in texts:
            texts[row.document] = read_document(Path(row.document).read_bytes(), id_=row.document).text
        assert texts[row.document][row.start : row.end] == row.quote
        assert row.place is not None
        places |= {row.place.iri} if row.in_graph else set()
    quads = _quads()
    assert {quad.graph_name.value for quad in quads if isinstance(quad.graph_name, ox.NamedNode)} == places
    assert len([row for row in _rows() if row.state == "stored"]) >= told.fewest
    config = load_folder("kb").graph
    graph = Graph.load(
        [GraphFile(path, "data", config.trust_of(path)) for path in config.data], cache_dir=tmp_path / "cache"
    )
    evidence = {where(graph.places, [origin]) for origin in graph.origins}
    assert evidence <= {f"{r.document}, characters {r.start}-{r.end}: “{' '.join(r.quote.split())}”" for r in _rows()}
    assert evidence


def test_the_same_documents_change_nothing(shell: Shell, told: Told) -> None:
    """Whether they are named again or not, whatever reads beside, and in how many processes: byte-equal files."""
    assert shell(*told.command).status == 0
    before = _files()
    for again in (told.command[:3], told.command, ("kb", "ingest", "kb", "docs", "--anew", "--workers", "2")):
        assert shell(*again).status == 0
        assert _files() == before
    shutil.rmtree("kb/facts/.work")  # everything is read again
    assert shell(*told.command, "--anew").status == 0
    assert _files() == before


def test_a_deleted_file_takes_exactly_its_facts(shell: Shell, told: Told) -> None:
    """One document after another: what is left is what was there without the quads of its places."""
    assert shell(*told.command).status == 0
    documents = sorted({row.document for row in _rows()})
    for document in documents[:: max(1, len(documents) // 4)]:
        Path(document).unlink()
        kept = [row for row in _rows() if row.document != document]
        left = {str(quad) for quad in _quads() if f"doc:{document}#" not in str(quad.graph_name)}
        assert "1 deleted" in shell("kb", "ingest", "kb").out
        assert sorted(_rows(), key=lambda row: row.order) == sorted(kept, key=lambda row: row.order)
        assert {str(quad) for quad in _quads()} == left
        assert len(_quads()) == len({quad for row in kept if row.in_graph for quad in row.quads})


@pytest.fixture
def whole(shell: Shell, told: Told) -> dict[str, bytes]:
    """The files after an ingest that nothing disturbed."""
    assert shell(*told.command).status == 0
    return _files()


@pytest.mark.slow
def test_killed_at_any_moment_it_ends_equal(told: Told, whole: dict[str, bytes]) -> None:
    """Killed again and again while it starts, reads, writes and makes the folder, it ends as if it had not been."""
    shutil.rmtree("kb")
    chance, kills, partial = random.Random(11), 0, 0
    length = _seconds(told)
    shutil.rmtree("kb")
    while kills < told.kills:
        with _started(told) as child:
            with suppress(subprocess.TimeoutExpired):
                child.wait(chance.uniform(0.05, 0.9) * length)
            child.send_signal(signal.SIGKILL)
        kills += child.returncode == -signal.SIGKILL
        assert child.returncode in (0, -signal.SIGKILL)
        if child.returncode == 0:
            assert _files() == whole
            shutil.rmtree("kb")
            continue
        partial += any(Path("kb/facts/.work").glob("*.json"))
        if Path("kb").is_dir():
            FactStore(Path("kb")).read()
            assert {name: content for name, content in _files().items() if name in whole}.items() <= whole.items()
    assert partial, "some kills are to fall into the reading"
    with _started(told) as child:
        pass
    assert child.returncode == 0
    assert _files() == whole


#: The command line, which hears Ctrl-C also where the tests run in the background of a shell that has it ignored.
_ATTENTIVE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from imprimatur.cli.main import main
main()
"""


def _started(told: Told) -> subprocess.Popen[bytes]:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _ATTENTIVE, *told.command]
    return subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _seconds(told: Told) -> float:
    """How long an ingest takes here and now, so that kills fall into all of it."""
    begun = time.monotonic()
    with _started(told) as child:
        pass
    assert child.returncode == 0
    return time.monotonic() - begun


def test_stopped_by_hand_it_says_so_and_changes_nothing(told: Told, whole: dict[str, bytes]) -> None:
    """Ctrl-C ends it at once, with the status of an interrupt, and the facts that were there stay."""
    for number in range(40):
        Path("docs", f"more-{number}.txt").write_text("Elm Light is a lighthouse. " * 400, encoding="utf-8")
    with _started(told) as child:
        work = Path("kb/facts/.work")
        before = len(list(work.iterdir()))
        while len(list(work.iterdir())) == before and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
    assert child.returncode in (130, -signal.SIGINT)
    assert _files() == whole


def test_small_documents_are_judged_by(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they state is licensed; what they deny, suppose, doubt or contradict is not."""
    monkeypatch.chdir(tmp_path)
    assert shell(*_small().command).status == 0
    licensed = {
        "Skerra Light is 42 m high.": True,
        "Skerra Light was designed by Ada Brandt.": True,
        "Ness Light was opened in 1888.": True,
        "Tarn Light was designed by Jon Hall.": True,
        "Ness Light is 25 m high.": False,
        "Ness Light was designed by Jon Hall.": False,
        "Moyle Light was designed by Ada Brandt.": False,
        "Moyle Light was opened in 1850.": False,
        "Moyle Light was opened in 1866.": False,
        "Moyle Light was opened in 1867.": False,
        "Skerra Light is 41 m high.": False,
    }
    assert {text: shell("check", text, "--kb", "kb").status == 0 for text in licensed} == licensed
