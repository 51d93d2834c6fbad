"""Recipes, and what is learnt of a row: numbers and masks, without torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from made_chats import Letters

from imprimatur.answer import Message
from imprimatur.errors import ConfigError, InputError
from imprimatur.models import weights
from imprimatur.models.chat import ending, opened, split
from imprimatur.models.weights import located, weights_hash
from imprimatur.tune.masking import IGNORED, batched, encode
from imprimatur.tune.recipes import RECIPES, Kind, Recipe
from imprimatur.tune.rows import Row

Shell = Callable[..., Ran]
SHORT = Row(id="a", messages=(Message("user", "How?"), Message("assistant", "So.")))
LONG = Row(id="b", messages=(Message("user", "Where is it?"), Message("assistant", "In Arden.")))


def test_the_paper_s_numbers() -> None:
    """Rank 16 and a rate of 2e-4 in both recipes (section 4.5)."""
    for kind in Kind:
        assert (RECIPES[kind].rank, RECIPES[kind].rate) == (16, 2e-4)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rank", 0), ("alpha", 0), ("rate", 0.0), ("rate", float("nan")), ("dropout", 1.0), ("epochs", 0), ("batch", 0)],
)
def test_numbers_out_of_bounds_are_refused(name: str, value: float) -> None:
    """With the bounds."""
    changed: dict[str, Any] = {name: value}
    with pytest.raises(InputError, match=name) as caught:
        Recipe(**changed)
    assert "from" in caught.value.hint


def test_the_rate_rises_and_falls() -> None:
    """Over the first share of the steps up to the highest, then in a straight line to nearly nothing."""
    recipe = Recipe(rate=1.0, warm=0.2)
    rates = [recipe.rate_at(step, 10) for step in range(10)]
    assert rates[:3] == [0.5, 1.0, 1.0]
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert rates[-1] == pytest.approx(1 / 8)
    assert Recipe(rate=1.0).rate_at(0, 1) == 1.0


def test_steps_count_whole_batches() -> None:
    """A rest of rows is a step of its own in every epoch."""
    assert Recipe(epochs=3, batch=16).steps(33) == 9


def test_only_the_answer_and_its_end_are_learnt() -> None:
    """The rows end together; what is to be predicted at a place is the token after it, and nothing else counts."""
    batch = batched(encode([SHORT, LONG], Letters(), longest=100), filler=0)
    assert {len(each) for each in (*batch.ids, *batch.mask)} == {len(batch.ids[1])}
    for ids, labels, row in zip(batch.ids, batch.labels, (SHORT, LONG)):
        learnt = [each for each in labels if each != IGNORED]
        assert "".join(map(chr, learnt)) == f"{row.answer}</>"
        # The label at a place is the token after it.
        kept = ids[-batch.kept :]
        assert all(label in (IGNORED, kept[at + 1]) for at, label in enumerate(labels[:-1]))
        assert labels[-1] == IGNORED
    assert batch.counted == len("So.</>") + len("In Arden.</>")
    filled = len(LONG.messages[0].content + LONG.answer) - len(SHORT.messages[0].content + SHORT.answer)
    assert batch.mask[0].count(0) == batch.ids[0].count(0) == filled


def test_a_row_that_is_too_long_is_named() -> None:
    """It is not cut, for then it would end without an end."""
    with pytest.raises(InputError, match="tokens") as caught:
        encode([SHORT, LONG], Letters(), longest=40)
    assert caught.value.where == "row b"


def test_what_is_given_is_what_is_asked_with() -> None:
    """The text before the answer is the one that a model is asked with; the end mark is known."""
    found = split(Letters(), LONG.asked, LONG.answer)
    assert found.given == opened(Letters(), LONG.asked) == "<user>Where is it?</>\n<assistant>"
    assert found.written == "In Arden.</>"
    assert ending(Letters()) == [ord(each) for each in "</>"]


def test_templates_without_system_messages() -> None:
    """The instructions go at the head of the question."""
    messages = [Message("system", "Be short."), Message("user", "How?")]
    assert opened(Letters(systems=False), messages) == "<user>Be short.\n\nHow?</>\n<assistant>"


def test_a_template_that_writes_anew_is_refused() -> None:
    """Else something else would be learnt than is asked."""
    with pytest.raises(ConfigError, match="otherwise"):
        split(Letters(changing=True), SHORT.asked, SHORT.answer)


def test_what_is_no_folder_of_weights_is_told(tmp_path: Path) -> None:
    """Before anything is loaded; an adapter without what it was trained on, too."""
    with pytest.raises(ConfigError, match="no weights"):
        located(tmp_path)
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(ConfigError, match="not said what"):
        located(tmp_path)
    (tmp_path / "tuned.json").write_text(f'{{"base": "{tmp_path}/gone", "base_hash": "x"}}')
    with pytest.raises(ConfigError, match="not there"):
        located(tmp_path)
    base = tmp_path / "base"
    base.mkdir()
    (base / "config.json").write_text("{}")
    (tmp_path / "tuned.json").write_text('{"base": "base", "base_hash": "x"}')
    with pytest.raises(ConfigError, match="has changed"):
        located(tmp_path)
    (tmp_path / "tuned.json").write_text(f'{{"base": "base", "base_hash": "{weights_hash(base)}"}}')
    assert located(tmp_path) == (tmp_path / "base", tmp_path)


def test_a_training_that_has_not_ended_is_no_model(tmp_path: Path) -> None:
    """It is told how to go on."""
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(ConfigError, match="not ended") as caught:
        located(tmp_path)
    assert "--resume" in caught.value.hint


def test_the_extra_is_named_where_it_is_absent(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training, merging, counting and asking say how to install it."""
    monkeypatch.setattr(weights, "find_spec", lambda _: None)
    (tmp_path / "rows.jsonl").write_text(
        '{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}\n'
    )
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "config.json").write_text("{}")
    named = ("--data", str(tmp_path / "rows.jsonl"), "--base", str(tmp_path / "base"), "--recipe", "factual")
    for options in (
        ("tune", "train", *named, "--out", str(tmp_path / "out")),
        ("tune", "merge", str(tmp_path / "base"), "--out", str(tmp_path / "merged")),
        ("tune", "memory", "--base", str(tmp_path / "base")),
        ("model", "check", "--weights", str(tmp_path / "base")),
    ):
        ran = shell(*options)
        assert (ran.status, "imprimatur[tune]" in ran.err) == (2, True), options


def test_rows_of_another_recipe_are_refused(shell: Shell, tmp_path: Path) -> None:
    """Held-out rows of one are, too."""
    file = tmp_path / "rows.jsonl"
    file.write_text(
        '{"recipe": "factual", "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}'
    )
    named = ("--data", str(file), "--base", str(tmp_path), "--out", str(tmp_path / "out"))
    ran = shell("tune", "train", *named, "--recipe", "abstention")
    assert (ran.status, "made for the recipe" in ran.err) == (2, True)
