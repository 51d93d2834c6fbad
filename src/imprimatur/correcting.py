"""A last resort before something is withheld: a corrector is asked for other words, which are read anew in their place.

    the segment that is not licensed      what happens
    ------------------------------------  --------------------------------------------------------------------------
    a stored value puts it right          that (``sources.graph.corrected``); the corrector is not asked
    its label is one to be asked about    the corrector proposes; what speaks against it (``acceptable``) is told it,
                                          as often as is configured; the first wording that nothing speaks against
    anything else                         it is not asked

Invariants: a proposal is data, and becomes edits within the one segment that it is for; it counts only where the
segment, examined anew behind the same text, is licensed and keeps what was right in it; a corrector that fails, is late
or used up has proposed nothing. What is taken is looked at once more where it goes out (``release``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.acceptable import Worded, objection, odd_form
from imprimatur.answer import Answer, Segment
from imprimatur.claim import mentions_of
from imprimatur.corrector import LONGEST, Asked
from imprimatur.decide import is_released, queries_of
from imprimatur.decision import Edit
from imprimatur.frame import Examining, Frame
from imprimatur.language.tokens import tokenise
from imprimatur.protocols import Flawed, Lexicon
from imprimatur.recheck import Base, Recheck
from imprimatur.report import JudgedSegment
from imprimatur.verdict import Label

__all__ = ["Failed", "edits_between", "mended", "name_words", "things_named"]

_WORD = expression(r"\w+|\s+|[^\w\s]")
_MOST_WORDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A segment that is not licensed, where it stands.

    ``text`` is the answer up to its end; ``parts`` and ``judged`` are its segments so far, this one the last;
    ``base`` is how the segment before it, or it where it is the first, is examined anew.
    """

    answer: Answer
    text: str
    parts: tuple[Segment, ...]
    judged: tuple[JudgedSegment, ...]
    base: Base

    @property
    def part(self) -> Segment:
        """The segment's place."""
        return self.parts[-1]

    @property
    def words(self) -> str:
        """The segment's own words."""
        return self.text[slice(*self.part.body)]


def mended(failed: Failed, frame: Frame) -> Examining[tuple[Edit, ...]]:
    """The edits by which a segment becomes one that is licensed; none where no proposal does that."""
    correcting = frame.correcting
    if correcting is None or frame.tagged or correcting.asked >= correcting.correction.segments:
        return ()
    correcting.asked += 1
    question = failed.answer.question or ""
    named = things_named(failed.words, failed.judged, question, frame.lexicon)
    flawed = _flawed(failed, correcting.correction.facts(sorted(named), failed.words))
    before = Worded(failed.words, failed.text, failed.judged[-1], name_words(failed.words, frame.lexicon))
    for _ in range(correcting.correction.rounds):
        if correcting.left <= 0:
            return ()
        asked = Asked(correcting, flawed)
        yield asked
        if not asked.proposed:
            return ()
        why = odd_form(failed.words, asked.proposed)
        if not why:
            after = yield from _read_anew(failed, asked.proposed, frame)
            why = "it is more than one sentence" if after is None else objection(before, after, named)
            if after is not None and not why and is_released(after.judged, frame.policy):
                return tuple(_edits(failed, asked.proposed, after.judged))
        if any(asked.proposed == said for said, _ in flawed.refused):
            return ()  # it repeats itself
        refused = (*flawed.refused, (asked.proposed[:LONGEST], why or "the policy does not release it"))
        flawed = replace(flawed, refused=refused)
    return ()


def _read_anew(failed: Failed, words: str, frame: Frame) -> Examining[Worded | None]:
    """The segment as it is judged with other words; None where they make more of it, or less, than one segment."""
    part = failed.part
    check = Recheck(replace(failed.answer, text=failed.text[: part.start]), frame, failed.base)
    head, tail = failed.text[part.start : part.body[0]], failed.text[part.body[1] : part.end]
    check.feed(head + words + tail)
    check.end()
    found: list[JudgedSegment] = []
    while (looked := (yield from check.look())) is not None:
        found.append(looked.segment)
    own = [each for each in found if each.start >= part.start]
    whole = len(own) == 1 and own[0].start == part.start and own[0].end == len(check.text)
    behind = [each.end for each in found if each.start < part.start]
    if not whole or any(end > part.start for end in behind):
        return None
    return Worded(words, check.text, own[0], name_words(words, frame.lexicon))


def _edits(failed: Failed, words: str, judged: JudgedSegment) -> Iterator[Edit]:
    evidence = queries_of(judged)
    start = failed.part.body[0]
    for first, last, after in edits_between(failed.words, words):
        before = failed.words[first:last]
        yield Edit(start=start + first, end=start + last, before=before, after=after, evidence=evidence)


def edits_between(before: str, after: str) -> list[tuple[int, int, str]]:
    """``before[start:end]`` and what stands for it in ``after``, in order: whole words that differ."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) > _MOST_WORDS or len(new) > _MOST_WORDS:
        return [(0, len(before), after)]
    ends = [0]
    for word in old:
        ends.append(ends[-1] + len(word))
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(ends[a], ends[b], "".join(new[c:d])) for kind, a, b, c, d in found if kind != "equal"]


def _flawed(failed: Failed, facts: tuple[str, ...]) -> Flawed:
    """What the corrector is told of a segment."""
    judged = failed.judged[-1]
    faults, refuting = list[str](), list[str]()
    for each in judged.claims:
        if each.verdict.label is Label.SUPPORTED:
            continue
        words = " ".join(each.claim.text.split())
        right = [e.correction for e in each.verdict.evidence if e.correction is not None]
        said = f"right would be: {', '.join(right)}" if right else each.verdict.label.value.replace("_", " ")
        faults.append(f"“{words}”: {said}")
        refuting += [evidence.content for evidence in each.verdict.evidence if evidence.kind != "triple"]
    left = [failed.text[each.start : each.end] for each in judged.residue if each.hard]
    faults += [f"nothing bears out “{words}”" for words in left]
    before = failed.text[slice(*failed.parts[-2].body)] if len(failed.parts) > 1 else ""
    return Flawed(
        text=failed.words,
        faults=tuple(dict.fromkeys(faults)) or ("nothing bears it out",),
        facts=tuple(dict.fromkeys((*refuting, *facts))),
        question=failed.answer.question or "",
        before=before,
    )


def things_named(words: str, judged: Sequence[JudgedSegment], question: str, lexicon: Lexicon) -> frozenset[str]:
    """The things that a segment is about: those that it names, else that the text before it, or the question, names.

    Args:
        words: its words; ``judged`` are the segments up to it, itself the last.
    """
    own = _things(judged[-1]) | _names(words, lexicon)
    if own:
        return own
    before = (found for segment in reversed(judged[:-1]) if (found := _things(segment)))
    return next(before, None) or _names(question, lexicon)


def _things(segment: JudgedSegment) -> frozenset[str]:
    readings = (reading for each in segment.claims for reading in each.claim.readings)
    return frozenset(iri for reading in readings for mention in mentions_of(reading) for iri in mention.candidates)


def _names(text: str, lexicon: Lexicon) -> frozenset[str]:
    return frozenset(iri for found in lexicon.find(tokenise(text)) for iri in found.candidates)


def name_words(text: str, lexicon: Lexicon) -> frozenset[str]:
    """The words, in small letters, that belong to known names in a text."""
    tokens = tokenise(text)
    return frozenset(token.lower for found in lexicon.find(tokens) for token in tokens[found.first : found.stop])
