"""Remarks about the answer or its writer, greetings and interjections: clauses that state nothing to check.

Contract: ``remark(clause)`` says what one clause is. A clause counts only as a whole and only when nothing factual can
hide in it: no digit, no relative or "because" clause, no "that"-clause, no comparison, no fact that it presupposes
("I didn't know the Nile is in Peru"). In doubt it is no remark. Every pattern is anchored and linear.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from pathlib import Path

from imprimatur._expressions import expression

__all__ = ["Remark", "comparable", "harmless", "has_any", "indirect_question", "remark"]


class Remark(StrEnum):
    """What a clause that states nothing is."""

    GREETING = "greeting"
    META = "meta"
    OFFER = "offer"
    """A condition that only offers help ("If you need more"): a remark beside another remark."""


_LEAD = (
    r"(?:(?:unfortunately|sorry|honestly|regrettably|however|but|and|so|also|though|i'm sorry|i am sorry|i'm afraid"
    r"|i am afraid|i'm sorry but|i am sorry but) ){0,2}"
)
_ADVERB = r"(?:(?:really|honestly|simply|currently|actually|just|still|also|unfortunately|yet) )?"
_I_NOT = (
    rf"{_LEAD}(?:i|we) {_ADVERB}(?:do not|don't|did not|didn't|cannot|can't|can not|could not|couldn't"
    rf"|(?:am|was|are|were) (?:unable|not able) to|wasn't able to) {_ADVERB}"
)
_I_AM_NOT = rf"{_LEAD}(?:i|we)(?:'m|'re| am| are) (?:unable|not able) to "
_INFO = (
    r"(?:length|width|depth|height|area|size|population|date|year|origin|name|etymology|location|information|info|data"
    r"|details?|records?|figures?|sources?|answer|number|measurement|value|description|list|discharge|elevation|founder"
    r"|author|owner|capacity|age|cost|price)"
)
_SAY = r"(?:say|list|give|mention|include|state|show|cover|contain|record|specify|indicate|tell me|tell us)"
_ON_RECORD = r"(?:on record|on file|recorded|available|given|listed|stated|provided|documented|specified)"
_IS_NOT = r"(?:isn't|is not|aren't|are not|wasn't|was not|hasn't been|has not been|haven't been|have not been)"
_QUALITY = r"(?:(?:quick|brief|short|simple|clear|concise|detailed|full|complete|revised|corrected|direct) )?"
_GIST = (
    r"(?:comparison|summary|overview|list|answer|breakdown|look|rundown|table|details|facts|information|explanation"
    r"|results?|what (?:i|we) (?:know|found|have))"
)

# The first kind has a complement that may be a factive clause, so it must have a noun's form.
_FACTIVE = expression(rf"(?:{_I_NOT}|{_I_AM_NOT})(?:know|recall|remember|see)\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_NOUN_PHRASE = expression(
    r" (?:(?:the|its|their|his|her|any|an?|exact) ){1,2}(?:[a-z]+ ){1,3}(?:of|for|about)\b.*"
    r"|(?: anything| much| enough| more)? (?:about|of)\b.*| (?:that|it|this|either|yet|for sure|for certain|exactly)",
    re.DOTALL,
)
# Each pattern with words of which it needs one: most clauses have none, and are not read by it.
_META = [
    (_needed, expression(_pattern, re.IGNORECASE | re.DOTALL))
    for _needed, _pattern in (
        (
            ("not", "n't", "unable"),
            rf"(?:{_I_NOT}|{_I_AM_NOT})(?:find|confirm|say|tell(?: you)?|verify|determine|provide|answer|locate"
            r"|identify|give(?: you)?|share|help(?: you)?|comment on|list)\b(?P<rest>.*)",
        ),
        (
            ("have",),
            rf"{_LEAD}(?:i|we) {_ADVERB}(?:do not|don't|did not|didn't) {_ADVERB}have\b(?! to\b)(?P<rest>.*)",
        ),
        (
            ("sure", "certain"),
            rf"{_LEAD}(?:i|we)(?:'m|'re| am| are) (?:not (?:sure|certain)|unsure|uncertain)\b(?P<rest>.*)",
        ),
        (
            ("have no ",),
            rf"{_LEAD}(?:i|we) have no (?:idea|information|data|records?|details|answer|figures?|knowledge|sources?)\b"
            r"(?P<rest>.*)",
        ),
        (
            ("there",),
            rf"{_LEAD}there(?: is|'s| are) no (?:information|data|details|figures?|records?)\b(?P<rest>.*)",
        ),
        (
            ("no ",),
            rf"{_LEAD}no (?:exact |official |precise )?{_INFO}(?P<mid> .{{1,80}}?)? (?:is|are|was|were) {_ON_RECORD}"
            r"\b(?P<rest>.*)",
        ),
        (
            ("not", "n't"),
            rf"{_LEAD}(?:(?:the|its|their|his|her) )(?:exact |official |precise )?{_INFO}(?P<mid> .{{1,80}}?)?"
            rf" {_IS_NOT} {_ON_RECORD}\b(?P<rest>.*)",
        ),
        (
            ("not", "n't"),
            rf"{_LEAD}(?:my|the|our|these) (?:records?|sources?|notes|data|knowledge base|information|context"
            rf"|documents?) (?:do not|don't|does not|doesn't|did not|didn't) {_SAY}\b(?P<rest>.*)",
        ),
        (
            ("hope",),
            r"(?:i )?hope (?:this|that|it) (?:helps|is helpful|was helpful|answers your question)(?: you| a bit)?",
        ),
        (
            ("let me know",),
            r"(?:please |just )?let me know(?: (?:if|whether|what|which|how)\b(?P<offer>.*))?",
        ),
        (
            ("feel free", "hesitate"),
            r"(?:please )?(?:feel free|do not hesitate|don't hesitate) to (?:ask|reach out|let me know)\b(?P<offer>.*)",
        ),
        (
            ("just ask", "happy"),
            r"(?:just ask|(?:i'm |i am )?(?:always )?happy to help(?: with that)?)",
        ),
        (
            ("here",),
            rf"(?:so |okay |sure )?here(?: is|'s| are) (?:(?:a|an|the|some|my) )?{_QUALITY}{_GIST}\b(?P<rest>.*)",
        ),
        (
            ("",),
            r"(?:yes|no|nope|yep|sure|certainly|absolutely|of course|ok|okay|right|got it|understood|sorry|my apologies"
            r"|apologies|unfortunately|to be honest|honestly|i see|done|n/a|not available)",
        ),
        (
            ("thank",),
            r"(?:thanks|thank you)(?: (?:for asking|so much|very much|for (?:the|your) (?:question|patience)))?",
        ),
        (
            ("question",),
            r"(?:that's |that is |what )?(?:a )?(?:great|good|excellent|interesting|fair) question",
        ),
        (
            ("welcome", "problem", "pleasure", "sorry", "afraid", "apolog", "ai"),
            r"(?:you're welcome|you are welcome|no problem|my pleasure|i(?:'m| am) sorry|i(?:'m| am) afraid"
            r"|i apologi[sz]e(?: for (?:the|any) (?:confusion|error|mistake|inconvenience))?"
            r"|as an ai(?: language model| assistant)?)",
        ),
    )
]
_GREETING = expression(
    r"(?:hello|hi|hey|greetings|welcome|bye|goodbye|good (?:morning|afternoon|evening|day|night|bye))"
    r"(?: (?:there|again|everyone|all))?|have a (?:nice|great|good|lovely) (?:day|evening|weekend|one)|take care|cheers"
    r"|see you(?: soon| later)?|everyone|there",
    re.IGNORECASE,
)
_OFFER = expression(
    r"if (?:you|you'd|you would) (?:have|need|want|like|prefer|wish)\b(?P<rest>.*)|if (?:so|not|needed)",
    re.IGNORECASE | re.DOTALL,
)
_QUESTION_WORD = expression(
    r"\s*(?:why|how|when|where)|\s*(?:for (?:sure|certain) )?(?:about |on |of |you |exactly |just )?"
    r"(?:what|which|where|when|who|whom|whose|whether|how (?!come\b))\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE_INSIDE = (
    r"[\d,;:()\[\]\u2014\"\u201c\u201d]|\bthat (?!(?:question|information|topic|one|detail|data)\b)"
    r"|\band (?:\S{1,40} ){3}|\band (?:it|they|he|she|the)\b"
)
_HIDDEN_IN_QUESTION = expression(
    _CLAUSE_INSIDE + r"|\b(?:because|since|who|whom|whose|which|why|while|although|though|despite|but|except|unlike)\b",
    re.IGNORECASE,
)
_HIDING_PLACE = expression(
    _CLAUSE_INSIDE
    + r"|\b(?:because|since|as|who|whom|whose|which|where|when|why|while|although|though|despite|than|but|except|only"
    r"|other|longer|larger|bigger|higher|deeper|older|most|located|called|named|known|unlike|given|and yet|so|is|are"
    r"|was|were|has|had|does|did|will|would)\b|\b(?!during|morning|training|thing|something|anything)\w{1,40}ing\b"
    r"|\b(?!interest|rest|request|west|forest|latest|test)\w{3,40}est\b",
    re.IGNORECASE,
)
_APPOSITION = expression(
    r"'s (?:[a-z]+ ){1,3}[A-Z]|\bthe [A-Z]\w{0,40} (?!in|of|and|or|to|at|on|from|by|for|near)[a-z]+ [A-Z]"
    r"|\b[A-Z]\w{0,40} (?:in|of|near|at|from|on) (?:the )?[A-Z]"
)


def remark(clause: str) -> Remark | None:
    """What ``clause`` (no final punctuation, straight apostrophes) is when it states nothing; None when it may."""
    if not any(char.isalnum() for char in clause) or clause.lower() in _abstentions():
        return Remark.META
    if _GREETING.fullmatch(clause):
        return Remark.GREETING
    lower = comparable(clause)
    if has_any(lower, ("not", "n't", "unable")) and (match := _FACTIVE.fullmatch(clause)) is not None:
        return Remark.META if _unfactive(match["rest"]) else None
    if has_any(lower, ("if ",)) and (match := _OFFER.fullmatch(clause)) is not None:
        return Remark.OFFER if _open(match["rest"] or "") else None
    for needed, pattern in _META:
        if has_any(lower, needed) and _matches(pattern, clause):
            return Remark.META
    return None


def comparable(clause: str) -> str | None:
    """The clause in lower case; None where that is not all that ignoring case means ("ſ" is an "s")."""
    return clause.lower() if clause.isascii() else None


def has_any(lower: str | None, needed: tuple[str, ...]) -> bool:
    """Whether a clause, as ``comparable`` gives it, may hold one of some words."""
    if lower is None:
        return True
    for word in needed:  # noqa: SIM110 (a generator takes twice as long)
        if word in lower:
            return True
    return False


def harmless(words: str) -> bool:
    """Whether no statement can hide in a complement ("the length of it", "which counties it crosses")."""
    return indirect_question(words) or not (_HIDING_PLACE.search(words) or _APPOSITION.search(words))


def indirect_question(words: str) -> bool:
    """Whether ``words`` are an indirect question that presupposes nothing that could be wrong."""
    match = _QUESTION_WORD.fullmatch(words)
    return match is not None and _open(match["rest"] or "")


def _open(words: str) -> bool:
    """Whether words that ask or offer hold no clause that states something."""
    return not (_HIDDEN_IN_QUESTION.search(words) or _APPOSITION.search(words))


def _unfactive(rest: str) -> bool:
    return not rest or indirect_question(rest) or (_NOUN_PHRASE.fullmatch(rest) is not None and harmless(rest))


def _matches(pattern: re.Pattern[str], clause: str) -> bool:
    match = pattern.fullmatch(clause)
    if match is None:
        return False
    parts = match.groupdict(default="")
    return all(_open(words) if name == "offer" else harmless(words) for name, words in parts.items())


@cache
def _abstentions() -> frozenset[str]:
    text = (Path(__file__).parent.parent / "resources" / "abstentions.tsv").read_text("utf-8")
    rows = (line.split("\t")[1] for line in text.splitlines() if line and not line.startswith("#"))
    return frozenset(sentence for row in rows for sentence in row.split(" | "))
