"""Small results that are kept in the cache folder as JSON, each under a name that holds a hash of all they depend on.

A file that is missing or damaged is made anew; one that cannot be written only costs time.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from imprimatur.sources.graph.cache import default_directory

__all__ = ["read_kept", "write_kept"]


def read_kept(name: str, cache_dir: Path | None) -> Any:
    """What is kept under a name, as JSON has it; None when there is nothing that can be read."""
    try:
        return json.loads(((cache_dir or default_directory()) / name).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def write_kept(name: str, content: object, cache_dir: Path | None) -> None:
    """Keeps something under a name; the file is written whole."""
    import tempfile  # only where a cache is written

    path = (cache_dir or default_directory()) / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as out:
            out.write(json.dumps(content, ensure_ascii=False, separators=(",", ":")))  # many times faster than dump
        os.replace(out.name, path)
    except OSError:
        return
