"""Whether texts say what a claim says: ``compare``, the core that all text sources share.

Every clause of the claim must be a clause of the texts, with the same verb or one that says the same, the same things
in the same places and the same numbers at the same words, and with no condition, reserve, quantifier or negation
dropped. A clause is held against the frames that have most of it; it stands when one of them has all. What is left over
is marked, each mark with its reason and the words at fault. An inference may have numbers that follow from those of the
texts (``concluding``) and words that say how, and must not overclaim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from imprimatur.claim import Prose
from imprimatur.language import wordnet
from imprimatur.sources.text.comparison import Comparison, Mark, Text, TextLimits, Used
from imprimatur.sources.text.evidence import Evidence, content_of
from imprimatur.sources.text.exact import added
from imprimatur.sources.text.frames import Frame, Reading, read
from imprimatur.sources.text.frequencies import often_marks
from imprimatur.sources.text.judging import Judging, Outcome
from imprimatur.sources.text.literal import in_own_words
from imprimatur.sources.text.overclaims import overclaims
from imprimatur.sources.text.pieces import Piece
from imprimatur.sources.text.quotations import misquoted
from imprimatur.sources.text.referents import continued, referred
from imprimatur.sources.text.relations import related
from imprimatur.sources.text.rewordings import rewordings, unfolded
from imprimatur.verdict import Label, Reason

__all__ = ["compare"]

#: A claim of more characters or pieces is no sentence; it is not examined.
_LONGEST = 4000

_MOST_PIECES = 400


def compare(claim: Prose, texts: Sequence[Text], limits: TextLimits, *, inference: bool = False) -> Comparison:
    """What the texts say of the claim; ``inference``: numbers may follow from theirs by arithmetic.

    What is not supported is compared in its other grammatical forms too; one that is supported is enough.
    """
    found = _freely(claim, texts, limits, inference=inference)
    if not limits.literal or found.label is not Label.SUPPORTED:
        return found
    if not found.derivation and in_own_words(claim.words, [used.sentence for used in found.used], limits):
        return found
    detail = "the texts say it in other words"
    mark = Mark(reason=Reason.LOW_COVERAGE, start=0, end=len(claim.words), detail=detail)
    return replace(found, label=Label.NOT_FOUND, marks=(mark,))


def _freely(claim: Prose, texts: Sequence[Text], limits: TextLimits, *, inference: bool) -> Comparison:
    """What the texts say of the claim, in whatever words."""
    found = _compared(claim, texts, limits, inference=inference)
    plain = unfolded(claim.words, limits.locale)
    if plain != claim.words and found.label is Label.SUPPORTED:
        found = _plainly(claim, plain, texts, limits, inference=inference)
    if found.label in (Label.SUPPORTED, Label.UNCHECKED):
        return found
    for form in rewordings(claim.words, limits.locale):
        other = _compared(replace(claim, words=form), texts, limits, inference=inference)
        if other.label is Label.SUPPORTED:
            return other
    return found


def _plainly(claim: Prose, plain: str, texts: Sequence[Text], limits: TextLimits, *, inference: bool) -> Comparison:
    """What the texts say of the claim in its plain clauses, said of all of its words."""
    other = _compared(replace(claim, words=plain), texts, limits, inference=inference)
    reasons = dict.fromkeys((mark.reason, mark.detail, mark.against) for mark in other.marks)
    marks = tuple(
        Mark(reason=reason, start=0, end=len(claim.words), detail=detail, against=against)
        for reason, detail, against in reasons
    )
    return replace(other, marks=marks)


def _compared(claim: Prose, texts: Sequence[Text], limits: TextLimits, *, inference: bool) -> Comparison:
    """What the texts say of the claim as it is worded."""
    reading = read(claim.words[:_LONGEST], limits.locale)
    if len(claim.words) > _LONGEST or len(reading.pieces) > _MOST_PIECES:
        mark = Mark(reason=Reason.NOT_EXAMINED, start=0, end=len(claim.words), detail="it is too long for one claim")
        return Comparison(label=Label.UNCHECKED, marks=(mark,))
    evidence = _evidence(tuple((text.key, text.text) for text in texts), limits.locale)
    task = Judging(reading, evidence, limits, inference)
    outcomes = task.outcomes([clause for clause in reading.frames if _says_something(clause, reading)])
    marks = [*misquoted(claim.words, texts), *(mark for outcome in outcomes for mark in outcome.marks)]
    if inference:
        wild = list(_overclaimed(reading.pieces))
        marks = [m for m in marks if not any(w.start <= m.start and m.end <= w.end for w in wild)] + wild
    content = sum(outcome.content for outcome in outcomes)
    coverage = Fraction(sum(outcome.covered for outcome in outcomes), max(content, 1)) if content else Fraction(0)
    if not outcomes or (not marks and coverage < limits.coverage):
        marks.append(Mark(reason=Reason.LOW_COVERAGE, start=0, end=len(claim.words)))
    marks += related([each.match for each in outcomes if each.match is not None], reading, evidence)
    marks += [*referred(claim, evidence), *continued(claim, reading, evidence)]
    used = tuple(_used(outcomes, evidence, texts))
    if not marks:
        marks += often_marks(claim.words, [each.sentence for each in used])
        derived = any(outcome.derivation for outcome in outcomes)
        marks += added(reading.pieces, _sentences(outcomes, evidence), derived=derived)
    marks = sorted(dict.fromkeys(marks), key=lambda mark: (mark.start, mark.end, mark.reason))
    against = any(outcome.against for outcome in outcomes) and not any(o.silent for o in outcomes)
    label = Label.SUPPORTED if not marks else Label.CONTRADICTED if against else Label.NOT_FOUND
    if marks and all(mark.reason is Reason.AMBIGUOUS_ENTITY for mark in marks):
        label = Label.AMBIGUOUS
    return Comparison(
        label=label,
        marks=tuple(marks),
        used=used,
        coverage=coverage,
        derivation=tuple(dict.fromkeys(said for outcome in outcomes for said in outcome.derivation)),
    )


@lru_cache(256)
def _evidence(texts: tuple[tuple[str, str], ...], locale: str) -> Evidence:
    """The texts as one; kept for a while, since the claims of an answer are compared with the same ones."""
    return Evidence.of([(key, read(text, locale)) for key, text in texts])


def _says_something(clause: Frame, reading: Reading) -> bool:
    """Whether a clause has words to account for, and is no aside ("as we know")."""
    content = content_of(clause, reading.pieces)
    if [k for k in content if k != clause.verb] or clause.verb < 0 or not content:
        return bool(content)
    speaking = any(reading.pieces[k].lower in ("we", "i", "you") for k in clause.members)
    kinds = {wordnet.verb_kind(lemma) for lemma, pos in reading.pieces[clause.verb].lemmas if pos == "v"}
    return not (speaking and kinds & {"verb.cognition", "verb.communication", "verb.perception"})


def _overclaimed(pieces: Sequence[Piece]) -> Iterator[Mark]:
    for start, end in overclaims(pieces):
        yield Mark(reason=Reason.OVERCLAIM, start=start, end=end, detail="no evidence gives such certainty")


def _sentences(outcomes: Sequence[Outcome], texts: Evidence) -> list[Piece]:
    """The pieces of the sentences that the clauses were matched with."""
    places = {k for each in outcomes for k in each.used}
    places |= {each.match.frame.members[0] for each in outcomes if each.match is not None}
    numbers = {frame.sentence for k in places if (frame := texts.frame_of(k)) is not None}
    reach = [
        (min(frame.reach[0] for frame in own), max(frame.reach[1] for frame in own))
        for number in sorted(numbers)
        if (own := [frame for frame in texts.frames if frame.sentence == number])
    ]
    return [texts.pieces[k] for k in sorted({k for first, last in reach for k in range(first, last)})]


def _used(outcomes: Sequence[Outcome], texts: Evidence, given: Sequence[Text]) -> Iterator[Used]:
    """The sentences that the clauses were matched with, each once."""
    from imprimatur.sources.text.sentences import sentences

    by_key = {text.key: text.text for text in given}
    seen: set[tuple[str, int]] = set()
    for outcome in outcomes:
        frames = [outcome.match.frame] if outcome.match is not None else []
        frames += [frame for k in outcome.used if (frame := texts.frame_of(k)) is not None]
        for frame in frames:
            key = texts.key_of(frame.number)
            at = texts.pieces[frame.members[0]].start
            span = next(((a, b) for a, b in sentences(by_key[key]) if a <= at < b), None)
            if span is not None and (key, span[0]) not in seen:
                seen.add((key, span[0]))
                yield Used(key, *span, by_key[key][slice(*span)])
