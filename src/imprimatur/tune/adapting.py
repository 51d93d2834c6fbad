"""A network with an adapter to be trained: LoRA on the attention and MLP layers, wherever an architecture has them.

The layers are found, not named: they are the linear maps inside the list of blocks of the text decoder (the list as
long as the configuration says there are layers), so that neither the output map nor a picture tower is touched. In
Llama's family they are q, k, v, o, gate, up and down.
"""

from __future__ import annotations

from typing import Any

from imprimatur.errors import ConfigError
from imprimatur.models.weights import quiet
from imprimatur.tune.recipes import Recipe

__all__ = ["adapted", "layers", "trained"]

#: Parts of a network that see or hear.
_OTHER = ("vision", "image", "audio", "visual", "speech")


def layers(network: Any) -> list[str]:
    """The names of the linear maps of attention and MLP, in the network's order.

    Raises:
        ConfigError: none can be found.
    """
    import torch

    config = getattr(network.config, "get_text_config", lambda: network.config)()
    count = getattr(config, "num_hidden_layers", 0)
    found = list[str]()
    for name, part in network.named_modules():
        blocks = isinstance(part, torch.nn.ModuleList) and len(part) == count
        if not blocks or any(other in name.lower() for other in _OTHER):
            continue
        found += [
            f"{name}.{inner}" for inner, each in part.named_modules() if isinstance(each, torch.nn.Linear) and inner
        ]
    found = list(dict.fromkeys(found))
    if not found:
        kind = getattr(network.config, "model_type", type(network).__name__)
        raise ConfigError(f"no linear maps are found in the blocks of {kind!r}", hint="take another architecture")
    return found


def adapted(network: Any, recipe: Recipe) -> Any:
    """The network with a new adapter, whose first weights hang on the recipe's seed alone; it adds nothing yet."""
    import peft
    import torch

    torch.manual_seed(recipe.seed)
    config = peft.LoraConfig(
        r=recipe.rank,
        lora_alpha=recipe.alpha,
        lora_dropout=recipe.dropout,
        target_modules=layers(network),
        bias="none",
        task_type="CAUSAL_LM",
    )
    with quiet():
        return peft.get_peft_model(network, config)


def trained(network: Any) -> dict[str, Any]:
    """The weights that are trained, by name, in a fixed order."""
    return {name: each for name, each in sorted(network.named_parameters()) if each.requires_grad}
