"""An index brought up to date: what is new or changed is read, what is not is taken from the version before.

Invariant: the result depends on the documents and settings alone. An index that grew by single documents holds the
same rows, full text and vectors as one that was built at once; only what did not change is not read, cut and embedded
again. A document that was named and cannot be read ends the building with an error, and the old version stays; one
that was only found in a folder is left out, and ``Outcome.problems`` says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.errors import InputError, KnowledgeBaseError, StoreUnavailable
from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.fulltext import FullText, write_full_text
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.listing import Origin
from imprimatur.sources.passages.reading import read_document
from imprimatur.sources.passages.rows import Rows, RowsWriter
from imprimatur.sources.passages.vectors import Vectors, write_vectors

if TYPE_CHECKING:
    from imprimatur.sources.passages.embedding import Embeds

    Array = Any

__all__ = ["FULL_TEXT", "MANIFEST", "ROWS", "VECTORS", "Outcome", "Plan", "build"]

ROWS, FULL_TEXT, VECTORS, MANIFEST = "rows.sqlite", "fulltext", "vectors.bin", "manifest.json"
#: A change of what reading or cutting does must raise it: documents are then read anew.
_READERS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an index is to hold: these documents, and (``keep``) what it holds already, without what is removed.

    ``anew``: nothing is taken over from the version before; all that is wanted is read again.
    """

    wanted: Sequence[Origin] = ()
    keep: bool = False
    anew: bool = False
    remove: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)
    embedder: Embeds | None = None
    progress: Callable[[str], None] = lambda _: None


