"""A scripted model server for tests: OpenAI's HTTP interface on this machine, answering what a test tells it to.

Contract: it listens on 127.0.0.1 only, at a free port; it answers by its script alone, so the same requests in the same
order get the same bytes; every request is kept; one that the script does not foresee is answered with status 500, and
leaving the ``with`` block then fails. It needs nothing but the standard library, and no client of a certain kind::

    with ScriptedServer([say("Elm Brook is 12 km long."), fail(429, retry_after=1)]) as server:
        ...  # ask server.url with any client
        assert "Elm Brook" in server.requests[0].prompt

``replies`` has what a server may answer, ``script`` how a reply is chosen, ``recording`` keeps exchanges in a file and
answers from it; ``plugin`` has a fixture for pytest.
"""

from __future__ import annotations

from imprimatur.testing.recording import Exchange, recorded, save
from imprimatur.testing.replies import (
    Call,
    Completion,
    Delivery,
    Failure,
    Raw,
    Reply,
    Usage,
    call,
    fail,
    garbled,
    raw,
    refuse,
    say,
    say_json,
)
from imprimatur.testing.script import Request, Step, When, when
from imprimatur.testing.server import ScriptedServer

__all__ = [
    "Call",
    "Completion",
    "Delivery",
    "Exchange",
    "Failure",
    "Raw",
    "Reply",
    "Request",
    "ScriptedServer",
    "Step",
    "Usage",
    "When",
    "call",
    "fail",
    "garbled",
    "raw",
    "recorded",
    "refuse",
    "save",
    "say",
    "say_json",
    "when",
]
