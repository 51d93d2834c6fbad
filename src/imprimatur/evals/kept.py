"""Results of rows, kept in a folder under what they hang on, so that a run that was ended goes on where it was.

A result's name is the SHA-256 of the row and of all that may change its result: the evaluation with its settings, the
content of knowledge base and policy, the code of this package, and the day (what "is" means hangs on it). So a folder
may serve many evaluations, and nothing in it has to be thrown away when something changes. Invariants: a result
appears whole or not at all; one that cannot be read back, or stands under a name that is not its own, is not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.evals.finishing import Informed

__all__ = ["Kept", "code_hash", "judged_by"]

_SURROGATE = expression("[\ud800-\udfff]")


class Kept:
    """A folder of results; it is made when the first is kept."""

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        """``about`` is what every result of this run hangs on, JSON-ready. Raises InputError for what is no folder."""
        if folder.exists() and not folder.is_dir():
            raise InputError("not a folder", where=str(folder), hint="--keep takes a folder; it may be a new one")
        self._folder = folder
        self._about = _canonical(about)

    def name(self, row: Any) -> str:
        """What the result of a row (JSON-ready) is kept under."""
        return hashlib.sha256(f"{self._about}\n{_canonical(row)}".encode()).hexdigest()

    def get(self, name: str) -> Any:
        """The result of that name; None where there is none that is whole."""
        try:
            found = json.loads(self._path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        whole = isinstance(found, dict) and found.get("name") == name
        return found.get("result") if whole and found.get("check") == _check(found.get("result")) else None

    def put(self, name: str, result: Any) -> None:
        """Keeps a result (JSON-ready). Raises InputError where the folder cannot be written."""
        path = self._path(name)
        part = path.with_name(f".{name[:16]}.{secrets.token_hex(4)}.part")
        told = {"name": name, "check": _check(result), "result": result}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(_canonical(told), encoding="utf-8")
            os.replace(part, path)
        except OSError as fault:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise InputError(f"cannot be written: {fault.strerror}", where=str(self._folder)) from fault

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.json"


def judged_by(oracle: Informed) -> dict[str, Any]:
    """What every verdict of an oracle hangs on, beside what it is asked."""
    told = oracle.info()
    kept = {key: value for key, value in told.items() if key not in ("folder", "sources")}
    return {**kept, "code": code_hash(), "day": date.today().isoformat()}


@cache
def code_hash() -> str:
    """The SHA-256 of all files of this package: a version alone does not tell a changed copy from a release."""
    root = Path(__file__).parents[1]
    whole = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            whole.update(f"{path.relative_to(root).as_posix()}\n".encode())
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _check(result: Any) -> str:
    return hashlib.sha256(_canonical(result).encode()).hexdigest()[:16]


def _canonical(value: Any) -> str:
    """JSON with sorted keys; half a character stands as an escape, for UTF-8 has none."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
