"""Recordings: what is in the file is taken from it, what is not is asked and appended, or missed by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_asking import Fixed

from imprimatur.answer import Message
from imprimatur.errors import InputError, LimitExceeded, ModelFailed, StoreUnavailable
from imprimatur.models.asking import Completion, Prompt, Usage
from imprimatur.models.recorded import Recorder, Replay
from imprimatur.models.recording import Recording


def _prompt(text: str) -> Prompt:
    return Prompt(messages=(Message("user", text),))


class Named(Fixed):
    """A model with another name."""

    identity = "other (1)"


@pytest.mark.parametrize("name", ["kept.jsonl", "kept.jsonl.gz"])
def test_what_is_missing_is_asked_and_appended(tmp_path: Path, name: str) -> None:
    """Half of the prompts at first, the rest later; then no model is needed, and the answers are the same."""
    path = tmp_path / name
    model = Fixed(Completion(text="one½", usage=Usage(3, 4)), Completion(text="two", finish="length"))
    first = Recording(path)
    first.describe({"tokens": 5}, "by hand")
    asked = first.model(opened=lambda: model)
    said = [asked.complete(_prompt(text)) for text in ("a", "b", "a")]
    assert (first.asked, first.taken, len(model.prompts)) == (2, 1, 2)
    again = Recording(path)
    assert (again.settings, again.note) == ({"tokens": 5}, "by hand")
    resumed = again.model(opened=lambda: Fixed("three"))
    assert [resumed.complete(_prompt(text)) for text in ("a", "b")] == said[:2]
    assert resumed.complete(_prompt("c")).text == "three"
    alone = Recording(path).model()
    assert alone.identity == "fixed (0)"
    assert [alone.complete(_prompt(text)).text for text in "abc"] == ["one½", "two", "three"]


def test_the_first_missing_prompt_is_named(tmp_path: Path) -> None:
    """Without a model, what is not there is an error with the words of the prompt; so is a role that nobody has."""
    path = tmp_path / "kept.jsonl"
    Recording(path).model(opened=lambda: Fixed("x")).complete(_prompt("known"))
    recording = Recording(path)
    with pytest.raises(InputError, match=r"How long is it\?") as raised:
        recording.model().complete(_prompt("How long is it?"))
    assert (raised.value.where, "name the model" in raised.value.hint) == (str(path), True)
    for role, run in (("factual", 1), ("", 2)):
        with pytest.raises(InputError, match="no model is known that answers"):
            recording.model(role, run)


def test_roles_and_runs_are_kept_apart(tmp_path: Path) -> None:
    """A tuned model and another seed have answers of their own to the same prompt."""
    path = tmp_path / "kept.jsonl"
    recording = Recording(path)
    recording.model(opened=lambda: Fixed("plain")).complete(_prompt("a"))
    recording.model("factual", opened=lambda: Named("tuned")).complete(_prompt("a"))
    recording.model("", 2, opened=lambda: Named("second")).complete(_prompt("b"))
    again = Recording(path)
    assert (again.roles(), again.runs()) == (("", "factual"), (1, 2))
    assert again.model("factual").complete(_prompt("a")).text == "tuned"
    assert again.model("", 2).complete(_prompt("b")).text == "second"


def test_what_is_not_asked_for_is_told_as_stale(tmp_path: Path) -> None:
    """Answers to prompts that are put no more, and those of another model, are counted."""
    path = tmp_path / "kept.jsonl"
    model = Recording(path).model(opened=lambda: Fixed("x"))
    for text in "abc":
        model.complete(_prompt(text))
    again = Recording(path)
    again.model().complete(_prompt("a"))
    (told,) = again.stale()
    assert told.startswith("2 recorded answers in run 1")
    other = Recording(path)
    other.model(opened=lambda: Named("y")).complete(_prompt("a"))
    assert other.stale()[0].startswith("3 recorded answers")
    with pytest.raises(InputError, match="of 2 models"):
        Recording(path).model()


def test_failures_are_kept_but_not_want_of_time(tmp_path: Path) -> None:
    """A failure of the model is given again; a late or unreachable one is asked again."""
    path = tmp_path / "kept.jsonl"
    model = Recording(path).model(
        opened=lambda: Fixed(ModelFailed("broken"), LimitExceeded("late"), StoreUnavailable("away"), "fine")
    )
    for kind in (ModelFailed, LimitExceeded, StoreUnavailable):
        with pytest.raises(kind):
            model.complete(_prompt(kind.__name__))
    again = Recording(path)
    with pytest.raises(ModelFailed, match="broken"):
        again.model().complete(_prompt("ModelFailed"))
    with pytest.raises(InputError):
        again.model().complete(_prompt("LimitExceeded"))


def test_files_of_the_older_form_are_read_both_ways(tmp_path: Path) -> None:
    """What `--record` wrote is a recording; lines of a recording without a head can be replayed."""
    path = tmp_path / "kept.jsonl"
    Recorder(Fixed("old"), path).complete(_prompt("a"))
    assert Recording(path).model().complete(_prompt("a")).text == "old"
    Recording(path).model(opened=lambda: Fixed("new")).complete(_prompt("b"))
    assert Replay(path).complete(_prompt("b")).text == "new"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not a line of JSON"),
        ("[]", "not a JSON object"),
        ('{"recording": "imprimatur.recording/9"}', "form that is not known"),
        ('{"key": "k"}', "no recorded answer"),
        ('{"key": "k", "model": "m", "answer": {"finish": "stop"}}', "no recorded answer"),
        ('{"key": "k", "model": "m", "answer": "x"}', "no recorded answer"),
        ('{"key": "k", "model": "m", "run": "x", "answer": {"text": "", "finish": "stop"}}', "no recorded answer"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, told: str) -> None:
    """A line that is none of a recording is told with its number."""
    path = tmp_path / "kept.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=told) as raised:
        Recording(path)
    assert raised.value.where == f"{path}:1"


def test_bad_files_are_told(tmp_path: Path) -> None:
    """What is no text, no gzip, or a folder."""
    for name, data in (("a.jsonl", b"\xff\xfe\xfa"), ("b.jsonl.gz", b"plain"), ("c.jsonl.gz", b"\x1f\x8b\x08")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match="cannot be read"):
            Recording(tmp_path / name)
    with pytest.raises(InputError, match="cannot be read"):
        Recording(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        Recording(tmp_path / "no" / "kept.jsonl").model(opened=lambda: Fixed("x")).complete(_prompt("a"))


def test_no_secret_is_written(tmp_path: Path) -> None:
    """A line has the key of the prompt, and not the prompt."""
    path = tmp_path / "kept.jsonl"
    recording = Recording(path)
    recording.describe({"items": 3})
    recording.model(opened=lambda: Fixed("x")).complete(_prompt("the question"))
    head, row = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert head == {"recording": "imprimatur.recording/1", "settings": {"items": 3}, "note": ""}
    assert set(row) == {"key", "model", "answer"}
