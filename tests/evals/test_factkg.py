"""FactKG: pickles that name no code, what evidence spells out, and that nothing false is licensed."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from imprimatur.errors import InputError
from imprimatur.evals.factkg import Settings, lines, run
from imprimatur.evals.factkg_set import load

_CLAIMS: dict[str, dict[str, Any]] = {
    "Mira Stenholm's birth place is Novary.": {
        "Label": [True],
        "Entity_set": ["Mira_Stenholm", "Novary"],
        "Evidence": {"Mira_Stenholm": [["birthPlace"]], "Novary": [["~birthPlace"]]},
        "types": ["written", "num1"],
    },
    "Mira Stenholm's birth place is Alderway.": {
        "Label": [False],
        "Entity_set": ["Mira_Stenholm", "Alderway"],
        "Evidence": {"Mira_Stenholm": [["birthPlace"]], "Alderway": [["~birthPlace"]]},
        "types": ["written", "num1", "substitution"],
    },
    "Tobias Rehn's birth place is Alderway.": {
        "Label": [True],
        "Entity_set": ["Tobias_Rehn", "Alderway"],
        "Evidence": {"Tobias_Rehn": [["birthPlace"]], "Alderway": [["~birthPlace"]]},
        "types": ["written", "num1"],
    },
    "Tobias Rehn has a spouse.": {
        "Label": [True],
        "Entity_set": ["Tobias_Rehn"],
        "Evidence": {"Tobias_Rehn": [["spouse"]]},
        "types": ["coll:model", "existence"],
    },
    "Mira Stenholm was born in a place whose mayor is Tobias Rehn.": {
        "Label": [True],
        "Entity_set": ["Mira_Stenholm", "Tobias_Rehn"],
        "Evidence": {"Mira_Stenholm": [["birthPlace", "mayor"]], "Tobias_Rehn": [["~mayor", "~birthPlace"]]},
        "types": ["coll:model", "multi hop"],
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the published form of a small set."""
    (tmp_path / "factkg_train.pickle").write_bytes(pickle.dumps(_CLAIMS))
    return tmp_path


def test_the_published_pickle_is_read(folder: Path, tmp_path: Path) -> None:
    """Claims keep label, kind of reasoning and paths; JSON of the same gives the same."""
    found = load(folder)
    assert [(claim.true, claim.reasoning) for claim in found] == [
        *((True, "one hop"), (False, "one hop"), (True, "one hop"), (True, "existence"), (True, "multi-hop")),
    ]
    assert found[0].triples() == (("Mira_Stenholm", "birthPlace", "Novary"),)
    assert found[3].triples() is None
    assert found[4].triples() is None
    path = tmp_path / "factkg_dev.json"
    path.write_text(json.dumps(_CLAIMS), encoding="utf-8")
    assert [claim.text for claim in load(path)] == [claim.text for claim in found]


class _Harm:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("run by a pickle",)


def test_a_pickle_that_names_code_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of it runs."""
    path = tmp_path / "factkg_train.pickle"
    path.write_bytes(pickle.dumps({"a": _Harm()}))
    with pytest.raises(InputError, match="not a plain pickle"):
        load(path)
    assert "run by" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"Label": ["yes"]}, "Label"),
        ({"Label": [True], "types": "num1"}, "types"),
        ({"Label": [True], "Evidence": []}, "Evidence"),
        ({"Label": [True], "Evidence": {"a": "spouse"}}, "lists of paths"),
    ],
)
def test_entries_that_are_not_as_published_are_refused(tmp_path: Path, row: dict[str, Any], what: str) -> None:
    """The error names the file and the entry."""
    path = tmp_path / "claims.json"
    path.write_text(json.dumps({"A claim.": row}), encoding="utf-8")
    with pytest.raises(InputError, match=what) as raised:
        load(path)
    assert "entry 1" in str(raised.value.where)


def test_present_ones_are_supported_and_false_ones_are_not(folder: Path) -> None:
    """With nothing withheld the one-hop claims are present; what goes further is told apart."""
    outcome = run(folder, Settings(share=0))
    assert outcome.status == 0
    table = {row[0]: row for row in outcome.tables[0].rows}
    assert (table["true, present"][1].count, table["true, present"][1].total) == (2, 2)  # type: ignore[union-attr]
    assert table["false"][1].count == 0  # type: ignore[union-attr]
    assert table["true, beyond the graph"][1].count == 0  # type: ignore[union-attr]


def test_a_withheld_claim_is_not_in_the_graph(folder: Path) -> None:
    """Withholding all leaves no fact, and nothing is licensed."""
    outcome = run(folder, Settings(share=1))
    table = {row[0]: row for row in outcome.tables[0].rows}
    assert table["true, withheld"][1].count == 0  # type: ignore[union-attr]
    assert outcome.notes[0] == "The graph has 0 facts."


def test_values_are_literals_with_no_label() -> None:
    """A quoted entity is a value."""
    (triple, *labels) = lines(frozenset([("A_B", "birthYear", '"1998"')]))
    assert triple.endswith('"1998" .')
    assert any('"birth year"' in label for label in labels)
    assert len(labels) == 2
