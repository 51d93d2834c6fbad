"""The judges that a configuration names, opened.

Every mistake of the operator is told here, before any answer is judged: an unknown kind, a folder that is absent or
holds no model, an extra that is not installed. Other packages add kinds by an entry point of the group
``imprimatur.judges`` that names a function of this shape: ``JudgeConfig`` in, ``Opened`` out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from imprimatur.config import JudgeConfig
from imprimatur.errors import ConfigError, ImprimaturError
from imprimatur.judges.panel import Panel, Seat
from imprimatur.protocols import Judge
from imprimatur.registry import Registry

__all__ = ["Opened", "Opener", "kinds", "open_panel"]

GROUP = "imprimatur.judges"


@dataclass(frozen=True, slots=True)
class Opened:
    """A judge, how many cases are best put to it at once, and whether it works on this machine's processor."""

    judge: Judge
    batch: int = 1
    here: bool = False


Opener = Callable[[JudgeConfig], Opened]


def kinds() -> Registry[Opener]:
    """What can stand under ``kind``: those that come with Imprimatur, and other packages'."""
    own: dict[str, str | Opener] = {
        name: f"imprimatur.judges.{name}:open_judge" for name in ("tokens", "pairs", "nli", "llm")
    }
    own["teqhallu"] = "imprimatur.teqhallu.judge:open_judge"
    return Registry("kind of judge", own, group=GROUP)


def open_panel(configured: Sequence[JudgeConfig]) -> Panel | None:
    """The panel of the judges that are configured; None when there are none.

    Raises:
        ConfigError: one of them cannot be opened; where it stands is named.
    """
    if not configured:
        return None
    known = kinds()
    return Panel([_seat(config, known) for config in configured])


def _seat(config: JudgeConfig, known: Registry[Opener]) -> Seat:
    try:
        opened = known.get(config.kind)(config)
    except ImprimaturError as fault:
        where = f"{config.where}: {fault.where}" if fault.where else config.where
        raise ConfigError(f"the judge {config.name!r}: {fault.message}", where=where, hint=fault.hint) from fault
    if config.calibrated not in ("", opened.judge.fingerprint):
        message = f"the threshold of the judge {config.name!r} was calibrated for another model, or other settings"
        raise ConfigError(message, where=config.where, hint="run `imprimatur eval calibrate --judge` again")
    return Seat(
        judge=opened.judge,
        seconds=config.seconds,
        on_failure=config.on_failure,
        sources=config.sources,
        batch=config.batch or opened.batch,
        turn=threading.Lock() if opened.here else None,
    )
