"""A copy of a knowledge base without some of its facts, so that what is true and not known can be asked about.

Invariants: which facts are taken out hangs on the facts and the seed alone; what still follows from the others is not
taken out; labels, classes and the ontology stay; the original is never written to.
"""

from __future__ import annotations

import gzip
import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from imprimatur.config import FILE_NAME, KnowledgeBaseConfig
from imprimatur.errors import InputError
from imprimatur.evals.mining.book import RDF_TYPE, Book, Triple
from imprimatur.evals.mining.claim import shown
from imprimatur.evals.mining.reading import quads_of, terms_of
from imprimatur.evals.mining.source import Source

__all__ = ["chosen", "copy_without"]


def chosen(source: Source, share: float, *, seed: int) -> list[Triple]:
    """About this share of the stored facts that can be said, without those that follow from the rest.

    Raises:
        InputError: none can be taken out.
    """
    book, bound = source.book, int(share * (1 << 64))
    picked: list[Triple] = []
    for name in source.sayable():
        for subject, value in source.facts(name) if name != RDF_TYPE else ():
            triple = (subject, name, value)
            if triple in book.stored and source.name(subject) and source.value(name, value):
                told = f"{seed} {shown(subject)} {name} {shown(value)}"
                if int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big") < bound:
                    picked.append(triple)
    rest = Book(triple for triple in book.stored if triple not in set(picked)) if picked else book
    found = [triple for triple in picked if not rest.holds(*triple) and not rest.related(triple[0], triple[2])]
    if not found:
        raise InputError(
            "no fact can be held out", hint="give a larger --hold-out, or a knowledge base with more facts"
        )
    return found


def copy_without(config: KnowledgeBaseConfig, facts: Iterable[Triple], target: Path) -> None:
    """Writes the knowledge base into a new folder, its data files without the facts.

    Raises:
        InputError: its facts are rows of tables, or a file cannot be read.
    """
    if config.tables:
        raise InputError(
            "facts cannot be held out of tables",
            where=config.name,
            hint="measure without --hold-out, or give RDF files",
        )
    shutil.copytree(config.folder, target, ignore=shutil.ignore_patterns(".*"))
    gone = set(facts)
    names: dict[str, str] = {}
    files = dict.fromkeys((*config.graph.data, *config.graph.ontology))
    for number, path in enumerate(files):
        if path in config.graph.data:
            inside = path.relative_to(config.folder)
            names[inside.as_posix()] = _write(path, target / inside, gone, f"{number}-").relative_to(target).as_posix()
    settings = target / FILE_NAME
    written = yaml.safe_load(settings.read_text(encoding="utf-8"))
    settings.write_text(yaml.safe_dump(_renamed(written, names), sort_keys=False), encoding="utf-8")


def _write(path: Path, copy: Path, gone: set[Triple], scope: str) -> Path:
    """The file without some facts, as N-Triples, which is Turtle too; the file that was written."""
    kept = {str(quad.triple): None for quad in quads_of(path) if terms_of(quad, scope) not in gone}
    text = "".join(f"{line} .\n" for line in kept).encode()
    zipped = path.suffix == ".gz"
    plain = Path(path.stem) if zipped else path
    copy.unlink()
    if plain.suffix.lower() not in (".nt", ".ttl", ".turtle"):
        copy = copy.with_name(f"{copy.name}.nt")
        zipped = False
    copy.write_bytes(gzip.compress(text, mtime=0) if zipped else text)
    return copy


def _renamed(settings: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The configuration with the data files and their trust under their new names."""
    graph = dict(settings.get("graph") or {})
    data = graph.get("data")
    data = [data] if isinstance(data, str) else list(data or ())
    graph["data"] = [names.get(Path(str(name)).as_posix(), str(name)) for name in data]
    if isinstance(graph.get("trust"), dict):
        graph["trust"] = {names.get(str(name), str(name)): kind for name, kind in graph["trust"].items()}
    return {**settings, "graph": graph}
