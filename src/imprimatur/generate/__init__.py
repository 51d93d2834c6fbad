"""From a question to a licensed answer: evidence, gate, generation, and the five stages.

``ask`` and ``Asker`` put a question to a model under one of the conditions of ``How``; ``generate.answers`` answers
without a model. The names are loaded when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imprimatur.generate.asker import Asker, AskSettings, ask
    from imprimatur.generate.conditions import How
    from imprimatur.generate.generated import Ended, Generated

__all__ = ["AskSettings", "Asker", "Ended", "Generated", "How", "ask"]

_HOMES = {
    "AskSettings": "asker",
    "Asker": "asker",
    "ask": "asker",
    "How": "conditions",
    "Ended": "generated",
    "Generated": "generated",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
