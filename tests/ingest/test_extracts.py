"""Extracts of real and of failing endpoints: what is kept, what is left out, and what a stop leaves."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_endpoint import Scripted, loopback, oxigraph, oxigraph_binary, reply, rows, served
from made_extracts import DBPEDIA, WIKIDATA

from imprimatur.errors import CheckFailed, InputError, KnowledgeBaseError, LimitExceeded, StoreUnavailable
from imprimatur.ingest.extracts.construct import read_construct
from imprimatur.ingest.extracts.extracting import Extract
from imprimatur.ingest.extracts.writing import extract
from imprimatur.oracle import Oracle

Shell = Callable[..., Ran]
Handler = BaseHTTPRequestHandler
WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
TOWN = WD + "Q100"
_BINARY = oxigraph_binary()
needs_oxigraph = pytest.mark.skipif(_BINARY is None, reason="the command oxigraph is not installed")

#: What each sentence must be on the towns.
_TOWNS = {
    "Ann Marlow was mayor of Arbroy in 2005.": "supported",
    "Ann Marlow is the mayor of Arbroy.": "contradicted",
    "Jo Tarn is the mayor of Arbroy.": "supported",
    "Kit Orr is the mayor of Arbroy.": "not_found",
    "Lee Moss is the mayor of Arbroy.": "not_found",
    "Max Dale is the mayor of Benholm.": "not_found",
    "Nan Pye is the mayor of Benholm.": "not_found",
    "The population of Arbroy is 5,200.": "supported",
    "The population of Arbroy is 4,800.": "not_found",
    "The area of Arbroy is 12.5 km².": "supported",
    "The area of Benholm is 20 km².": "supported",
    "The area of Benholm is 2,000 km².": "not_found",
    "The elevation of Benholm is 100 m.": "supported",
    "The elevation of Cairnie is 300 m.": "not_found",
    "Arbroy was founded in 1204.": "supported",
    "Arbroy was founded on 1 January 1204.": "not_found",
    "Benholm was founded in 1300.": "not_found",
    "The patron saint of Arbroy is Saint Arn.": "not_found",
    "Arbroy Haven is a burgh.": "supported",
}


def _labels(folder: Path, sentences: dict[str, str]) -> dict[str, str]:
    oracle = Oracle.from_folder(folder)
    return {each: oracle.check(each).segments[0].label.value for each in sentences}


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@needs_oxigraph
def test_a_class_of_wikidata(shell: Shell, tmp_path: Path) -> None:
    """Ranks, qualifiers, precisions and units are kept so that only what is stated of now or then is supported."""
    with oxigraph(_BINARY or "", tmp_path, WIKIDATA) as url:
        ran = shell("kb", "extract", url, "--class", TOWN, "--out", str(tmp_path / "kb"), "--pause", "0")
    assert ran.status == 0, ran.err
    assert "left out: 1 numbers in another unit than their property has" in ran.out
    assert "The mayor of Arbroy is Jo Tarn." in ran.out
    assert sorted(_bytes(tmp_path / "kb")) == ["data.nt", "imprimatur.yaml", "ontology.ttl"]
    data = (tmp_path / "kb" / "data.nt").read_text(encoding="utf-8")
    assert "sameAs" not in data
    assert '"12345"' not in data
    assert "prop/qualifier/P582" in (tmp_path / "kb" / "imprimatur.yaml").read_text(encoding="utf-8")
    assert _labels(tmp_path / "kb", _TOWNS) == _TOWNS


@needs_oxigraph
def test_without_qualifiers(tmp_path: Path) -> None:
    """Without them no fact that has ended is left, and none looks as if it held now."""
    with oxigraph(_BINARY or "", tmp_path, WIKIDATA) as url:
        extract(url, Extract(cls=TOWN, qualifiers=False), tmp_path / "kb", pause=0)
    data = (tmp_path / "kb" / "data.nt").read_text(encoding="utf-8")
    assert "prop/statement" not in data
    assert f"<{WDT}P6> <{WD}Q11>" in data
    assert not any(f"<{WDT}P6> <{WD}{name}>" in data for name in ("Q10", "Q12", "Q13", "Q14", "Q15"))


@needs_oxigraph
def test_a_class_of_dbpedia(tmp_path: Path) -> None:
    """Nodes with a first and last year give facts their time; a datatype that is a unit is one."""
    with oxigraph(_BINARY or "", tmp_path, DBPEDIA) as url:
        things = tuple(f"http://dbpedia.org/resource/{name}" for name in ("Ned_Pell", "Loch_Arn"))
        made = extract(url, Extract(things=things), tmp_path / "kb", pause=0)
    said = {
        "Ned Pell's team was Arbroy FC in 1992.": "supported",
        "Ned Pell's team was Arbroy FC in 1999.": "contradicted",
        "The team of Ned Pell is Arbroy FC.": "contradicted",
        "The area of Loch Arn is 2.5 km².": "supported",
        "The area of Loch Arn is 2.5 km.": "not_found",
        "Ned Pell is Someone else.": "not_found",
    }
    assert _labels(tmp_path / "kb", said) == said
    assert made.facts == 12
    data = (tmp_path / "kb" / "data.nt").read_text(encoding="utf-8")
    assert not any(word in data for word in ("wikiPage", "abstract", "sameAs", "Thing>"))


@needs_oxigraph
def test_a_query(shell: Shell, tmp_path: Path) -> None:
    """What a CONSTRUCT query gives, with labels in the order of languages; its own property and class are kept."""
    query = tmp_path / "towns.rq"
    query.write_text(
        f"""# with a comment }}
        PREFIX wd: <{WD}> PREFIX wdt: <{WDT}> PREFIX ex: <https://towns.example/>
        CONSTRUCT {{ ?town a ex:Town ; ex:country ?land . ?town wdt:P571 ?begun }}
        WHERE {{ ?town wdt:P31 wd:Q100 ; wdt:P17 ?land OPTIONAL {{ ?town wdt:P571 ?begun }} FILTER("}}" != "{{") }}""",
        encoding="utf-8",
    )
    with oxigraph(_BINARY or "", tmp_path, WIKIDATA) as url:
        options = ("--languages", "fr", "--languages", "en", "--pause", "0")
        ran = shell("kb", "extract", url, "--query", str(query), "--out", str(tmp_path / "kb"), *options)
    assert ran.status == 0, ran.err
    assert '"Arbroi"' in (tmp_path / "kb" / "data.nt").read_text(encoding="utf-8")
    said = {"The country of Benholm is Scotland.": "supported", "Arbroi is a town.": "supported"}
    assert _labels(tmp_path / "kb", said) == said
    # A first of January without a precision may be any day of a century: it is no fact here.
    assert "1204" not in (tmp_path / "kb" / "data.nt").read_text(encoding="utf-8")


def _many(count: int) -> str:
    """A world of many towns."""
    towns = (
        f'wd:Q{1000 + n} rdfs:label "Town {n} of Arn"@en ; wdt:P31 wd:Q100 ; wdt:P17 wd:Q50 ; '
        f'wdt:P2046 "+{n}"^^xsd:decimal ; p:P2046 wds:m{n} . wds:m{n} wikibase:rank wikibase:NormalRank ; '
        f'ps:P2046 "+{n}"^^xsd:decimal ; psv:P2046 wdv:m{n} . wdv:m{n} wikibase:quantityAmount "+{n}"^^xsd:decimal ; '
        "wikibase:quantityUnit wd:Q712226 .\n"
        for n in range(1, count + 1)
    )
    return WIKIDATA + "".join(towns)


@needs_oxigraph
def test_killed_and_resumed(tmp_path: Path) -> None:
    """An extract that is killed again and again goes on, and ends with the bytes of one that was not."""
    with oxigraph(_BINARY or "", tmp_path, _many(120)) as url:
        made = extract(url, Extract(cls=TOWN), tmp_path / "whole" / "kb", pause=0)
        target = tmp_path / "killed" / "kb"
        command = [sys.executable, "-m", "imprimatur", "kb", "extract", url, "--class", TOWN, "--out", str(target)]
        for least in (3, 9, 16):
            running = subprocess.Popen([*command, "--pause", "0.1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while len(list((target / ".pages").glob("[0-9a-f]*"))) < least:
                assert running.poll() is None, running.stderr and running.stderr.read()
                time.sleep(0.01)
            os.kill(running.pid, signal.SIGKILL)
            running.communicate()
            assert not (target / "imprimatur.yaml").exists()
        assert _resumed(url, target) >= 16
    whole = _bytes(tmp_path / "whole" / "kb")
    assert whole == _bytes(target)
    assert made.things == 123
    assert b"Town 120 of Arn" in whole["data.nt"]


def _resumed(url: str, target: Path) -> int:
    """Ends an extract; how many answers were there already."""
    return extract(url, Extract(cls=TOWN), target, pause=0).kept


def _html(handler: Handler, _: str) -> None:
    reply(handler, b"<html>Service busy</html>", kind="text/html")


def _cut(handler: Handler, _: str) -> None:
    reply(handler, b'{"head": {"vars": []}, "results": {"bindings": [')


def _short(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/sparql-results+json")
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(rows())


def _busy(status: int, **headers: str) -> Callable[[Handler, str], None]:
    return lambda handler, _: reply(handler, b"busy", status=status, kind="text/plain", **headers)


def _slow(handler: Handler, _: str) -> None:
    time.sleep(1.5)


_FAULTS = (_busy(429, Retry_After="0"), _busy(503), _html, _cut, _short, _busy(500), _busy(504), _slow)


@pytest.mark.usefixtures("short_pauses")
def test_a_failing_endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults between any two answers change nothing in what comes out."""
    monkeypatch.setattr("imprimatur.ingest.extracts.asking._SECONDS", 1.0)
    right = loopback(_many(30))
    with served(right) as server:
        extract(server.url, Extract(cls=TOWN), tmp_path / "good" / "kb", pause=0)
    scripts = [script for fault in _FAULTS for script in (fault, right)]
    with served(Scripted(*scripts, right)) as server:
        extract(server.url, Extract(cls=TOWN), tmp_path / "bad" / "kb", pause=0)
    assert _bytes(tmp_path / "good" / "kb") == _bytes(tmp_path / "bad" / "kb")


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("fault", [_busy(429, Retry_After="0"), _busy(503), _html, _cut, _short])
def test_an_endpoint_that_goes_on_failing(fault: Callable[[Handler, str], None], tmp_path: Path) -> None:
    """It is an error in the end, nothing looks finished, and the answers that were whole are kept."""
    right = loopback(WIKIDATA)
    with (
        served(Scripted(right, right, right, fault)) as server,
        pytest.raises((StoreUnavailable, CheckFailed, LimitExceeded)),
    ):
        extract(server.url, Extract(cls=TOWN), tmp_path / "kb", pause=0)
    assert sorted(path.name for path in (tmp_path / "kb").iterdir()) == [".facts", ".pages"]
    with served(right) as server:
        extract(server.url, Extract(cls=TOWN), tmp_path / "kb", pause=0)
    assert _labels(tmp_path / "kb", {"Jo Tarn is the mayor of Arbroy.": ""}) == {
        "Jo Tarn is the mayor of Arbroy.": "supported"
    }


