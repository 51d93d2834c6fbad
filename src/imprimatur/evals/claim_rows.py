"""Rows of ``imprimatur eval conditions claims``: labelled claims, with what each may be judged by.

A row is one of ``eval claims``, ``{id, text | answer, label, question?}``, and may have ``reference`` (a text or a list
of texts: what the claim is about, in place of what is retrieved) and ``violates`` (true where the claim would violate a
constraint). Labels come down to three: supported, contradicted, and not found.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError
from imprimatur.evals.claims import LabelledRow, read_rows
from imprimatur.verdict import Label

__all__ = ["THREE", "ClaimRow", "read_claims", "three"]

#: What a claim can come to.
THREE = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND)
_HINT = 'a row looks like {"id": "1", "text": "…", "label": "supported", "reference": ["…"]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    """One claim with its labels; ``reference`` is empty where it is judged by what is retrieved."""

    row: LabelledRow
    reference: tuple[str, ...] = ()
    violates: bool = False

    @property
    def gold(self) -> frozenset[Label]:
        """The right verdicts, of the three."""
        return frozenset(map(three, self.row.gold))

    @property
    def entailed(self) -> bool:
        """Whether the claim is to be supported."""
        return self.gold == {Label.SUPPORTED}


def three(label: Label) -> Label:
    """A label as one of the three: whatever is neither supported nor contradicted is not found."""
    return label if label in (Label.SUPPORTED, Label.CONTRADICTED) else Label.NOT_FOUND


def read_claims(path: Path, most: int | None = None) -> tuple[ClaimRow, ...]:
    """The claims of a file, the first so many of them.

    Raises:
        InputError: the file cannot be read, or a row is not as it must be; its line is named.
    """
    rows = read_rows(path)
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    numbered = [number for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1) if line.strip()]
    found = []
    for row, line, number in zip(rows[:most], lines, numbered, strict=False):
        values = json.loads(line)
        where = f"{path}:{number}"
        found.append(ClaimRow(row=row, reference=_reference(values, where), violates=_flag(values, where)))
    return tuple(found)


def _reference(values: Mapping[str, Any], where: str) -> tuple[str, ...]:
    given = values.get("reference", [])
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError("`reference` must be a text or a list of texts", where=where, hint=_HINT)
    return tuple(text for text in texts if text.strip())


def _flag(values: Mapping[str, Any], where: str) -> bool:
    given = values.get("violates", False)
    if not isinstance(given, bool):
        raise InputError("`violates` must be true or false", where=where, hint=_HINT)
    return given
