"""Decisions: what happens to the answer. A closed union; each decision is a type of its own."""

from __future__ import annotations

from typing import Literal

from imprimatur._dataclasses import dataclass

__all__ = ["Abstained", "Annotated", "Corrected", "Decision", "Edit", "Licensed", "Redacted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change to the text: ``answer[start:end] == before`` becomes ``after``, because of ``evidence`` (queries)."""

    start: int
    end: int
    before: str
    after: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Licensed:
    """Everything holds; the text goes out as it came."""

    text: str
    kind: Literal["licensed"] = "licensed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """Wrong values were replaced by the right ones and the result was checked again."""

    text: str
    edits: tuple[Edit, ...]
    kind: Literal["corrected"] = "corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """What is not licensed was taken out and the rest was checked again."""

    text: str
    edits: tuple[Edit, ...]
    kind: Literal["redacted"] = "redacted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotated:
    """The text goes out as it came, with labels beside it."""

    text: str
    kind: Literal["annotated"] = "annotated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstained:
    """The abstention text stands in place of the answer, or of all that follows its licensed start."""

    text: str
    edits: tuple[Edit, ...] = ()
    kind: Literal["abstained"] = "abstained"


Decision = Licensed | Corrected | Redacted | Annotated | Abstained
