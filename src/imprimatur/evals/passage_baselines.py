"""What is no detection, measured beside it: flag everything, lexical overlap, length, and task with length.

A judge that does not beat these has found nothing but which texts are long, or of which kind. Every baseline is a
score (higher: more likely unfounded) for one text; it needs no training. Where a yes/no is asked, the threshold is the
best on the very rows that are measured: that is generous to the baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imprimatur.evals.passage_sets import Example
from imprimatur.language import closed_class
from imprimatur.language.tokens import TokenKind, tokenise

__all__ = ["BASELINES", "everything", "length", "overlap", "task_and_length"]


def everything(examples: Sequence[Example]) -> list[float]:
    """One score for all."""
    return [1.0 for _ in examples]


def length(examples: Sequence[Example]) -> list[float]:
    """The characters of each text."""
    return [float(len(example.text)) for example in examples]


def overlap(examples: Sequence[Example]) -> list[float]:
    """The share of each text's words, function words aside, that stand nowhere in its passages."""
    known: dict[tuple[str, ...], frozenset[str]] = {}
    scores = []
    for example in examples:
        if example.context not in known:
            known[example.context] = frozenset(word for text in example.context for word in _words(text))
        own = _words(example.text)
        scores.append(sum(word not in known[example.context] for word in own) / len(own) if own else 0.0)
    return scores


def task_and_length(examples: Sequence[Example], unfounded: Sequence[bool]) -> list[float]:
    """Texts of tasks with more unfounded texts first, longer ones first within a task."""
    shares = {}
    for task in {example.task for example in examples}:
        found = [gold for example, gold in zip(examples, unfounded) if example.task == task]
        shares[task] = sum(found) / len(found)
    longest = max((len(example.text) for example in examples), default=0) + 1
    order = {task: place for place, task in enumerate(sorted(shares, key=lambda task: (shares[task], task)))}
    return [order[example.task] + len(example.text) / longest for example in examples]


def _words(text: str) -> list[str]:
    return [
        token.lower
        for token in tokenise(text)
        if token.kind in (TokenKind.WORD, TokenKind.NUMBER) and not closed_class.is_function_word(token.lower)
    ]


#: By name; ``task_and_length`` stands apart, for it looks at the labels.
BASELINES: dict[str, Callable[[Sequence[Example]], list[float]]] = {
    "flag everything": everything,
    "lexical overlap": overlap,
    "length": length,
}
