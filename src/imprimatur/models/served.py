"""A model behind an address: the ``openai`` client, asked for OpenAI's protocol as every server speaks it.

Invariants: it goes to the configured address and nowhere else; 408, 409, 425, 429, 5xx and lost connections are tried
again while there is time; nothing that a server says of an error is repeated, and no error holds what the client
raised, so that the key cannot be in either; a stream is begun again only while nothing of it was given out. A server
that does not know an optional setting and says so is asked without it from then on.
"""

from __future__ import annotations

import json
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

from imprimatur.config import ModelConfig
from imprimatur.errors import ConfigError, ImprimaturError, LimitExceeded, ModelFailed, ShapeRefused, StoreUnavailable
from imprimatur.models import answers
from imprimatur.models.asking import Completion, Prompt, Shape, Stream, Usage
from imprimatur.models.mask import Mask, masked
from imprimatur.models.persist import MayPass, asked_pause, persist

__all__ = ["ServedModel", "request_body"]

_AGAIN = (408, 409, 425, 429, *range(500, 600))
#: Statuses with which servers refuse a form of answer that they do not know.
_REFUSED = (400, 404, 415, 422, 501)
_MOST = 1 << 20
_MOST_VECTORS = 64 << 20
_AT_ONCE = 64
_HINTS = {
    401: "check the key: `key_env` names the environment variable it is in, `key_file` the file",
    403: "check what the key is allowed to",
    404: "check `base_url` (it mostly ends with /v1) and `name`",
    429: "the server wants fewer requests, or the account has no credit left",
}
#: What may be left out of a request, or be called something else, where a server does not know it.
_OPTIONAL = {"temperature": None, "seed": None, "max_tokens": "max_completion_tokens", "stream_options": None}
_Got = TypeVar("_Got")


