"""``imprimatur eval teqhallu``: rows of RAGTruth's and DiaHalu's shape, figures, and a model that is asked once."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlglot", reason="the extra `tables` is not installed")
pytest.importorskip("openai", reason="the extra `models` is not installed")

from cli_fixtures import Ran
from made_teqhallu import claim, script, verdict

from imprimatur.errors import InputError
from imprimatur.evals.teqhallu_rows import flattened, load
from imprimatur.models import prompts
from imprimatur.models.prompts import template
from imprimatur.teqhallu.kinds import Category
from imprimatur.testing import Request, ScriptedServer, say_json

Shell = Callable[..., Ran]
_PROMPTS = Path(prompts.__file__).parent.parent / "resources" / "prompts"

_CAFE = {"name": "Corner Kiln", "city": "Arden", "attributes": {"WiFi": None, "Terrace": True}, "stars": 4.5}
_SOURCES: list[dict[str, Any]] = [
    {"source_id": "1", "task_type": "Data2txt", "source_info": _CAFE},
    {"source_id": "2", "task_type": "QA", "source_info": {"question": "How long is it?", "passages": "It is 12 km."}},
    {"source_id": "3", "task_type": "Summary", "source_info": "The Arden bridge opened in 1904. It carries trams."},
]
_RESPONSES = [
    ("1", "1", "Corner Kiln has 4.5 stars.", []),
    ("2", "1", "Corner Kiln has 3.5 stars.", [{"start": 16, "end": 19, "text": "3.5"}]),
    ("3", "2", "It is 12 km long.", []),
    ("4", "3", "The Arden bridge opened in 1904.", []),
    ("5", "3", "The Arden bridge opened in 1905.", [{"start": 27, "end": 31, "text": "1905"}]),
]
_DIALOGUES: list[dict[str, Any]] = [
    {
        "ID": 1,
        "text": "A1: A table for 4, please.\nB1: A table for 4 is free.\nA2: Book it.\nB2: Your table for 6 is booked.",
        "label": 1,
        "index": '[[2,"Incoherence"]]',
        "domain": "Task-oriented Style",
    },
    {
        "ID": 2,
        "text": "A1: A table for 4, please. \nB1: A table for 4 is free.",
        "label": 0,
        "index": "",
        "domain": "Task-oriented Style",
    },
    {
        "ID": 3,
        "text": "A1: Is Arden on Mars?\nB1: Yes, Arden is on Mars.",
        "label": 1,
        "index": '[[1,"Overreliance"],[1,"non-factual"]]',
        "domain": "Chit-Chat",
    },
]


def _jsonl(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _official(folder: Path) -> Path:
    """RAGTruth's two files, with a row of the other split."""
    _jsonl(folder / "source_info.jsonl", _SOURCES)
    rows: list[dict[str, Any]] = [
        {"id": name, "source_id": source, "model": "m", "split": "test", "response": text, "labels": labels}
        for name, source, text, labels in _RESPONSES
    ]
    _jsonl(folder / "response.jsonl", [*rows, rows[0] | {"id": "9", "split": "train"}])
    return folder


def _material(request: Request) -> Mapping[str, Any]:
    said: Mapping[str, Any] = json.loads(request.said_by("user"))
    return said


def _stored(request: Request) -> object:
    """A row for each sentence, with its numbers."""
    create = "CREATE TABLE IF NOT EXISTS facts (entity_id TEXT, said TEXT, number REAL)"
    rows = []
    for line in "\n".join(_material(request)["reference"]).split("\n"):
        sentence = line.split(". ")[0]
        numbers = [word.strip(".:") for word in sentence.split() if word.strip(".:").replace(".", "").isdigit()]
        value = numbers[0] if numbers else "NULL"
        text = sentence.replace("'", "''")
        rows.append({"sql": f"INSERT INTO facts VALUES ('x', '{text}', {value})", "quote": sentence})
    return say_json({"tables": [create], "rows": rows, "aliases": []}).using(500, 60)


