"""The switches of the method, and its four verdicts: names without input or output."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

__all__ = ["Ablation", "Basis", "Category", "Scope", "Stage", "Support", "lowest", "of_claims"]


class Ablation(StrEnum):
    """What of the method is run.

    ``direct``: one question, no claims; ``claims``: atomic claims against the text; ``key-value``: a flat store in
    place of tables; ``strict-ids``: a claim stands when the rows name the same entities, and nobody judges;
    ``no-initial``: all but the initial direct prediction.
    """

    FULL = "full"
    DIRECT = "direct"
    CLAIMS = "claims"
    KEY_VALUE = "key-value"
    STRICT_IDS = "strict-ids"
    NO_INITIAL = "no-initial"


class Scope(StrEnum):
    """What shares a database: one sample, one dialogue turn by turn, or all samples."""

    PASSAGE = "passage"
    DIALOGUE = "dialogue"
    GLOBAL = "global"


class Stage(StrEnum):
    """What a model is asked for; tokens are accounted for by stage."""

    INITIAL = "initial"
    INSPECT = "inspect"
    EXISTING = "existing"
    STORE = "store"
    SELECT = "select"
    REPAIR = "repair"
    CLAIMS = "claims"
    ENTRIES = "entries"
    JUDGE = "judge"


class Support(StrEnum):
    """How far a response, or one claim, is borne out; ``unchecked``: something failed, and nothing is known."""

    FULLY = "fully supported"
    PARTIALLY = "partially supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    UNCHECKED = "unchecked"


class Category(StrEnum):
    """What is wrong with a turn of a dialogue, in the words of DiaHalu."""

    NON_FACTUAL = "non-factual"
    INCOHERENT = "incoherent"
    IRRELEVANT = "irrelevant"
    OVER_RELIANT = "over-reliant"


class Basis(StrEnum):
    """What a verdict on a claim rests on: rows of a query (or entries), words of the reference, or neither."""

    ROWS = "rows"
    TEXT = "reference text"
    NONE = "nothing"


#: From the best to the worst; of two verdicts the later one holds.
_ORDER = (Support.FULLY, Support.PARTIALLY, Support.UNSUPPORTED, Support.UNCHECKED, Support.CONTRADICTED)


def lowest(*verdicts: Support) -> Support:
    """The worst of some verdicts."""
    return max(verdicts, key=_ORDER.index)


def of_claims(verdicts: Iterable[Support]) -> Support:
    """What the verdicts on its claims make of a response; ``unchecked`` without any claim."""
    kinds = set(verdicts)
    for kind in (Support.CONTRADICTED, Support.UNCHECKED):
        if kind in kinds or not kinds:
            return kind if kinds else Support.UNCHECKED
    if kinds == {Support.FULLY}:
        return Support.FULLY
    return Support.PARTIALLY if kinds & {Support.FULLY, Support.PARTIALLY} else Support.UNSUPPORTED
