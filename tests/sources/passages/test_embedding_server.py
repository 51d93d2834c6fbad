"""Embeddings by a server that speaks the OpenAI protocol: order, prefixes, retries, and that the key stays secret."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from imprimatur.config import EmbedConfig, load_folder
from imprimatur.errors import CheckFailed, ConfigError, RuntimeFault, StoreUnavailable
from imprimatur.sources.passages.embedding import open_embedder
from imprimatur.sources.passages.embedding_server import EmbeddingServer

numpy = pytest.importorskip("numpy")
_KEY = "sk-very-secret"


class _Handler(BaseHTTPRequestHandler):
    """Answers by script: a status, or a body as it is; without one, a vector that tells the text's length."""

    script: ClassVar[list[int | bytes]] = []
    seen: ClassVar[list[tuple[str, dict[str, Any], str | None]]] = []

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((self.path, asked, self.headers["Authorization"]))
        step = self.script.pop(0) if self.script else 200
        status, body = (step, b"{}") if isinstance(step, int) else (200, step)
        if step == 200:
            rows = [{"index": k, "embedding": [float(len(text)), 1.0]} for k, text in enumerate(asked["input"])]
            body = json.dumps({"data": rows[::-1]}).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """A server's address."""
    server = HTTPServer(("127.0.0.1", 0), _Handler)
    _Handler.script, _Handler.seen = [], []
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def _open(url: str, **settings: Any) -> EmbeddingServer:
    config = EmbedConfig(url=url, name="e5", api_key=_KEY, timeout=2, **settings)
    return EmbeddingServer(config, sleep=lambda seconds: None)


def test_vectors_come_in_the_order_of_the_texts(url: str) -> None:
    """Whatever the order of the answer; each has length one; long lists are sent in parts."""
    texts = ["x" * (k % 7 + 1) for k in range(150)]
    found = list(_open(url).embed_all(texts))
    assert [round(float(vector[0] / vector[1])) for vector in found] == [len(text) for text in texts]
    assert all(math.isclose(float(numpy.linalg.norm(vector)), 1, rel_tol=1e-5) for vector in found)
    assert [len(asked["input"]) for _, asked, _ in _Handler.seen] == [64, 64, 22]
    assert {(path, asked["model"]) for path, asked, _ in _Handler.seen} == {("/v1/embeddings", "e5")}


def test_questions_and_passages_get_their_prefixes(url: str) -> None:
    """What a model wants before each stands before each, and is part of the fingerprint."""
    server = _open(url, query="query: ", passage="passage: ")
    server.embed_query("How long?")
    server.embed("It is long.")
    assert [asked["input"] for _, asked, _ in _Handler.seen] == [["query: How long?"], ["passage: It is long."]]
    assert server.fingerprint != _open(url).fingerprint


def test_a_busy_server_is_asked_again(url: str) -> None:
    """After 429 and 5xx, as often as allowed, and then it is an error that may be retried."""
    _Handler.script = [429, 503]
    assert _open(url).embed("a").shape == (2,)
    _Handler.script = [500, 500, 500]
    with pytest.raises(StoreUnavailable, match="status 500"):
        _open(url).embed("a")
    assert len(_Handler.seen) == 6


@pytest.mark.parametrize(
    "step",
    [
        401,
        404,
        302,
        b"no json",
        b"{}",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": "x"}]}',
        b'{"data": [{"index": 0, "embedding": [0, 0]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}',
        b"[" * 99999,
    ],
)
def test_a_wrong_answer_is_an_error_without_the_key(url: str, step: int | bytes) -> None:
    """Refusals, redirects and nonsense are told at once; the key stands in no message."""
    _Handler.script = [step]
    with pytest.raises(RuntimeFault) as caught:
        _open(url).embed("a")
    assert isinstance(caught.value, StoreUnavailable if isinstance(step, int) else CheckFailed)
    assert _KEY not in str(caught.value) + caught.value.hint + repr(caught.value.__cause__)
    assert len(_Handler.seen) == 1  # a redirect is not followed, an error not repeated
    assert _Handler.seen[0][2] == f"Bearer {_KEY}"


def test_a_server_that_is_not_there(url: str) -> None:
    """Nothing listens: the error says so, and names the host alone."""
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        _open("http://127.0.0.1:9/v1").embed("a")


def test_a_knowledge_base_names_a_server(tmp_path: Path, url: str) -> None:
    """`embed` may be a server with its key from the environment; the key is not shown."""
    (tmp_path / "imprimatur.yaml").write_text(
        f"version: 1\nembed: {{url: '{url}', name: e5, api_key: '${{KEY}}', query: 'query: '}}\n", encoding="utf-8"
    )
    config = load_folder(tmp_path, environ={"KEY": _KEY}).embed
    assert config is not None
    assert _KEY not in repr(config)
    assert open_embedder(config).embed_query("abc").shape == (2,)
    assert _Handler.seen[0][1]["input"] == ["query: abc"]


_HALF = (
    "https://example.org/v1",
    "{url: 'https://example.org/v1'}",
    "{name: e5}",
    "{folder: x, url: 'http://a', name: b}",
)


@pytest.mark.parametrize("embed", _HALF)
def test_half_a_server_is_refused(tmp_path: Path, embed: str) -> None:
    """An address without a model's name, a name without an address, or two models."""
    (tmp_path / "imprimatur.yaml").write_text(f"version: 1\nembed: {embed}\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        load_folder(tmp_path)
