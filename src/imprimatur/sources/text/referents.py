"""Whether the texts speak of what a claim's pronouns stand for, in the answer around it.

A pronoun that the texts have no referent for is unsupported; one that may stand for several that differ is ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.claim import Prose
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, head_of
from imprimatur.sources.text.frames import Reading, read
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import likeness
from imprimatur.verdict import Reason

__all__ = ["continued", "referred"]


def referred(claim: Prose, texts: Evidence) -> Iterator[Mark]:
    """Marks for pronouns: what they stand for must be what the texts speak of; several that differ are ambiguous."""
    known = {piece.lower for piece in texts.pieces}
    meant: dict[tuple[int, int], list[str]] = {}
    for mention in claim.referents:
        meant.setdefault((mention.start, mention.end), []).append(mention.text)
    for names in meant.values():
        there = [name for name in names if any(word in known for word in _words_of(name))]
        if not there:
            detail = f"the texts do not speak of {' or '.join(names)}"
            yield Mark(reason=Reason.UNSUPPORTED_NAME, start=0, end=len(claim.words), detail=detail)
        elif len(there) < len(names) or len(there) > 1:
            detail = f"{' or '.join(names)} may be meant"
            yield Mark(reason=Reason.AMBIGUOUS_ENTITY, start=0, end=len(claim.words), detail=detail)


def continued(claim: Prose, reading: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where the claim goes on about the sentence before ("It has 340 staff"), and the texts are not on that."""
    if not claim.before or claim.referents or not reading.frames:
        return
    opening = [reading.pieces[k] for k in reading.frames[0].members[:3]]
    subject = next((piece for piece in opening if piece.lower in _GOING_ON), None)
    if subject is None:
        return
    before = read(claim.before)
    heads = [before.pieces[k] for frame in before.frames[:1] if (k := head_of(frame, before.pieces)) >= 0]
    if heads and not any(_is_of(heads[0], piece) for piece in texts.pieces):
        detail = f"the texts do not speak of “{heads[0].text}”"
        yield Mark(reason=Reason.UNSUPPORTED_NAME, start=subject.start, end=subject.end, detail=detail)


_GOING_ON = frozenset("it they he she this these".split())


def _is_of(head: Piece, piece: Piece) -> bool:
    return head.lower == piece.lower or (head.part is Part.NOUN and likeness(head, piece) == 1)


def _words_of(name: str) -> list[str]:
    return [piece.lower for piece in read(name).pieces if piece.part is not Part.MARK]