class ServedModel:
    """Asks a server; safe in several threads. Nothing is opened before the first question."""

    def __init__(self, config: ModelConfig) -> None:
        """Raises ConfigError: address or name are missing, the key cannot be had, or the client is not installed."""
        self.config = config
        self.url, self.name = _named(config)
        self._key = config.key.reveal() if config.key is not None else ""
        _installed()
        self._lock = threading.Lock()
        self._client: Any = None
        self._renamed: dict[str, str | None] = {}

    @property
    def identity(self) -> str:
        """The model's name, and a hash of all that its answers depend on as far as it is known."""
        said = [self.url, self.name, str(self.config.temperature), self.config.seed]
        return f"{self.name} ({sha256(json.dumps(said).encode()).hexdigest()[:16]})"

    def __repr__(self) -> str:
        return f"ServedModel({self.identity})"

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``."""
        ends = self._ends(seconds)

        def post() -> Completion:
            got = self._opened().chat.completions.with_raw_response.create(**self._body(prompt))
            return self._clean(answers.completion(answers.parsed(got.content)))

        tries = self.config.limits.tries
        return persist(lambda: self._tried(post, (ends, _MOST), prompt.shape), tries=tries, ends=ends)

    def stream(self, prompt: Prompt, *, seconds: float | None = None) -> Stream:
        """See ``Streaming``."""
        return Stream(self._streamed(prompt, seconds))

    def embed(self, texts: Sequence[str], *, seconds: float | None = None) -> list[tuple[float, ...]]:
        """See ``Embedding``."""
        ends, found = self._ends(seconds), list[tuple[float, ...]]()
        for at in range(0, len(texts), _AT_ONCE):
            batch = list(texts[at : at + _AT_ONCE])
            found += persist(lambda: self._vectors(batch, ends), tries=self.config.limits.tries, ends=ends)  # noqa: B023
        if len({len(each) for each in found}) > 1:
            raise ModelFailed("answered with vectors of different lengths", where=self._where)
        return found

    @property
    def _where(self) -> str:
        return f"the model {self.name}"

    def _ends(self, seconds: float | None) -> float:
        self._opened()  # loading the client takes a second, and none of the answer's time
        limit = self.config.limits.seconds
        return time.monotonic() + (limit if seconds is None else min(limit, seconds))

    def _vectors(self, batch: list[str], ends: float) -> list[tuple[float, ...]]:
        def post() -> list[tuple[float, ...]]:
            asked = {"model": self.name, "input": batch, "encoding_format": "float"}
            got = self._opened().embeddings.with_raw_response.create(**asked)
            return answers.vectors(answers.parsed(got.content), len(batch))

        return self._tried(post, (ends, _MOST_VECTORS))

    def _streamed(self, prompt: Prompt, seconds: float | None) -> Generator[str, None, Completion]:
        ends = self._ends(seconds)
        bounds = (ends, _MOST)
        tries = self.config.limits.tries
        first, chunks = persist(lambda: self._begun(prompt, bounds), tries=tries, ends=ends)
        try:
            return self._clean((yield from _gathered(self._chunks(first, chunks, bounds), Mask(self._key))))
        finally:
            with suppress(Exception):  # what cannot be closed any more is closed
                chunks.close()

    def _begun(self, prompt: Prompt, bounds: tuple[float, int]) -> tuple[Any, Any]:
        """The first chunk of a stream, and the stream."""

        def begin() -> tuple[Any, Any]:
            told = {} if "stream_options" in self._renamed else {"stream_options": {"include_usage": True}}
            body = {**self._body(prompt), "stream": True, **told}
            chunks = self._opened().chat.completions.create(**body)
            return next(chunks, None), chunks

        return self._tried(begin, bounds, prompt.shape)

    def _chunks(self, first: Any, chunks: Any, bounds: tuple[float, int]) -> Iterator[answers.Chunk]:
        """The parts of all chunks. What fails now cannot be asked again."""
        following = first
        while following is not None:
            yield answers.chunk(following.model_dump(warnings=False))
            try:
                following = self._tried(lambda: next(chunks, None), bounds)
            except MayPass as passing:
                fault = passing.fault
            else:
                continue
            raise fault

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        """The request, with its settings under the names that the server knows; without those that it does not."""
        said = {self._renamed.get(name, name): value for name, value in request_body(prompt, self.config).items()}
        return {"model": self.name, **{name: value for name, value in said.items() if name is not None}}

    def _tried(self, ask: Callable[[], _Got], bounds: tuple[float, int], shape: Shape | None = None) -> _Got:
        """What the client gives; its errors as ours, once more where the server only minds an optional setting."""
        from imprimatur.models.transport import within

        for _ in range(len(_OPTIONAL) + 1):
            try:
                with within(*bounds):
                    return ask()
            except Exception as fault:  # whatever the client and what it stands on raise
                failure = None if self._minded(fault) else self._failure(fault, bounds[0], shape)
            if failure is not None:
                raise failure
        raise ModelFailed("minds every setting", where=self._where)

    def _minded(self, fault: Exception) -> bool:
        """Whether the server refuses an optional setting by name; it is left out, or called otherwise, from now on."""
        if getattr(fault, "status_code", None) not in (400, 422):
            return False
        told = answers.error(getattr(fault, "body", None))
        name = told.get("param")
        if name in self._renamed.values():
            name = next(given for given, known in self._renamed.items() if known == name)
        if not isinstance(name, str) or name not in _OPTIONAL or self._renamed.get(name, name) is None:
            return False
        self._renamed[name] = None if name in self._renamed else _OPTIONAL[name]
        return True

    def _failure(self, fault: Exception, ends: float, shape: Shape | None) -> Exception:
        import openai

        inner = _within(fault)
        if inner is not None:
            return type(inner)(inner.message, where=self._where, hint=inner.hint)
        if isinstance(fault, openai.APITimeoutError) or time.monotonic() >= ends:
            return LimitExceeded("was late", where=self._where, hint="raise `limits.seconds`, or ask for less")
        if isinstance(fault, openai.APIStatusError):
            return self._status(fault, shape)
        if isinstance(fault, openai.APIConnectionError | ConnectionError | OSError) or _lost(fault):
            message, hint = f"cannot be reached: {_root(fault)}", "check `base_url`, and that the server is running"
            return MayPass(StoreUnavailable(message, where=self._where, hint=hint))
        return ModelFailed("answered with something that is no completion", where=self._where)

    def _status(self, fault: Any, shape: Shape | None) -> Exception:
        status = fault.status_code
        message, hint = f"answered with status {status}", _HINTS.get(status, "")
        if status in _AGAIN and not (status == 501 and shape):
            return MayPass(ModelFailed(message, where=self._where, hint=hint), asked_pause(fault.response.headers))
        kind = ShapeRefused if shape is not None and status in _REFUSED else ModelFailed
        return kind(message, where=self._where, hint=hint)

    def _clean(self, said: Completion) -> Completion:
        """The completion with stars in the key's place, which escapes of JSON may have hidden until now."""
        text, finish, refusal = (masked(each, self._key) for each in (said.text, said.finish, said.refusal))
        return replace(said, text=text, finish=finish, refusal=refusal)

    def _opened(self) -> Any:
        with self._lock:
            if self._client is None:
                from imprimatur.models.transport import client

                self._client = client(self.url, self._key)
                weakref.finalize(self, self._client.close)
            return self._client

    def close(self) -> None:
        """Closes all connections; the next question opens new ones."""
        with self._lock:
            found, self._client = self._client, None
        if found is not None:
            found.close()