def _selected(request: Request) -> object:
    response = _material(request)["response"]
    one = claim(response, "SELECT said, number FROM facts WHERE number IS NOT NULL")
    return say_json({"claims": [one], "aliases": []}).using(400, 40)


def _judged(request: Request) -> object:
    """Supported where a number of the response is in a row."""
    told = _material(request)
    words = told["response"].replace(".", " ").split()
    rows = told["claims"][0].get("rows", [])
    fine = any(str(row[1]).removesuffix(".0").split(".")[0] in words for row in rows) and "3 5" not in " ".join(words)
    said = verdict(1, "supported" if fine else "contradicted" if rows else "not found", rows=[1])
    whole = "fully supported" if fine else "contradicted"
    return say_json({"claims": [said], "reason": "", "verdict": whole}).using(600, 20)


def _turn(request: Request) -> object:
    response = _material(request)["response"]
    wrong = {"for 6": "incoherent", "on Mars": "over-reliant"}
    found = [{"category": kind, "quote": words} for words, kind in wrong.items() if words in response]
    whole = "contradicted" if found else "fully supported"
    claims = [verdict(1, "not found")]
    answer = {"claims": claims, "reason": "", "categories": found, "verdict": whole}
    prediction = {"reason": "", "verdict": "fully supported", "categories": []}
    return say_json(answer if "claims" in _material(request) else prediction)


def _server() -> ScriptedServer:
    initial = say_json({"reason": "", "verdict": "fully supported"}).using(300, 10)
    answers: dict[str, Any] = {
        "initial": initial,
        "initial-turn": _turn,
        "inspect": say_json({"statements": ["PRAGMA table_info(facts)"]}),
        "existing": say_json({"statements": ["SELECT said FROM facts"]}),
        "store": _stored,
        "select": _selected,
        "judge": _judged,
        "judge-turn": _turn,
        "entries": say_json({"entries": []}),
        "claims": lambda request: say_json({"claims": [_plain(request)]}),
        "keyed": lambda request: say_json({"claims": [_plain(request) | {"keys": []}]}),
    }
    return ScriptedServer(script(answers))


def _plain(request: Request) -> dict[str, Any]:
    response = _material(request)["response"]
    return {"quote": response, "says": response}


def _run(shell: Shell, file: Path, server: ScriptedServer, *options: str) -> Ran:
    return shell("eval", "teqhallu", str(file), "--base-url", server.url, "--model", "m", *options)


# -- files -------------------------------------------------------------------------------------------------------------
def test_ragtruth_as_published(tmp_path: Path) -> None:
    """The test part, records as lines, questions with their passages, labels by their spans."""
    rows = load(_official(tmp_path))
    assert [(row.task, row.sample.id, row.hallucinated) for row in rows] == [
        *(("data2txt", "1", False), ("data2txt", "2", True), ("qa", "3", False)),
        *(("summary", "4", False), ("summary", "5", True)),
    ]
    record = "name: Corner Kiln\ncity: Arden\nattributes WiFi: unknown\nattributes Terrace: yes\nstars: 4.5"
    assert rows[0].sample.reference == (record,)
    assert (rows[2].sample.question, rows[2].sample.reference) == ("How long is it?", ("It is 12 km.",))
    assert [row.sample.id for row in load(tmp_path, tasks=["Summary", "qa"])] == ["3", "4", "5"]


def test_ragtruth_as_for_passages(tmp_path: Path) -> None:
    """The files that `eval passages` takes are taken too."""
    for task, kind in (("data2txt", "Data2txt"), ("qa", "QA"), ("summary", "Summary")):
        sources = [row for row in _SOURCES if row["task_type"] == kind]
        _jsonl(tmp_path / f"{task}_sources.jsonl", sources)
        rows = [
            {"id": name, "source_id": source, "model": "m", "response": text, "labels": labels}
            for name, source, text, labels in _RESPONSES
            if source == sources[0]["source_id"]
        ]
        _jsonl(tmp_path / f"{task}_responses.jsonl", rows)
    rows_read = load(tmp_path)
    assert sorted(row.sample.id for row in rows_read) == ["1", "2", "3", "4", "5"]
    assert (
        next(row for row in rows_read if row.task == "data2txt").sample.reference[0].startswith("name: Corner Kiln\n")
    )


