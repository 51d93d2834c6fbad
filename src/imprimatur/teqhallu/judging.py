"""The fifth step: the last judgement, and what holds it against the rows, the words they come from, and the reference.

The model sees the claims with what was looked up for each, its own initial prediction, the reference, and which of its
sentences left no row. It may then call a claim supported by rows, or by words of the reference that it quotes. What is
said here lowers and never raises (decision 17): a claim is no more than its evidence (``_lowered``), a response no more
than its claims, and no more than what the model says of it last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Prose
from imprimatur.sources.text.comparing import compare
from imprimatur.sources.text.comparison import Text, TextLimits
from imprimatur.teqhallu import shapes
from imprimatur.teqhallu.asker import Asker
from imprimatur.teqhallu.claims import Drafted
from imprimatur.teqhallu.found import Audit, ClaimFound, Sample, Span
from imprimatur.teqhallu.kinds import Basis, Category, Stage, Support
from imprimatur.teqhallu.spans import bounds_in, located, missing_in, numbers_of, place
from imprimatur.verdict import Label

__all__ = ["Initial", "Judged", "categories_in", "judge", "strictly"]

_SAID = {"supported": Support.FULLY, "contradicted": Support.CONTRADICTED, "not found": Support.UNSUPPORTED}
_MOST_SPANS = 10
_MOST_UNREAD = 40
_LIMITS = TextLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Initial:
    """The initial direct prediction."""

    verdict: Support
    reason: str = ""
    categories: tuple[tuple[Category, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The claims as they hold, and what the model says of the whole response."""

    claims: tuple[ClaimFound, ...]
    said: Support
    reason: str
    categories: tuple[tuple[Category, str], ...] = ()


def judge(
    sample: Sample,
    drafts: Sequence[Drafted],
    texts: Sequence[str],
    asker: Asker,
    *,
    initial: Initial | None,
    audit: Audit,
) -> Judged:
    """The last judgement. Raises what asking the model raises."""
    told = {
        "question": sample.question,
        "response": sample.response,
        "initial": initial and {"verdict": initial.verdict.value, "reason": initial.reason},
        "reference": list(sample.reference),
        "incomplete": [span.text for span in audit.unread[:_MOST_UNREAD]],
        "claims": [_shown(number, draft) for number, draft in enumerate(drafts, 1)],
    }
    dialogue = bool(sample.dialogue)
    shape = shapes.judgement(len(drafts), dialogue=dialogue)
    said = asker.ask(Stage.JUDGE, "judge-turn" if dialogue else "judge", shape, **told)
    by_number = {each["number"]: each for each in said["claims"]}
    claims = tuple(
        _held(draft, said_of, _quoted(said_of, sample, texts))
        for draft, said_of in ((draft, by_number.get(number)) for number, draft in enumerate(drafts, 1))
    )
    return Judged(
        claims=claims,
        said=Support(said["verdict"]),
        reason=said["reason"],
        categories=categories_in(said, sample.response),
    )


def strictly(drafts: Sequence[Drafted]) -> tuple[ClaimFound, ...]:
    """The verdicts by entity ids alone: a claim stands when the rows name all that it is about."""
    made = []
    for draft in drafts:
        verdict = Support.UNSUPPORTED
        if draft.fault:
            verdict = Support.UNCHECKED
        elif draft.entities and draft.shown.rows and set(draft.entities) == set(draft.aligned):
            verdict = Support.FULLY
        basis = Basis.ROWS if verdict is Support.FULLY else Basis.NONE
        made.append(_found(draft, verdict, basis=basis, lowered=draft.fault))
    return tuple(made)


def categories_in(said: Mapping[str, Any], response: str) -> tuple[tuple[Category, str], ...]:
    """What is wrong with a turn, as far as the words at fault stand in it."""
    found = [(Category(each["category"]), each["quote"]) for each in said.get("categories", ())]
    return tuple(dict.fromkeys(each for each in found if place(each[1], response) is not None))


