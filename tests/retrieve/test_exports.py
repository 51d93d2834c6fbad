"""The names of the package: each is there, comes from its own module, and costs nothing before it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import imprimatur.retrieve as package


@pytest.mark.parametrize("name", package.__all__)
def test_every_name_loads(name: str) -> None:
    """Each name is what its module exports."""
    module = sys.modules[f"imprimatur.retrieve.{package._HOME[name]}"] if getattr(package, name) else None
    assert module is not None
    assert getattr(module, name) is getattr(package, name)
    assert name in module.__all__


def test_the_names_are_those_of_the_homes() -> None:
    """Nothing is listed that has no home, or the other way round; other names are errors."""
    assert sorted(package.__all__) == sorted(package._HOME)
    with pytest.raises(AttributeError):
        _ = package.nothing


def test_the_process_of_queries_is_light() -> None:
    """The module that answers queries imports no lexicon, no oracle and no rdflib."""
    code = "import sys, imprimatur.retrieve.query_child; print(*[m for m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "imprimatur.retrieve.query_child" in loaded
    assert not {"rdflib", "imprimatur.oracle", "imprimatur.sources.graph.lexicon", "numpy"} & set(loaded)
