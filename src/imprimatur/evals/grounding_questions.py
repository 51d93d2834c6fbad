"""Questions made from what a knowledge base itself says, each with what its evidence must name.

Of a graph: one property of one thing with a name of its own, in the property's words; any of its stored values is what
must be found. Of passages and memory: a sentence or entry as it stands, which must be found again. The same knowledge
base and seed give the same questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.evals.grounding_sources import documents_of
from imprimatur.evals.label_questions import asked_by_noun, asked_by_verb
from imprimatur.evals.unsupported import FOREIGN, unsupported
from imprimatur.knowledge import Knowledge
from imprimatur.retrieve.trail import EvidenceTrail
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.passages.passage import SentenceKind

__all__ = ["MadeQuestion", "baseless_questions", "has_fact", "made_questions"]

_TRIES = 200
_STATING = (SentenceKind.SENTENCE, SentenceKind.ITEM)
_FEWEST_WORDS = 5
_LONG = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeQuestion:
    """A question; ``wanted`` are triples in N-Triples, or ids of passages or entries, any of which is the evidence.

    ``structured``: whether a graph answers it. Otherwise it is a sentence of a text.
    """

    text: str
    wanted: frozenset[str]
    structured: bool


def made_questions(knowledge: Knowledge, count: int, *, seed: int) -> tuple[MadeQuestion, ...]:
    """So many questions at most, half of them of texts where there is a graph and there are texts."""
    of_texts = list(dict.fromkeys(_of_texts(knowledge)))
    of_graph = list(_of_graph(knowledge, count, seed))
    random = Random(seed)
    room = count // 2 if of_graph else count
    chosen = random.sample(of_texts, min(room, len(of_texts)))
    return (*of_graph[: count - len(chosen)], *chosen)


def baseless_questions(knowledge: Knowledge, count: int, *, seed: int) -> tuple[str, ...]:
    """So many questions at most that nothing in the knowledge base supports: see ``unsupported``.

    Where there is no graph they ask of names that are in no text.
    """
    if isinstance(knowledge.lexicon, GraphLexicon):
        with suppress(InputError):
            made = unsupported(knowledge, count, seed=seed)
            return tuple(text for texts in made.values() for text in texts)
    texts = [each.text for each in _of_texts(knowledge)]
    words = sorted({word.strip(".,;:!?()").lower() for text in texts for word in text.split()})
    long = [word for word in words if word.isalpha() and len(word) > _LONG]
    random = Random(seed)
    found: dict[str, None] = {}
    for _ in range(count * _TRIES if len(long) > 1 else 0):
        first, last = random.choice(long), random.choice(long)
        name = f"{first[:3]}{last[-4:][::-1]}".capitalize()
        if name.lower() not in words:
            found[random.choice(FOREIGN).format(name)] = None
        if len(found) == count:
            break
    return tuple(found)


def has_fact(trail: EvidenceTrail, question: MadeQuestion) -> bool:
    """Whether a trail has what answers a made question, and not only what sounds like it."""
    found = [evidence for item in trail.items for evidence in item.evidence]
    if question.structured:
        return any(
            triple in evidence.content or triple in evidence.terms for evidence in found for triple in question.wanted
        )
    return any(evidence.query in question.wanted for evidence in found)


def _of_graph(knowledge: Knowledge, count: int, seed: int) -> Iterator[MadeQuestion]:
    lexicon = knowledge.lexicon
    if not isinstance(lexicon, GraphLexicon):
        return
    graph, random = lexicon.graph, Random(seed)
    own = {*lexicon.schema.properties, *lexicon.schema.classes}
    things = sorted(n for n in graph.iter_subjects() if graph.is_iri(n) and graph.iri(n) not in own)
    seen: set[str] = set()
    for _ in range(count * _TRIES if things else 0):
        asked = list(_of_thing(lexicon, random.choice(things)))
        chosen = random.choice(asked) if asked else None
        if chosen is not None and chosen.text not in seen:
            seen.add(chosen.text)
            yield chosen
        if len(seen) == count:
            return


def _of_thing(lexicon: GraphLexicon, thing: int) -> Iterator[MadeQuestion]:
    graph = lexicon.graph
    name = graph.label(thing)
    if lexicon.candidates(name) != (graph.iri(thing),) or not graph.named(thing) or not name[:1].isupper():
        return
    values: dict[int, list[str]] = {}
    for predicate, value in graph.out(thing):
        triple = f"{graph.n3(thing)} {graph.n3(predicate)} {graph.n3(value)}"
        values.setdefault(predicate, []).append(triple)
    for predicate, triples in sorted(values.items()):
        info = lexicon.schema.property(graph.iri(predicate))
        if info is None or not info.labels or info.event:
            continue
        text = asked_by_verb(info.labels[0], name) or asked_by_noun(info.labels[0], name)
        for label in info.alt_labels if not text else ():
            text = text or asked_by_verb(label, name) or asked_by_noun(label, name)
        if text:
            yield MadeQuestion(text=text, wanted=frozenset(triples), structured=True)


def _of_texts(knowledge: Knowledge) -> Iterator[MadeQuestion]:
    for entry in knowledge.text.memory or ():
        yield MadeQuestion(text=entry.text, wanted=frozenset((entry.id,)), structured=False)
    for document in documents_of(knowledge.config):
        for passage in document.passages:
            told = [s.text for s in passage.sentences if s.kind in _STATING and len(s.text.split()) >= _FEWEST_WORDS]
            if told:
                yield MadeQuestion(text=_plain(told), wanted=frozenset((passage.id,)), structured=False)


def _plain(told: Sequence[str]) -> str:
    """The longest of some sentences on one line: it says most of what it is about."""
    return " ".join(max(told, key=len).split())[:1000]
