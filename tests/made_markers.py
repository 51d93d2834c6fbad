"""Tiny GLiNER and GLiNER2 checkpoints with random weights, made on the spot; and a marker that marks what it is told.

The random ones show that models are opened, asked and read as they should be; what they mark means nothing.
"""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from imprimatur.extractors.markers import Marks

__all__ = ["MISSING", "Told", "gliner2_folder", "gliner_folder"]

#: What is not installed of the extra ``gliner``.
MISSING = [name for name in ("torch", "gliner", "gliner2") if importlib.util.find_spec(name) is None]
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?'\"()-&$%/"


class Told:
    """A marker that marks the words that it is told, wherever they stand (implements ``markers.Marker``)."""

    def __init__(self, names: dict[str, str], related: Sequence[tuple[str, str, str]] | None = None) -> None:
        self.relates = related is not None
        self.names = names
        self.related = related or ()
        self.asked: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []

    def mark(self, text: str, labels: Sequence[str], relations: Sequence[str]) -> Marks:
        """The first place of each of the words."""
        self.asked.append((text, tuple(labels), tuple(relations)))
        found = {words: text.find(words) for words in self.names}
        spans = {words: (at, at + len(words)) for words, at in found.items() if at >= 0}
        return Marks(
            tuple((span, self.names[words]) for words, span in spans.items()),
            tuple((spans[a], label, spans[b]) for a, label, b in self.related if a in spans and b in spans),
        )


def _encoder(folder: Path) -> tuple[Any, Any]:
    """A BERT of one layer whose words are made of letters."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    torch.manual_seed(1)
    words = [*_SPECIAL, *_SIGNS, *(f"##{sign}" for sign in _SIGNS)]
    known = {word: number for number, word in enumerate(words)}
    made = Tokenizer(models.WordPiece(known, unk_token="[UNK]", max_input_chars_per_word=50))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", known["[CLS]"]), ("[SEP]", known["[SEP]"])]
    )
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), _SPECIAL, strict=True))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=512, **names)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=512,
    )
    tokenizer.save_pretrained(folder)
    transformers.BertModel(config).save_pretrained(folder)
    return tokenizer, config


def gliner_folder(folder: Path, *, relations: bool = False) -> Path:
    """A checkpoint of the package ``gliner``, with or without a layer for relations."""
    from gliner import GLiNER, GLiNERConfig

    with tempfile.TemporaryDirectory() as encoder:
        _encoder(Path(encoder))
        config = GLiNERConfig(
            model_name=encoder,
            hidden_size=32,
            max_width=6,
            max_len=100,
            dropout=0.0,
            span_mode="markerV0",
            relations_layer="dot" if relations else None,
        )
        model = GLiNER.from_config(config, backbone_from_pretrained=False)
        model.save_pretrained(folder, safe_serialization=True)
    return folder


def gliner2_folder(folder: Path) -> Path:
    """A checkpoint of the package ``gliner2``."""
    from gliner2 import ExtractorConfig, GLiNER2

    with tempfile.TemporaryDirectory() as encoder:
        tokenizer, config = _encoder(Path(encoder))
        settings = ExtractorConfig(model_name=encoder, max_width=6)
        GLiNER2(settings, encoder_config=config, tokenizer=tokenizer).save_pretrained(folder)
    return folder
