"""The paper's own figures: counts and prints agree where both are given, and what no count gives is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.evals.published import REPORTED, counts_for


def test_counts_and_prints_agree() -> None:
    """Wherever the paper prints both, the count is one of those that give the share."""
    for row in REPORTED:
        if row.right is not None:
            assert row.right in counts_for(row.percent, row.asked), row.system


@given(st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_every_true_print_has_its_count(share: tuple[int, int]) -> None:
    """A share that is printed from a count is never told to have none, and every count found gives the print."""
    count, total = share
    printed = round(100 * count / total, 1)
    found = counts_for(printed, total)
    assert count in found
    assert all(abs(100 * each / total - printed) <= 0.05 + 1e-6 for each in found)


def test_a_share_that_no_count_gives() -> None:
    """89.0 % of 595: 529 give 88.9 and 530 give 89.1; one half of three is none either."""
    assert counts_for(89.0, 595) == []
    assert counts_for(50.0, 3) == []
    assert counts_for(89.1, 1997) == [1779, 1780]


def test_the_command(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """RAG and Graph-RAG do not differ; fine-tuning and retrieval do; both oddities are told."""
    told: dict[str, Any] = json.loads(shell("eval", "published", "--json").out)
    ends = {(row[0][:9], row[1][:9]): (row[2]["low"], row[2]["high"]) for row in told["tables"][1]["rows"]}
    assert ends["Graph-RAG", "RAG (Gemi"] == pytest.approx((-0.0103, 0.0020), abs=1e-4)
    assert ends["Gemma-Fac", "Gemma 3-4"][1] < 0 < ends["RAG (Gemi", "Gemini 2."][0]
    assert [case["kind"] for case in told["cases"]] == ["more questions than there are", "no count gives it"]
    assert "89.0 % of 595" in shell("eval", "published").out
