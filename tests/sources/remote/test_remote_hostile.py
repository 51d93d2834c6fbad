"""What is said to or by a graph behind an address writes nothing there, and steers no verdict."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from made_endpoint import reply
from made_remote import Brooks, Whims, brooks

from imprimatur.config import load_folder
from imprimatur.errors import ConfigError, InputError, KnowledgeBaseError, RuntimeFault
from imprimatur.report import Report
from imprimatur.sources.remote.mirror import ordered
from imprimatur.verdict import Label

CASES = Path(__file__).parents[2] / "cases" / "hostile_evidence" / "remote.jsonl"
TRUE = "Elm Brook is 12 km long."


def _cases(surface: str) -> list[Any]:
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row, id=row["why"].replace(" ", "-")) for row in rows if row["surface"] == surface]


@dataclass
class Obeying(Whims):
    """A server that does whatever arrives, be it a query or an update."""

    updates: int = 0
    when: str = ""
    body: bytes = b""

    def __call__(self, handler: BaseHTTPRequestHandler, query: str) -> None:
        """One answer."""
        if self.when and self.when in query:
            return reply(handler, self.body)
        try:
            self.store.update(query)
        except SyntaxError:
            return super().__call__(handler, query)
        self.updates += 1
        return reply(handler, b"done", kind="text/plain")


def _obeying(remote_world: Brooks) -> Obeying:
    remote_world.server.__class__ = Obeying
    made = remote_world.server
    assert isinstance(made, Obeying)
    return made


def _state(remote_world: Brooks) -> tuple[int, str]:
    quads = list(remote_world.server.store)
    return len(quads), ordered(ox.Quad(q.subject, q.predicate, q.object) for q in quads)[1]


def _passes(report: Report) -> bool:
    """Whether anything is held to be so: none of these texts says anything that is."""
    return any(segment.label is Label.SUPPORTED and segment.claims for segment in report.segments)


def test_there_are_enough_cases() -> None:
    """None is lost on the way."""
    assert sum(len(_cases(surface)) for surface in ("config", "data", "text", "reply")) >= 50


@pytest.mark.parametrize("case", _cases("config"))
def test_a_hostile_entry_is_refused(case: dict[str, str], tmp_path: Path) -> None:
    """It is an error before anything is asked."""
    text = f"version: 1\ngraph:\n  endpoint: {case['input']}\n"
    (tmp_path / "imprimatur.yaml").write_text(text, encoding="utf-8")
    with pytest.raises((ConfigError, KnowledgeBaseError, InputError)) as met:
        load_folder(tmp_path)
    assert "secret" not in str(met.value)


@pytest.mark.parametrize("case", _cases("data"))
def test_hostile_data_steers_nothing(case: dict[str, str], tmp_path: Path) -> None:
    """What the graph says otherwise holds no false sentence up, and is never run."""
    with brooks(tmp_path) as world:
        world.insert(case["input"])
        server, before = _obeying(world), _state(world)
        oracle = world.oracle()
        for _ in range(2):
            assert not _passes(oracle.check(case["text"]))
            oracle.check(TRUE)
        assert (server.updates, _state(world)) == (0, before)


@pytest.mark.parametrize("case", _cases("text"))
def test_hostile_text_reaches_no_query(case: dict[str, str], tmp_path: Path) -> None:
    """The words of an answer are no part of what is sent."""
    with brooks(tmp_path) as world:
        server, before = _obeying(world), _state(world)
        oracle = world.oracle()
        server.asked.clear()
        assert not _passes(oracle.check(case["input"]))
        assert (server.updates, _state(world)) == (0, before)
        assert not any(word in query for query in server.asked for word in ("DROP", "INSERT", "DELETE", "SERVICE"))


@pytest.mark.parametrize("case", _cases("reply"))
def test_a_hostile_reply_is_no_confirmation(case: dict[str, str], tmp_path: Path) -> None:
    """It is an error, or leaves the claim unchecked; what it holds is never run."""
    with brooks(tmp_path) as world:
        server, before = _obeying(world), _state(world)
        oracle = world.oracle()
        shutil.rmtree(world.folder / "cache")
        server.when, server.body = case["when"], case["input"].encode("utf-8")
        try:
            report = world.oracle().check(TRUE) if case["when"] != "VALUES ?s" else oracle.check(TRUE)
        except RuntimeFault:
            pass
        else:
            assert [segment.label.value for segment in report.segments] == ["unchecked"]
        assert (server.updates, _state(world)) == (0, before)
