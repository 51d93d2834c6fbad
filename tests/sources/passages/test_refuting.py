"""When a sentence plainly says otherwise, and when a comparison only paired words of two clauses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from imprimatur.oracle import Oracle
from imprimatur.verdict import Label


@pytest.fixture(scope="module")
def label(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Label]:
    """The label of a sentence judged against one passage."""
    folder: Path = tmp_path_factory.mktemp("bare")
    (folder / "imprimatur.yaml").write_text("version: 1\n", encoding="utf-8")
    oracle = Oracle.from_folder(folder)
    return lambda answer, passage: oracle.check(answer, None, [passage]).segments[0].label


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("Heat the kiln to 400 °F (205 °C).", "1 Heat the kiln to 400 °F (205 °C)."),
        ("Fire the pots for 12 minutes or until they are no longer wet.", "Fire pots until no longer wet, 12 minutes."),
        ("For joining two boards, use equal boards.", "For joining two together, use equal boards."),
        (
            "A stone can have a large amount of heat despite its small mass, due to its high speed.",
            "A stone, although having a small mass, can have a large amount of heat due to its high speed.",
        ),
        ("It feeds fish and birds.", "Reeds feed fish and birds."),
    ],
)
def test_what_is_said_in_the_same_words_is_not_refuted(
    label: Callable[[str, str], Label], answer: str, passage: str
) -> None:
    """A number that stands there, a denial on both sides, a pronoun for a name: none of them says otherwise."""
    assert label(answer, passage) not in (Label.CONTRADICTED, Label.CONFLICTING)


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("Heat the kiln to 450 °F.", "Heat the kiln to 400 °F."),
        ("The kiln is not heated by gas.", "The kiln is heated by gas."),
        ("The mill feeds the pond.", "The pond feeds the mill."),
        ("The kiln is open.", "The kiln is closed."),
    ],
)
def test_another_value_a_denial_and_swapped_roles_refute(
    label: Callable[[str, str], Label], answer: str, passage: str
) -> None:
    """Each of them by itself."""
    assert label(answer, passage) is Label.CONTRADICTED
