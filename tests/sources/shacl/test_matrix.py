"""The SHACL page of the docs says what the compiler does."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from imprimatur.sources.shacl.matrix import rows
from imprimatur.sources.shacl.parameters import PARAMETERS

ROOT = Path(__file__).parents[3]


def test_the_page_is_current() -> None:
    """docs/reference/shacl.md is what scripts/write_shacl_docs.py prints."""
    spec = importlib.util.spec_from_file_location("write_shacl_docs", ROOT / "scripts" / "write_shacl_docs.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (ROOT / "docs" / "reference" / "shacl.md").read_text(encoding="utf-8") == script.page()


def test_core_is_compiled_in_full() -> None:
    """Every constraint parameter, path and target of SHACL Core is compiled."""
    found = {row.feature: row.way for row in rows()}
    assert all(found[f"`sh:{name}`"] == "compiled" for name in PARAMETERS if name != "sparql")
    beyond = (
        "`sh:target` (",
        "`sh:expression`",
        "NOW",
        "SAMPLE",
        "an expression",
        "LIMIT",
        "negated",
        "MINUS",
        "GRAPH",
    )
    assert {feature for feature, way in found.items() if way != "compiled"} == {
        feature for feature in found if any(word in feature for word in beyond)
    }
