"""The settle stage: its table row by row, and that the order of judgements never matters."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evidence import Evidence
from imprimatur.settle import settle
from imprimatur.verdict import Judgement, Label, Reason

S, C, X, U, A, N = (
    Label.SUPPORTED,
    Label.CONTRADICTED,
    Label.CONFLICTING,
    Label.UNCHECKED,
    Label.AMBIGUOUS,
    Label.NOT_FOUND,
)

#: What the sources say, and the verdict: the table of the module, row by row.
TABLE: tuple[tuple[tuple[Label, ...], Label], ...] = (
    ((), N),
    ((N,), N),
    ((N, N), N),
    ((S,), S),
    ((S, N), S),
    ((S, S), S),
    ((A,), A),
    ((A, N), A),
    ((A, S), A),
    ((U,), U),
    ((U, N), U),
    ((U, S), U),
    ((U, A), U),
    ((C,), C),
    ((C, N), C),
    ((C, U), C),
    ((C, A), C),
    ((C, S), X),
    ((C, S, U), X),
    ((C, S, A, N), X),
    ((X,), X),
    ((X, S), X),
    ((X, C), X),
    ((X, U), X),
)

_REASONS = {S: Reason.ENTAILED, C: Reason.VALUE_MISMATCH, X: Reason.FUNCTIONAL_CONFLICT, U: Reason.CHECK_FAILED}


def _judgement(label: Label, source: str = "graph") -> Judgement:
    evidence = Evidence(source=source, kind="triple", content=f"{label} by {source}", query="ASK { }", origin="a.ttl")
    reason = _REASONS.get(label, Reason.NO_EVIDENCE)
    return Judgement(source=source, label=label, reasons=(reason,), evidence=() if label is N else (evidence,))


@pytest.mark.parametrize(("said", "verdict"), TABLE)
def test_table(said: tuple[Label, ...], verdict: Label) -> None:
    """Each row gives its verdict in every order of the judgements."""
    judgements = [_judgement(label, f"source{number}") for number, label in enumerate(said)]
    for order in permutations(judgements):
        assert settle(order).label is verdict


def test_no_source() -> None:
    """Without any source there is no evidence."""
    assert settle(()).reasons == (Reason.NO_EVIDENCE,)


def test_disagreement() -> None:
    """Support beside a contradiction is conflicting, and both sides are shown."""
    verdict = settle([_judgement(S, "memory"), _judgement(C, "graph")])
    assert verdict.reasons == (Reason.SOURCE_DISAGREEMENT, Reason.VALUE_MISMATCH, Reason.ENTAILED)
    assert [evidence.source for evidence in verdict.evidence] == ["graph", "memory"]


def test_structured_first() -> None:
    """Where sources agree, the evidence of structured ones stands first."""
    verdict = settle([_judgement(S, "memory"), _judgement(S, "passages"), _judgement(S, "tables")])
    assert [evidence.source for evidence in verdict.evidence] == ["tables", "memory", "passages"]


def test_silent_sources_add_nothing() -> None:
    """What a silent source gives as its reason does not stand beside a verdict."""
    assert settle([_judgement(N, "memory"), _judgement(S)]).reasons == (Reason.ENTAILED,)


@pytest.mark.parametrize("others", [(), (S,), (N,)])
def test_not_a_claim_is_garbled(others: tuple[Label, ...]) -> None:
    """A source that calls a claim no claim has failed, and licenses nothing."""
    verdict = settle([_judgement(Label.NOT_A_CLAIM, "memory"), *(_judgement(label) for label in others)])
    assert verdict.label is U
    assert verdict.reasons == (Reason.CHECK_FAILED,)


_judgements = st.builds(_judgement, st.sampled_from(list(Label)), st.sampled_from(["graph", "tables", "memory", "x"]))


@given(st.lists(_judgements, max_size=5).flatmap(lambda made: st.tuples(st.just(made), st.permutations(made))))
def test_order_never_matters(pair: tuple[list[Judgement], list[Judgement]]) -> None:
    """Any order of the same judgements gives the very same verdict."""
    assert settle(pair[0]) == settle(pair[1])


@given(st.lists(_judgements, min_size=1, max_size=5))
def test_support_needs_unanimity(made: list[Judgement]) -> None:
    """Supported means that some source supports and every other is silent."""
    labels = {judgement.label for judgement in made}
    assert (settle(made).label is S) == (S in labels and labels <= {S, N})
