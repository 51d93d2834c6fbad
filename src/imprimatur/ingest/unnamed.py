"""Words that name no thing: those of the grammar, and those that the ontology itself speaks in.

A thing that were called “Nobody”, “Each” or “Height” would be found in every answer that uses the word. No document
makes one; a person may let it in, for there are things of such names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from imprimatur.extract.words import forms, is_closed
from imprimatur.ingest.candidate import Candidate, Refusal, Thing
from imprimatur.ingest.ontology import Guardrail
from imprimatur.sources.graph.terms import RDF

__all__ = ["unnamed"]

_ARTICLES = ("the ", "a ", "an ")
#: Closed in every sentence, though no list of the accounting has them.
_PRONOUNS = frozenset(
    "nobody nothing none no-one everybody everyone everything somebody someone "
    "something anybody anyone anything".split()
)


def unnamed(candidate: Candidate, guardrail: Guardrail, known: Collection[Thing]) -> Iterator[Refusal]:
    """Why the ends of a candidate have no names; ``known`` things are in the knowledge base, and have some."""
    things = [candidate.subject] if candidate.property == RDF + "type" else [candidate.subject, candidate.value]
    for thing in things:
        if isinstance(thing, Thing) and thing not in known and (why := _why(thing.name, guardrail)):
            yield Refusal(code="no-name", detail=f"“{thing.name[:80]}” is {why}, and names no thing")


def _why(name: str, guardrail: Guardrail) -> str:
    plain = " ".join(name.split())
    lower = plain.lower()
    lower = next((lower.removeprefix(each) for each in _ARTICLES if lower.startswith(each)), lower)
    words = lower.split()
    # "US", "IT" and "Who's Next" are names; "Us" and "It" are none.
    if not (plain.isupper() and len(plain) > 1) and all(is_closed(word) or word in _PRONOUNS for word in words):
        return "a word of the grammar"
    singular = " ".join([*words[:-1], forms(words[-1]).noun or words[-1]]) if words else ""
    for form in (plain, lower, singular):
        if guardrail.classes_named(form) or guardrail.properties_named(form):
            return "a word of the ontology"
    return ""
