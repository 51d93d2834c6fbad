"""A model on this machine: weights in a GGUF file, run by ``xllamacpp`` in this process; nothing is fetched.

Invariants: the file is the one that is named, and has the mark of its format; one thread unless more are configured;
weights are loaded with the first question, and one question is answered at a time; the library's own listener (on
this machine only) is closed to others by a random key; a call that is out of time is given up at the next token. What
it says of JSON follows a schema by construction, as far as it comes to its end.
"""

from __future__ import annotations

import queue
import secrets
import threading
import time
from collections.abc import Generator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from imprimatur.clock import given_up
from imprimatur.config import ModelConfig
from imprimatur.errors import ConfigError, LimitExceeded, ModelFailed
from imprimatur.models import answers
from imprimatur.models.asking import Completion, Prompt, Stream, Usage
from imprimatur.models.served import request_body

__all__ = ["LocalModel"]

_MAGIC = b"GGUF"
_HINT = "name a GGUF file that llama.cpp can read"


class LocalModel:
    """Runs the weights of one file. Safe in several threads, one after the other."""

    def __init__(self, config: ModelConfig) -> None:
        """Raises ConfigError: no such file, it is no GGUF file, or the library is not installed."""
        assert config.path is not None
        self.config = config
        self._path = _checked(config.path)
        if find_spec("xllamacpp") is None:
            raise ConfigError(
                "what runs models on this machine is not installed", hint="pip install 'imprimatur[local]'"
            )
        self._lock = threading.Lock()
        self._server: Any = None
        self._hash = ""

    @property
    def identity(self) -> str:
        """The file's name, and a hash of its bytes and the settings."""
        if not self._hash:
            self._hash = _hashed(
                self._path, [str(self.config.temperature), str(self.config.seed), str(self.config.window)]
            )
        return f"{self.config.name or self._path.name} ({self._hash})"

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``."""
        stream = self.stream(prompt, seconds=seconds)
        for _ in stream:
            pass
        assert stream.completion is not None
        return stream.completion

    def stream(self, prompt: Prompt, *, seconds: float | None = None) -> Stream:
        """See ``Streaming``."""
        return Stream(self._streamed(prompt, seconds))

    def _streamed(self, prompt: Prompt, seconds: float | None) -> Generator[str, None, Completion]:
        limit = self.config.limits.seconds
        with self._lock:
            server = self._loaded()
            ends = time.monotonic() + (limit if seconds is None else min(limit, seconds))
            work = _Work(server, request_body(prompt, self.config), ends)
            work.start()
            try:
                return (yield from work.parts())
            finally:
                work.end()

    def _loaded(self) -> Any:
        if self._server is None:
            self._server = _load(self._path, self.config)
        return self._server


class _Work(threading.Thread):
    """One question at work in a thread of its own; its chunks come through a queue, ``None`` being the last."""

    def __init__(self, server: Any, body: dict[str, Any], ends: float) -> None:
        super().__init__(daemon=True)
        self._server = server
        self._body = {**body, "stream": True, "stream_options": {"include_usage": True}}
        self._ends = ends
        self._over = threading.Event()
        self._chunks: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run(self) -> None:
        try:
            self._server.handle_chat_completions(self._body, self._take)
        except Exception as fault:  # whatever the library raises
            self._chunks.put(fault)
        self._chunks.put(None)

    def _take(self, chunk: Any) -> bool:
        """Keeps a chunk; whether the rest is to be given up."""
        self._chunks.put(chunk)
        return self._over.is_set() or time.monotonic() >= self._ends

    def end(self) -> None:
        """Gives up what is left, and waits until the library has."""
        self._over.set()
        self.join()

    def parts(self) -> Generator[str, None, Completion]:
        """The texts, and the whole."""
        texts, ended = list[str](), ""
        usage: Usage | None = None
        while not given_up() and (found := self._next()) is not None:
            text, finish, _, told = answers.chunk(found)
            if text:
                texts.append(text)
                yield text
            ended, usage = finish or ended, told or usage
        if not ended:
            raise LimitExceeded("was late", hint="raise `limits.seconds`, or ask for less")
        return Completion(text="".join(texts), finish=ended, usage=usage)

    def _next(self) -> Any:
        try:
            found = self._chunks.get(timeout=max(0.0, self._ends - time.monotonic()))
        except queue.Empty:
            raise LimitExceeded("was late", hint="raise `limits.seconds`, or ask for less") from None
        if isinstance(found, Exception) or (isinstance(found, dict) and "error" in found):
            raise ModelFailed("the model could not be run on this prompt", hint="is it longer than `window`?")
        return found


def _load(path: Path, config: ModelConfig) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = config.window
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = config.threads
    params.cpuparams_batch.n_threads = config.threads
    params.warmup = False
    params.verbosity = 0
    params.api_keys = [secrets.token_hex(32)]
    try:
        return xllamacpp.Server(params)
    except Exception as fault:
        message = f"the weights cannot be loaded: {type(fault).__name__}"
        raise ConfigError(message, where=str(path), hint=_HINT) from None


def _checked(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as fault:
        raise ConfigError(f"the weights cannot be read: {fault.strerror}", where=str(path), hint=_HINT) from fault
    if magic != _MAGIC:
        raise ConfigError("this is no GGUF file", where=str(path), hint=_HINT)
    return path


def _hashed(path: Path, settings: list[str]) -> str:
    digest = sha256("\n".join(settings).encode())
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:16]
