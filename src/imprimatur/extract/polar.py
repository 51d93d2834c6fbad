"""Answers to yes-or-no questions: "Yes." says what the question asks to confirm, "No, it does not." that it is not so.

Contract: ``reply`` tells by form alone whether a text is, or begins with, such an answer; ``asks`` whether a question
asks for one. Whoever is asked whether something is so, and says yes, claims it: such a text is never silent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.extract.asked_phrase import AUXILIARIES, last
from imprimatur.extract.questions import yes_or_no
from imprimatur.extract.syntax import Item

__all__ = ["Reply", "answers_by_pointing", "asks", "confirmed", "reply"]

_AUX = r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)"
_WHO = r"(?:it|they|he|she|that|this|these|those|there|both|all(?: of (?:it|them))?|we|i|you)"
_RIGHT = r"(?:right|correct|true|so|accurate|the case|a fact|indeed so)"
_YES = (
    r"yes|yeah|yep|yup|yea|aye|sure|surely|certainly|absolutely|definitely|indeed|correct|right|true|exactly"
    r"|precisely|affirmative|naturally|agreed|totally|undoubtedly|without (?:a )?doubt|of course|by all means|ok|okay"
    rf"|(?:{_WHO}(?:'s|’s| is) (?:absolutely |quite |entirely |indeed )?{_RIGHT})|you(?:'re|’re| are) (?:right|correct)"
    r"|i (?:can )?confirm(?: (?:it|that|this))?|confirmed"
)
_NO = (
    r"no|nope|nah|nay|never|incorrect|wrong|false|untrue|negative|not (?:at all|really|quite|exactly|so|true|correct)"
    r"|(?:certainly|absolutely|definitely|of course|surely) not|by no means|in no way"
    rf"|{_WHO}(?:'s|’s| is)(?: not|n't|n’t) (?:{_RIGHT})|{_WHO} (?:isn't|isn’t) (?:{_RIGHT})"
    rf"|{_WHO}(?:'s|’s| is) (?:incorrect|wrong|false|untrue|inaccurate|not)"
)
_CLAUSE = rf"{_WHO} (?:indeed |certainly |actually |definitely )?{_AUX}(?P<not> not|n't|n’t)?(?: (?:indeed|too|so))?"
_SHORT = rf"(?:indeed |so |actually |no )?{_CLAUSE}|so {_AUX} (?:it|they|he|she)"
_PART = r"[\s,;:.!…—–-]+"
_WHOLE = expression(
    rf"\W*(?:(?P<no>{_NO})|(?P<yes>{_YES}))?(?:(?<=\w){_PART})?(?P<short>{_SHORT})?(?:{_PART}(?:{_YES}|{_NO}))?\W*",
    re.IGNORECASE,
)
_LEADING = expression(
    rf"\W{{0,40}}(?:(?P<no>{_NO})|(?P<yes>{_YES}))(?:(?=\s*[,;:.!…—–-])|(?<=yes|yep|yup|yea)(?=\s))", re.IGNORECASE
)
_ASKS = expression(
    r"\b(?:whether|if)\b|,\s*(?:right|correct|true|yes|no|huh|eh|ok|okay)\s*\?*\s*$"
    rf"|,\s*{_AUX}(?:n't|n’t)? {_WHO}(?: not)?\s*\?*\s*$|\b(?:true|false|correct|right) (?:that|or)\b|\byes or no\b"
    r"|\b(?:confirm|verify|agree|deny)\b",
    re.IGNORECASE,
)
_WH = expression(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
_REQUEST = expression(r"\s*(?:please\b|(?:can|could|would|will|may|might) (?:you|i|we|u)\b|do you\b)", re.IGNORECASE)
_POINTING = expression(
    r"\W*(?:(?:the |option |number |answer |choice )?(?:\d[\d.,]*|[a-z])"
    r"|(?:all|both|none|each|one|two|some|many|most|few|any)(?: of (?:it|them|these|those))?|neither|either"
    r"|everyone|everybody|everything|nobody|no one|nothing|someone|something|always|never|nowhere|everywhere"
    r"|them|him|her|it|they|he|she|(?:this|that)(?: one)?|these|those|here|there"
    r"|the (?:same|former|latter|first|second|third|last|other)(?: (?:one|two))?)\W*",
    re.IGNORECASE,
)
_ENDS = ".!?"
#: Characters; what asks stands at the end.
_LONGEST_QUESTION = 2000
_SIGNS = {**dict.fromkeys("✅☑✔👍💯🆗", True), **dict.fromkeys("❌✖✗✘👎🚫⛔", False)}
_LONGEST = 120
_TAGS = frozenset("right correct true yes no huh eh ok okay".split())
_ASKING = frozenset("who whom whose what which when where why how".split())
_LEADS = (
    ("is", "it", "true", "that"),
    ("is", "it", "correct", "that"),
    ("is", "it", "right", "that"),
    ("is", "it", "a", "fact", "that"),
    ("is", "it", "the", "case", "that"),
    ("true", "or", "false", ":"),
)


@dataclass(frozen=True, slots=True)
class Reply:
    """A yes (``sign``) or no; None: both, or neither. ``end``: where its words end. ``whole``: nothing follows."""

    sign: bool | None
    start: int
    end: int
    whole: bool


def reply(text: str) -> Reply | None:
    """The yes or no that a text is, or begins with; None where it does neither."""
    start = len(text) - len(text.lstrip())
    signs = {_SIGNS[char] for char in text if char in _SIGNS}
    if signs and not any(char.isalnum() for char in text):
        return Reply(signs.pop() if len(signs) == 1 else None, start, len(text.rstrip()), True)
    found = _WHOLE.fullmatch(text) if len(text) <= _LONGEST else None
    if found is not None and (found["no"] or found["yes"] or found["short"]):
        end = len(text.rstrip())
        return Reply(_sign(found["no"], found["yes"], found["short"], found["not"]), start, end, True)
    leading = _LEADING.match(text)
    if leading is None:
        return None
    return Reply(leading["no"] is None, start, leading.end(), False)


def _sign(no: str | None, yes: str | None, short: str | None, denied: str | None) -> bool | None:
    """What a whole reply says; None where its parts do not agree."""
    said = {False} if no else {True} if yes else set()
    if short:
        said.add(denied is None)
    return said.pop() if len(said) == 1 else None


def answers_by_pointing(text: str) -> bool:
    """Whether a text is nothing but a number, the letter of an option, or a word that stands for things."""
    return len(text) <= _LONGEST and _POINTING.fullmatch(text) is not None


def asks(question: str) -> bool:
    """Whether a question can be answered by yes or no; one that asks who, what or how much, or for a favour, cannot."""
    whole = question[-_LONGEST_QUESTION:].strip()
    bare = whole.rstrip(f"{_ENDS} \n")
    last = whole[max(bare.rfind(mark) for mark in _ENDS) + 1 :]
    if _ASKS.search(last):
        return True
    return not _WH.search(last) and not _REQUEST.match(last) and last.rstrip().endswith("?")


def confirmed(question: Sequence[Item]) -> tuple[Item, ...]:
    """The sentence that a question asks to confirm; empty where it is not understood."""
    items = _without_tag(last(question))
    lowers = [item.lower for item in items]
    for lead in _LEADS:
        if tuple(lowers[: len(lead)]) == lead:
            return items[len(lead) :]
    if "whether" in lowers:
        return items[lowers.index("whether") + 1 :]
    if lowers[:1] and lowers[0] in AUXILIARIES:
        return yes_or_no(question)
    return items if not any(lower in _ASKING for lower in lowers) else ()


def _without_tag(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Without ", right" and ", isn't it"."""
    at = max((n for n, item in enumerate(items) if item.lower == ","), default=0)
    behind = [item.lower for item in items[at + 1 :]]
    tag = len(behind) <= 3 and bool(behind) and (behind[0] in _TAGS or behind[0] in AUXILIARIES)
    return items[:at] if at and tag else items
