"""Endpoints that mislead: elsewhere, without end, in another form, incomplete, or with terms that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path

import pytest
from made_endpoint import JSON, NO_ROWS, loopback, reply, rows, served

from imprimatur.errors import CheckFailed, ImprimaturError, InputError, LimitExceeded, StoreUnavailable
from imprimatur.ingest.extracts.extracting import Extract
from imprimatur.ingest.extracts.writing import extract
from imprimatur.oracle import Oracle

Handler = BaseHTTPRequestHandler
_TOWN = "https://t.example/Town"
_TOWNS = f"""
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix t: <https://t.example/> .
t:Town rdfs:label "town" . t:mayor skos:prefLabel "mayor"@en . t:size rdfs:label "population"@en .
t:a a <{_TOWN}> ; rdfs:label "Arbroy" ; t:mayor t:jo ; t:size 5200 .
t:b__1 a <{_TOWN}> ; <http://xmlns.com/foaf/0.1/name> "Benholm"@en ; skos:altLabel "Benham"@en ; t:mayor t:max .
<urn:town:c> a <{_TOWN}> ; rdfs:label "Cairnie" ; t:mayor t:jo .
t:jo skos:prefLabel "Jo Tarn"@en, "Joe Tarn"@fr . t:max <https://schema.org/name> "Max Dale" .
"""


def _all_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_names_of_any_kind(tmp_path: Path) -> None:
    """Things are called by whatever names them, with or without a language; who cannot be asked about is told."""
    with served(loopback(_TOWNS)) as server:
        made = extract(server.url, Extract(cls=_TOWN), tmp_path / "kb", pause=0)
    assert (made.things, made.left_out) == (2, {"things whose IRIs are not of the web": 1})
    said = {
        "Jo Tarn is the mayor of Arbroy.": "supported",
        "Max Dale is the mayor of Benholm.": "supported",
        "The mayor of Benham is Max Dale.": "supported",
        "The mayor of Cairnie is Jo Tarn.": "not_found",
        "Max Dale is the mayor of Arbroy.": "not_found",
        "Joe Tarn is the mayor of Arbroy.": "not_found",
        "Arbroy is a town.": "supported",
    }
    oracle = Oracle.from_folder(tmp_path / "kb")
    assert {each: oracle.check(each).segments[0].label.value for each in said} == said


def _html(handler: Handler, _: str) -> None:
    reply(handler, b"<html>" + NO_ROWS, kind="text/html")


def _as_xml(handler: Handler, _: str) -> None:
    reply(handler, b'<sparql xmlns="http://www.w3.org/2005/sparql-results#"/>', kind="application/sparql-results+xml")


def _packed(handler: Handler, _: str) -> None:
    reply(handler, b"\x1f\x8b", Content_Encoding="gzip")


def _huge(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.end_headers()
    for _part in range(100):
        handler.wfile.write(b" " * (1 << 20))


def _deep(handler: Handler, _: str) -> None:
    reply(handler, b'{"head": {"vars": []}, "results": {"bindings": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}")


def _too_many(handler: Handler, _: str) -> None:
    reply(handler, rows(*({"s": {"type": "uri", "value": f"https://t.example/{n:06}"}} for n in range(1001))))


def _backwards(handler: Handler, _: str) -> None:
    reply(handler, rows(*({"s": {"type": "uri", "value": f"https://t.example/{9 - n}"}} for n in range(5))))


def _ending(iri: str) -> Callable[[Handler, str], None]:
    return lambda handler, _: reply(handler, rows({"s": {"type": "uri", "value": iri}}))


def _partly(status: int, **headers: str) -> Callable[[Handler, str], None]:
    right = rows({"s": {"type": "uri", "value": "https://t.example/a"}})
    return lambda handler, _: reply(handler, right, status=status, **headers)


_REPLIES = {
    "html": (_html, CheckFailed),
    "xml": (_as_xml, CheckFailed),
    "packed": (_packed, CheckFailed),
    "huge": (_huge, LimitExceeded),
    "deep": (_deep, CheckFailed),
    "more than asked for": (_too_many, CheckFailed),
    "in another order": (_backwards, CheckFailed),
    "an IRI that ends the query": (_ending('https://t.example/"> } ; DROP ALL #'), CheckFailed),
    "an IRI that ends the text": (_ending('https://t.example/" || true || "'), CheckFailed),
    "an IRI with an escape": (_ending("https://t.example/\\u0022"), CheckFailed),
    "an IRI with a line end": (_ending("https://t.example/\n"), CheckFailed),
    "a part": (_partly(206), StoreUnavailable),
    "a part that is called one": (_partly(200, X_SQL_State="S1TAT"), StoreUnavailable),
    "created": (_partly(201), StoreUnavailable),
}


@pytest.mark.parametrize("name", _REPLIES)
@pytest.mark.usefixtures("short_pauses")
def test_replies_that_are_none(name: str, tmp_path: Path) -> None:
    """Each is an error; nothing is made of it, and nothing that looks like a knowledge base is left."""
    answers, error = _REPLIES[name]
    with served(answers) as server:
        with pytest.raises(ImprimaturError) as caught:
            extract(server.url, Extract(cls=_TOWN), tmp_path / "kb", pause=0)
        asked = [query for _, query in server.seen]
    assert isinstance(caught.value, error)
    assert not any("DROP" in each or "||" in each for each in asked)
    assert not [name for name in _all_of(tmp_path / "kb") if not name.startswith(".")]
    assert (tmp_path / "kb" / ".facts").read_bytes() == b""


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects(status: int, tmp_path: Path) -> None:
    """No other address is asked, wherever the server points to."""
    with served(loopback(_TOWNS)) as other:
        sends = lambda handler, _: reply(handler, b"", status=status, Location=other.url)  # noqa: E731
        with served(sends) as server, pytest.raises(StoreUnavailable, match="elsewhere"):
            extract(server.url, Extract(cls=_TOWN), tmp_path / "kb", pause=0)
        assert other.seen == []


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "ftp://a.example/sparql",
        "http://me:secret@a.example/sparql",
        "http://a.example/ sparql",
        "http://a.example/sparql\r\nHost: b.example",
        "gopher://a.example",
        "sparql",
        "",
    ],
)
def test_addresses(address: str, tmp_path: Path) -> None:
    """What is no plain address of the web is refused before a folder is made; no password is repeated."""
    with pytest.raises(ImprimaturError) as caught:
        extract(address, Extract(cls=_TOWN), tmp_path / "kb", pause=0)
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_things_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that always has more things is not asked for ever."""
    monkeypatch.setattr("imprimatur.ingest.extracts.asking._MOST_THINGS", 50)
    numbers = count()

    def endless(handler: Handler, query: str) -> None:
        if "ORDER BY STR(?s) LIMIT" not in query:
            return reply(handler, NO_ROWS)
        some = [{"s": {"type": "uri", "value": f"https://t.example/{next(numbers):09}"}} for _ in range(7)]
        return reply(handler, rows(*some))

    with served(endless) as server, pytest.raises(LimitExceeded, match="more than 50 things"):
        extract(server.url, Extract(cls=_TOWN), tmp_path / "kb", pause=0)


