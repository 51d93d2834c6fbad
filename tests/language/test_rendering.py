"""A text in the grammar's terms: golden rows, and that every word of the text has a part in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.language.languages import Language, language_of
from imprimatur.language.rendering import Rendered, render, render_words
from imprimatur.language.tokens import Token, tokenise

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "golden" / "spanish" / "rendered.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
NAMES = frozenset("Alba Mora Duero".split())
WORDS = (
    "el la del al río ciudad más menos no nunca ni ningún se encuentra mide tiene es de en que cuyo y o , . ¿ ? 3 1921"
    " mayo mil millones cien dos XIX siglo año antiguo caudaloso fundada nació Alba Mora 5 km"
).split()


def language() -> Language:
    """Spanish."""
    found = language_of("es")
    assert found is not None
    return found


def named(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Alba, Mora and Duero are names."""
    return ((n, n + 1) for n, token in enumerate(tokens) if token.text in NAMES)


def rendered(text: str) -> Rendered:
    """A Spanish text in terms."""
    return render(text, language(), names=named, known=lambda noun: noun.startswith("longitud"))


@pytest.mark.parametrize(("text", "terms"), ROWS, ids=[row[0][:80] for row in ROWS])
def test_rows(text: str, terms: str) -> None:
    """A sentence in terms, with its words marked as those of its language."""
    assert rendered(text).text == terms


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_every_word_has_a_part(text: str) -> None:
    """The spans of the stretches cover every word of the text, and each stretch has one."""
    made = rendered(text)
    covered = {at for spans in made.spans for start, end in spans for at in range(start, end)}
    assert all(set(range(t.start, t.end)) <= covered for t in tokenise(text) if t.text[0].isalnum())
    assert all(spans and all(0 <= a < b <= len(text) for a, b in spans) for spans in made.spans)
    assert list(made.starts) == sorted(made.starts)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join), st.data())
def test_origins_lie_in_the_text(text: str, data: st.DataObject) -> None:
    """Any stretch of the rendered text comes from spans of the text, in order and apart."""
    made = rendered(text)
    start = data.draw(st.integers(0, len(made.text)))
    end = data.draw(st.integers(start, len(made.text)))
    found = made.origin(start, end)
    assert all(0 <= a < b <= len(text) for a, b in found)
    assert all(left[1] < right[0] for left, right in pairwise(found))


def test_labels_are_no_sentences() -> None:
    """In a label no subject is missing, and S, O and Q are holes."""
    assert render_words("desemboca en", language()) == "desembocaᵉˢ in"
    assert render_words("S o O", language()) == "S or O"
    assert render_words("número de habitantes", language()) == "number of habitantesᵉˢ"
