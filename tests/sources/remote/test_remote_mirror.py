"""A mirror is one state of its own graph, read anew only where that has changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from made_remote import Brooks, brooks
from small_kb import SHAPES

from imprimatur.errors import RuntimeFault
from imprimatur.oracle import Oracle
from imprimatur.report import Report

TRUE = "Elm Brook is 12 km long."


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Brooks]:
    """The brooks behind an address; what is known of the whole graph is asked for anew with each answer."""
    with brooks(tmp_path) as made:
        yield made


def _labels(report: Report) -> list[str]:
    return [segment.label.value for segment in report.segments]


def test_equal_graphs_of_two_servers_are_not_mixed_up(tmp_path: Path) -> None:
    """The compiled graph of one names its origin; what is gone from the other is missed all the same."""
    rule = "[ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :flowsThrough ; sh:object :corfe ]"
    rules = f"{SHAPES}:R a sh:NodeShape ; sh:targetSubjectsOf :mouth ; sh:rule {rule} .\n"
    for shapes in (SHAPES, rules):
        with ExitStack() as stack:
            cache = tmp_path / f"cache{len(shapes)}"
            worlds = []
            for name in ("one", "two"):
                folder = tmp_path / f"{name}{len(shapes)}"
                folder.mkdir()
                worlds.append(stack.enter_context(brooks(folder, "{url}")))
                (folder / "shapes.ttl").write_text(shapes, encoding="utf-8")
            oracles = [Oracle.from_folder(world.folder, cache_dir=cache) for world in worlds]
            for world, oracle in zip(worlds, oracles, strict=True):
                assert _labels(oracle.check(TRUE)) == ["supported"]
                world.delete(":elm :length 12000 .")
                assert _labels(oracle.check(TRUE)) == ["unchecked"]


def test_a_compiled_mirror_is_used_while_the_stamp_is_the_same(
    remote_world: Brooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is asked at every opening; everything is read again only where something has changed."""

    def readings() -> int:
        return sum("GROUP BY" in query for query in remote_world.server.asked)

    first = remote_world.oracle().knowledge.content_hash
    assert readings() == 1
    assert remote_world.oracle().knowledge.content_hash == first
    assert readings() == 1
    remote_world.insert(":elm :length 13000 .")
    remote_world.delete(":elm :length 12000 .")
    assert remote_world.oracle().knowledge.content_hash != first
    assert readings() == 2


def test_a_graph_that_is_changed_and_changed_back_while_it_is_read(remote_world: Brooks) -> None:
    """The stamps are the same before and after, but not that of what was read: it is read again."""
    changed = remote_world.server._changed
    read = 0

    def passing(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        nonlocal read
        if "VALUES ?p" in remote_world.server.asked[-1]:
            read += 1
            rows: list[Any] = told["results"]["bindings"]
            for row in rows:
                if read == 1 and row["o"]["value"] == "12000":
                    row["o"]["value"] = "13000"
        return changed(told)

    remote_world.server._changed = passing  # type: ignore[method-assign]
    oracle = remote_world.oracle()
    assert read == 2
    assert _labels(oracle.check(TRUE)) == ["supported"]


def test_a_server_that_writes_values_otherwise_is_read_twice(remote_world: Brooks) -> None:
    """Its sum is of other texts than it gives; two readings that are the same are a state all the same."""
    changed = remote_world.server._changed

    def rewriting(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        rows: list[Any] = told["results"]["bindings"]
        for row in rows:
            if "o" in row and row["o"]["value"] == "12000":
                row["o"]["value"] = "+12000"
        return changed(told)

    remote_world.server._changed = rewriting  # type: ignore[method-assign]
    oracle = remote_world.oracle()
    assert sum("GROUP BY" in query for query in remote_world.server.asked) == 2
    assert _labels(oracle.check(TRUE)) == ["supported"]


def test_a_graph_that_never_rests_is_an_error(remote_world: Brooks) -> None:
    """A mirror is one state of the graph, or there is none."""
    numbers = iter(range(100))
    changed = remote_world.server._changed

    def restless(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        if "GROUP BY" in remote_world.server.asked[-1]:
            remote_world.insert(f":elm :length {next(numbers)} .")
        return changed(told)

    remote_world.server._changed = restless  # type: ignore[method-assign]
    with pytest.raises(RuntimeFault):
        remote_world.oracle()
