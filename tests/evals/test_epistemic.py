"""The paper's five measures against a table worked out by hand."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.epistemic import NAMES, Asked, Epistemic, bars
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Figure

#: Entailed: 3 licensed and right, 1 licensed and wrong, 1 answered without licence, 1 abstained. Not entailed: 2
#: violations abstained, 1 violation answered wrongly, 1 denied rightly; 1 unknown abstained, 1 answered wrongly.
_ROWS = (
    *[Asked(entailed=True, answered=True, correct=True, licensed=True)] * 3,
    Asked(entailed=True, answered=True, correct=False, licensed=True),
    Asked(entailed=True, answered=True, correct=True),
    Asked(entailed=True, answered=False),
    *[Asked(entailed=False, violates=True, answered=False)] * 2,
    Asked(entailed=False, violates=True, answered=True, licensed=True),
    Asked(entailed=False, violates=True, answered=True, correct=True),
    Asked(entailed=False, answered=False),
    Asked(entailed=False, answered=True),
)

_rows = st.lists(
    st.builds(
        lambda entailed, violates, answered, correct, licensed: Asked(
            entailed=entailed,
            violates=violates,
            answered=answered,
            correct=answered and correct,
            licensed=answered and licensed,
        ),
        *[st.booleans()] * 5,
    ),
    max_size=30,
)


def test_the_measures_of_a_table() -> None:
    """Twelve questions: each measure is the share that its equation names."""
    assert Epistemic(_ROWS).shares() == {
        "accuracy": Share(5, 12),
        "abstention_precision": Share(3, 4),
        "abstention_recall": Share(3, 6),
        "cvrr": Share(3, 4),
        "far_ne": Share(2, 6),
        "licensed_accuracy": Share(3, 4),
        "over_abstention": Share(1, 6),
        "coverage": Share(8, 12),
        "answer_accuracy": Share(5, 8),
        "false_licences": Share(2, 5),
    }


def test_bars_leave_out_what_is_none() -> None:
    """Each bar stands at the place of its measure, with its interval; a figure of nothing has none."""
    shares = Epistemic.of([Asked(entailed=False, violates=True, answered=False)]).shares()
    curve = bars({"silent": {name: Figure.of(share) for name, share in shares.items()}}, "Bars")
    assert curve.names[:3] == ("abstention precision (eq. 2)", "CVRR (eq. 3)", "FAR-NE (eq. 4)")
    assert curve.series["silent"] == ((0.0, 1.0), (1.0, 1.0), (2.0, 0.0))
    assert len(curve.spread["silent"]) == 3


def test_measures_of_nothing_are_none() -> None:
    """Without a question there is no share, and it is printed as none."""
    shares = Epistemic(()).shares()
    assert set(shares) == set(NAMES)
    assert {str(share) for share in shares.values()} == {"none"}
    assert {share.to_dict()["share"] for share in shares.values()} == {None}


def test_one_that_always_abstains_and_one_that_never_does() -> None:
    """Neither has a licence to be right about; the first rejects every violation, the second none."""
    silent = Epistemic.of(Asked(entailed=n % 2 == 0, violates=n % 2 == 1, answered=False) for n in range(6))
    assert (silent.cvrr(), silent.far_ne(), silent.over_abstention()) == (Share(3, 3), Share(0, 3), Share(3, 3))
    assert silent.abstention_precision() == Share(3, 6)
    loud = Epistemic.of(Asked(entailed=False, violates=True, answered=True) for _ in range(4))
    assert (loud.cvrr(), loud.far_ne(), loud.abstention_precision()) == (Share(0, 4), Share(4, 4), Share(0, 0))


@pytest.mark.parametrize("claimed", [{"correct": True}, {"licensed": True}])
def test_an_abstention_is_not_correct_and_licenses_nothing(claimed: dict[str, bool]) -> None:
    """A row that says otherwise cannot be made."""
    with pytest.raises(ValueError, match="abstention"):
        Asked(entailed=True, answered=False, **claimed)


@given(_rows, st.randoms(use_true_random=False))
def test_the_order_of_questions_changes_nothing(rows: list[Asked], chance: Random) -> None:
    """Every measure is a count of rows, at most the rows that it is of."""
    shares = Epistemic.of(rows).shares()
    assert all(0 <= share.count <= share.total <= len(rows) for share in shares.values())
    chance.shuffle(rows)
    assert Epistemic.of(rows).shares() == shares


def test_a_right_answer_to_what_is_entailed_keeps_nothing_back() -> None:
    """A graph may entail what breaks a constraint of its own: saying so is no rejection."""
    said = Asked(entailed=True, violates=True, answered=True, correct=True, licensed=True)
    assert not said.rejected
    assert (Epistemic.of([said]).cvrr().count, Epistemic.of([said]).cvrr().total) == (0, 1)