@dataclass(slots=True)
class Outcome:
    """What was done: ids of documents that were added, changed, removed or taken over; what could not be read.

    ``built`` is False where nothing changed: the version before stays then.
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    built: bool = True


#: The model of an index's vectors: its name and fingerprint.
_Model = tuple[str, str]


class _Unchanged(Exception):
    """Ends a building that would change nothing."""


@dataclass(slots=True)
class _Before:
    """The version before, as far as it can be used."""

    rows: Rows | None = None
    vectors: Vectors | None = None
    model: _Model | None = None
    problems: Mapping[str, str] = field(default_factory=dict)


def build(folder: IndexFolder, plan: Plan) -> Outcome:
    """Brings the index of a folder up to date, and says what was done.

    Raises:
        InputError: a document that was named cannot be read, or an id to remove is unknown. ConfigError: a library is
        not installed. StoreUnavailable: the index cannot be written.
    """
    with folder.writing():
        before = _Before() if plan.anew and not plan.keep else _before(folder, keep=plan.keep)
        try:
            unknown = sorted(plan.remove - (before.rows.documents.keys() if before.rows else set()))
            if unknown:
                hint = "`imprimatur passages list` shows the ids"
                raise InputError(f"there is no document {unknown[0][:60]!r}", hint=hint)
            return _brought_up(folder, before, plan)
        finally:
            if before.rows is not None:
                before.rows.close()


def _before(folder: IndexFolder, *, keep: bool) -> _Before:
    """The version before; a damaged one counts as none where it is about to be replaced.

    Raises:
        KnowledgeBaseError: it is damaged, and what it holds is to be kept.
    """
    try:
        current = folder.current()
        if current is None:
            return _Before()
        manifest = json.loads((current / MANIFEST).read_bytes())
        rows = Rows(current / ROWS)
        if not rows.count == manifest["passages"] == len(FullText(current / FULL_TEXT)):
            raise ValueError("its parts do not fit")
        found = _Before(rows=rows, problems=manifest["problems"])
        if manifest["model"] is not None:
            found.model = (manifest["model"], manifest["fingerprint"])
            found.vectors = Vectors(current / VECTORS, count=rows.count)
        return found
    except (KnowledgeBaseError, StoreUnavailable, OSError, ValueError, KeyError, TypeError) as fault:
        if keep:
            message = f"the index is damaged, and what it holds would be lost: {str(fault)[:150]}"
            hint = "remove the folder, and add its documents again"
            raise KnowledgeBaseError(message, where=str(folder.path), hint=hint) from fault
        return _Before()


def _brought_up(folder: IndexFolder, before: _Before, plan: Plan) -> Outcome:
    outcome, model = Outcome(), _model(before, plan)
    fresh = {each.id: each for each in plan.wanted}
    old = before.rows.documents if before.rows else {}
    held = (old.keys() - plan.remove) if plan.keep else set()
    outcome.removed = sorted(old.keys() - held - fresh.keys())
    with suppress(_Unchanged), folder.new_version() as version:
        writer = RowsWriter(version / ROWS)
        taking = _Taking(writer, before.rows, plan, outcome)
        try:
            for id_ in sorted(held | fresh.keys()):
                plan.progress(id_)
                taking.take(id_, fresh.get(id_))
        except BaseException:
            writer.abandon()
            raise
        writer.close()
        if plan.keep:
            done = {*outcome.added, *outcome.changed, *outcome.kept, *plan.remove}
            still = {id_: why for id_, why in before.problems.items() if id_ not in done}
            outcome.problems = {**still, **outcome.problems}
        outcome.removed = sorted({*outcome.removed, *(old.keys() & outcome.problems.keys())})
        _stop_if_same(before, outcome, model)
        with closing(Rows(version / ROWS)) as rows:
            write_full_text(version / FULL_TEXT, rows.terms())
            if model is not None:
                kept = frozenset(outcome.kept) if before.model == model else frozenset()
                write_vectors(version / VECTORS, _vectors(rows, before, kept, plan))
            _write_manifest(version, rows, outcome, model)
    return outcome


def _model(before: _Before, plan: Plan) -> _Model | None:
    """The model of the vectors that the index is to have.

    Raises:
        InputError: vectors are to be added to an index without the model that made those in it.
    """
    if plan.embedder is not None:
        return (plan.embedder.name, plan.embedder.fingerprint)
    if not plan.keep or before.model is None:
        return None
    if plan.wanted:
        hint = "give its model, with --embed on the command line"
        raise InputError(f"the index has embeddings of {before.model[0]}", hint=hint)
    return before.model


def _stop_if_same(before: _Before, outcome: Outcome, model: _Model | None) -> None:
    """Raises ``_Unchanged`` where the version before is what would be built."""
    done = outcome.added or outcome.changed or outcome.removed or outcome.problems != before.problems
    if before.rows is not None and not done and before.model == model:
        outcome.built = False
        raise _Unchanged


@dataclass(frozen=True, slots=True)
class _Taking:
    """Writes documents down, one after the other, and notes in the outcome what was done with each."""

    writer: RowsWriter
    rows: Rows | None
    plan: Plan
    outcome: Outcome

    def take(self, id_: str, origin: Origin | None) -> None:
        """Writes one document down: as it stands where nothing changed (or nothing is given), else read."""
        settings = _settings(self.plan.limits)
        listed = self.rows.documents.get(id_) if self.rows is not None else None
        if origin is None:
            return self._keep(id_)
        try:
            raw = origin.read(self.plan.limits)
            known = (settings, sha256(raw).hexdigest())
            if listed is not None and (listed.settings, listed.content_hash) == known:
                return self._keep(id_)
            document = read_document(raw, id_=id_, form=origin.form, limits=self.plan.limits)
        except InputError as fault:
            if origin.named:
                raise
            self.outcome.problems[id_] = fault.message
            return None
        self.writer.add(document, settings)
        return (self.outcome.added if listed is None else self.outcome.changed).append(id_)

    def _keep(self, id_: str) -> None:
        assert self.rows is not None, "what is kept was there before"
        self.writer.copy(self.rows, id_)
        self.outcome.kept.append(id_)


def _vectors(rows: Rows, before: _Before, kept: Iterable[str], plan: Plan) -> Iterator[Array]:
    for listed in rows.documents.values():
        if listed.id in kept and before.vectors is not None and before.rows is not None:
            first = before.rows.documents[listed.id].first
            yield from (before.vectors[number] for number in range(first, first + listed.passages))
        else:
            assert plan.embedder is not None, "what is not kept is embedded"
            plan.progress(listed.id)
            yield from plan.embedder.embed_all(rows.texts(listed.id))


def _settings(limits: Limits) -> str:
    return f"{_READERS}:{limits.passage}:{limits.sentence}"


def _write_manifest(version: Path, rows: Rows, outcome: Outcome, model: _Model | None) -> None:
    told = {
        "documents": len(rows.documents),
        "passages": rows.count,
        "problems": outcome.problems,
        "model": model[0] if model else None,
        "fingerprint": model[1] if model else None,
        "sizes": {name: (version / name).stat().st_size for name in (ROWS, VECTORS) if (version / name).exists()},
        "content_hash": content_hash(rows),
    }
    (version / MANIFEST).write_text(json.dumps(told, indent=1), encoding="utf-8")


def content_hash(rows: Rows) -> str:
    """A SHA-256 over what the documents are: ids, contents and the settings with which they were cut."""
    lines = (f"{each.id}\0{each.content_hash}\0{each.settings}" for each in rows.documents.values())
    return sha256("\n".join(lines).encode()).hexdigest()
