"""The commands that measure knowledge bases: from files to tables, exit statuses, and mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import made_mining
import pytest
from cli_fixtures import Ran

from imprimatur.evals.outcome import Outcome
from imprimatur.evals.text2kg import main as text2kg

_TRUTH = [
    {
        "id": str(number),
        "sent": "…",
        "triples": [
            {"sub": f"{name}_Column", "rel": "designedBy", "obj": maker},
            {"sub": f"{name}_Column", "rel": "height", "obj": f"{20 + 9 * number} (metres)"},
            {"sub": f"{name}_Column", "rel": "established", "obj": f'"19{10 + 7 * number}-05-14"'},
        ],
    }
    for number, (name, maker) in enumerate(
        (("Ardle", "Mara_Ishbel"), ("Brack", "Nils_Orrin"), ("Coyle", "Mara_Ishbel"), ("Dorn", "Una_Pell"))
    )
]
_ONTOLOGY = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
<urn:r#designedBy> a owl:ObjectProperty ; rdfs:label "designedBy" ; rdfs:domain <urn:c#M> ; rdfs:range <urn:c#P> .
<urn:r#established> a owl:ObjectProperty ; rdfs:label "established" ; rdfs:range <urn:c#Date> .
<urn:c#Date> a owl:Class ; rdfs:label "Date" .
<urn:r#unused> a owl:ObjectProperty ; rdfs:label "unused" ; rdfs:domain <urn:c#M> .
<urn:c#M> a owl:Class ; rdfs:label "Monument" . <urn:c#P> a owl:Class ; rdfs:label "Person" .
"""

Shell = Callable[..., Ran]


def test_a_benchmark_becomes_a_domain_without_code(shell: Shell, tmp_path: Path) -> None:
    """Ground truth and an ontology become a folder, which is measured by name."""
    (tmp_path / "truth.jsonl").write_text("".join(json.dumps(row) + "\n" for row in _TRUTH), encoding="utf-8")
    (tmp_path / "ontology.ttl").write_text(_ONTOLOGY, encoding="utf-8")
    kb, out = tmp_path / "kb", tmp_path / "out.json"
    given = [str(tmp_path / "truth.jsonl"), "--folder", str(kb), "--ontology", str(tmp_path / "ontology.ttl")]
    assert text2kg(given) == 0
    written = (kb / "graph.nt").read_text(encoding="utf-8")
    assert ("urn:c#P" in written, "urn:c#Date" in written) == (True, False)
    ran = shell("eval", "mine", "--kb", str(kb), "--most", "8", "--out", str(out))
    assert ran.status == 0
    assert "text2kg: claims by kind" in ran.out
    assert "were held out" in ran.out
    outcome = Outcome.from_dict(json.loads(out.read_text(encoding="utf-8")))
    assert outcome.settings["hold_out"] == 0.1
    assert "knowledge base text2kg" in outcome.sources


