"""What a person decides on facts: accepted ones become curated, rejected ones leave the graph and stay out.

Contract: a decision is about one statement in one sentence, told by the id of its row; it holds whenever documents are
read again. Who decided and when is kept. An accepted fact stays until a person rejects it, even if its document goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError, nearest
from imprimatur.ingest.planning import hash_now
from imprimatur.ingest.rows import Row
from imprimatur.ingest.store import Facts, FactStore

__all__ = ["Reviewed", "add_rows", "review"]

_LEAST_PREFIX = 6
_MOST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What was decided: the rows as they are now.

    Attributes:
        stale: documents of these rows that are gone, or are not as they were when they were read.
        others: rows in the graph that state what was rejected, in other sentences: they stay.
    """

    accepted: tuple[Row, ...]
    rejected: tuple[Row, ...]
    written: bool
    stale: tuple[str, ...] = ()
    others: tuple[Row, ...] = ()


def review(
    base: Path, *, accept: Sequence[str] = (), reject: Sequence[str] = (), by: str, at: datetime | None = None
) -> Reviewed:
    """Notes decisions in the store of a knowledge base.

    Args:
        accept, reject: ids of rows, or their first characters, at least six.
        by: who decided. at: when; now by default.

    Raises:
        InputError: an id is unknown, or stands in both lists; a fact whose things are not settled is to be accepted; or
        no name is given. StoreUnavailable: the store is being written, or cannot be.
    """
    if not by.strip() or len(by) > _MOST_NAME or not by.isprintable():
        raise InputError("who decides must be said", where="--by", hint="for instance --by 'Ada Lovelace'")
    store = FactStore(base)
    time = (at or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
    with store.writing():
        before = store.read()
        known = {row.id: row for row in before.rows}
        wanted = {_known(id_, known): "accepted" for id_ in accept}
        for id_ in (_known(each, known) for each in reject):
            if wanted.setdefault(id_, "rejected") != "rejected":
                raise InputError("the same fact is accepted and rejected", where=id_, hint="give it once")
        for id_, state in wanted.items():
            if state == "accepted" and not known[id_].quads:
                hint = "mend the document, the names or the ontology, and run `imprimatur kb ingest` again"
                raise InputError("it is not settled which things it speaks of", where=id_, hint=hint)
        rows = [_decided(row, wanted.get(row.id, ""), by.strip(), time) for row in before.rows]
        written = store.write(replace(before, rows=tuple(rows)))
    chosen = [row for row in rows if row.id in wanted]
    rejected = tuple(row for row in chosen if row.state == "rejected")
    said = {(row.subject, row.property, row.value) for row in rejected if row.value}
    return Reviewed(
        accepted=tuple(row for row in chosen if row.state == "accepted"),
        rejected=rejected,
        written=written,
        stale=_stale(base, chosen, before),
        others=tuple(row for row in rows if row.in_graph and (row.subject, row.property, row.value) in said),
    )


def _stale(base: Path, rows: Sequence[Row], facts: Facts) -> tuple[str, ...]:
    """The documents that are not as they were when these rows were read of them."""
    read = sorted({(row.document, row.document_hash) for row in rows if row.document})
    paths = {id_: listed.path for id_, listed in facts.documents.items()}
    return tuple(id_ for id_, was in read if id_ not in paths or hash_now(base, paths[id_]) != was)


def _decided(row: Row, state: str, by: str, time: str) -> Row:
    if not state or state == row.state:
        return row
    return replace(row, state=state, decided_by=by, decided_at=time)


def _known(id_: str, known: dict[str, Row]) -> str:
    if id_ in known:
        return id_
    near = [each for each in known if each.startswith(id_)] if len(id_) >= _LEAST_PREFIX else []
    if len(near) == 1:
        return near[0]
    message = f"{len(near)} facts have ids that begin so" if near else "there is no fact of this id"
    other = nearest(id_, known)
    hint = f"did you mean {other}?" if other and not near else "`imprimatur kb facts DIR` shows the ids"
    raise InputError(message, where=id_[:60], hint=hint)


def add_rows(base: Path, rows: Sequence[Row]) -> bool:
    """Adds rows that no document stands behind, such as what a model proposes; False where all are there already.

    A row whose id was decided on stays as it was decided, and one that is waiting is replaced.

    Raises:
        InputError: a row has a document, or no quads. StoreUnavailable: the store is being written, or cannot be.
    """
    for row in rows:
        if row.document or row.state not in ("waiting", "quarantined") or (row.state == "waiting" and not row.quads):
            raise InputError("only what waits or is quarantined, without a document, is added so", where=row.id)
    store = FactStore(base)
    with store.writing():
        before = store.read()
        given = {row.id: row for row in rows}
        decided = {row.id for row in before.rows if row.state in ("accepted", "rejected")}
        kept = [row for row in before.rows if row.id not in given or row.id in decided or row.document]
        new = [row for id_, row in given.items() if id_ not in decided]
        return store.write(replace(before, rows=(*kept, *new)))
