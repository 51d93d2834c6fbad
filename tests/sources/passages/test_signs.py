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
from imprimatur.sources.passages.signs import NAMES, Beside, beyond, signs_of
from imprimatur.sources.passages.weighing import Weights, above, kind_of, unfounded

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
        ("Salmon:", "colon"),
        ("The Orla is long, and otters swim up.", "clause_new"),
        ("The Orla is long, and salmon rise near Tessen.", "clause_outside"),
        ("The Orla and salmon rise near Tessen.", "loosely_outside"),
        ("The Orla and salmon rise near Tessen.", "rare_outside"),
        ("The long Orla swims up.", "unpaired"),
        ("Tessen rises near the Orla.", "disorder"),
        ("The Orla does not rise near Tessen.", "other_polarity"),
        ("Many salmon swim up the Orla in ten days.", "new_quantifiers"),
        ("Salmon swim up the Orla in ten days before rain.", "new_times"),
        ("Three rivers rise near Tessen.", "new_counts"),
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


@pytest.mark.parametrize(
    "words", ["The passages do not mention 17 otters.", "Here is a summary in 40 words:", "It says nothing of 3 boats:"]
)
def test_what_is_said_of_the_sources_or_of_what_follows_has_no_new_words(words: str) -> None:
    """Its words are not to stand in the passages: no sign of them, and it never goes beyond."""
    signs = signs_of(words, _GROUND)
    assert signs.values["new_numbers"] == signs.values["new_weight"] == signs.values["outside_best"] == 0.0
    assert not beyond(signs)


def test_a_negator_elsewhere_makes_no_remark_on_the_sources() -> None:
    """What is denied must be that something is told."""
    words = "The article reports that the bridge over the river near the town of Tessen was built without any permit."
    assert signs_of(words, _GROUND).values["silence_of_the_source"] == 0.0


def test_a_number_that_a_fact_bears_out_is_not_new() -> None:
    """ "from 9 AM" where the record has hours: what is told there agrees, whatever its digits."""
    words = "The Orla is open from 9 AM."
    start = words.index("from")
    assert signs_of(words, _GROUND).values["new_numbers"] == 1.0
    told = Beside(agrees=((start, len(words)),), structured=True)
    assert signs_of(words, _GROUND, told).values["new_numbers"] == 0.0


def test_nouns_that_count_hold_a_number() -> None:
    """ "a century" holds 100, "both" holds 2; small numbers in letters are counts, for what is named can be counted."""
    ground = Ground([Line("Both mills stood for a century.", "a", 0, 31)])
    assert all(ground.knows(term) for term in terms_of("2 100"))
    values = signs_of("The three mills stood for 30 years.", ground).values
    assert (values["new_counts"], values["new_numbers"]) == (1.0, 1.0)


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


def test_each_kind_of_context_has_its_threshold() -> None:
    """The form of the context tells the kind; where it counts sooner, the same odds are further above."""
    weights = Weights(
        base=0.0, each={}, strayed=0.0, calm=0.0, threshold=1.0, sooner={"records": 0.0, "numbered": 0.5, "prose": 2.0}
    )
    found = {
        kind_of(signs): above(0.0, signs, weights)
        for signs in (
            signs_of("Salmon.", _GROUND).values,
            signs_of("Salmon.", _GROUND, Beside(structured=True)).values,
            signs_of("Salmon.", Ground([Line("Salmon swim.", "a", 0, 12)])).values,
        )
    }
    assert found == {"numbered": -0.5, "records": -1.0, "prose": 1.0}


def test_many_new_words_go_beyond_a_record_and_not_a_text() -> None:
    """A text may be told in other words; a record has few, and what it lacks was added."""
    words = "The Orla is a glittering, meandering, tranquil, unspoilt waterway."
    assert beyond(signs_of(words, _GROUND, Beside(structured=True)))
    assert not beyond(signs_of(words, _GROUND))
