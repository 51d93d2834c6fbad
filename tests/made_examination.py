"""An examination whose verdicts a test lays down by the words of the segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from imprimatur import recheck, release
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.decision import Decision, Edit
from imprimatur.drive import drive
from imprimatur.examine import Mark
from imprimatur.extract.nameless import NAMELESS
from imprimatur.frame import Examining, Frame, Tag
from imprimatur.policy import Policy
from imprimatur.release import Release
from imprimatur.report import JudgedSegment
from imprimatur.segment import Segmenter, segment
from imprimatur.verdict import Label

#: Gives the label of a segment: of its text, and of the texts before it.
Labelling = Callable[[str, Sequence[str]], Label]


def nothing_right(text: str, judged: JudgedSegment) -> tuple[Edit, ...]:
    """Nothing can be put right."""
    return ()


def wrong(said: str, before: Sequence[str]) -> Label:
    """Segments with the word "Wrong" are contradicted."""
    return Label.CONTRADICTED if "Wrong" in said else Label.SUPPORTED


class MadeExamination:
    """Stands for ``Examination`` in the modules that settle what goes out."""

    labelling: Labelling

    def __init__(self, answer: Answer, frame: Frame, *, marks: bool = False) -> None:
        self.answer = answer
        self.parts: list[Segment] = []
        self.judged: list[JudgedSegment] = []
        self.marks: dict[int, Any] | None = {} if marks else None
        self._said: list[str] = []

    @classmethod
    def from_mark(cls, mark: Any, answer: Answer, frame: Frame, before: Sequence[Segment]) -> MadeExamination:
        """Goes on from a mark, which is what was said before it."""
        made = cls(answer, frame, marks=True)
        made.parts, made._said = [*before], [*mark]
        return made

    @property
    def text(self) -> str:
        """The text so far."""
        return self.answer.text

    def take(
        self, text: str, parts: Sequence[Segment], *, seen: int | None = None, tags: Sequence[Tag] = ()
    ) -> Examining[None]:
        """Labels further segments."""
        self.answer = replace(self.answer, text=text)
        for part in parts:
            if self.marks is not None:
                self.marks[len(self.parts)] = tuple(self._said)
            body = text[slice(*part.body)]
            silent = part.kind is Kind.CODE or not body
            label = Label.NOT_A_CLAIM if silent else type(self).labelling(body, self._said)
            self.parts.append(part)
            self._said.append(body)
            self.judged.append(JudgedSegment(start=part.start, end=part.end, label=label))
        return
        yield ()

    def mark(self, number: int) -> Mark:
        """What was said before a segment."""
        assert self.marks is not None
        found: Mark = self.marks[number]
        return found

    def forget(self, number: int) -> None:
        """Nothing is dropped."""


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Decision]:
    """Gives the decision on a text whose segments are labelled as told, however it is cut into chunks."""

    def decide(
        text: str,
        policy: Policy,
        labelling: Labelling = wrong,
        amend: Callable[[str, JudgedSegment], tuple[Edit, ...]] = nothing_right,
        *,
        chunk: int = 0,
    ) -> Decision:
        class Labelled(MadeExamination):
            pass

        Labelled.labelling = staticmethod(labelling)
        monkeypatch.setattr(release, "Examination", Labelled)
        monkeypatch.setattr(recheck, "Examination", Labelled)
        made = Release(Answer(text=""), frame_of(policy), amend)
        if not chunk:
            drive(made.take(text, segment(text)))
            return drive(made.finish())
        segmenter = Segmenter()
        shown = ""
        for at in range(0, len(text), chunk):
            if parts := segmenter.feed(text[at : at + chunk]):
                drive(made.take(text[: at + chunk], parts))
            assert made.released.startswith(shown)
            shown = made.released
        drive(made.take(text, segmenter.finish()))
        found = drive(made.finish())
        assert found.text.startswith(shown)
        return found

    return decide


def frame_of(policy: Policy) -> Frame:
    """A frame in which nothing is looked up."""
    return Frame(
        lexicon=NAMELESS,
        locale="en",
        language=None,
        sources=tuple,
        policy=policy,
        on=date(2031, 1, 31),
        over=lambda: False,
        most=100_000,
    )
