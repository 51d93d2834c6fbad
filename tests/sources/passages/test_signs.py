"""Signs that a claim goes beyond its passages, and their weights."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.errors import InputError
from imprimatur.sources.passages.ground import Ground, Line, terms_of, value_of
from imprimatur.sources.passages.signs import NAMES, beyond, signs_of
from imprimatur.sources.passages.weighing import Weights, unfounded

_GROUND = Ground(
    [
        Line("passage 1: The Orla is 214 km long and rises near Tessen.", "a", 0, 40, "1"),
        Line("passage 2: Salmon swim up the Orla in ten days.", "a", 40, 80, "2"),
    ]
)


def test_values_of_numbers_are_plain_digits() -> None:
    """Separators, ordinals and words; a word that is no number has none."""
    assert [value_of(word) for word in ("1,200", "21st", "4.50", "ten", "007", "km")] == [
        *("1200", "21", "4.5", "10", "7", "")
    ]


def test_words_stand_in_any_form_and_numbers_by_value() -> None:
    """ "rose" stands for "rises", "10" for "ten"."""
    assert [_GROUND.standing(term) for term in terms_of("rose 10 bridge")] == [{0}, {1}, set()]


def test_a_claim_in_the_words_of_a_passage_has_no_sign() -> None:
    """Nothing is new, nothing stands apart."""
    signs = signs_of("The Orla is 214 km long.", _GROUND)
    assert signs.new == ()
    assert signs.values["outside_best"] == 0.0
    assert not beyond(signs)


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("The Orla is 360 km long.", "new_numbers"),
        ("The Orla meets the Vesk there.", "new_names"),
        ("Otters swim up the Orla.", "new_weight"),
        ("Salmon rise near Tessen.", "apart"),
        ("Salmon swim up the Orla (passage 1).", "wrong_passage"),
        ("Overall, the Orla is long.", "summing_up"),
        ("The passage does not mention bridges.", "silence_of_the_source"),
        ("The Orla may be long.", "hedges"),
        ("Salmon:", "colon"),
    ],
)
def test_each_sign_shows_where_it_should(words: str, sign: str) -> None:
    """One change of a founded sentence, one sign."""
    assert signs_of(words, _GROUND).values[sign] > 0


def test_what_plainly_goes_beyond_is_told() -> None:
    """A new number, nothing in common, or many new words."""
    assert beyond(signs_of("The Orla is 360 km long.", _GROUND))
    assert beyond(signs_of("Berlin is a capital.", _GROUND))
    assert not beyond(signs_of("The long Orla has salmon.", _GROUND))


@given(st.text(max_size=80))
def test_signs_are_finite_for_any_text(words: str) -> None:
    """Whatever the words, every sign is there and is a number."""
    values = signs_of(words, _GROUND).values
    assert set(values) == set(NAMES)
    assert all(math.isfinite(value) for value in values.values())


def test_odds_add_up_and_what_strayed_before_raises_them() -> None:
    """The base, each sign times its weight, and what the worst claim before adds; never less."""
    weights = Weights(base=-1.0, each=dict.fromkeys(NAMES, 0.5), strayed=0.5, calm=-2.0, threshold=0.0)
    signs = dict.fromkeys(NAMES, 0.0) | {"new_numbers": 2.0}
    assert unfounded(signs, weights) == 0.0
    assert unfounded(signs, weights, (-5.0,)) == 0.0
    assert unfounded(signs, weights, (-5.0, 2.0)) == 2.0


def test_the_shipped_weights_are_whole_and_sensible() -> None:
    """Every sign has a weight; what a record denies, a new number and a wrong passage weigh against a claim."""
    weights = Weights.shipped()
    assert set(weights.each) == set(NAMES)
    assert min(weights.each[name] for name in ("differs", "new_numbers", "outside_best", "wrong_passage")) > 0


@pytest.mark.parametrize("text", ["", "[]", '{"base": 1}', json.dumps({"base": "x", "each": {}})])
def test_a_file_without_weights_is_refused(tmp_path: Path, text: str) -> None:
    """What, where, and how to mend it."""
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="holds no weights") as caught:
        Weights.read(path)
    assert caught.value.hint
