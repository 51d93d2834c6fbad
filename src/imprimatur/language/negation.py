"""Negators in a sequence of words: where they stand and what they negate.

Contract: ``find`` gets the lower-case words of one segment, punctuation among them, as ``tokens.tokenise`` splits them
("do", "n't"; an unsplit "don't" is understood too), and gives the negators in order, not overlapping. Words that look
negative and are not are left out: the bounds "no less than" and "no later than", the additive "not only", the answer
"No,", "no doubt". What is left out is not thereby harmless: it stays with the caller as residue.
Two negators of one clause ("it is not true that X does not ...") are two entries. Time is linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from imprimatur.language import closed_class

__all__ = ["NegationKind", "Negator", "additive", "find"]


class NegationKind(StrEnum):
    """What a negator negates.

    CLAUSE: the clause it stands in ("not", "never", "by no means"). NOUN: the noun after it ("no rivers", "without").
    IMPLICATIVE: the clause that depends on it ("fails to", "denied that", "it is false that"). CONTRAST: the words
    after it only ("rather than X", "unlike X"). TEMPORAL: the present, and says something of another time ("no
    longer", "has yet to"). CORRELATIVE: "neither" and "nor", each the conjunct after it, and never each other. NEAR:
    "hardly", "barely": between yes and no, hence proof of neither.
    """

    CLAUSE = "clause"
    NOUN = "noun"
    IMPLICATIVE = "implicative"
    CONTRAST = "contrast"
    TEMPORAL = "temporal"
    CORRELATIVE = "correlative"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class Negator:
    """One negator: ``tokens[start:end]``."""

    start: int
    end: int
    kind: NegationKind


_NOT = frozenset({"not", "n't", "n\u2019t"})
_NOUNS = frozenset({"no", "none", "nobody", "nothing", "without"})
_TEMPORAL = frozenset({("no", "longer"), ("not", "yet"), ("n't", "yet"), ("no", "more")})
_BOUND_WORDS = frozenset(
    {"less", "more", "fewer", "later", "earlier", "sooner", "greater", "higher", "lower", "smaller"}
)
_OPINION = frozenset({"doubt", "wonder", "question", "matter"})
_ADDITIVE = frozenset({"only", "just", "merely", "solely", "simply"})
_AFTER_ANSWER = closed_class.words("pronoun") | {
    "the",
    "a",
    "an",
    "there",
    ",",
    ".",
    "!",
    ";",
    ":",
    "\u2014",
    "\u2013",
    "-",
}
_FOLLOWED_BY_TO = frozenset(
    {
        "fail",
        "fails",
        "failed",
        "failing",
        "refuse",
        "refuses",
        "refused",
        "refusing",
        "decline",
        "declines",
        "declined",
    }
    | {"neglect", "neglects", "neglected", "cease", "ceases", "ceased", "unable", "forget", "forgets", "forgot"}
)
_FOLLOWED_BY_THAT = frozenset(
    {"deny", "denies", "denied", "denying", "false", "wrong", "untrue", "incorrect", "inaccurate", "myth", "lie"}
    | {"disprove", "disproves", "disproved", "refute", "refutes", "refuted", "impossible"}
)
_FOLLOWED_BY_ING = frozenset(
    {"stop", "stops", "stopped", "cease", "ceases", "ceased", "avoid", "avoids", "avoided", "deny", "denies", "denied"}
)
_NEAR = closed_class.words("near_negator") - {"little", "few"}
_LACK = frozenset({"lack", "lacks", "lacked", "lacking"})


def find(tokens: Sequence[str]) -> tuple[Negator, ...]:
    """The negators of ``tokens`` in order, not overlapping."""
    opening = _opening()
    if opening.isdisjoint(tokens) and not _contracted("\0".join(tokens)):
        return ()
    found: list[Negator] = []
    index = 0
    while index < len(tokens):
        word = tokens[index]
        if word not in opening and not word.endswith("n't") and "\u2019" not in word:
            index += 1
            continue
        length, kind = _at(tokens, index)
        if kind is not None:
            found.append(Negator(index, index + length, kind))
        index += max(length, 1)
    return tuple(found)


def _contracted(words: str) -> bool:
    """Whether a word may end in "n't"."""
    return "n't" in words or "\u2019" in words


@cache
def _opening() -> frozenset[str]:
    """Every word with which a negator or what looks like one begins, but for those in "n't"."""
    phrases = (phrase[0] for name in ("contrast", "negator", "near_negator") for phrase in closed_class.phrases(name))
    words = (closed_class.words(name) for name in ("contrast", "negator", "near_negator"))
    told = (_FOLLOWED_BY_TO, _FOLLOWED_BY_THAT, _FOLLOWED_BY_ING, _LACK, _NEAR, _NOT, _NOUNS)
    others = ("cannot", "neither", "nor", "no", "without", "nothing", "none", "or", "whether")
    return frozenset(phrases).union(*words, *told, others)


def additive(tokens: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where "not only", "not just" stand (index ranges): they affirm what follows and negate nothing."""
    return tuple((i, i + 2) for i in range(len(tokens) - 1) if _is_not(tokens[i]) and tokens[i + 1] in _ADDITIVE)


_Found = tuple[int, NegationKind | None]


def _at(tokens: Sequence[str], index: int) -> _Found:
    """The length and kind of the negator at ``index``; kind None (with a length to pass over) when there is none."""
    word = tokens[index].replace("\u2019", "'")
    harmless = _harmless(tokens, index)
    if harmless:
        return harmless, None
    length = closed_class.longest("contrast", tokens, index)
    if length:
        return length, NegationKind.CONTRAST
    length = closed_class.longest("negator", tokens, index)
    if length > 1:
        return length, _phrase_kind(tuple(tokens[index : index + length]))
    if word in ("neither", "nor"):
        return 1, NegationKind.CORRELATIVE
    if word in _NOUNS:
        return 1, NegationKind.NOUN
    if length or _is_not(word):
        return 1, NegationKind.CLAUSE
    return _implicative(tokens, index, word)


def _is_not(word: str) -> bool:
    return word in _NOT or word == "cannot" or word.endswith(("n't", "n\u2019t"))


def _harmless(tokens: Sequence[str], index: int) -> int:
    """How many tokens at ``index`` look like a negator and are none."""
    word, following = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else ""
    third = tokens[index + 2] if index + 2 < len(tokens) else ""
    if (word == "no" or _is_not(word)) and following in _BOUND_WORDS and third == "than":
        return 3
    if _is_not(word) and following in (*_ADDITIVE, "least"):
        return 2
    if word in ("no", "without") and following in _OPINION:
        return 2
    if word == "no" and following in (".", "\u00b0", "\u00ba", "#") and third.isdigit():
        return 3
    if word == "no" and index == 0 and following != "one" and (following in _AFTER_ANSWER or not following):
        return 1
    if (word, following) in (("nothing", "but"), ("none", "other")) or (word, following, third) == ("or", "not", "."):
        return 2
    return 3 if (word, following, third) == ("whether", "or", "not") else 0


def _phrase_kind(phrase: tuple[str, ...]) -> NegationKind:
    if phrase in _TEMPORAL or phrase[1:] == ("yet", "to"):
        return NegationKind.TEMPORAL
    return NegationKind.NOUN if phrase == ("no", "one") else NegationKind.CLAUSE


def _implicative(tokens: Sequence[str], index: int, word: str) -> _Found:
    following = tokens[index + 1] if index + 1 < len(tokens) else ""
    if (word in _FOLLOWED_BY_TO and following == "to") or (word in _FOLLOWED_BY_THAT and following == "that"):
        return 2, NegationKind.IMPLICATIVE
    if word in _FOLLOWED_BY_ING and following.endswith("ing") and len(following) > 4:
        return 1, NegationKind.IMPLICATIVE
    if word in _LACK:
        return 1, NegationKind.IMPLICATIVE
    return (1, NegationKind.NEAR) if word in _NEAR else (0, None)
