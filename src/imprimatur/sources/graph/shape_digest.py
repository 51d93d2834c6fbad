"""What the shapes say of the graph as a whole: what they imply of each property, and which of them examine nothing.

It is found by the compiled shapes and kept in the cache, so that opening a knowledge base need not compile them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur._dataclasses import dataclass
from imprimatur.sources.graph.kept import read_kept, write_kept
from imprimatur.sources.graph.terms import RdfLiteral

if TYPE_CHECKING:
    from imprimatur.sources.graph.shapes import Shapes

__all__ = ["Bound", "Digest", "Implied", "digest_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A limit of a property's values: ``mark`` is ``<``, ``<=``, ``>`` or ``>=``."""

    mark: str
    limit: RdfLiteral


@dataclass(frozen=True, slots=True, kw_only=True)
class Implied:
    """What shapes imply of all values of one property.

    Attributes:
        property: its IRI.
        single: whether a subject has at most one value.
        bounds: limits that every value keeps.
        classes: classes that every value belongs to. datatypes: datatypes of the values.
        allowed: the only values there may be (IRIs, blank nodes as ``_:label``, literals); empty for no such list.
        disjoint: properties with which no value is shared. below: properties whose values are greater.
        shapes: the names of the shapes that say so.
    """

    property: str
    single: bool = False
    bounds: tuple[Bound, ...] = ()
    classes: tuple[str, ...] = ()
    datatypes: tuple[str, ...] = ()
    allowed: tuple[str | RdfLiteral, ...] = ()
    disjoint: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """What shapes imply, by property, and the names of those without a focus node in the graph."""

    implied: tuple[Implied, ...] = ()
    unfocused: tuple[str, ...] = ()


def digest_of(shapes: Shapes, cache_dir: Path | None) -> Digest:
    """The digest of some shapes over their graph, from the cache where it is current.

    Args:
        cache_dir: where it is kept; None for the user's cache folder.

    Raises:
        KnowledgeBaseError: the shapes are malformed.
    """
    parts = (shapes.graph.content_hash, shapes.content_hash, _code())
    name = f"shapes-{sha256(' '.join(parts).encode()).hexdigest()[:32]}.json"
    try:
        return _from_json(read_kept(name, cache_dir))
    except (ValueError, KeyError, TypeError):
        made = Digest(shapes.implied(), shapes.unfocused())
        write_kept(name, asdict(made), cache_dir)
        return made


def _code() -> str:
    """A hash of the code that finds it."""
    file = Path(__file__).parent.parent / "shacl" / "implied.py"
    return sha256(file.read_bytes()).hexdigest()


def _from_json(kept: Any) -> Digest:
    return Digest(tuple(_implied(each) for each in kept["implied"]), tuple(kept["unfocused"]))


def _implied(kept: Mapping[str, Any]) -> Implied:
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    return replace(
        Implied(**plain),
        bounds=tuple(Bound(mark=each["mark"], limit=RdfLiteral(**each["limit"])) for each in kept["bounds"]),
        allowed=tuple(RdfLiteral(**each) if isinstance(each, dict) else each for each in kept["allowed"]),
    )
