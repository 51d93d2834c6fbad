"""The WordNet extract on disk: layout and raw look-ups. Opened at the first look-up, mapped, never copied.

Layout, all numbers little-endian and 32 bits wide: ``MAGIC``, then offset and length of each section, then

1. first synset id of each part of speech, in the order of ``POS``;
2. offsets of the blocks of section 7;
3. per lemma, where its senses begin in section 4;
4. senses: synset id (17 bits), tag count (15 bits), parts of speech in the order of ``POS``, then in sense order;
5. per synset, where it begins in section 6;
6. synsets: lexicographer file (8 bits) and number of members; lemma ids; pointers as synset id (17 bits), kind as an
   index into ``POINTERS`` (5 bits), member that points and member pointed at (5 bits each, from 1; 0: the synset);
7. lemmas, sorted, in blocks of ``BLOCK``: the first in full, each further line as one byte (32 + length of the
   beginning shared with the lemma before) and the rest;
8. irregular forms as text, one a line: part of speech, a space, surface form, and after tabs its lemmas.

Lemma ids are positions in section 7, synset ids positions in section 6.
"""

from __future__ import annotations

import mmap
import struct
import sys
from array import array
from bisect import bisect_right
from functools import cache, lru_cache
from pathlib import Path

from imprimatur.errors import RuntimeFault

__all__ = [
    "BLOCK",
    "COUNT_LIMIT",
    "HEADER",
    "MAGIC",
    "POINTERS",
    "POS",
    "SECTIONS",
    "SYNSET_BITS",
    "WordNetFile",
    "id_of",
    "opened",
    "senses_of",
]

MAGIC = b"IMPWN\x00\x00\x01"
SECTIONS = 8
HEADER = struct.Struct(f"<8s{2 * SECTIONS}I")
BLOCK = 16
POS = ("n", "v", "a", "r")
SYNSET_BITS = 17
COUNT_LIMIT = (1 << 15) - 1
POINTERS = ("@", "!", "&", "+", "\\", "=", "*", ">", "$", "<")
_SYNSET = (1 << SYNSET_BITS) - 1
_MOST_BLOCKS = 4096  # of which each takes about 1.5 KiB
_LONGEST = 80  # characters; the longest lemma has 71
_MEND = "reinstall imprimatur, or build the extract again with scripts/build_wordnet.py"
_PATH = Path(__file__).parent.parent / "resources" / "wordnet" / "wordnet.bin"


