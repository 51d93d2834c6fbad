"""How much memory a training takes, computed from a model's ``config.json`` before a weight is fetched.

The parameters are counted on the network itself, built without storage. Then, in bytes: weights of the base 2 each
(bfloat16; 4 on a processor); of the adapter 16 for each of its parameters (weight and gradient in 32 bits, AdamW's
two moments). Activations, for each token of the rows in memory, are what the backward pass keeps: of every linear map
with an adapter its input and output in the base's width, the input once more in 32 bits and dropout's mask (a byte; 4
on a processor); and of each block eight times its width in 32 bits (norms, residuals, turned and repeated queries and
keys) and its inner width once. With ``frugal`` it is what goes from block to block, and one block's worth. For each
learnt token comes the row of the output map, three times in 32 bits. What the libraries themselves hold is not in it
(0.35 GiB on a processor, about 1 on a device). On a processor it was found
15 % too low (see the docs).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import ConfigError
from imprimatur.models.weights import needed, quiet
from imprimatur.tune.adapting import layers
from imprimatur.tune.recipes import Recipe

__all__ = ["Memory", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Bytes, but for the two counts of parameters."""

    parameters: int
    trained: int
    weights: int
    adapter: int
    activations: int
    outputs: int

    @property
    def total(self) -> int:
        """All together."""
        return self.weights + self.adapter + self.activations + self.outputs


def memory(
    base: Path, recipe: Recipe, *, tokens: int, learnt: int = 32, device: str = "cuda", frugal: bool = False
) -> Memory:
    """What a training takes.

    Args:
        base: a folder with ``config.json``, or such a file.
        tokens: how long the longest rows are; ``learnt``: how many of their tokens are learnt.

    Raises:
        ConfigError: the extra is not installed, or it is no configuration of a model.
    """
    needed()
    network = _network(base)
    width = 4 if device == "cpu" else 2
    names = layers(network)
    parts = dict(network.named_modules())
    sizes = [(parts[name].in_features, parts[name].out_features) for name in names]
    count = sum(each.numel() for each in network.parameters())
    trained = sum(recipe.rank * (into + out) for into, out in sizes)
    config = getattr(network.config, "get_text_config", lambda: network.config)()
    blocks, mask = config.num_hidden_layers, 4 if device == "cpu" else 1
    inner = max(out for _, out in sizes)
    whole = sum(into * (width + 4 + mask) + out * width for into, out in sizes)
    whole += blocks * (config.hidden_size * 8 * 4 + inner * width)
    each = config.hidden_size * width * blocks + whole // blocks if frugal else whole
    return Memory(
        parameters=count,
        trained=trained,
        weights=count * width,
        adapter=trained * 16,
        activations=each * tokens * recipe.at_once,
        outputs=config.vocab_size * 12 * (learnt + 1) * recipe.at_once,
    )


def _network(base: Path) -> Any:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    try:
        with quiet(), torch.device("meta"):
            config = AutoConfig.from_pretrained(str(base), local_files_only=True, trust_remote_code=False)
            return AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    except Exception as fault:  # whatever the library raises
        hint = "name a folder with config.json, or such a file"
        message = f"no model can be made of this: {type(fault).__name__}"
        raise ConfigError(message, where=str(base), hint=hint) from fault
