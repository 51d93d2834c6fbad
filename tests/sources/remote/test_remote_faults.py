"""Servers that are slow, broken or hostile: an error that says so, in time, and never a part of an answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from made_endpoint import JSON, NO_ROWS, Scripted, reply, rows, served

from imprimatur.errors import CheckFailed, ConfigError, ImprimaturError, LimitExceeded, StoreUnavailable
from imprimatur.sources.remote.endpoint import Endpoint
from imprimatur.sources.remote.settings import Limits, Remote

Handler = BaseHTTPRequestHandler
WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
LIMITS = Limits(pause=0.0, seconds=1.0, total=4.0, tries=2, most_bytes=100_000, page=10, rows=40)
IRI = {"type": "uri", "value": WD + "Q2"}


def _drip(handler: Handler, _: str) -> None:
    """A byte now and then, without an end."""
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.end_headers()
    for _number in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def _drip_headers(handler: Handler, _: str) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(200):
        handler.wfile.write(f"X-{number}: y\r\n".encode())
        handler.wfile.flush()
        time.sleep(0.1)


def _silent(handler: Handler, _: str) -> None:
    time.sleep(3)


def _half(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.send_header("Content-Length", "500")
    handler.end_headers()
    handler.wfile.write(NO_ROWS)


def _half_chunked(handler: Handler, _: str) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: " + JSON.encode())
    handler.wfile.write(b"\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{")


def _cut_json(handler: Handler, _: str) -> None:
    reply(handler, NO_ROWS[:-2])


def _huge(handler: Handler, _: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.end_headers()
    for _number in range(4000):
        handler.wfile.write(b" " * 10_000)


def _nonsense(handler: Handler, _: str) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH\r\n")


def _many_headers(handler: Handler, _: str) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n")


def _says(body: bytes, **more: object) -> Callable[[Handler, str], None]:
    def answers(handler: Handler, _: str) -> None:
        reply(handler, body, **more)  # type: ignore[arg-type]

    return answers


FAULTS: dict[str, tuple[Callable[[Handler, str], None], type[ImprimaturError]]] = {
    "drip": (_drip, StoreUnavailable),
    "dripping headers": (_drip_headers, StoreUnavailable),
    "silent": (_silent, StoreUnavailable),
    "half": (_half, StoreUnavailable),
    "half chunked": (_half_chunked, StoreUnavailable),
    "nonsense": (_nonsense, StoreUnavailable),
    "many headers": (_many_headers, StoreUnavailable),
    "cut JSON": (_cut_json, CheckFailed),
    "huge": (_huge, LimitExceeded),
    "HTML": (_says(b"<html>busy</html>", kind="text/html"), CheckFailed),
    "HTML as JSON": (_says(b"<html>busy</html>"), CheckFailed),
    "no type": (_says(NO_ROWS, kind=""), CheckFailed),
    "XML results": (_says(b"<sparql/>", kind="application/sparql-results+xml"), CheckFailed),
    "compressed": (_says(b"\x1f\x8b", Content_Encoding="gzip"), CheckFailed),
    "a list": (_says(b"[]"), CheckFailed),
    "a boolean": (_says(b'{"head": {}, "boolean": true}'), CheckFailed),
    "deep": (_says(b"[" * 50_000), CheckFailed),
    "not UTF-8": (_says(b'{"head": \xff'), CheckFailed),
    "no rows": (_says(b'{"head": {"vars": []}, "results": {"bindings": [5]}}'), CheckFailed),
    "more rows": (_says(rows(*[{"p": {"type": "uri", "value": WDT + "P1"}, "o": IRI}] * 11)), CheckFailed),
    "no terms": (_says(rows({"p": {"type": "thing", "value": "x"}})), CheckFailed),
    "half a pair": (_says(rows({"p": {"type": "uri", "value": "\ud800"}, "o": IRI})), CheckFailed),
    "a foreign property": (
        _says(rows({"p": {"type": "uri", "value": "http://www.w3.org/2002/07/owl#sameAs"}, "o": IRI})),
        CheckFailed,
    ),
    "a label for a fact": (
        _says(rows({"p": {"type": "uri", "value": "http://www.w3.org/2000/01/rdf-schema#label"}, "o": IRI})),
        CheckFailed,
    ),
    "a foreign thing": (
        _says(rows({"p": {"type": "uri", "value": WDT + "P1"}, "o": {"type": "uri", "value": "http://evil.example/"}})),
        CheckFailed,
    ),
    "400": (_says(b"", status=400), StoreUnavailable),
    "403": (_says(b"", status=403), StoreUnavailable),
    "204": (_says(b"", status=204), StoreUnavailable),
    "500": (_says(b"", status=500), StoreUnavailable),
    "503": (_says(b"", status=503, Retry_After="0"), StoreUnavailable),
    "redirect": (_says(b"", status=302, Location="http://127.0.0.1:9/"), StoreUnavailable),
    "redirect to itself": (_says(b"", status=307, Location="/sparql"), StoreUnavailable),
    "endless pages": (
        lambda handler, query: reply(handler, rows(*[{"p": {"type": "uri", "value": WDT + "P1"}, "o": IRI}] * 10)),
        LimitExceeded,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_server_is_an_error_in_time(name: str, tmp_path: Path) -> None:
    """Of the right kind, within the limits, with nothing kept and nothing of what the server sent in it."""
    answers, kind = FAULTS[name]
    with served(answers) as server:
        endpoint = Endpoint(Remote(url=server.url, limits=LIMITS, cache=tmp_path))
        before = time.monotonic()
        with pytest.raises(kind) as caught:
            endpoint.facts(WD + "Q1")
        assert time.monotonic() - before < LIMITS.total + 1
    assert "busy" not in str(caught.value) + caught.value.hint
    if name != "endless pages":
        assert list(tmp_path.iterdir()) == []


def test_what_passes_is_asked_again(tmp_path: Path) -> None:
    """After a pause that the server asks for, or one that grows; what is refused for good is not."""
    fact = rows({"p": {"type": "uri", "value": WDT + "P1"}, "o": IRI})
    limited = _says(b"", status=429, Retry_After="1")
    for first in (limited, _says(b"", status=500), _half):
        scripts = Scripted(first, _says(fact))
        with served(scripts) as server:
            before = time.monotonic()
            found = Endpoint(Remote(url=server.url, limits=LIMITS)).facts(WD + "Q1")
            waited = time.monotonic() - before
        assert (len(found), scripts.calls) == (1, 2)
        assert waited >= (1.0 if first is limited else 0.4)
    refusing = Scripted(_says(b"", status=403), _says(fact))
    with served(refusing) as server, pytest.raises(StoreUnavailable, match="403"):
        Endpoint(Remote(url=server.url, limits=LIMITS)).facts(WD + "Q1")
    assert refusing.calls == 1


@pytest.mark.parametrize("after", ["3600", "Fri, 31 Dec 2999 23:59:59 GMT"])
def test_a_pause_beyond_the_time_is_not_waited_for(after: str) -> None:
    """The error says that there was no time."""
    with served(_says(b"", status=429, Retry_After=after)) as server:
        before = time.monotonic()
        with pytest.raises(LimitExceeded, match="429"):
            Endpoint(Remote(url=server.url, limits=LIMITS)).facts(WD + "Q1")
        assert time.monotonic() - before < 2


def test_a_redirect_reaches_no_other_server() -> None:
    """Where a server sends to is never asked."""
    with served(_says(NO_ROWS)) as other:
        with served(_says(b"", status=301, Location=other.url)) as server, pytest.raises(StoreUnavailable):
            Endpoint(Remote(url=server.url, limits=LIMITS)).facts(WD + "Q1")
        assert other.seen == []


def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests go to the address that was named."""
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    with served(_says(NO_ROWS)) as server:
        assert Endpoint(Remote(url=server.url, limits=LIMITS)).facts(WD + "Q1") == ()


