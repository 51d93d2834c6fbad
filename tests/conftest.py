"""What holds for every test: nothing is read from or written to the user's own folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_fixtures import oracle, shell
from hypothesis import settings
from serve_fixtures import brooks, gateway

__all__ = ["brooks", "gateway", "oracle", "shell"]

settings.register_profile("imprimatur", deadline=None)
settings.load_profile("imprimatur")


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Ledger and data folders of the run's own; its cache folder is shared, for compiling graphs is slow."""
    base: Path = tmp_path_factory.getbasetemp()
    monkeypatch.setenv("XDG_DATA_HOME", str(base / "data-home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(base / "cache-home"))
    monkeypatch.delenv("IMPRIMATUR_LEDGER", raising=False)
