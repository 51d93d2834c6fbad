"""A tuned model as a folder of its own: the adapter's products added to the weights of its base.

The folder is one that ``transformers`` opens, with tokenizer and chat template, in the width that the base was opened
in. Invariant: it appears whole or not at all.
"""

from __future__ import annotations

from pathlib import Path

from imprimatur.errors import InputError
from imprimatur.models.weights import located, needed, open_weights, quiet
from imprimatur.tune.checkpoints import put_whole

__all__ = ["merge"]


def merge(tuned: Path, out: Path, *, device: str = "cpu") -> Path:
    """Writes the merged model, and returns its folder.

    Raises:
        InputError: there is no adapter, or something is at ``out``. ConfigError: the weights cannot be opened.
    """
    needed()
    _, adapter = located(tuned)
    if adapter is None:
        raise InputError("there is no adapter", where=str(tuned), hint="name a folder of `imprimatur tune train`")
    if out.exists():
        raise InputError("something is there already", where=str(out), hint="name a new folder")
    if not out.absolute().parent.is_dir():
        raise InputError("cannot be written: there is no such folder", where=str(out), hint="make the folder first")
    opened = open_weights(tuned, device=device)
    with quiet(), put_whole(out) as part:
        whole = opened.network.merge_and_unload()
        # What was read from a GGUF file is no longer of that kind.
        whole.config.quantization_config = None
        del whole.config.quantization_config
        whole.save_pretrained(str(part), safe_serialization=True)
        opened.tokenizer.save_pretrained(str(part))
    return out