def _shown(number: int, draft: Drafted) -> dict[str, Any]:
    """A claim and what was looked up, as the model is shown them."""
    told: dict[str, Any] = {"number": number, "claim": draft.says}
    shown = draft.shown
    if shown.query:
        told["query"] = shown.query
    if shown.fault:
        told["failed"] = shown.fault
    elif shown.query:
        told["columns"] = list(shown.columns)
        told["rows"] = [list(row) for row in shown.rows]
        told["from"] = [span.text for span in shown.spans[:_MOST_SPANS]]
    if draft.entities:
        told["entities"] = list(draft.entities)
        told["found"] = list(draft.aligned)
    return told


def _quoted(said: Mapping[str, Any] | None, sample: Sample, texts: Sequence[str]) -> Span | None:
    """Where the words that the model quotes stand in the sample's own reference; numbered as among all texts."""
    found = located(said["quote"], sample.reference) if said is not None else None
    return found and replace(found, number=texts.index(sample.reference[found.number - 1]) + 1)


def _held(draft: Drafted, said: Mapping[str, Any] | None, quote: Span | None) -> ClaimFound:
    """A claim with its verdict, lowered to what its evidence bears."""
    if said is None:
        return _found(draft, Support.UNCHECKED, lowered="the model says nothing of it")
    verdict = _SAID[said["verdict"]]
    by_rows = bool(draft.shown.rows) and any(1 <= row <= len(draft.shown.rows) for row in said["rows"])
    basis = Basis.ROWS if by_rows else Basis.TEXT if quote is not None else Basis.NONE
    if verdict is Support.FULLY:
        held, lowered = _lowered(draft, basis, quote)
    elif verdict is Support.UNSUPPORTED and draft.fault:
        held, lowered = Support.UNCHECKED, draft.fault
    else:
        held, lowered = verdict, ""
    return replace(_found(draft, held, verdict, basis=basis, lowered=lowered), quote=quote, reason=said["reason"])


def _lowered(draft: Drafted, basis: Basis, quote: Span | None) -> tuple[Support, str]:
    """What is left of "supported", and what took the rest."""
    if draft.fault:
        return Support.UNCHECKED, draft.fault
    if basis is Basis.NONE:
        return Support.UNSUPPORTED, "neither rows nor words of the reference are shown for it"
    spans = [span.text for span in draft.shown.spans] if basis is Basis.ROWS else []
    words = [*spans, *([quote.text] if quote is not None else [])]
    label = _compared(draft.says, words)
    if label is Label.CONTRADICTED:
        return Support.CONTRADICTED, "the words of the reference that it rests on say otherwise"
    if label is Label.SUPPORTED:
        return Support.FULLY, ""
    missing = _missing(draft, basis, words)
    if missing is not None:
        return Support.UNSUPPORTED, f"the number {float(missing):.15g} is in nothing that it rests on"
    return Support.FULLY, ""


def _compared(says: str, words: Sequence[str]) -> Label:
    """What words of the reference say of a claim; nothing where a query takes so many that they are about anything."""
    if not 0 < len(words) <= _MOST_SPANS:
        return Label.NOT_FOUND
    return compare(Prose(words=says), [Text(str(number), text) for number, text in enumerate(words)], _LIMITS).label


def _missing(draft: Drafted, basis: Basis, words: Sequence[str]) -> Fraction | None:
    """The first number of a claim that neither the words nor the rows hold.

    A bound may also be one that the SELECT compares with: that there are rows is then what bears it out.
    """
    shown = draft.shown if basis is Basis.ROWS else None
    cells = [str(cell) for cell in shown.measured if cell is not None] if shown else []
    held = numbers_of([*words, *cells, *([str(len(shown.rows))] if shown else [])])
    if shown is not None and bounds_in(draft.says):
        held |= numbers_of(shown.compared)
    return missing_in(draft.says, held)


def _found(
    draft: Drafted, verdict: Support, said: Support | None = None, *, basis: Basis = Basis.NONE, lowered: str = ""
) -> ClaimFound:
    return ClaimFound(
        says=draft.says,
        start=draft.start,
        end=draft.end,
        verdict=verdict,
        said=said,
        entities=draft.entities,
        aligned=draft.aligned,
        shown=draft.shown,
        basis=basis,
        lowered=lowered,
    )
