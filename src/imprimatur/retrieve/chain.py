"""Facts and chains of facts: in words, as evidence, and how well they fit a question.

A chain leads from a thing that the question names over one or more relations to a last fact. It fits as far as its
words (names, classes, properties) are those of the question; a relation that the question does not ask for lowers it,
and so does a name in the question that it does not touch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from imprimatur.evidence import Evidence
from imprimatur.retrieve.asked import Asked, Term
from imprimatur.retrieve.query_runner import QueryRunner
from imprimatur.retrieve.text_index import TextIndex
from imprimatur.retrieve.words import Words
from imprimatur.sources.graph.entail import Entailment, Fact
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.places import where
from imprimatur.sources.graph.sparql import ask_triples
from imprimatur.sources.graph.telling import told

__all__ = ["Chain", "Facts"]

Chain = tuple[Fact, ...]
_MEMO = 1 << 16
#: What a chain keeps of its score for each relation that is not asked for, and for each hop beyond the first.
_UNASKED, _FARTHER = 0.5, 0.95
#: What it is worth that it is about a thing that the question names.
_NAMED = 0.35
#: What it keeps when it touches none of the known names, or has none of an unknown name's words.
_UNTOUCHED, _UNKNOWN = 0.3, 0.5
#: What a word counts that says in general what a thing is.
_GENERAL = 0.8
#: A word that is not one of a property's own asks for it from this weight of the word on.
_TELLING = 0.35


class Facts:
    """What is said of facts of one graph."""

    def __init__(self, lexicon: GraphLexicon) -> None:
        self.graph, self.schema = lexicon.graph, lexicon.schema
        self.words = Words(lexicon)
        self.silent = frozenset(p for p in self.graph.predicates() if self.schema.gives_labels(self.graph.iri(p)))
        self.index = TextIndex(self.schema, self.words, self.silent)
        self.runner = QueryRunner(self.graph)
        self.entailment = Entailment(self.graph, self.schema)
        self._general = lexicon.general
        self.told: Callable[[Fact], str] = lru_cache(_MEMO)(lambda fact: told(fact, self.graph, self.schema))

    # In words, and as evidence

    def tell(self, chain: Chain) -> str:
        """A chain in words."""
        return "; ".join(self.told(fact) for fact in chain)

    def evidence(self, chain: Chain) -> tuple[Evidence, ...]:
        """The evidence of each fact of a chain."""
        return tuple(
            Evidence(
                source="graph",
                kind="triple",
                content=self.entailment.describe(fact),
                query=ask_triples(self.graph, ((step.s, step.p, step.o) for step in fact.steps)),
                origin=where(self.graph.places, self.entailment.origins(fact)),
                trust=self.entailment.trust(fact),
            )
            for fact in chain
        )

    # Fitting a question

    def fit(self, chain: Chain, asked: Asked) -> float:
        """How well a chain fits, 0 to 1."""
        ends = [end for fact in chain for end in (fact.subject, fact.object)]
        share = self.fit_words([fact.property for fact in chain], ends, asked)
        links = sum(not self.asks_for(fact, asked) for fact in chain[:-1])
        return float(share * _UNASKED**links * _FARTHER ** (len(chain) - 1))

    def fit_words(self, properties: Sequence[str], ends: Sequence[int], asked: Asked) -> float:
        """How well some properties and things together fit, 0 to 1."""
        score = self._share(properties, ends, asked)
        if asked.names and any(self._touches(ends, name) for name in asked.names):
            score = _NAMED + (1 - _NAMED) * score
        elif asked.names:
            score *= _UNTOUCHED
        named = frozenset().union(*map(self.words.of_thing, ends)) if asked.unknown else frozenset()
        return score * _UNKNOWN if any(named.isdisjoint(term.forms) for term in asked.unknown) else score

    def _share(self, properties: Sequence[str], ends: Sequence[int], asked: Asked) -> float:
        """The share of the question's other words that they have, by weight."""
        wanted = (*asked.terms, *asked.unknown)
        if not wanted:
            return 1.0
        # What a name says of its thing ("… tributary") was said in naming it, and is not what is asked for.
        things = frozenset().union(*map(self.words.of_thing, ends)) - asked.named
        things = things.union(*map(self.words.of_classes, ends))
        said = [self.words.asked_of(iri, asked.words) for iri in properties]
        has = 0.0
        for term in wanted:
            if term.units:
                has += term.weight * any(self.words.measures(iri, term.units) for iri in properties)
            elif not things.isdisjoint(term.forms):
                has += term.weight
            else:
                own = max((words.get(form, 0.0) for words in said for form in term.forms), default=0.0)
                has += term.weight * (own or _GENERAL * (any(said) and self._is_general(ends, term)))
        return has / sum(term.weight for term in wanted)

    def _is_general(self, ends: Sequence[int], term: Term) -> bool:
        """Whether a word says in general what one of the things is ("waterway" of a river)."""
        graph = self.graph
        return any(self._general(form, graph.iri(end)) for end in ends if graph.is_iri(end) for form in term.forms)

    def asks_for(self, fact: Fact, asked: Asked) -> bool:
        """Whether a question has words of a fact's property, or of the kind of thing that it leads to."""
        words = self.words.asked_of(fact.property, asked.words)
        if any(weight == 1.0 for weight in words.values()):
            return True
        kinds = self.words.of_classes(fact.object)
        return any(
            term.weight >= _TELLING and any(form in words or form in kinds for form in term.forms)
            for term in asked.terms
        )

    def _touches(self, ends: Sequence[int], name: tuple[str, tuple[str, ...]]) -> bool:
        text, candidates = name
        return any(self.graph.iri(end) in candidates or self.graph.label(end) == text for end in ends)

    def touched(self, chain: Chain, asked: Asked) -> int:
        """How many of the known names a chain touches."""
        ends = [end for fact in chain for end in (fact.subject, fact.object)]
        return sum(self._touches(ends, name) for name in asked.names)

    def suits(self, fact: Fact, asked: Asked) -> bool:
        """Whether a fact's value is of the kind that is asked for, as far as that can be told."""
        if asked.wanted:
            own = self.words.asked_of(fact.property, asked.words)
            return any(word in own or word in self.words.of_classes(fact.object) for word in asked.wanted)
        kind = self.words.kind(fact.property)
        if asked.kind in ("date", "quantity"):
            return kind == asked.kind
        return kind not in ("date", "quantity") if asked.kind else True
