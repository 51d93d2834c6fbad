"""The program as a whole, and the small commands: help, policy, ledger, doctor, demo, eval, kb info."""

from __future__ import annotations

import importlib
import json
import os
import sqlite3
import subprocess
import sys
import types
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from made_reports import report_of

from imprimatur.cli.demo import ANSWERS
from imprimatur.cli.main import COMMANDS
from imprimatur.evals.running import Running
from imprimatur.language.parser import Parser
from imprimatur.ledger import Ledger
from imprimatur.policy import load
from imprimatur.verdict import Label

Shell = Callable[..., Any]


def test_help_lists_every_command(shell: Shell) -> None:
    """Each command stands in the help with its line, and nothing that is not there."""
    out = shell("--help").out
    for name, (module, line) in COMMANDS.items():
        assert name in out
        assert importlib.import_module(module).command is not None
        assert line.split()[0] in out


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help(shell: Shell, name: str) -> None:
    """The help of a command begins with the line that the program's own help gives it."""
    ran = shell(name, "--help")
    words = " ".join(ran.out.split())
    assert ran.status == 0
    assert COMMANDS[name][1].rstrip(".").split(" (")[0][:40] in words


def test_version(shell: Shell) -> None:
    """The version is that of the package."""
    assert shell("--version").out.startswith("imprimatur 0.")