def test_a_limit_of_the_server(tmp_path: Path) -> None:
    """A server that gives fewer rows than it is asked for is asked for more until there are none."""
    right = loopback(_many(60))

    def capped(handler: Handler, query: str) -> None:
        head, _, tail = query.rpartition(" LIMIT ")
        count, _, offset = tail.partition(" OFFSET ")
        right(handler, f"{head} LIMIT {min(7, int(count))} OFFSET {offset or 0}")

    with served(right) as server:
        extract(server.url, Extract(cls=TOWN), tmp_path / "all" / "kb", pause=0)
    with served(capped) as server:
        extract(server.url, Extract(cls=TOWN), tmp_path / "few" / "kb", pause=0)
    assert _bytes(tmp_path / "all" / "kb")["data.nt"] == _bytes(tmp_path / "few" / "kb")["data.nt"]


@pytest.mark.usefixtures("short_pauses")
def test_too_much_at_once(tmp_path: Path) -> None:
    """Where a server cannot answer about many things at once it is asked about fewer; nothing else changes."""
    right = loopback(_many(30))

    def weak(handler: Handler, query: str) -> None:
        if query.partition("VALUES ?s { ")[2].partition("}")[0].count("<") > 6 and "?claim" in query:
            return reply(handler, b"too much", status=504, kind="text/plain")
        return right(handler, query)

    told: list[str] = []
    with served(right) as server:
        extract(server.url, Extract(cls=TOWN), tmp_path / "good" / "kb", pause=0, step=told.append)
    with served(weak) as server:
        extract(server.url, Extract(cls=TOWN), tmp_path / "weak" / "kb", pause=0)
    assert _bytes(tmp_path / "good" / "kb") == _bytes(tmp_path / "weak" / "kb")
    assert [each.partition(" facts")[0] for each in told[:2]] == ["20 things, 98", "33 things, 151"]
    assert told[0].endswith("/s")


