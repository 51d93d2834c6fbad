"""Which words of a sentence are asserted, denied, or said of what is known rather than of the thing itself.

Contract: ``stances`` gives each token one stance. A negator before a noun ("no valet, garage or lot") reaches over a
list that ends in "or", else to the next comma or "and"; any other reaches over its clause. A clause ends at "but",
"although" and the like, before a participle that follows a comma ("…, making it …"), and before "and" with a verb of
its own. UNSAID is what no one asserts: "not specified", "may", "if". Nothing raises; time is linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from imprimatur.language import closed_class, negation, wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.language.negation import NegationKind, Negator
from imprimatur.sources.tables.attributes.words import uses

__all__ = ["Stance", "clause_end", "clause_start", "is_teller", "reported", "stances"]


class Stance(Enum):
    """How a sentence stands to a word of it."""

    ASSERTED = "asserted"
    DENIED = "denied"
    UNSAID = "unsaid"


_BREAKS = frozenset("but however although though while whereas yet that which who despite ; . :".split())
#: What parts sentences that each have a verb of their own.
_APART = _BREAKS - {"yet", "that", "which", "who", "despite"}
_SUBJECTS = frozenset(("it", "they", "he", "she", "we", "you", "there", "with", "this", "these"))
#: What is supposed, of another time, or of another place.
_UNSURE = frozenset(
    (
        *"may might could would should if whether unclear unknown perhaps will formerly previously once soon".split(),
        *"planned plans planning nearby elsewhere neighbouring neighboring".split(),
    )
)
_UNSURE_PAIRS = frozenset((("used", "to"), ("next", "door")))
_ABSENT = frozenset(("unavailable", "absent", "nonexistent"))
_COLONS = frozenset((":", "-", "–", "|"))
_NO = frozenset(("no", "none", "false", "n/a", "unavailable"))
#: Of these it is denied that something is known, not that it is so.
_KNOWING = frozenset(("information", "details", "detail", "data", "mention", "record"))
_ABOUT = frozenset(("about", "on", "regarding", "concerning"))
_TELLING = "verb.communication"
_TELLERS = frozenset(
    "customer reviewer patron visitor guest diner client user traveller traveler camper review comment".split()
)
#: So many tokens after a negator the verb of telling may stand ("no explicit mention").
_NEAR = 4


def stances(lowers: Sequence[str]) -> list[Stance]:
    """The stance of each token."""
    found = [Stance.ASSERTED] * len(lowers)
    for at, word in enumerate(lowers):
        if word in _UNSURE or (word, *lowers[at + 1 : at + 2]) in _UNSURE_PAIRS:
            end = clause_end(lowers, at)
            stop = next((place for place in range(at, end) if lowers[place] == ","), end)
            _mark(found, clause_start(lowers, at), stop, Stance.UNSAID)
        elif word in _ABSENT:
            start, end = clause_start(lowers, at), clause_end(lowers, at)
            of_telling = not _KNOWING.isdisjoint(lowers[start:at])
            _mark(found, start, end, Stance.UNSAID if of_telling else Stance.DENIED)
        elif word in _COLONS and _no_follows(lowers, at + 1):
            _mark(found, clause_start(lowers, at), at, Stance.DENIED)
        elif word in _KNOWING and lowers[at + 1 : at + 2] and lowers[at + 1] in _ABOUT:
            _mark(found, at, clause_end(lowers, at), Stance.UNSAID)
    for negator in negation.find(lowers):
        start, end = _reach(lowers, negator)
        stance = Stance.DENIED
        if negator.kind in (NegationKind.TEMPORAL, NegationKind.NEAR):
            stance = Stance.UNSAID
        begin = clause_start(lowers, negator.start)
        told = (*lowers[begin : negator.start], *lowers[negator.end : min(end, negator.end + _NEAR)])
        if any(_tells(word) for word in told[negator.start - begin :]) or not _KNOWING.isdisjoint(told):
            start, stance = begin, Stance.UNSAID
            end = clause_end(lowers, negator.end)
        _mark(found, start, end, stance)
    return found


def _no_follows(lowers: Sequence[str], at: int) -> bool:
    """Whether "no", or that it is not there, is all that stands behind a label ("WiFi: no")."""
    rest = [word for word in lowers[at:] if word not in (".", "*", "|")]
    return bool(rest) and len(rest) <= 2 and (rest[0] in _NO or rest == ["not", "available"])


def _mark(found: list[Stance], start: int, end: int, stance: Stance) -> None:
    for at in range(start, end):
        if found[at] is not Stance.UNSAID:
            found[at] = stance


def _reach(lowers: Sequence[str], negator: Negator) -> tuple[int, int]:
    """The tokens that a negator negates."""
    end = clause_end(lowers, negator.end)
    if negator.kind is NegationKind.CLAUSE:
        return clause_start(lowers, negator.start), end
    if negator.kind in (NegationKind.NOUN, NegationKind.CONTRAST):
        return negator.end, _list_end(lowers, negator.end, end)
    return negator.end, end


def _list_end(lowers: Sequence[str], at: int, end: int) -> int:
    """Where the list after "no" ends: at its last member if it is joined by "or", else with its first."""
    if not any(word in ("or", "nor") for word in lowers[at:end]):
        return next((stop for stop in range(at, end) if lowers[stop] in (",", "and")), end)
    return end


def clause_start(lowers: Sequence[str], at: int) -> int:
    """The first token of the clause of a token; a list of subjects is in it ("lots and garages are not")."""
    while at > 0 and not _begins(lowers, at):
        at -= 1
    return at


def _begins(lowers: Sequence[str], at: int) -> bool:
    """Whether a clause begins at a token."""
    return _breaks(lowers, at - 1) and (lowers[at - 1] not in ("and", ",") or _has_verb(lowers, at - 1))


def _has_verb(lowers: Sequence[str], at: int) -> bool:
    """Whether a verb stands before a token in its part of the sentence."""
    for place in range(at - 1, -1, -1):
        word = lowers[place]
        if word in _APART:
            return False
        if word in closed_class.words("auxiliary") or word in closed_class.words("modal"):
            return True
        if _finite(word) and not (place and lowers[place - 1] in closed_class.words("determiner")):
            return True
    return False


def clause_end(lowers: Sequence[str], at: int) -> int:
    """One past the last token of the clause that goes on at a token."""
    while at < len(lowers) and not _breaks(lowers, at):
        at += 1
    return at


def _breaks(lowers: Sequence[str], at: int) -> bool:
    """Whether a clause ends at a token."""
    word = lowers[at]
    if word in _BREAKS:
        return True
    if word not in ("and", ","):
        return False
    behind = lowers[at + 1 : at + 3]
    if any(_opens(each) for each in behind) or (behind and _participle(behind[0])):
        return True
    return _verb_follows(lowers, at + 1)


def _opens(word: str) -> bool:
    return word in closed_class.words("auxiliary") or word in closed_class.words("modal") or word in _SUBJECTS


@lru_cache(maxsize=4096)
def _participle(word: str) -> bool:
    """Whether a word is a present participle and no noun of its own ("making", not "parking")."""
    found = lemmas(word)
    return word.endswith("ing") and ("n" not in {pos for _, pos in found}) and any(pos == "v" for _, pos in found)


@lru_cache(maxsize=4096)
def _finite(word: str) -> bool:
    """Whether a word is rather a verb in the third person than a noun ("offers", "accepts")."""
    found = lemmas(word)
    verbs = [lemma for lemma, pos in found if pos == "v" and lemma != word]
    return bool(verbs) and word.endswith("s") and all(uses(lemma, "v") > uses(lemma, "n") for lemma in verbs)


def _verb_follows(lowers: Sequence[str], at: int) -> bool:
    """Whether a verb comes before the next member of a list would."""
    for word in lowers[at : at + 6]:
        if word in (",", "or", "and", "nor"):
            return False
        if word in closed_class.words("auxiliary") or _finite(word):
            return True
    return False


def reported(lowers: Sequence[str]) -> int:
    """One past the verb by which somebody tells something ("one reviewer noted that"); 0 where nobody does."""
    for at, word in enumerate(lowers):
        if not is_teller(word):
            continue
        for verb in range(at + 1, min(len(lowers), at + _NEAR + 2)):
            if lowers[verb] in ("by", ",", "."):
                break
            if _verb_of_telling(lowers[verb]):
                return verb + 1
    return 0


@lru_cache(maxsize=4096)
def is_teller(word: str) -> bool:
    """Whether a word is of somebody who speaks from use ("customers", "reviewers"), or of what he wrote."""
    return any(pos == "n" and lemma in _TELLERS for lemma, pos in lemmas(word))


@lru_cache(maxsize=4096)
def _verb_of_telling(word: str) -> bool:
    return any(pos == "v" and wordnet.verb_kind(lemma) == _TELLING for lemma, pos in lemmas(word))


@lru_cache(maxsize=4096)
def _tells(word: str) -> bool:
    """Whether a word is of telling ("specify", "mention", "information")."""
    found = lemmas(word)
    if any(pos == "n" for _, pos in found):
        return any(lemma in ("mention", "information") for lemma, _ in found)
    return _verb_of_telling(word)
