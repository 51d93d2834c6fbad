"""What completes a sentence with a gap, by the graph: the things of which it holds, or the value that it lacks.

Contract: ``things`` reads the sentence with a variable in the gap and gives every thing that the graph knows to fit,
each of which the graph supports. A thing that is found is a proposal: what is answered is judged as any other answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.claim import Condition, variable
from imprimatur.errors import LimitExceeded
from imprimatur.extract.asked import is_gap
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.forms import read
from imprimatur.extract.parsed import whole
from imprimatur.extract.syntax import Item
from imprimatur.extract.versions import pronoun
from imprimatur.sources.graph.bound import candidates, check
from imprimatur.sources.graph.furthest import Way, ways
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.verdict import Label

__all__ = ["Things", "things"]

_IT = variable(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """The things that complete a sentence.

    ``all``: no other can; ``read``: the sentence was understood; ``many``: too many fit to go through. ``along``: the
    relations of one known thing that may be asked for.
    """

    iris: tuple[str, ...] = ()
    all: bool = False
    read: bool = False
    many: bool = False
    along: tuple[Way, ...] = ()


def things(items: Sequence[Item], discourse: Discourse, source: GraphSource, limits: Limits) -> Things:
    """The things that complete a sentence with a gap."""
    filled = [pronoun((), _IT) if is_gap(i) else i for i in items]
    claims = read(filled, discourse).claims
    if not whole(claims, filled) or any(c.negated for c in claims):
        return Things()
    conditions = [Condition(readings=c.readings) for c in claims]
    how = (claims[0], limits)
    try:
        found = candidates(source, conditions, _IT)
    except LimitExceeded:
        return Things(read=True, many=True)
    fitting = [x for x in found.ids if check(source, (conditions, _IT), x, how).label is Label.SUPPORTED]
    iris = tuple(source.graph.iri(x) for x in fitting)
    return Things(iris=iris, all=found.all, read=True, along=ways(source, claims, _IT))
