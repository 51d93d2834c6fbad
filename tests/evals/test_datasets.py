"""The registry of data sets: what is listed, what a copy's check counts, and what is refused."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_fixtures import Ran
from made_questions import ROWS

from imprimatur.cli.eval import command
from imprimatur.errors import InputError
from imprimatur.evals.datasets import checked, listing
from imprimatur.evals.datasets_checks import labels, overlaps, problems
from imprimatur.evals.datasets_listed import LISTED
from imprimatur.evals.datasets_rows import Shown, all_of
from imprimatur.evals.outcome import Figure, Table

#: The data sets as they are kept beside the repository, where they are: folder, rows.
_SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
_COPIES = {
    "rivers": ("rivers-kg", 54258),
    "river-questions": ("licensing-oracle", 17494),
    "cards": ("licensing-oracle/cards", 2797),
    "philosophers": ("licensing-oracle", 15),
    "battles": ("licensing-oracle", 30),
    "ragtruth": ("ragtruth", 835),
    "begin": ("begin-wow", 4037),
    "wice": ("wice", 707),
    "factcheck": ("factcheck-bench", 3305),
    "refchecker": ("refchecker", 10733),
    "simplequestions": ("kgqa", 5622),
    "mintaka": ("kgqa", 2912),
    "hotpotqa": ("kgqa", 308),
    "relations": ("kgqa", 3000),
    "factbench": ("factbench", 5249),
    "tabfact": ("tabfact-small", 1668),
    "text2kg": ("text2kgbench", 6076),
    "quintd": ("quintd1", 648),
    "basketball": ("basketball", 60),
}


def _row(id_: str, text: str, label: str, **more: str) -> Shown:
    return Shown(id=id_, text=text, label=label, **more)


def _counts(table: Table) -> dict[str, Any]:
    return {str(row[0]): row[1] for row in table.rows}


def test_every_set_has_what_a_user_must_know() -> None:
    """Licence, home, files, use and evaluation; an evaluation that is named is a command."""
    for name, each in LISTED.items():
        assert name == each.name
        assert all((each.title, each.licence, each.home, each.size, each.files, each.use, each.tested))
        words = each.command.removeprefix("eval ").split()
        assert each.command.startswith("none") or words[0] in command.commands
        assert each.shipped is None or each.shipped.exists()


def test_what_the_issue_names_is_a_command() -> None:
    """Each published set is evaluated under its own name."""
    names = {
        "ragtruth",
        "factbench",
        "tabfact",
        "diahalu",
        "simplequestions",
        "mintaka",
        "hotpotqa",
        "factkg",
        "memories",
    }
    assert names <= command.commands.keys()
    filled = command.commands["mintaka"]
    asked = command.commands["kgqa"]
    assert {param.name for param in filled.params} == {param.name for param in asked.params} - {"asked"}


def test_the_listing_says_what_loaders_were_tried_on() -> None:
    """Sets whose files nobody had are told apart."""
    outcome = listing()
    tried = {str(row[0]): str(row[2]) for row in outcome.tables[2].rows}
    assert {name for name, on in tried.items() if on == "made rows only"} == {"memories", "diahalu", "factkg"}
    assert len(outcome.tables[0].rows) == len(LISTED)


@pytest.mark.parametrize("name", [name for name, each in LISTED.items() if each.shipped is not None])
def test_what_is_shipped_passes_its_check(name: str) -> None:
    """Samples are read by the loaders of the sets, and hold no row twice."""
    outcome = checked(name, None)
    assert outcome.tables[0].rows
    assert _counts(outcome.tables[1])["the same row again"] == 0
    assert outcome.sources


def test_shipped_samples_are_small_and_attributed() -> None:
    """Less than 200 kB together, each with its licence and where it is from."""
    folder = LISTED["factbench"].shipped
    assert folder is not None
    files = [each for each in folder.parent.rglob("*") if each.is_file()]
    assert sum(each.stat().st_size for each in files) < 200_000
    for each in folder.parent.iterdir():
        assert (each / "LICENSE").exists()
        assert "https://" in (each / "ATTRIBUTION.md").read_text(encoding="utf-8")


def test_labels_are_counted_by_part() -> None:
    """Shares have intervals; parts are columns where there are several."""
    rows = [_row("1", "a", "x", part="dev"), _row("2", "b", "x", part="test"), _row("3", "c", "y", part="test")]
    table = labels(rows)
    assert table.head == ("label", "rows", "dev", "test")
    first = table.rows[0]
    assert isinstance(first[1], Figure)
    assert (first[1].count, first[1].total, first[2:]) == (2, 3, (1, 1))


def test_what_is_odd_is_counted_and_named() -> None:
    """Rows again, two labels, lost characters, control characters, another encoding, letters in parts, no text."""
    rows = [
        _row("1", "a", "x"),
        _row("2", "a", "x"),
        _row("3", "a", "y"),
        _row("4", "a", "z", beside="another passage"),
        _row("5", "lost \ufffd", "x"),
        _row("6", "bell \x07", "x"),
        _row("7", "cafÃ©", "x"),
        _row("8", "cafe\u0301", "x"),
        _row("9", " ", "x"),
    ]
    table = problems(rows)
    assert [row[1] for row in table.rows] == [1, 1, 1, 1, 1, 1, 1]
    assert [row[2] for row in table.rows] == ["2", "3", "9", "5", "6", "7", "8"]


def test_what_parts_share_is_told() -> None:
    """Rows that stand in two parts leak; sources in both tie rows together."""
    rows = [
        _row("1", "a", "x", part="dev", source="s"),
        _row("2", "a", "x", part="test", source="s"),
        _row("3", "b", "x", part="test", source="t"),
    ]
    table = overlaps(rows)
    assert table is not None
    assert table.rows == (("dev and test", 1, 1),)
    assert overlaps(rows[1:]) is None


def test_an_id_that_comes_twice_is_refused() -> None:
    """So is a set without rows."""
    with pytest.raises(InputError, match="comes twice"):
        all_of([_row("1", "a", "x"), _row("1", "b", "x")])
    with pytest.raises(InputError, match="no row"):
        all_of([])


def test_diahalu_is_counted_by_dialogue(tmp_path: Path) -> None:
    """Each dialogue is one row, under its label."""
    rows = [
        {
            "ID": "d1",
            "text": "A1: Is it open?\nB1: Yes.\nA2: Until when?\nB2: Until nine.",
            "label": 1,
            "domain": "task",
        },
        {"ID": "d2", "text": "A1: Hello.\nB1: Hello.", "label": 0, "domain": "chat"},
    ]
    (tmp_path / "DiaHalu_V2.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    outcome = checked("diahalu", str(tmp_path))
    counts = _counts(outcome.tables[0])
    assert (counts["hallucinated"].count, counts["faithful"].count) == (1, 1)


def test_ragtruth_as_published(tmp_path: Path) -> None:
    """response.jsonl and source_info.jsonl, of which the part `test` is read."""
    sources = [
        {"source_id": "1", "task_type": "Summary", "source_info": "Mira was born in Novary."},
        {"source_id": "2", "task_type": "QA", "source_info": {"question": "Where?", "passages": "passage 1: Novary."}},
        {"source_id": "3", "task_type": "Data2txt", "source_info": {"name": "Novary"}},
    ]
    label = {"start": 0, "end": 4, "text": "Mira", "label_type": "Evident Conflict"}
    told = {"model": "m", "temperature": 0.7, "quality": "good", "response": "Mira was born."}
    responses = [
        {"id": "a", "source_id": "1", "labels": [label], "split": "test", **told},
        {"id": "b", "source_id": "2", "labels": [], "split": "test", **told},
        {"id": "c", "source_id": "3", "labels": [], "split": "test", **told},
        {"id": "d", "source_id": "3", "labels": [], "split": "train", **told},
    ]
    for name, rows in (("source_info", sources), ("response", responses)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    counts = _counts(checked("ragtruth", str(tmp_path)).tables[0])
    assert (counts["faithful"].count, counts["unfounded"].count) == (2, 1)


class _Hub(types.ModuleType):
    """A library that gives rows without a network."""

    asked: list[tuple[Any, ...]]

    def load_dataset(self, repository: str, config: str | None, *, split: str) -> list[dict[str, Any]]:
        """The rows of a repository."""
        self.asked = [(repository, config, split)]
        if repository == "nobody/nothing":
            raise FileNotFoundError("no such repository")
        return ROWS["mintaka"]


def test_rows_from_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The known repository is asked by default; another one, its configuration and split can be named."""
    hub = _Hub("datasets")
    monkeypatch.setitem(sys.modules, "datasets", hub)
    outcome = checked("mintaka", "hf:")
    assert hub.asked == [("AmazonScience/mintaka", "en", "test")]
    assert _counts(outcome.tables[0])["entity"].total == 5
    checked("mintaka", "hf:somebody/mintaka:de@train")
    assert hub.asked == [("somebody/mintaka", "de", "train")]
    with pytest.raises(InputError, match="the hub does not give it"):
        checked("mintaka", "hf:nobody/nothing")


