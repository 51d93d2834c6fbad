"""An evidence trail for people: its sections with scores and origins, and what failed."""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.cli.terminal import plain
from imprimatur.retrieve.trail import EvidenceTrail, Section

__all__ = ["lines"]


def lines(trail: EvidenceTrail) -> Iterator[str]:
    """The lines that show a trail; items are numbered as citations count them."""
    number = 0
    for section in Section:
        items = trail.section(section)
        if items:
            yield f"{section}:"
        for item in items:
            number += 1
            origins = ", ".join(dict.fromkeys(evidence.origin for evidence in item.evidence))
            yield f"  [{number}] {item.score:.2f}  {plain(' '.join(item.text.split()))}  ({plain(origins)})"
    if not trail.items:
        yield "nothing was found"
    if trail.left_out:
        yield f"{trail.left_out} more were left out"
    for failure in trail.failures:
        yield f"{failure.path} failed: {plain(failure.why)}"
