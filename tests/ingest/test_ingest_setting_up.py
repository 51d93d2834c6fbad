"""The lines of imprimatur.yaml for facts from documents, and what may be said of their trust."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from imprimatur.config import load_folder
from imprimatur.errors import ConfigError, UsageError
from imprimatur.ingest.setting_up import add_lines, lines_to_add, made_configuration, missing
from imprimatur.ingest.store import FactStore

_NAMES = ["facts/derived.nq", "facts/accepted.nq", "facts/model.nq"]
_TRUST = {"facts/derived.nq": "derived", "facts/model.nq": "model"}
_FORMS = {
    "no graph": "version: 1\npolicy: strict\n",
    "a list on a line": "version: 1\ngraph:\n  data: [a.ttl]  # mine\n  years: xsd10\n",
    "an empty list": "version: 1\ngraph:\n  data: []\n",
    "a name": "version: 1\ngraph:\n  data: a.ttl # mine\npolicy: strict\n",
    "items": "version: 1\ngraph:\n  data:\n    - a.ttl  # mine\n    # and\n    - b.ttl\n  years: xsd10\n\nname: x\n",
    "items at the key": "version: 1\ngraph:\n  data:\n  - a.ttl\n  ontology: [b.ttl]\n",
    "trust on a line": "version: 1\ngraph:\n  data: [a.ttl]\n  trust: {a.ttl: derived}\n",
    "trust below": "version: 1\ngraph:\n    data: [a.ttl]\n    trust:\n        a.ttl: derived\nname: x\n",
    "only an ontology": "version: 1\ngraph:\n  ontology: [b.ttl]\n",
    "no line at the end": "version: 1\ngraph:\n  data: [a.ttl]",
    "some are named": "version: 1\ngraph:\n  data: [facts/derived.nq]\n  trust: {facts/derived.nq: derived}\n",
}


def _folder(tmp_path: Path, text: str) -> Path:
    for name in ("a.ttl", "b.ttl"):
        (tmp_path / name).write_text("<x:s> <x:p> <x:o> .\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text(text, encoding="utf-8")
    FactStore(tmp_path).prepare()
    return tmp_path


@pytest.mark.parametrize("text", _FORMS.values(), ids=_FORMS)
def test_lines_are_added_to_what_a_person_wrote(tmp_path: Path, text: str) -> None:
    """What was there stays, comments too; the files are named with their trust; a second time changes nothing."""
    folder = _folder(tmp_path, text)
    before = yaml.safe_load(text)
    assert add_lines(load_folder(folder))
    made = (folder / "imprimatur.yaml").read_text(encoding="utf-8")
    after = yaml.safe_load(made)
    assert set(after["graph"]["data"]) >= set(_NAMES)
    assert after["graph"]["trust"].items() >= _TRUST.items()
    assert {key: value for key, value in before.items() if key != "graph"}.items() <= after.items()
    assert all(comment in made for comment in ("# mine", "# and") if comment in text)
    config = load_folder(folder)
    assert missing(config) == ()
    assert not add_lines(config)


@pytest.mark.parametrize(
    "text",
    [
        "version: 1\ngraph: {data: [a.ttl]}\n",
        "version: 1\ngraph:\n  data: [a.ttl,\n    b.ttl]\n",
        '{version: 1, "graph": {data: a.ttl}}\n',
    ],
)
def test_an_unusual_form_is_left_alone(tmp_path: Path, text: str) -> None:
    """The lines are told instead."""
    folder = _folder(tmp_path, text)
    with pytest.raises(ConfigError, match="cannot be added") as caught:
        add_lines(load_folder(folder))
    assert "facts/accepted.nq" in caught.value.hint
    assert (folder / "imprimatur.yaml").read_text(encoding="utf-8") == text


def test_the_lines_are_what_is_asked_for(tmp_path: Path) -> None:
    """Put into a file, they name the store with its trust."""
    folder = _folder(tmp_path, "version: 1\n")
    lines = lines_to_add(missing(load_folder(folder)))
    (folder / "imprimatur.yaml").write_text(f"version: 1\n{lines}", encoding="utf-8")
    graph = load_folder(folder).graph
    assert [graph.trust_of(path) for path in graph.data] == ["derived", "curated", "model"]


@pytest.mark.parametrize("name", ["no", "a b", 'q"uote', "${HOME}", "größe", "1.5", "x: y", "#c", "null"])
def test_a_new_configuration_says_what_was_given(tmp_path: Path, name: str) -> None:
    """Whatever a folder and its documents are called."""
    text = made_configuration(name, documents=[f"{name}/"], ontology=[], reader="patterns")
    folder = _folder(tmp_path, text)
    config = load_folder(folder)
    assert config.name == name
    assert config.ingest.documents == (folder / name,)


@pytest.mark.parametrize(
    ("name", "trust", "right"),
    [
        ("model.nq", "curated", False),
        ("model.nq", "derived", False),
        ("model.nq", "model", True),
        ("derived.nq", "curated", False),
        ("derived.nq", "model", True),
        ("accepted.nq", "curated", True),
    ],
)
def test_a_fact_is_not_trusted_more_than_what_read_it(tmp_path: Path, name: str, trust: str, right: bool) -> None:
    """A file of a store cannot be given a higher class; one that is given none has its own."""
    text = f"version: 1\ngraph:\n  data: [facts/{name}]\n"
    folder = _folder(tmp_path, text)
    least = {"model.nq": "model", "derived.nq": "derived"}.get(name, "curated")
    graph = load_folder(folder).graph
    assert graph.trust_of(folder / "facts" / name) == least
    (folder / "imprimatur.yaml").write_text(f"{text}  trust: {{facts/{name}: {trust}}}\n", encoding="utf-8")
    if right:
        assert load_folder(folder).graph.trust_of(folder / "facts" / name) == trust
        return
    with pytest.raises(ConfigError, match=f"{name} cannot be {trust}"):
        load_folder(folder)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("  documents: [../docs]", "outside the knowledge base"),
        ("  document: [docs]", "unknown key"),
        ("  workers: 0", "workers"),
        ("  ontology: none.yaml", "does not exist"),
    ],
)
def test_wrong_entries_are_told(tmp_path: Path, lines: str, what: str) -> None:
    """As everywhere in imprimatur.yaml."""
    folder = _folder(tmp_path, f"version: 1\ningest:\n{lines}\n")
    with pytest.raises(UsageError, match=what):
        load_folder(folder)
