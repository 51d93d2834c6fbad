"""Questions turned back into statements: "does X flow into" as "X flows into", "was X opened" as "X was opened"."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.extract.asked_phrase import is_named, is_nominal
from imprimatur.extract.syntax import Forms, Item
from imprimatur.extract.words import DO
from imprimatur.language.morphology import Form, inflect

__all__ = ["declared", "finite"]

_TENSES = {"did": ("past", Form.PAST), "does": ("s", Form.THIRD_PERSON)}


def declared(aux: Item, rest: Sequence[Item]) -> tuple[Item, ...]:
    """ "does X flow into" as "X flows into", "was X opened" as "X was opened"."""
    stop = _subject_end(rest)
    if not stop:
        return ()
    if aux.lower not in DO:
        return (*rest[:stop], aux, *rest[stop:])
    verb = next((n for n in range(stop, len(rest)) if "base" in rest[n].forms.verb_forms), None)
    if verb is None:
        return ()
    return (*rest[:verb], finite(rest[verb], aux), *rest[verb + 1 :])


def finite(verb: Item, aux: Item) -> Item:
    """The verb that an auxiliary carries, with the auxiliary's tense."""
    lemma = verb.forms.verb or verb.lower
    tag, form = _TENSES.get(aux.lower, ("base", None))
    written = inflect(lemma, "v", form) if form else verb.text
    made = Forms(verb=lemma, verb_forms=frozenset((tag,)))
    return verb._replace(text=written, lower=written.lower(), forms=made)


def _subject_end(rest: Sequence[Item]) -> int:
    """Where the subject of an inverted clause ends: after its last noun, with what hangs on it by "of"."""
    n = 0
    while n < len(rest):
        while n < len(rest) and rest[n].forms.closed & {"det", "poss"} and not rest[n].entity:
            n += 1
        start = n
        while n < len(rest) and _goes_on(rest[n], first=n == start):
            n += 1
            if is_named(rest[n - 1]):
                break
        if n >= len(rest) or n == start or rest[n].lower not in ("of", "and", "'s"):
            break
        n += 1
    return n


def _goes_on(item: Item, *, first: bool) -> bool:
    """Whether a word belongs to the subject and is not yet the verb."""
    verb = not first and item.forms.verb_forms & {"pp", "ing", "base"}
    return is_named(item) or (is_nominal(item) and not verb)
