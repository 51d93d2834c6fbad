"""Which sentences of a rewritten response are taken: those that had failed, where nothing speaks against them now.

Invariants: a sentence that was licensed keeps its words, whatever was written for it; nothing is added, and nothing
goes; what is taken is judged anew in its place, by the same rules as under the policy ``correct`` (``acceptable``).
What a sentence says by pointing at a corrected one may become wrong thereby: the next round sees that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from imprimatur.acceptable import Worded, objection, odd_form
from imprimatur.answer import Segment
from imprimatur.correcting import name_words, things_named
from imprimatur.protocols import Lexicon
from imprimatur.report import Report
from imprimatur.retrofit.kinds import Turn
from imprimatur.segment import segment
from imprimatur.verdict import Label

__all__ = ["FINE", "taken"]

FINE = (Label.SUPPORTED, Label.NOT_A_CLAIM)
#: More sentences are not compared.
_MOST = 400
_LONGEST = 100_000
Read = Callable[[str], Report]
Refused = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Response:
    """A response in segments, as it was judged."""

    turn: Turn
    parts: tuple[Segment, ...]

    def words(self, number: int) -> str:
        return self.turn.response[slice(*self.parts[number].body)]

    def with_words(self, said: Mapping[int, str]) -> str:
        """The text with other words for some segments."""
        text, written, at = self.turn.response, list[str](), 0
        for number in sorted(said):
            start, end = self.parts[number].body
            written += [text[at:start], said[number]]
            at = end
        return "".join([*written, text[at:]])


def taken(turn: Turn, revised: str, lexicon: Lexicon, read: Read) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The response with what may be taken of a revised one, and what may not, with the reason.

    Args:
        read: judges a text as an answer to the same question.
    """
    if revised == turn.response:
        return revised, ()
    if len(revised) > _LONGEST:
        return turn.response, ((revised[:200], "it is too long"),)
    response, refused = _Response(turn, segment(turn.response)), Refused()
    if len(response.parts) > _MOST or len(response.parts) != len(turn.report.segments):
        return turn.response, ((revised[:200], "the response is too long to be compared"),)
    said = _proposals(response, revised, refused)
    if not said:
        return turn.response, tuple(refused)
    report = read(response.with_words(said))
    if len(report.segments) != len(response.parts):
        return turn.response, (*refused, (revised[:200], "it has other sentences than the response"))
    kept = {}
    for number, words in said.items():
        if why := _objection(response, number, words, report, lexicon):
            refused.append((words, why))
        else:
            kept[number] = words
    return response.with_words(kept), tuple(refused)


def _proposals(response: _Response, revised: str, refused: Refused) -> dict[int, str]:
    """For segments that failed, the words that stand in their place; whatever else was changed is refused."""
    old = [response.words(number) for number in range(len(response.parts))]
    new = [revised[slice(*part.body)] for part in segment(revised)][: 2 * _MOST]
    said: dict[int, str] = {}
    for kind, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        if last - first != end - begin:
            refused += [(words, "it is no sentence of the response") for words in new[begin:end]]
            continue
        for number, words in zip(range(first, last), new[begin:end]):
            why = odd_form(old[number], words)
            if response.turn.report.segments[number].label in FINE:
                refused.append((words, "what stood there was right"))
            elif why:
                refused.append((words, why))
            else:
                said[number] = words
    return said


def _objection(response: _Response, number: int, words: str, report: Report, lexicon: Lexicon) -> str:
    turn, own = response.turn, response.words(number)
    before = Worded(own, turn.response, turn.report.segments[number], name_words(own, lexicon))
    after = Worded(words, report.answer, report.segments[number], name_words(words, lexicon))
    named = things_named(own, turn.report.segments[: number + 1], turn.question, lexicon)
    return objection(before, after, named)
