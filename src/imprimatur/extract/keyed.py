"""One key of a clause (``Keyed``), and what all kinds of keys ask of a clause (see ``extract.keys``)."""

from __future__ import annotations

from imprimatur._dataclasses import dataclass
from imprimatur.extract.chains import is_hole
from imprimatur.extract.syntax import Clause, Comp, Np, NpKind

__all__ = ["Keyed", "base", "first", "limits"]


@dataclass(frozen=True, slots=True)
class Keyed:
    """One key of a clause with its holes, and the items that the key accounts for."""

    key: str
    holes: tuple[Np, ...]
    items: frozenset[int]
    noun: Np | None = None  # the class noun of "isa", the counted noun of "#"


def first(clause: Clause, role: str) -> Comp | None:
    """The first complement of a role that has a noun phrase."""
    return next((c for c in clause.comps if c.role == role and c.np is not None), None)


def base(clause: Clause) -> frozenset[int]:
    """The items of the clause that belong to no complement: its verb group, subject and function words."""
    out = clause.items
    for c in clause.comps:
        out = out - c.items
    return (out - set(clause.adverbs)) | (clause.subj.items if clause.subj else frozenset())


def limits(place: Comp, clause: Clause) -> bool:
    """Whether a place says where something else of the clause is: "flows into X in Y", "is 5 km long in Y"."""
    if place.np is None or place.role not in ("loc", "through", "across") or not is_hole(place.np):
        return False
    at = min(place.items)
    return any(
        c is not place
        and c.np is not None
        and min(c.items) < at
        and (c.np.kind is NpKind.QUANTITY or (c.role == "into" and place.role == "loc" and is_hole(c.np)))
        for c in clause.comps
    )
