"""Weights in a folder as ``transformers`` writes them, adapters beside them, or one GGUF file; opened with torch.

A path is a folder with ``config.json``, a GGUF file, an adapter's folder (``adapter_config.json`` and ``tuned.json``,
which names its base), or a folder of ``imprimatur tune train`` with such an ``adapter`` in it. Invariants: nothing is
fetched, no code of a folder is run, and weights are read from safetensors or GGUF alone, never unpickled; an adapter
is put on the very base that it was trained on, by its hash, or not at all. Without the extra ``tune`` a
``ConfigError`` says so.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from imprimatur.errors import ConfigError

__all__ = ["ADAPTER", "TUNED", "Opened", "located", "needed", "open_base", "open_weights", "quiet", "weights_hash"]

#: The folder of a finished adapter in that of its training, and the file in it that says what it was trained on.
ADAPTER, TUNED = "adapter", "tuned.json"
_PACKAGES = ("torch", "transformers", "peft", "safetensors")
_HINT = "name a folder with config.json and safetensors, an adapter's folder, or a GGUF file"
#: What of a folder makes its answers.
_TELLING = ("*.safetensors", "config.json", "generation_config.json", "tokenizer.json", "tokenizer.model", "*.jinja")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Opened:
    """A network with its tokenizer; ``base`` is where its weights lie, ``adapter`` what was put on them."""

    network: Any
    tokenizer: Any
    base: Path
    adapter: Path | None = None


def needed(*, gguf: bool = False) -> None:
    """Raises ConfigError where what runs weights with torch is not installed."""
    missing = [name for name in (*_PACKAGES, *(("gguf",) if gguf else ())) if find_spec(name) is None]
    if missing:
        raise ConfigError(f"{', '.join(missing)} not installed", hint="pip install 'imprimatur[tune]'")


def located(path: Path) -> tuple[Path, Path | None]:
    """The base that a path means, and the adapter that is put on it, if any.

    Raises:
        ConfigError: nothing is there that could be opened, or an adapter's base is not what it was trained on.
    """
    if path.is_file():
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise ConfigError("this is no GGUF file", where=str(path), hint=_HINT)
        return path, None
    adapter = path / ADAPTER if (path / ADAPTER).is_dir() else path
    if (adapter / "adapter_config.json").is_file():
        return _base_of(adapter), adapter
    if (path / "run.json").is_file():
        raise ConfigError("a training that has not ended", where=str(path), hint="go on with `tune train --resume`")
    if not (path / "config.json").is_file():
        raise ConfigError("no weights are there", where=str(path), hint=_HINT)
    return path, None


def _base_of(adapter: Path) -> Path:
    try:
        told = json.loads((adapter / TUNED).read_text(encoding="utf-8"))
        base, known = Path(told["base"]), str(told["base_hash"])
    except (OSError, ValueError, LookupError, TypeError) as fault:
        message = "it is not said what this adapter was trained on"
        raise ConfigError(message, where=str(adapter / TUNED), hint="make it by `imprimatur tune train`") from fault
    if not base.is_absolute():
        base = adapter / base
    if not base.exists():
        hint = f"put the base there, or name its place in {TUNED}"
        raise ConfigError("the base of this adapter is not there", where=str(base), hint=hint)
    if weights_hash(base) != known:
        hint = f"an adapter goes with the weights it was trained on; name their place in {adapter / TUNED}"
        raise ConfigError("the base of this adapter has changed", where=str(base), hint=hint)
    return base


def weights_hash(path: Path) -> str:
    """The SHA-256 of a GGUF file, or of the names and hashes of what in a folder makes its answers.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        if path.is_file():
            return _hashed(path)
        told = sorted({each for pattern in _TELLING for each in path.glob(pattern) if each.is_file()})
        return sha256("".join(f"{each.name} {_hashed(each)}\n" for each in told).encode()).hexdigest()
    except OSError as fault:
        raise ConfigError(f"the weights cannot be read: {fault.strerror}", where=str(path), hint=_HINT) from fault


def _hashed(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(_CHUNK):
            digest.update(block)
    return digest.hexdigest()


def open_weights(path: Path, *, device: str = "cpu") -> Opened:
    """What a path means, ready to answer. Raises ConfigError where it cannot be opened."""
    base, adapter = located(path)
    opened = open_base(base, device=device)
    if adapter is None:
        opened.network.eval()
        return opened
    import peft

    with _told(adapter), quiet():
        network = peft.PeftModel.from_pretrained(opened.network, str(adapter), local_files_only=True)
    return Opened(network.to(device).eval(), opened.tokenizer, base, adapter)


def open_base(path: Path, *, device: str = "cpu") -> Opened:
    """A base without adapter: in 32 bits on the processor, in 16 (bfloat16) elsewhere.

    Raises:
        ConfigError: the extra is not installed, or the weights cannot be read.
    """
    gguf = path.is_file()
    needed(gguf=gguf)
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    _check_device(device)
    folder = path.parent if gguf else path
    named = {"gguf_file": path.name} if gguf else {"use_safetensors": True}
    safe: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    # What turns GGUF into tensors draws a bar of its own.
    with _told(path), quiet(), redirect_stderr(io.StringIO()):
        tokenizer = AutoTokenizer.from_pretrained(str(folder), **safe, **({"gguf_file": path.name} if gguf else {}))
        dtype = torch.float32 if device == "cpu" else torch.bfloat16
        network = AutoModelForCausalLM.from_pretrained(str(folder), dtype=dtype, **safe, **named).to(device)
    return Opened(network, tokenizer, path)


def _check_device(device: str) -> None:
    import torch

    try:
        torch.zeros(1, device=device)
    except Exception as fault:  # whatever torch raises, an assertion among it
        message = f"torch has no device {device[:40]!r} here"
        raise ConfigError(message, where="--device", hint="cpu is always there") from fault


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever the libraries raise while they open something, as one error that says where."""
    try:
        yield
    except Exception as fault:
        message = f"the weights cannot be opened: {type(fault).__name__}"
        raise ConfigError(message, where=str(path), hint=_HINT) from fault


@contextmanager
def quiet() -> Iterator[None]:
    """No look at a hub of models while this lasts, and nothing that the libraries print."""
    import warnings

    from huggingface_hub import constants
    from transformers.utils import logging

    before = constants.HF_HUB_OFFLINE, logging.get_verbosity(), logging.is_progress_bar_enabled()
    constants.HF_HUB_OFFLINE = True
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        constants.HF_HUB_OFFLINE = before[0]
        logging.set_verbosity(before[1])
        if before[2]:
            logging.enable_progress_bar()
