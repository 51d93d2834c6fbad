"""The passages of one call as lines of evidence and as records.

Contract: prose is cut into its sentences, with their offsets in the passage; structured context (JSON) becomes one line
for each fact, keys written as words, with a JSON pointer for its place, and a record of its typed facts. A null gives
no line: silence is not "no". Where a text numbers its own passages ("passage 2: …"), its lines bear that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from imprimatur._expressions import expression
from imprimatur.sources.passages.ground import Line, contents, terms_of
from imprimatur.sources.passages.passage import Document, SentenceKind
from imprimatur.sources.passages.reading import read_context
from imprimatur.sources.passages.records import Fact, Measure, Path, Phrase, Record, key_words, read_record
from imprimatur.sources.passages.retriever import Query, Retriever

__all__ = ["Given", "found_lines", "given_of", "pointer"]

_HEAD = expression(r"\b(?:passage|document|source|context)[ \u00a0]?(\d{1,3})[ \u00a0]?:", re.IGNORECASE)
_SILENT = (SentenceKind.CODE,)
#: Characters; the lines of a longer passage are not kept.
_MOST_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class Given:
    """Lines in order, and the records among the passages with their keys."""

    lines: tuple[Line, ...]
    records: tuple[tuple[str, Record], ...]


def given_of(texts: Sequence[str]) -> Given:
    """The lines and records of some passages, named ``context:1``, ``context:2``, …

    Raises:
        InputError: a passage is too long or nested too deep.
    """
    lines: list[Line] = []
    records: list[tuple[str, Record]] = []
    for number, text in enumerate(texts, 1):
        key = f"context:{number}"
        record = read_record(text)
        if record is None:
            lines += _lines_of(text, key) if len(text) <= _MOST_KEPT else _sentences(read_context(text, id_=key))
        else:
            lines += _facts(record, key)
            records.append((key, record))
    return Given(tuple(lines), tuple(records))


@lru_cache(maxsize=256)
def _lines_of(text: str, key: str) -> tuple[Line, ...]:
    """The sentences of a passage; kept for a while, since several answers often come with the same passages."""
    return tuple(_sentences(read_context(text, id_=key)))


def found_lines(retriever: Retriever, words: str) -> tuple[Line, ...]:
    """The sentences that a retriever finds for some words. Raises what ``retriever.find`` raises."""
    terms = contents(terms_of(words))
    query = Query(
        text=words,
        words=tuple(term.text for term in terms if not term.value),
        names=tuple(term.text for term in terms if term.text[:1].isupper() and term.start > 0),
        numbers=tuple(term.text for term in terms if term.value and term.text[:1].isdigit()),
    )
    found = (each.sentence for each in retriever.find(query))
    stated = (each for each in found if each.kind not in (*_SILENT, SentenceKind.HEADING, SentenceKind.FRAGMENT))
    return tuple(Line(each.text, each.passage, each.start, each.end) for each in stated)


def _sentences(document: Document) -> Iterator[Line]:
    heads = [(found.start(), found[1]) for found in _HEAD.finditer(document.text)]
    for passage in document.passages:
        for sentence in passage.sentences:
            if sentence.kind not in _SILENT:
                label = next((name for at, name in reversed(heads) if at < sentence.end), "")
                yield Line(sentence.text, passage.id, sentence.start, sentence.end, label)


def _facts(record: Record, key: str) -> Iterator[Line]:
    facts: tuple[Fact, ...] = (*record.flags, *record.measures, *record.phrases, *record.hours)
    for fact in facts:
        words = " ".join(word for part in fact.path for word in key_words(part))
        place = f"{key}{pointer(fact.path)}"
        if isinstance(fact, Phrase):
            for sentence in _spoken(fact.text, place):
                yield Line(f"{words}: {sentence}", place, 0, 0)
        else:
            yield Line(f"{words}: {_said(fact)}", place, 0, 0)


def _spoken(text: str, key: str) -> list[str]:
    """The sentences of a text in a record."""
    document = read_context(text, id_=key[:200])
    return [sentence.text for passage in document.passages for sentence in passage.sentences] or [text]


def _said(fact: Fact) -> str:
    if isinstance(fact, Measure):
        return fact.written
    return fact.text if isinstance(fact, Phrase) else fact.said


def pointer(path: Path) -> str:
    """A JSON pointer (RFC 6901)."""
    return "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in path)
