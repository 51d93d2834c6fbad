"""Claims that a shape forbids, as pySHACL says of the graph with the claim's triple put in.

Tried are, for each property in turn: values out of bounds, what is a value of the property elsewhere, and things of
another kind; between things of which much is known, for a shape can only break on what is there. The shapes themselves
are not read for it, so that shapes of any make, queries included, are met alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from imprimatur.evals.mining.book import RDF_TYPE, Literal, Node, Triple
from imprimatur.evals.mining.broken import Broken, Fault
from imprimatur.evals.mining.claim import Kind, MinedClaim
from imprimatur.evals.mining.making import Maker
from imprimatur.evals.mining.values import wrong_for_shapes
from imprimatur.verdict import Label

__all__ = ["violating"]

#: Triples that are tried for one claim on average, and the share of the claims that one shape may give.
_TRIES, _EACH = 6, 0.5
#: A property none of whose first tries breaks a shape is left.
_FIRST = 6
#: So many triples are tried in a round of a property that has broken one.
_MORE = 5
#: So many things are drawn, and the one taken of which most is known.
_DRAWN = 5


def violating(
    maker: Maker, most: int, *, seed: int, step: Callable[[str], None] = lambda what: None
) -> list[MinedClaim]:
    """At most so many claims that break a shape; none where the knowledge base has no shapes.

    Raises:
        CheckFailed: pySHACL cannot evaluate the shapes.
    """
    broken = maker.source.broken
    if broken is None:
        return []
    chance = Random(f"{seed} violating")
    drafts = {name: _drafts(maker, name, chance) for name in maker.properties if name != RDF_TYPE}
    shapes: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    broke: set[str] = set()
    found: list[MinedClaim] = []
    while drafts and len(found) < most and tried.total() < most * _TRIES + _FIRST * len(maker.properties):
        tries = _round(drafts, tried, broke)
        for triple in broken.suspects(list(tries)):
            fault = _fault(broken, triple)
            if fault is None or len(found) == most:
                continue
            broke.add(triple[1])
            if shapes[fault.shape] >= max(3, most * _EACH):
                continue
            label = (Label.CONTRADICTED, Label.NOT_FOUND) if fault.missing else (Label.CONTRADICTED,)
            claim = maker.claim(Kind.VIOLATING, (triple, tries[triple], ""), label, fault.shape)
            if claim is not None:
                shapes[fault.shape] += 1
                found.append(claim)
                step(claim.text)
    return found


def _round(drafts: dict[str, Iterator[tuple[Triple, str]]], tried: Counter[str], broke: set[str]) -> dict[Triple, str]:
    """The next triples to try with how they were made; more of a property that has broken a shape."""
    tries: dict[Triple, str] = {}
    for name in list(drafts):
        if tried[name] >= _FIRST and name not in broke:
            del drafts[name]
            continue
        for _ in range(_MORE if name in broke else 1):
            tried[name] += 1
            draft = next(drafts[name], None)
            if draft is None:
                del drafts[name]
                break
            tries[draft[0]] = draft[1]
    return tries


def _fault(broken: Broken, triple: Triple) -> Fault | None:
    faults = broken.by(triple)
    return min(faults, key=lambda fault: (fault.missing, fault.shape, fault.component)) if faults else None


def _drafts(maker: Maker, name: str, chance: Random) -> Iterator[tuple[Triple, str]]:
    """Triples with how they were made: what is out of bounds, what is a value elsewhere, what does not fit."""
    facts = maker.facts(name)
    book = maker.source.book
    if not facts:
        return
    things = maker.things()
    for _ in range(500):
        subject, stored = chance.choice(facts)
        wrong = list(wrong_for_shapes(stored))
        if wrong and chance.random() < 0.5:
            value: Node = chance.choice(wrong)
            made = "out of bounds"
        elif isinstance(stored, Literal):
            value, made = chance.choice(facts)[1], "a value of another"
        else:
            pool = things if chance.random() < 0.3 else [value for _, value in facts]
            known = [chance.choice(pool) for _ in range(_DRAWN)]
            value = max((each for each in known if isinstance(each, str)), key=lambda each: len(book.out.get(each, ())))
            subject = max(
                (chance.choice(facts)[0] for _ in range(_DRAWN)), key=lambda each: len(book.out.get(each, ()))
            )
            made = "a thing that does not fit"
        if value != subject and not book.holds(subject, name, value):
            yield (subject, name, value), made
