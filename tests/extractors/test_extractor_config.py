"""The block ``extractor:`` and the option ``--extractor``: what can stand there, and what is told of mistakes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from small_kb import write_kb

from imprimatur.config import ExtractorConfig, load_folder, named_extractor
from imprimatur.errors import ConfigError, InputError, UsageError
from imprimatur.extractors.extraction import Opened
from imprimatur.extractors.opening import kinds, open_extraction
from imprimatur.extractors.terms import Terms
from imprimatur.oracle import Oracle
from imprimatur.protocols import Excerpt, Proposed
from imprimatur.testing import ScriptedServer, say_json, when

Shell = Callable[..., Ran]


def read(folder: Path, text: str) -> ExtractorConfig:
    """The block in a file."""
    (folder / "imprimatur.yaml").write_text(f"version: 1\n{text}\n", encoding="utf-8")
    return load_folder(folder, environ={}).extractor


def test_the_reader_alone_is_the_default(tmp_path: Path) -> None:
    """Also by name; then there is nothing to open."""
    assert read(tmp_path, "").kind == "reader"
    assert read(tmp_path, "extractor: reader").kind == "reader"
    assert read(tmp_path, "extractor: {kind: reader}").kind == "reader"
    assert Oracle.from_folder(tmp_path).knowledge.extraction is None


def test_all_keys(tmp_path: Path) -> None:
    """Paths are relative to the folder."""
    found = read(
        tmp_path,
        "extractor: {kind: gliner, path: models/small, threshold: 0.4, relations: pairs, classes: ['x:a'], "
        "properties: ['x:b', 'x:b'], seconds: 30, name: small}",
    )
    assert (found.kind, found.path, found.threshold) == ("gliner", tmp_path / "models/small", Fraction(2, 5))
    assert (found.relations, found.classes, found.properties) == ("pairs", ("x:a",), ("x:b",))
    assert (found.seconds, found.name, found.download) == (30, "small", False)
    found = read(tmp_path, "extractor: {kind: gliner, hub: who/small-v2.1, revision: main, download: true}")
    assert (found.hub, found.revision, found.download) == ("who/small-v2.1", "main", True)
    found = read(tmp_path, "extractor: {kind: llm, model: {base_url: 'http://127.0.0.1:9/v1', name: tiny}}")
    assert found.model is not None
    assert found.model.name == "tiny"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("extractor: {kind: gliner, path: a, hub: b}", "not both"),
        ("extractor: {kind: gliner, hub: '../../etc'}", "is none"),
        ("extractor: {kind: gliner, revision: '; rm'}", "is none"),
        ("extractor: {kind: gliner, threshold: 2}", "threshold"),
        ("extractor: {kind: gliner, threshhold: 0.5}", "threshhold"),
        ("extractor: {kind: gliner, relations: some}", "not one of auto, pairs"),
        ("extractor: {kind: gliner, classes: [river]}", "not an IRI"),
        ("extractor: {kind: llm, seconds: 0}", "seconds"),
        ("extractor: {kind: llm, model: {api_key: sk-secret}}", "does not stand in this file"),
        ("extractor: {kind: 3}", "expected text"),
        ("extractor: [llm]", "extractor"),
    ],
)
def test_mistakes_in_the_file(tmp_path: Path, text: str, told: str) -> None:
    """Each names its key; a key is never repeated."""
    with pytest.raises(ConfigError, match=told) as caught:
        read(tmp_path, text)
    assert "sk-secret" not in str(caught.value)


def test_what_the_command_line_names() -> None:
    """A kind as it is configured, another kind, or a folder."""
    configured = ExtractorConfig(kind="gliner", path=Path("/models/small"), seconds=30)
    assert named_extractor("gliner", configured) is configured
    assert named_extractor("reader", configured).kind == "reader"
    other = named_extractor("gliner=/models/other", configured)
    assert (other.path, other.seconds) == (Path("/models/other"), 10)
    for said in ("", "=x", "gliner=", " "):
        with pytest.raises(InputError, match="names no extractor"):
            named_extractor(said, configured)


def test_kinds_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """They come by an entry point, and are opened with the graph's terms; an unknown kind has a nearest one."""

    class Silent:
        name = "silent"
        fingerprint = "0"

        def propose(self, excerpts: Any, *, seconds: float) -> list[Proposed]:
            """Nothing."""
            return [Proposed() for _ in excerpts]

    class Entry:
        name = "silent"
        value = "silent_package:open_extractor"

    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Entry()])
    assert kinds().names() == ("gliner", "llm", "silent")
    monkeypatch.setattr("imprimatur.registry.Registry._import", lambda *_: lambda config, terms: Opened(Silent()))
    opened = open_extraction(ExtractorConfig(kind="silent"), Terms())
    assert opened.ask([Excerpt(text="x")], seconds=5) == (Proposed(),)
    with pytest.raises(UsageError, match="no kind of extractor is called 'glimer'") as caught:
        open_extraction(ExtractorConfig(kind="glimer", where="imprimatur.yaml: extractor"), Terms())
    assert "gliner" in caught.value.hint
    assert "imprimatur.yaml" in caught.value.where


def test_the_option_of_check(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment may name the model; ``reader`` switches off what is configured."""
    folder = write_kb(tmp_path / "kb", extra="extractor: llm")
    text = "Elm Brook is 12 km long."
    ran = shell("check", text, "--kb", str(folder), "--no-ledger")
    assert (ran.status, "no model is configured" in ran.err) == (2, True)
    assert "Traceback" not in ran.err
    assert shell("check", text, "--kb", str(folder), "--extractor", "reader", "--no-ledger").status == 0
    with ScriptedServer([when("", say_json({"claims": [{"quote": text, "says": text}]}))]) as server:
        monkeypatch.setenv("IMPRIMATUR_MODEL_URL", server.url)
        monkeypatch.setenv("IMPRIMATUR_MODEL_NAME", "tiny")
        ran = shell("check", text, "--kb", str(folder), "--extractor", "llm", "--no-ledger", "--json")
    assert ran.status == 0
    assert '"tiny (' in ran.out


def test_mistakes_of_the_option(shell: Shell, tmp_path: Path) -> None:
    """They end with 2, in one line with a hint."""
    folder = write_kb(tmp_path / "kb")
    for said, told in (("nonsense", "no kind of extractor"), ("gliner=/no/such", "no such folder"), ("=x", "names no")):
        ran = shell("check", "Elm Brook is 12 km long.", "--kb", str(folder), "--extractor", said, "--no-ledger")
        assert (ran.status, told in ran.err) == (2, True), ran.err


def test_the_option_of_ask(shell: Shell, tmp_path: Path) -> None:
    """An answer that the extractor does not confirm is none."""
    folder = write_kb(tmp_path / "kb")
    assert shell("ask", "How long is Elm Brook?", "--kb", str(folder), "--no-ledger").status == 0
    with ScriptedServer([when("", say_json({"claims": []}))]) as server:
        (folder / "imprimatur.yaml").write_text(
            (folder / "imprimatur.yaml").read_text() + f"model: {{base_url: '{server.url}', name: tiny}}\n"
        )
        ran = shell("ask", "How long is Elm Brook?", "--kb", str(folder), "--extractor", "llm", "--no-ledger")
    assert ran.status == 1


def test_doctor_names_the_kinds(shell: Shell) -> None:
    """And what is absent of what they need."""
    ran = shell("doctor")
    line = next(line for line in ran.out.splitlines() if "extractors" in line)
    assert ("reader" in line, "gliner" in line, "llm" in line) == (True, True, True)