def test_dialogues(tmp_path: Path) -> None:
    """A turn of B is a sample, by the turns before; a table says the same as JSON lines."""
    lines = load(_jsonl(tmp_path / "d.jsonl", _DIALOGUES))
    assert [(row.sample.id, row.unit, row.sample.turn) for row in lines] == [
        *(("1/1", "1", 1), ("1/3", "1", 2), ("2/1", "2", 1), ("3/1", "3", 1)),
    ]
    assert lines[1].sample.reference == ("A1: A table for 4, please.", "B1: A table for 4 is free.", "A2: Book it.")
    assert lines[1].sample.response == "Your table for 6 is booked."
    assert [row.categories for row in lines] == [
        *(frozenset({Category.INCOHERENT}), frozenset({Category.INCOHERENT}), frozenset()),
        frozenset({Category.OVER_RELIANT, Category.NON_FACTUAL}),
    ]
    assert len(load(tmp_path / "d.jsonl", tasks=["task-oriented"])) == 3
    with (tmp_path / "d.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["ID", "AI", "label", "type", "domain"])
        table.writeheader()
        for row in _DIALOGUES:
            table.writerow(
                {
                    "ID": row["ID"],
                    "AI": row["text"],
                    "label": row["label"],
                    "type": row["index"],
                    "domain": row["domain"],
                }
            )
    assert load(tmp_path / "d.csv") == lines


def test_rows_of_one_s_own(tmp_path: Path) -> None:
    """References may be texts or records."""
    row = {"id": 7, "response": "It is.", "reference": [_CAFE, "It was."], "hallucinated": True, "question": "Is it?"}
    (found,) = load(_jsonl(tmp_path / "own.jsonl", [row]))
    assert (found.sample.id, found.hallucinated, found.sample.question) == ("7", True, "Is it?")
    assert found.sample.reference == (flattened(_CAFE), "It was.")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("no JSON", "not a line of JSON"),
        ([1], "not a JSON object"),
        ({"response": "x", "reference": "y"}, "`hallucinated` must be true or false"),
        ({"response": "x", "reference": 5, "hallucinated": True}, "`reference` must be"),
        ({"response": 1.5, "reference": "y", "hallucinated": True}, "`response` must be a text"),
        ({"text": "A1: x", "label": 1}, "no turn"),
        ({"text": "B1: x", "label": "?"}, "neither a dialogue nor a response"),
        ({}, "neither a dialogue nor a response"),
    ],
)
def test_rows_that_cannot_be_read(tmp_path: Path, row: Any, said: str) -> None:
    """The line is named."""
    file = tmp_path / "rows.jsonl"
    file.write_text(row if isinstance(row, str) else json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match=said) as wrong:
        load(file)
    assert wrong.value.where == f"{file}:1"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Absent, empty, without the task, an id twice, a source that is not there."""
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="holds no row"):
        load(_jsonl(tmp_path / "empty.jsonl", []))
    row = {"id": "1", "response": "x", "reference": "y", "hallucinated": False}
    with pytest.raises(InputError, match="no row of qa"):
        load(_jsonl(tmp_path / "one.jsonl", [row]), tasks=["qa"])
    with pytest.raises(InputError, match="comes twice"):
        load(_jsonl(tmp_path / "two.jsonl", [row, row]))
    _official(tmp_path)
    _jsonl(tmp_path / "source_info.jsonl", _SOURCES[1:])
    with pytest.raises(InputError, match=r"not in source_info\.jsonl"):
        load(tmp_path)


# -- figures -----------------------------------------------------------------------------------------------------------
def test_figures_for_ragtruth(shell: Shell, tmp_path: Path) -> None:
    """Precision, recall and F1 by task, the direct prediction beside them, tokens for each sample, the parse."""
    with _server() as server:
        ran = _run(shell, _official(tmp_path), server, "--json", "--chains")
    figures = json.loads(ran.out)["full"]
    assert figures["chains"]["2"][-1] == "verdict: contradicted"
    assert ran.status == 0
    tasks = figures["tasks"]
    assert [tasks[name]["held"]["f1"] for name in ("data2txt", "summary", "all")] == [1.0, 1.0, 1.0]
    assert (tasks["all"]["held"]["hit"], tasks["all"]["held"]["passed"], tasks["all"]["rows"]) == (2, 3, 5)
    assert tasks["all"]["initial"]["recall"] == 0.0
    assert tasks["qa"]["held"]["f1"] is None
    assert figures["macro f1"] is None
    each = figures["per sample"]
    assert (each["tokens in"], each["tokens out"], each["calls"]) == (1800.0, 130.0, 4.0)
    assert figures["verdicts"] == {"fully supported": 3, "contradicted": 2}
    assert figures["parse"]["sentences"] == 5 + 5 + 1 + 2 + 2
    assert figures["parse"]["incomplete"] == figures["parse"]["right though incomplete"]["count"] == 2


def test_figures_for_dialogues(shell: Shell, tmp_path: Path) -> None:
    """By dialogue; categories are micro-averaged."""
    file = _jsonl(tmp_path / "d.jsonl", _DIALOGUES)
    with _server() as server:
        ran = _run(shell, file, server, "--scope", "dialogue", "--chains")
    assert "categories, micro: precision 1.000, recall 0.667, f1 0.800" in ran.out
    assert "incoherent: for 6" in ran.out
    table = [line.split() for line in ran.out.splitlines()]
    assert ["all", "3", "1.000", "1.000", "1.000"] in [row[:5] for row in table]
    assert "verdict: unsupported, the model said fully supported, not flagged: it conflicts with nothing" in ran.out


def test_all_ablations_in_one_command(shell: Shell, tmp_path: Path) -> None:
    """One table for each; with --keep the second run asks for nothing, and --replay needs no server."""
    kept = tmp_path / "kept.jsonl"
    file = _official(tmp_path)
    with _server() as server:
        first = _run(shell, file, server, "--ablation", "all", "--keep", str(kept), "--most", "1")
        asked = len(server.requests)
        again = _run(shell, file, server, "--ablation", "all", "--keep", str(kept), "--most", "1")
        assert len(server.requests) == asked
    replayed = shell("eval", "teqhallu", str(file), "--ablation", "all", "--replay", str(kept), "--most", "1")
    for ran in (first, again, replayed):
        assert ran.status == 0
        names = [line for line in ran.out.splitlines() if line and line.replace("-", "").isalpha()]
        assert names == ["full", "direct", "claims", "key-value", "strict-ids", "no-initial"]
    assert _without_files(again.out) == _without_files(first.out)
    assert _without_files(replayed.out) == _without_files(first.out)


_STAGES = {
    "full": {"initial", "store", "select", "judge"},
    "direct": {"initial"},
    "claims": {"initial", "claims", "judge"},
    "key-value": {"initial", "entries", "keyed", "judge"},
    "strict-ids": {"store", "select"},
    "no-initial": {"store", "select", "judge"},
}


@pytest.mark.parametrize("scope", ["passage", "dialogue", "global"])
@pytest.mark.parametrize("made", ["ragtruth", "diahalu"])
@pytest.mark.parametrize("ablation", _STAGES)
def test_every_ablation_in_every_scope(shell: Shell, tmp_path: Path, ablation: str, made: str, scope: str) -> None:
    """Over records of either set's shape each asks its own stages, answers every sample, and has all figures."""
    file = _official(tmp_path) if made == "ragtruth" else _jsonl(tmp_path / "d.jsonl", _DIALOGUES)
    options = ("--ablation", ablation, "--scope", scope, "--price", "0.30/2.50 USD", "--json", "--chains")
    with _server() as server:
        ran = _run(shell, file, server, *options)
        asked = {_stage_of(request) for request in server.requests}
    assert ran.status == 0
    (figures,) = json.loads(ran.out).values()
    units = {"ragtruth": 5, "diahalu": 3}[made]
    assert figures["tasks"]["all"]["rows"] == units
    assert (figures["faults"], set(figures["verdicts"]) & {"unchecked"}) == ({}, set())
    assert len(figures["chains"]) == {"ragtruth": 5, "diahalu": 4}[made]
    told = {stage.removesuffix("-turn") for stage in asked} - {"inspect", "existing"}
    assert told == _STAGES[ablation]
    assert ("initial" in figures["tasks"]["all"]) is ("initial" in _STAGES[ablation])
    each, whole, samples = figures["per sample"], figures["in all"], len(figures["chains"])
    assert whole["calls"] == each["calls"] * samples > 0
    assert whole["cost"] == pytest.approx((whole["tokens in"] * 0.3 + whole["tokens out"] * 2.5) / 1e6)
    assert each["cost"] == pytest.approx(whole["cost"] / samples)


