"""What speaks against a proposed wording of a segment that was not licensed.

A wording is taken only where all of this holds, whoever proposes it:

    its form          one line, no longer than a correction can be, no markup, address or sign that the segment had not
    its licence       the segment, read anew in its place, is supported, and no word is left over that was not there
    what was right    every supported claim of the segment is still there, with the same statements; but what kind of
                      thing a wrong value is ("died in X, a city") may go, or be said of the right one
    what is new       no more claims than there were; each keeps two of subject, property and value of one that failed,
                      or, where words could not be read, is about a thing that they named and shares a further word;
                      words that are compared with text are changed in a few places alone
    how it is put     no denial, reserve, attribution or looser bound that was not there

Invariant: ``objection`` never says that something is true; the sources did, when the segment was read anew.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.claim import Claim, Membership, Modality, Relation, Statement, mentions_of
from imprimatur.extract.words import forms
from imprimatur.language import hedges, negation
from imprimatur.language.hedges import Hedge
from imprimatur.language.modality import SegmentKind, classify
from imprimatur.language.tokens import TokenKind, tokenise
from imprimatur.language.wordnet import attribute
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.sense import is_kept, parts_of
from imprimatur.values import Bound, DateValue, Quantity
from imprimatur.verdict import Label

__all__ = ["Worded", "objection", "odd_form"]

#: A wording may be so many times as long as what it stands for, and so many characters longer.
_TIMES, _MORE = 2, 60
_PLAIN = frozenset(" .,;:'’\"“”()-–—%°/&+£$€²³")
_ADDRESSES = ("://", "www.")
#: Of words that are compared with text so large a share stays; so many words may be new, or so large a share of them.
_STAYS, _NEW, _NEW_SHARE = 1 / 2, 2, 1 / 4
_DIGITS = expression(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Worded:
    """A segment as it is worded: its words, the text that they stand in, and how it was judged there.

    ``names`` are the words, in small letters, that belong to names in it.
    """

    words: str
    text: str
    judged: JudgedSegment
    names: frozenset[str] = frozenset()


def odd_form(before: str, after: str) -> str:
    """What is wrong with the form of a wording, in plain words; "" where nothing is."""
    if not any(char.isalnum() for char in after):
        return "it has no words"
    if after == before:
        return "it is the same sentence"
    if len(after) > _TIMES * len(before) + _MORE:
        return "it is much longer than the sentence"
    if any(unicodedata.category(char)[0] == "C" or char in "\u2028\u2029" for char in after):
        return "it is more than one line, or has signs that cannot be seen"
    foreign = {char for char in after if not char.isalnum() and char not in _PLAIN} - set(before)
    if foreign:
        return "it has markup or signs that the sentence had not"
    if any(each in after.casefold() and each not in before.casefold() for each in _ADDRESSES):
        return "it has an address that the sentence had not"
    return ""


def objection(before: Worded, after: Worded, named: frozenset[str]) -> str:
    """What speaks against a wording of a segment, in plain words; "" where nothing does.

    Args:
        before: the segment that was not licensed.
        after: what is to stand for it.
        named: the things that the segment was about, as far as its words tell.
    """
    return (
        odd_form(before.words, after.words)
        or _unlicensed(before, after)
        or _reserved(before.words, after.words)
        or _lost(before.judged, after.judged)
        or _added(before, after, named)
    )


def _unlicensed(before: Worded, after: Worded) -> str:
    judged = after.judged
    failed = [each for each in judged.claims if each.verdict.label is not Label.SUPPORTED]
    if failed:
        claim = failed[0].claim
        return f"“{' '.join(claim.text.split())[:200]}” is {failed[0].verdict.label.value.replace('_', ' ')}"
    if judged.label is not Label.SUPPORTED or not judged.claims:
        return "it cannot be read as a statement that the evidence bears out"
    known = before.words.casefold()
    left = [after.text[each.start : each.end] for each in judged.residue]
    strange = [words for words in left if words.casefold() not in known]
    if strange:
        return f"nothing bears out “{strange[0][:200]}”"
    idle = next(_idle(before, after), "")
    return f"it adds “{idle[:100]}”" if idle else ""


def _idle(before: Worded, after: Worded) -> Iterator[str]:
    """Words that belong to no claim and were not there before."""
    known = {token.lower for token in tokenise(before.words)}
    start = after.text.index(after.words, after.judged.start)
    covers = [cover for each in after.judged.claims for cover in each.claim.covers]
    for token in tokenise(after.words):
        at = start + token.start
        plain = token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL) or token.lower in known
        if not plain and not any(first <= at < last for first, last in covers):
            yield token.text


def _reserved(before: str, after: str) -> str:
    """How a wording leaves open, or makes remarks on, what the segment plainly said."""
    old, new = classify(before), classify(after)
    if new.kind is not SegmentKind.ASSERTED and new.kind is not old.kind:
        return "it does not plainly say it"
    if _negators(after) > _negators(before):
        return "it denies something instead of saying what is so"
    known = before.casefold()
    for start, end in (*new.marker_spans, *new.meta_spans):
        if (remark := after[start:end].strip(" ,")).casefold() not in known:
            return f"it adds “{remark[:100]}”"
    return ""


def _negators(text: str) -> int:
    return len(negation.find([token.lower for token in tokenise(text)]))


def _lost(before: JudgedSegment, after: JudgedSegment) -> str:
    """What was right and is not there any more."""
    excused = _about_wrong(before)
    for each in _supported(before):
        if each not in excused and not is_kept(each, after.claims):
            return f"“{' '.join(each.claim.text.split())[:200]}” was right and must stay as it was"
    return ""


def _about_wrong(segment: JudgedSegment) -> list[JudgedClaim]:
    """The supported claims that say what kind of thing it is that a failed claim wrongly names as a value."""
    failed = [reading for each in _failed(segment) for reading in each.readings]
    about = {iri for reading in failed for iri in mentions_of(reading)[0].candidates}
    values = {iri for reading in failed if isinstance(reading, Relation) for iri in reading.object.candidates} - about
    return [
        each
        for each in _supported(segment)
        if each.claim.readings
        and all(isinstance(r, Membership) and values.issuperset(r.subject.candidates) for r in each.claim.readings)
    ]


def _added(before: Worded, after: Worded, named: frozenset[str]) -> str:
    if _count(after.judged) > max(1, _count(before.judged)):
        return "it says more than the sentence did"
    right, failed = tuple(_supported(before.judged)), _failed(before.judged)
    new = [each.claim for each in after.judged.claims if not each.claim.naming and not is_kept(each, right)]
    for claim in new:
        if why := _turned(claim, failed):
            return why
    values = {iri for c in new for r in c.readings if isinstance(r, Relation) for iri in r.object.candidates}
    excused = [each.claim for each in _about_wrong(before.judged)]
    rest = _unmatched(new, [*failed, *excused], lambda old, made: _mends(made, old, values if old in excused else None))
    if not all(_rereads(claim, before, after, failed, named) for claim in rest):
        return "it says something else than the sentence did"
    return ""


def _unmatched(new: Sequence[Claim], old: Sequence[Claim], fits: Callable[[Claim, Claim], bool]) -> list[Claim]:
    """The new claims that are left when as many as can be stand for an old one each, none of which is taken twice."""
    options = [[number for number, each in enumerate(old) if fits(each, claim)] for claim in new]
    taken: dict[int, int] = {}

    def placed(claim: int, seen: set[int]) -> bool:
        for number in options[claim]:
            if number not in seen:
                seen.add(number)
                if number not in taken or placed(taken[number], seen):
                    taken[number] = claim
                    return True
        return False

    return [claim for number, claim in enumerate(new) if not placed(number, set())]


def _supported(segment: JudgedSegment) -> Iterator[JudgedClaim]:
    return (each for each in segment.claims if each.verdict.label is Label.SUPPORTED)


def _failed(segment: JudgedSegment) -> list[Claim]:
    return [each.claim for each in segment.claims if each.verdict.label is not Label.SUPPORTED]


def _count(segment: JudgedSegment) -> int:
    return sum(not each.claim.naming for each in segment.claims)


def _turned(claim: Claim, failed: Sequence[Claim]) -> str:
    """How a claim is put that the failed ones were not."""
    if claim.negated and not any(each.negated for each in failed):
        return "it denies something instead of saying what is so"
    if claim.modality is not Modality.ASSERTED and claim.modality not in {each.modality for each in failed}:
        return "it leaves open what the sentence said"
    loose = _bounds(claim) - {Bound.EXACT}
    if loose - {bound for each in failed for bound in _bounds(each)}:
        return "it says less exactly what the sentence said"
    return ""


def _bounds(claim: Claim) -> set[Bound]:
    values = (getattr(reading, name, None) for reading in claim.readings for name in ("value", "by"))
    return {value.bound for value in values if isinstance(value, Quantity | DateValue)}


def _mends(claim: Claim, old: Claim, values: set[str] | None) -> bool:
    """Whether a claim is an old one with another subject, property or value.

    ``values``: the old one was right, but about a wrong value; the new one must be about one of these instead.
    """
    if claim.prose is not None or not claim.readings:
        return False
    near = _near if values is None else lambda before, after: _follows(before, after, values)
    return all(any(near(before, after) for before in old.readings) for after in claim.readings)


def _follows(old: Statement, new: Statement, values: set[str]) -> bool:
    """Whether a statement says of a new value what an old one said of the wrong value, by the same property."""
    before, after = parts_of(old), parts_of(new)
    return type(old) is type(new) and bool(before.properties & after.properties) and after.subject <= values


def _near(old: Statement, new: Statement) -> bool:
    if type(old) is not type(new):
        return False
    before, after = parts_of(old), parts_of(new)
    same = (
        bool(before.subject & after.subject),
        bool(before.properties & after.properties),
        before.rest == after.rest,
    )
    return sum(same) >= 2


def _rereads(claim: Claim, before: Worded, after: Worded, failed: Sequence[Claim], named: frozenset[str]) -> bool:
    """Whether a claim may be what words say that could not be read."""
    unread = any(not each.readings for each in failed) or any(each.hard for each in before.judged.residue)
    if not unread:
        return False
    if claim.prose is not None:
        return _edits_words(before.words, after.words)
    names = before.names | after.names
    known = frozenset().union(*_content(before.words, names))
    shared = any(not known.isdisjoint(each) for each in _content(after.words, names))
    subjects = [frozenset(mentions_of(reading)[0].candidates) for reading in claim.readings]
    return shared and bool(subjects) and all(named & each for each in subjects)


def _edits_words(before: str, after: str) -> bool:
    """Whether words that are compared with text were changed in a few places, and no bound put to a number."""
    old, new = _content(before, frozenset()), _content(after, frozenset())
    known, there = frozenset().union(*old), frozenset().union(*new)
    stays = sum(not there.isdisjoint(each) for each in old)
    added = sum(known.isdisjoint(each) for each in new)
    few = added <= max(_NEW, _NEW_SHARE * len(new))
    return stays >= _STAYS * len(old) and few and _hedges(after) <= _hedges(before)


def _hedges(text: str) -> set[Hedge]:
    """How the numbers of a text are bounded."""
    plain = text.casefold()
    found = [hedges.before(plain, each.start()) for each in _DIGITS.finditer(plain)]
    found += [hedges.after(plain, each.end()) for each in _DIGITS.finditer(plain)]
    return {each[1] for each in found if each is not None} - {Hedge.EXACT}


def _content(text: str, names: frozenset[str]) -> list[frozenset[str]]:
    """The content words of a text that belong to no name: of each the base forms, and what an adjective measures."""
    found = []
    for token in tokenise(text):
        if token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL) or token.lower in names:
            continue
        known = forms(token.lower)
        bases = {form for form in (known.noun, known.verb, known.adj) if form}
        if bases or not known.closed:
            measured = attribute(known.adj) if known.adj else frozenset()
            found.append(frozenset(bases or {token.lower}) | measured)
    return found