def _named(config: ModelConfig) -> tuple[str, str]:
    if config.base_url is None:
        raise ConfigError("`base_url` is missing", where=config.where, hint="for instance http://localhost:8000/v1")
    if not config.name:
        raise ConfigError("`name` is missing", where=config.where, hint="the name by which the server knows the model")
    return config.base_url, config.name


def _installed() -> None:
    from importlib.util import find_spec

    if find_spec("openai") is None:
        raise ConfigError("the client for models' servers is not installed", hint="pip install 'imprimatur[models]'")


def request_body(prompt: Prompt, config: ModelConfig) -> dict[str, Any]:
    """What OpenAI's protocol says for a prompt, without the model's name; what is None is left to the server."""
    settings = {
        "temperature": None if config.temperature is None else float(config.temperature),
        "seed": config.seed,
        "max_tokens": prompt.tokens or config.limits.answer_tokens,
        "response_format": None if prompt.shape is None else _format(prompt.shape),
    }
    # No request can carry half of a surrogate pair.
    texts = [(message.role, message.content.encode("utf-8", "replace").decode()) for message in prompt.messages]
    messages = [{"role": role, "content": text} for role, text in texts]
    return {"messages": messages, **{name: value for name, value in settings.items() if value is not None}}


def _format(shape: Shape) -> dict[str, Any]:
    if shape.schema is None:
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": shape.name, "strict": True, "schema": dict(shape.schema)}}


def _gathered(chunks: Iterator[answers.Chunk], mask: Mask[str]) -> Generator[str, None, Completion]:
    """The texts of a stream; and, when it has ended as it should, all of it."""
    texts, refusals, ended = list[str](), list[str](), ""
    usage: Usage | None = None
    for text, finish, refusal, told in chunks:
        texts.append(text)
        if clean := mask.feed(text):
            yield clean
        refusals.append(refusal)
        ended, usage = finish or ended, told or usage
    if rest := mask.rest():
        yield rest
    if not ended:
        raise ModelFailed("ended before the end of its answer", hint="ask again")
    return Completion(text="".join(texts), finish=ended, refusal="".join(refusals), usage=usage)


def _chain(fault: BaseException) -> Iterator[BaseException]:
    """An exception and what it came of."""
    seen: BaseException | None = fault
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _within(fault: Exception) -> ImprimaturError | None:
    """Our own error, where the client has wrapped it."""
    return next((each for each in _chain(fault) if isinstance(each, ImprimaturError)), None)


def _root(fault: Exception) -> str:
    """The name of the system's error at the root; else of the connection's."""
    chain = list(_chain(fault))
    found = next((each for each in reversed(chain) if isinstance(each, OSError)), chain[-1])
    return type(found).__name__


def _lost(fault: Exception) -> bool:
    import httpx2

    return any(isinstance(each, httpx2.TransportError) for each in _chain(fault))
