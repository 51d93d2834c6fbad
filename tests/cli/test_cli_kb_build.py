"""``imprimatur kb build``: from files of tables to a folder that can be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from cli_fixtures import Ran
from made_tables import KEEPERS, LIGHTS

from imprimatur.errors import KnowledgeBaseError
from imprimatur.kb_build import build_folder

Shell = Callable[..., Ran]

_GUIDE = """# Ferries

Two of them.

## MV Puffin
- Length: 42 m
- Serves: Holm Light

## MV Tern
- Length: 38 m
- Serves: Skerry Light
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files of tables in ``in``."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in (("lights.csv", LIGHTS), ("keepers.csv", KEEPERS), ("guide.md", _GUIDE)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_from_files_to_answers(shell: Shell, files: Path) -> None:
    """One command; what columns are taken for and what is left aside is printed, and each sentence is supported."""
    ran = shell(
        "kb", "build", "--tables", "in/lights.csv", "in/keepers.csv", "in/guide.md", "--out", "kb", "--complete"
    )
    assert ran.status == 0
    assert "Made kb with imprimatur.yaml, lights.csv, keepers.csv, guide.md" in ran.out
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "height (m) number m height" in lines
    assert "Serves text serves yes lights.name" in lines
    assert "guide.md, line 3: is text: no table, list or keys and values: Two of them." in lines
    sentences = ran.out.partition("It supports, among others:\n")[2].partition("\n\n")[0].splitlines()
    assert len(sentences) == 5
    assert all(sentence.startswith("  ") for sentence in sentences)
    for sentence in sentences:
        assert shell("check", sentence.strip(), "--kb", "kb").status == 0
    assert shell("check", "There are two ferries.", "--kb", "kb").status == 0
    assert shell("check", "There are three ferries.", "--kb", "kb").status == 1
    assert [path.name for path in Path("kb").iterdir() if path.name.startswith(".")] == []


def test_as_json(shell: Shell, files: Path) -> None:
    """The same for programs; the folder is named after the first file."""
    made = json.loads(shell("kb", "build", "--tables", "in/lights.csv", "--tables", "in/keepers.csv", "--json").out)
    assert made["folder"] == "lights"
    assert made["files"] == ["imprimatur.yaml", "lights.csv", "keepers.csv"]
    assert [each["name"] for each in made["tables"]] == ["lights", "keepers"]
    assert made["complete"] == []
    assert "The height of Skerry Light is 30 m." in made["sentences"]


def test_the_description_changes_nothing(shell: Shell, files: Path) -> None:
    """As it stands it is read, names each column, and gives the same verdicts; edited, it counts."""
    for name, more in (("plain", ()), ("told", ("--described",))):
        assert shell("kb", "build", "--tables", "in/lights.csv", "--out", name, *more).status == 0
    shown = [shell("tables", "show", name).out for name in ("plain", "told")]
    assert shown[0] == shown[1]
    path = Path("told/tables.yaml")
    described = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert list(described["tables"]["lights"]["columns"]) == LIGHTS.partition("\n")[0].split(",")
    assert shell("check", "The paintwork of Skerry Light is red.", "--kb", "told").status == 1
    edited = path.read_text(encoding="utf-8").replace('"colour": {}', '"colour": {synonyms: [paintwork]}')
    path.write_text(edited, encoding="utf-8")
    assert shell("check", "The paintwork of Skerry Light is red.", "--kb", "told").status == 0


def test_files_in_the_folder_stay(shell: Shell, files: Path) -> None:
    """Nothing is copied; the configuration appears beside them, once."""
    assert shell("kb", "build", "in/lights.csv", "in/keepers.csv", "--out", "in").status == 0
    assert sorted(path.name for path in files.iterdir()) == ["guide.md", "imprimatur.yaml", "keepers.csv", "lights.csv"]
    before = (files / "imprimatur.yaml").read_text(encoding="utf-8")
    ran = shell("kb", "build", "in/lights.csv", "--out", "in")
    assert (ran.status, "has the file imprimatur.yaml already" in ran.err) == (2, True)
    assert (files / "imprimatur.yaml").read_text(encoding="utf-8") == before
    assert shell("kb", "build", "in/lights.csv", "--out", "in", "--force").status == 0
    assert "keepers" not in (files / "imprimatur.yaml").read_text(encoding="utf-8")


def test_nothing_is_overwritten(shell: Shell, files: Path) -> None:
    """A folder with anything in it is left alone without --force; with it only what is written is replaced."""
    Path("kb").mkdir()
    Path("kb/notes.txt").write_text("mine", encoding="utf-8")
    ran = shell("kb", "build", "--tables", "in/lights.csv", "--out", "kb")
    assert (ran.status, "is not empty" in ran.err, "--force" in ran.err) == (2, True, True)
    assert [path.name for path in Path("kb").iterdir()] == ["notes.txt"]
    assert shell("kb", "build", "--tables", "in/lights.csv", "--out", "kb", "--force").status == 0
    assert Path("kb/notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no file is given"),
        (("in/missing.csv",), "no such file"),
        (("in",), "no such file"),
        (("in/words.doc",), "is no file of tables"),
        (("in/lights.csv", "in/lights.csv"), "two files are called 'lights.csv'"),
        (("in/broken.csv",), "2 cells where the first line names 1 columns"),
        (("in/prose.md",), "nothing in it is a table"),
        (("in/lights.csv", "--out", "in/lights.csv"), "is no folder"),
        (("in/lights.csv", "--out", "in/lights.csv/kb"), "cannot be made"),
    ],
)
def test_what_cannot_be_built(shell: Shell, files: Path, arguments: tuple[str, ...], said: str) -> None:
    """It is said in words, and nothing is left behind."""
    for name, text in (("words.doc", "x"), ("broken.csv", "name\na,b\n"), ("prose.md", "Some words.\n")):
        (files / name).write_text(text, encoding="utf-8")
    before = sorted(Path().rglob("*"))
    ran = shell("kb", "build", *arguments)
    assert (ran.status, said in ran.err, "Traceback" in ran.err) == (2, True, False)
    assert sorted(Path().rglob("*")) == before


def test_odd_names(files: Path, tmp_path: Path) -> None:
    """Names of files, tables and columns are quoted as YAML has it, and refer to no environment."""
    odd = 'na"me,${HOME},a: b # c,é 😀,x\\y,- z\n'
    (files / "it's ${x} #1 {a}.csv").write_text(odd + "A,1,2,3,4,5\n", encoding="utf-8")
    made = build_folder([files / "it's ${x} #1 {a}.csv"], tmp_path / "kb: ${USER}", described=True)
    assert made.tables[0]["name"] == "it's ${x} #1 {a}"
    assert [column["name"] for column in made.tables[0]["columns"]] == odd.strip().split(",")


def test_a_fault_while_writing_leaves_nothing(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is gone again; a configuration that was there is whole."""

    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("imprimatur.kb_build.os.replace", full)
    with pytest.raises(KnowledgeBaseError, match="No space left"):
        build_folder([files / "lights.csv"], tmp_path / "kb")
    assert not (tmp_path / "kb").exists()
    (files / "imprimatur.yaml").write_text("version: 1\n", encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match="No space left"):
        build_folder([files / "lights.csv"], files, force=True)
    assert (files / "imprimatur.yaml").read_text(encoding="utf-8") == "version: 1\n"
    assert not [path for path in files.iterdir() if path.name.endswith(".part")]
