"""`check` and `explain`: input, output, exit statuses, recording, and harmless printing."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from imprimatur.cli.options import ledger_path
from imprimatur.cli.terminal import aligned, plain
from imprimatur.ledger import Ledger
from imprimatur.report_json import report_schema

Shell = Callable[..., Any]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("supported so", 0),
        ("Hello!", 0),
        ("", 0),
        ("contradicted so", 1),
        ("conflicting so", 1),
        ("not_found so", 1),
        ("ambiguous so", 1),
        ("unchecked so", 3),
    ],
)
@pytest.mark.usefixtures("oracle")
def test_exit_statuses(shell: Shell, answer: str, status: int) -> None:
    """The exit status follows the worst label, for people and for programs alike."""
    assert shell("check", answer, "--no-ledger").status == status
    ran = shell("check", answer, "--json", "--no-ledger")
    assert ran.status == status
    Draft202012Validator(report_schema()).validate(json.loads(ran.out))


def test_an_answer_is_a_text_a_file_or_standard_input(shell: Shell, oracle: Any, tmp_path: Path) -> None:
    """All three give the same text, line ends and all, and a byte-order mark is no part of it."""
    text = "Zwölf\r\nBäche \U0001f642"
    file = tmp_path / "answer.txt"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    shell("check", text, "--no-ledger")
    shell("check", str(file), "--no-ledger")
    shell("check", "-", "--no-ledger", stdin=text.encode())
    shell("check", "--no-ledger", stdin=text.encode())
    assert [call["text"] for call in oracle.calls] == [text] * 4


def test_options_reach_the_oracle(shell: Shell, oracle: Any, tmp_path: Path) -> None:
    """Question, passages in order, and the day arrive."""
    (tmp_path / "a").write_text("passage A")
    (tmp_path / "b").write_text("passage B")
    options = ["--question", "Why?", "--context", str(tmp_path / "a"), "--context", str(tmp_path / "b")]
    shell("check", "x", *options, "--as-of", "2030-02-03", "--no-ledger")
    call = oracle.calls[0]
    assert (call["question"], call["context"]) == ("Why?", ("passage A", "passage B"))
    assert call["as_of"] == date(2030, 2, 3)


@pytest.mark.usefixtures("oracle")
def test_people_see_claims_evidence_accounting_and_what_may_be_shown(shell: Shell) -> None:
    """Without colour every label is a sign and a word, and the evidence stands below its claim."""
    out = shell("check", "contradicted claim", "--no-ledger").out
    assert "✗ contradicted" in out
    assert '"25" .  [graph: elm.ttl]' in out
    assert "right would be: 25 km" in out
    assert "Which Elm?" in out
    assert "Accounting: 1 segment: 1 contradicted" in out
    assert "Decision: abstained (contradicted)" in out
    assert "May be shown:\n  withheld" in out
    assert "\x1b" not in out


@pytest.mark.usefixtures("oracle")
def test_text_is_never_obeyed_by_the_terminal(shell: Shell) -> None:
    """Escape sequences, reordering marks and bells are shown, not sent."""
    out = shell("check", "supported \x1b]0;owned\x07 \u202egnp.exe \x9b31m [bold]x[/bold]", "--no-ledger").out
    assert not set("\x1b\x07\u202e\x9b") & set(out)
    assert "\\x1b]0;owned\\x07" in out
    assert "[bold]x[/bold]" in out


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (("check", "absent.txt"), b"", "no such file"),
        (("check", "-"), b"\xff\xfe", "not UTF-8"),
        (("check", "x\udcff"), b"", "not valid UTF-8"),
        (("check", "x", "--context", "absent"), b"", "cannot be read"),
        (("check", "x", "--as-of", "yesterday"), b"", "Invalid value"),
        (("check", "x", "--no-such-option"), b"", "No such option"),
        (("chekc", "x"), b"", "Did you mean 'check'?"),
        (("zzzzzz",), b"", "--help"),
    ],
)
@pytest.mark.usefixtures("oracle")
def test_mistakes_in_the_call_end_with_two(shell: Shell, args: tuple[str, ...], stdin: bytes, message: str) -> None:
    """The message goes to stderr, and nothing to stdout."""
    ran = shell(*args, stdin=stdin)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_without_a_knowledge_base_the_error_says_what_to_do(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way out is named: a folder, or a bundled name."""
    monkeypatch.chdir(tmp_path)
    ran = shell("check", "x")
    assert (ran.status, "--kb rivers" in ran.err) == (2, True)
    ran = shell("check", "x", "--kb", "rivrs")
    assert (ran.status, "did you mean the bundled 'rivers'?" in ran.err) == (2, True)


