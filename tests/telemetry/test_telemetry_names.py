"""The one table of names: no name twice, the conventions' own spelled as they spell them, the same in the docs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import imprimatur
from imprimatur.telemetry import names

_ROOT = Path(__file__).parents[2]
_PACKAGE = Path(imprimatur.__file__).parent


def test_the_docs_show_the_table() -> None:
    """docs/telemetry.md has the table as the code has it (``python -m imprimatur.telemetry.names`` prints it)."""
    assert names.table() in (_ROOT / "docs/telemetry.md").read_text(encoding="utf-8")


def test_no_name_twice() -> None:
    """A name is there once for each kind of thing; only metrics and histograms have units."""
    assert len({(each.name, each.kind) for each in names.TABLE}) == len(names.TABLE)
    for each in names.TABLE:
        assert bool(each.unit) is (each.kind in ("counter", "histogram"))


def test_names_stand_in_the_table_only() -> None:
    """No other module writes a name of telemetry as a text of its own."""
    literal = {each.name for each in names.TABLE if "." in each.name and "*" not in each.name}
    modules = [*_PACKAGE.joinpath("telemetry").glob("*.py"), _PACKAGE / "serve/tracing.py"]
    for module in modules:
        if module.name == "names.py":
            continue
        texts = {
            node.value
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not texts & literal, module


def test_the_conventions_names() -> None:
    """Attributes that are said to be OpenTelemetry's are, as far as its package has them."""
    pytest.importorskip("opentelemetry.semconv", reason="the extra `telemetry` is not installed")
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
    from opentelemetry.semconv.attributes import error_attributes, http_attributes, server_attributes, url_attributes

    known = {
        value
        for module in (gen_ai_attributes, error_attributes, http_attributes, server_attributes, url_attributes)
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, str)
    }
    theirs = {each.name for each in names.TABLE if each.kind == "attribute" and each.of != "own"}
    assert theirs <= known
    assert len(theirs) == 19
