"""Imports go one way: a module imports from its own room or from rooms below it (DESIGN section 5)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import imprimatur

_ROOT = Path(imprimatur.__file__).parent

#: The rooms from the ground up; a module is in the first room that names it, or the package that it is in.
ROOMS: tuple[tuple[str, ...], ...] = (
    ("collection", "dataclasses", "expressions", "public"),
    ("errors", "values", "answer", "claim", "evidence", "verdict", "decision", "report", "report_json", "tagged"),
    ("clock", "observer", "stopwatch", "registry", "settings_file", "config", "policy", "policy_file", "protocols"),
    ("language", "segment", "models"),
    ("extract",),
    ("sources", "judges", "extractors", "correctors", "teqhallu"),
    (
        *(
            "settle",
            "account",
            "vouched",
            "waive",
            "hearing",
            "confirming",
            "frame",
            "given",
            "reporting",
            "lowering",
            "examine",
            "trim",
            "cut",
            "redact",
            "decide",
            "release",
            "recheck",
            "sense",
            "acceptable",
            "corrector",
            "correcting",
            "stream",
            "explain",
            "trace",
            "drive",
        ),
        *("text_part", "knowledge", "renewal", "oracle", "graphrag", "kb_build", "kb_init", "kb_suggest"),
    ),
    ("retrieve",),
    ("generate", "retrofit", "ledger", "telemetry", "ingest"),
    ("cli", "evals", "serve", "testing", "tune", "__main__"),
)
_LEVEL = {name: level for level, names in enumerate(ROOMS) for name in names}
_MODULES = sorted(path.relative_to(_ROOT) for path in _ROOT.rglob("*.py") if path.name != "__init__.py")


def _room(dotted: str) -> str:
    """The part of ``imprimatur.a.b`` that names a room; private modules belong to the one they are named after."""
    name = dotted.split(".")[1]
    return name if name in _LEVEL else name.lstrip("_").split("_")[0]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module == "imprimatur":
                yield from (f"imprimatur.{alias.name}" for alias in node.names if not alias.name.startswith("__"))
            elif node.module is not None:
                yield node.module


@pytest.mark.parametrize("module", _MODULES, ids=str)
def test_imports_go_one_way(module: Path) -> None:
    """No module imports from a room above its own, under any condition."""
    own = _room(".".join(("imprimatur", *module.with_suffix("").parts)))
    assert own in _LEVEL, f"{module}: give it a room"
    for name in _imports(_ROOT / module):
        if name.startswith("imprimatur."):
            assert _LEVEL[_room(name)] <= _LEVEL[own], f"{module} imports {name}"


def test_extract_knows_no_source() -> None:
    """What is extracted does not depend on any source, directly or through a condition."""
    for module in _MODULES:
        if module.parts[0] == "extract":
            assert not [name for name in _imports(_ROOT / module) if name.startswith("imprimatur.sources")]
