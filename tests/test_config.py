"""Knowledge base folders: everything that may stand in one, and every way in which one can be wrong."""

from __future__ import annotations

import contextlib
import os
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur import settings_file
from imprimatur.config import KnowledgeBaseConfig, bundled, bundled_names, load_folder, resolve
from imprimatur.errors import ConfigError, ImprimaturError, KnowledgeBaseError

_FULL = """
version: 1
name: test rivers
graph:
  data: [rivers.ttl, more/extra.nt]
  ontology: ontology.ttl
  shapes: [shapes.ttl]
  complete: ["https://example.org/length"]
  time: {from: [https://example.org/from], to: [https://example.org/to]}
  trust: {more/extra.nt: model}
  years: xsd11
  endpoint: ${ENDPOINT:-https://example.org/sparql}
memory: memory.jsonl
tables: [people.csv]
passages: [texts]
policy: redact
locale: en-GB
tolerance: {about: 0.02}
require_shapes: true
reading: {parse: never}
model: {base_url: "https://example.org/v1/", name: small, key_env: KEY, temperature: 0.7, limits: {seconds: 5}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with every file that the full configuration names."""
    (tmp_path / "more").mkdir()
    (tmp_path / "texts").mkdir()
    for name in ("rivers.ttl", "more/extra.nt", "ontology.ttl", "shapes.ttl", "memory.jsonl", "people.csv"):
        (tmp_path / name).write_text("")
    return tmp_path


def _load(folder: Path, text: str) -> KnowledgeBaseConfig:
    (folder / "imprimatur.yaml").write_text(text, encoding="utf-8")
    return load_folder(folder, environ={"KEY": "secret"})


def test_every_key_arrives(folder: Path) -> None:
    """Each key of the file is in the frozen object, paths absolute, numbers exact."""
    made = _load(folder, _FULL)
    graph = made.graph
    assert (made.name, made.policy, made.locale, made.require_shapes) == ("test rivers", "redact", "en-GB", True)
    assert (made.about, made.parse) == (Fraction(1, 50), "never")
    assert graph.data == (folder / "rivers.ttl", folder / "more" / "extra.nt")
    assert (graph.ontology, graph.shapes) == ((folder / "ontology.ttl",), (folder / "shapes.ttl",))
    assert (graph.trust_of(graph.data[1]), graph.trust_of(graph.data[0])) == ("model", "curated")
    assert (graph.time_from, graph.time_to) == (("https://example.org/from",), ("https://example.org/to",))
    assert graph.endpoint is not None
    assert (graph.years, graph.endpoint.url) == ("xsd11", "https://example.org/sparql")
    assert graph.complete == ("https://example.org/length",)
    assert made.passages == (folder / "texts",)
    assert made.model is not None
    assert (made.model.base_url, made.model.temperature) == ("https://example.org/v1", Fraction(7, 10))
    assert made.model.key is not None
    assert (made.model.key.reveal(), made.model.limits.seconds) == ("secret", 5)
    assert "secret" not in repr(made)


def test_only_the_version_is_required(tmp_path: Path) -> None:
    """A folder without any source has the folder's name, the strict policy and no graph."""
    made = _load(tmp_path, "version: 1\n")
    assert (made.name, made.policy, made.files, made.graph.named) == (tmp_path.name, "strict", (), False)


def test_a_symbolic_link_may_lead_out(tmp_path: Path) -> None:
    """A link inside the folder is a file of the folder, wherever it points."""
    inside = tmp_path / "kb"
    inside.mkdir()
    (tmp_path / "far.ttl").write_text("")
    os.symlink(tmp_path / "far.ttl", inside / "near.ttl")
    assert _load(inside, "version: 1\ngraph: {data: near.ttl}").graph.data == (inside / "near.ttl",)