def test_most_and_packing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most so many things are fetched, and a large file is packed, without a time in it."""
    monkeypatch.setattr("imprimatur.ingest.extracts.writing._LARGE", 100)
    with served(loopback(_many(30))) as server:
        for name in ("one", "two"):
            made = extract(server.url, Extract(cls=TOWN, most=5), tmp_path / name / "kb", pause=0)
            assert made.things == 5
    packed = (tmp_path / "one" / "kb" / "data.nt.gz").read_bytes()
    assert packed == (tmp_path / "two" / "kb" / "data.nt.gz").read_bytes()
    assert b"Arbroy" in gzip.decompress(packed)


def test_targets_and_nothing(tmp_path: Path) -> None:
    """A folder with something in it is left alone; nothing found is an error that leaves nothing."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    with served(loopback(WIKIDATA)) as server:
        with pytest.raises(KnowledgeBaseError, match="not empty"):
            extract(server.url, Extract(cls=TOWN), tmp_path / "full", pause=0)
        with pytest.raises(InputError, match="nothing of that"):
            extract(server.url, Extract(cls=WD + "Q404"), tmp_path / "none", pause=0)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    assert list((tmp_path / "none").iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?s WHERE { ?s ?p ?o }",
        "ASK { ?s ?p ?o }",
        "DESCRIBE <urn:x>",
        "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <http://other.example/> { ?s ?p ?o } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { { service silent <http://other.example/> { ?s ?p ?o } } }",
        "CONSTRUCT { ?s ?p ?o } FROM <urn:secret> WHERE { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p ?o } FROM NAMED <urn:secret> WHERE { GRAPH ?g { ?s ?p ?o } }",
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } ; DROP ALL",
        "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 5",
        "CONSTRUCT { _:b ?p ?o } WHERE { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p [] } WHERE { ?s ?p ?o }",
        "CONSTRUCT { <urn:a> <urn:b> <urn:c> } WHERE { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o \\u007d \\u0053ERVICE <http://x.example/> { ?s ?p ?o } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } } { ?s ?p ?o",
        "CONSTRUCT WHERE { ?s ?p ?o }",
        "",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p 'open }",
    ],
)
def test_queries_that_are_refused(text: str) -> None:
    """Only a plain CONSTRUCT is taken; what would write, ask elsewhere or cut a query short is an error with a hint."""
    with pytest.raises(InputError) as caught:
        read_construct(text, where="query.rq")
    assert caught.value.where == "query.rq"
