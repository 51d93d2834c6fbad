"""What a claim says, wherever it stands: its statements without the places of their words.

Two claims of one sense say the same of the same things; a claim that keeps its words and changes what a pronoun in it
stands for changes its sense. Of a pronoun that may stand for several things the one counts of which the claim is borne
out: the same words, borne out by the same evidence, say the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields, is_dataclass

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Claim, Membership, Mention, Statement, mentions_of
from imprimatur.report import JudgedClaim

__all__ = ["Parts", "Sense", "is_kept", "parts_of", "sense"]

Sense = Hashable
#: The fields of a statement that say what it is about and by which property; all others are its value.
_SUBJECT, _PROPERTIES = "subject", ("predicates", "ends", "classes", "noun")


@dataclass(frozen=True, slots=True)
class Parts:
    """A statement in three: the things that it may be about, the properties or classes it uses, and what it says."""

    subject: frozenset[str]
    properties: frozenset[str]
    rest: Sense


def sense(claim: Claim) -> Sense:
    """The sense of a claim: equal for claims that say the same, in whatever text."""
    if claim.prose is not None:
        told = tuple((_words(each.text), tuple(map(_words, each.candidates))) for each in claim.prose.referents)
        return ("prose", _words(claim.prose.words), told, claim.kind)
    readings = frozenset(_said(reading) for reading in claim.readings)
    return ("read", readings or _words(claim.text), claim.negated, claim.modality)


def is_kept(claim: JudgedClaim, among: Sequence[JudgedClaim]) -> bool:
    """Whether one of some claims says the same as a supported claim."""
    said, rests = sense(claim.claim), _rests(claim)
    return any(sense(each.claim) == said or (rests[1] and _rests(each) == rests) for each in among)


def _rests(judged: JudgedClaim) -> tuple[str, frozenset[str]]:
    return _words(judged.claim.text), frozenset(evidence.query for evidence in judged.verdict.evidence)


def parts_of(statement: Statement) -> Parts:
    """The parts of a statement, without places."""
    if isinstance(statement, Membership):
        return Parts(frozenset(statement.subject.candidates), frozenset(("type",)), frozenset(statement.classes))
    named = (getattr(statement, name, ()) for name in ("predicates", "ends"))
    others = (each.name for each in fields(statement) if each.name not in (_SUBJECT, *_PROPERTIES))
    return Parts(
        subject=frozenset(mentions_of(statement)[0].candidates),
        properties=frozenset(predicate.iri for predicates in named for predicate in predicates),
        rest=tuple(_said(getattr(statement, name)) for name in others),
    )


def _said(value: object) -> Hashable:
    """A value of a statement without places."""
    if isinstance(value, Mention):
        named = frozenset(value.candidates) or _words(value.text)
        return ("it", named, value.every, value.count, _said(value.given))
    if isinstance(value, tuple):
        return tuple(_said(each) for each in value)
    if is_dataclass(value):
        return (type(value).__name__, *(_said(getattr(value, each.name)) for each in fields(value)))
    return value if isinstance(value, Hashable) else repr(value)


def _words(text: str) -> str:
    return " ".join(text.casefold().split())
