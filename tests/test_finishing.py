"""How an evaluation ends: what is printed, what is written, what it came from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from imprimatur.cli.eval_options import outcome_options
from imprimatur.errors import InputError
from imprimatur.evals.finishing import file_digest, finish, keep, provenance, versions
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Figure, Outcome, Table

_OUTCOME = Outcome(
    name="sample",
    title="A sample",
    tables=(Table(title="Shares", head=("", "right"), rows=(("all", Figure.of(Share(3, 4))),)),),
)


class _Oracle:
    def info(self) -> dict[str, object]:
        return {
            "name": "sample",
            "knowledge_base": "sha256:" + "a" * 64,
            "policy": {"name": "strict", "hash": "sha256:" + "b" * 64},
        }


@click.command()
@outcome_options
def _command(*, as_json: bool, out: Path | None) -> int:
    return finish(_OUTCOME, as_json=as_json, out=out)


def test_an_outcome_is_written_and_read_back(tmp_path: Path) -> None:
    """What is written equals the outcome, and writing it again gives the same bytes."""
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    keep(_OUTCOME, one)
    keep(_OUTCOME, two)
    assert one.read_bytes() == two.read_bytes()
    assert Outcome.from_dict(json.loads(one.read_text(encoding="utf-8"))) == _OUTCOME
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.json", "two.json"]


def test_json_and_file_hold_the_same(tmp_path: Path) -> None:
    """`--json` prints what `--out` writes."""
    found = CliRunner().invoke(_command, ["--json", "--out", str(tmp_path / "it.json")], standalone_mode=False)
    assert found.exception is None
    assert json.loads(found.stdout) == json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))


def test_a_grave_case_makes_the_status_one(tmp_path: Path) -> None:
    """A false licence is told by the exit status."""
    grave = Outcome(name="x", title="x", cases=(Case(id="1", kind="false licence", text="No.", grave=True),))
    assert finish(grave, as_json=False, out=None) == 1
    assert finish(_OUTCOME, as_json=False, out=None) == 0


@pytest.mark.parametrize("name", ["-", "nowhere/it.json", "."])
def test_a_file_that_cannot_be_is_told_before_the_work(tmp_path: Path, name: str) -> None:
    """A folder that is not there, a folder in place of a file, and standard output are refused."""
    with pytest.raises(InputError) as fault:
        _command.main(
            args=["--out", name if name == "-" else str(tmp_path / name)],
            standalone_mode=False,
        )
    assert fault.value.hint


def test_sources_name_content_and_no_folder_of_the_machine(tmp_path: Path) -> None:
    """A file is named by its last part, or by as much as tells it from another; its hash is that of its bytes."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rows.jsonl").write_text(folder, encoding="utf-8")
    (tmp_path / "alone.csv").write_text("alone", encoding="utf-8")
    files = (tmp_path / "a/rows.jsonl", tmp_path / "b/rows.jsonl", tmp_path / "alone.csv")
    sources, found = provenance(_Oracle(), files=files)
    assert sources == {
        "knowledge base sample": "a" * 64,
        "policy strict": "b" * 64,
        "a/rows.jsonl": hashlib.sha256(b"a").hexdigest(),
        "b/rows.jsonl": hashlib.sha256(b"b").hexdigest(),
        "alone.csv": hashlib.sha256(b"alone").hexdigest(),
    }
    assert found == versions()


def test_a_folder_has_the_hash_of_what_is_in_it(tmp_path: Path) -> None:
    """A name or a byte that changes in a folder changes its hash."""
    (tmp_path / "one").write_text("1", encoding="utf-8")
    first = file_digest(tmp_path)
    (tmp_path / "one").rename(tmp_path / "two")
    second = file_digest(tmp_path)
    (tmp_path / "two").write_text("2", encoding="utf-8")
    assert len({first, second, file_digest(tmp_path)}) == 3


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A missing file is an error that names it."""
    with pytest.raises(InputError, match="cannot be read"):
        provenance(files=(tmp_path / "missing",))


def test_versions_name_what_a_figure_hangs_on() -> None:
    """Imprimatur, Python and the packages of the base are there, tools for developing are not."""
    found = versions()
    assert {"imprimatur", "python", "pyoxigraph", "pyshacl"} <= set(found)
    assert not {"ruff", "mypy", "pytest-xdist"} & set(found)
