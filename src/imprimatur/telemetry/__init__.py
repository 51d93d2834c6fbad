"""What OpenTelemetry is told about answers (the extra ``telemetry``): spans of the stages, events, metrics.

Nothing of OpenTelemetry is imported before ``Telemetry`` is asked for::

    oracle = Oracle.from_folder("rivers").observed_by(Telemetry().answer)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from imprimatur._public_names import loaded_late

if TYPE_CHECKING:
    from imprimatur.telemetry.answers import Telemetry

__all__ = ["Telemetry"]

_loaded = loaded_late(__name__, {"Telemetry": "answers"})


def __getattr__(name: str) -> object:
    try:
        return _loaded(name)
    except ModuleNotFoundError as fault:
        if not (fault.name or "").startswith("opentelemetry"):
            raise
        from imprimatur.errors import ConfigError

        hint = "install it: pip install 'imprimatur[telemetry]'"
        raise ConfigError("telemetry needs the extra `telemetry`", hint=hint) from fault