def _stage_of(request: Request) -> str:
    said = request.said_by("system")
    stages = (path.name.removeprefix("teqhallu-").removesuffix(".txt") for path in _PROMPTS.glob("teqhallu-*.txt"))
    return max((stage for stage in stages if template(f"teqhallu-{stage}").text in said), key=len)


def test_costs_are_told_where_a_price_is_given(shell: Shell, tmp_path: Path) -> None:
    """For each sample and in all; without a price there is no word of it, and a price that is none is refused."""
    file = _official(tmp_path)
    with _server() as server:
        priced = _run(shell, file, server, "--price", "0.30/2.50 USD")
        plain = _run(shell, file, server)
        wrong = [_run(shell, file, server, "--price", price) for price in ("1", "-1/2", "1/2/3", "a/b", "1/2 dollars")]
    cost = (1800 * 0.3 + 130 * 2.5) / 1e6
    assert f"4.0 calls (0.0 answered from a file), cost {cost:.5f} USD" in priced.out
    assert f"in all: 9000 tokens in, 650 out, 20 calls, cost {5 * cost:.4f} USD" in priced.out
    assert "cost" not in plain.out
    assert "in all: 9000 tokens in, 650 out, 20 calls\n" in plain.out
    assert [ran.status for ran in wrong] == [2] * 5
    assert all("--price" in ran.err for ran in wrong)


