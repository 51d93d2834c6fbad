"""The public names of the package: listed, loadable, and light."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import imprimatur


def test_names_equal_their_homes() -> None:
    """``__all__`` is what the package can load, and nothing more."""
    assert sorted(imprimatur.__all__) == sorted([*imprimatur._HOME, "__version__"])
    assert imprimatur.__all__ == sorted(imprimatur.__all__)
    assert dir(imprimatur) == imprimatur.__all__


@pytest.mark.parametrize("name", imprimatur.__all__)
def test_every_name_loads(name: str) -> None:
    """Each name is there, and its own module exports it."""
    found = getattr(imprimatur, name)
    assert found is not None
    if name in imprimatur._HOME:
        home = sys.modules[f"imprimatur.{imprimatur._HOME[name]}"]
        assert name in home.__all__
        assert found is getattr(home, name)


def test_unknown_name() -> None:
    """A name that does not exist is an AttributeError."""
    with pytest.raises(AttributeError, match="no attribute 'oracle_of_delphi'"):
        imprimatur.oracle_of_delphi  # noqa: B018


def test_version() -> None:
    """The package says the version that is installed."""
    assert imprimatur.__version__ == version("imprimatur")


def test_import_is_light() -> None:
    """``import imprimatur`` loads no module but what loads the others, and the oracle's loads no SHACL engine."""
    code = (
        "import sys, imprimatur; own = [m for m in sys.modules if m.startswith('imprimatur.')];"
        "assert own == ['imprimatur._public_names'], own;"
        "imprimatur.Oracle; heavy = {'rdflib', 'pyshacl', 'asyncio', 'pyoxigraph'} & set(sys.modules);"
        "assert not heavy - {'pyoxigraph'}, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
