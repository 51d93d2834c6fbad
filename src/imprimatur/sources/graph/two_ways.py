"""Labels of one word that are a verb and a noun with opposite directions: "causes", "coaches", "uses", "mentors".

"S causes O" makes S the cause of O, while a list of the "causes" of S makes O the cause. Such a label is read in one
way only: as the property's other labels or its types have it, else as the verb. Where the noun is of persons, who
mentor and have mentors, neither is taken without a sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from imprimatur.extract.frames import aspects, relations
from imprimatur.extract.wording import WordingKey
from imprimatur.extract.words import forms
from imprimatur.language import wordnet
from imprimatur.sources.graph.own_words import PERSONS, chain_of, own_keys
from imprimatur.sources.graph.schema import PropertyInfo, Schema

__all__ = ["keys_of_labels"]

_PERSON = "noun.person"
#: Kinds of what may do as persons do: firms sponsor, countries host.
_DOERS = frozenset((_PERSON, "noun.group", "noun.location"))


def keys_of_labels(info: PropertyInfo, schema: Schema) -> set[WordingKey]:
    """The keys of a property's labels, each read in the direction that it has."""
    labels = list(dict.fromkeys((*info.labels, *info.alt_labels)))
    keys = {label: own_keys(label) for label in labels}
    if schema.language is not None:
        return set().union(*keys.values())
    doubted = {label: pair for label in labels if (pair := _opposed(label)) is not None}
    sure: set[WordingKey] = set().union(*(found for label, found in keys.items() if label not in doubted))
    out = set(sure)
    for label, (noun, verb) in doubted.items():
        out |= keys[label] - {noun, verb} | _chosen(noun, verb, sure, info, schema)
    return out


def _chosen(
    noun: WordingKey, verb: WordingKey, sure: set[WordingKey], info: PropertyInfo, schema: Schema
) -> set[WordingKey]:
    """The one of two opposed keys that is meant; none where nothing tells."""
    as_noun = bool({noun, verb.from_other_end()} & sure)
    as_verb = bool({verb, noun.from_other_end()} & sure)
    if as_noun or as_verb:
        return ({noun} if as_noun else set()) | ({verb} if as_verb else set())
    if not _of_persons(noun):
        return {verb}
    doer, done = _kinds(info.ranges, schema), _kinds(info.domains, schema)
    if doer and doer.isdisjoint(_DOERS):
        return {verb}  # no person, firm or country is said to be the coach
    if _PERSON in done and doer and _PERSON not in doer:
        return {verb}
    return {noun} if _PERSON in doer and done and _PERSON not in done else set()


def _kinds(classes: Sequence[str], schema: Schema) -> frozenset[str]:
    """The kinds of the classes' nouns; empty where one is not known."""
    found = [schema.class_(iri) for iri in classes]
    words = [label.lower().split()[-1] for cls in found if cls is not None for label in cls.labels if label.strip()]
    kinds = [_kind(forms(word).noun or word) for word in words]
    return (
        frozenset(kind for kind in kinds if kind)
        if kinds and all(kinds) and len(words) >= len(classes)
        else frozenset()
    )


def _kind(noun: str) -> str | None:
    # WordNet's first words of all have no kind but themselves.
    return _PERSON if noun in PERSONS else "noun.group" if noun == "group" else wordnet.noun_kind(noun)


def _of_persons(noun: WordingKey) -> bool:
    chain = chain_of(noun.key)
    return chain is not None and wordnet.noun_kind(chain[0]) == _PERSON


@cache
def _opposed(label: str) -> tuple[WordingKey, WordingKey] | None:
    """The keys of a label as a noun and as a verb, where these have opposite directions.

    Frames tell by having both from opposite ends; persons named by what they do ("mentors") that no frame knows are
    taken to be those who do it.
    """
    word = label.strip().lower()
    found = forms(word) if word.isalpha() else None
    if found is None or not found.plural or not found.noun or "s" not in found.verb_forms:
        return None
    own = own_keys(label)
    noun, verb = WordingKey(f"={found.noun}<*", 0), WordingKey(f"{found.verb}|obj=*|subj=*", 1)
    if not {noun, verb} <= own:
        return None
    known = False
    for frame in (f for f in (*relations(), *aspects()) if not f.symmetric):
        keys = frame.keys()
        turned = noun.from_other_end() in keys
        if (noun in keys and verb.from_other_end() in keys) or (turned and verb in keys):
            return noun, verb
        known = known or turned or noun in keys
    symmetric = any(noun in f.keys() for f in relations() if f.symmetric)
    return (noun, verb) if _of_persons(noun) and not known and not symmetric else None
