"""The folder of a trained model: what its files say, and that they are what may be opened.

Contract: weights are ``model.onnx`` (in the folder, or in ``onnx/`` in it), else safetensors; a folder that has only
pickled weights is refused, for opening those can run code. ``config.json`` and ``tokenizer.json`` must be there. The
fingerprint covers all files that an opinion depends on. Nothing is looked for anywhere else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from imprimatur.errors import ConfigError

__all__ = ["ModelFolder", "read_settings"]

_MOST_JSON = 64 << 20
_LONGEST = 4096
_SHORTEST = 16
_DEFAULT = 512
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """A folder with a model.

    Attributes:
        onnx: the ONNX file; None where the weights are safetensors.
        settings: what ``config.json`` says.
        longest: how many tokens an input may have.
    """

    path: Path
    onnx: Path | None
    settings: Mapping[str, Any]
    longest: int
    fingerprint: str

    @classmethod
    def open(cls, path: Path, *, tokens: int | None = None) -> ModelFolder:
        """The folder, looked at.

        Args:
            tokens: the longest input; None for what the files say, 4,096 at most.

        Raises:
            ConfigError: it is absent, or lacks a file.
        """
        if not path.is_dir():
            hint = "put the model's files into a folder and name it under `path`; nothing is downloaded"
            raise ConfigError("there is no such folder", where=str(path), hint=hint)
        for name in ("config.json", "tokenizer.json"):
            if not (path / name).is_file():
                raise ConfigError(f"the folder has no {name}", where=str(path), hint=_MISSING[name])
        onnx = next((each for each in (path / "model.onnx", path / "onnx" / "model.onnx") if each.is_file()), None)
        if onnx is None and not any(path.glob("*.safetensors")):
            raise _without_weights(path)
        settings = read_settings(path / "config.json")
        return cls(
            path=path,
            onnx=onnx,
            settings=settings,
            longest=tokens or _longest(path, settings),
            fingerprint=_fingerprint(path, onnx),
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the model's labels, in order; those that bear none are called LABEL_0, LABEL_1, …"""
        named = self.settings.get("id2label")
        if not isinstance(named, Mapping) or not named:
            return ()
        count = max((int(key) for key in named if str(key).isdigit()), default=-1) + 1
        return tuple(str(named.get(str(number), f"LABEL_{number}")) for number in range(count))

    @property
    def pad(self) -> int:
        """The token that fills up the shorter inputs of a batch."""
        number = self.settings.get("pad_token_id")
        return number if isinstance(number, int) and number >= 0 else 0

    def label(self, wanted: str | None, otherwise: int) -> int:
        """The number of a label that is given by name or number; ``otherwise`` when none is given.

        Raises:
            ConfigError: the model has no such label.
        """
        if wanted is None:
            return otherwise
        if wanted.isdigit():
            return int(wanted)
        names = [name.lower() for name in self.labels]
        if wanted.lower() not in names:
            hint = f"its labels are {', '.join(self.labels) or 'not named: give a number'}"
            raise ConfigError(f"the model has no label {wanted[:60]!r}", where=str(self.path), hint=hint)
        return names.index(wanted.lower())


_MISSING = {
    "config.json": "name the folder that holds the model's own files",
    "tokenizer.json": "save its tokenizer in the fast format: AutoTokenizer's `save_pretrained` writes it",
}


def _without_weights(path: Path) -> ConfigError:
    if any(found for pattern in _PICKLED for found in path.glob(pattern)):
        hint = "save the weights as safetensors, or export the model to model.onnx"
        return ConfigError("its weights are pickled, and opening those can run code", where=str(path), hint=hint)
    return ConfigError("the folder has no weights", where=str(path), hint="model.safetensors or model.onnx")


def read_settings(path: Path) -> Mapping[str, Any]:
    """The JSON object in a file of a model. Raises ConfigError for what is none, or too large for one."""
    try:
        if path.stat().st_size > _MOST_JSON:
            raise ConfigError("is too large for what it should be", where=str(path))
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as fault:
        raise ConfigError("cannot be read as JSON", where=str(path)) from fault
    if not isinstance(found, dict):
        raise ConfigError("is no JSON object", where=str(path))
    return found


def _longest(path: Path, settings: Mapping[str, Any]) -> int:
    """What tokenizer and model both allow."""
    beside = path / "tokenizer_config.json"
    told = read_settings(beside).get("model_max_length") if beside.is_file() else None
    places = settings.get("max_position_embeddings")
    # RoBERTa counts its places from 2 on: two of them are no room for tokens.
    limits = [told, places - 2 if isinstance(places, int) and not isinstance(told, int) else places]
    found = [each for each in limits if isinstance(each, int) and each >= _SHORTEST]
    return min([*found, _LONGEST]) if found else _DEFAULT


def _fingerprint(path: Path, onnx: Path | None) -> str:
    """A hash over the files that count."""
    named = [path / name for name in ("config.json", "tokenizer.json", "tokenizer_config.json")]
    weights = sorted(onnx.parent.glob("*.onnx*")) if onnx else sorted(path.glob("*.safetensors*"))
    whole = sha256()
    for file in (*named, *weights):
        if file.is_file():
            with file.open("rb") as opened:
                while part := opened.read(1 << 20):
                    whole.update(part)
            whole.update(file.name.encode())
    return whole.hexdigest()[:16]
