"""What readers proposed of documents, kept until the documents change: a killed ingest goes on where it was.

One file for each document, reader and content, in ``facts/.work``; each appears whole under its name or not at all. A
file that is damaged or missing is no loss but time: the document is read again.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import StoreUnavailable
from imprimatur.ingest.candidate import Candidate, Place, Thing, Value
from imprimatur.sources.graph.terms import RdfLiteral

__all__ = ["Proposals", "Work", "key_of"]

#: A change of the form, or of what is checked while reading, must raise it.
_FORMAT = 1
FOLDER = ".work"
_OURS = expression(r"[0-9a-f]{64}\.json|\.[0-9a-f]{16}\.[0-9a-f]{8}\.part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What a reader proposed of one document.

    Attributes:
        problem: why nothing could be read; "" where it was read. notes: what was left out.
        misplaced: for some candidates, by number, what is wrong with their places.
    """

    candidates: tuple[Candidate, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    misplaced: Mapping[int, str] | None = None


def key_of(document: str, content_hash: str, reader: str) -> str:
    """The name under which proposals are kept."""
    return sha256("\0".join((str(_FORMAT), document, content_hash, reader)).encode("utf-8", "replace")).hexdigest()


class Work:
    """The folder of what was proposed."""

    def __init__(self, facts: Path) -> None:
        self.folder = facts / FOLDER

    @property
    def _sound(self) -> bool:
        """Whether the folder is one, and no link to what belongs to somebody else."""
        return not self.folder.is_symlink()

    def get(self, key: str) -> Proposals | None:
        """What is kept under a key; None where there is nothing that can be used."""
        try:
            if not self._sound:
                return None
            return _proposals(json.loads((self.folder / f"{key}.json").read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def put(self, key: str, proposals: Proposals) -> None:
        """Keeps proposals, on the disk. Raises StoreUnavailable."""
        if not self._sound:
            raise StoreUnavailable("a link, and none of ours", where=str(self.folder), hint="remove it")
        part = self.folder / f".{key[:16]}.{secrets.token_hex(4)}.part"
        try:
            self.folder.mkdir(exist_ok=True, parents=True)
            with part.open("x", encoding="ascii") as stream:
                json.dump(_told(proposals), stream)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(self.folder / f"{key}.json")
        except OSError as fault:
            message = f"what was read cannot be kept: {fault.strerror or fault}"
            raise StoreUnavailable(message, where=str(self.folder), hint="is there room on the disk?") from fault
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def keep_only(self, keys: Iterable[str]) -> None:
        """Removes what else was kept, as far as that is possible; other files stay."""
        names = {f"{key}.json" for key in keys}
        with suppress(OSError):
            for path in self.folder.iterdir() if self._sound else ():
                if path.name not in names and _OURS.fullmatch(path.name):
                    path.unlink(missing_ok=True)


def _told(proposals: Proposals) -> dict[str, Any]:
    return {
        "candidates": [_candidate_told(each) for each in proposals.candidates],
        "notes": list(proposals.notes),
        "problem": proposals.problem,
        "misplaced": [[number, why] for number, why in (proposals.misplaced or {}).items()],
    }


def _candidate_told(candidate: Candidate) -> dict[str, Any]:
    value, place = candidate.value, candidate.place
    literal = [value.lexical, value.datatype, value.lang] if isinstance(value, RdfLiteral) else None
    return {
        "subject": _thing_told(candidate.subject),
        "property": candidate.property,
        "value": _thing_told(value) if isinstance(value, Thing) else literal,
        "place": None if place is None else [place.document, place.start, place.end, place.quote],
        "trust": candidate.trust,
        "by": candidate.by,
        "valid": list(candidate.valid),
        "span": candidate.span,
    }


def _thing_told(thing: Thing) -> dict[str, Any]:
    return {"name": thing.name, "span": thing.span, "classes": list(thing.classes), "iri": thing.iri}


def _proposals(told: Mapping[str, Any]) -> Proposals:
    return Proposals(
        candidates=tuple(map(_candidate, told["candidates"])),
        notes=tuple(map(str, told["notes"])),
        problem=str(told["problem"]),
        misplaced={int(number): str(why) for number, why in told["misplaced"]},
    )


def _candidate(told: Mapping[str, Any]) -> Candidate:
    place = told["place"]
    first, last = map(str, told["valid"])
    return Candidate(
        subject=_thing(told["subject"]),
        property=str(told["property"]),
        value=_value(told["value"]),
        place=None if place is None else Place(document=place[0], start=place[1], end=place[2], quote=place[3]),
        trust=str(told["trust"]),
        by=str(told["by"]),
        valid=(first, last),
        span=_span(told["span"]),
    )


def _value(told: Mapping[str, Any] | Sequence[str]) -> Value:
    if isinstance(told, Mapping):
        return _thing(told)
    lexical, datatype, lang = map(str, told)
    return RdfLiteral(lexical, datatype, lang)


def _thing(told: Mapping[str, Any]) -> Thing:
    classes = tuple(map(str, told["classes"]))
    return Thing(name=str(told["name"]), span=_span(told["span"]), classes=classes, iri=str(told["iri"]))


def _span(told: Sequence[int] | None) -> tuple[int, int] | None:
    return None if told is None else (int(told[0]), int(told[1]))
