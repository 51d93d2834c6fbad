"""A case as token numbers: evidence and claim, as a pair or in a template, in as many windows as the evidence needs.

Invariants: a claim is never cut (what is too long for the model is a failure); evidence that is too long is put in
windows that overlap, up to a number; what looks like a special token in evidence or claim ("[SEP]", "</s>") is read as
the characters that it is, so that no text can pose as the other. Places of a claim's tokens are offsets in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from imprimatur._expressions import expression
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.protocols import Case

__all__ = ["Encoded", "Encoder"]

#: So many windows are tried; evidence that needs more was not read.
_WINDOWS = 16
_SURROGATE = expression("[\ud800-\udfff]")
_SLOT = expression(r"\{(evidence|claim|question)\}")


@dataclass(frozen=True, slots=True)
class Encoded:
    """One input: token numbers, the numbers of their sequences, and where the claim's tokens stand.

    ``claim`` has for each of these: its index, and its start and end in the claim.
    """

    ids: tuple[int, ...]
    types: tuple[int, ...]
    claim: tuple[tuple[int, int, int], ...] = ()


class Encoder:
    """A tokenizer with the form in which a model is asked; it may be used by several threads."""

    def __init__(
        self, tokenizer: Any, *, longest: int, template: str | None = None, premise: str | None = None
    ) -> None:
        self._tokenizer = tokenizer
        self._longest = longest
        self._template = template
        self._premise = premise
        self._special = _special(tokenizer)

    @classmethod
    def open(cls, folder: Path, *, longest: int, template: str | None = None, premise: str | None = None) -> Encoder:
        """The tokenizer in a folder.

        Args:
            template: one text with the slots {evidence}, {claim} and perhaps {question}; None for a pair.
            premise: the first text of a pair, with {evidence} and perhaps {question}; None for the evidence alone.

        Raises:
            ConfigError: it cannot be read, what reads it is not installed, or a slot is missing.
        """
        if find_spec("tokenizers") is None:
            hint = "pip install 'imprimatur[judges]', or 'imprimatur[embeddings]' for models in ONNX"
            raise ConfigError("trained judges cannot be used here: tokenizers is not installed", hint=hint)
        if template is not None and not {"evidence", "claim"} <= set(_SLOT.findall(template)):
            raise ConfigError("`template` needs {evidence} and {claim}", hint='for instance "{evidence}</s>{claim}"')
        if premise is not None and ("evidence" not in _SLOT.findall(premise) or template is not None):
            hint = 'for instance "Question: {question}\nPassages: {evidence}"'
            raise ConfigError("`premise` needs {evidence}, and no `template` beside it", hint=hint)
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as fault:  # the library raises no documented kind
            raise ConfigError("no tokenizer can be read there", where=str(folder / "tokenizer.json")) from fault
        tokenizer.no_truncation()
        tokenizer.no_padding()
        # In a pair nothing but the texts is written, so nothing in it can be a special token: a second fence.
        tokenizer.encode_special_tokens = template is None
        return cls(tokenizer, longest=longest, template=template, premise=premise)

    def windows(self, case: Case) -> list[Encoded]:
        """The inputs for a case: one, or several where the evidence is long.

        Raises:
            CheckFailed: the claim leaves no room for evidence, or the evidence needs too many windows.
        """
        case = Case(claim=self._plain(case.claim), texts=case.texts, question=self._plain(case.question))
        evidence = self._plain("\n".join(case.texts))
        room = self._longest - len(self._encoded(case, "").ids)
        found = self._tokenizer.encode(evidence, add_special_tokens=False)
        if len(found.ids) <= room:
            whole = self._encoded(case, evidence)
            if len(whole.ids) <= self._longest:
                return [whole]
        # A window cut out of the middle may have a token or two more at its edges.
        size = room - 4
        if size < 16:
            raise CheckFailed("cannot read a claim that long")
        starts = range(0, len(found.ids), size - size // 4)
        if len(starts) > _WINDOWS:
            raise CheckFailed("cannot read evidence that long")
        pieces = (evidence[slice(*_span(found.offsets, at, at + size))] for at in starts)
        return [self._encoded(case, piece) for piece in pieces]

    def _encoded(self, case: Case, evidence: str) -> Encoded:
        values = {"evidence": evidence, "claim": case.claim, "question": case.question}
        if self._template is None:
            first = _SLOT.sub(lambda slot: values[slot[1]], self._premise) if self._premise else evidence
            return _pair(self._tokenizer.encode(first, case.claim))
        text = _SLOT.sub(lambda slot: values[slot[1]], self._template)
        made = self._tokenizer.encode(text)
        return Encoded(tuple(made.ids), tuple(made.type_ids))

    def _plain(self, text: str) -> str:
        """The text without what the tokenizer would take for a special token, or not at all; all else in its place."""
        text = _SURROGATE.sub("\ufffd", text)
        return self._special.sub(lambda found: f" {found[0][1:]}", text) if self._special else text


def _pair(made: Any) -> Encoded:
    places: Iterator[tuple[int, int, int]] = (
        (index, start, end)
        for index, (sequence, (start, end)) in enumerate(zip(made.sequence_ids, made.offsets))
        if sequence == 1 and start < end
    )
    return Encoded(tuple(made.ids), tuple(made.type_ids), tuple(places))


def _special(tokenizer: Any) -> re.Pattern[str] | None:
    """What finds special tokens in a text."""
    texts = {added.content for added in tokenizer.get_added_tokens_decoder().values() if len(added.content) > 1}
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True)))) if texts else None


def _span(offsets: list[tuple[int, int]], first: int, stop: int) -> tuple[int, int]:
    inside = offsets[first:stop]
    return (inside[0][0], inside[-1][1]) if inside else (0, 0)
