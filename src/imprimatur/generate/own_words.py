"""What a noun says of a thing, in the own words of a property ("the naming of X is attributed to GAP").

Contract: only a property whose own label has the verb of which the noun is made, and of which the thing has a fact, may
be meant; the answer is said in that label and licensed as it is said. Such a sentence is lossy: it is answered only
where there is one thing to choose from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from imprimatur.extract.asked import Asked, added, is_gap
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import BE, forms
from imprimatur.language import wordnet
from imprimatur.sources.graph.judge import GraphSource

__all__ = ["in_own_words"]

#: Verbs by whose passive with "to" something is owed to its cause or maker.
_OWED = frozenset("attribute ascribe credit owe".split())


def in_own_words(asked: Asked, source: GraphSource) -> Iterator[Asked]:
    """The sentences in own words of the properties that "the NOUN of X is attributed to GAP" may mean."""
    items = asked.items
    gap = next(n for n, i in enumerate(items) if is_gap(i))
    of = next((n for n, i in enumerate(items[:4]) if i.lower == "of"), 0)
    be = next((n for n, i in enumerate(items[:gap]) if i.lower in BE), 0)
    thing = items[be - 1] if be else None
    owed = items[gap - 2].forms.verb in _OWED and items[gap - 1].lower == "to" if gap > 1 else False
    if not of or thing is None or thing.entity is None or be - of > 3 or not owed or gap != len(items) - 1:
        return
    verbs = _verbs(items[of - 1])
    for label in _labels(thing, source):
        words = label.split()
        first = forms(words[0])
        if first.verb in verbs and first.verb_forms & {"pp"}:
            told = (*items[of + 1 : be], items[be], *map(added, words), *items[gap:])
            yield replace(asked, items=told, lossy=True)


def _verbs(noun: Item) -> frozenset[str]:
    """The verbs of which a noun is made: "naming" of "name", "discovery" of "discover"."""
    found = {lemma for lemma, pos in wordnet.derived(noun.forms.noun or noun.lower, "n") if pos == "v"}
    return frozenset(found | ({noun.forms.verb} if noun.forms.verb and noun.forms.verb_forms & {"ing"} else set()))


def _labels(thing: Item, source: GraphSource) -> Iterator[str]:
    """The labels of the properties of which a thing has facts with other things."""
    graph = source.graph
    number = graph.id(thing.entity.candidates[0]) if thing.entity is not None else None
    facts = graph.out(number) if number is not None else ()
    for predicate in dict.fromkeys(p for p, value in facts if not graph.is_literal(value)):
        info = source.schema.property(graph.iri(predicate))
        yield from info.labels if info is not None else ()
