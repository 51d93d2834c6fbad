"""Texts as vectors, by a server that speaks the OpenAI protocol (``POST …/embeddings``; implements ``Embeds``).

Contract: the key goes into the request's header and nowhere else, into no error and no report; redirects are not
followed, so that it reaches no other server. A server that cannot be reached, or that refuses for a while (429, 5xx),
is asked again after a pause, ``retries`` times; then ``StoreUnavailable`` says so. The fingerprint names server, model
and what stands before the texts: what weights the server runs cannot be seen from here.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from imprimatur.config import EmbedConfig
from imprimatur.errors import CheckFailed, ConfigError, StoreUnavailable

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["EmbeddingServer"]

_BATCH = 64
_MOST_CHARACTERS = 30_000
_MOST_BYTES = 256 << 20
_PAUSE = 0.5


class _Busy(Exception):
    """The server may answer later; says why it did not now."""


class EmbeddingServer:
    """A server's model; it may be used by several threads."""

    def __init__(self, config: EmbedConfig, *, sleep: Callable[[float], None] = time.sleep) -> None:
        """Opens nothing yet. Raises ConfigError where numpy is not installed or the address is none."""
        if find_spec("numpy") is None:
            raise ConfigError("embeddings cannot be used here", hint="pip install 'imprimatur[embeddings]'")
        self._config, self._sleep = config, sleep
        self._address = urlsplit((config.url or "").rstrip("/") + "/embeddings")
        if self._address.scheme not in ("http", "https") or not self._address.hostname:
            raise ConfigError("the embedding server has no web address", hint="for instance http://localhost:8000/v1")
        self.name = config.name
        told = (self._address.geturl(), config.name, config.query, config.passage)
        self.fingerprint = sha256("\0".join(told).encode()).hexdigest()

    def embed(self, text: str) -> Array:
        """The vector of a passage or fact. Raises StoreUnavailable or CheckFailed where there is none."""
        return self._asked([self._config.passage + text])[0]

    def embed_query(self, text: str) -> Array:
        """The vector of a question; raises as ``embed``."""
        return self._asked([self._config.query + text])[0]

    def embed_all(self, texts: Iterable[str]) -> Iterator[Array]:
        """The vectors of texts, in order; raises as ``embed``."""
        batch: list[str] = []
        for text in texts:
            batch.append(self._config.passage + text)
            if len(batch) == _BATCH:
                yield from self._asked(batch)
                batch = []
        if batch:
            yield from self._asked(batch)

    def _asked(self, texts: Sequence[str]) -> list[Array]:
        given = {"model": self.name, "input": [text[:_MOST_CHARACTERS] for text in texts], "encoding_format": "float"}
        body = json.dumps(given).encode()
        for attempt in range(self._config.retries + 1):
            try:
                return _vectors(self._post(body), len(texts))
            except _Busy as fault:
                if attempt == self._config.retries:
                    raise StoreUnavailable(f"the embedding server {fault}", where=self._where) from None
                self._sleep(_PAUSE * 2**attempt)
        raise AssertionError("unreachable")

    @property
    def _where(self) -> str:
        return f"{self._address.scheme}://{self._address.hostname}"

    def _post(self, body: bytes) -> bytes:
        address = self._address
        kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
        connection = kind(address.hostname or "", address.port, timeout=self._config.timeout)
        headers = {"Content-Type": "application/json"}
        if self._config.api_key:
            headers["Authorization"] = f"Bearer {self._config.api_key}"
        try:
            connection.request("POST", address.path, body, headers)
            answer = connection.getresponse()
            content = answer.read(_MOST_BYTES)
        except (OSError, HTTPException) as fault:
            raise _Busy(f"cannot be reached ({type(fault).__name__})") from None
        finally:
            connection.close()
        if answer.status == 429 or answer.status >= 500:
            raise _Busy(f"answers with status {answer.status}")
        if answer.status != 200:
            hint = "check url, name and api_key under `embed`"
            raise StoreUnavailable(
                f"the embedding server answers with status {answer.status}", where=self._where, hint=hint
            )
        return content


def _vectors(content: bytes, count: int) -> list[Array]:
    """The vectors in a server's answer, of length one, in the order of the texts. Raises CheckFailed."""
    import numpy

    try:
        rows = sorted(json.loads(content)["data"], key=lambda row: int(row["index"]))
        found = [numpy.array(row["embedding"], numpy.float32) for row in rows]
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise CheckFailed(f"the embedding server's answer cannot be read ({type(fault).__name__})") from None
    if len(found) != count or len({vector.shape for vector in found}) != 1 or found[0].ndim != 1:
        raise CheckFailed("the embedding server gave other vectors than it was asked for")
    lengths = [float(numpy.linalg.norm(vector)) for vector in found]
    if not all(math.isfinite(length) and length > 0 for length in lengths):
        raise CheckFailed("the embedding server gave no vector")
    return [vector / length for vector, length in zip(found, lengths)]
