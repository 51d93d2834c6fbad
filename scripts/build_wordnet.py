"""Build ``src/imprimatur/resources/wordnet/wordnet.bin`` from a WordNet 3.x ``dict`` folder.

Usage: ``python scripts/build_wordnet.py [DICT_FOLDER]``. The folder holds ``data.noun``, ``index.noun``,
``noun.exc``, ``cntlist.rev`` and so on (on Debian: ``/usr/share/wordnet`` of the package ``wordnet-base``).
The same input gives the same bytes. Glosses, examples, verb frames, meronyms and hyponyms are left out.

The layout is documented in ``imprimatur.language._wordnet_file``, which is also where its constants come from.
"""

from __future__ import annotations

import re
import struct
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from imprimatur.language._wordnet_file import (
    BLOCK,
    COUNT_LIMIT,
    HEADER,
    MAGIC,
    POINTERS,
    POS,
    SECTIONS,
    SYNSET_BITS,
)

DEFAULT_SOURCE = Path("/usr/share/wordnet")
TARGET = Path(__file__).parent.parent / "src" / "imprimatur" / "resources" / "wordnet"
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
SENSE_KEY_POS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}


@dataclass(frozen=True, slots=True)
class Pointer:
    """One relation: ``source`` and ``target_word`` count members from 1, 0 means the whole synset."""

    symbol: str
    target: tuple[str, str]
    source: int
    target_word: int


@dataclass(frozen=True, slots=True)
class Synset:
    """One line of a data file."""

    lexname: int
    members: list[str]
    pointers: list[Pointer]