def test_an_inline_policy_and_a_policy_file(folder: Path) -> None:
    """`policy` may be the policy's own keys, or a file of the folder."""
    assert _load(folder, "version: 1\npolicy: {extends: redact}").policy == {"extends": "redact"}
    (folder / "p.yaml").write_text("version: 1\n")
    assert _load(folder, "version: 1\npolicy: p.yaml").policy == folder / "p.yaml"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "the file is empty", "version: 1"),
        ("# only a remark\n", "the file is empty", "version: 1"),
        ("just text", "expected keys and values, found text", "key: value"),
        ("- a\n- b", "found a list", "key: value"),
        ("a: [1,", "not valid YAML", ""),
        ("a: \x00", "not valid YAML", ""),
        ("a: \t- x: y: z", "not valid YAML", ""),
        ("name: x", "`version` is missing", "version: 1"),
        ("version: 2", "reads version 1 only", "version: 1"),
        ("version: '1'", "reads version 1 only", "version: 1"),
        ("version: true", "reads version 1 only", "version: 1"),
        ("version: 1\nversion: 1", "given twice", ""),
        ("version: 1\ngrahp: {}", "`grahp`: unknown key", "did you mean `graph`?"),
        ("version: 1\ngraph: {datta: x}", "`graph.datta`: unknown key", "did you mean `data`?"),
        ("version: 1\nqqqq: 1", "`qqqq`: unknown key", "known keys: "),
        ("version: 1\n1: 1", "`1`: unknown key", ""),
        ("version: 1\ngraph: [a.ttl]", "`graph`: expected a mapping, found a list", ""),
        ("version: 1\ngraph: {data: {a: b}}", "expected a list of texts", ""),
        ("version: 1\ngraph: {data: [3]}", "found a whole number in it", ""),
        ("version: 1\nlocale: no", "found the truth value false", ""),
        ("version: 1\nlocale: not a tag", "is not a language tag", "en-GB"),
        ("version: 1\nname: 2030-01-01", "expected text, found a date", ""),
        ("version: 1\nname: 2030-13-45", "not valid YAML", ""),
        ("version: 1\nrequire_shapes: maybe", "expected true or false", ""),
        ("version: 1\nreading: {parse: nevr}", "`reading.parse`: 'nevr' is not one of auto, never", "'never'"),
        ("version: 1\nreading: {parse: off}", "`reading.parse`: expected text", ""),
        ("version: 1\nreading: {pares: auto}", "`reading.pares`: unknown key", "`parse`"),
        ("version: 1\ntolerance: {about: 1000}", "must lie between 0 and 0.05", ""),
        ("version: 1\ntolerance: {about: -0.01}", "must lie between 0 and 0.05", ""),
        ("version: 1\ntolerance: {about: .nan}", "can be kept exactly", ""),
        ("version: 1\ntolerance: {about: 1.0e+999999}", "can be kept exactly", ""),
        ("version: 1\ntolerance: {about: much}", "expected a share", ""),
        ("version: 1\ngraph: {years: xsd12}", "is not one of xsd10, xsd11", "did you mean"),
        ("version: 1\ngraph: {complete: [rv:length of]}", "is not an IRI", "in full"),
        ("version: 1\ngraph: {endpoint: file:///etc/passwd}", "is not the address of a server", "https://"),
        ("version: 1\ngraph: {trust: {x.ttl: curated}}", "the graph has no such file", "data"),
        ("version: 1\nmodel: {limits: {seconds: 0}}", "must lie between 1 and 3600", ""),
        ("version: 1\nmodel: {limits: {seconds: soon}}", "expected a whole number, found text", ""),
        ("version: 1\nname: ${ABSENT}", "environment variable ABSENT is not set", ":-default"),
        ("version: 1\nname: ${}", "not closed or not named", "${NAME}"),
        ("version: 1\nname: ${A", "not closed or not named", "${NAME}"),
        ("a: &x [1]\nb: *x", "anchors and aliases", ""),
        ("a: !!python/object:os.system x", "not valid YAML", ""),
        ("a: !!int abc", "not valid YAML", ""),
        ("? [a]\n: b", "not valid YAML", ""),
        ("[" * 100, "nested more than 20 levels", ""),
        ("version: " + "9" * 5000, "not valid YAML", ""),
    ],
)
def test_a_wrong_file_says_what_and_how_to_mend_it(tmp_path: Path, text: str, message: str, hint: str) -> None:
    """Each mistake in the file gets its own sentence, the file's name, and a hint where one helps."""
    with pytest.raises(ConfigError, match=message) as caught:
        _load(tmp_path, text)
    assert "imprimatur.yaml" in caught.value.where
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent.ttl", "does not exist"),
        ("../outside.ttl", "lies outside"),
        ("a/../../outside.ttl", "lies outside"),
        ("/etc/passwd", "lies outside"),
        ("..", "lies outside"),
        ("more", "is not a file"),
        ("x" * 300, "does not exist"),
    ],
)
def test_a_wrong_file_name_is_refused(folder: Path, name: str, message: str) -> None:
    """A file that is absent, outside, or no file is named together with its key."""
    with pytest.raises(KnowledgeBaseError, match=message) as caught:
        _load(folder, f"version: 1\ngraph: {{data: ['{name}']}}")
    assert "graph.data" in caught.value.message
    assert caught.value.hint


