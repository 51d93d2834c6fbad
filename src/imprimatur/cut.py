"""Cutting failed clauses out of a sentence: what is left must read by itself (DESIGN section 4).

A sentence is taken apart where clauses join ("and", "but", ";"), at brackets, and at phrases between commas. The parts
in which a claim failed or a word is left over go; the first part stays, or a part that names its own subject. Whatever
is cut is checked again from the start before it is released, so that nothing is taken to be right here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.claim import Attribute, Membership, Mention, Relation
from imprimatur.decision import Edit
from imprimatur.extract.words import forms
from imprimatur.language.degree import comparative
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.verdict import Label

__all__ = ["cut"]

_JOINT = expression(r";\s+(?:and\s+|but\s+)?|,?\s+(?:and|but)\s+|,\s+(?:while|whereas|though|although)\s+|,\s+")
_ASIDE = expression(r"\s*\([^()]*\)")
_END = expression(r"[.!?…]*[*_\s]*\Z")
_OPENING = expression(r"(?:while|whereas|though|although)\s+(?=\w)")
_PRONOUNS = frozenset("it its they their he his she her this that these those".split())
_NOMINATIVE = frozenset("it they he she".split())
_PAIRED = ("**", "`")


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of the sentence, with what joins it to the one before."""

    joint: int
    start: int
    end: int


