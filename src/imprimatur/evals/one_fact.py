"""Questions over one fact of a graph, made from its own labels: "What is the length of X?", "What does X flow into?"

Taken are facts that are the only one of their subject and property, whose subject has a name that nothing else bears,
and whose value is a number, a date, a text, or a thing with such a name. The gold value is told from the graph's
columns. The same graph and seed give the same questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from imprimatur.errors import InputError
from imprimatur.evals.label_questions import asked_by_noun, asked_by_verb
from imprimatur.knowledge import Knowledge
from imprimatur.retrieve.retrieval import facts_of
from imprimatur.sources.graph.lexicon import GraphLexicon

__all__ = ["Made", "one_fact", "own_name"]

_TRIES = 400

#: A question, its right value as it is written, and the triple.
Made = tuple[str, str, str]


def one_fact(knowledge: Knowledge, count: int, *, seed: int) -> list[Made]:
    """So many questions, or as many as there are. Raises InputError where the knowledge base has no graph."""
    lexicon = knowledge.lexicon
    if not isinstance(lexicon, GraphLexicon):
        raise InputError("the knowledge base has no graph to make questions from", hint="name one that has `graph:`")
    things = sorted(number for number in lexicon.graph.iter_subjects() if lexicon.graph.is_iri(number))
    random = Random(seed)
    found: dict[str, Made] = {}
    for _ in range(count * _TRIES if things else 0):
        made = list(_of_thing(knowledge, lexicon, random.choice(things)))
        if made:
            chosen = random.choice(made)
            found.setdefault(chosen[0], chosen)
        if len(found) == count:
            break
    return list(found.values())


def _of_thing(knowledge: Knowledge, lexicon: GraphLexicon, thing: int) -> Iterator[Made]:
    graph, facts = lexicon.graph, facts_of(knowledge)
    name = own_name(lexicon, thing)
    if not name or facts is None:
        return
    stored = sorted(graph.out(thing))
    values = Counter(predicate for predicate, _ in stored)
    for predicate, value in stored:
        info = lexicon.schema.property(graph.iri(predicate))
        if info is None or not info.labels or values[predicate] > 1 or lexicon.schema.gives_labels(info.iri):
            continue
        entailed = list(facts.entailment.values(thing, info.iri))
        question = asked_by_verb(info.labels[0], name) or asked_by_noun(info.labels[0], name)
        if not question or len(entailed) != 1 or not (graph.is_literal(value) or own_name(lexicon, value)):
            continue
        told = facts.told(entailed[0]).rpartition(": ")[2]
        yield question, told, f"{graph.n3(thing)} {graph.n3(predicate)} {graph.n3(value)} ."


def own_name(lexicon: GraphLexicon, thing: int) -> str:
    """The label of a thing where it is of no other, and begins like a name."""
    label = lexicon.graph.label(thing)
    alone = lexicon.candidates(label) == (lexicon.graph.iri(thing),)
    return label if alone and lexicon.graph.named(thing) and label[:1].isupper() else ""