Synsets = dict[tuple[str, str], Synset]
Senses = dict[tuple[str, str], list[str]]


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a WordNet file without the licence at its head."""
    for line in path.read_text(encoding="ascii").splitlines():
        if line and not line.startswith(" "):
            yield line


def read_synsets(folder: Path) -> Synsets:
    """All synsets by part of speech and offset, in file order (wndb(5))."""
    found: Synsets = {}
    for pos in POS:
        for line in read_lines(folder / f"data.{FILES[pos]}"):
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            members = [lemma_of(fields[4 + 2 * i]) for i in range(count)]
            found[pos, fields[0]] = Synset(int(fields[1]), members, list(read_pointers(fields[4 + 2 * count :])))
    return found


def read_pointers(fields: list[str]) -> Iterator[Pointer]:
    """The pointers of one synset that are kept, instance hypernyms as hypernyms."""
    for i in range(1, 1 + 4 * int(fields[0]), 4):
        symbol, offset, pos, words = fields[i : i + 4]
        symbol = "@" if symbol == "@i" else symbol
        if symbol in POINTERS:
            yield Pointer(symbol, (pos.replace("s", "a"), offset), int(words[:2], 16), int(words[2:], 16))


def lemma_of(word: str) -> str:
    """A member as it is looked up: lower case, spaces, without the syntactic marker of adjectives ("(p)")."""
    return re.sub(r"\((?:p|a|ip)\)$", "", word).replace("_", " ").lower()


def read_senses(folder: Path) -> Senses:
    """Offsets in sense order by lemma and part of speech."""
    found: Senses = {}
    for pos in POS:
        for line in read_lines(folder / f"index.{FILES[pos]}"):
            fields = line.split()
            found[fields[0].replace("_", " "), pos] = fields[-int(fields[2]) :]
    return found


def read_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """Occurrences in the sense-tagged texts by lemma, part of speech and sense number from 1."""
    found: dict[tuple[str, str, int], int] = {}
    for line in read_lines(folder / "cntlist.rev"):
        key, sense, count = line.split()
        lemma, rest = key.split("%")
        at = (lemma.replace("_", " "), SENSE_KEY_POS[rest[0]], int(sense))
        found[at] = found.get(at, 0) + int(count)
    return found


def apply_additions(path: Path, synsets: Synsets, senses: Senses) -> None:
    """Apply ``additions.tsv``, whose head explains its lines."""
    for line in path.read_text(encoding="utf-8").splitlines():
        match line.split("\t"):
            case ["member", lemma, pos, member, number]:
                offset = senses[member, pos][int(number) - 1]
                synsets[pos, offset].members.append(lemma)
                senses.setdefault((lemma, pos), []).append(offset)
            case ["derived", a, pos_a, number_a, b, pos_b, number_b]:
                key_a, key_b = (
                    (pos_a, senses[a, pos_a][int(number_a) - 1]),
                    (pos_b, senses[b, pos_b][int(number_b) - 1]),
                )
                at_a, at_b = synsets[key_a].members.index(a) + 1, synsets[key_b].members.index(b) + 1
                synsets[key_a].pointers.append(Pointer("+", key_b, at_a, at_b))
                synsets[key_b].pointers.append(Pointer("+", key_a, at_b, at_a))
            case _ if line.strip() and not line.startswith("#"):
                raise SystemExit(f"{path}: cannot read the line {line!r}")


def pack_lemmas(lemmas: list[str]) -> tuple[array[int], bytes]:
    """Block offsets and the front-coded blocks: per line the length of the shared beginning as one byte + rest."""
    offsets, blob = array("I"), bytearray()
    for first in range(0, len(lemmas), BLOCK):
        offsets.append(len(blob))
        block = lemmas[first : first + BLOCK]
        lines = [block[0].encode()]
        for before, lemma in pairwise(block):
            shared = next((i for i, (x, y) in enumerate(zip(before, lemma)) if x != y), min(len(before), len(lemma)))
            lines.append(bytes([shared + 32]) + lemma[shared:].encode())
        blob += b"\n".join(lines)
    offsets.append(len(blob))
    return offsets, bytes(blob)


def pack_senses(
    lemmas: list[str],
    senses: Senses,
    counts: dict[tuple[str, str, int], int],
    ids: dict[tuple[str, str], int],
) -> tuple[array[int], array[int]]:
    """Per lemma the senses of all parts of speech, in order: synset id and tag count in one number."""
    starts, packed = array("I"), array("I")
    for lemma in lemmas:
        starts.append(len(packed))
        for pos in POS:
            for number, offset in enumerate(senses.get((lemma, pos), ()), 1):
                count = min(counts.get((lemma, pos, number), 0), COUNT_LIMIT)
                packed.append(ids[pos, offset] | count << SYNSET_BITS)
    starts.append(len(packed))
    return starts, packed


def pack_synsets(
    synsets: Synsets, lemma_ids: dict[str, int], ids: dict[tuple[str, str], int]
) -> tuple[array[int], array[int]]:
    """Per synset: lexname and member count, members, pointers."""
    starts, packed = array("I"), array("I")
    for synset in synsets.values():
        starts.append(len(packed))
        packed.append(synset.lexname | len(synset.members) << 8)
        packed.extend(lemma_ids[member] for member in synset.members)
        for pointer in synset.pointers:
            words = pointer.source << 22 | pointer.target_word << 27
            packed.append(POINTERS.index(pointer.symbol) << SYNSET_BITS | ids[pointer.target] | words)
    starts.append(len(packed))
    return starts, packed


def read_exceptions(folder: Path) -> bytes:
    """Irregular forms, one a line: part of speech and surface form with a space between, then the lemmas after tabs."""
    found: dict[str, list[str]] = {}
    for pos in POS:
        for line in read_lines(folder / f"{FILES[pos]}.exc"):
            surface, *bases = (form.replace("_", " ") for form in line.split())
            found.setdefault(f"{pos} {surface}", []).extend(bases)
    return "\n".join("\t".join([key, *bases]) for key, bases in found.items()).encode()


def as_bytes(numbers: array[int]) -> bytes:
    """Little-endian 32-bit numbers, whatever the machine."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def build(folder: Path, additions: Path) -> bytes:
    """The whole file."""
    synsets, senses, counts = read_synsets(folder), read_senses(folder), read_counts(folder)
    apply_additions(additions, synsets, senses)
    lemmas = sorted({lemma for lemma, _ in senses} | {m for s in synsets.values() for m in s.members})
    ids = {key: number for number, key in enumerate(synsets)}
    lemma_ids = {lemma: number for number, lemma in enumerate(lemmas)}
    blocks, blob = pack_lemmas(lemmas)
    sense_starts, sense_list = pack_senses(lemmas, senses, counts, ids)
    synset_starts, synset_list = pack_synsets(synsets, lemma_ids, ids)
    first_of_pos = array("I", (next(n for (p, _), n in ids.items() if p == pos) for pos in POS))
    sections = [
        as_bytes(numbers) for numbers in (first_of_pos, blocks, sense_starts, sense_list, synset_starts, synset_list)
    ]
    return assemble([*sections, blob, read_exceptions(folder)])


def assemble(sections: Iterable[bytes]) -> bytes:
    """Header with offset and length of each section, then the sections, each at a multiple of four."""
    parts = list(sections)
    assert len(parts) == SECTIONS
    at, table, body = HEADER.size, list[int](), bytearray()
    for part in parts:
        table += [at, len(part)]
        padded = part + b"\0" * (-len(part) % 4)
        body += padded
        at += len(padded)
    return HEADER.pack(MAGIC, *table) + bytes(body)


def main() -> None:
    """Write the extract and say how large it is."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_SOURCE
    packed = build(folder, TARGET / "additions.tsv")
    (TARGET / "wordnet.bin").write_bytes(packed)
    print(f"{TARGET / 'wordnet.bin'}: {len(packed):,} bytes")


if __name__ == "__main__":
    main()
