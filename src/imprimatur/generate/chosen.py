"""Multiple choice with a model: it writes the question as a sentence with a gap, and the stages license each option.

Contract: the options are judged, not the model's opinion of them. First the question's own sentence is tried, as
without a model; where that is not read, a model writes the sentence. What it writes counts only when it says what the
question says: it has one gap, every name and every number of the question, no other, and the same content words but for
those that only ask. Then each option is put into the gap, and the one of which the sentence is licensed is the answer;
none when several are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from imprimatur.answer import Message
from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import forms
from imprimatur.generate.answered import Outcome, licensed
from imprimatur.generate.answers import answer
from imprimatur.language import closed_class
from imprimatur.models.asking import Model, Prompt
from imprimatur.models.prompts import quoted, template, without_thoughts
from imprimatur.oracle import Oracle
from imprimatur.report import Report

__all__ = ["GAP", "Choice", "among", "says_the_question", "sentence_prompt"]

GAP = "___"
_TOKENS = 200
_ARTICLES = frozenset(("the", "a", "an"))


@dataclass(frozen=True, slots=True)
class Choice:
    """The option that stands with its licensed sentence; ``several`` where more than one does, else nothing stands."""

    option: str = ""
    text: str = ""
    report: Report | None = None
    several: bool = False
    sentence: str = ""


def among(question: str, options: Sequence[str], oracle: Oracle, model: Model, *, seconds: float) -> Choice:
    """Which of the options stands.

    Raises:
        ImprimaturError: the model cannot be asked, or its time or budget is used up.
    """
    own = answer(question, oracle, options=options)
    if own.outcome is Outcome.AMBIGUOUS:
        return Choice(several=True)
    if own.outcome is Outcome.ANSWERED and own.values:
        return Choice(option=own.values[0], text=own.text, report=own.report)
    said = model.complete(sentence_prompt(question), seconds=seconds)
    written = without_thoughts(said.text).strip().partition("\n")[0] if not said.refusal else ""
    if not says_the_question(written, question, oracle):
        return Choice(sentence=written)
    texts = [written.replace(GAP, option.strip().rstrip(".")) for option in options]
    reports = [oracle.check(text) for text in texts]
    right = [number for number, report in enumerate(reports) if licensed(report)]
    if len(right) != 1:
        return Choice(several=bool(right), sentence=written)
    (best,) = right
    return Choice(option=options[best].strip().rstrip("."), text=texts[best], report=reports[best], sentence=written)


def sentence_prompt(question: str) -> Prompt:
    """What asks a model for the sentence of a question."""
    messages = (Message("system", template("statement").text), Message("user", f"Question: {quoted(question)}"))
    return Prompt(messages=messages, tokens=_TOKENS)


def says_the_question(sentence: str, question: str, oracle: Oracle) -> bool:
    """Whether a sentence with a gap says what a question asks, word for word but for forms and for its own order."""
    if sentence.count(GAP) != 1 or len(sentence) > 2 * len(question) + 40 or oracle.knowledge.language is not None:
        return False  # the closed classes that are passed over below are those of English
    before, after = (_items(part, oracle) for part in sentence.split(GAP))
    asked = _items(question, oracle)
    if _held((*before, *after)) != _held(asked) or not _same_roles(asked, before, after):
        return False
    stated, wanted = _words((*before, *after)), _words(asked)
    # The noun that a question asks for ("which river …", "in what state …") may be missing: the gap stands for it.
    spare = (item for which, item in pairwise(asked) if which.lower in ("what", "which"))
    optional = frozenset[str]().union(*map(_stems, spare))
    more = [stems for stems in stated if not any(stems & other for other in wanted)]
    less = [stems for stems in wanted if not any(stems & other for other in stated) and not stems & optional]
    return not more and not less


def _same_roles(asked: Sequence[Item], before: Sequence[Item], after: Sequence[Item]) -> bool:
    """Whether each name has its place: behind the same preposition, else before or behind the gap as in the question.

    A name behind an auxiliary ("does X feed …", "is X a …") is the subject; one behind a verb ("which feeds X") is not.
    """
    names = [number for number, item in enumerate(asked) if item.entity is not None]
    for number in names:
        name, left = asked[number].lower, _before(asked, number)
        place = before if any(item.lower == name for item in before) else after
        there = next((n for n, item in enumerate(place) if item.lower == name), None)
        if there is None or _preposition(_before(place, there)) != _preposition(left):
            return False
        is_subject = left in closed_class.words("auxiliary")
        if not _preposition(left) and (place is before) is not is_subject:
            return False
    return bool(names)


def _before(items: Sequence[Item], number: int) -> str:
    """The word before an item, articles passed over."""
    left = [item.lower for item in items[:number] if item.lower not in _ARTICLES]
    return left[-1] if left else ""


def _preposition(word: str) -> str:
    return word if word in closed_class.words("preposition") else ""


def _items(text: str, oracle: Oracle) -> Sequence[Item]:
    return items_of(text, oracle.knowledge.lexicon, locale=oracle.knowledge.config.locale)


def _held(items: Sequence[Item]) -> Counter[str]:
    """The names, quantities and dates of a text, each as often as it has it."""
    return Counter(item.lower for item in items if _is_value(item))


def _is_value(item: Item) -> bool:
    return item.entity is not None or item.quantity is not None or item.date is not None


def _words(items: Sequence[Item]) -> list[frozenset[str]]:
    """The words that say something: all but articles, auxiliaries, "of" and what only asks."""
    passed = closed_class.words("auxiliary") | closed_class.words("question_word") | _ARTICLES | {"of"}
    return [_stems(item) for item in items if not (_is_value(item) or item.punct or item.lower in passed)]


def _stems(item: Item) -> frozenset[str]:
    found = forms(item.lower)
    return frozenset((item.lower, *(each for each in (found.verb, found.noun, found.adj) if each)))
