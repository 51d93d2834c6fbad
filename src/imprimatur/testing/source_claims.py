"""Sentences about a graph, made from its own labels: true ones, and the same with something changed.

For the suite of sources: it does not matter there how many of them are read, but that every source reads and judges
them alike. Invariant: the same graph and seed give the same sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from imprimatur.errors import InputError
from imprimatur.evals.label_questions import asked_by_verb
from imprimatur.evals.mutations import mutations
from imprimatur.oracle import Oracle
from imprimatur.retrieve.retrieval import facts_of
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.verdict import Label

__all__ = ["sentences"]

_TRIES = 60
#: Of so many made sentences one ranges over many things.
_WIDE = 10
#: Of so many taken sentences one may be unreadable.
_UNREAD = 10
_SAID_BY_NOUN = ("The {label} of {name} is {value}.", "{name} has a {label} of {value}.", "{name} is {value} {label}.")
_SAID_BY_VERB = ("{name} {label} {value}.", "{name} does not {label} {value}.", "{name} and {other} {label} {value}.")
_SAID_OF_ALL = (
    "The {label} of {name} is greater than the {label} of {other}.",
    "{name} has the greatest {label} of all {kind}s.",
    "There are {count} {kind}s.",
    "All {kind}s {label} {value}.",
)


def sentences(oracle: Oracle, count: int, *, seed: int = 7) -> tuple[str, ...]:
    """So many sentences: stated facts in several wordings, wrong values, and small changes of what is licensed.

    Raises:
        InputError: the knowledge base has no graph, or one with too few names.
    """
    random = Random(seed)
    found: dict[str, None] = {}
    made = _made(oracle, random)
    changed = 0
    for text in islice(made, count * _TRIES):
        if text in found:
            continue
        report = oracle.check(text)
        read = any(segment.claims for segment in report.segments)
        # Nearly all of them should say something that is read; the others may say anything.
        if read or len(found) % _UNREAD == 0:
            found[text] = None
        if all(segment.label is Label.SUPPORTED for segment in report.segments) and changed < count // 3:
            names = sorted(_spans(text, oracle))
            for each in islice(mutations(text, names, ("Vashmere", "Old Tarn"), seed), 2):
                found[each.text] = None
                changed += 1
        if len(found) >= count:
            return tuple(found)[:count]
    raise InputError(f"only {len(found)} sentences can be made of the graph", hint="ask for fewer, or name more things")


def _made(oracle: Oracle, random: Random) -> Iterator[str]:
    """Sentences without end, one after another at random."""
    lexicon, facts = oracle.knowledge.lexicon, facts_of(oracle.knowledge)
    if not isinstance(lexicon, GraphLexicon) or facts is None:
        raise InputError("the knowledge base has no graph to make sentences from")
    graph, schema = lexicon.graph, lexicon.schema
    things = sorted((n for n in graph.iter_subjects() if graph.is_iri(n) and graph.named(n)), key=graph.iri)
    while things:
        thing, other = random.choice(things), random.choice(things)
        stated = sorted((graph.iri(p), graph.n3(o), o) for p, o in graph.out(thing))
        usable = [(p, o) for p, _, o in stated if (info := schema.property(p)) is not None and info.labels]
        if not usable:
            continue
        iri, _ = random.choice(usable)
        info = schema.property(iri)
        values = facts.entailment.values(thing, iri)
        wrong = facts.entailment.values(other, iri)
        chosen = wrong if wrong and random.random() < 0.4 else values
        if info is None or not chosen:
            continue
        told = sorted(facts.told(fact).rpartition(": ")[2] for fact in chosen)
        kinds = sorted(
            label for c in schema.types(thing) if (cls := schema.class_(c)) is not None for label in cls.labels
        )
        label, name = random.choice((*info.labels, *info.alt_labels)), graph.label(thing)
        # The first form of each is the plain one, and the most frequent.
        forms: tuple[str, ...] = _SAID_BY_VERB if asked_by_verb(label, name) else _SAID_BY_NOUN
        forms = _SAID_OF_ALL if random.randrange(_WIDE) == 0 else (*forms[:1] * 3, *forms)
        yield random.choice(forms).format(
            name=name,
            other=graph.label(other),
            label=label,
            value=random.choice(told),
            kind=random.choice(kinds) if kinds else "thing",
            count=random.randrange(2, 60),
        )


def _spans(text: str, oracle: Oracle) -> Iterator[tuple[int, int]]:
    """Where the names stand that the graph knows."""
    for segment in oracle.check(text).segments:
        for judged in segment.claims:
            for reading in judged.claim.readings:
                for end in ("subject", "object"):
                    mention = getattr(reading, end, None)
                    if mention is not None and mention.candidates and mention.start >= 0:
                        yield mention.start, mention.end
