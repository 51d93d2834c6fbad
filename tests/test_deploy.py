"""What is in ``deploy/`` fits the gateway: settings, keys, container file, compose file and systemd unit."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from serve_fixtures import Starting

from imprimatur.cli.serve import command
from imprimatur.ledger import Ledger
from imprimatur.serve.keys import Keys, new_key
from imprimatur.serve.settings import Settings, read_settings
from imprimatur.testing import ScriptedServer, say

workers = pytest.importorskip("imprimatur.serve.workers", reason="the extra `serve` is not installed")

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
UNIT = "imprimatur-gateway.service"


def _instructions() -> list[tuple[str, str]]:
    """The instructions of the container file, in order, each on one line."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8"), flags=re.M)
    lines = (line.strip() for line in re.sub(r"\\\n\s*", "", text).splitlines())
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines if line)]


def _compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return found


def _settings(**environ: str) -> Settings:
    return read_settings(DEPLOY / "gateway.yaml", environ)


def _unit() -> dict[str, list[str]]:
    """The assignments of the unit, in order of their keys' first place."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / UNIT).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


# Settings and keys


def test_settings_are_read() -> None:
    """The example is a proper settings file; secrets and the server's address come from where it is run."""
    found = _settings()
    assert (found.host, found.keys, found.ledger) == (
        "127.0.0.1",
        Path("/run/secrets/keys.yaml"),
        Path("/var/lib/imprimatur/ledger.sqlite"),
    )
    assert found.upstream is not None
    assert (found.upstream.base_url, found.upstream.key is not None) == ("http://127.0.0.1:8000/v1", True)
    found = _settings(CREDENTIALS_DIRECTORY="/run/credentials/x", UPSTREAM_URL="http://model:8000/v1")
    assert found.keys == Path("/run/credentials/x/keys.yaml")
    assert found.upstream is not None
    assert found.upstream.base_url == "http://model:8000/v1"


def test_keys_are_read() -> None:
    """The example of a file of keys is one, and lets nobody in by an empty or a well-known key."""
    keys = Keys.from_file(DEPLOY / "keys.yaml")
    assert [keys.holder(key) for key in (None, "", "none", "intranet", "secret")] == [None] * 5


# The container


