"""An extract that is killed wherever it may be, two at once, and folders that are another's."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from made_endpoint import loopback, oxigraph, oxigraph_binary, served
from made_extracts import WIKIDATA
from made_stops import bytes_of, forked, killed_before, needs_fork

from imprimatur.errors import KnowledgeBaseError
from imprimatur.ingest.extracts.extracting import Extract
from imprimatur.ingest.extracts.writing import _MARK, extract

_BINARY = oxigraph_binary()
_TOWNS = Extract(cls="http://www.wikidata.org/entity/Q100")


@pytest.mark.slow
@needs_fork
@pytest.mark.skipif(_BINARY is None, reason="the command oxigraph is not installed")
def test_killed_before_each_change(tmp_path: Path) -> None:
    """Before whichever change to a file it is killed, the same call ends it, with the bytes of one that was not."""
    with oxigraph(_BINARY or "", tmp_path, WIKIDATA) as url:
        extract(url, _TOWNS, tmp_path / "whole" / "kb", pause=0)
        whole = bytes_of(tmp_path / "whole" / "kb")
        for change in range(1, 500):
            target = tmp_path / str(change) / "kb"

            def killed(target: Path = target, change: int = change) -> None:
                sys.addaudithook(killed_before(change, target))
                extract(url, _TOWNS, target, pause=0)

            def resumed(target: Path = target) -> None:
                extract(url, _TOWNS, target, pause=0)

            if (status := forked(killed)) == 0:
                break
            assert status == -signal.SIGKILL
            finished = not (target / ".pages").exists() and (target / "imprimatur.yaml").exists()
            assert forked(resumed) == int(finished), change
            assert bytes_of(target) == whole, change
            assert not list(target.glob(".*")), change
    assert 40 < change < 499


def test_two_at_once(tmp_path: Path) -> None:
    """The second is refused, and the first goes on."""
    fcntl = pytest.importorskip("fcntl")
    pages = tmp_path / "kb" / ".pages"
    pages.mkdir(parents=True)
    with served(loopback(WIKIDATA)) as server:
        with (pages / _MARK).open("w") as first:
            fcntl.flock(first, fcntl.LOCK_EX)
            with pytest.raises(KnowledgeBaseError, match="another extract"):
                extract(server.url, _TOWNS, tmp_path / "kb", pause=0)
            assert server.seen == []
        assert extract(server.url, _TOWNS, tmp_path / "kb", pause=0).things == 3


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", [".pages", ".done"])
def test_folders_of_others(name: str, force: bool, tmp_path: Path) -> None:
    """A folder that has the name of the answers' but is another's is never written to, nor thrown away."""
    (tmp_path / "kb" / name).mkdir(parents=True)
    (tmp_path / "kb" / name / "mine.txt").write_text("mine", encoding="utf-8")
    with served(loopback(WIKIDATA)) as server:
        with pytest.raises(KnowledgeBaseError, match="no folder of answers"):
            extract(server.url, _TOWNS, tmp_path / "kb", pause=0, force=force)
        assert server.seen == []
    assert [path for path in (tmp_path / "kb").rglob("*") if path.is_file()] == [tmp_path / "kb" / name / "mine.txt"]


def test_a_finished_folder_stays(tmp_path: Path) -> None:
    """Once it is finished nothing in the folder is taken for an extract's own."""
    with served(loopback(WIKIDATA)) as server:
        extract(server.url, _TOWNS, tmp_path / "kb", pause=0)
        (tmp_path / "kb" / "data.nt").write_text("# mine now\n", encoding="utf-8")
        with pytest.raises(KnowledgeBaseError, match="already"):
            extract(server.url, _TOWNS, tmp_path / "kb", pause=0)
    assert (tmp_path / "kb" / "data.nt").read_text(encoding="utf-8") == "# mine now\n"
