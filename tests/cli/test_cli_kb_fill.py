"""``imprimatur kb gaps`` and ``kb fill``: from gaps to proposals that wait, with a scripted model server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from made_harbour import BASE, write_harbour

from imprimatur.ingest.reviewing import review
from imprimatur.ingest.store import FactStore
from imprimatur.oracle import Oracle
from imprimatur.testing import Request, ScriptedServer, fail, say_json

Shell = Callable[..., Ran]

_TRUSTING = {"version": 1, "trust": ["curated", "derived", "model"]}
_TRUE = "The keeper of Point Light is Jo Tarn."
#: What the model knows, by thing and property.
_KNOWN = {
    ("Point Light", "height"): ["20 m"],
    ("Point Light", "keeper"): ["Jo Tarn"],
    ("Skerry Light", "year of building"): ["around 1870"],
    ("Cape Light", "is lit"): ["yes"],
    ("Ann Marlow", "date of birth"): ["1830-01-02"],
}


@pytest.fixture
def kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The harbour's folder, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_harbour(tmp_path / "kb")


def _answer(request: Request) -> Any:
    material = json.loads(request.messages[-1]["content"])
    return say_json({"values": _KNOWN.get((material["thing"], material["property"]), [])})


def _fill(shell: Shell, kb: Path, server: ScriptedServer, *more: str) -> Ran:
    named = ("--base-url", server.url, "--model", "small", "--yes")
    return shell("kb", "fill", str(kb), *named, *more)


def _name_file(kb: Path) -> None:
    config = kb / "imprimatur.yaml"
    told = config.read_text(encoding="utf-8").replace("[data.ttl]", "[data.ttl, facts/model.nq]")
    config.write_text(f"{told}  trust: {{facts/model.nq: model}}\n", encoding="utf-8")


def _hashes(kb: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in kb.glob("*.ttl")}


def test_the_table_of_gaps(shell: Shell, kb: Path) -> None:
    """Class, property, how many have it and how many do not; JSON has the things."""
    lines = shell("kb", "gaps", str(kb)).out.splitlines()
    assert re.split(r" {2,}", lines[0]) == ["class", "property", "have", "proposed", "lack", "share", "asked for by"]
    assert re.split(r" {2,}", lines[2]) == ["lighthouse", "height", "3", "0", "1", "75%", "a shape"]
    (found,) = json.loads(shell("kb", "gaps", str(kb), "--class", "Person", "--json").out)
    assert (found["things"], found["share"]) == ([BASE + "ann", BASE + "ann2", BASE + "ann3"], 0.25)
    assert "knows no property 'heigt'" in shell("kb", "gaps", str(kb), "--property", "heigt").err
    assert shell("kb", "gaps", str(kb), "--property", "heigt").status == 2


def test_a_dry_run(shell: Shell, kb: Path) -> None:
    """It tells what would be asked, asks nothing, needs no model, and leaves no trace."""
    ran = shell("kb", "fill", str(kb), "--dry-run", "--agree", "2", "--class", "lighthouse")
    assert ran.status == 0
    assert "10 questions would be asked" in ran.out
    assert "Point Light: height" in ran.out
    assert not (kb / "facts").exists()


def test_filling(shell: Shell, kb: Path) -> None:
    """What is proposed waits as a model's, what cannot be taken is quarantined; the graph's files stay."""
    before = _hashes(kb)
    with ScriptedServer(_answer) as server:
        ran = _fill(shell, kb, server, "--price", "1/2 USD")
    assert (ran.status, len(server.requests)) == (0, 6)
    assert "4 proposed, 1 unknown, 1 refused" in ran.out
    assert re.search(r"6 calls, [\d,]+ tokens, 0\.\d+ USD", ran.out)
    assert "add facts/model.nq" in ran.out
    rows = FactStore(kb).read().rows
    assert sorted((row.words, row.state) for row in rows) == [
        ("Ann Marlow — date of birth — 1830-01-02", "waiting"),
        ("Cape Light — is lit — true", "waiting"),
        ("Point Light — height — 20", "waiting"),
        ("Point Light — keeper — Jo Tarn", "waiting"),
        ("Skerry Light — year of building — around 1870", "quarantined"),
    ]
    assert {(row.trust, row.document) for row in rows} == {("model", "")}
    assert _hashes(kb) == before
    assert (kb / "facts" / "derived.nq").read_bytes() == b""


def test_what_is_proposed_licenses_nothing(shell: Shell, kb: Path) -> None:
    """Untrusted it changes no verdict; a policy that trusts it licenses by it; once accepted, every policy does."""
    plain = Oracle.from_folder(kb, cache_dir=kb / "cache").check(_TRUE).to_dict()
    with ScriptedServer(_answer) as server:
        _fill(shell, kb, server)
    _name_file(kb)
    assert Oracle.from_folder(kb, cache_dir=kb / "cache").check(_TRUE).to_dict() == plain
    trusting = Oracle.from_folder(kb, policy=_TRUSTING, cache_dir=kb / "cache").check(_TRUE)
    assert trusting.decision.kind == "licensed"
    assert [each.trust for each in trusting.segments[0].claims[0].verdict.evidence] == ["model"]
    row = next(row for row in FactStore(kb).read().rows if row.property == BASE + "keeper")
    review(kb, accept=[row.id], by="Ada")
    config = kb / "imprimatur.yaml"
    config.write_text(config.read_text().replace("facts/model.nq]", "facts/model.nq, facts/accepted.nq]"))
    assert Oracle.from_folder(kb, cache_dir=kb / "cache").check(_TRUE).decision.kind == "licensed"


def test_going_on(shell: Shell, kb: Path) -> None:
    """What was answered is not asked again, what is proposed or rejected is no gap any more; the files stay."""
    with ScriptedServer(_answer) as server:
        _fill(shell, kb, server)
        files = {path: path.read_bytes() for path in (kb / "facts").iterdir() if path.is_file()}
        again = json.loads(_fill(shell, kb, server, "--json").out)
        assert (again["used"]["calls"], again["counts"]["unknown"], again["counts"]["refused"]) == (0, 1, 1)
        assert {path: path.read_bytes() for path in (kb / "facts").iterdir() if path.is_file()} == files
        rows = FactStore(kb).read().rows
        review(kb, reject=[row.id for row in rows], by="Ada")
        assert json.loads(_fill(shell, kb, server, "--json").out)["counts"]["proposed"] == 0
        assert len(server.requests) == 6
    assert {row.state for row in FactStore(kb).read().rows} == {"rejected"}


def test_what_ends_early_is_kept(shell: Shell, kb: Path) -> None:
    """When the budget is used up, what was proposed is stored and the status is 3; the next run asks only the rest."""
    config = kb / "imprimatur.yaml"
    with ScriptedServer(_answer) as server:
        block = f"model: {{base_url: '{server.url}', name: small, limits: {{calls: 3}}}}\n"
        config.write_text(config.read_text(encoding="utf-8") + block, encoding="utf-8")
        ran = shell("kb", "fill", str(kb), "--yes")
        assert (ran.status, "budget of 3 calls" in ran.err, "the same command goes on" in ran.err) == (3, True, True)
        assert len(FactStore(kb).read().rows) == 3
        assert shell("kb", "fill", str(kb), "--yes").status == 0
        assert len(server.requests) == 6
    assert len(FactStore(kb).read().rows) == 5


def test_a_model_of_no_use(shell: Shell, kb: Path) -> None:
    """A server that refuses every call ends the run after a few; nothing is stored."""
    with ScriptedServer(lambda _: fail(401)) as server:
        ran = _fill(shell, kb, server)
        assert (ran.status, "5 gaps in a row" in ran.err, len(server.requests)) == (3, True, 5)
    assert not FactStore(kb).exists


def test_nobody_to_confirm(shell: Shell, kb: Path) -> None:
    """Without a terminal and without --yes nothing is asked; without a model there is an error."""
    ran = shell("kb", "fill", str(kb), "--base-url", "http://127.0.0.1:9/v1", "--model", "small")
    assert (ran.status, "--yes" in ran.err) == (2, True)
    assert shell("kb", "fill", str(kb), "--yes").status == 2


def test_an_ontology(shell: Shell, kb: Path, tmp_path: Path) -> None:
    """What an ontology does not allow is quarantined with its reason."""
    guard = tmp_path / "guard.yaml"
    guard.write_text(
        f"classes:\n  Light: {{iri: '{BASE}Light'}}\n  Boat: {{iri: '{BASE}Boat'}}\n"
        f"relations:\n  keeper: {{iri: '{BASE}keeper', patterns: [[Light, Boat]]}}\n",
        encoding="utf-8",
    )
    with ScriptedServer(_answer) as server:
        _fill(shell, kb, server, "--ontology", str(guard), "--property", "keeper")
    (row,) = FactStore(kb).read().rows
    assert (row.state, [reason.code for reason in row.reasons]) == ("quarantined", ["unknown-class", "wrong-target"])
