"""The security page: what it says was tried is a test."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: No attacks, but what must go on beside them.
_PROPER = ("test_a_kept_connection_is_used_again", "test_others_are_not_disturbed")
_PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_what_was_tried_is_a_test() -> None:
    """Every test that the table names exists, and every line of the table names one."""
    written = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    existing = set(re.findall(r"^def (test_\w+)", written, re.M))
    table = _PAGE.partition("## What was tried")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(lines) > 30
    for line in lines:
        named = re.findall(r"`(test_\w+)`", line.split("|")[-2])
        assert named, line
        assert set(named) <= existing, set(named) - existing


def test_attacks_are_in_the_table() -> None:
    """Every test of an attack on the gateway stands in the table."""
    files = ("bodies", "going_away", "ledger_faults", "outward", "scopes", "smuggling", "stalling", "stopping")
    for name in files:
        written = (ROOT / "tests" / "serve" / f"test_{name}.py").read_text(encoding="utf-8")
        for test in re.findall(r"^def (test_\w+)", written, re.M):
            assert f"`{test}`" in _PAGE or test in (
                "test_a_kept_connection_is_used_again",
                "test_others_are_not_disturbed",
            )