def test_without_the_library_a_folder_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named; a set that the hub has in no form that is read says where it is to be had."""
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match="not installed") as raised:
        checked("mintaka", "hf:")
    assert "imprimatur[datasets]" in raised.value.hint
    with pytest.raises(InputError, match="no form of TabFact") as raised:
        checked("tabfact", "hf:")
    assert "github.com" in raised.value.hint


@pytest.mark.parametrize(
    ("name", "place", "what"),
    [
        ("factbank", None, "is not a data set"),
        ("mintaka", None, "nothing of Mintaka is shipped"),
        ("mintaka", "EMPTY", "holds no file of the set"),
        ("text2kg", "NONE", "no such folder"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, name: str, place: str | None, what: str) -> None:
    """The hint says what to do: a near name, where a set is to be had, or the files that are wanted."""
    given = {"EMPTY": str(tmp_path), "NONE": str(tmp_path / "none")}.get(place or "")
    with pytest.raises(InputError, match=what) as raised:
        checked(name, given)
    assert raised.value.hint


def test_the_command_lists_and_checks(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Without a name the list; with a name the check, as JSON and into a file."""
    assert "FactBench" in shell("eval", "datasets").out
    out = tmp_path / "found.json"
    told = shell("eval", "datasets", "factbench", "--json", "--out", str(out))
    assert told.status == 0
    assert json.loads(told.out)["title"] == json.loads(out.read_text(encoding="utf-8"))["title"]


@pytest.mark.slow
@pytest.mark.parametrize("name", _COPIES)
def test_published_copies_have_their_rows(name: str) -> None:
    """The files as they were published are read whole."""
    folder, count = _COPIES[name]
    if not (_SHARED / folder).is_dir():
        pytest.skip("the data set is not there")
    outcome = checked(name, str(_SHARED / folder))
    first = outcome.tables[0].rows[0][1]
    assert isinstance(first, Figure)
    assert first.total == count
