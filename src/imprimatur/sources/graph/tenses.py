"""What the name of a property says of time: that something was so for a while, or that it was done once and for all.

"Worked at" and "was member of" say that it was so, and nothing of now. "Won", "born in" and "author" say what is done:
it was so at one time, and that it was stays true. Anything else ("employer", "coach") is taken for what may end.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur.extract.words import forms

__all__ = ["is_done", "is_past", "is_present"]

#: What goes on for a while: who did it once need not do it now. (Who founded something is its founder for ever.)
_GOING_ON = frozenset(
    "work live reside dwell serve study train teach play coach own lead run manage head chair govern rule reign belong "
    "hold possess operate command represent captain attend stay occupy".split()
)
#: What goes on, too, though it is mostly said in the passive.
_KEPT = _GOING_ON | frozenset(
    "locate situate base house employ call know name use keep marry engage rank record list include contain consist "
    "flow border carry link relate associate affiliate connect".split()
)
_WAS = frozenset("was were had".split())
#: What happened once.
_ONCE = frozenset(
    "birth death burial foundation founding inception establishment publication release premiere discovery invention "
    "baptism award prize".split()
)
#: Who did something, which cannot be undone, and who or what is in a work.
_WHO_DID = frozenset(
    "author writer founder creator inventor discoverer winner victor laureate composer lyricist librettist "
    "screenwriter painter sculptor architect builder starring cast".split()
)


@lru_cache(maxsize=4096)
def is_past(name: str) -> bool:
    """Whether the words of a name say that something was so for a while."""
    words = name.lower().split()
    if not words:
        return False
    if words[:2] == ["used", "to"]:
        return True
    if words[0] in _WAS:
        return not (len(words) > 1 and _is_deed(words[1]))
    if words[0] in ("has", "have") and len(words) > 1:
        told = forms(words[1])
        return "pp" in told.verb_forms and "base" not in told.verb_forms and told.verb in _GOING_ON
    if words[-1] == "by":  # "owned by" is said of now
        return False
    first = forms(words[0])
    return "past" in first.verb_forms and "base" not in first.verb_forms and first.verb in _GOING_ON


@lru_cache(maxsize=4096)
def is_present(name: str) -> bool:
    """Whether the words of a name say by their verb that something is so."""
    words = name.lower().split()
    if not words or words[0] in ("is", "are"):
        return bool(words)
    if words[0] in ("has", "have"):
        return not (len(words) > 1 and "pp" in forms(words[1]).verb_forms)
    return "s" in forms(words[0]).verb_forms


@lru_cache(maxsize=4096)
def is_done(name: str) -> bool:
    """Whether the words of a name tell of what is done once and for all."""
    words = name.lower().split()
    if not words:
        return False
    if words[0] in _WAS | {"is", "are", "has", "have"}:
        words = words[1:] or words
    return _is_deed(words[0]) or not (_ONCE | _WHO_DID).isdisjoint(words)


def _is_deed(word: str) -> bool:
    """Whether a word is the past of a verb that is over when it is done."""
    told = forms(word)
    past = bool(told.verb_forms & {"past", "pp"}) and "base" not in told.verb_forms
    return past and told.verb not in _KEPT
