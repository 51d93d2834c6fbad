"""GLiNER and GLiNER2 checkpoints with random weights, made here, through the same way as any; only from a folder.

They need the extra ``gliner``; without it these tests are skipped. What is done with marks is tested without models.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from made_markers import MISSING, gliner2_folder, gliner_folder

from imprimatur.config import ExtractorConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.extractors.gliner import open_extractor
from imprimatur.extractors.graph_terms import terms_of
from imprimatur.extractors.marker_folder import MarkerFolder
from imprimatur.extractors.markers import Thresholds, open_marker
from imprimatur.protocols import Excerpt
from imprimatur.testing.extractors import faults_of, world

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed of the extra `gliner`: {', '.join(MISSING)}"),
    pytest.mark.filterwarnings("default"),  # those of torch, transformers and the models are not ours
]

TEXT = "Elm Brook flows through Arden."
MAKERS: dict[str, Callable[[Path], Path]] = {
    "gliner": gliner_folder,
    "gliner with relations": partial(gliner_folder, relations=True),
    "gliner2": gliner2_folder,
}


@pytest.fixture(scope="module", params=sorted(MAKERS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a checkpoint of either package."""
    return MAKERS[request.param](tmp_path_factory.mktemp("models") / request.param.replace(" ", "-"))


def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every connection a failure of the test."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("something connected to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("threshold", ["0", "0.5"])
def test_the_suite_passes(model: Path, threshold: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With everything marked, and with what random weights mark by themselves; without any network."""
    offline(monkeypatch)
    config = ExtractorConfig(kind="gliner", path=model, threshold=Fraction(threshold))
    assert faults_of(lambda terms: open_extractor(config, terms)) == []


def test_names_are_marked_where_they_stand(model: Path) -> None:
    """At no threshold something is marked; above all scores nothing is."""
    part = world().part
    assert part is not None
    terms = terms_of(part.schema)
    for threshold, some in (("0", True), ("1", False)):
        opened = open_extractor(ExtractorConfig(kind="gliner", path=model, threshold=Fraction(threshold)), terms)
        (found,) = opened.extractor.propose([Excerpt(text=TEXT)], seconds=60)
        assert (found.fault, bool(found.claims)) == ("", some)
        assert all(0 <= each.start < each.end <= len(TEXT) for each in found.claims)
    assert (opened.here, opened.writes) == (True, False)


def test_a_text_that_is_too_long_is_a_failure(model: Path) -> None:
    """What the model leaves out would look like silence."""
    marker = open_marker(MarkerFolder.open(model), Thresholds(0.5, 0.5))
    with pytest.raises(CheckFailed, match="no more than"):
        marker.mark("brook " * 2000, ["brook"], [])


def test_weights_that_are_not_all_there_are_refused(model: Path, tmp_path: Path) -> None:
    """They would be made up at random; and a file that is none cannot be read."""
    from safetensors.torch import load_file, save_file

    for file in model.rglob("*"):
        if file.is_file():
            target = tmp_path / "lacking" / file.relative_to(model)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    weights = tmp_path / "lacking" / "model.safetensors"
    kept = load_file(weights)
    save_file(dict(list(kept.items())[:-2]), weights)
    with pytest.raises(ConfigError, match=r"lacks 2 of the model's weights|no model can be read"):
        open_marker(MarkerFolder.open(tmp_path / "lacking"), Thresholds(0.5, 0.5))
    weights.write_bytes(b"\0" * 64)
    with pytest.raises(ConfigError, match="no model can be read"):
        open_marker(MarkerFolder.open(tmp_path / "lacking"), Thresholds(0.5, 0.5))
