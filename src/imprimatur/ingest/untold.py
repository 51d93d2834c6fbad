"""A thing of which no class is told, at one end of a relation: whether it may be what the relation leaves for it.

Contract: nothing is asserted of the thing, and no class is stored. It is let through only where the other end is told
and leaves one class for it, and its name says nothing else: a name that ends in a word of the dictionary ("Gulf War",
"U.S.") must be able to be of such a kind. What graph and batch know of it is held against the pattern afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from imprimatur.extract.words import forms
from imprimatur.ingest.name_keys import qualifier
from imprimatur.ingest.ontology import Guardrail
from imprimatur.language import wordnet
from imprimatur.sources.graph.vocabulary import class_noun

__all__ = ["left_for", "may_be"]


def left_for(guardrail: Guardrail, wanted: Iterable[str]) -> str:
    """The one class that several come to, of which the others are kinds; "" where they come to no one class."""
    every = sorted(set(wanted))
    above = [each for each in every if all(guardrail.is_a((other,), each) for other in every)]
    return above[0] if above and guardrail.class_(above[0]) is not None else ""


def may_be(name: str, labels: tuple[str, ...]) -> bool:
    """Whether a thing of this name may be of a class of these labels, by the last word of the name."""
    kinds = _kinds_of_name(name)
    nouns = {class_noun(label).partition("<")[0] for label in labels}
    of_class = {kind for noun in nouns for kind in wordnet.noun_kinds(noun)}
    return not kinds or not of_class or bool(kinds & of_class)


@lru_cache(maxsize=8192)
def _kinds_of_name(name: str) -> frozenset[str]:
    """The kinds of things that the head of a name is a word for; none where the dictionary does not have it."""
    plain = qualifier(name)[0].lower()
    if known := wordnet.noun_kinds(plain):
        return known
    head = plain.partition(" of ")[0].split()[-1:]
    return wordnet.noun_kinds(forms(head[0]).noun or head[0]) if head else frozenset()
