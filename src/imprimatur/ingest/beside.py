"""What stands beside a claim and may change what it says: words that nothing accounts for, names in between, a time.

Contract: each of these looks at a claim within its sentence and says whether a fact may be made of it; where it cannot
tell, none may. Nothing is read anew here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from imprimatur._expressions import expression
from imprimatur.claim import Attribute, Claim, Membership, Mention, Relation, Statement, mentions_of
from imprimatur.extract.discourse import REFERRING
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.words import forms
from imprimatur.ingest.doubt import past_state
from imprimatur.ingest.idle_words import origin
from imprimatur.ingest.open_names import OpenLexicon
from imprimatur.sources.graph.vocabulary import is_person_noun
from imprimatur.values import DateValue, Quantity

__all__ = ["THINGS", "counts", "meanwhile", "number_of_several", "unclear_subject", "unread_time", "unread_words"]

_NAME = expression(r"\b[A-Z]\w")
#: What may stand before the first name of a sentence.
_OPENED = expression(r"\A(?:(?:The|In|At|By|From|With|On)\s+)?(?:the\s+)?")
#: A time behind a claim, or before it at the beginning of a sentence.
_TIME = expression(
    r"\s*,?\s*(?:in|on|from|since|until|till|during|by|between|as of|before|after|around|throughout)\s+(?:the\s+)?"
    r"(?:early\s+|late\s+|mid-?\s*)?(?:\d{1,2}\s+)?(?:\d|January|February|March|April|May|June|July|August|September|October"
    r"|November|December)",
    re.IGNORECASE,
)
#: Pronouns of persons: a thing that has no name in the sentence is none of them.
_PERSONAL = frozenset("he she him his her hers".split())
#: Prepositions of what goes on meanwhile.
_WHILE = frozenset(("during", "throughout"))
#: Pronouns of things, for which too much may be meant where they are no subject.
THINGS = frozenset(("it", "them"))
_QUOTES = (("“", "”"), ('"', '"'), ("„", "“"), ("«", "»"))
_SPLIT = expression(r"\b(?:was|were|is|are|be|been|being)\s+\Z")
_AS = expression(r"\s+(?:as\s+(?:a|an|the|its|his|her|their|one)\b|with\s+(?:the\s+)?[A-Z])")
_RELATES = expression(r"\s*,?\s*(?:(?:in|during)\s+)?(?:which|who|whom|whose|where)\b")
_RELATIVES = frozenset("which who whom whose where that".split())
_PREPOSITION = expression(r"\b(by|with|for|to|from)\s+(?:the\s+)?\Z")
_PRONOUN = expression(r"\b(?:he|she|it|they|his|her|its|their|him|them|He|She|It|They|His|Her|Its|Their)\b")
_NOUN_OF = expression(r"\b([a-z]+)\s+(?:in|at|on|of|for|from|with)\s+(?:the\s+)?\Z")
_FIRST = expression(r"\A\W*[A-Z][a-z]*(?=\s+[a-z])")
_WRITTEN = expression(r"\b[A-Z][\w.’'-]*")
_PREDICATE = expression(r"\s*,\s*([a-z]+)\b")
_RELATIVE = expression(r"\s*[,(]?\s*(?:which|who|whose|that|located|situated|born|known)\b")
_WITHIN_NAME = expression(r"([A-Z][\w.’'-]*),?\s+(?:in|at|near|from|on|of|by|with|for)\s+(?:[Tt]he\s+)?\Z")


def unread_words(claim: Claim, extracted: Extracted, text: str) -> str:
    """Words within a claim, or right beside its ends, that nothing accounts for; "" where there are none."""
    covered = [span for each in extracted.claims if each is claim or says(each) for span in each.covers]

    def read(start: int, end: int) -> bool:
        return any(a <= start and end <= b for a, b in covered)

    ends = [(m.start, m.end) for r in claim.readings for m in mentions_of(r) if m.start >= 0]
    ends += [(claim.end, claim.end) for r in claim.readings if isinstance(r, Attribute)]
    for word in extracted.words:
        inside = claim.start <= word.start and word.end <= claim.end
        beside = any(
            text[word.end : start].strip() in ("", "the") if word.end <= start else not text[end : word.start].strip()
            for start, end in ends
        )
        during = text[word.start : word.end].lower() in _WHILE
        if beside and not inside and during and meanwhile(claim, word.start, word.end, text):
            continue
        if (inside or beside) and not read(word.start, word.end) and not origin(text[word.start : word.end]):
            return text[word.start : word.end]
    role = next((m for m in (_AS.match(text, end) for _, end in ends) if m is not None), None)
    return role[0].strip() if role is not None and not read(role.start() + 1, role.start() + 3) else ""


def counts(claim: Claim) -> bool:
    """Whether what is read of a claim accounts for its words: "in it" does not say in what."""
    pointing = any(isinstance(r, Relation) and r.object.text.lower() in THINGS for r in claim.readings)
    return says(claim) and not pointing


def says(claim: Claim) -> bool:
    """Whether something is read of a claim; "is a member" says nothing where no class is called so."""
    return any(not isinstance(r, Membership) or r.classes for r in claim.readings)


def number_of_several(claim: Claim, claims: Sequence[Claim], text: str) -> str:
    """The number that is said of several things at once, for it may be that of all together; "" where it is not."""
    for reading in claim.readings:
        if not isinstance(reading, Attribute) or not isinstance(reading.value, Quantity):
            continue
        for other in claims:
            told = [r for r in other.readings if isinstance(r, Attribute) and r.value == reading.value]
            if all(r.subject.candidates == reading.subject.candidates for r in told):
                continue
            shared = [text[a:b] for a, b in set(claim.covers) & set(other.covers)]
            number = next((s for s in shared if " " in s or any(c.isdigit() for c in s)), "")
            if number:
                return number
    return ""


def meanwhile(claim: Claim, start: int, end: int, text: str) -> bool:
    """Whether "during" takes nothing back: what happened meanwhile happened, and "which" tells of what went on."""
    if start >= claim.end:
        return claim.past and not past_state(claim, text)
    return any(end < r.subject.start and _RELATES.match(text, r.subject.end) for r in claim.readings)


def unclear_subject(claim: Claim, start: int, text: str, lexicon: OpenLexicon) -> bool:
    """Whether the thing of which a claim is said is not told by the grammar alone.

    A pronoun that goes back to a name within its own sentence stands for the first thing that is named there; a
    relative clause behind "A in B" is said of either, and so is what follows a name and a comma and may be a further
    predicate.

    Args:
        start: where the sentence begins.
    """
    if _taken_apart(claim, start, text) or _of_another(claim, start, text):
        return True
    for reading in claim.readings:
        subject = reading.subject
        if subject.start < 0:
            continue
        before = text[start : subject.start]
        if isinstance(reading, Relation) and _attached(reading.object, subject, text, start):
            return True
        if subject.text.lower() in REFERRING:
            names = [lexicon.name_of(iri) for iri in subject.candidates]
            told = [name for name in names if name and name in before]
            opens = all(_OPENED.sub("", before).startswith(name) for name in told)
            if not told and _elsewhere(names, start, text):
                return True
            if told and not opens and (subject.text.lower() not in _PERSONAL or _others(before, told)):
                return True
        elif _RELATES.match(text, subject.end) and "," in subject.text:
            return True  # "In Abilene, Texas, whose capital …"
        elif _RELATIVE.match(text, subject.end) and (_WITHIN_NAME.search(before[-60:]) or _member(before[-60:])):
            return True
        else:
            after = _PREDICATE.match(text, subject.end)
            verb = forms(after[1].lower()).verb_forms if after is not None else frozenset()
            if verb & {"past", "pp"} and _NAME.search(before):
                return True
    return False


def _member(before: str) -> bool:
    """Whether a text ends in "a member of", so that "who" may tell of the member."""
    found = _NOUN_OF.search(before)
    return found is not None and is_person_noun(forms(found[1]).noun or found[1])


def _elsewhere(names: Sequence[str], start: int, text: str) -> bool:
    """Whether a name of the sentence before stands there beside a pronoun, that may be what it goes on about."""
    last = text[max(0, start - 400) : start].rstrip()
    last = last[max(last.rfind(". ", 0, -1), last.rfind("\n"), -1) + 1 :]
    return any(name and name in last for name in names) and _PRONOUN.search(last) is not None


def _taken_apart(claim: Claim, start: int, text: str) -> bool:
    """Whether a verb was taken from another subject: "in A, where B was | born in C" is not said of A."""
    at = max(start, claim.start - 12)
    split = _SPLIT.search(text[at : claim.start])
    if split is None or any(a <= at + split.start() < b for a, b in claim.covers):
        return False
    ends = [r.subject.end for r in claim.readings if 0 <= r.subject.end <= claim.start]
    return any(_NAME.search(text[end : claim.start]) for end in ends)


def _of_another(claim: Claim, start: int, text: str) -> bool:
    """Whether a clause with "which" stands behind another name than those of which it is said; or "A by B" is one
    thing.

    A name right behind a preposition is what a main clause is about only where the claim has that preposition too.
    """
    mentions = [m for r in claim.readings for m in mentions_of(r) if m.start >= 0]
    for a, b in claim.covers:
        if text[a:b].lower() in _RELATIVES:
            names = list(_WRITTEN.finditer(text, start, a))
            if names and not any(m.start <= names[-1].start() < m.end for m in mentions):
                return True
    if not claim.readings:
        return False
    subject = claim.readings[0].subject
    before = _PREPOSITION.search(text[max(start, subject.start - 24) : subject.start])
    if before is None or claim.start > subject.start or _RELATES.match(text, subject.end):
        return False
    at = max(start, subject.start - 24) + before.start(1)
    return at > start and not any(a <= at < b for a, b in claim.covers)


def _others(before: str, told: Sequence[str]) -> bool:
    """Whether a text has names besides those that are told."""
    rest = _FIRST.sub("", before)
    for name in told:
        rest = rest.replace(name, "")
    return any(not origin(each[0]) for each in _WRITTEN.finditer(rest))


def _attached(mention: Mention, subject: Mention, text: str, start: int) -> bool:
    """Whether a thing stands behind a preposition and another name, to which it may belong ("… for A in B")."""
    if mention.start < 0:
        return False
    at = max(start, mention.start - 60)
    before = _WITHIN_NAME.search(text[at : mention.start])
    if before is None or (at + before.start(1) == start and forms(before[1].lower()).verb_forms & {"pp", "ing"}):
        return False  # "Born in B, A …"
    return at + before.end(1) != subject.end


def unread_time(claim: Claim, start: int, end: int, text: str) -> bool:
    """Whether a time stands with a claim that does not take it up, or a quotation holds it: "…, until 1990".

    Args:
        start, end: the sentence.
    """
    timed = any(getattr(r, "when", None) is not None or _is_date(r) for r in claim.readings)
    if not timed:
        before = _TIME.match(text, start, end)
        if _TIME.match(text, claim.end, end) or (before is not None and before.end() <= claim.start):
            return True
    for opening, closing in _QUOTES:
        at = text.rfind(opening, start, claim.start + 1)
        if at >= 0 and text.find(closing, at + 1, claim.end - 1) < 0 and text.find(closing, claim.end - 1, end) >= 0:
            return True
    return False


def _is_date(reading: Statement) -> bool:
    return isinstance(reading, Attribute) and isinstance(reading.value, DateValue)
