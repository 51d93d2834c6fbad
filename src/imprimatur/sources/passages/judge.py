"""Passages as a source: claims compared with those of a call and of a library (implements ``protocols.Source``).

    the passages                                                             label
    -----------------------------------------------------------------------  -------------
    a record's fact says otherwise, or an aligned sentence does              contradicted
    a record has null for what is claimed                                    not_found
    every number, name, date and content word, with polarity, in sentences   supported
    … but another sentence plainly says otherwise                            conflicting
    facts of a record say the same, and nothing more is said                 supported
    of all of several listed values: all are so, and so many; one is not     supported; contradicted
    neither, and a number stands in no passage, or no word, or many do not   not_found
    neither, and the signs say: invented                                     not_found
    neither, and the signs say: perhaps a paraphrase                         ambiguous

Only the exact comparison (``sources.text``) and typed facts support; signs never do. Nothing here depends on what the
answer says after the claim: what it said before may only lower the verdict (where it strayed, it strays again).
A passage that cannot be read is an InputError when the source is made. A library that cannot be searched makes judging
raise, which the driver turns into ``unchecked``.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from imprimatur.answer import Segment
from imprimatur.claim import Claim, Prose
from imprimatur.evidence import Evidence
from imprimatur.sources.passages.asserting import asserts
from imprimatur.sources.passages.course import Course
from imprimatur.sources.passages.evidence_lines import Given, found_lines, given_of
from imprimatur.sources.passages.ground import Ground, Line
from imprimatur.sources.passages.listed import Listed, listed
from imprimatur.sources.passages.refuting import plainly
from imprimatur.sources.passages.retriever import Retriever
from imprimatur.sources.passages.signs import Beside, Signs, beyond, signs_of
from imprimatur.sources.passages.standing import stands
from imprimatur.sources.passages.told import Told, nothing_else, told_by
from imprimatur.sources.passages.weighing import Weights, above, unfounded
from imprimatur.sources.text.comparing import compare
from imprimatur.sources.text.comparison import Comparison, Text, TextLimits
from imprimatur.verdict import Finding, Judgement, Label, Reason

__all__ = ["PassageSource"]

#: So many sentences are compared word by word: those that share most with the claim; and none, where the best has less
#: of the claim than this: it can neither say the claim nor say otherwise.
_COMPARED = 3
_LEAST_SHARED = 0.5


class PassageSource:
    """Judges the claims of one answer against the passages that came with it."""

    name = "passages"

    def __init__(
        self,
        given: Given,
        limits: TextLimits,
        *,
        course: Course | None = None,
        retriever: Retriever | None = None,
        weights: Weights | None = None,
    ) -> None:
        self.given = given
        self.limits = limits
        self.course = course or Course()
        self.retriever = retriever
        self._weights = weights
        self._ground = Ground(given.lines)
        self._alone: list[float] = []

    def __copy__(self) -> PassageSource:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.course, made._alone = copy(self.course), [*self._alone]
        return made

    @property
    def weights(self) -> Weights:
        """The weights of signs; those of the package by default."""
        return self._weights or Weights.shipped()

    @classmethod
    def of(
        cls,
        context: Sequence[str],
        limits: TextLimits,
        *,
        course: Course | None = None,
        retriever: Retriever | None = None,
        weights: Weights | None = None,
    ) -> PassageSource:
        """The source for the passages of a call, and for those that a retriever finds.

        Raises:
            InputError: a passage cannot be read.
        """
        return cls(given_of(context), limits, course=course, retriever=retriever, weights=weights)

    def ground_for(self, words: str) -> Ground:
        """The lines that some words are compared with: all that came with the call, and what is found for them.

        Raises:
            StoreUnavailable, CheckFailed: the retriever cannot look.
        """
        if self.retriever is None:
            return self._ground
        return Ground((*self.given.lines, *found_lines(self.retriever, words)))

    def judge(self, claim: Claim) -> Judgement:
        """What the passages say of the claim; nothing of a claim that is not read as words."""
        if claim.prose is None:
            return Judgement(source=self.name, label=Label.NOT_FOUND, reasons=(Reason.NO_EVIDENCE,))
        words = claim.prose.words
        told = list(told_by(words, self.given.records))
        against = [each for each in told if each.agrees is not True]
        if against:
            return self._refused(claim, against)
        ground = self.ground_for(words)
        place = self.course.place(claim.start, claim.end, claim.text)
        signs = signs_of(words, ground, self._beside(told, item=self.course.is_item(claim.start), place=place))
        found = self._compared(claim.prose, signs, ground)
        if told and found.label is not Label.SUPPORTED:
            found = Comparison(label=Label.NOT_FOUND)  # a typed fact says so: no sentence beside it denies it
            if nothing_else(words, told, ground):
                return self._borne_out(told)
        values = listed(words, ground, locale=self.limits.locale) if found.label is not Label.SUPPORTED else None
        if values is not None and values.holds is not None:
            return self._of_all(claim, values)
        if found.label is not Label.NOT_FOUND and (found.label is Label.SUPPORTED or plainly(words, found, signs)):
            return self._judgement(claim, found)
        return self._weighed(claim, signs, found, ground.lines, self._before(place))

    def _refused(self, claim: Claim, against: Sequence[Told]) -> Judgement:
        """The judgement where a record says otherwise, or is silent of what is claimed."""
        otherwise = [each for each in against if each.agrees is False]
        reason = Reason.VALUE_MISMATCH if otherwise else Reason.NO_EVIDENCE
        return Judgement(
            source=self.name,
            label=Label.CONTRADICTED if otherwise else Label.NOT_FOUND,
            reasons=(reason,),
            evidence=tuple(_fact(each.place, each.said) for each in otherwise),
            findings=tuple(
                Finding(
                    Reason.VALUE_MISMATCH if each.agrees is False else Reason.NO_EVIDENCE,
                    claim.start + each.start,
                    claim.start + each.end,
                    each.said,
                )
                for each in against
            ),
        )

    def _of_all(self, claim: Claim, values: Listed) -> Judgement:
        """The judgement on what is said of all of some listed values."""
        reason = Reason.ENTAILED if values.holds else Reason.VALUE_MISMATCH
        finding = Finding(reason, claim.start, claim.end, values.shown)
        return Judgement(
            source=self.name,
            label=Label.SUPPORTED if values.holds else Label.CONTRADICTED,
            reasons=(reason,),
            evidence=tuple(_passage(_address(line), f"{line.text} ({values.shown})") for line in values.lines),
            findings=() if values.holds else (finding,),
        )

    def _borne_out(self, told: Sequence[Told]) -> Judgement:
        facts = dict.fromkeys((each.place, each.said) for each in told)
        evidence = tuple(_fact(place, said) for place, said in facts)
        return Judgement(source=self.name, label=Label.SUPPORTED, reasons=(Reason.ENTAILED,), evidence=evidence)

    def _compared(self, prose: Prose, signs: Signs, ground: Ground) -> Comparison:
        """What the sentences say that share most with the claim; where they support it, what others say against it."""
        if signs.aligned < _LEAST_SHARED or signs.strange > max(1.0, float(1 - self.limits.coverage) * signs.size):
            return Comparison(label=Label.NOT_FOUND)
        lines = [ground.lines[number] for number in signs.best[:_COMPARED]]
        texts = [Text(_address(line), line.text) for line in lines]
        found = compare(prose, texts, self.limits)
        if found.label is Label.NOT_FOUND and signs.numbers:
            derived = compare(prose, texts, self.limits, inference=True)
            found = derived if derived.label is Label.SUPPORTED and derived.derivation else found
        if found.label is not Label.SUPPORTED:
            return found
        sentences = [used.sentence for used in found.used]
        if not all(asserts(sentence, prose.words) for sentence in sentences):
            return Comparison(label=Label.NOT_FOUND)
        if not found.derivation and not stands(prose.words, sentences):
            return Comparison(label=Label.NOT_FOUND)
        return self._contested(prose, found, texts, signs)

    def _contested(self, prose: Prose, found: Comparison, texts: Sequence[Text], signs: Signs) -> Comparison:
        """The support, or a conflict where another of the texts plainly says otherwise by itself."""
        counted = {used.key for used in found.used}
        for text in texts:
            if text.key in counted:
                continue
            other = compare(prose, [text], self.limits)
            if other.label is Label.CONTRADICTED and plainly(prose.words, other, signs):
                return replace(other, label=Label.CONFLICTING, used=(*found.used, *other.used))
        return found

    def _judgement(self, claim: Claim, found: Comparison) -> Judgement:
        reasons = tuple(dict.fromkeys(mark.reason for mark in found.marks))
        if found.label is Label.CONFLICTING:
            reasons = (Reason.SOURCE_DISAGREEMENT, *reasons)
        shown = f" ({'; '.join(found.derivation)})" if found.derivation else ""
        return Judgement(
            source=self.name,
            label=found.label,
            reasons=reasons or (Reason.ENTAILED,),
            evidence=tuple(
                _passage(used.key, used.sentence + (shown if at == 0 else "")) for at, used in enumerate(found.used)
            ),
            findings=tuple(
                Finding(mark.reason, claim.start + mark.start, claim.start + mark.end, mark.detail)
                for mark in found.marks
            ),
        )

    def _weighed(
        self, claim: Claim, signs: Signs, found: Comparison, lines: Sequence[Line], before: Sequence[float]
    ) -> Judgement:
        """The judgement on what was not shown to be borne out: invented, or perhaps a paraphrase."""
        odds = unfounded(signs.values, self.weights, before)
        lost = above(odds, signs.values, self.weights) >= 0 or beyond(signs) or _names_another(found, signs)
        reasons = tuple(dict.fromkeys(mark.reason for mark in found.marks)) or (Reason.LOW_COVERAGE,)
        nearest = [lines[number] for number in signs.best[:1]]
        return Judgement(
            source=self.name,
            label=Label.NOT_FOUND if lost else Label.AMBIGUOUS,
            reasons=reasons if lost else (Reason.LOW_COVERAGE,),
            evidence=tuple(_passage(_address(line), line.text) for line in nearest),
            findings=tuple(
                Finding(_reason(term.value), claim.start + term.start, claim.start + term.end, "in no passage")
                for term in signs.new
            ),
        )

    def hear(self, text: str, parts: Sequence[Segment]) -> None:
        """Takes the answer so far, and its segments up to the one that is judged next."""
        self.course.hear(text, parts)

    def _before(self, place: int) -> Sequence[float]:
        """The log-odds of what the answer said before, each by itself."""
        while len(self._alone) < place:
            self._alone.append(unfounded(self.signs_at(len(self._alone)).values, self.weights))
        return self._alone[:place]

    def signs_at(self, place: int) -> Signs:
        """The signs of a part of the answer, those of records among them."""
        part = self.course.parts[place]
        told = list(told_by(part.words, self.given.records))
        beside = self._beside(told, item=part.item, place=place)
        return signs_of(part.words, self.ground_for(part.words), beside)

    def _beside(self, told: Sequence[Told], *, item: bool, place: int) -> Beside:
        agrees = tuple((each.start, each.end) for each in told if each.agrees is True)
        return Beside(
            differs=len(told) - len(agrees),
            agrees=agrees,
            structured=bool(self.given.records),
            item=item,
            carried=self.course.carried(place),
        )


def _names_another(found: Comparison, signs: Signs) -> bool:
    """Whether a sentence on the same has another name, and the claim's own stands in no passage."""
    rivals = (mark for mark in found.marks if mark.rival and mark.reason is Reason.UNSUPPORTED_NAME)
    return any(mark.start < term.end and term.start < mark.end for mark in rivals for term in signs.new)


def _reason(value: str) -> Reason:
    return Reason.NUMBER_NOT_IN_SOURCE if value else Reason.LOW_COVERAGE


def _address(line: Line) -> str:
    return f"{line.key}@{line.start}-{line.end}" if line.end else line.key


def _passage(address: str, content: str) -> Evidence:
    return Evidence(source="passages", kind="passage", content=content, query=address, origin=address)


def _fact(place: str, said: str) -> Evidence:
    return Evidence(source="passages", kind="passage", content=said, query=place, origin=place)
