"""How an answer was read, for people and as JSON (``imprimatur explain --trace``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from imprimatur.cli.terminal import label_words, plain, tint

if TYPE_CHECKING:
    from imprimatur.trace import Traced

__all__ = ["trace_keys", "trace_lines"]


def trace_keys(traced: Traced) -> dict[str, Any]:
    """The segment as JSON-ready values."""
    segment = traced.segment
    return {
        "start": segment.start,
        "end": segment.end,
        "text": traced.text,
        "label": segment.label.value,
        "mentions": [
            {"start": each.start, "end": each.end, "text": each.text, "kind": each.kind, "means": list(each.means)}
            for each in traced.mentions
        ],
        "claims": [
            {
                "start": judged.claim.start,
                "end": judged.claim.end,
                "text": judged.claim.text,
                "label": judged.verdict.label.value,
                "negated": judged.claim.negated,
                "readings": list(readings),
            }
            for judged, readings in zip(segment.claims, traced.readings, strict=True)
        ],
        "residue": [{"start": each.start, "end": each.end, "hard": each.hard} for each in segment.residue],
    }


def trace_lines(traced: Traced, answer: str) -> Iterator[str]:
    """The segment in lines."""
    from imprimatur.trace import said

    segment = traced.segment
    yield f"{label_words(segment.label)} {tint(segment.label, ' '.join(traced.text.split()))}"
    for each in traced.mentions:
        means = " or ".join(each.means) or "unknown to the knowledge base"
        yield f"    {each.kind + ':':<10}{plain(f'“{each.text}” = {means}')}"
    for judged, readings in zip(segment.claims, traced.readings, strict=True):
        denied = ", denied" if judged.claim.negated else ""
        text = " ".join(judged.claim.text.split())
        yield f"    {'claim:':<10}{plain(f'“{text}” is {judged.verdict.label.value}{denied}')}"
        for reading in readings:
            parts = {name: part for name, part in reading.items() if name != "kind"}
            yield f"      {'read as:':<10}{plain(reading['kind'])}: {plain(said(parts))}"
        if not readings:
            yield f"      {'read as:':<10}nothing that the knowledge base could judge"
    if segment.residue:
        words = ", ".join(f"“{answer[each.start : each.end]}”" for each in segment.residue)
        yield f"    {'left:':<10}{plain(words)}"
