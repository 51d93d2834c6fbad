"""Opens a gateway's telemetry, where there is some; nothing of OpenTelemetry is imported where there is none."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from imprimatur.errors import ConfigError
from imprimatur.telemetry.settings import TelemetrySettings

if TYPE_CHECKING:
    from imprimatur.serve.tracing import Tracing

__all__ = ["open_tracing"]

_log = logging.getLogger("imprimatur.serve")


def open_tracing(settings: TelemetrySettings | None) -> Tracing | None:
    """The telemetry of a gateway; None where nothing is told.

    Raises:
        ConfigError: the gateway's file asks for it, and the extra is not installed. Where only the environment names a
            collector, for whatever else runs there too, a warning is logged.
    """
    if settings is None:
        return None
    try:
        import opentelemetry.exporter.otlp.proto.http
        import opentelemetry.sdk  # noqa: F401
    except ImportError as fault:
        hint = "install it: pip install 'imprimatur[telemetry]'"
        if settings.asked:
            raise ConfigError("`telemetry` needs the extra `telemetry`", hint=hint) from fault
        _log.warning("a collector is named in the environment, and the extra `telemetry` is missing: %s", hint)
        return None
    from imprimatur.serve.tracing import Tracing

    return Tracing(settings)
