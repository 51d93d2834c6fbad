"""Questions that nothing in a graph supports, made from the graph itself.

Of three kinds: ``missing`` asks for a property that a known thing does not have, asserted or entailed; ``invented``
asks for a known property of a thing whose name is put together from pieces of known names and is none; ``foreign`` asks
of a known thing what no property of the ontology is about. The same graph and seed give the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from imprimatur.errors import InputError
from imprimatur.evals.retrieval_chains import phrase
from imprimatur.extract.words import forms
from imprimatur.knowledge import Knowledge
from imprimatur.retrieve.asked import alternatives, known_words
from imprimatur.retrieve.words import Words
from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.schema import PropertyInfo

__all__ = ["FOREIGN", "unsupported"]

#: Questions of everyday domains; those that the ontology has words for are left out.
FOREIGN = (
    "Who painted {}?|Who is the chief executive of {}?|What is the share price of {}?|Which bank owns {}?|"
    "How many goals did {} score?|What is the boiling point of {}?|Which orchestra recorded {}?|Who directed {}?|"
    "What is the salary of {}?|Which vaccine protects against {}?|How many pages does {} have?|Who married {}?|"
    "What is the melting temperature of {}?|Which airline serves {}?|What colour is the flag of {}?|"
    "How many calories does {} contain?|Which programming language is {} written in?|Who sponsors {}?|"
    "What is the currency of {}?|Which team drafted {}?|What is the ticket price of {}?|Who composed {}?|"
    "Which museum exhibits {}?|What is the atomic weight of {}?|Who is the patron saint of {}?|"
    "Which court sentenced {}?"
).split("|")
_TRIES = 400


def unsupported(knowledge: Knowledge, count: int, *, seed: int) -> dict[str, list[str]]:
    """So many questions, a third of each kind. Raises InputError where the graph has no things to ask about."""
    lexicon = knowledge.lexicon
    if not isinstance(lexicon, GraphLexicon):
        raise InputError("the knowledge base has no graph to make questions from")
    maker = _Maker(lexicon, Random(seed))
    kinds: tuple[tuple[str, Callable[[], str | None]], ...] = (
        ("missing", maker.missing),
        ("invented", maker.invented),
        ("foreign", maker.foreign),
    )
    return {kind: list(_distinct(make, -(-count // len(kinds)))) for kind, make in kinds}


def _distinct(make: Callable[[], str | None], count: int) -> Iterator[str]:
    seen: set[str] = set()
    for _ in range(count * _TRIES):
        made = make()
        if made is not None and made not in seen:
            seen.add(made)
            yield made
        if len(seen) == count:
            return


class _Maker:
    """Makes questions about one graph."""

    def __init__(self, lexicon: GraphLexicon, chance: Random) -> None:
        self._lexicon, self._chance = lexicon, chance
        self._graph, self._schema = lexicon.graph, lexicon.schema
        self._entailment = Entailment(self._graph, self._schema)
        self._words = Words(lexicon)
        own = {*self._schema.properties, *self._schema.classes}
        graph = self._graph
        things = (s for s in graph.iter_subjects() if graph.is_iri(s) and graph.iri(s) not in own and graph.named(s))
        self._things = [thing for thing in things if graph.label(thing)[:1].isupper()]
        self._asked = [info for info in self._schema.properties.values() if self._of_things(info) and phrase(info, "X")]
        if not self._things or not self._asked:
            raise InputError("the graph has no labelled things or properties to ask about")

    def _of_things(self, info: PropertyInfo) -> bool:
        """Whether things have the property, and not the ontology's own terms."""
        number = self._graph.id(info.iri)
        known = set(self._things)
        return number is not None and any(subject in known for subject, _ in self._graph.pairs(number))

    def missing(self) -> str | None:
        """A property that a thing of the right class does not have."""
        thing, info = self._chance.choice(self._things), self._chance.choice(self._asked)
        if info.domains and not any(self._schema.is_a(thing, domain) for domain in info.domains):
            return None
        name = self._graph.label(thing)
        namesakes = {number for iri in self._lexicon.candidates(name) if (number := self._graph.id(iri)) is not None}
        if any(self._speaks(each, info) for each in {thing, *namesakes}):
            return None
        return phrase(info, name)

    def _speaks(self, thing: int, info: PropertyInfo) -> bool:
        """Whether anything is known of a thing that shares a telling word with the property: then it may answer."""
        wanted = known_words(info.labels)
        for iri in self._schema.properties:
            if iri == info.iri or self._words.asked_of(iri, wanted):
                for inverse in (False, True):
                    if self._entailment.values(thing, iri, inverse=inverse):
                        return True
        return False

    def invented(self) -> str | None:
        """A property of a thing that there is not."""
        first, last = (self._graph.label(self._chance.choice(self._things)) for _ in range(2))
        word = (
            (first.split()[0][:4] + last.split()[0][-4:][::-1].lower()).replace("(", "").replace(")", "").strip(",.'")
        )
        name = " ".join([word.capitalize(), *first.split()[1:2]])
        if not word.isalpha() or len(word) < 5 or self._lexicon.candidates(name) or forms(word.lower()).verb:
            return None
        return phrase(self._chance.choice(self._asked), name)

    def foreign(self) -> str | None:
        """Something that the ontology has no words for."""
        template = self._chance.choice(FOREIGN)
        words = [alternatives(word.lower()) for word in template.replace("{}", " ").strip("?").split()]
        if all(any(form in self._words.weights for form in known) for known in words if known):
            return None
        return template.format(self._graph.label(self._chance.choice(self._things)))
