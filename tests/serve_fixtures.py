"""A gateway that runs in this process, in front of a scripted model server."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import pytest
from small_kb import SHAPES, write_kb

from imprimatur._config_models import Key
from imprimatur.serve.keys import new_key
from imprimatur.serve.settings import Settings, Upstream

#: Where the tools are that look at the gateway from outside; `make test-slow` installs them.
API_TOOLS = Path(os.environ.get("IMPRIMATUR_API_TOOLS") or Path(__file__).parent.parent / ".venv-api" / "bin")
#: Thousandths of a second in which a gateway that ends notices who has gone away.
_FAREWELLS = 20
#: Gives the address of a gateway before a model server, with some settings.
Starting = Callable[..., str]


class Served(Protocol):
    """A model server."""

    @property
    def url(self) -> str:
        """Its address."""


@contextmanager
def serving(settings: Settings, *, stop_seconds: int = 5) -> Iterator[str]:
    """The address of a gateway with these settings, while the block runs."""
    uvicorn = pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
    from imprimatur.serve.app import make_app
    from imprimatur.serve.connection import server_config

    config = server_config(make_app(settings), settings.limits, stop_seconds=stop_seconds, log_level="error")
    config.port = 0
    server = _prompt(uvicorn.Server)(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.01)
    assert server.started, "the gateway did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.end()
        thread.join(20)
        assert not thread.is_alive(), "the gateway did not stop"


def _prompt(base: Any) -> Any:
    """uvicorn's server, which ends when it is told to, and not at its next look a tenth of a second later.

    With somebody connected it stops just as uvicorn does; with nobody there is nothing that it would wait for.
    """

    class Prompt(base):  # type: ignore[misc]
        async def startup(self, sockets: Any = None) -> None:
            self.loop, self.told = asyncio.get_running_loop(), asyncio.Event()
            await super().startup(sockets)

        def end(self) -> None:
            self.should_exit = True
            self.loop.call_soon_threadsafe(self.told.set)

        async def main_loop(self) -> None:
            count = 0
            while not await self.on_tick(count):
                count += 1
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.told.wait(), 0.1)

        async def shutdown(self, sockets: Any = None) -> None:
            for _ in range(_FAREWELLS):  # who has gone away is noticed first
                if not self.server_state.connections and not self.server_state.tasks:
                    break
                await asyncio.sleep(0.001)
            else:
                await super().shutdown(sockets)
                return
            for listener in self.servers:
                listener.close()
            await self.lifespan.shutdown()

    return Prompt


def key_file(folder: Path, *entries: str) -> tuple[Path, list[str]]:
    """A file with keys, which are named k0, k1, … and have these entries; and the keys."""
    made = [new_key() for _ in entries]
    lines = [
        f"  - {{name: k{n}, sha256: {digest}, {entry}}}" for n, ((_, digest), entry) in enumerate(zip(made, entries))
    ]
    file = folder / "keys.yaml"
    file.write_text("version: 1\nkeys:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file, [key for key, _ in made]


@pytest.fixture(scope="session")
def brooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small knowledge base with its shapes."""
    return write_kb(tmp_path_factory.mktemp("served"), shapes=SHAPES)


@pytest.fixture
def gateway(brooks: Path) -> Iterator[Starting]:
    """Starts gateways; they end with the test."""
    with ExitStack() as stack:

        def start(server: Served | None = None, *, seconds: int = 5, key: Key | None = None, **given: Any) -> str:
            upstream = Upstream(base_url=server.url, key=key, seconds=seconds) if server is not None else None
            bases = given.pop("knowledge_bases", (("brooks", str(brooks)),))
            return stack.enter_context(serving(Settings(knowledge_bases=bases, upstream=upstream, **given)))

        yield start