@pytest.mark.parametrize("thing", ["https://t.example/a", "https://t.example/b__1"])
def test_facts_without_end(thing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that always has more facts of a thing, or more names."""
    monkeypatch.setattr("imprimatur.ingest.extracts.asking._MOST_ROWS", 3000)
    right = loopback(_TOWNS)

    def endless(handler: Handler, query: str) -> None:
        naming = "?name" in query
        if naming is thing.endswith("/a"):
            return right(handler, query)
        after = int(query.rpartition(" ")[2])
        name = {"type": "literal", "value": "x", "xml:lang": "en"}
        predicate = "http://www.w3.org/2000/01/rdf-schema#label" if naming else "https://t.example/p"
        subject = {"type": "uri", "value": json.loads(f'"{query.partition("<")[2].partition(">")[0]}"')}
        row = {"s": subject, "p": {"type": "uri", "value": predicate}, "name": name, "o": name}
        return reply(handler, rows(*({**row, "n": {"type": "literal", "value": str(after + n)}} for n in range(1000))))

    with served(endless) as server, pytest.raises(LimitExceeded, match="more than 3000"):
        extract(server.url, Extract(things=(thing,)), tmp_path / "kb", pause=0)


@pytest.mark.usefixtures("short_pauses")
def test_a_part_is_asked_for_in_parts(tmp_path: Path) -> None:
    """A server that stops queries about many things is asked about few, and what comes out is the same."""
    right = loopback(_TOWNS)

    def weak(handler: Handler, query: str) -> None:
        if query.partition("VALUES ?s { ")[2].partition("}")[0].count("<") > 1 and "?o" in query:
            return reply(handler, NO_ROWS, status=206)
        return right(handler, query)

    for name, answers in (("whole", right), ("parts", weak)):
        with served(answers) as server:
            extract(server.url, Extract(cls=_TOWN), tmp_path / name / "kb", pause=0)
    for name in _all_of(tmp_path / "whole"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()


def test_nothing_of_a_class(tmp_path: Path) -> None:
    """Where all things had to be left out, the error says so."""
    world = f"<urn:town:c> a <{_TOWN}> ."
    with served(loopback(world)) as server, pytest.raises(InputError, match="nothing of that") as caught:
        extract(server.url, Extract(cls=_TOWN), tmp_path / "kb", pause=0)
    assert "1 things whose IRIs are not of the web" in caught.value.hint
