"""What a graph does not bear out: numbers and names that stand nowhere around the things of a question."""

from __future__ import annotations

import pytest
from small_kb import write_kb

from imprimatur.evals.borne_out import Ground


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """The files of a small graph about brooks and towns."""
    return Ground(write_kb(tmp_path_factory.mktemp("kb")))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Elm Brook is 12 km long [1].", ()),
        ("Elm Brook is 7.46 miles long, or 12,000 m.", ()),
        ("The length is 39,370 feet.", ()),
        ("It flows through Arden and Bree into Oak Brook, which is 30 km long.", ()),
        ("Elm Brook was named in 1850.", ()),
        ("Elm Brook is 13 km long.", ("13",)),
        ("Elm Brook is 12.4 km long.", ("12.4",)),
        ("Elm Brook flows through Corfe.", ("Corfe",)),
        ("Bob painted Elm Brook.", ("Bob",)),
        ("No. It was Mary Smith's brook.", ("Mary", "Smith")),
        ("", ()),
    ],
)
def test_what_is_left_over(ground: Ground, text: str, left: tuple[str, ...]) -> None:
    """Values of the question's things and their neighbours pass, in any unit; all else is named."""
    assert ground.unfounded(text, "How long is Elm Brook?") == left


def test_the_question_s_own_words_pass(ground: Ground) -> None:
    """A name or number that was asked is not made up by whoever repeats it."""
    assert ground.unfounded("Corfe has 5 mills.", "Does Corfe have 5 mills?") == ()


def test_compressed_graphs_are_read() -> None:
    """The bundled one, by its name."""
    rivers = Ground("rivers")
    assert rivers.unfounded("The Aapsta originates at 1,445 m.", "At what elevation does the Aapsta originate?") == ()
    assert rivers.unfounded("At 11,200 feet.", "At what elevation does the Aapsta originate?") == ("11,200",)
