"""What the records of a call say of a claim's words: agreement, denial or silence, with the place and the value.

Contract: ``told_by`` reads flags (``attributes``) and opening hours (``opening``), and nothing else of a record;
``agrees`` is None for silence. Offsets are those of the words. ``nothing_else`` is narrow: a claim that facts bear out
says no more than they do where the rest of its words stand together in one line. Nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from imprimatur.language import wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.sources.passages import attributes, opening
from imprimatur.sources.passages.evidence_lines import pointer
from imprimatur.sources.passages.ground import Ground, contents, terms_of
from imprimatur.sources.passages.records import Record

__all__ = ["Told", "nothing_else", "told_by"]

_HAVING = ("verb.possession", "verb.stative")


@dataclass(frozen=True, slots=True)
class Told:
    """What a record says of a stretch of a claim; ``agrees`` is None for silence."""

    start: int
    end: int
    agrees: bool | None
    place: str
    said: str


def told_by(words: str, records: Sequence[tuple[str, Record]]) -> Iterator[Told]:
    """What some records, each with its key, say of the words."""
    for key, record in records:
        for spoken in attributes.compare(words, record):
            place = f"{key}{pointer(spoken.path)}"
            yield Told(spoken.start, spoken.end, spoken.agrees, place, spoken.said)
        if record.hours:
            yield from _hours(words, key, record)


def _hours(words: str, key: str, record: Record) -> Iterator[Told]:
    for said in opening.read_hours(words):
        agrees = opening.compare(said, record.hours)
        if agrees is not None:
            hours = [each for each in record.hours if each.day in said.days]
            shown = "; ".join(f"{each.path[-1]}: {each.said}" for each in hours)
            place = f"{key}{pointer(record.hours[0].path[:-1])}"
            yield Told(said.start, said.end, agrees, place, shown or "no hours on these days")


def nothing_else(words: str, told: Sequence[Told], ground: Ground) -> bool:
    """Whether a claim says no more than facts do: beside them one other line's words, and verbs of having and being."""
    spans = [(each.start, each.end) for each in told]
    left = [t for t in contents(terms_of(words)) if not any(a <= t.start and t.end <= b for a, b in spans)]
    others = [ground.standing(term) for term in left if not _has(term.lower)]
    return not others or bool(set[int].intersection(*others))


def _has(word: str) -> bool:
    """Whether a word is a verb that only says that something is there ("offers", "has")."""
    return any(pos == "v" and wordnet.verb_kind(lemma) in _HAVING for lemma, pos in lemmas(word))