class WordNetFile:
    """The mapped file. All look-ups are by position; what is kept is the map and the lemmas of some blocks."""

    __slots__ = (
        "_blob",
        "_blocks",
        "_first",
        "_heads",
        "_irregular",
        "_map",
        "_read",
        "_sense_at",
        "_senses",
        "_synset_at",
        "_synsets",
    )

    def __init__(self, path: Path) -> None:
        """Map ``path``.

        Raises:
            RuntimeFault: when the file is absent or is not such an extract.
        """
        self._map = _mapped(path)
        _, *table = HEADER.unpack_from(self._map)
        view = memoryview(self._map)
        parts = [view[at : at + size] for at, size in zip(table[::2], table[1::2])]
        numbers = [_numbers(part) for part in parts[:6]]
        self._first, self._blocks, self._sense_at, self._senses, self._synset_at, self._synsets = numbers
        self._blob, self._irregular = table[12], parts[7]
        self._heads: dict[int, bytes] = {}
        self._read: dict[int, tuple[bytes, ...]] = {}

    def find(self, lemma: str) -> int | None:
        """The id of a lemma."""
        wanted = lemma.encode(errors="replace")
        heads, head = self._heads, self._head
        low, high = 0, len(self._blocks) - 1
        while low < high:  # as ``bisect_right`` does, which would call a function for every head
            middle = (low + high) // 2
            if wanted < (heads.get(middle) or head(middle)):
                high = middle
            else:
                low = middle + 1
        block = low - 1
        if block < 0:
            return None
        lemmas = self._block(block)
        return block * BLOCK + lemmas.index(wanted) if wanted in lemmas else None

    def lemma(self, lemma_id: int) -> str:
        """The lemma of an id."""
        return self._block(lemma_id // BLOCK)[lemma_id % BLOCK].decode()

    def senses(self, lemma_id: int, pos: str) -> list[tuple[int, int]]:
        """Synset ids and tag counts in sense order."""
        packed = self._senses[self._sense_at[lemma_id] : self._sense_at[lemma_id + 1]]
        at = POS.index(pos)
        low, high = self._first[at], self._first[at + 1] if at + 1 < len(POS) else _SYNSET + 1
        return [(p & _SYNSET, p >> SYNSET_BITS) for p in packed if low <= p & _SYNSET < high]

    def pos(self, synset: int) -> str:
        """The part of speech of a synset."""
        return POS[bisect_right(self._first, synset) - 1]

    def lexname(self, synset: int) -> int:
        """The number of the lexicographer file that a synset comes from."""
        return self._synsets[self._synset_at[synset]] & 0xFF

    def members(self, synset: int) -> list[int]:
        """The lemma ids of a synset, the member numbered 1 first."""
        at = self._synset_at[synset]
        return self._synsets[at + 1 : at + 1 + (self._synsets[at] >> 8)].tolist()

    def pointers(self, synset: int, kinds: str) -> list[tuple[int, int, int]]:
        """Source member, target synset and target member of each pointer whose symbol is in ``kinds``."""
        at = self._synset_at[synset]
        first, stop = at + 1 + (self._synsets[at] >> 8), self._synset_at[synset + 1]
        if first == stop:
            return []
        wanted = _numbered(kinds)
        packed = self._synsets[first:stop]
        return [(p >> 22 & 0x1F, p & _SYNSET, p >> 27) for p in packed if p >> SYNSET_BITS & 0x1F in wanted]

    def irregular(self) -> dict[str, str]:
        """Section 8: part of speech and surface form ("n mice") to lemmas, tabs between them."""
        return dict(line.split("\t", 1) for line in bytes(self._irregular).decode().splitlines())

    def _head(self, block: int) -> bytes:
        """The first lemma of a block."""
        found = self._heads.get(block)
        if found is None:
            at, limit = self._blob + self._blocks[block], self._blob + self._blocks[block + 1]
            end = self._map.find(b"\n", at, limit)
            found = self._heads[block] = self._map[at : limit if end < 0 else end]
        return found

    def _block(self, block: int) -> tuple[bytes, ...]:
        """The lemmas of a block; as many blocks are kept as are in use at a time."""
        found = self._read.get(block)
        if found is None:
            if len(self._read) >= _MOST_BLOCKS:
                self._read.clear()
            found = self._read[block] = self._lemmas(block)
        return found

    def _lemmas(self, block: int) -> tuple[bytes, ...]:
        lemma, *rest = self._map[self._blob + self._blocks[block] : self._blob + self._blocks[block + 1]].split(b"\n")
        found = [lemma]
        for line in rest:
            lemma = lemma[: line[0] - 32] + line[1:]
            found.append(lemma)
        return tuple(found)


@cache
def _numbered(kinds: str) -> frozenset[int]:
    """The indices of some symbols in ``POINTERS``."""
    return frozenset(n for n, symbol in enumerate(POINTERS) if symbol in kinds)


def _mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise RuntimeFault(f"cannot open the WordNet extract: {error}", hint=_MEND, where=str(path)) from error
    if len(mapped) < HEADER.size or mapped[: len(MAGIC)] != MAGIC:
        raise RuntimeFault("this is not a WordNet extract of this version", hint=_MEND, where=str(path))
    return mapped


def _numbers(part: memoryview) -> memoryview:
    if sys.byteorder == "little":
        return part.cast("I")
    swapped = array("I", part)
    swapped.byteswap()
    return memoryview(swapped)


@lru_cache(maxsize=1)
def opened() -> WordNetFile:
    """The extract that is shipped with the package, opened at the first call."""
    return WordNetFile(_PATH)


@lru_cache(maxsize=16384)
def id_of(lemma: str) -> int | None:
    return opened().find(lemma)


@lru_cache(maxsize=32768)
def _senses_of(lemma: str, pos: str) -> tuple[tuple[int, int], ...]:
    lemma_id = id_of(lemma)
    return () if lemma_id is None else tuple(opened().senses(lemma_id, pos))


def senses_of(lemma: str, pos: str) -> tuple[tuple[int, int], ...]:
    """Synset ids and tag counts of a lemma in sense order; empty when it is none of that part of speech."""
    return _senses_of(lemma, pos) if len(lemma) <= _LONGEST else ()
