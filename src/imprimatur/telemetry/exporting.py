"""The gateway's own way to a collector: OTLP over HTTP, in batches, from threads of their own.

Invariants: nobody waits for the collector while answering: what it does not take in time is dropped; closing sends what
is left, for so many seconds at most; providers are the gateway's own, those of the process stay as they are. Sampling,
headers, sizes of batches, intervals and limits are those of OpenTelemetry's environment variables.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable

from opentelemetry import _logs, metrics, trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from imprimatur import __version__
from imprimatur.telemetry.answers import Providers
from imprimatur.telemetry.settings import TelemetrySettings

__all__ = ["Exporting"]

Exporter = OTLPSpanExporter | OTLPLogExporter | OTLPMetricExporter

#: Seconds that closing may take.
_CLOSING = 5.0
#: Seconds for what is under way then to notice.
_LAST = 0.5


class Exporting:
    """Providers that send to a collector."""

    def __init__(self, settings: TelemetrySettings) -> None:
        resource = _resource(settings.service_name)
        base = settings.endpoint
        self._closing: list[tuple[Callable[[], object], Exporter]] = []
        # A signal that is not sent must not fall back on the providers of the process.
        self.providers = Providers(
            traces=self._traces(base, resource) if "TRACES" in settings.signals else trace.NoOpTracerProvider(),
            logs=self._logs(base, resource) if "LOGS" in settings.signals else _logs.NoOpLoggerProvider(),
            metrics=self._metrics(base, resource) if "METRICS" in settings.signals else metrics.NoOpMeterProvider(),
        )

    def _traces(self, base: str | None, resource: Resource) -> TracerProvider:
        made = TracerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPSpanExporter(_at(base, "traces"))
        made.add_span_processor(BatchSpanProcessor(exporter))
        self._closing.append((made.shutdown, exporter))
        return made

    def _logs(self, base: str | None, resource: Resource) -> LoggerProvider:
        made = LoggerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPLogExporter(_at(base, "logs"))
        made.add_log_record_processor(BatchLogRecordProcessor(exporter))
        self._closing.append((made.shutdown, exporter))
        return made

    def _metrics(self, base: str | None, resource: Resource) -> MeterProvider:
        exporter = OTLPMetricExporter(_at(base, "metrics"))
        reader = PeriodicExportingMetricReader(exporter)
        made = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        self._closing.append((made.shutdown, exporter))
        return made

    def close(self) -> None:
        """Sends what is left, all signals at once; what is not sent in time is dropped."""
        until = time.monotonic() + _CLOSING
        closing = [
            (threading.Thread(target=close, daemon=True, name="telemetry"), exporter)
            for close, exporter in self._closing
        ]
        for thread, _ in closing:
            thread.start()
        for thread, exporter in closing:
            thread.join(max(until - time.monotonic(), 0))
            if thread.is_alive():
                exporter.shutdown()  # no further try
                thread.join(_LAST)


def _at(base: str | None, signal: str) -> str | None:
    """Where a signal goes; None where the SDK finds it in the environment."""
    return None if base is None else f"{base}/v1/{signal}"


def _resource(service_name: str | None) -> Resource:
    """Who tells. Each process is an instance of its own, for several may serve at one address."""
    own = {"service.name": "imprimatur", "service.version": __version__, "service.instance.id": str(uuid.uuid4())}
    said = dict(OTELResourceDetector().detect().attributes)
    return Resource.create({**own, **said, **({"service.name": service_name} if service_name else {})})
