"""The folder of a GLiNER or GLiNER2 model: which of the two it is, and that its files are what may be opened.

Contract: weights are ``model.safetensors``; a folder that has only pickled ones is refused, for opening those can run
code. An id of a hub means the copy in this machine's cache, and nothing is fetched unless ``download`` says so. The
fingerprint covers all files that a prediction depends on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from imprimatur.config import ExtractorConfig
from imprimatur.errors import ConfigError, StoreUnavailable
from imprimatur.judges.folder import read_settings

__all__ = ["MarkerFolder"]

_WEIGHTS = "model.safetensors"
_WANTED = ("*.json", "*.txt", "*.model", "*.safetensors", "*/*.json")
_HINT = "put the model's files into a folder and name it under `path`; nothing is downloaded by itself"
_PART = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerFolder:
    """A folder with a model; ``library`` is what opens it: ``gliner`` or ``gliner2``."""

    path: Path
    library: str
    settings: Mapping[str, Any]
    fingerprint: str

    @classmethod
    def of(cls, config: ExtractorConfig) -> MarkerFolder:
        """The folder that a configuration names, looked at.

        Raises:
            ConfigError: it names none, or the folder lacks a file.
            StoreUnavailable: it is to be fetched, and cannot be.
        """
        if config.path is not None:
            return cls.open(config.path)
        if config.hub is None:
            raise ConfigError("no model is named", hint="give the `path` of a folder, or the id of a model under `hub`")
        return cls.open(_from_hub(config.hub, config.revision, download=config.download))

    @classmethod
    def open(cls, path: Path) -> MarkerFolder:
        """The folder, looked at. Raises ConfigError where it is absent, or lacks a file."""
        if not path.is_dir():
            raise ConfigError("there is no such folder", where=str(path), hint=_HINT)
        library, file = _library(path)
        if not (path / _WEIGHTS).is_file():
            pickled = any(path.glob("*.bin")) or any(path.glob("*.pt"))
            why = "its weights are pickled, and opening those can run code" if pickled else "the folder has no weights"
            raise ConfigError(why, where=str(path), hint=f"save them as {_WEIGHTS}")
        return cls(path=path, library=library, settings=read_settings(file), fingerprint=_fingerprint(path))


def _library(path: Path) -> tuple[str, Path]:
    """What opens the folder, and the file with its settings."""
    own, general = path / "gliner_config.json", path / "config.json"
    if own.is_file():
        return "gliner", own
    if general.is_file() and read_settings(general).get("model_type") == "extractor":
        return "gliner2", general
    hint = "GLiNER's folders have a gliner_config.json, GLiNER2's a config.json with the model type `extractor`"
    raise ConfigError("the folder holds no model of GLiNER or GLiNER2", where=str(path), hint=hint)


def _from_hub(name: str, revision: str | None, *, download: bool) -> Path:
    """The folder of a model in the hub's cache of this machine."""
    if find_spec("huggingface_hub") is None:
        raise ConfigError("huggingface_hub is not installed", hint="pip install 'imprimatur[gliner]'")
    from huggingface_hub import snapshot_download

    try:
        found = snapshot_download(
            name, revision=revision, local_files_only=not download, allow_patterns=list(_WANTED), tqdm_class=None
        )
    except Exception as fault:  # the library raises many kinds: what it could not find, reach or read
        kind = type(fault).__name__
        if download:
            raise StoreUnavailable(f"the model cannot be fetched ({kind})", where=name, hint=_HINT) from None
        hint = "fetch it once with `download: true`, or name a folder under `path`"
        message = f"the model does not lie in this machine's hub cache ({kind})"
        raise ConfigError(message, where=name, hint=hint) from None
    return Path(found)


def _fingerprint(path: Path) -> str:
    """A hash over the settings, the tokenizer's files and the weights."""
    whole = sha256()
    for file in sorted(path.rglob("*")):
        if not file.is_file() or file.suffix not in (".json", ".txt", ".model", ".safetensors"):
            continue
        whole.update(file.relative_to(path).as_posix().encode())
        with file.open("rb") as opened:
            while part := opened.read(_PART):
                whole.update(part)
    return whole.hexdigest()[:16]
