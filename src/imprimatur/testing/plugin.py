"""A fixture for pytest: ``pytest_plugins = ["imprimatur.testing.plugin"]`` in the outermost conftest makes it known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from imprimatur.testing.server import ScriptedServer

__all__ = ["scripted_server"]


@pytest.fixture
def scripted_server() -> Iterator[Callable[..., ScriptedServer]]:
    """Makes scripted servers (the arguments are those of ``ScriptedServer``), and closes them when the test is over.

    A request that a script did not foresee fails the test.
    """
    made: list[ScriptedServer] = []

    def start(*args: object, **options: object) -> ScriptedServer:
        made.append(ScriptedServer(*args, **options))  # type: ignore[arg-type]
        return made[-1]

    yield start
    for server in made:
        server.close()
    for server in made:
        assert not server.unforeseen, "; ".join(server.unforeseen)
