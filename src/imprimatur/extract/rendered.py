"""Reads answers of another language: rendered into the grammar's terms, read as any other, and put back in place.

Contract: the question and each segment, as it comes, are rendered (``language.rendering``); claims, covers and words to
account for come back with the spans and the words of the answer as it was written. Nothing is read differently in
between: the same grammar, keys and accounting hold for all languages.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Claim, Mention
from imprimatur.errors import CheckFailed
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.extracted import Extracted, Word
from imprimatur.extract.items import items_of
from imprimatur.extract.segments import Extractor
from imprimatur.extract.syntax import Item
from imprimatur.language._remarks import remark
from imprimatur.language.languages import Language, plain
from imprimatur.language.rendering import Rendered, render
from imprimatur.language.tokens import Token
from imprimatur.protocols import Lexicon
from imprimatur.values import TextValue

__all__ = ["RenderedReader", "rendered_items", "rendered_text"]

Span = tuple[int, int]
T = TypeVar("T")
_MARKS = " .!?¿¡\n"
#: Characters; a longer segment is not examined (see ``examine``).
_LONGEST = 20_000


def rendered_text(text: str, lexicon: Lexicon, language: Language) -> Rendered:
    """A segment's text in terms. What is a remark in its own language ("no lo sé") stays as it is."""
    if remark(text.strip(_MARKS)) is not None:
        return _as_it_is(text)

    def names(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
        return ((found.first, found.stop) for found in lexicon.find(tokens))

    def known(noun: str) -> bool:
        return bool(noun) and bool(lexicon.classes(noun) or lexicon.entries(f"={noun}<*"))

    return render(text, language, names=names, known=known)


def _as_it_is(text: str) -> Rendered:
    return Rendered(text, (0,), (((0, len(text)),),), (len(text),))


def rendered_items(text: str, lexicon: Lexicon, *, offset: int, locale: str, language: Language) -> tuple[Item, ...]:
    """The items of a text, with the words and places that they have in it."""
    made = rendered_text(text, lexicon, language)
    place = _Places.of_one(made, offset)
    return tuple(_item(item, place, text, offset) for item in items_of(made.text, lexicon, locale=locale))


def _item(item: Item, place: _Places, text: str, offset: int) -> Item:
    start, end = place.span(item.start, item.end)
    return item._replace(start=start, end=end, text=text[start - offset : end - offset])


class _Places:
    """Where the stretches of a rendered text stand in the answer, and where the answer's segments stand in it."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self.starts: list[int] = []
        self.stretches: list[tuple[int, Rendered]] = []  # offset in the answer, and what was rendered
        self.bounds: dict[int, int] = {}

    def __copy__(self) -> _Places:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.starts, made.stretches, made.bounds = [*self.starts], [*self.stretches], {**self.bounds}
        return made

    @classmethod
    def of_one(cls, made: Rendered, offset: int) -> _Places:
        """The places of one text that stands at ``offset``."""
        place = cls()
        place.add(made, offset)
        return place

    def add(self, made: Rendered, offset: int) -> None:
        """Appends a rendered stretch."""
        self.starts.append(self.at)
        self.stretches.append((offset, made))
        self.text += made.text
        self.at += len(made.text)

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """The spans in the answer of what stands at ``start:end`` of the rendered text."""
        if start < 0:
            return ((start, end),)
        n = max(0, bisect_right(self.starts, start) - 1)
        offset, made = self.stretches[n]
        found = made.origin(start - self.starts[n], end - self.starts[n])
        return tuple((a + offset, b + offset) for a, b in found)

    def span(self, start: int, end: int) -> Span:
        """The span from the first to the last of them."""
        found = self.spans(start, end)
        return (min(a for a, _ in found), max(b for _, b in found)) if found else (start, end)


class RenderedReader:
    """Reads an answer through its rendering."""

    def __init__(self, answer: Answer, lexicon: Lexicon, spoken: tuple[str, Language]) -> None:
        self.locale, self.language = spoken
        self.answer = answer
        self.lexicon = lexicon
        self.place = _Places()
        self._failed: set[int] = set()
        question = answer.question and rendered_text(answer.question, lexicon, self.language).text
        self._inner = Extractor(replace(answer, text="", question=question), lexicon, locale=self.locale)

    def __copy__(self) -> RenderedReader:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.place = copy(self.place)
        made._failed = set(self._failed)
        made._inner = copy(self._inner)
        return made

    @property
    def discourse(self) -> Discourse:
        """What earlier segments leave behind."""
        return self._inner.discourse

    @discourse.setter
    def discourse(self, discourse: Discourse) -> None:
        self._inner.discourse = discourse

    def goes_on(self, answer: Answer, segment: Segment) -> None:
        """Takes the answer as far as it has come, and renders its next segment."""
        self.answer = answer
        self._add(segment)
        self._inner.goes_on(replace(self._inner.answer, text=self.place.text), segment)

    def _add(self, part: Segment) -> None:
        start, end = part.body
        place = self.place
        for at, text, said in (
            (part.start, self.answer.text[part.start : start], False),
            (start, self.answer.text[start:end], part.kind is not Kind.CODE and end - start <= _LONGEST),
            (end, self.answer.text[end : part.end], False),
        ):
            place.bounds.setdefault(at, place.at)
            if text:
                place.add(self._rendered(text, part) if said else _as_it_is(text), at)
        place.bounds.setdefault(part.end, place.at)

    def _rendered(self, text: str, part: Segment) -> Rendered:
        try:
            return rendered_text(text, self.lexicon, self.language)
        except Exception:  # this segment is unchecked; the others can be read
            self._failed.add(part.start)
            return _as_it_is(text)

    def extract(self, segment: Segment) -> Extracted:
        """What a segment says, in the answer's own places.

        Raises:
            CheckFailed: the segment could not be rendered.
        """
        if segment.start in self._failed:
            raise CheckFailed("the segment could not be put into the grammar's terms")
        found = self._inner.extract(self._placed(segment))
        return replace(
            found,
            segment=segment,
            claims=tuple(map(self._claim, found.claims)),
            words=tuple(Word(a, b, w.hard) for w in found.words for a, b in self.place.spans(w.start, w.end)),
        )

    def _placed(self, segment: Segment) -> Segment:
        """The segment where it stands in the rendered text."""
        bounds = self.place.bounds

        def moved(span: Span | None) -> Span | None:
            return (bounds[span[0]], bounds[span[1]]) if span and {*span} <= bounds.keys() else None

        body = segment.body
        return replace(
            segment,
            start=bounds[segment.start],
            end=bounds[segment.end],
            body=(bounds[body[0]], bounds[body[1]]),
            heading=moved(segment.heading),
            stem=moved(segment.stem),
            row=moved(segment.row),
            column=moved(segment.column),
        )

    # -- back ---------------------------------------------------------------------------------------------------------
    def _claim(self, claim: Claim) -> Claim:
        start, end = self.place.span(claim.start, claim.end)
        covers = dict.fromkeys(span for cover in claim.covers for span in self.place.spans(*cover))
        return replace(
            claim,
            start=start,
            end=end,
            text=self.answer.text[start:end],
            covers=tuple(sorted(covers)),
            readings=tuple(_told(reading, self._mention) for reading in claim.readings),
        )

    def _mention(self, mention: Mention) -> Mention:
        if mention.start < 0 or mention.end <= mention.start:
            return replace(mention, text=plain(mention.text))
        start, end = self.place.span(mention.start, mention.end)
        return replace(mention, start=start, end=end, text=self.answer.text[start:end])


def _told(part: T, mention: Callable[[Mention], Mention]) -> T:
    """A statement with all of its mentions, and its texts, in the answer's words."""
    if isinstance(part, Mention):
        return mention(part)  # type: ignore[return-value]
    if isinstance(part, TextValue):
        return replace(part, text=plain(part.text))
    if isinstance(part, tuple):
        return tuple(_told(each, mention) for each in part)  # type: ignore[return-value]
    if not is_dataclass(part) or isinstance(part, type):
        return part
    changed: dict[str, Any] = {}
    for each in fields(part):
        value = getattr(part, each.name)
        told = _told(value, mention) if isinstance(value, (tuple, Mention, TextValue)) or is_dataclass(value) else value
        if told is not value:
            changed[each.name] = told
    return replace(part, **changed) if changed else part
