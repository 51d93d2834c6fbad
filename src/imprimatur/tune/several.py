"""Questions with several right values, or in the words of a label that is no noun: "What is X influenced by?"

``evals.one_fact`` asks where a thing has one value, by labels that are nouns or verbs in their third person; there are
graphs that have none of these. Here a thing and a property with up to five values make a question, in the form that the
label allows; each value is right. The values are those that follow from the graph. The same graph and seed give the
same questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from imprimatur.errors import InputError
from imprimatur.evals.label_questions import question_of
from imprimatur.evals.one_fact import own_name
from imprimatur.knowledge import Knowledge
from imprimatur.retrieve.retrieval import facts_of
from imprimatur.sources.graph.lexicon import GraphLexicon

__all__ = ["MOST", "Several", "several"]

#: So many values at most: what has more is no fact that a short answer states.
MOST = 5
#: A question, its right values as they are written, and the triples with them that are asserted.
Several = tuple[str, tuple[str, ...], tuple[str, ...]]


def several(knowledge: Knowledge, count: int, *, seed: int) -> list[Several]:
    """So many questions, or as many as there are. Raises InputError where the knowledge base has no graph."""
    lexicon = knowledge.lexicon
    if not isinstance(lexicon, GraphLexicon):
        raise InputError("the knowledge base has no graph to make questions from", hint="name one that has `graph:`")
    things = sorted(number for number in lexicon.graph.iter_subjects() if lexicon.graph.is_iri(number))
    chance = Random(seed)
    chance.shuffle(things)
    found: dict[str, Several] = {}
    for thing in things:
        made = list(_of_thing(knowledge, lexicon, thing))
        if made:
            chosen = chance.choice(made)
            found.setdefault(chosen[0], chosen)
        if len(found) == count:
            break
    return list(found.values())


def _of_thing(knowledge: Knowledge, lexicon: GraphLexicon, thing: int) -> Iterator[Several]:
    graph, facts = lexicon.graph, facts_of(knowledge)
    name = own_name(lexicon, thing)
    if not name or facts is None:
        return
    stored: dict[int, list[int]] = {}
    for predicate, value in sorted(graph.out(thing)):
        stored.setdefault(predicate, []).append(value)
    for predicate, values in stored.items():
        info = lexicon.schema.property(graph.iri(predicate))
        if info is None or not info.labels or lexicon.schema.gives_labels(info.iri):
            continue
        entailed = list(facts.entailment.values(thing, info.iri))
        if not 0 < len(entailed) <= MOST or not all(graph.is_literal(v) or own_name(lexicon, v) for v in values):
            continue
        told = tuple(dict.fromkeys(facts.told(each).rpartition(": ")[2] for each in entailed))
        triples = tuple(f"{graph.n3(thing)} {graph.n3(predicate)} {graph.n3(value)} ." for value in values)
        yield question_of(info.labels[0], name), told, triples
