"""Paragraphs made of a graph, for ways of asking that read passages, where a knowledge base has none.

One document for each thing that a question names, and for some others, so that retrieval has something to choose
wrongly: the name, and a line for each fact in the words in which facts are shown. A paragraph has nothing that the
graph has not, so that ways that read passages and ways that read facts have the same knowledge. The same graph,
questions and seed give the same documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from imprimatur.errors import InputError
from imprimatur.extract.items import items_of
from imprimatur.oracle import Oracle
from imprimatur.retrieve.chain import Facts
from imprimatur.retrieve.retrieval import facts_of
from imprimatur.sources.graph.lexicon import GraphLexicon

__all__ = ["OTHERS", "with_paragraphs"]

#: So many things that no question names have a paragraph too.
OTHERS = 300


def with_paragraphs(oracle: Oracle, questions: Iterable[str], folder: Path, *, seed: int) -> Oracle:
    """The oracle of a knowledge base that has these paragraphs alone, under the same policy.

    Args:
        oracle: that of the graph.
        folder: where the documents go.

    Raises:
        InputError: the knowledge base has no graph.
    """
    lexicon, facts = oracle.knowledge.lexicon, facts_of(oracle.knowledge)
    if not isinstance(lexicon, GraphLexicon) or facts is None:
        raise InputError("the knowledge base has no graph to make paragraphs from", hint="name one that has `graph:`")
    place = folder / "paragraphs"
    place.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(_paragraphs(lexicon, facts, questions, seed)):
        (place / f"{number:05}.txt").write_text(text, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\nname: paragraphs\npassages: [paragraphs/]\n", encoding="utf-8")
    return Oracle.from_folder(folder, policy=oracle.policy, cache_dir=folder / "cache")


def _paragraphs(lexicon: GraphLexicon, facts: Facts, questions: Iterable[str], seed: int) -> Iterator[str]:
    graph, own = lexicon.graph, {*lexicon.schema.properties, *lexicon.schema.classes}
    asked: dict[int, None] = {}
    for question in questions:
        for item in items_of(question, lexicon):
            for iri in item.entity.candidates if item.entity is not None else ():
                number = graph.id(iri)
                if number is not None and iri not in own:
                    asked[number] = None
    known = (s for s in graph.iter_subjects() if graph.is_iri(s) and graph.iri(s) not in own and graph.named(s))
    others = sorted({*known} - {*asked}, key=graph.iri)
    chosen = Random(seed).sample(others, min(OTHERS, len(others)))
    for thing in sorted((*asked, *chosen), key=graph.iri):
        lines = _told(thing, lexicon, facts)
        if lines:
            yield "\n".join((f"{graph.label(thing)}\n", *(f"{line}." for line in lines))) + "\n"


def _told(thing: int, lexicon: GraphLexicon, facts: Facts) -> list[str]:
    """The stored facts of a thing, each as it is shown; what only names it is left out."""
    graph = lexicon.graph
    found: dict[str, None] = {}
    for predicate in sorted({predicate for predicate, _ in graph.out(thing)} - facts.silent, key=graph.iri):
        if graph.iri(predicate) in lexicon.schema.properties:
            for fact in facts.entailment.values(thing, graph.iri(predicate)):
                found[facts.told(fact)] = None
    return list(found)
