"""What a graph says of a claim that several facts are reckoned up for: comparisons, ranks, counts, shares, sums,
descriptions, spans.

Each way of judging is loaded when the first claim needs it: most claims need none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from imprimatur.claim import Aggregate, Claim, Comparison, Count, Route, Share, Span, Superlative
from imprimatur.sources.graph.outcomes import Outcome

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["reckoned"]

Reckoned = Comparison | Superlative | Count | Route | Share | Aggregate | Span


def reckoned(
    source: GraphSource,
    reading: Comparison | Superlative | Count | Route | Share | Aggregate | Span,
    claim: Claim,
    limits: Limits,
) -> Outcome:
    """What the graph says of one reading."""
    match reading:
        case Comparison():
            from imprimatur.sources.graph.compared import comparison_outcome

            return comparison_outcome(source, reading, claim, limits)
        case Superlative():
            from imprimatur.sources.graph.ranked import superlative_outcome

            return superlative_outcome(source, reading, claim, limits)
        case Count():
            from imprimatur.sources.graph.counted import count_outcome

            return count_outcome(source, reading, claim, limits)
        case Route():
            from imprimatur.sources.graph.counted import route_outcome

            return route_outcome(source, reading, claim, limits)
        case Share():
            from imprimatur.sources.graph.shares import share_outcome

            return share_outcome(source, reading, claim, limits)
        case Aggregate():
            from imprimatur.sources.graph.pooled import aggregate_outcome

            return aggregate_outcome(source, reading, claim, limits)
        case Span():
            from imprimatur.sources.graph.spans import span_outcome

            return span_outcome(source, reading, claim, limits)
        case _:
            assert_never(reading)
