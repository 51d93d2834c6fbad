"""Every error that Imprimatur raises on purpose.

The tree, with the exit status that the command line gives each branch::

    ImprimaturError
    ├── UsageError                 the caller's mistake; exit status 2
    │   ├── ConfigError            imprimatur.yaml says something it must not
    │   ├── PolicyError            a policy says something it must not
    │   ├── KnowledgeBaseError     a knowledge base's folder or file is absent or wrong
    │   └── InputError             an answer, a row or an option cannot be read
    └── RuntimeFault               something failed while working; exit status 3
        ├── StoreUnavailable       a store cannot be reached now (retryable)
        ├── LedgerError            the ledger cannot be read, written or trusted
        ├── CheckFailed            a check crashed or gave nonsense; its claim is ``unchecked``
        ├── ModelFailed            a model's server answered with an error, or with what is no answer
        │   └── ShapeRefused       it does not know the form of answer that was asked for
        └── LimitExceeded          a limit of time or size was reached; what is left is ``unchecked``

Invariants: every error says what is wrong, where, and (``hint``) how to mend it; a refuted claim is a value and never
an error; errors survive pickling, so that they cross process pools whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

__all__ = [
    "CheckFailed",
    "ConfigError",
    "ImprimaturError",
    "InputError",
    "KnowledgeBaseError",
    "LedgerError",
    "LimitExceeded",
    "ModelFailed",
    "PolicyError",
    "RuntimeFault",
    "ShapeRefused",
    "StoreUnavailable",
    "UsageError",
    "nearest",
]


class ImprimaturError(Exception):
    """The root of the tree.

    Attributes:
        message: what is wrong, in one sentence.
        hint: how to mend it; empty when nothing useful can be said.
        where: the file (with line), key or row that is meant; empty when it is clear.
        retryable: whether the same call may succeed later without any change.
    """

    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str = "", where: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message

    def __reduce__(self) -> tuple[Callable[..., ImprimaturError], tuple[object, ...]]:
        return _rebuild, (type(self), self.message, self.hint, self.where)


def _rebuild(kind: type[ImprimaturError], message: str, hint: str, where: str) -> ImprimaturError:
    return kind(message, hint=hint, where=where)


class UsageError(ImprimaturError):
    """The caller's mistake: the same call fails again until something is mended."""


class ConfigError(UsageError):
    """``imprimatur.yaml`` has an unknown key, a wrong type or a value that is not allowed."""


class PolicyError(UsageError):
    """A policy has an unknown key, a wrong type or an action that is not allowed."""


class KnowledgeBaseError(UsageError):
    """The folder of a knowledge base, or a file in it, is absent or cannot be read as what it should be."""


class InputError(UsageError):
    """An answer, a row or an option that was given cannot be read."""


class RuntimeFault(ImprimaturError):
    """Something failed while working, through no fault of the caller."""


class StoreUnavailable(RuntimeFault):
    """A store or server cannot be reached; never the same as "nothing found"."""

    retryable: ClassVar[bool] = True


class LedgerError(RuntimeFault):
    """The ledger cannot be opened, written, or does not verify."""


class CheckFailed(RuntimeFault):
    """A check crashed or gave nonsense; what it should have judged is ``unchecked``."""


class ModelFailed(RuntimeFault):
    """A model's server answered with an error or with what is no answer; nothing that it says of it is repeated."""


class ShapeRefused(ModelFailed):
    """A model's server does not take the form of answer that was asked for; it may take a simpler one."""


class LimitExceeded(RuntimeFault):
    """A limit of time, size or depth was reached; what is left is ``unchecked``."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that ``name`` was probably meant to be, or None when none is near."""
    import difflib  # takes longer to import than all errors

    near = difflib.get_close_matches(name[:100].lower(), sorted(known), n=1, cutoff=0.6)
    return near[0] if near else None