def test_a_near_file_name_is_proposed(folder: Path) -> None:
    """A misspelt file is answered with the one that is there."""
    with pytest.raises(KnowledgeBaseError) as caught:
        _load(folder, "version: 1\ngraph: {data: rivrs.ttl}")
    assert "'rivers.ttl'" in caught.value.hint


def test_a_wrong_folder_says_why(tmp_path: Path) -> None:
    """Absent, a file, and without imprimatur.yaml are three different messages."""
    (tmp_path / "file").write_text("")
    for path, message in (
        (tmp_path / "no", "no such folder"),
        (tmp_path / "file", "not a folder"),
        (tmp_path, "has no "),
    ):
        with pytest.raises(KnowledgeBaseError, match=message) as caught:
            load_folder(path)
        assert caught.value.hint


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are not UTF-8, and a huge file, are refused before they are parsed."""
    (tmp_path / "imprimatur.yaml").write_bytes(b"version: 1\nname: \xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_folder(tmp_path)
    (tmp_path / "imprimatur.yaml").write_bytes(b"#" * (settings_file.MAX_BYTES + 1))
    with pytest.raises(ConfigError, match="larger than"):
        load_folder(tmp_path)


def test_bundled_names_resolve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundled name gives its folder, a path wins over a name, and a near name is proposed."""
    monkeypatch.chdir(tmp_path)
    assert "rivers" in bundled_names()
    assert resolve("rivers") == bundled("rivers")
    with pytest.raises(KnowledgeBaseError) as caught:
        resolve("rivrs")
    assert "'rivers'" in caught.value.hint
    (tmp_path / "rivers").mkdir()
    assert resolve("rivers") == Path("rivers")
    assert bundled("../rivers") is None


@pytest.mark.parametrize("name", bundled_names())
def test_bundled_knowledge_bases_load(name: str) -> None:
    """Every knowledge base that comes along has a graph and a valid configuration."""
    assert load_folder(resolve(name), environ={}).graph.data


def test_environment_references() -> None:
    """References are expanded in values, with defaults, and `$${` writes them plainly."""
    value = {"a": ["${X}", "${Y:-b c}", "$${X}", "$5 ${X}${X}"], "${X}": 1}
    made = settings_file.expand(value, {"X": "v"}, where="w", error=ConfigError)
    assert made == {"a": ["v", "b c", "${X}", "$5 vv"], "${X}": 1}


@pytest.mark.parametrize("text", ["[" * 900_000, "a: " * 300_000, "&a " * 300_000, "- " * 400_000, "- ${A:-" * 9])
def test_hostile_files_end_quickly(text: str) -> None:
    """A megabyte of openings is refused in linear time."""
    with pytest.raises(ConfigError):
        settings_file.parse(text, where="w", error=ConfigError)


def test_hostile_references_end_quickly() -> None:
    """References that are never closed are refused in linear time."""
    with pytest.raises(ConfigError):
        settings_file.expand("${A:-" * 150_000, {}, where="w", error=ConfigError)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_a_configuration_or_a_clear_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """No content of the file leads to anything but a configuration or one of our errors."""
    folder = tmp_path_factory.mktemp("kb")
    (folder / "imprimatur.yaml").write_bytes(("version: 1\n" + text).encode("utf-8", "surrogatepass"))
    with contextlib.suppress(ImprimaturError):
        assert load_folder(folder, environ={}).folder == folder
