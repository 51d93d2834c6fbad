"""The bundled recording: every condition over questions that needs no tuned weights, reproduced without a model."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest
from cli_fixtures import Ran

from imprimatur.cli.conditions_plan import BUNDLED, ROWS
from imprimatur.evals.known_conditions import KNOWN, Need, Task
from imprimatur.models.recording import Recording

MENDING = (
    "A prompt has changed, by a template or by what retrieval finds: record what is missing with the weights, as"
    " docs/conditions.md says."
)


@pytest.mark.timeout(300)
def test_the_table_is_reproduced_without_a_model(shell: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """All answers come from the file, even where the environment names a model; what is licensed is founded."""
    monkeypatch.setenv("IMPRIMATUR_MODEL_URL", "http://localhost:9/v1")
    monkeypatch.setenv("IMPRIMATUR_MODEL_NAME", "other")
    before = BUNDLED["rivers"].read_bytes()
    ran = shell("eval", "conditions", "rivers", "--recorded", "bundled", "--json")
    assert ran.status == 0, f"{ran.err}\n{MENDING}"
    told = json.loads(ran.out)
    assert BUNDLED["rivers"].read_bytes() == before
    notes = " ".join(told["notes"])
    assert "and 0 were asked for" in notes
    assert "stale" not in notes, MENDING
    table = told["tables"][0]
    counts: dict[str, dict[str, int]] = {
        row[0]: {name: cell["count"] for name, cell in zip(table["head"][1:], row[1:], strict=True)}
        for row in table["rows"]
    }
    wanted = {name for name, each in KNOWN[Task.QUESTIONS].items() if Need.TUNED not in each.needs}
    assert set(counts) == wanted
    checked = {name for name in wanted if KNOWN[Task.QUESTIONS][name].checked}
    assert {counts[name]["unfounded"] for name in checked} == {0}
    assert counts["plain"]["unfounded"] > 20
    assert counts["graph"]["right"] > counts["oracle"]["right"] > 0


@pytest.mark.timeout(300)
def test_claims_are_reproduced_too(shell: Callable[..., Ran]) -> None:
    """A model's word, and TeQHallu with its ablations, beside the oracle, which lets nothing false through."""
    pytest.importorskip("sqlglot", reason="the extra `tables` is not installed")
    ran = shell("eval", "conditions", "claims", "--recorded", "bundled", "--json")
    told = json.loads(ran.out)
    assert "and 0 were asked for" in " ".join(told["notes"]), MENDING
    (table,) = [table for table in told["tables"] if table["title"] == "30 claims"]
    found = {row[0]: dict(zip(table["head"], row, strict=True)) for row in table["rows"]}
    assert set(told["settings"]["conditions"]) == set(found) >= {"oracle", "direct", "teqhallu-direct"}
    assert found["oracle"]["false supported"]["count"] == 0
    assert found["oracle"]["right"]["count"] > found["direct"]["right"]["count"]


@pytest.mark.parametrize("name", BUNDLED)
def test_it_is_small_and_says_what_it_is_of(name: str) -> None:
    """Less than 300 KB with its rows; the head has the options, each line names the model and no prompt."""
    assert BUNDLED[name].stat().st_size + ROWS[name].stat().st_size < 300_000
    recording = Recording(BUNDLED[name])
    assert (recording.settings["set"], recording.settings["kb"]) == (name, "rivers")
    assert recording.settings["conditions"]
    assert (recording.roles(), recording.runs()) == (("",), (1,))
    with gzip.open(BUNDLED[name], "rt", encoding="utf-8") as lines:
        made = [json.loads(line) for line in lines][1:]
    assert len({row["key"] for row in made}) == len(made)
    assert {row["model"].split(" ")[0] for row in made} == {"SmolLM2-135M-Instruct.Q4_1.gguf"}
    assert all(set(row) == {"key", "model", "answer"} for row in made)
