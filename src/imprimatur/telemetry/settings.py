"""What an operator says of telemetry: in the gateway's file, and by OpenTelemetry's environment variables.

    telemetry:
      endpoint: http://collector:4318      # OTLP over HTTP; the signals are sent to /v1/traces, /v1/logs, /v1/metrics
      service_name: gateway                # imprimatur by default
      capture_content: false               # texts of answers in events; off unless somebody wants them there
      propagate: false                     # whether the model server gets a `traceparent`

What the file leaves unsaid is taken from the environment (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME and the
others, most of which the SDK reads itself). Invariants: nothing is told unless the file has a ``telemetry`` entry or
the environment names an endpoint; OTEL_SDK_DISABLED=true stands over both.
"""

from __future__ import annotations

from collections.abc import Mapping

from imprimatur._config_models import read_address
from imprimatur._dataclasses import dataclass
from imprimatur.settings_file import Section

__all__ = ["TelemetrySettings", "read_telemetry", "telemetry_from"]

_SIGNALS = ("TRACES", "LOGS", "METRICS")
_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_LATEST = "gen_ai_latest_experimental"


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetrySettings:
    """What is told to whom.

    Attributes:
        endpoint: where the collector listens; None for what the SDK finds in the environment, or its default.
        service_name: what the gateway is called there.
        capture_content: whether texts of answers may be told.
        propagate: whether the model server is told which span its call belongs to.
        latest: whether attributes have their newest names where the conventions have two.
        signals: which of ``TRACES``, ``LOGS``, ``METRICS`` are sent.
        asked: whether the gateway's own file asks for it; then it is an error that it cannot be done.
    """

    endpoint: str | None = None
    service_name: str | None = None
    capture_content: bool = False
    propagate: bool = False
    latest: bool = False
    signals: tuple[str, ...] = _SIGNALS
    asked: bool = True


def read_telemetry(top: Section, environ: Mapping[str, str]) -> TelemetrySettings | None:
    """What the entry ``telemetry`` of a file says, and the environment beside it; None where nothing is told.

    Raises:
        ConfigError: the entry says something that it must not.
    """
    asked = "telemetry" in top.values
    part = top.section("telemetry")
    captured = environ.get(_CAPTURE, "").lower() in ("true", "event_only", "span_and_event")
    made = TelemetrySettings(
        endpoint=read_address(part, "endpoint"),
        service_name=part.text("service_name"),
        capture_content=part.flag("capture_content", captured),
        propagate=part.flag("propagate", False),
        latest=_LATEST in environ.get("OTEL_SEMCONV_STABILITY_OPT_IN", "").replace(" ", "").split(","),
        signals=tuple(each for each in _SIGNALS if environ.get(f"OTEL_{each}_EXPORTER", "otlp").strip() != "none"),
        asked=asked,
    )
    part.close()
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    named = (_ENDPOINT, *(f"OTEL_EXPORTER_OTLP_{each}_ENDPOINT" for each in _SIGNALS))
    return made if asked or any(environ.get(each) for each in named) else None


def telemetry_from(environ: Mapping[str, str]) -> TelemetrySettings | None:
    """What the environment says alone."""
    from imprimatur.errors import ConfigError

    return read_telemetry(Section({}, "the environment", ConfigError), environ)
