"""The tree of errors: fields, branches, pickling, near names."""

from __future__ import annotations

import pickle

import pytest

from imprimatur import errors
from imprimatur.errors import ImprimaturError, RuntimeFault, UsageError, nearest

_LEAVES = (
    (errors.ConfigError, UsageError),
    (errors.PolicyError, UsageError),
    (errors.KnowledgeBaseError, UsageError),
    (errors.InputError, UsageError),
    (errors.StoreUnavailable, RuntimeFault),
    (errors.LedgerError, RuntimeFault),
    (errors.CheckFailed, RuntimeFault),
    (errors.LimitExceeded, RuntimeFault),
)


@pytest.mark.parametrize(("leaf", "branch"), _LEAVES)
def test_every_leaf_hangs_on_its_branch(leaf: type[ImprimaturError], branch: type[ImprimaturError]) -> None:
    """The caller's mistakes and the faults are separate branches of one root."""
    assert issubclass(leaf, branch)
    assert not issubclass(leaf, RuntimeFault if branch is UsageError else UsageError)


@pytest.mark.parametrize(("leaf", "_branch"), _LEAVES)
def test_errors_cross_processes_whole(leaf: type[ImprimaturError], _branch: type[ImprimaturError]) -> None:
    """Pickling keeps message, hint and place."""
    fault = pickle.loads(pickle.dumps(leaf("broken", hint="mend it", where="file:3")))
    assert type(fault) is leaf
    assert (fault.message, fault.hint, fault.where, str(fault)) == ("broken", "mend it", "file:3", "file:3: broken")


def test_only_an_unreachable_store_is_retryable() -> None:
    """A retry helps only where nothing has to be mended."""
    retryable = [leaf for leaf, _ in _LEAVES if leaf("x").retryable]
    assert retryable == [errors.StoreUnavailable]


def test_the_tree_is_drawn_in_full() -> None:
    """Every public error stands in the module's docstring."""
    names = [name for name in errors.__all__ if name[0].isupper()]
    assert all(name in (errors.__doc__ or "") for name in names)


@pytest.mark.parametrize(
    ("name", "found"), [("grahp", "graph"), ("GRAPH", "graph"), ("zzz", None), ("x" * 10**6, None)]
)
def test_nearest_finds_what_was_meant(name: str, found: str | None) -> None:
    """A near name is found, a far one is not, and a huge one costs nothing."""
    assert nearest(name, ["graph", "tables", "memory"]) == found
