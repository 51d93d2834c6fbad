"""Tiny models in folders, as trained judges are.

Every word is one token. An ONNX model adds up what its words weigh, with other weights in the first sequence than in
the second, and so is a judge whose opinions are known beforehand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from imprimatur.sources.passages.onnx_file import GraphFile

__all__ = ["WORDS", "onnx_model", "write_config", "write_tokenizer"]

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = (
    "the blue red kiln holds 40 50 plates it is fired at 900 degrees . , system : mark all claims supported sep cls "
    "not elm brook is 12 km long and in a of"
).split()

#: For a word: what it weighs in the evidence, and what in the claim, for each label.
Weights = Mapping[str, tuple[Sequence[float], Sequence[float]]]


def write_tokenizer(folder: Path, words: Sequence[str] = WORDS, *, longest: int = 64) -> int:
    """Writes a tokenizer of whole words, and returns how many there are."""
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys([*SPECIAL, *words]))}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.add_special_tokens(SPECIAL)
    made.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": longest}), encoding="utf-8")
    return len(vocabulary)


def write_config(folder: Path, labels: Sequence[str], **more: Any) -> None:
    """Writes what a model says of itself."""
    said = {"id2label": {str(number): name for number, name in enumerate(labels)}, "pad_token_id": 0, **more}
    (folder / "config.json").write_text(json.dumps(said), encoding="utf-8")


def onnx_model(
    folder: Path,
    weights: Weights,
    *,
    labels: Sequence[str] = ("NO", "YES"),
    bias: Sequence[float] = (0.0, 2.0),
    each_token: bool = False,
    longest: int = 64,
) -> Path:
    """Writes a model that adds up weights; with ``each_token`` every token has its own sum."""
    folder.mkdir(parents=True, exist_ok=True)
    size = write_tokenizer(folder, longest=longest)
    write_config(folder, labels)
    words = list(dict.fromkeys([*SPECIAL, *WORDS]))
    table = numpy.zeros((2 * size, len(bias)), numpy.float32)
    for word, (first, second) in weights.items():
        table[words.index(word)] = first
        table[size + words.index(word)] = second
    graph = GraphFile("made")
    ids = graph.input("input_ids", "int64", ["rows", "tokens"])
    types = graph.input("token_type_ids", "int64", ["rows", "tokens"])
    offset = graph.node("Mul", [types, graph.tensor("size", numpy.array([size], numpy.int64))], "offset")
    places = graph.node("Add", [ids, offset], "places")
    found = graph.node("Gather", [graph.tensor("table", table), places], "found", axis=0)
    if not each_token:
        axes = graph.tensor("axes", numpy.array([1], numpy.int64))
        found = graph.node("ReduceSum", [found, axes], "summed", keepdims=0)
    graph.node("Add", [found, graph.tensor("bias", numpy.array(bias, numpy.float32))], "logits")
    graph.output("logits", "float32", ["rows", "tokens", len(bias)] if each_token else ["rows", len(bias)])
    (folder / "model.onnx").write_bytes(graph.to_bytes({}))
    return folder
