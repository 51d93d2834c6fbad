"""A model on this machine, run by torch: a folder of weights, or an adapter of ``imprimatur tune`` on its base.

Invariants: as for ``local``, nothing is fetched, weights are loaded with the first question, one question is answered
at a time, and a call that is out of time is given up at the next token; the same settings, threads and device give
the same answer. JSON cannot be had by construction here: a prompt with a shape is refused, so that it is asked for in
words.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from hashlib import sha256
from typing import Any

from imprimatur.clock import given_up
from imprimatur.config import ModelConfig
from imprimatur.errors import ConfigError, LimitExceeded, ModelFailed, ShapeRefused
from imprimatur.models.asking import Completion, Prompt, Stream, Usage
from imprimatur.models.chat import ending, opened, token_ids
from imprimatur.models.weights import Opened, located, needed, open_weights, quiet, weights_hash

__all__ = ["TorchModel"]

_LONGEST = 1000


class TorchModel:
    """Runs the weights of one folder. Safe in several threads, one after the other."""

    def __init__(self, config: ModelConfig) -> None:
        """Raises ConfigError: nothing is there to open, or the extra ``tune`` is not installed."""
        assert config.path is not None
        needed()
        self.config = config
        self._path = config.path
        self._lock = threading.Lock()
        self._opened: Opened | None = None
        self._ends: frozenset[int] = frozenset()
        self._hash = ""
        located(config.path)

    @property
    def identity(self) -> str:
        """The folder's name, and a hash of base, adapter, settings and device."""
        if not self._hash:
            base, adapter = located(self._path)
            told = [weights_hash(base), "" if adapter is None else weights_hash(adapter)]
            told += [str(self.config.temperature), str(self.config.seed), str(self.config.window), _device()]
            self._hash = sha256("\n".join(told).encode()).hexdigest()[:16]
        return f"{self.config.name or self._path.name} ({self._hash})"

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``."""
        if prompt.shape is not None:
            raise ShapeRefused("these weights write JSON in words only", hint="it is asked for in words")
        limit = self.config.limits.seconds
        with self._lock:
            opened_ = self._loaded()
            ends = time.monotonic() + (limit if seconds is None else min(limit, seconds))
            return self._answered(opened_, prompt, ends)

    def stream(self, prompt: Prompt, *, seconds: float | None = None) -> Stream:
        """See ``Streaming``: the answer in one piece."""

        def parts() -> Generator[str, None, Completion]:
            said = self.complete(prompt, seconds=seconds)
            yield said.text
            return said

        return Stream(parts())

    def _loaded(self) -> Opened:
        if self._opened is None:
            import torch

            torch.set_num_threads(self.config.threads)
            self._opened = open_weights(self._path, device=_device())
            self._ends = _stops(self._opened)
        return self._opened

    def _answered(self, model: Opened, prompt: Prompt, ends: float) -> Completion:
        import torch

        ids = token_ids(model.tokenizer, opened(model.tokenizer, prompt.messages))
        longest = prompt.tokens or self.config.limits.answer_tokens or _LONGEST
        window = min(self.config.window, getattr(model.network.config, "max_position_embeddings", self.config.window))
        if len(ids) >= window:
            raise ModelFailed("the model could not be run on this prompt", hint="is it longer than `window`?")
        longest = min(longest, window - len(ids))
        given = torch.tensor([ids], device=model.network.device)
        if self.config.seed is not None:
            torch.manual_seed(self.config.seed)
        stopped = _Late(ends)
        try:
            with quiet(), torch.no_grad():
                found = model.network.generate(
                    input_ids=given,
                    attention_mask=torch.ones_like(given),
                    max_new_tokens=longest,
                    eos_token_id=sorted(self._ends) or None,
                    pad_token_id=next(iter(sorted(self._ends)), 0),
                    stopping_criteria=[stopped],
                    **self._choosing(),
                )
        except Exception as fault:  # whatever the libraries raise
            raise ModelFailed(f"the weights could not be run: {type(fault).__name__}") from fault
        written = found[0, len(ids) :].tolist()
        whole = bool(written) and written[-1] in self._ends
        if stopped.late and not whole:
            raise LimitExceeded("was late", hint="raise `limits.seconds`, or ask for less")
        text = model.tokenizer.decode(written[:-1] if whole else written, skip_special_tokens=True)
        return Completion(text=text, finish="stop" if whole else "length", usage=Usage(len(ids), len(written)))

    def _choosing(self) -> dict[str, Any]:
        """The likeliest token each time at temperature 0; else one by chance, of all."""
        warmth = self.config.temperature
        if not warmth:
            return {"do_sample": False}
        return {"do_sample": True, "temperature": float(warmth), "top_k": 0, "top_p": 1.0}


class _Late:
    """Stops an answer that is out of time."""

    def __init__(self, ends: float) -> None:
        self.late = False
        self._ends = ends

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        self.late = given_up() or time.monotonic() >= self._ends
        return torch.full((input_ids.shape[0],), self.late, device=input_ids.device, dtype=torch.bool)


def _device() -> str:
    """Where weights are run: on a graphics processor where torch has one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _stops(model: Opened) -> frozenset[int]:
    """The tokens that end an answer: what the model says, and what the template closes an answer with."""
    said = getattr(model.network.generation_config, "eos_token_id", None)
    known = [said] if isinstance(said, int) else [*(said or ())]
    try:
        closing = ending(model.tokenizer)
    except ConfigError:
        closing = []
    own = model.tokenizer.eos_token_id
    return frozenset((*known, *(closing if len(closing) == 1 else ()), *(() if own is None else (own,))))
