"""Where telemetry is turned on, by file and environment, and what happens where the extra is missing."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from imprimatur.errors import ConfigError
from imprimatur.serve.settings import read_settings
from imprimatur.serve.telling import open_tracing
from imprimatur.telemetry.settings import TelemetrySettings, telemetry_from


def test_settings(tmp_path: Path) -> None:
    """The file says where to tell and what; the environment fills in the rest, and alone names a collector too."""
    file = tmp_path / "gateway.yaml"
    text = "version: 1\nknowledge_bases: {rivers: rivers}\n"
    file.write_text(text, encoding="utf-8")
    assert read_settings(file, {}).telemetry is None
    assert telemetry_from({}) is None
    environ = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318",
        "OTEL_SEMCONV_STABILITY_OPT_IN": "http, gen_ai_latest_experimental",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY",
        "OTEL_METRICS_EXPORTER": "none",
    }
    said = TelemetrySettings(latest=True, capture_content=True, signals=("TRACES", "LOGS"), asked=False)
    assert telemetry_from(environ) == read_settings(file, environ).telemetry == said
    assert telemetry_from({**environ, "OTEL_SDK_DISABLED": "true"}) is None
    file.write_text(text + "telemetry: {endpoint: 'http://there:4318/', capture_content: false}\n", encoding="utf-8")
    found = read_settings(file, environ).telemetry
    assert found is not None
    assert (found.endpoint, found.capture_content, found.asked) == ("http://there:4318", False, True)
    for wrong in ("endpoint: there", "endpoint: 'http://me:key@there'", "endpont: x", "capture_content: maybe"):
        file.write_text(text + f"telemetry: {{{wrong}}}\n", encoding="utf-8")
        with pytest.raises(ConfigError, match="telemetry"):
            read_settings(file, {})


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Where the file asks for telemetry and the extra is missing the gateway says so; for the environment it warns."""
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk", None)
    with pytest.raises(ConfigError, match="the extra `telemetry`") as caught:
        open_tracing(TelemetrySettings())
    assert "imprimatur[telemetry]" in caught.value.hint
    with caplog.at_level(logging.WARNING):
        assert open_tracing(TelemetrySettings(asked=False)) is None
    assert "imprimatur[telemetry]" in caplog.text


def test_nothing_is_imported_unasked(brooks: Path) -> None:
    """A gateway without telemetry, like the oracle, imports nothing of OpenTelemetry, nor needs it."""
    pytest.importorskip("starlette", reason="the extra `serve` is not installed")
    code = (
        "import sys\n"
        "sys.modules['opentelemetry'] = None\n"
        "from imprimatur.serve.app import make_app\n"
        "from imprimatur.serve.settings import Settings\n"
        f"made = make_app(Settings(knowledge_bases=(('a', {str(brooks)!r}),)))\n"
        "from imprimatur.errors import ConfigError\n"
        "import imprimatur.telemetry\n"
        "try:\n    imprimatur.telemetry.Telemetry\n"
        "except ConfigError as fault:\n    print(fault.hint)\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry.')])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout.splitlines() == ["install it: pip install 'imprimatur[telemetry]'", "[]"]
