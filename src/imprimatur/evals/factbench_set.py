"""The loader of FactBench (DeFacto, 2015): facts about persons, firms and works with times, and their corruptions.

Two forms are read: JSON lines ``facts_train.jsonl`` and ``facts_test.jsonl`` (``{id, label, corruption?, relation, s,
s_label, p, o, o_label, from?, to?}``), or the Turtle files as published (``train/correct/award/award_00000.ttl``,
``train/wrong/date/…``). Contract: everything is read before anything is said; a row that is not as described is an
InputError with its place; ids are unique. Rows without a name at one end are left out, and counted.

What is known to leak, and what is done about it: of the published files every wrong one links its node by one property
that no correct one uses, so this link is never read; wrong files have years where correct ones may have days, so a
wrong fact is compared with a fact by years; a corrupted property may be drawn as it was, so whether a wrong fact is
false after all is decided by the correct facts and never by its label (``factbench_said``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import json_rows

__all__ = ["CORRUPTIONS", "SHARE", "Fact", "FactBench", "load", "read_facts", "withheld"]

CORRUPTIONS = ("date", "domain", "range", "domainrange", "property", "random")
#: One of so many correct facts is withheld: those of which the hash of the id is divisible by it.
SHARE = 5
_DBO = "http://dbpedia.org/ontology/"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_PARTS = ("train", "test")
_DATE = expression(r"-?\d{4}(?:-\d{2}(?:-\d{2})?)?")
_HINT = 'a row looks like {"id": "…", "label": "correct", "s_label": "…", "p": "…", "o_label": "…", "from": "…"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact of the set.

    Attributes:
        kind: ``correct``, or how it was corrupted.
        subject, object: names; ``subject_iri``, ``object_iri``: ids.
        first, last: as they are written (a year, a month or a day); empty where there is none.
    """

    id: str
    kind: str
    relation: str
    subject: str
    subject_iri: str
    predicate: str
    object: str
    object_iri: str
    first: str = ""
    last: str = ""

    @property
    def local(self) -> str:
        """The property's own name."""
        return self.predicate.rpartition("/")[2]

    @property
    def correct(self) -> bool:
        """Whether the set calls it so."""
        return self.kind == "correct"

    @property
    def start(self) -> int | None:
        """The year of ``first``."""
        return int(self.first[:4]) if self.first else None

    @property
    def end(self) -> int | None:
        """The year of ``last``."""
        return int(self.last[:4]) if self.last else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactBench:
    """The facts of a folder, how many were left out for want of a name, and the files that were read."""

    facts: tuple[Fact, ...]
    left_out: int
    files: tuple[Path, ...]

    @property
    def correct(self) -> tuple[Fact, ...]:
        """The correct ones."""
        return tuple(fact for fact in self.facts if fact.correct)


def withheld(fact: Fact, share: int = SHARE) -> bool:
    """Whether a correct fact stays out of the graph: SHA-256 of its id, as a hexadecimal number, is divisible."""
    return fact.correct and share > 0 and int(sha256(fact.id.encode()).hexdigest(), 16) % share == 0


def load(path: Path) -> FactBench:
    """The facts of a folder, or of one file of JSON lines.

    Raises:
        InputError: it is absent, holds none of the forms, or a row is not as described.
    """
    if path.is_file():
        return _whole((path,), read_facts(path))
    if not path.is_dir():
        raise InputError("no such folder", where=str(path), hint="give the folder that holds FactBench's facts")
    files = tuple(each for part in _PARTS if (each := path / f"facts_{part}.jsonl").exists())
    if files:
        return _whole(files, (fact for file in files for fact in read_facts(file)))
    turtles = tuple(sorted(each for part in _PARTS for each in (path / part).rglob("*.ttl") if "mix" not in each.parts))
    if not turtles:
        hint = "facts_train.jsonl or facts_test.jsonl, or the folders train and test of Turtle files as published"
        raise InputError("holds no facts of FactBench", where=str(path), hint=hint)
    return _whole(turtles, (_of_turtle(each, path) for each in turtles))


