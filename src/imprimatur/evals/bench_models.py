"""What reading the same text costs with models: GLiNER and a ModernBERT token classifier, on one core.

The models have the published architectures and random weights, for the work does not depend on what the weights are;
nothing is downloaded. Words are single tokens here, where the published vocabularies cut many of them up: so the models
do less than they would, and the ratios bound the cost from below. Both only mark words; neither judges anything.

Needs the extra ``encoders``; without it there are no rows, and ``missing`` says so.
"""

from __future__ import annotations

import importlib.util
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["CLASSIFIER", "cost", "missing", "modern_bert_cost"]

_WORDS = re.compile(r"\w+|[^\w\s]")
#: The architecture of microsoft/deberta-v3-base, on which gliner_medium-v2.1 stands.
_DEBERTA = {
    "vocab_size": 128_100,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "relative_attention": True,
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "pos_att_type": ["p2c", "c2p"],
    "max_relative_positions": -1,
    "position_biased_input": False,
    "type_vocab_size": 0,
}
_LABELS = ["river", "state", "length"]
_NEEDED = ("torch", "transformers", "gliner")
#: What the classifier needs by itself.
CLASSIFIER = _NEEDED[:2]
_WARM = 3


def missing(needed: Sequence[str] = _NEEDED) -> str:
    """What is to be installed before there are figures; empty when nothing is."""
    lacking = [name for name in needed if importlib.util.find_spec(name) is None]
    return f"install {', '.join(lacking)}: pip install 'imprimatur[encoders]'" if lacking else ""


def cost(sentences: Sequence[str]) -> dict[str, float]:
    """The median seconds that each model takes for one sentence, on one core."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder, torch.inference_mode():
        models = {
            "GLiNER (medium, DeBERTa-v3-base)": _gliner(sentences, Path(folder)),
            "a ModernBERT-base token classifier": _modern_bert(),
        }
        return {name: _median(run, sentences) for name, run in models.items()}


def modern_bert_cost(texts: Sequence[str]) -> float:
    """The median seconds of processor time that one pass of the ModernBERT token classifier takes for a text."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    with torch.inference_mode():
        return _median(_modern_bert(), texts, clock=time.process_time)


def _median(
    run: Callable[[str], object], sentences: Sequence[str], *, clock: Callable[[], float] = time.perf_counter
) -> float:
    for sentence in sentences[:_WARM]:
        run(sentence)
    times = []
    for sentence in sentences:
        start = clock()
        run(sentence)
        times.append(clock() - start)
    return median(times)


def _modern_bert() -> Callable[[str], object]:
    import torch
    from transformers import ModernBertConfig, ModernBertForTokenClassification

    config = ModernBertConfig(num_labels=2)  # the defaults are those of the base model
    model = ModernBertForTokenClassification(config).eval()

    def run(sentence: str) -> object:
        words = len(_WORDS.findall(sentence)) + 2
        return model(input_ids=torch.randint(10, config.vocab_size, (1, words))).logits

    return run


def _gliner(sentences: Sequence[str], folder: Path) -> Callable[[str], object]:
    from gliner import GLiNER, GLiNERConfig
    from transformers import DebertaV2Config

    encoder = folder / "encoder"
    _tokenizer(sentences).save_pretrained(encoder)
    DebertaV2Config(**_DEBERTA).save_pretrained(encoder)
    config = GLiNERConfig(model_name=str(encoder), hidden_size=512, max_width=12, max_len=384, span_mode="markerV0")
    model: Any = GLiNER.from_config(config, backbone_from_pretrained=False).eval()
    return lambda sentence: model.predict_entities(sentence, _LABELS, threshold=0.5)


def _tokenizer(sentences: Sequence[str]) -> Any:
    """One token for a word: no published vocabulary is needed."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = dict.fromkeys([*special, *(word for each in (*sentences, *_LABELS) for word in _WORDS.findall(each))])
    made = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
