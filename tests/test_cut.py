"""Clauses cut out of sentences: what is left reads by itself, and is licensed when it is checked again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from imprimatur.decision import Abstained, Licensed, Redacted
from imprimatur.oracle import Oracle

_WORLD = Path(__file__).parent / "golden" / "judge" / "worlds" / "bridges"

#: What is said, and what of it is released.
PAIRS = [
    ("Ardel Bridge opened in 1931 and it is 780 m long.", "Ardel Bridge opened in 1931."),
    ("Ardel Bridge opened in 1931, and it is 780 m long.", "Ardel Bridge opened in 1931."),
    ("Ardel Bridge is 780 m long, and it opened in 1931.", "Ardel Bridge opened in 1931."),
    ("Ardel Bridge crosses the River Tarn and links Belstow.", "Ardel Bridge crosses the River Tarn."),
    ("Ardel Bridge crosses the River Onny and links Mossley.", "Ardel Bridge links Mossley."),
    ("Ardel Bridge crosses the River Tarn; it is 780 m long!", "Ardel Bridge crosses the River Tarn!"),
    ("Ardel Bridge, designed by Otto Ruskind, crosses the River Tarn.", "Ardel Bridge crosses the River Tarn."),
    ("Ardel Bridge, which opened in 1932, crosses the River Tarn.", "Ardel Bridge crosses the River Tarn."),
    ("Ardel Bridge (built by Penn Ironworks) crosses the River Tarn.", "Ardel Bridge crosses the River Tarn."),
    ("While Ardel Bridge is 63 m high, Quill Viaduct is 63 m high.", "Ardel Bridge is 63 m high."),
    ("Though Ardel Bridge crosses the River Onny, it links Mossley.", "Ardel Bridge links Mossley."),
    ("Ardel Bridge crosses the River Tarn, but it is famous for its ghosts.", "Ardel Bridge crosses the River Tarn."),
    ("At 780 m long, Ardel Bridge crosses the River Tarn.", "Ardel Bridge crosses the River Tarn."),
    (
        "Ardel Bridge crosses the River Tarn, it is said to be cursed, and it links Mossley.",
        "Ardel Bridge crosses the River Tarn, and it links Mossley.",
    ),
]

#: What cannot be parted: nothing of it is released.
WHOLE = [
    "Ardel Bridge crosses the River Onny.",
    "It is not true that Ardel Bridge crosses the River Tarn and links Belstow.",
    "If Ardel Bridge links Belstow, and it rains, it is 412.6 m long.",
    "Edith Vane and Otto Ruskind designed Ardel Bridge together with a friend.",
]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The bridges, under the policy that redacts."""
    folder = tmp_path_factory.mktemp("redacting") / "bridges"
    shutil.copytree(_WORLD, folder)
    settings = folder / "imprimatur.yaml"
    settings.write_text(settings.read_text(encoding="utf-8") + "policy: redact\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(("said", "left"), PAIRS)
def test_failed_clauses_go(oracle: Oracle, said: str, left: str) -> None:
    """The failed clause goes, the rest is mended, and what is released is licensed as it stands."""
    decision = oracle.check(said).decision
    assert isinstance(decision, Redacted)
    assert decision.text == left
    assert isinstance(oracle.check(left).decision, Licensed)


@pytest.mark.parametrize("said", WHOLE)
def test_what_cannot_be_parted_is_withheld(oracle: Oracle, said: str) -> None:
    """A sentence whose parts do not stand by themselves is not cut into something that it does not say."""
    decision = oracle.check(said).decision
    assert isinstance(decision, Abstained) or decision.text == said


def test_a_list_item_keeps_its_marker(oracle: Oracle) -> None:
    """Only the end of a list item is cut, never its beginning."""
    text = "- Ardel Bridge crosses the River Tarn and links Belstow.\n- Quill Viaduct opened in 1868.\n"
    decision = oracle.check(text).decision
    assert decision.text == "- Ardel Bridge crosses the River Tarn.\n- Quill Viaduct opened in 1868.\n"
