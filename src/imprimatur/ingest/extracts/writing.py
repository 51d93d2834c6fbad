"""The folder of an extract: facts with labels as N-Triples, an ontology, a configuration, and what it supports.

While an extract runs, the folder has ``.pages`` (the answers) and ``.facts`` (what was made of them so far, written
anew from the answers when the extract goes on); ``.pages`` becomes ``.done`` when all the rest is in its place.
Invariants: a folder that is finished has none of them; the same answers give the same bytes, whether they came in one
go or after many stops, wherever these were; one process at a time writes.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.config import FILE_NAME
from imprimatur.errors import InputError, KnowledgeBaseError
from imprimatur.ingest.extracts.asking import Asking, remote
from imprimatur.ingest.extracts.extracting import Extract, Gathered, gather
from imprimatur.ingest.extracts.queries import WDT
from imprimatur.ingest.made_folder import Word, checked_target, configuration, ontology, write_folder
from imprimatur.ingest.sentences import supported
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SKOS, RdfLiteral, iri_text, literal_text, spoken_name
from imprimatur.sources.remote.endpoint import Words
from imprimatur.sources.remote.queries import iri

__all__ = ["Extracted", "extract"]

PAGES, SPOOL, DONE = ".pages", ".facts", ".done"
#: Stands in the folder of answers, tells it from any other folder of that name, and is locked while one writes.
_MARK = ".imprimatur-extract"
_DATA, _PACKED, _ONTOLOGY = "data.nt", "data.nt.gz", "ontology.ttl"
_PART = expression(r"\.(?:data\.nt|data\.nt\.gz|ontology\.ttl|imprimatur\.yaml)\.[0-9a-f]{8}\.part")
_LARGE = 32 << 20
_BATCH = 50
_ENOUGH = 3
_PROP = "http://www.wikidata.org/prop/"
_PQ = f"{_PROP}qualifier/"
_FIRST = frozenset(("from", "start", "startdate", "startyear", "begin", "begindate", "validfrom", "since"))
_LAST = frozenset(("to", "end", "enddate", "endyear", "until", "validto", "validuntil"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What was made: the folder, numbers, what was left out and why, and sentences that it supports.

    ``asked`` are the requests that were sent; ``kept`` the answers that were there from an extract that was stopped.
    """

    folder: Path
    files: tuple[str, ...]
    things: int
    facts: int
    asked: int
    kept: int
    left_out: Mapping[str, int]
    warnings: tuple[str, ...]
    sentences: tuple[str, ...]


def extract(
    url: str,
    wanted: Extract,
    target: Path,
    *,
    pause: float = 0.2,
    force: bool = False,
    step: Callable[[str], None] = lambda what: None,
) -> Extracted:
    """Makes ``target`` a knowledge base of an extract, or goes on with it where it was stopped.

    Args:
        pause: seconds from one request to the next, at least.
        force: write into a folder that has something else in it.
        step: told how far it is, with a rate.

    Raises:
        ConfigError: the address or a language is none. InputError: nothing is found.
        KnowledgeBaseError: the target has something else in it, or another process is at it.
        StoreUnavailable, CheckFailed, LimitExceeded: the endpoint failed again and again; the same call goes on later.
    """
    settings = remote(url, wanted.languages, pages=target / PAGES, pause=pause)
    settings.address()
    _cleared(target)
    checked_target(target, force=force, own=_own(target))
    asking = Asking(settings, wikidata=wanted.told_style == "wikidata")
    with _alone(target):
        return _extracted(asking, wanted, target, step)


def _cleared(target: Path) -> None:
    """Throws away the answers of an extract that is finished. A folder of another's stays."""
    done = target / DONE
    with suppress(OSError):
        if (done / _MARK).exists():
            for path in done.iterdir():
                if path.name != _MARK:
                    path.unlink()
            (done / _MARK).unlink()
        done.rmdir()