def test_a_server_that_is_not_there() -> None:
    """An error that may pass."""
    with served(_says(NO_ROWS)) as server:
        url = server.url
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        Endpoint(Remote(url=url, limits=LIMITS)).facts(WD + "Q1")


def test_requests_keep_a_distance() -> None:
    """The first is sent at once, each other one a pause after the one before."""
    slept: list[float] = []
    with served(_says(NO_ROWS)) as server:
        limits = replace(LIMITS, pause=30.0)
        endpoint = Endpoint(Remote(url=server.url, limits=limits), sleep=slept.append)
        for number in range(3):
            endpoint.facts(f"{WD}Q{number}")
    assert [round(each) for each in slept] == [30, 60]


@pytest.mark.parametrize(
    "url",
    [
        *("", "query.wikidata.org/sparql", "ftp://x/", "file:///etc/passwd", "http://", "http:///sparql"),
        *(
            "http://user:hunter2@x/",
            "http://x y/",
            "http://x/\r\nHost: y",
            "http://x:99999/",
            "http://[::1",
            "http://ä.example/",
        ),
    ],
)
def test_addresses_that_may_not_be_asked(url: str) -> None:
    """Told before anything is sent, without the password."""
    with pytest.raises(ConfigError) as caught:
        Endpoint(Remote(url=url))
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("more", [{"languages": ('en" ',)}, {"languages": ()}, {"agent": "a\r\nX: y"}, {"agent": ""}])
def test_settings_that_would_change_a_query_or_a_header(more: dict[str, object]) -> None:
    """They are refused."""
    with pytest.raises(ConfigError):
        Endpoint(replace(Remote(url="http://127.0.0.1/"), **more))  # type: ignore[arg-type]
