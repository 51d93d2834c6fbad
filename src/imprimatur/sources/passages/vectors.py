"""The vectors of passages in one file of numbers, searched exactly.

The product of all vectors with one is a single pass over the file, which is mapped, not loaded: exact up to any
size, and fast up to some 50,000 passages. What is less similar than the floor is never proposed: unrelated texts have
some similarity too, and a nearest neighbour always exists.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.errors import StoreUnavailable

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

__all__ = ["FLOOR", "Vectors", "write_vectors"]

#: The least similarity at which something is proposed (docs/passages.md says how it was measured).
FLOOR = 0.3


def write_vectors(path: Path, vectors: Iterable[Array]) -> None:
    """Writes vectors of one size, in order. Raises StoreUnavailable where that is not possible."""
    try:
        with path.open("xb") as stream:
            for vector in vectors:
                stream.write(vector.astype("<f4", copy=False).tobytes())
    except OSError as fault:
        raise StoreUnavailable(f"vectors cannot be written: {fault.strerror}", where=str(path)) from fault


class Vectors:
    """The vectors of an index, open."""

    def __init__(self, path: Path, *, count: int) -> None:
        """Opens a file of so many vectors. Raises StoreUnavailable where it does not hold them."""
        import numpy

        try:
            flat = numpy.memmap(path, "<f4", "r") if count else numpy.zeros(0, "<f4")
            self.all = flat.reshape(count, -1 if count else 1)
        except (OSError, ValueError) as fault:
            message = f"vectors cannot be read: {str(fault)[:200]}"
            raise StoreUnavailable(message, where=str(path), hint="build the index anew") from fault

    def __getitem__(self, number: int) -> Array:
        """The vector of a passage."""
        found: Array = self.all[number]
        return found

    def find(self, vector: Array, *, limit: int, floor: float = FLOOR) -> dict[int, float]:
        """The numbers of the passages that are at least as similar as the floor; the most similar, at most ``limit``.

        Raises:
            StoreUnavailable: the vector is of another size.
        """
        import numpy

        if not len(self.all):
            return {}
        if vector.shape[-1] != self.all.shape[1]:
            raise StoreUnavailable("the vectors are those of another model", hint="build the index anew")
        cosines = self.all @ vector
        near = numpy.flatnonzero(cosines >= floor)
        if len(near) > limit:
            near = near[numpy.argpartition(-cosines[near], limit - 1)[:limit]]
        best = sorted(((float(cosines[number]), int(number)) for number in near), key=lambda each: (-each[0], each[1]))
        return {number: cosine for cosine, number in best}