def cut(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
    """The edit that leaves only the sound parts of a segment; none where that cannot be done."""
    body = text[segment.start : segment.end]
    failed = _failed(segment)
    good = [c for c in segment.claims if c.verdict.label is Label.SUPPORTED]
    if not failed or not good or "\n" in body.strip() or "|" in body:
        return ()
    parts = _parts(text, segment)
    reach = [*(after.start for _, after in pairwise(parts)), segment.end]
    sound = [p for p, end in zip(parts, reach, strict=True) if not any(p.start <= at < end for at in failed)]
    kept, head = _begun(text, parts, sound, segment)
    if not kept or len(kept) == len(parts) or not any(p.start <= _place(c) < p.end for p in kept for c in good):
        return ()
    if kept[0] != parts[0] and not body[:1].isalnum():
        return ()  # the marker of a list item stands before it
    after = _written(text, kept, head, tail=text[parts[-1].end : segment.end])
    if any(after.count(mark) % 2 for mark in _PAIRED) or after.count("(") != after.count(")"):
        return ()
    queries = dict.fromkeys(e.query for c in segment.claims if _wrong(c) for e in c.verdict.evidence)
    return (_smallest(Edit(start=segment.start, end=segment.end, before=body, after=after, evidence=tuple(queries))),)


def _smallest(edit: Edit) -> Edit:
    """The same change, without the words at both ends that it leaves as they are."""
    lead = _common(edit.before, edit.after)
    tail = _common(edit.before[lead:][::-1], edit.after[lead:][::-1])
    end = len(edit.before) - tail
    after = edit.after[lead : len(edit.after) - tail]
    return replace(edit, start=edit.start + lead, end=edit.start + end, before=edit.before[lead:end], after=after)


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _wrong(judged: JudgedClaim) -> bool:
    return judged.verdict.label not in (Label.SUPPORTED, Label.NOT_A_CLAIM)


def _failed(segment: JudgedSegment) -> list[int]:
    """Where the failed claims say what they say, and where words are left over."""
    places = [_place(c) for c in segment.claims if _wrong(c)]
    return [*places, *(r.start for r in segment.residue), *(r.end - 1 for r in segment.residue)]


def _subject(judged: JudgedClaim) -> Mention | None:
    reading = judged.claim.readings[0] if judged.claim.readings else None
    return reading.subject if isinstance(reading, Relation | Attribute | Membership) else None


def _place(judged: JudgedClaim) -> int:
    """Where a claim says something of its subject."""
    subject = _subject(judged)
    said = [b for a, b in judged.claim.covers if subject is None or b <= subject.start or a >= subject.end]
    return max(said, default=judged.claim.end) - 1


def _parts(text: str, segment: JudgedSegment) -> list[_Part]:
    """The parts of the sentence in order; no joint lies within a claim that is told apart from others."""
    end = segment.start + len(text[segment.start : segment.end]) - len(_tail(text, segment))
    body = text[segment.start : end]
    opening = _OPENING.match(body.lower())
    begin = opening.end() if opening is not None else 0
    joints = [(m.start(), m.end()) for m in _JOINT.finditer(body, begin) if _goes_on(body, m.end())]
    joints += [(m.start(), m.end()) for m in _ASIDE.finditer(body, begin)]
    parts: list[_Part] = []
    at, joint = begin, 0
    for a, b in sorted(joints):
        if a < at:
            continue
        parts.append(_Part(segment.start + joint, segment.start + at, segment.start + a))
        aside = body[a:b].lstrip().startswith("(")
        if aside:
            parts.append(_Part(segment.start + a, segment.start + a, segment.start + b))
        joint, at = (b, b) if aside else (a, b)
    parts.append(_Part(segment.start + joint, segment.start + at, end))
    return [p for p in parts if p.end > p.start]


def _tail(text: str, segment: JudgedSegment) -> str:
    match = _END.search(text[segment.start : segment.end])
    return match.group(0) if match is not None else ""


def _goes_on(body: str, at: int) -> bool:
    """Whether a clause or a phrase of its own may begin at a place: with a capital, an article, a pronoun or a verb."""
    word = body[at:].split(maxsplit=1)[0].strip(",;.*_") if body[at:].split() else ""
    known = forms(word.lower())
    opens = known.closed & {"det", "pron", "poss", "rel", "aux", "prep"} or known.verb_forms & {
        "s",
        "past",
        "pp",
        "ing",
    }
    return bool(word[:1].isupper() or opens or comparative(word.lower()) is not None)


def _begun(
    text: str, parts: Sequence[_Part], sound: list[_Part], segment: JudgedSegment
) -> tuple[list[_Part], tuple[str, int]]:
    """The sound parts from the first whose subject can be named, and how it begins: words, and where to go on."""
    for n, part in enumerate(sound):
        if part == parts[0]:
            return sound, ("", part.start)
        for judged in segment.claims:
            if judged.verdict.label is Label.SUPPORTED and part.start <= _place(judged) < part.end:
                head = _head(text, part, judged, segment)
                if head is not None:
                    return sound[n:], head
    return [], ("", 0)


def _head(text: str, part: _Part, judged: JudgedClaim, segment: JudgedSegment) -> tuple[str, int] | None:
    """How a part begins that stands first now: with its own name, or with the name of what it goes on about."""
    subject = _subject(judged)
    words = text[part.start : part.end].split()
    if subject is None or not words:
        return None
    if part.start <= subject.start < part.end and text[part.start : subject.start].strip().lower() in ("", "the"):
        if subject.text.lower() not in _PRONOUNS:
            return "", part.start
        name = _name(text, subject, segment)
        return (name, subject.end) if name and subject.text.lower() in _NOMINATIVE else None
    if subject.end <= part.start and forms(words[0].lower()).verb_forms & {"s", "past"}:
        return f"{text[subject.start : subject.end]} ", part.start
    return None


def _name(text: str, subject: Mention, segment: JudgedSegment) -> str:
    """The name in the segment of what a pronoun stands for; empty when there is none."""
    others = [m for c in segment.claims if (m := _subject(c)) is not None and m.candidates == subject.candidates]
    named = [m for m in others if m.text.lower() not in _PRONOUNS and 0 <= m.start < m.end]
    if not named:
        return ""
    start, end = named[0].start, named[0].end
    return text[start - 4 : end] if text[max(start - 4, 0) : start].lower() == "the " else text[start:end]


def _written(text: str, kept: Sequence[_Part], head: tuple[str, int], *, tail: str) -> str:
    """The kept parts as one sentence, each joined as it was."""
    first = head[0] + text[head[1] : kept[0].end]
    out = [first[:1].upper() + first[1:]]
    for before, part in pairwise(kept):
        joint, own = text[part.joint : part.start], text[part.start : part.end]
        if before.end < part.joint and joint.strip() in ("", ","):
            joint, own = " ", own.lstrip()
        out.append(joint + own)
    return "".join(out).rstrip(" ,;") + tail
