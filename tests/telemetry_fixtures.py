"""What telemetry is told in tests: kept in memory, or by a collector that listens on this machine."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from imprimatur.telemetry.answers import Providers


class Told:
    """Providers that keep what they are told."""

    def __init__(self) -> None:
        untyped: Any = InMemoryLogRecordExporter
        self._spans, self._logs, self._metrics = InMemorySpanExporter(), untyped(), InMemoryMetricReader()
        self.traces = TracerProvider(shutdown_on_exit=False)
        self.traces.add_span_processor(SimpleSpanProcessor(self._spans))
        logs = LoggerProvider(shutdown_on_exit=False)
        logs.add_log_record_processor(SimpleLogRecordProcessor(self._logs))
        meters = MeterProvider([self._metrics], shutdown_on_exit=False)
        self.providers = Providers(traces=self.traces, logs=logs, metrics=meters)

    def spans(self, name: str = "") -> list[ReadableSpan]:
        """The spans that have ended, all or those of a name, in order."""
        return [span for span in self._spans.get_finished_spans() if name in ("", span.name)]

    def events(self) -> list[Any]:
        """The events, in order."""
        return [each.log_record for each in self._logs.get_finished_logs()]

    def values(self, metric: str) -> dict[str, float]:
        """The values of a counter, or the numbers of a histogram's measurements, by the values of their attributes."""
        data = self._metrics.get_metrics_data()
        return {
            " ".join(str(value) for _, value in sorted((point.attributes or {}).items())): getattr(
                point, "value", getattr(point, "count", 0)
            )
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for each in scope.metrics
            if each.name == metric
            for point in each.data.data_points
        }


@dataclass
class Collector:
    """What came over OTLP: spans and events with their attributes, and metrics."""

    url: str
    spans: list[Any] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    metrics: list[Any] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def span(self, name: str) -> Any:
        """The one span of a name."""
        (found,) = [span for span in self.spans if span.name == name]
        return found

    def take(self, path: str, body: bytes) -> None:
        """Keeps what one request brings."""
        self.bodies.append(body)
        if path == "/v1/traces":
            for traced in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.resources.append(attributes_of(traced.resource))
                self.spans += [span for scope in traced.scope_spans for span in scope.spans]
        elif path == "/v1/logs":
            for logged in ExportLogsServiceRequest.FromString(body).resource_logs:
                self.events += [record for scope in logged.scope_logs for record in scope.log_records]
        elif path == "/v1/metrics":
            for measured in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                self.metrics += [metric for scope in measured.scope_metrics for metric in scope.metrics]


def attributes_of(thing: Any) -> dict[str, Any]:
    """The attributes of something that came over OTLP."""
    return {each.key: _value(each.value) for each in thing.attributes}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    return [_value(each) for each in value.array_value.values] if kind == "array_value" else getattr(value, kind)


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that listens on this machine, at a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.take(self.path, gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Collector(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def plain(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Attributes as a dictionary."""
    return dict(attributes or {})
