"""The suite of sources: a graph in memory, from its compiled file, from a store, and behind an address."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from made_endpoint import JSON, oxigraph_binary
from made_remote import OxigraphSource, oxigraph_source
from made_virtuoso import virtuoso_commands, virtuoso_source
from small_kb import write_kb

from imprimatur.oracle import Oracle
from imprimatur.testing.sources import Matter, faults_of, faults_of_changes, sentences

KB = "rivers"


@dataclass
class Suite:
    """The triples, the oracle on the plain file, and the sentences."""

    matter: Matter
    reference: Oracle
    cache: Path

    @cached_property
    def few(self) -> tuple[str, ...]:
        """What takes a moment."""
        return sentences(self.reference, 100)

    @cached_property
    def many(self) -> tuple[str, ...]:
        """What takes longer."""
        return sentences(self.reference, 1000)

    def said(self, count: int) -> tuple[str, ...]:
        """So many sentences."""
        return self.few if count <= 100 else self.many


@dataclass(frozen=True)
class Compiled:
    """The plain file, compiled before: its columns are mapped from disk."""

    folder: Path
    cache: Path
    language: str = "sparql"

    def oracle(self) -> Oracle:
        """A newly opened oracle; the graph comes from the cache."""
        Oracle.from_folder(self.folder, cache_dir=self.cache)
        made = Oracle.from_folder(self.folder, cache_dir=self.cache)
        assert made.knowledge.part is not None
        assert made.knowledge.part.graph.statistics.from_cache
        return made


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """The bundled rivers, read into memory: the folder for compiled graphs cannot be written."""
    folder = tmp_path_factory.mktemp("suite")
    matter = Matter.of(KB, folder / "matter")
    (folder / "none").write_text("a file, where a folder would have to be")
    reference = matter.reference(folder / "none")
    assert reference.knowledge.part is not None
    assert not reference.knowledge.part.graph.statistics.from_cache
    return Suite(matter, reference, folder / "cache")


@pytest.fixture
def server(suite: Suite, tmp_path: Path) -> Iterator[OxigraphSource]:
    """The same triples on a real server."""
    with oxigraph_source(_binary(), Matter.of(KB, tmp_path / "matter"), suite.cache) as made:
        yield made


def _binary() -> str:
    """The command of Oxigraph; without one the test is skipped."""
    return oxigraph_binary() or pytest.skip("no Oxigraph server: pip install oxigraph, or name it in OXIGRAPH")


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_compiled_file_judges_as_one_in_memory(suite: Suite, count: int) -> None:
    """The graph on disk and the graph in memory give the same reports."""
    folder = suite.matter.kb("data: [graph.nt]")
    (folder / "graph.nt").symlink_to(suite.matter.triples)
    assert faults_of(Compiled(folder, suite.cache), suite.reference, suite.said(count)) == []


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_server_of_sparql_judges_as_a_file(suite: Suite, server: OxigraphSource, count: int) -> None:
    """The graph behind an address gives the same reports as the file."""
    assert faults_of(server, suite.reference, suite.said(count)) == []


def test_evidence_is_found_again_on_its_server(suite: Suite, server: OxigraphSource) -> None:
    """Each query of evidence, run there as it is given, says yes."""
    assert _lost(server.oracle(), server.url, suite.few) == []


def _lost(oracle: Oracle, url: str, said: Sequence[str]) -> list[str]:
    """The queries of evidence that is all of a server, as far as they do not say yes there."""
    part = oracle.knowledge.part
    assert part is not None
    assert part.live is not None
    where = part.live.remote.where
    segments = [segment for text in said for segment in oracle.check(text).segments]
    found = [e for s in segments for claim in s.claims for e in claim.verdict.evidence if e.origin == where]
    queries = {evidence.query for evidence in found if evidence.kind == "triple"}
    assert len(queries) > 20
    return sorted(query for query in queries if not _says_yes(url, query))


def _says_yes(url: str, query: str) -> bool:
    sent = Request(url, data=urlencode({"query": query}).encode(), headers={"Accept": JSON})
    with urlopen(sent, timeout=20) as answer:
        told = json.loads(answer.read())
    # Virtuoso gives a row with 1, and none for no.
    return bool(told["boolean"] if "boolean" in told else told["results"]["bindings"])


def test_what_changes_on_a_server_is_seen_at_once(tmp_path: Path) -> None:
    """A fact that is gone, or has a second value beside it, licenses nothing; a server that has stopped is an error."""
    kb = write_kb(tmp_path / "brooks")
    with oxigraph_source(_binary(), Matter.of(kb, tmp_path / "matter"), tmp_path / "cache") as server:
        assert faults_of_changes(server, ["Elm Brook flows through Arden.", "Elm Brook is 12 km long."]) == []


@pytest.mark.slow
def test_what_changes_among_the_rivers_is_seen_at_once(suite: Suite, server: OxigraphSource) -> None:
    """The same of a larger graph."""
    assert faults_of_changes(server, suite.few) == []


def test_sentences_hang_on_the_seed_alone(suite: Suite) -> None:
    """The same graph and seed give the same sentences, most of which are read; another seed gives others."""
    again = sentences(suite.reference, 40)
    assert again == sentences(suite.reference, 40)
    assert again != sentences(suite.reference, 40, seed=8)
    labels = {segment.label for text in suite.few for segment in suite.reference.check(text).segments}
    assert len(labels) >= 3


def test_the_suite_finds_a_source_that_lacks_a_fact(suite: Suite, server: OxigraphSource) -> None:
    """Reports on fewer triples are told apart."""
    lines = suite.matter.triples.read_text(encoding="utf-8").splitlines()
    server._update("DELETE WHERE { ?s <https://imprimatur.dev/rivers#length> ?o }")
    assert any("rivers#length" in line for line in lines)
    assert faults_of(server, suite.reference, suite.few) != []


@pytest.mark.slow
@pytest.mark.parametrize("count", [1000])
def test_virtuoso_judges_as_a_file(suite: Suite, tmp_path: Path, count: int) -> None:
    """A server that cuts every answer after a thousand rows, and rewrites numbers, gives the same reports."""
    commands = virtuoso_commands() or pytest.skip("no Virtuoso: install virtuoso-opensource, or name it in VIRTUOSO")
    with virtuoso_source(commands, Matter.of(KB, tmp_path / "matter"), tmp_path / "server") as server:
        assert faults_of(server, suite.reference, suite.said(count)) == []
        assert _lost(server.oracle(), server.url, suite.few) == []
        assert faults_of_changes(server, suite.few) == []
