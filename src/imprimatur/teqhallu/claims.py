"""The fourth step and its plainer forms: the claims of a response, and what is looked up for each.

Contract: a claim quotes its words of the response; where they do not stand there, or the claim is said with other
numbers than they have, it is at fault and will be ``unchecked``. So is one whose SELECT could not be mended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.teqhallu import shapes
from imprimatur.teqhallu.asker import Asker
from imprimatur.teqhallu.building import schema_of
from imprimatur.teqhallu.database import ENTITY, Database
from imprimatur.teqhallu.entries import Entries
from imprimatur.teqhallu.found import Sample, Shown
from imprimatur.teqhallu.kinds import Stage
from imprimatur.teqhallu.repairing import run_all
from imprimatur.teqhallu.spans import missing_in, numbers_of, place

__all__ = ["Drafted", "atomic", "by_entries", "by_selects"]


_NOTHING = Shown()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A claim before anything is judged; ``fault``: why it cannot be."""

    says: str
    start: int
    end: int
    entities: tuple[str, ...] = ()
    aligned: tuple[str, ...] = ()
    shown: Shown = _NOTHING
    fault: str = ""


def atomic(sample: Sample, asker: Asker) -> list[Drafted]:
    """The claims alone. Raises what asking the model raises."""
    said = asker.ask(Stage.CLAIMS, "claims", shapes.claims(sample.response), **_told(sample))
    return [_drafted(each, sample) for each in said["claims"]]


def by_entries(sample: Sample, entries: Entries, asker: Asker) -> list[Drafted]:
    """The claims, each with the entries of the keys that the model names for it."""
    shape = shapes.claims(sample.response, keys=True)
    said = asker.ask(Stage.CLAIMS, "keyed", shape, **_told(sample), keys=list(entries.keys()))
    return [_drafted(each, sample, shown=entries.look(each["keys"])) for each in said["claims"]]


def by_selects(sample: Sample, database: Database, asker: Asker, *, strict: bool = False) -> list[Drafted]:
    """The claims, each with what its SELECT gives; ``strict``: no two ids are taken for one."""
    aliases = [] if strict else [{"alias": alias, "entity": entity} for alias, entity in database.aliases.items()]
    told = {"tables": schema_of(database), "entities": list(database.entities()), "aliases": aliases}
    said = asker.ask(Stage.SELECT, "select", shapes.selects(sample.response), **_told(sample), **told)
    if not strict:
        database.align((pair["alias"], pair["entity"]) for pair in said["aliases"])
    asked = [each for each in said["claims"] if each["sql"].strip()]
    ran = run_all([each["sql"] for each in asked], lambda _, sql: database.verify(sql), asker, tables=told["tables"])
    shown = {
        id(each): replace(run.got or Shown(query=run.sql, fault=run.fault), repairs=run.repairs)
        for each, run in zip(asked, ran)
    }
    made = []
    for each in said["claims"]:
        found = shown.get(id(each), _NOTHING)
        aligned = _aligned(each["entities"], found, database, strict=strict)
        made.append(_drafted(each, sample, shown=found, entities=tuple(each["entities"]), aligned=aligned))
    return made


def _told(sample: Sample) -> dict[str, Any]:
    return {"question": sample.question, "response": sample.response}


def _aligned(entities: Sequence[str], shown: Shown, database: Database, *, strict: bool) -> tuple[str, ...]:
    """Those ids of a claim that the rows name."""
    place_of = [number for number, name in enumerate(shown.columns) if name.lower() == ENTITY]
    named = {str(row[number]) for row in shown.rows for number in place_of if row[number] is not None}
    if strict:
        return tuple(entity for entity in entities if entity in named)
    resolved = {database.resolved(entity) for entity in named}
    return tuple(entity for entity in entities if database.resolved(entity) in resolved)


def _drafted(
    said: Mapping[str, Any],
    sample: Sample,
    *,
    shown: Shown = _NOTHING,
    entities: tuple[str, ...] = (),
    aligned: tuple[str, ...] = (),
) -> Drafted:
    found = place(said["quote"], sample.response)
    start, end = found if found is not None else (-1, -1)
    fault = shown.fault
    if found is None:
        fault = "the model quotes words that do not stand in the response"
    elif missing_in(sample.response[start:end], numbers_of([said["says"]])) is not None:
        fault = "the model says the claim with other numbers than the response has"
    return Drafted(
        says=said["says"].strip(), start=start, end=end, entities=entities, aligned=aligned, shown=shown, fault=fault
    )
