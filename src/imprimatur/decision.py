"""Decisions: what happens to the answer. A closed union; each decision is a type of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from imprimatur._dataclasses import dataclass

__all__ = [
    "INSUFFICIENT_EVIDENCE",
    "Abstained",
    "Annotated",
    "Corrected",
    "Decision",
    "Edit",
    "Licensed",
    "Redacted",
    "applied",
    "composed",
]

#: What is answered where the evidence is not enough, and no model is asked.
INSUFFICIENT_EVIDENCE = "I don't have enough evidence in the knowledge base to answer that question."


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


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits made; they are in order and do not overlap."""
    written, at = [], 0
    for edit in edits:
        written += [text[at : edit.start], edit.after]
        at = edit.end
    return "".join([*written, text[at:]])


def composed(text: str, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """One set of edits of ``text`` that does what ``first`` does, and then ``second`` on what comes out.

    Both are in order, without overlap; the places of ``second`` are those of the changed text. Edits that touch the
    same characters become one.
    """
    changed = applied(text, first)
    regions: list[tuple[int, int, Edit | None, Edit | None]] = []
    shift = 0
    for edit in first:
        start = edit.start + shift
        regions.append((start, start + len(edit.after), edit, None))
        shift += len(edit.after) - len(edit.before)
    regions += [(edit.start, edit.end, None, edit) for edit in second]
    groups: list[list[tuple[int, int, Edit | None, Edit | None]]] = []
    for region in sorted(regions, key=lambda region: (region[0], region[1])):
        if groups and (region[0] < max(r[1] for r in groups[-1]) or region[:2] == groups[-1][-1][:2]):
            groups[-1].append(region)
        else:
            groups.append([region])
    made, shift = [], 0
    for group in groups:
        low, high = group[0][0], max(region[1] for region in group)
        start = low - shift
        shift += sum(len(f.after) - len(f.before) for _, _, f, _ in group if f is not None)
        end = high - shift
        inside = [s for _, _, _, s in group if s is not None]
        moved = [Edit(start=s.start - low, end=s.end - low, before=s.before, after=s.after) for s in inside]
        evidence = dict.fromkeys(query for _, _, f, s in group for edit in (f, s) if edit for query in edit.evidence)
        after = applied(changed[low:high], moved)
        if text[start:end] != after:
            made.append(Edit(start=start, end=end, before=text[start:end], after=after, evidence=tuple(evidence)))
    return tuple(made)
