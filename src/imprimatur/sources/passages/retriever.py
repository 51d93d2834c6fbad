"""What a judge asks for sentences, and what it is given.

Contract:

- ``find`` gives sentences worth comparing with what was asked, best first, at most ``limit``; none when nothing is
  near. It says nothing about truth: the sentence that contradicts a claim is as welcome as the one that supports it.
- The order is deterministic: by ``score``, then by document, then by place.
- A sentence is proposed when its passage shares a word, name or number with the query (full text), or when the passage
  is at least as similar as the similarity floor (embeddings, where there is a model). Nothing else is.
- ``score`` is the sum of reciprocal ranks over the lists in which the sentence stands (``fusion``); it orders one
  result and means nothing beside another. ``full_text``, ``similarity`` and ``overlap`` are kept as they were measured.
- Headings, code and fragments are proposed too, for they may say what a sentence is about; ``kind`` tells.
- ``find`` raises ``StoreUnavailable`` or ``CheckFailed`` when it cannot look; never does a failure look like "nothing
  found".

Ways to one: ``given.Given.of(context)`` for the passages that come with a call (no index, no model),
``library.open_passages(config)`` for those of a knowledge base, and ``fusion.Joined`` asks several of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from imprimatur.sources.passages.passage import Passage, Sentence

__all__ = ["Query", "Retriever", "Scored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to look for.

    Attributes:
        text: the claim as a sentence, with what it refers to put in for pronouns; only embeddings use it.
        words: content words, in any form ("flows" finds "flowed").
        names: names in full ("Marie Curie"); every word of a name counts, and more than other words.
        numbers: numbers as written, or in plain digits ("2,330", "2330", "1.5").
    """

    text: str
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A sentence that was found, with its passage.

    Attributes:
        score: what it is ordered by (reciprocal rank fusion).
        full_text: the passage's BM25; None when it was not found by words.
        similarity: the cosine of passage and query, -1 to 1; None without a model or when it was not found by it.
        overlap: the share of the query's words, by rarity, that stand in the sentence itself, 0 to 1.
    """

    sentence: Sentence
    passage: Passage
    score: float
    full_text: float | None
    similarity: float | None
    overlap: float


class Retriever(Protocol):
    """Finds sentences: in the passages of one call, in an index, or in several of both."""

    def find(self, query: Query, *, limit: int = 12) -> tuple[Scored, ...]:
        """Sentences worth comparing with what is asked, best first."""
        ...

    def passage(self, id_: str) -> Passage | None:
        """The passage of that id; None when there is none."""
        ...

    def __len__(self) -> int:
        """How many passages there are."""
        ...
