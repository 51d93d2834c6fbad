"""Questions over two relations, made from a graph: "What is the length of what Elm Brook flows into?"

A chain leads from a thing over a first relation to another thing, and from there to a value or a third thing. Asked is
for the end; the gold fact is the last one. Taken are things whose name no other thing bears. The same graph and seed
give the same questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from imprimatur.errors import InputError
from imprimatur.evals.retrieval_sets import Question
from imprimatur.extract.words import forms
from imprimatur.knowledge import Knowledge
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.schema import PropertyInfo

__all__ = ["chains", "phrase"]


def phrase(info: PropertyInfo, name: str) -> str:
    """A question for a property of what is named; empty where the property's label allows none."""
    words = info.labels[0].split()
    if _is_verb(words):
        return f"What is it that {name} {' '.join(words)}?"
    return f"What is the {info.labels[0]} of {name}?" if _is_noun(words) else ""


def _is_verb(words: list[str]) -> bool:
    first = forms(words[0].lower())
    return bool(len(words) > 1 and first.verb and (not first.noun or "s" in first.verb_forms))


def _is_noun(words: list[str]) -> bool:
    first = forms(words[0].lower())
    return bool(forms(words[-1].lower()).noun and not first.closed and (first.noun or first.adj))


def _described(info: PropertyInfo, name: str) -> str:
    """What a thing is related to, in words: "the mouth of Elm Brook", "what Elm Brook flows into"."""
    words = info.labels[0].split()
    if _is_verb(words):
        return f"what {name} {' '.join(words)}"
    return f"the {info.labels[0]} of {name}" if _is_noun(words) else ""


def chains(knowledge: Knowledge, count: int, *, seed: int) -> list[Question]:
    """So many questions, or as many as there are. Raises InputError where the knowledge base has no graph."""
    lexicon = knowledge.lexicon
    if not isinstance(lexicon, GraphLexicon):
        raise InputError("the knowledge base has no graph to make questions from")
    found = {question.text: question for question in _chains(lexicon)}
    listed = [found[text] for text in sorted(found)]
    Random(seed).shuffle(listed)
    return listed[:count]


def _chains(lexicon: GraphLexicon) -> Iterator[Question]:
    graph, schema = lexicon.graph, lexicon.schema
    known = {number: info for info in schema.properties.values() if (number := graph.id(info.iri)) is not None}
    for thing in graph.iter_subjects():
        name = graph.label(thing)
        if not graph.named(thing) or len(lexicon.candidates(name)) != 1 or not name[:1].isupper():
            continue
        for first, middle in graph.out(thing):
            described = _described(known[first], name) if first in known and graph.is_iri(middle) else ""
            for second, end in graph.out(middle) if described and middle != thing else ():
                text = phrase(known[second], described) if second in known and end != thing else ""
                if text and not _is_verb(known[second].labels[0].split()):
                    triple = f"{graph.n3(middle)} {graph.n3(second)} {graph.n3(end)} ."
                    yield Question(f"{graph.iri(thing)} {graph.iri(second)}", text, (triple,))