def test_in_two_processes_and_from_what_was_kept(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are the same in one process, in two, and when nothing is judged any more."""
    kb = made_mining.towns(tmp_path / "kb")
    given = ["eval", "mine", "--kb", str(kb), "--most", "4", "--hold-out", "0", "--no-questions", "--json"]
    plain, kept = json.loads(shell(*given).out), tmp_path / "kept"
    two = json.loads(shell(*given, "--jobs", "2", "--keep", str(kept)).out)
    assert two["rows"] == plain["rows"] != []
    assert len(list(kept.rglob("*.json"))) == len({row["id"] for row in plain["rows"]})
    monkeypatch.setattr("imprimatur.evals.texts.verdict_of", lambda report: pytest.fail("was kept"))
    assert json.loads(shell(*given, "--keep", str(kept)).out)["rows"] == plain["rows"]


def test_one_file_for_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two files for one folder are a mistake in the call."""
    with pytest.raises(SystemExit):
        text2kg(["a.jsonl", "b.jsonl", "--folder", str(tmp_path)])
    assert "--folder takes one FILE" in capsys.readouterr().err


def test_rows_are_written_and_judged_again(shell: Shell, tmp_path: Path) -> None:
    """What `mine` wrote, `claims` reads; questions can be left out."""
    kb, rows = str(made_mining.towns(tmp_path / "kb")), str(tmp_path / "rows.jsonl")
    mined = shell("eval", "mine", "--kb", kb, "--most", "6", "--no-questions", "--write", rows, "--json")
    assert mined.status == 0
    told = json.loads(mined.out)
    assert told["schema"].startswith("imprimatur.outcome/")
    assert not [table for table in told["tables"] if "questions" in table["title"]]
    judged = shell("eval", "claims", rows, "--kb", kb, "--json")
    assert json.loads(judged.out)["rows"] == len(told["rows"])


@pytest.mark.parametrize(
    ("data", "more", "said"),
    [
        ("", "", "no facts to make claims of"),
        (':a rdfs:label "Aldo" .', "", "no claim can be made"),
        (':a rdfs:label "Aldo" ; :p 3 .', "", "no fact can be held out"),
    ],
)
def test_knowledge_bases_that_give_nothing(shell: Shell, tmp_path: Path, data: str, more: str, said: str) -> None:
    """Say so, with a hint and the status of a mistake, and no traceback."""
    kb = str(made_mining.write(tmp_path / "kb", data, more=more))
    share = "0.5" if "held out" in said else "0"
    ran = shell("eval", "mine", "--kb", kb, "--hold-out", share, "--seed", "3")
    assert ran.status == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_tables_are_measured_too(shell: Shell, tmp_path: Path) -> None:
    """A folder that `kb build` made is a knowledge base like any other, but its facts cannot be held out."""
    (tmp_path / "kilns.csv").write_text("kiln,height (m),maker\nArdle,7.5,Mara\nBrack,12,Nils\nCoyle,3.2,Mara\n")
    assert shell("kb", "build", str(tmp_path / "kilns.csv"), "--out", str(tmp_path / "kb")).status == 0
    ran = shell("eval", "mine", "--kb", str(tmp_path / "kb"), "--hold-out", "0", "--most", "5")
    assert ran.status == 0, ran.err
    assert "height" in ran.out
    refused = shell("eval", "mine", "--kb", str(tmp_path / "kb"), "--hold-out", "0.5")
    assert refused.status == 2
    assert "held out" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rivers", "philosophers", "domains"])
def test_the_bundled_domains(shell: Shell, command: str) -> None:
    """Nothing false is licensed, what breaks a constraint is refused, and the paper's figures stand beside."""
    ran = shell("eval", command, "--most", "8", "--json")
    assert ran.status == 0, ran.out[:2000]
    outcome = Outcome.from_dict(json.loads(ran.out))
    rows = {str(row[0]): row[1:] for row in outcome.tables[0].rows}
    for cell in rows["FAR-NE (eq. 4)"]:
        assert getattr(cell, "value", None) == 0.0
    for cell in rows["CVRR (eq. 3)"]:
        assert getattr(cell, "value", None) == 1.0
    assert getattr(rows["FAR-NE (eq. 4)"][0], "published", None) is not None


def test_given_rows_of_a_domain(shell: Shell, tmp_path: Path) -> None:
    """A file of labelled rows takes the place of made claims."""
    row = {"id": 1, "text": "The Rhine flows into the Moon.", "label": "not_found"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    ran = shell("eval", "rivers", str(tmp_path / "rows.jsonl"), "--json")
    assert ran.status == 0
    assert len(json.loads(ran.out)["rows"]) == 1


@pytest.mark.parametrize("command", ["mine --kb x --hold-out", "figures x --threshold"])
def test_nan_is_no_number(shell: Shell, command: str) -> None:
    """No bound keeps it out by itself, and every comparison with it fails in silence."""
    ran = shell("eval", *command.split(), "nan")
    assert (ran.status, " not a number" in ran.err) == (2, True)
