"""A question that names something by a name of several things.

Contract: it is answered only when all things of the name that can be meant have the same answer; else the question goes
back with what may be meant. A thing of another kind than the one that has an answer ("Colorado", the state, in a
question of length) cannot be meant; and where one of them alone has a fact with something else that the question names
("where does X join Black River"), that one is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.extract.questions import asked_noun
from imprimatur.extract.syntax import Item
from imprimatur.generate.answered import Answered, Outcome
from imprimatur.generate.asking import Asking

__all__ = ["in_one_sense"]

_MOST = 8  # things of one name that are gone through


def in_one_sense(items: Sequence[Item], asking: Asking) -> Answered:
    """The answer in the one sense that a question has."""
    items = tuple(_linked(i, items, asking) for i in items)
    at = next((n for n, i in enumerate(items) if i.entity is not None and len(i.entity.candidates) > 1), None)
    if at is None:
        return asking.answered(items)
    senses = _senses(items, at, asking)
    found = [(iri, asking.answered(sense)) for iri, sense in senses.items()]
    right = [(iri, f) for iri, f in found if f.outcome is Outcome.ANSWERED]
    if not right:
        return Answered(outcome=Outcome.UNKNOWN if senses else Outcome.AMBIGUOUS)
    kinds = asking.kinds(right[0][0])
    others = [f for iri, f in found if kinds & asking.kinds(iri)]
    if any(f.outcome is not Outcome.ANSWERED or f.values != right[0][1].values for f in others):
        return Answered(outcome=Outcome.AMBIGUOUS, clarify=_which(items[at].text, tuple(senses), asking))
    return right[0][1]


def _linked(item: Item, items: Sequence[Item], asking: Asking) -> Item:
    """The item as the one thing of its name that has a fact with something else that is named; else as it is."""
    if item.entity is None or len(item.entity.candidates) < 2:
        return item
    told = [i for i in items if i not in asked_noun(items)]
    found = {one for i in told if i is not item and i.entity is not None and (one := _linking(item, i, asking))}
    if len(found) != 1:
        return item
    iri = found.pop()
    name = asking.own_name(iri) or item.text
    return item._replace(text=name, lower=name.lower(), entity=replace(item.entity, candidates=(iri,)))


def _linking(item: Item, other: Item, asking: Asking) -> str:
    """The one thing of an item's name that has a fact with a thing of another's; empty when none or several have."""
    graph = asking.source.graph
    assert item.entity is not None
    assert other.entity is not None
    others = {graph.id(iri) for iri in other.entity.candidates}
    found: list[str] = []
    for iri in item.entity.candidates:
        thing = graph.id(iri)
        facts = (*graph.out(thing), *graph.into(thing)) if thing is not None else ()
        if any(end in others and end != thing for fact in facts for end in fact):
            found.append(iri)
    return found[0] if len(found) == 1 else ""


def _senses(items: Sequence[Item], at: int, asking: Asking) -> dict[str, tuple[Item, ...]]:
    """The question for each thing that the name at a place may mean, by what it means; none: they are too many."""
    mention = items[at].entity
    assert mention is not None
    if len(mention.candidates) > _MOST:
        return {}
    senses: dict[str, tuple[Item, ...]] = {}
    for iri in mention.candidates:
        name = asking.own_name(iri) or items[at].text
        thing = items[at]._replace(text=name, lower=name.lower(), entity=replace(mention, candidates=(iri,)))
        senses[iri] = (*items[:at], thing, *items[at + 1 :])
    return senses


def _which(name: str, iris: Sequence[str], asking: Asking) -> str:
    """The question back."""
    told = list(dict.fromkeys(asking.own_name(iri) or iri for iri in iris))
    return f"Which {name} do you mean: {', '.join(told[:-1])} or {told[-1]}?"
