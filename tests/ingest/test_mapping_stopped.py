"""A mapping that is killed wherever it may be."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from made_mappings import world
from made_stops import bytes_of, forked, killed_before, needs_fork

from imprimatur.ingest.mapping.folder import map_folder
from imprimatur.ingest.mapping.short_form import read_mapping


@pytest.mark.slow
@needs_fork
def test_killed_before_each_change(tmp_path: Path) -> None:
    """Before whichever change it is killed, there is no folder or a whole one; the same call makes it otherwise."""
    mapping = read_mapping(world(tmp_path / "in"))
    map_folder(mapping, tmp_path / "whole" / "kb")
    whole = bytes_of(tmp_path / "whole" / "kb")
    for change in range(1, 100):
        target = tmp_path / str(change) / "kb"

        def killed(target: Path = target, change: int = change) -> None:
            sys.addaudithook(killed_before(change, target.parent))
            map_folder(mapping, target)

        def again(target: Path = target) -> None:
            map_folder(mapping, target)

        if (status := forked(killed)) == 0:
            break
        assert status == -signal.SIGKILL
        finished = target.exists()
        assert forked(again) == int(finished), change
        assert bytes_of(target) == whole, change
    assert 10 < change < 99