def test_categories_one_by_one(shell: Shell, tmp_path: Path) -> None:
    """Each category of dialogues has figures of its own beside the micro average."""
    file = _jsonl(tmp_path / "d.jsonl", _DIALOGUES)
    with _server() as server:
        figures = json.loads(_run(shell, file, server, "--scope", "dialogue", "--json").out)["full"]
    found = {name: (each["hit"], each["false"], each["missed"]) for name, each in figures["by category"].items()}
    assert found == {
        "non-factual": (0, 0, 1),
        "incoherent": (1, 0, 0),
        "irrelevant": (0, 0, 0),
        "over-reliant": (1, 0, 0),
    }
    assert sum(hit for hit, _, _ in found.values()) == figures["categories"]["hit"]


def _without_files(out: str) -> str:
    return "\n".join(line.partition(" (")[0] for line in out.splitlines())


def test_a_budget_of_calls(shell: Shell, tmp_path: Path) -> None:
    """What is left is unchecked and told; where nothing could be asked, that is the exit status."""
    with _server() as server:
        ran = _run(shell, _official(tmp_path), server, "--calls", "8")
        assert len(server.requests) == 8
    assert ran.status == 0
    assert "3 unchecked: the budget of 8 calls is used up" in ran.out
    gone = shell(
        *("eval", "teqhallu", str(tmp_path), "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--most", "1"),
        *("--task", "qa", "--calls", "1"),
    )
    assert gone.status == 3


def test_what_is_missing_is_told(shell: Shell, tmp_path: Path) -> None:
    """No model; two sources of answers at once; no such file."""
    file = _official(tmp_path)
    assert shell("eval", "teqhallu", str(file)).status == 2
    assert shell("eval", "teqhallu", str(file), "--keep", "a", "--replay", "b").status == 2
    assert shell("eval", "teqhallu", str(tmp_path / "none")).status == 2
