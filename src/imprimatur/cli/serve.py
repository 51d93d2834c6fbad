"""``imprimatur serve``: the gateway in front of a model server, and the checks over HTTP."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprimatur.errors import ConfigError, InputError

if TYPE_CHECKING:
    from imprimatur.serve.settings import Settings

__all__ = ["command"]


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="A file with all settings.")
@click.option(
    "--kb", "bases", multiple=True, metavar="DIR", help="A knowledge base; repeatable, the first is the default."
)
@click.option("--upstream", metavar="URL", help="The model server behind the gateway (http://localhost:8000/v1).")
@click.option("--upstream-key-env", metavar="NAME", help="The environment variable with the key for it.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@click.option("--mode", type=click.Choice(["hold", "buffer", "audit", "shadow"]), help="What is shown of a stream.")
@click.option("--host", help="Where to listen (default: 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="The port (default: 8317).")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes (default: one for each core, at most 4).")
@click.option("--keys", type=click.Path(path_type=Path), help="The file with the keys that callers need.")
@click.option("--ledger", type=click.Path(path_type=Path), help="Where reports are recorded.")
@click.option("--new-key", metavar="NAME", help="Only make a key: prints it, and its entry for the file of keys.")
def command(
    *,
    file: Path | None,
    bases: tuple[str, ...],
    upstream: str | None,
    upstream_key_env: str | None,
    new_key: str | None,
    **given: object,
) -> int:
    """Serve the gateway: a model server whose answers are licensed.

    It speaks OpenAI's protocol: point an application at http://127.0.0.1:8317/v1 and its answers come through the gate,
    streamed or not. Without --upstream only checks are served (/v1/check, /v1/batch).
    """
    if new_key is not None:
        return _make_key(new_key)
    settings = _settings(file, bases, upstream=upstream, key_env=upstream_key_env, given=given)
    try:
        from imprimatur.serve.workers import application, host
    except ImportError as fault:
        hint = "install it: pip install 'imprimatur[serve]'"
        raise InputError("serving needs the extra `serve`", hint=hint) from fault
    app = application(settings)
    listener = _listener(settings.host, settings.port)
    click.echo(f"listening on http://{settings.host}:{listener.getsockname()[1]}/v1", err=True)
    host(app, listener, limits=settings.limits, workers=settings.workers)
    return 0


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises InputError where that cannot be done."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family, backlog=2048)
    except OSError as fault:
        message = f"cannot listen on {host}, port {port}: {fault.strerror or fault}"
        raise InputError(message, hint="choose another with --host and --port") from fault


def _settings(
    file: Path | None,
    bases: tuple[str, ...],
    *,
    upstream: str | None,
    key_env: str | None,
    given: dict[str, object],
) -> Settings:
    """The settings of the file, where one is named, with what the options say in their place."""
    import os

    from imprimatur._config_models import named_key, read_address
    from imprimatur.serve.settings import Settings, Upstream, read_settings, usual_workers
    from imprimatur.settings_file import Section
    from imprimatur.stream import Mode
    from imprimatur.telemetry.settings import telemetry_from

    said = {key: value for key, value in given.items() if value is not None}
    if "mode" in said:
        said["mode"] = Mode(str(said["mode"]))
    if bases:
        said["knowledge_bases"] = tuple((Path(base).name or base, base) for base in bases)
    if upstream is not None:
        url = read_address(Section({"--upstream": upstream}, "the command line", ConfigError), "--upstream")
        assert url is not None
        said["upstream"] = Upstream(base_url=url, key=named_key(key_env, os.environ) if key_env else None)
    if file is not None:
        return replace(read_settings(file), **said)  # type: ignore[arg-type]
    if not bases:
        raise InputError("no knowledge base was given", hint="add --kb FOLDER or --config FILE; --kb rivers is bundled")
    usual = {"workers": usual_workers(), "telemetry": telemetry_from(os.environ)}
    return Settings(**{**usual, **said})  # type: ignore[arg-type]


def _make_key(name: str) -> int:
    from imprimatur.serve.keys import new_key

    key, digest = new_key()
    click.echo(key)
    click.echo(f"  - name: {name}\n    sha256: {digest}")
    return 0
