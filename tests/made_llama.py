"""A language model of two layers, 64 wide, with a tokenizer of letters and a chat template; made in a second."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["TEMPLATE", "write_llama"]

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SPECIAL = ["<|unknown|>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|pad|>"]


def write_llama(folder: Path, *, width: int = 64, seed: int = 0) -> Path:
    """Writes the model, with random weights, as ``transformers`` does, and returns its folder."""
    import torch
    import transformers

    torch.manual_seed(seed)
    tokenizer = _tokenizer()
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        # Wide enough that what is frozen (the output map) can tell letters apart.
        initializer_range=0.15,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = transformers.LlamaForCausalLM(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer() -> Any:
    import transformers
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

    letters = [chr(code) for code in range(32, 127)] + ["\n"]
    known = {each: number for number, each in enumerate([*SPECIAL, *letters])}
    made = Tokenizer(models.WordLevel(known, unk_token=SPECIAL[0]))
    made.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    made.decoder = decoders.Fuse()
    made.add_special_tokens(SPECIAL)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token="<|end|>",
        pad_token="<|pad|>",
        unk_token=SPECIAL[0],
        chat_template=TEMPLATE,
    )
