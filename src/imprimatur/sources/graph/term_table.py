"""A hash table from the text of a term to its identifier, as two flat columns that are searched without being decoded.

An entry holds the upper half of a term's 64-bit hash and its identifier; the lower half chooses the bucket. The hash is
BLAKE2b, so texts that were made to collide cost their maker more than they cost a look-up. An entry only proposes: the
text itself is compared before an identifier is given. Triple terms are not in the table.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from hashlib import blake2b
from itertools import accumulate

from imprimatur.sources.graph.index import LITERAL, MASK, SHIFT, TRIPLE, Index

__all__ = ["build_table", "find_literal", "find_node"]

#: Entries for each bucket, on average at most.
_FILL = 2


def _literal_key(lexical: bytes, tag: bytes) -> bytes:
    """What is hashed for a literal: no IRI and no blank node's label begins like it."""
    return b'"%b"%b' % (lexical, tag)


def build_table(index: Index) -> tuple[array[int], array[int]]:
    """The columns ``buckets`` and ``entries`` for an index whose terms stand (its own two columns are not read)."""
    hashes = array("Q", _hashes(index))
    bits = max(0, (len(hashes) // _FILL).bit_length() - 1)
    mask = (1 << bits) - 1
    sizes = [0] * ((1 << bits) + 1)
    numbers = [number for number, kind in enumerate(index.kinds) if kind != TRIPLE]
    for value in hashes:
        sizes[(value & mask) + 1] += 1
    buckets = array("I", accumulate(sizes))
    free = buckets[:]
    entries = array("Q", bytes(8 * len(hashes)))
    for number, value in zip(numbers, hashes, strict=True):
        bucket = value & mask
        position = free[bucket]
        free[bucket] = position + 1
        entries[position] = value >> SHIFT << SHIFT | number
    return buckets, entries


def _hashes(index: Index) -> Iterator[int]:
    text, starts, tags = index.text, index.text_start, index.tags
    langs = [lang.encode("utf-8") for lang in index.langs]
    names: dict[int, bytes] = {}
    for number, kind in enumerate(index.kinds):
        if kind == TRIPLE:
            continue
        own = bytes(text[starts[number] : starts[number + 1]])
        if kind == LITERAL:
            tag = tags[number]
            name = names.get(tag)
            if name is None:
                name = names[tag] = langs[-1 - tag] if tag < 0 else bytes(text[starts[tag] : starts[tag + 1]])
            own = _literal_key(own, name)
        yield int.from_bytes(blake2b(own, digest_size=8).digest(), "little")


def find_node(index: Index, text: str) -> int | None:
    """The identifier of an IRI or of a blank node's label; None when the graph lacks it."""
    own = text.encode("utf-8", "surrogatepass")
    for number in _proposed(index, own):
        if index.kinds[number] < LITERAL and _text(index, number) == own:
            return number
    return None


def find_literal(index: Index, lexical: str, *, datatype: str, lang: str) -> int | None:
    """The identifier of exactly this literal (with ``lang``, of any ``datatype``); None when the graph lacks it."""
    own = lexical.encode("utf-8", "surrogatepass")
    name = (lang or datatype).encode("utf-8", "surrogatepass")
    for number in _proposed(index, _literal_key(own, name)):
        if index.kinds[number] == LITERAL and _text(index, number) == own:
            tag = index.tags[number]
            if (index.langs[-1 - tag] == lang) if tag < 0 else (not lang and _text(index, tag) == name):
                return number
    return None


def _proposed(index: Index, key: bytes) -> list[int]:
    value = int.from_bytes(blake2b(key, digest_size=8).digest(), "little")
    buckets = index.buckets
    bucket = value & (len(buckets) - 2)
    check = value >> SHIFT
    entries = index.entries[buckets[bucket] : buckets[bucket + 1]]
    return [entry & MASK for entry in entries if entry >> SHIFT == check]


def _text(index: Index, number: int) -> bytes:
    starts = index.text_start
    return bytes(index.text[starts[number] : starts[number + 1]])