def test_the_image_is_built_from_locked_packages_only() -> None:
    """Every package comes by its hash, as a wheel; what is copied is let in by .dockerignore, and nothing else is."""
    parts = [part for name, rest in _instructions() if name == "RUN" for part in rest.split("&&")]
    installs = [part for part in parts if "/pip install " in part]
    assert len(installs) == 2
    assert all("--no-deps" in each or ("--require-hashes" in each and "--only-binary" in each) for each in installs)
    ignored, *allowed = [
        line
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert ignored == "*"
    copied = [
        source
        for name, rest in _instructions()
        if name == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    ]
    assert {f"!{source}" for source in copied} == {line for line in allowed if line.startswith("!")}
    assert all((ROOT / source).exists() for source in copied)


def test_the_image_holds_no_secret_and_no_root() -> None:
    """The last stage runs as a user with a number, and no instruction speaks of a key, a token or a password."""
    instructions = _instructions()
    last = [name for name, _ in instructions].index("FROM", 2)
    final = instructions[last:]
    assert re.fullmatch(r"[1-9]\d{3,}", dict(final)["USER"])
    assert [name for name, _ in final].index("USER") < [name for name, _ in final].index("ENTRYPOINT")
    told = [rest for name, rest in instructions if name in ("ARG", "ENV", "COPY")]
    assert not [rest for rest in told if re.search("key|token|secret|password", rest, re.I)]


def test_what_the_image_runs() -> None:
    """Entry point and arguments are a command that exists, with options that it has."""
    found = dict(_instructions())
    program, name, *rest = json.loads(found["ENTRYPOINT"])
    arguments = [*rest, *json.loads(found["CMD"])]
    assert (program, name) == ("imprimatur", "serve")
    options = {option for each in command.params for option in each.opts}
    assert [each for each in arguments if each.startswith("--") and each not in options] == []
    assert dict(pairwise(arguments))["--config"] == "/etc/imprimatur/gateway.yaml"


def test_health_check_of_the_image(gateway: Starting) -> None:
    """The image's health check passes on a gateway that answers, and fails where none does."""
    rest = dict(_instructions())["HEALTHCHECK"]
    words = json.loads(rest[rest.index("[") :])
    code = words[2]
    assert words[:2] == ["python3", "-c"]
    url = gateway()
    for address, well in ((url, True), ("http://127.0.0.1:9", False)):
        shown = code.replace("http://127.0.0.1:8317", address)
        assert shown != code
        ran = subprocess.run([sys.executable, "-c", shown], capture_output=True, timeout=60)
        assert (ran.returncode == 0) is well


def test_compose_file() -> None:
    """The gateway has few rights, is published on this machine only, and finds in place what its settings name."""
    found = _compose()
    gateway, model = found["services"]["gateway"], found["services"]["model"]
    assert gateway["read_only"] is True
    assert gateway["cap_drop"] == ["ALL"]
    assert gateway["security_opt"] == ["no-new-privileges:true"]
    assert all(port.startswith("127.0.0.1:") for port in gateway["ports"])
    assert (DEPLOY / gateway["build"]["context"] / gateway["build"]["dockerfile"]).exists()
    targets = {mount.split(":")[1]: mount.split(":")[0] for mount in gateway["volumes"]}
    settings = _settings()
    assert settings.ledger is not None
    assert targets[str(settings.ledger.parent)] in found["volumes"]
    assert targets["/var/cache/imprimatur"] in found["volumes"]
    assert targets["/etc/imprimatur/gateway.yaml"] == "./gateway.yaml"
    assert gateway["secrets"] == list(found["secrets"]) == ["keys.yaml", "upstream.key"]
    assert "ports" not in model
    assert model["networks"] == ["inside"]
    assert found["networks"]["inside"]["internal"] is True


def test_time_to_stop() -> None:
    """Container and service wait longer for the gateway to stop than it gives the calls under way."""
    assert int(_compose()["services"]["gateway"]["stop_grace_period"].removesuffix("s")) > workers._STOP_SECONDS
    assert int(_unit()["TimeoutStopSec"][0]) > workers._STOP_SECONDS


# systemd


@pytest.fixture
def analyze(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs ``systemd-analyze`` on the unit, whose program is one that is here."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    version = re.match(r"systemd (\d+)", told)
    if version is None or int(version[1]) < 250:
        pytest.skip(f"{told.splitlines()[0]} cannot analyze a file")
    unit = tmp_path / UNIT
    text = (DEPLOY / UNIT).read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/imprimatur/bin/imprimatur", sys.executable), encoding="utf-8")
    return lambda *words: subprocess.run(
        [program, *words, str(unit)], capture_output=True, text=True, timeout=60, env={**os.environ, "LC_ALL": "C"}
    )


def test_unit_is_sound(analyze: Any) -> None:
    """systemd reads the unit without a word."""
    ran = analyze("verify", "--man=no")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_unit_is_confined(analyze: Any) -> None:
    """systemd's own review of the unit's rights ends at 1.5 of 10 or below."""
    ran = analyze("security", "--offline=yes", "--no-pager", "--threshold=15")
    assert ran.returncode == 0, ran.stdout[-300:]


def test_unit_gives_what_the_settings_name() -> None:
    """The credentials are those that the settings name, and the ledger's folder is the unit's."""
    unit = _unit()
    settings = _settings(CREDENTIALS_DIRECTORY="/credentials")
    assert settings.keys is not None
    assert settings.ledger is not None
    names = [value.partition(":")[0] for value in unit["LoadCredential"]]
    assert names == [settings.keys.name, "upstream.key"]
    assert str(settings.ledger.parent) == f"/var/lib/{unit['StateDirectory'][0]}"
    assert unit["ExecStart"] == ["/opt/imprimatur/bin/imprimatur serve --config /etc/imprimatur/gateway.yaml"]


# The example, run


@contextmanager
def _running(folder: Path, upstream: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A gateway from the example's settings, as a process of its own, and its address."""
    environ = {**os.environ, "CREDENTIALS_DIRECTORY": str(folder), "UPSTREAM_URL": upstream}
    options = ["--config", str(DEPLOY / "gateway.yaml"), "--port", "0", "--ledger", str(folder / "ledger.sqlite")]
    with subprocess.Popen(
        [sys.executable, "-m", "imprimatur", "serve", *options], stderr=subprocess.PIPE, text=True, env=environ
    ) as process:
        try:
            assert process.stderr is not None
            told = re.search(r"http://\S+/v1", process.stderr.readline())
            assert told
            yield process, told[0]
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)


@pytest.mark.slow
def test_the_example_runs_and_stops(tmp_path: Path) -> None:
    """A gateway from the example serves with its keys; told to stop, it finishes the reply under way and records it."""
    openai = pytest.importorskip("openai", reason="the extra `models` is not installed")
    key, digest = new_key()
    (tmp_path / "keys.yaml").write_text(f"version: 1\nkeys:\n  - {{name: a, sha256: {digest}}}\n", encoding="utf-8")
    (tmp_path / "upstream.key").write_text("behind\n", encoding="utf-8")
    said = " ".join(["The Ohoopee River is 192 km long."] * 4)
    messages: Any = [{"role": "user", "content": "How long is the Ohoopee River?"}]
    with (
        ScriptedServer(say(said).pieces(size=8).slow(0.01), key="behind") as server,
        _running(tmp_path, server.url) as (process, url),
    ):
        with (
            openai.OpenAI(base_url=url, api_key="wrong", max_retries=0) as client,
            pytest.raises(openai.AuthenticationError),
        ):
            client.models.list()
        text = ""
        with openai.OpenAI(base_url=url, api_key=key, max_retries=0) as client:
            for chunk in client.chat.completions.create(model="m", messages=messages, stream=True):
                if not text:
                    process.send_signal(signal.SIGTERM)
                text += "".join(choice.delta.content or "" for choice in chunk.choices)
        assert process.wait(40) in (0, -signal.SIGTERM)
    assert text == said
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert [record.decision for record in ledger.list()] == ["licensed"]
        assert ledger.verify().faults == ()
