"""The entry under ``embed:`` in imprimatur.yaml: the embedding model, a folder or a server.

Invariants: nothing here is opened or reached; a key never shows in what is printed of a configuration.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.settings_file import Section

__all__ = ["EmbedConfig", "model_folder", "read_embed", "web_address"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedConfig:
    """An embedding model: a folder, or the address of a server with the model's name there.

    ``query`` and ``passage`` are what the model wants to stand before a question, and before a passage.
    """

    folder: Path | None = None
    url: str | None = None
    name: str = ""
    api_key: str | None = field(default=None, repr=False)
    query: str = ""
    passage: str = ""
    timeout: int = 60
    retries: int = 2


def model_folder(environ: Mapping[str, str]) -> Path:
    """Where ``imprimatur passages model`` puts the embedding model: in the user's data folder."""
    home = environ.get("XDG_DATA_HOME")
    base = Path(home) if home and os.path.isabs(home) else Path("~/.local/share").expanduser()
    return base / "imprimatur" / "all-MiniLM-L6-v2"


def read_embed(top: Section, folder: Path, environ: Mapping[str, str]) -> EmbedConfig | None:
    """The embedding model; its folder may lie anywhere."""
    if not isinstance(top.values.get("embed"), Mapping):
        name = top.text("embed")
        if name is not None and name.startswith(("http://", "https://")):
            raise top.fault("embed", "an address needs the model's name", hint="embed: {url: …, name: …}")
        return None if name is None else EmbedConfig(folder=_model_in(name, folder, environ))
    part = top.section("embed")
    own, url = part.text("folder"), web_address(part, "url")
    made = EmbedConfig(
        folder=None if own is None else _model_in(own, folder, environ),
        url=url,
        name=part.text("name") or "",
        api_key=part.text("api_key"),
        query=part.text("query") or "",
        passage=part.text("passage") or "",
        timeout=part.integer("timeout", 60, low=1, high=3600),
        retries=part.integer("retries", 2, low=0, high=10),
    )
    part.close()
    if (own is None) == (url is None) or (url is not None and not made.name):
        message = "a model is a `folder`, or a `url` with the model's `name`"
        raise part.fault("url", message, hint="give one of both")
    return made


def _model_in(name: str, folder: Path, environ: Mapping[str, str]) -> Path:
    """The folder that a name of a model means."""
    return model_folder(environ) if name == "minilm" else folder / Path(name).expanduser()


def web_address(part: Section, key: str) -> str | None:
    """The address under a key, which starts with http:// or https://."""
    value = part.text(key)
    if value is not None and not re.match(r"https?://[^/\s]", value):
        raise part.fault(key, f"{value[:100]!r} is not a web address", hint="it starts with http:// or https://")
    return value
