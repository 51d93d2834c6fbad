"""What holds for every test: nothing is read from or written to the user's own folders."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from cli_fixtures import oracle, shell
from hypothesis import settings
from remote_fixtures import remote_lasting, remote_world
from serve_fixtures import brooks, gateway

from imprimatur.language.parser import parser_of

__all__ = ["brooks", "gateway", "oracle", "remote_lasting", "remote_world", "shell"]

settings.register_profile("imprimatur", deadline=None)
settings.load_profile("imprimatur")


def pytest_collection_finish() -> None:
    """What is there before the first test stays; looking through it for garbage would take a tenth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(autouse=True, scope="session")
def _parser_loaded() -> None:
    """In a worker beside others the parser is loaded before any check is timed: a late one would read without it."""
    parser = parser_of("en") if "PYTEST_XDIST_WORKER" in os.environ else None
    if parser is not None:
        parser.ready(lambda: False)


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model server that failed is asked again at once, nearly."""
    monkeypatch.setattr("imprimatur.models.persist._PAUSE", 0.01)


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Ledger and data folders of the run's own; its cache folder is shared, for compiling graphs is slow."""
    base: Path = tmp_path_factory.getbasetemp()
    monkeypatch.setenv("XDG_DATA_HOME", str(base / "data-home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(base / "cache-home"))
    monkeypatch.delenv("IMPRIMATUR_LEDGER", raising=False)
