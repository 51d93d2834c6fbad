"""Loading without garbage collection: what it makes stays, and looking through all of it again and again takes time."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["uncollected"]


@contextmanager
def uncollected(*, keep: bool = False) -> Iterator[None]:
    """Within it no cycles are collected; after it as before.

    Args:
        keep: what there is afterwards stays to the end of the process, and is never looked through.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if keep:
            gc.freeze()
        if was:
            gc.enable()
