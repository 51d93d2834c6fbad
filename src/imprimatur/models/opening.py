"""The model that a configuration names, opened: behind an address, or weights on this machine; within its budget.

Weights are a GGUF file, run by ``local``, or a folder, run by ``torch_model``.
"""

from __future__ import annotations

from imprimatur.config import ModelConfig
from imprimatur.errors import ConfigError
from imprimatur.models.budget import Budget, Budgeted

__all__ = ["open_model"]


def open_model(config: ModelConfig, budget: Budget | None = None) -> Budgeted:
    """The model; it is not asked, and weights are not loaded, before the first question.

    Args:
        config: the block ``model:`` with what the environment or the command line changes.
        budget: what may be used of it; by default what ``limits`` says, for as long as the model lives.

    Raises:
        ConfigError: neither address nor weights are named, something is missing, or an extra is not installed.
    """
    limits = config.limits
    granted = budget if budget is not None else Budget(tokens=limits.tokens, calls=limits.calls)
    if config.path is not None and config.path.is_dir():
        from imprimatur.models.torch_model import TorchModel

        return Budgeted(TorchModel(config), granted, answer_tokens=limits.answer_tokens)
    if config.path is not None:
        from imprimatur.models.local import LocalModel

        return Budgeted(LocalModel(config), granted, answer_tokens=limits.answer_tokens)
    if config.base_url is None:
        hint = "give a server's `base_url` and `name`, or the `path` of a GGUF file or a folder of weights"
        raise ConfigError("no model is configured", where=config.where, hint=hint)
    from imprimatur.models.served import ServedModel

    return Budgeted(ServedModel(config), granted, answer_tokens=limits.answer_tokens)
