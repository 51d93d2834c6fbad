"""Servers that tests of remote graphs share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from made_remote import Brooks, brooks

__all__ = ["remote_lasting", "remote_world"]


@pytest.fixture
def remote_world(tmp_path: Path) -> Iterator[Brooks]:
    """The brooks behind an address; what is known of the whole graph is asked for anew with each answer."""
    with brooks(tmp_path) as made:
        yield made


@pytest.fixture
def remote_lasting(tmp_path: Path) -> Iterator[Brooks]:
    """The same, where what is known of the whole graph holds for a minute."""
    with brooks(tmp_path, "{url}") as made:
        yield made
