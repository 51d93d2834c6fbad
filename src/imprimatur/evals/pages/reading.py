"""Reads outcomes from files."""

from __future__ import annotations

import json
from pathlib import Path

from imprimatur.cli import session
from imprimatur.errors import InputError
from imprimatur.evals.outcome import Outcome

__all__ = ["read_outcome"]


def read_outcome(path: Path) -> Outcome:
    """The outcome in a file that an evaluation wrote with ``--out``.

    Raises:
        InputError: the file cannot be read, or holds something else.
    """
    try:
        values = json.loads(session.read_file(path))
    except (ValueError, RecursionError) as fault:
        hint = "write one with `imprimatur eval … --out FILE`"
        raise InputError(f"is not JSON: {str(fault)[:200]}", where=str(path), hint=hint) from fault
    return Outcome.from_dict(values, str(path))
