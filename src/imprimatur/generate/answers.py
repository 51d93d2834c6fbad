"""Answers from the graph, without a model: what completes the question's sentence, licensed by the five stages.

Contract: nothing is said that was not licensed as it is said. What the graph knows is only a proposal; each proposal is
written out as a sentence and checked like any other answer. Where several things fit and the question asks for one, or
where part of the question could not be taken into account, nothing is answered. What a question supposes ("If X is 5 km
long, …") must be licensed too.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.extract.discourse import Discourse
from imprimatur.extract.items import items_of
from imprimatur.extract.questions import premise
from imprimatur.extract.requests import as_question
from imprimatur.generate.answered import Answered, Outcome, licensed
from imprimatur.generate.asking import Asking
from imprimatur.generate.options import meant, named
from imprimatur.generate.senses import in_one_sense
from imprimatur.generate.sentence import written
from imprimatur.oracle import DEFAULT_SECONDS, Oracle

__all__ = ["answer"]

#: Characters; a longer question is a document.
_LONGEST = 4000
#: Words, names and numbers; a longer question is not read.
_MOST_ITEMS = 80
_UNKNOWN = Answered(outcome=Outcome.UNKNOWN)


def answer(question: str, oracle: Oracle, *, options: Sequence[str] = (), seconds: float = DEFAULT_SECONDS) -> Answered:
    """What the graph answers to a question; with options, which of them.

    Args:
        question: what is asked, in a sentence or two.
        oracle: the knowledge base to answer from.
        options: the answers to choose from; the one that is licensed is chosen, none when several are.
        seconds: the time for the whole question; when it is up, nothing more is tried.
    """
    oracle = oracle.current()
    part = oracle.knowledge.part
    if part is None or len(question) > _LONGEST:
        return _UNKNOWN
    discourse = Discourse(oracle.knowledge.lexicon)
    items = items_of(question, discourse, locale=oracle.knowledge.config.locale)
    if len(items) > _MOST_ITEMS:
        return Answered(outcome=Outcome.UNREAD)
    items = as_question(items)
    asking = Asking(oracle, part.judging, discourse, seconds=seconds)
    supposed, rest = premise(items)
    if supposed and not licensed(asking.check(written(supposed, ""))):
        return _UNKNOWN
    if options:
        found = asking.among(rest or items, options)
        if found.outcome is not Outcome.ANSWERED:
            asking.choosing, asking.options = True, named(options, asking)
            chosen = meant(options, in_one_sense(rest or items, asking), asking)
            return chosen if chosen.outcome is Outcome.ANSWERED else found
        return found
    return in_one_sense(rest or items, asking)