def _own(target: Path) -> tuple[str, ...]:
    """The files of an extract that was stopped: all that it may have written, where its answers are there.

    Raises KnowledgeBaseError where a folder has their place that is none of answers.
    """
    for name in (PAGES, DONE):
        place = target / name
        if place.exists() and not (place / _MARK).exists() and not (place.is_dir() and not any(place.iterdir())):
            message, hint = f"{name} in it is no folder of answers", "name another folder with --out"
            raise KnowledgeBaseError(message, where=str(target), hint=hint)
    if not (target / PAGES / _MARK).exists():
        return (PAGES,)
    parts = (path.name for path in target.iterdir() if _PART.fullmatch(path.name))
    return (PAGES, SPOOL, _DATA, _PACKED, _ONTOLOGY, FILE_NAME, *parts)


def _ended(target: Path) -> None:
    """Throws away what was there for going on."""
    (target / SPOOL).unlink(missing_ok=True)
    (target / PAGES).replace(target / DONE)
    _cleared(target)


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Raises KnowledgeBaseError where another process is making the folder. Removes what one left half written."""
    with (target / PAGES / _MARK).open("a", encoding="utf-8") as stream:
        with suppress(ImportError):  # Windows has no such lock; there, nobody is to start two
            import fcntl

            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as fault:
                hint = "wait for its end, or name another folder with --out"
                message = "another extract is being written here"
                raise KnowledgeBaseError(message, where=str(target), hint=hint) from fault
        for path in target.iterdir():
            if _PART.fullmatch(path.name):
                path.unlink(missing_ok=True)
        yield


def _extracted(asking: Asking, wanted: Extract, target: Path, step: Callable[[str], None]) -> Extracted:
    """Gathers, and makes the folder."""
    gathered = Gathered(left_out=asking.left_out)
    begun = time.monotonic()

    def told(things: int, facts: int) -> None:
        rate = facts / max(time.monotonic() - begun, 0.001)
        step(f"{things:,} things, {facts:,} facts, {rate:,.0f}/s")

    spool = target / SPOOL
    _spooled(spool, asking, wanted, gathered, told)
    if not gathered.facts:
        _ended(target)
        hint = "".join(f"{count:,} {why} were left out; " for why, count in gathered.left_out.items() if count)
        hint += "is the class, query or IRI right?"
        raise InputError("the endpoint has nothing of that", where=asking.remote.url, hint=hint)
    return _finished(asking, gathered, target, step)


def _finished(asking: Asking, gathered: Gathered, target: Path, step: Callable[[str], None]) -> Extracted:
    """The folder with all that was gathered in it."""
    from imprimatur.oracle import Oracle

    spool = target / SPOOL
    step("labels")
    gathered.amounts.settle(_unit_words(asking, gathered.amounts.named))
    names = _names(asking, tuple(gathered.named))
    words = _words(asking, gathered)
    step("writing")
    lines = _Lines(spool, gathered, names)
    large = spool.stat().st_size > _LARGE
    data = _PACKED if large else _DATA
    texts = {
        _ONTOLOGY: ontology(words),
        FILE_NAME: configuration(target.absolute().name, [data], time=_times(gathered)),
    }
    files: dict[str, Callable[[Path], object]] = {data: partial(_packed if large else _plain, lines)}
    files.update({name: partial(_written, text) for name, text in texts.items()})
    write_folder(target, files)
    if gathered.amounts.left_out:
        gathered.left_out["numbers in another unit than their property has"] = gathered.amounts.left_out
    step("trying sentences")
    oracle = Oracle.from_folder(target)
    _ended(target)
    return Extracted(
        folder=target,
        files=(FILE_NAME, data, _ONTOLOGY),
        things=gathered.things,
        facts=gathered.facts,
        asked=asking.asked,
        kept=asking.kept,
        left_out={why: count for why, count in gathered.left_out.items() if count},
        warnings=oracle.knowledge.warnings(),
        sentences=supported(oracle),
    )


def _spooled(
    spool: Path, asking: Asking, wanted: Extract, gathered: Gathered, told: Callable[[int, int], None]
) -> None:
    """Writes the facts as they come: a JSON list of subject, property, N-Triples value, and lexical form and unit."""
    try:
        with spool.open("w", encoding="utf-8", newline="\n") as file:
            for each in gather(asking, wanted, gathered, told):
                value = each.value
                number = isinstance(value, RdfLiteral) and bool(each.unit)
                written = literal_text(value) if isinstance(value, RdfLiteral) else iri_text(value)
                row = [each.subject, each.predicate, written]
                if number and isinstance(value, RdfLiteral):
                    row += [value.lexical, each.unit]
                file.write(json.dumps(row) + "\n")
    except OSError as fault:
        raise KnowledgeBaseError(f"cannot be written: {fault.strerror or fault}", where=str(spool)) from fault


class _Lines:
    """The lines of the data file: facts with their numbers in one unit, and the names of all that they speak of."""

    def __init__(self, spool: Path, gathered: Gathered, names: Mapping[str, Words]) -> None:
        self._spool, self._gathered, self._names = spool, gathered, names

    def __iter__(self) -> Iterator[str]:
        amounts = self._gathered.amounts
        with self._spool.open(encoding="utf-8") as file:
            for row in map(json.loads, file):
                subject, predicate, value = row[:3]
                if len(row) > 3:
                    made = amounts.put(predicate, row[3], row[4])
                    if made is None:
                        continue
                    value = literal_text(made)
                elif amounts.needs_unit(predicate, value):
                    continue
                yield f"{iri_text(subject)} {iri_text(predicate)} {value} .\n"
        for thing, words in self._names.items():
            if words.label:
                yield f"{iri_text(thing)} {iri_text(RDFS + 'label')} {literal_text(RdfLiteral(words.label))} .\n"
            for alias in words.aliases:
                if alias != words.label:
                    yield f"{iri_text(thing)} {iri_text(SKOS + 'altLabel')} {literal_text(RdfLiteral(alias))} .\n"


def _plain(lines: _Lines, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)


def _packed(lines: _Lines, path: Path) -> None:
    """Packed without a time or a name in it, so that the same lines are the same bytes."""
    with path.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as file:
        for each in lines:
            file.write(each.encode("utf-8"))


def _written(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")


def _names(asking: Asking, things: Sequence[str]) -> dict[str, Words]:
    """What things are called, in their order."""
    found: dict[str, Words] = {}
    askable = [each for each in things if _is_askable(each)]
    for at in range(0, len(askable), _BATCH):
        batch = askable[at : at + _BATCH]
        told = asking.called(batch)
        found.update((each, told[each]) for each in batch if each in told)
    return found


def _is_askable(thing: str) -> bool:
    try:
        iri(thing)
    except InputError:
        return False
    return True


def _unit_words(asking: Asking, units: Sequence[str]) -> dict[str, str]:
    return {each: words.label for each, words in _names(asking, units).items()}


def _words(asking: Asking, gathered: Gathered) -> list[Word]:
    """The words of the properties and classes, and guesses of what a thing can have only one of."""
    # What leads to statements and stands at them is never spoken of: they speak for the direct properties.
    spoken = [each for each in sorted(gathered.properties) if not each.startswith(_PROP) or each.startswith(WDT)]
    askable = [each for each in spoken if _is_askable(each)]
    told: dict[str, Words] = {}
    for at in range(0, len(askable), _BATCH):
        told.update(asking.called(askable[at : at + _BATCH]))
    made = []
    for name in spoken:
        words = told.get(name, Words())
        single = gathered.single[name] if name not in gathered.several else 0
        guess = f"none of {single} things has two values; if that must be so, other values are refuted"
        made.append(
            Word(
                iri=name,
                kind=gathered.properties[name],
                labels=((words.label or spoken_name(name), ""),),
                synonyms=tuple((each, "") for each in words.aliases if each != words.label),
                unit=gathered.amounts.unit(name),
                guess=guess if single >= _ENOUGH else "",
            )
        )
    made += [Word(iri=each, kind="class") for each in sorted(gathered.classes) if not each.startswith((OWL, RDF))]
    return made


def _times(gathered: Gathered) -> dict[str, list[str]]:
    """The properties of nodes that give the first and the last day."""
    used = sorted(gathered.properties)
    if not gathered.nodes:
        return {}
    names = {each: each.rpartition("/")[2].rpartition("#")[2].lower() for each in used}
    first = [each for each in used if each == f"{_PQ}P580" or names[each] in _FIRST]
    last = [each for each in used if each == f"{_PQ}P582" or names[each] in _LAST]
    return {"from": first, "to": last}