@pytest.mark.usefixtures("oracle")
def test_faults_end_with_three_and_without_a_traceback(shell: Shell) -> None:
    """A known fault says what, where and how to mend it; an unknown one says how to see more."""
    ran = shell("check", "fail now")
    assert (ran.status, ran.err) == (3, "error: the check failed\n  where: shape 3\n  hint: try again\n")
    ran = shell("check", "crash now")
    assert ran.status == 3
    assert "internal error: ZeroDivisionError: by \\x1b[31mzero" in ran.err
    assert "--debug" in ran.err
    with pytest.raises(ZeroDivisionError):
        shell("--debug", "check", "crash now")


def test_reports_are_recorded_where_it_is_said(shell: Shell, oracle: Any, tmp_path: Path) -> None:
    """--ledger, the default place, and --no-ledger."""
    place = tmp_path / "l"
    shell("check", "supported a", "--kb", "rivers", "--ledger", str(place))
    shell("check", "supported b", "--kb", "rivers", "--ledger", str(place), "--no-ledger")
    with Ledger.open(place, create=False) as ledger:
        (record,) = ledger.list()
    assert (record.kb, record.report()["segments"][0]["claims"][0]["text"]) == ("rivers", "supported a")
    assert len(oracle.calls) == 2


@pytest.mark.usefixtures("oracle")
def test_a_named_ledger_must_work_and_the_default_one_may_not(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A place that was named and fails ends with 3; the default place gives a warning."""
    (tmp_path / "file").write_text("")
    bad = tmp_path / "file" / "ledger"
    assert shell("check", "supported", "--ledger", str(bad)).status == 3
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    ran = shell("check", "supported")
    assert (ran.status, "warning: not recorded" in ran.err) == (0, True)
    monkeypatch.setenv("IMPRIMATUR_LEDGER", str(bad))
    assert shell("check", "supported").status == 3


def test_where_the_ledger_is() -> None:
    """The variable first, then the XDG data home if it is absolute, then the home folder."""
    assert ledger_path({"IMPRIMATUR_LEDGER": "x"}) == Path("x")
    assert ledger_path({"XDG_DATA_HOME": "/d"}) == Path("/d/imprimatur/ledger.sqlite")
    assert ledger_path({"XDG_DATA_HOME": "d"}) == Path("~/.local/share/imprimatur/ledger.sqlite").expanduser()


@pytest.mark.usefixtures("oracle")
def test_explain_says_why_and_what_is_needed(shell: Shell) -> None:
    """For people and as JSON; nothing to explain is said too."""
    ran = shell("explain", "not_found thing")
    assert ran.status == 1
    assert "why:    the graph is silent" in ran.out
    assert "needed: a triple\n            such as this" in ran.out
    (item,) = json.loads(shell("explain", "not_found thing", "--json").out)
    assert (item["start"], item["label"], item["why"]) == (0, "not_found", "the graph is silent")
    assert shell("explain", "supported").out == "Nothing was withheld.\n"


def test_plain_text_and_tables() -> None:
    """Line ends are unified, surrogates shown, columns aligned."""
    assert plain("a\r\nb\tc\ud800\r") == "a\nb\tc\\ud800\\x0d"
    assert aligned(("a", "long head"), [("wide cell", "x\ny"), ("\x1b", "")]) == (
        "a          long head\nwide cell  x y\n\\x1b"
    )
