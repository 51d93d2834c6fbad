"""The reference pages name every label and every reason code, and nothing else."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from imprimatur.verdict import Label, Reason

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
_ENTRY = re.compile(r"^## `([a-z_-]+)`$", re.MULTILINE)


@pytest.mark.parametrize(("page", "codes"), [("verdicts.md", Label), ("reasons.md", Reason)])
def test_every_code_is_documented_once(page: str, codes: type[StrEnum]) -> None:
    """A code without an entry, and an entry without a code, both fail."""
    entries = _ENTRY.findall((REFERENCE / page).read_text())
    assert sorted(entries) == sorted(code.value for code in codes)


@pytest.mark.parametrize("page", ["verdicts.md", "reasons.md"])
def test_every_entry_says_what_it_means_and_how_to_mend_it(page: str) -> None:
    """Each entry gives its meaning, an example and what to do."""
    _, *entries = re.split(r"^## ", (REFERENCE / page).read_text(), flags=re.MULTILINE)
    for entry in entries:
        for part in ("**Meaning.** ", "**Example.** ", "**To mend.** "):
            assert part in entry, entry.splitlines()[0]