def _whole(files: tuple[Path, ...], facts: Iterator[Fact] | Sequence[Fact]) -> FactBench:
    found = list(facts)
    seen: set[str] = set()
    for fact in found:
        if fact.id in seen:
            raise InputError(f"the id {fact.id[:80]!r} comes twice", where=str(files[0].parent))
        seen.add(fact.id)
    named = tuple(fact for fact in found if fact.subject and fact.object)
    if not any(fact.correct for fact in named):
        raise InputError("holds no correct fact of FactBench", where=str(files[0]), hint=_HINT)
    return FactBench(facts=named, left_out=len(found) - len(named), files=files)


# -- JSON lines --------------------------------------------------------------------------------------------------------
def read_facts(path: Path) -> list[Fact]:
    """All facts of a file of JSON lines. Raises InputError with the line of what is none."""
    return [_of_row(row, where) for row, where in json_rows(path)]


def _of_row(row: Mapping[str, Any], where: str) -> Fact:
    label, kind = row.get("label"), row.get("corruption", "")
    if label not in ("correct", "wrong") or (label == "correct") is bool(kind):
        raise InputError("no fact of FactBench: `label` is not correct or wrong", where=where, hint=_HINT)
    if kind and kind not in CORRUPTIONS:
        raise InputError(f"{str(kind)[:40]!r} is none of {', '.join(CORRUPTIONS)}", where=where)
    texts = {key: _text(row, key, where) for key in ("id", "s", "p", "o", "s_label", "o_label", "relation")}
    if not texts["id"] or not texts["p"]:
        raise InputError("no fact of FactBench: `id` or `p` is missing", where=where, hint=_HINT)
    first, last = (_date(_text(row, key, where), where) for key in ("from", "to"))
    return Fact(
        id=texts["id"],
        kind=kind or "correct",
        relation=texts["relation"],
        subject=texts["s_label"],
        subject_iri=texts["s"],
        predicate=texts["p"],
        object=texts["o_label"],
        object_iri=texts["o"],
        first=first,
        last=last,
    )


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"no fact of FactBench: `{key}` must be a text", where=where, hint=_HINT)
    return value.strip()


def _date(written: str, where: str) -> str:
    if written and _DATE.fullmatch(written) is None:
        raise InputError(f"{written[:40]!r} is no year, month or day", where=where)
    return written


# -- Turtle, as published ----------------------------------------------------------------------------------------------
def _of_turtle(path: Path, folder: Path) -> Fact:
    """The fact of one file: what leads to the node that has a time, and what the node leads to."""
    place = path.relative_to(folder)
    kind = "correct" if place.parts[1] == "correct" else place.parts[2]
    if kind not in ("correct", *CORRUPTIONS):
        raise InputError(f"{kind[:40]!r} is none of {', '.join(CORRUPTIONS)}", where=str(path))
    try:
        quads = list(ox.parse(path.read_bytes(), format=ox.RdfFormat.TURTLE))
    except (OSError, SyntaxError) as fault:
        raise InputError(f"cannot be read as Turtle: {str(fault)[:200]}", where=str(path)) from fault
    times = {q.predicate.value.removeprefix(_DBO): q.object for q in quads if q.predicate.value in _TIMES}
    nodes = {q.subject for q in quads if q.predicate.value in _TIMES}
    said = [q for q in quads if q.subject in nodes and q.predicate.value not in _TIMES]
    links = [q for q in quads if q.object in nodes]
    if len(nodes) != 1 or len(said) != 1 or len(links) != 1:
        raise InputError("states not exactly one fact with a time", where=str(path))
    names = {q.subject: q.object.value for q in quads if q.predicate.value == _LABEL and _english(q.object)}
    (fact,), (link,) = said, links
    return Fact(
        id=place.with_suffix("").as_posix(),
        kind=kind,
        relation=path.parent.name,
        subject=names.get(link.subject, ""),
        subject_iri=_iri(link.subject),
        predicate=fact.predicate.value,
        object=names.get(fact.object, "") if not isinstance(fact.object, ox.Literal) else fact.object.value,
        object_iri=_iri(fact.object),
        first=_date(_lexical(times.get("from")), str(path)),
        last=_date(_lexical(times.get("to")), str(path)),
    )


_LABEL = _RDFS + "label"
_TIMES = (_DBO + "from", _DBO + "to")


def _english(term: object) -> bool:
    return isinstance(term, ox.Literal) and term.language == "en"


def _lexical(term: object) -> str:
    return term.value if isinstance(term, ox.Literal) else ""


def _iri(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode) else ""
