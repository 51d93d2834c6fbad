"""``imprimatur kb map`` and ``kb extract``: from rows, mappings and endpoints to folders that can be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_endpoint import loopback, served
from made_extracts import WIKIDATA
from made_mappings import needs_rml, rml_python, world

Shell = Callable[..., Ran]


def test_map(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command makes a folder; it says what was left aside and what is supported, and leaves full folders alone."""
    monkeypatch.chdir(tmp_path)
    world(tmp_path / "in")
    ran = shell("kb", "map", "in/lights.yaml", "--out", "kb")
    assert ran.status == 0, ran.err
    assert "20 facts of 5 rows" in ran.out
    assert "left aside: lights.csv#row=4 (height): 'tall' is no decimal" in ran.out
    assert "  The height of Skerry Light is 30 m.\n" in ran.out
    assert shell("check", "The keeper of Skerry Light is Ann Marlow.", "--kb", "kb").status == 0
    again = shell("kb", "map", "in/lights.yaml", "--out", "kb")
    assert again.status == 2
    assert "has the file imprimatur.yaml already" in again.err
    told = json.loads(shell("kb", "map", "in/lights.yaml", "--out", "kb", "--force", "--json").out)
    assert (told["facts"], told["rows"], told["left_aside"]) == (20, 5, 1)
    assert told["asides"][0]["place"] == "doc:lights.csv#row=4"


@needs_rml
@pytest.mark.slow
def test_map_by_rml(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form printed as RML makes the same facts by morph-kgc."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IMPRIMATUR_RML_PYTHON", rml_python() or "")
    world(tmp_path / "in")
    (tmp_path / "in" / "lights.ttl").write_text(shell("kb", "map", "in/lights.yaml", "--rml").out, encoding="utf-8")
    assert shell("kb", "map", "in/lights.yaml", "--out", "own").status == 0
    ran = shell("kb", "map", "in/lights.ttl", "--out", "rml")
    assert ran.status == 0, ran.err
    facts = [sorted(Path(name, "facts.nq").read_text("utf-8").splitlines()) for name in ("own", "rml")]
    assert facts[0] == facts[1]
    assert shell("check", "The keeper of Skerry Light is Ann Marlow.", "--kb", "rml").status == 0


def test_no_engine(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without morph-kgc, or with one that fails, RML is an error that says how to get it, and nothing is made."""
    monkeypatch.chdir(tmp_path)
    world(tmp_path / "in")
    (tmp_path / "in" / "lights.ttl").write_text(shell("kb", "map", "in/lights.yaml", "--rml").out, encoding="utf-8")
    monkeypatch.delenv("IMPRIMATUR_RML_PYTHON", raising=False)
    monkeypatch.setattr("imprimatur.ingest.mapping.engine.find_spec", lambda name: None)
    ran = shell("kb", "map", "in/lights.ttl", "--out", "kb")
    assert ran.status == 2
    assert "pip install 'morph-kgc>=2.10,<3'" in ran.err
    for program, status in (("/bin/false", 3), ("/nowhere/python", 2)):
        monkeypatch.setenv("IMPRIMATUR_RML_PYTHON", program)
        assert shell("kb", "map", "in/lights.ttl", "--out", "kb").status == status
    assert not Path("kb").exists()


def test_extract(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of things becomes a folder; mistakes in options and files are told before anything is asked."""
    monkeypatch.chdir(tmp_path)
    Path("towns.txt").write_text("# towns\n<http://www.wikidata.org/entity/Q1>\n\n", encoding="utf-8")
    Path("bad.txt").write_text("http://www.wikidata.org/entity/Q1\nQ2\n", encoding="utf-8")
    with served(loopback(WIKIDATA)) as server:
        ran = shell("kb", "extract", server.url, "--things", "towns.txt", "--out", "kb", "--pause", "0", "--json")
        assert ran.status == 0, ran.err
        told = json.loads(ran.out)
        assert told["things"] == 1
        assert "The mayor of Arbroy is Jo Tarn." in told["sentences"]
        asked = len(server.seen)
        for options, said in (
            (("--out", "x"), "one of --class, --things and --query"),
            (("--class", "Q1", "--out", "x"), "not an IRI"),
            (("--class", "http://a.example/x"), "no folder is named"),
            (("--things", "bad.txt", "--out", "x"), "bad.txt, line 2"),
            (("--things", "none.txt", "--out", "x"), "cannot be read"),
            (("--class", "http://a.example/x", "--languages", "e n", "--out", "x"), "no language tag"),
        ):
            ran = shell("kb", "extract", server.url, *options)
            assert ran.status == 2, options
            assert said in ran.err
        assert len(server.seen) == asked
    ran = shell("kb", "extract", "ftp://a.example/", "--class", "http://a.example/x", "--out", "x")
    assert ran.status == 2
    assert not Path("x").exists()
