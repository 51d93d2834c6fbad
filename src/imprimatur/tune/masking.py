"""Dialogues as token numbers, with a mask: the loss is taken over the answer and its end mark, and nothing else.

Invariants: what is given is cut into tokens as it is when the model is asked, so that no token reaches over the
border; every row ends with its answer, whatever it is filled up with at its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.errors import InputError
from imprimatur.models.chat import Templates, split, token_ids
from imprimatur.tune.rows import Row

__all__ = ["Batch", "Encoded", "batched", "encode"]

#: What the loss does not count, as torch has it.
IGNORED = -100


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of a row; the last ``answer`` of them are what is learnt."""

    ids: tuple[int, ...]
    answer: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one length, filled up at their beginnings.

    ``mask``: 1 where a token stands. ``labels``: what is to be predicted at the last ``kept`` places of each row, each
    the token after it; ``IGNORED`` where that is no part of an answer. ``counted``: how many are.
    """

    ids: tuple[tuple[int, ...], ...]
    mask: tuple[tuple[int, ...], ...]
    labels: tuple[tuple[int, ...], ...]
    kept: int
    counted: int


def encode(rows: Sequence[Row], tokenizer: Templates, *, longest: int) -> list[Encoded]:
    """The rows as tokens, in order.

    Raises:
        InputError: a row is too long, or has nothing to learn; it is named. ConfigError: see ``chat.split``.
    """
    return [_encoded(row, tokenizer, longest) for row in rows]


def _encoded(row: Row, tokenizer: Templates, longest: int) -> Encoded:
    text = split(tokenizer, row.asked, row.answer)
    given, written = token_ids(tokenizer, text.given), token_ids(tokenizer, text.written)
    if not given or not written:
        raise InputError("has nothing to learn", where=f"row {row.id}", hint="its answer has no token")
    if len(given) + len(written) > longest:
        message = f"has {len(given) + len(written)} tokens, and {longest} are allowed"
        raise InputError(message, where=f"row {row.id}", hint="shorten it, or raise --longest")
    return Encoded((*given, *written), len(written))


def batched(rows: Sequence[Encoded], *, filler: int) -> Batch:
    """Some rows as one batch; ``filler`` is the token that the shorter ones begin with."""
    size = max(len(row.ids) for row in rows)
    # The place before the first token of an answer predicts that token.
    kept = max(row.answer for row in rows) + 1
    ids, mask, labels = [], [], []
    for row in rows:
        empty = size - len(row.ids)
        ids.append((*([filler] * empty), *row.ids))
        mask.append((*([0] * empty), *([1] * len(row.ids))))
        learnt = row.ids[-row.answer :]
        labels.append((*([IGNORED] * (kept - 1 - row.answer)), *learnt, IGNORED))
    counted = sum(row.answer for row in rows)
    return Batch(tuple(ids), tuple(mask), tuple(labels), kept, counted)
