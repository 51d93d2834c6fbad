"""The network of a trained model: token numbers in, logits out; ONNX where the folder has it, else torch.

Contract: nothing is fetched and no code from the folder is run; what fails is a ``CheckFailed``. ONNX inputs are run
one by one: a quantised product scales by all that it is given at once, so that an opinion would depend on the cases
beside it. A process that was forked with an open network goes on with one thread, for it has none of its parent's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.judges.encoding import Encoded
from imprimatur.judges.folder import ModelFolder

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["Network", "offline", "open_network"]

_TORCH_BATCH = 8


class Network(Protocol):
    """A network, open; ``batch`` is how many inputs are best given at once."""

    batch: int

    def run(self, rows: Sequence[Encoded]) -> list[Array]:
        """The logits of each input: one for each label, or for each token one for each label.

        Raises:
            CheckFailed: the network fails, or gives no finite numbers.
        """
        ...


def open_network(folder: ModelFolder, *, head: str, answers: Sequence[int] = ()) -> Network:
    """The network in a folder.

    Args:
        head: what torch puts on it: ``tokens`` or ``sequence``.
        answers: the two tokens of a model that writes its answer, no and yes.

    Raises:
        ConfigError: what runs it is not installed, or it cannot be read.
    """
    if folder.onnx is not None and not answers:
        return _Onnx(folder)
    return _Torch(folder, head, answers)


class _Onnx:
    """A network run by ONNX Runtime."""

    batch = 1

    def __init__(self, folder: ModelFolder) -> None:
        if any(find_spec(name) is None for name in ("onnxruntime", "numpy")):
            raise ConfigError("onnxruntime is not installed", hint="pip install 'imprimatur[embeddings]'")
        self._folder = folder
        self._owner = os.getpid()
        self._session = _session(folder, threads=0)
        self._asked = [each.name for each in self._session.get_inputs()]
        unknown = sorted({*self._asked} - {"input_ids", "attention_mask", "token_type_ids"})
        if unknown:
            raise ConfigError(f"the model asks for {', '.join(unknown)[:100]}", where=str(folder.onnx))

    def run(self, rows: Sequence[Encoded]) -> list[Array]:
        """The logits of each input."""
        if self._owner != os.getpid():
            self._session, self._owner = _session(self._folder, threads=1), os.getpid()
        given = _padded(rows, self._folder)
        try:
            found = self._session.run(None, {name: given[name] for name in self._asked})[0]
        except Exception as fault:  # as above
            raise CheckFailed("failed while it was run") from fault
        return _parted(found, rows)


def _session(folder: ModelFolder, *, threads: int) -> Any:
    """The ONNX file, open; 0 threads are as many as the library finds right."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(str(folder.onnx), options, providers=["CPUExecutionProvider"])
    except Exception as fault:  # the library raises many kinds, none of them documented
        raise ConfigError("no model can be read there", where=str(folder.onnx)) from fault


class _Torch:
    """A network run by torch."""

    batch = _TORCH_BATCH

    def __init__(self, folder: ModelFolder, head: str, answers: Sequence[int]) -> None:
        if any(find_spec(name) is None for name in ("torch", "transformers")):
            hint = "pip install 'imprimatur[judges]'; or export the model to model.onnx, which needs neither"
            raise ConfigError("torch and transformers are not installed", hint=hint)
        if not any(folder.path.glob("*.safetensors")):
            raise ConfigError("the folder has no safetensors", where=str(folder.path))
        self._folder = folder
        self._owner = os.getpid()
        self._answers = list(answers)
        self._model = _loaded(folder, "answer" if answers else head)
        self._start = folder.settings.get("decoder_start_token_id") or 0
        self._typed = "token_type_ids" in _parameters(self._model)

    def run(self, rows: Sequence[Encoded]) -> list[Array]:
        """The logits of each input."""
        import torch

        if self._owner != os.getpid():
            torch.set_num_threads(1)
            self._owner = os.getpid()
        given = {name: torch.from_numpy(values) for name, values in _padded(rows, self._folder).items()}
        if not self._typed:
            del given["token_type_ids"]
        if self._answers:
            given["decoder_input_ids"] = torch.full((len(rows), 1), self._start, dtype=torch.int64)
        try:
            with torch.inference_mode():
                found = self._model(**given).logits.float().numpy()
        except Exception as fault:  # a wrong model fails in as many ways as there are models
            raise CheckFailed("failed while it was run") from fault
        return _parted(found[:, 0, self._answers] if self._answers else found, rows)


def _loaded(folder: ModelFolder, head: str) -> Any:
    with offline():
        import transformers

        kinds = {
            "tokens": transformers.AutoModelForTokenClassification,
            "sequence": transformers.AutoModelForSequenceClassification,
            "answer": transformers.AutoModelForSeq2SeqLM,
        }
        try:
            model = kinds[head].from_pretrained(
                str(folder.path.resolve()),
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                output_loading_info=True,
            )
        except Exception as fault:  # as above
            raise ConfigError(f"no model can be read there: {type(fault).__name__}", where=str(folder.path)) from fault
    loaded, about = model
    missing = sorted(about.get("missing_keys", ()))
    if missing:
        # Weights that are not there are made up at random, and so would be every opinion.
        message = f"the folder lacks {len(missing)} of the model's weights, for instance {missing[0][:80]}"
        raise ConfigError(message, where=str(folder.path), hint="is it a model of this kind?")
    return loaded.eval()


@contextmanager
def offline() -> Iterator[None]:
    """No look at a model hub while this lasts, whatever the process was told before; and nothing is printed."""
    from huggingface_hub import constants
    from transformers.utils import logging

    before = constants.HF_HUB_OFFLINE, logging.get_verbosity(), logging.is_progress_bar_enabled()
    constants.HF_HUB_OFFLINE = True
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before[0]
        logging.set_verbosity(before[1])
        if before[2]:
            logging.enable_progress_bar()


def _parameters(model: Any) -> frozenset[str]:
    import inspect

    return frozenset(inspect.signature(model.forward).parameters)


def _padded(rows: Sequence[Encoded], folder: ModelFolder) -> dict[str, Array]:
    """The inputs of one length, with a mask that tells what was filled up."""
    import numpy

    pad, typed = folder.pad, folder.settings.get("type_vocab_size") not in (0, 1)
    width = max(len(row.ids) for row in rows)
    made = {
        "input_ids": numpy.full((len(rows), width), pad, numpy.int64),
        "attention_mask": numpy.zeros((len(rows), width), numpy.int64),
        "token_type_ids": numpy.zeros((len(rows), width), numpy.int64),
    }
    for number, row in enumerate(rows):
        made["input_ids"][number, : len(row.ids)] = row.ids
        made["attention_mask"][number, : len(row.ids)] = 1
        if typed:
            made["token_type_ids"][number, : len(row.ids)] = row.types
    return made


def _parted(found: Array, rows: Sequence[Encoded]) -> list[Array]:
    """The logits of each row, without those of what was filled up."""
    import numpy

    if found.ndim not in (2, 3) or len(found) != len(rows):
        raise CheckFailed("gave an output of a form that it should not have")
    parts = [each[: len(row.ids)] if found.ndim == 3 else each for each, row in zip(found, rows)]
    if not all(numpy.isfinite(part).all() for part in parts):
        raise CheckFailed("gave no finite numbers")
    return parts
