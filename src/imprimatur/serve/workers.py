"""The processes that serve: one, or several that share a listening socket.

Checking is work for a processor, so that one process serves about as much as one core does. Invariants: every worker
has its own knowledge bases and its own limit of calls; all write into one ledger, and their figures are told together;
a worker that dies is replaced; SIGTERM ends all of them, each after the calls under way; SIGHUP replaces them one by
one, which takes up what has changed in the knowledge bases and keys without refusing a call.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from imprimatur.serve.connection import server_config
from imprimatur.serve.settings import Limits, Settings

__all__ = ["application", "host"]

#: Calls under way have so long to end.
_STOP_SECONDS = 30
#: A worker that says nothing for so long, when loading a large knowledge base at most, is replaced.
_SILENT_SECONDS = 120
#: Where the workers' figures come together; prometheus-client reads it when it is imported.
_FIGURES = "PROMETHEUS_MULTIPROC_DIR"


def application(settings: Settings) -> Callable[[], Any]:
    """What makes the gateway, in whichever process; whatever is wrong with the settings is told here, once.

    Raises:
        ImprimaturError: what the settings name cannot be opened.
    """
    if settings.workers == 1:
        app = _made(settings)
        return lambda: app
    # Compiled knowledge bases are there, too, when the workers look for them.
    asyncio.run(_tried(settings))
    return partial(_made, settings)


def host(make: Callable[[], Any], listener: socket.socket, *, workers: int, limits: Limits | None = None) -> None:
    """Runs the ASGI application that ``make`` gives, in so many processes; for several it must be picklable."""
    config = server_config(
        make,
        limits or Limits(),
        stop_seconds=_STOP_SECONDS,
        factory=True,
        workers=workers,
        timeout_worker_healthcheck=_SILENT_SECONDS,
    )
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listener])
        return
    with tempfile.TemporaryDirectory(prefix="imprimatur-figures-") as folder:
        os.environ[_FIGURES] = folder
        try:
            Multiprocess(config, [listener]).run()
        finally:
            del os.environ[_FIGURES]


def _made(settings: Settings) -> Any:
    """The application, in the process that serves it."""
    from imprimatur.serve.app import make_app

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # it would write a line for each call
    app = make_app(settings)
    # What was loaded stays, and need not be looked through for garbage; what a check makes goes by itself, mostly.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    return app


async def _tried(settings: Settings) -> None:
    from imprimatur.serve.service import Service

    await Service(settings).close()
