"""From a mapping to a knowledge base: its facts as N-Quads, its words, and the files that the facts are from.

The folder has ``facts.nq``, ``ontology.ttl``, ``imprimatur.yaml``, the mapping, and copies of the files of rows under
the names that places have. Invariants: all is read before anything is written; the same files give the same bytes.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.config import FILE_NAME
from imprimatur.errors import KnowledgeBaseError
from imprimatur.ingest.made_folder import Word, checked_target, configuration, ontology, write_folder
from imprimatur.ingest.mapping.facts import Quad, Told, line, quads
from imprimatur.ingest.mapping.model import Mapping, Vocabulary
from imprimatur.ingest.mapping.places import Places
from imprimatur.ingest.sentences import supported

__all__ = ["FACTS", "Mapped", "map_folder", "map_quads"]

FACTS, ONTOLOGY = "facts.nq", "ontology.ttl"
_RESERVED = (FILE_NAME, FACTS, ONTOLOGY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    """What was made: the folder, its files, what came of the rows, and sentences that it supports."""

    folder: Path
    files: tuple[str, ...]
    told: Told
    words: tuple[Vocabulary, ...]
    warnings: tuple[str, ...]
    sentences: tuple[str, ...]


def map_folder(
    mapping: Mapping, target: Path, *, force: bool = False, step: Callable[[str], None] = lambda what: None
) -> Mapped:
    """Makes ``target`` a knowledge base of a mapping in the short form.

    Args:
        force: write into a folder that has something in it, and over what is there.
        step: told what is being done next.

    Raises:
        ConfigError, KnowledgeBaseError: a source or the target is wrong. LimitExceeded: there is too much of it.
    """
    told = Told()
    step("counting")
    checked_target(target, force=force)
    places = Places(mapping.sources)
    return map_quads(mapping, target, quads(mapping, places, told), told=told, step=step)


def map_quads(
    mapping: Mapping, target: Path, made: Iterable[Quad], *, told: Told, step: Callable[[str], None]
) -> Mapped:
    """The same with the quads that are given; ``told`` is filled when they have been read."""
    from imprimatur.oracle import Oracle

    copies = _copies(mapping)
    step("mapping")
    with _spooled(map(line, made)) as facts:
        if not told.quads:
            hint = "; ".join(dict.fromkeys(each.reason for each in told.asides)) or "do its conditions fit any row?"
            raise KnowledgeBaseError("the mapping makes no facts", where=str(mapping.where), hint=hint)
        step("writing")
        texts = {
            ONTOLOGY: ontology(map(_word, mapping.vocabulary)),
            FILE_NAME: configuration(target.absolute().name, [FACTS]),
        }
        files: dict[str, Callable[[Path], object]] = {name: partial(_copied, path) for name, path in copies.items()}
        files[FACTS] = partial(_copied, facts)
        files.update({name: partial(_written, text) for name, text in texts.items()})
        write_folder(target, files)
    step("trying sentences")
    oracle = Oracle.from_folder(target)
    return Mapped(
        folder=target,
        files=(FILE_NAME, FACTS, ONTOLOGY, *copies),
        told=told,
        words=mapping.vocabulary,
        warnings=oracle.knowledge.warnings(),
        sentences=supported(oracle),
    )


def _word(said: Vocabulary) -> Word:
    return Word(
        iri=said.iri,
        kind=said.kind,
        labels=((said.label, ""),),
        synonyms=tuple((each, "") for each in said.synonyms),
        unit=said.unit,
        functional=said.functional,
    )


def _copies(mapping: Mapping) -> dict[str, Path]:
    """The files that are copied, by their names in the folder. Raises KnowledgeBaseError for names that are taken."""
    found = {each.shown: each.path for each in mapping.sources if each.path is not None}
    found.setdefault(mapping.where.name, mapping.where)
    taken = next((name for name in found if name.lower() in _RESERVED), None)
    if taken is not None:
        raise KnowledgeBaseError(f"a file cannot be called {taken!r}", where=str(mapping.where), hint="rename it")
    return found


def _copied(path: Path, target: Path) -> None:
    shutil.copyfile(path, target)


def _written(text: str, target: Path) -> None:
    target.write_text(text, encoding="utf-8")


@contextmanager
def _spooled(lines: Iterator[str]) -> Iterator[Path]:
    """A file of lines that is gone afterwards."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".nq", newline="\n") as file:
        file.writelines(chain.from_iterable((each, "\n") for each in lines))
        file.flush()
        yield Path(file.name)