def test_start_up_is_light() -> None:
    """Neither help nor the check command imports a graph library or a printing library."""
    code = (
        "import sys\nfrom imprimatur.cli.main import run\nrun(['--help'])\nrun(['check', '--help'])\n"
        "heavy = {'rdflib', 'pyshacl', 'rich', 'pyoxigraph', 'sqlite3', 'numpy', 'asyncio', 'yaml', 'opentelemetry'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_check_loads_only_what_it_needs(tmp_path: Path) -> None:
    """A warm check of a plain sentence loads nothing that reads queries, no rules and no model of comparisons."""
    code = (
        "import sys\nfrom imprimatur.cli.main import run\n"
        "status = run(['check', 'The Ohoopee River is 192 km long.', '--kb', 'rivers', '--no-ledger'])\n"
        "shacl, graph = 'imprimatur.sources.shacl.', 'imprimatur.sources.graph.'\n"
        "spare = {'importlib.resources', shacl + 'query', shacl + 'rules', graph + 'compared', 'opentelemetry'}\n"
        "assert shacl + 'engine' in sys.modules\n"
        "print(status, sorted(spare & set(sys.modules)))"
    )
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    program = [sys.executable, "-c", code]
    for _ in range(2):
        ran = subprocess.run(program, capture_output=True, text=True, check=True, env=env)
    assert ran.stdout.splitlines()[-1] == "0 []"


def test_a_reader_that_goes_away_is_no_error() -> None:
    """Closing the pipe ends the program quietly."""
    code = (
        "import sys\nfrom imprimatur.cli.main import main\n"
        "sys.argv = ['imprimatur', 'policy', 'show', 'strict']\nmain()"
    )
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout is not None
    program.stdout.close()
    assert program.stderr is not None
    assert program.stderr.read() == b""
    program.stderr.close()
    assert program.wait() == 141


def test_policy_lint(shell: Shell, tmp_path: Path) -> None:
    """Clean, odd and wrong policies end with 0, 1 and 2."""
    assert shell("policy", "lint", "strict").status == 0
    odd, wrong = tmp_path / "odd.yaml", tmp_path / "wrong.yaml"
    odd.write_text("version: 1\ntrust: [model]\n")
    wrong.write_text("version: 1\nlabels: {unchecked: license}\n")
    assert (shell("policy", "lint", str(odd)).status, shell("policy", "lint", str(wrong)).status) == (1, 2)


def test_policy_show_resolved_is_a_policy(shell: Shell) -> None:
    """What is printed can be read again, as YAML and as JSON; the short form names every label."""
    policy = load("redact")
    assert load(yaml.safe_load(shell("policy", "show", "redact", "--resolved").out)) == policy
    assert load(json.loads(shell("policy", "show", "redact", "--json").out)) == policy
    short = shell("policy", "show", "redact").out
    assert all(label.value in short for label in Label)


def test_ledger_commands(shell: Shell, tmp_path: Path) -> None:
    """List, show and verify, for people and as JSON; a ledger that was changed ends with 3."""
    place = tmp_path / "l"
    assert shell("ledger", "list", "--ledger", str(place)).status == 3
    with Ledger.open(place) as ledger:
        ledger.append(
            report_of("The \x1b Elm.", Label.CONTRADICTED), kb="riv\x1bers", at=datetime(2030, 1, 1, tzinfo=UTC)
        )
    listed = shell("ledger", "list", "--ledger", str(place))
    assert "2030-01-01T00:00:00  riv\\x1bers" in listed.out
    assert json.loads(shell("ledger", "list", "--json", "--ledger", str(place)).out)[0]["id"] == 1
    shown = shell("ledger", "show", "1", "--ledger", str(place))
    assert "contradicted: The \\x1b Elm. (value-mismatch)" in shown.out
    assert json.loads(shell("ledger", "show", "1", "--json", "--ledger", str(place)).out)["report"]["summary"]
    assert shell("ledger", "show", "2", "--ledger", str(place)).status == 3
    assert shell("ledger", "verify", "--ledger", str(place)).out.endswith("verified\n")
    connection = sqlite3.connect(place)
    connection.execute("DROP TRIGGER records_no_update")
    connection.execute("UPDATE records SET kb = 'x'")
    connection.commit()
    connection.close()
    ran = shell("ledger", "verify", "--json", "--ledger", str(place))
    assert (ran.status, len(json.loads(ran.out)["faults"])) == (3, 1)


def test_doctor(shell: Shell) -> None:
    """Everything needed is found here, and the findings are plain JSON too."""
    ran = shell("doctor")
    assert (ran.status, "Python" in ran.out) == (0, True)
    found = {item["what"]: item["state"] for item in json.loads(shell("doctor", "--json").out)}
    assert (found["pyoxigraph"], found["cache"], found["ledger"]) == ("ok", "ok", "ok")
    assert found["parser"] == "ok"
    assert set(found.values()) <= {"ok", "absent"}


@pytest.mark.parametrize(
    ("parser", "state", "detail"),
    [(None, "absent", "pip install 'imprimatur[parse]'"), (Parser("json"), "wrong", "cannot be loaded")],
)
def test_doctor_tells_what_reads(
    parser: Parser | None, state: str, detail: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the parser the grammar alone reads; a parser that is broken is wrong."""
    monkeypatch.setattr("imprimatur.language.parser.parser_of", lambda language: parser)
    ran = shell("doctor", "--json")
    (found,) = [item for item in json.loads(ran.out) if item["what"] == "parser"]
    assert (found["state"], detail in found["detail"]) == (state, True)
    assert ran.status == (3 if state == "wrong" else 0)


def test_demo_judges_three_answers(shell: Shell, oracle: Any) -> None:
    """Each answer goes through the oracle and is printed with what may be shown."""
    ran = shell("demo")
    assert ran.status == 0
    assert [call["text"] for call in oracle.calls] == [answer for _, answer in ANSWERS]
    assert ran.out.count("May be shown") == 3


def test_eval_claims_runs_the_evaluation(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The options reach the evaluation, and its status is the command's."""
    calls: list[tuple[object, ...]] = []

    def run(rows: Path, kb: str, *, as_json: bool, policy: str | None, **more: object) -> int:
        calls.append((rows, kb, as_json, policy))
        assert more == {"out": None, "running": Running()}
        return 3

    module = types.ModuleType("imprimatur.evals.claims")
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "imprimatur.evals.claims", module)
    assert shell("eval", "claims", "rows.jsonl", "--kb", "rivers", "--policy", "strict", "--json").status == 3
    assert calls == [(Path("rows.jsonl"), "rivers", True, "strict")]


@pytest.mark.usefixtures("oracle")
def test_kb_info(shell: Shell) -> None:
    """What the oracle says of itself is printed, nested values indented, and is plain JSON too."""
    told = f"name: fake\nsources:\n  graph:\n    triples: 3\nknowledge base: sha256:{64 * '0'}\n"
    assert shell("kb", "info", "rivers").out == told
    assert json.loads(shell("kb", "info", "rivers", "--json").out)["sources"] == {"graph": {"triples": 3}}


def test_kb_check_needs_shapes(shell: Shell, tmp_path: Path) -> None:
    """A folder without shapes is the caller's mistake, not a graph that conforms."""
    (tmp_path / "imprimatur.yaml").write_text("version: 1\n")
    ran = shell("kb", "check", str(tmp_path))
    assert (ran.status, "has no shapes" in ran.err) == (2, True)


def test_kb_check_validates_the_whole_graph(shell: Shell, tmp_path: Path) -> None:
    """A result ends with 1 and says in words, JSON and Turtle what it is; a mended graph ends with 0."""
    head = "@prefix ex: <https://example.org/> .\n@prefix sh: <http://www.w3.org/ns/shacl#> .\n"
    shape = (
        "ex:Shape a sh:NodeShape ; sh:targetClass ex:River ; sh:property [ sh:path ex:length ; sh:minExclusive 0 ] ."
    )
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ngraph: {data: d.ttl, shapes: s.ttl}\n")
    (tmp_path / "s.ttl").write_text(head + shape)
    (tmp_path / "d.ttl").write_text(head + "ex:elm a ex:River ; ex:length -3 .")
    ran = shell("kb", "check", str(tmp_path))
    assert (ran.status, "-3" in ran.out) == (1, True)
    found = json.loads(shell("kb", "check", str(tmp_path), "--json").out)
    assert (found["conforms"], found["results"][0]["focus"]) == (False, "<https://example.org/elm>")
    assert "ValidationReport" in shell("kb", "check", str(tmp_path), "--turtle").out
    (tmp_path / "d.ttl").write_text(head + "ex:elm a ex:River ; ex:length 3 .")
    assert shell("kb", "check", str(tmp_path)).status == 0
