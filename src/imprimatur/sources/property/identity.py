"""Which thing a node is: its IRI, and from an IRI back to what finds the node.

A node is the thing whose IRI its key has; else the thing that its label and the value of its key name; else it is known
by its internal number alone. A node without any name gets an IRI that has none either, so that nothing that is said can
mention it. A relationship that held for a time is a thing, too (a statement): its IRI holds a hash of all that it says,
so that what its subject has is another thing when anything about it is another. Invariant: ``place_of`` undoes
``node_iri`` and ``statement_iri``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from imprimatur._expressions import expression
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SH, SKOS, UNNAMED, XSD

__all__ = ["Place", "is_iri", "is_taken", "node_iri", "place_of", "shown_label", "statement_iri"]

_ABSOLUTE = expression(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:[^\s<>\"{}|\\^`\x00-\x20\x7f]{1,2000}")
_IRI_KEYS = frozenset(("iri", "uri"))
_LONGEST = 500
_VOCABULARIES = (RDF, RDFS, OWL, XSD, SKOS, SH)
_NODE, _NUMBER, _STATEMENT = "node/", "number/", "statement/"
_MADE = (_NODE, _NUMBER, _STATEMENT, "class/", "property/", "relation/", "held/")


class Place(NamedTuple):
    """What finds a thing: its whole IRI in a key, label and value, an internal number, or a statement's numbers.

    ``statement`` has the internal numbers of its start and of itself.
    """

    iri: str = ""
    label: str = ""
    value: str = ""
    number: int | None = None
    statement: tuple[int, int] | None = None


def is_iri(value: Any) -> bool:
    """Whether a value is an absolute IRI."""
    return isinstance(value, str) and _ABSOLUTE.fullmatch(value) is not None


def shown_label(labels: Sequence[str]) -> str:
    """The label that stands in the IRIs of nodes: the first one that is not a tool's own, such as ``__Entity__``."""
    return next((label for label in sorted(labels) if not label.startswith("__")), "")


def is_taken(base: str, iri: str) -> bool:
    """Whether an IRI is none that a node may have for itself: one that is made here, or a word of the vocabularies by
    which the graph is read (a node that were ``owl:sameAs`` would say what that means)."""
    made = any(iri.startswith(begin + kind) for begin in (base, UNNAMED) for kind in _MADE)
    return made or iri.startswith(_VOCABULARIES)


def node_iri(base: str, node: tuple[int, Sequence[str], Mapping[str, Any]], keys: Sequence[str], named: bool) -> str:
    """The IRI of a node.

    Args:
        base: how IRIs begin that are made.
        node: its internal number, labels, and properties, in which no IRI is that is taken.
        keys: the keys that say which thing it is, in their order.
        named: whether it has a name.
    """
    begin = base if named else UNNAMED
    number, labels, properties = node
    for key in keys:
        value = properties.get(key)
        if (key in _IRI_KEYS or str(value).startswith(("http://", "https://"))) and is_iri(value):
            return str(value)
        if key not in _IRI_KEYS and isinstance(value, str | int) and not isinstance(value, bool):
            written = str(value)
            if written.strip() and len(written) <= _LONGEST:
                return f"{begin}{_NODE}{_quoted(shown_label(labels))}/{_quoted(written)}"
    return f"{begin}{_NUMBER}{number}"


def statement_iri(start: int, number: int, said: object) -> str:
    """The IRI of the statement that a relationship is; ``said`` is all that it says."""
    digest = hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"{UNNAMED}{_STATEMENT}{start}/{number}/{digest}"


def place_of(base: str, iri: str) -> Place:
    """What finds a thing."""
    for begin in (base, UNNAMED):
        if not iri.startswith(begin):
            continue
        kind, _, rest = iri[len(begin) :].partition("/")
        parts = rest.split("/")
        if kind + "/" == _NODE and len(parts) == 2:
            return Place(label=unquote(parts[0]), value=unquote(parts[1]))
        if kind + "/" == _NUMBER and _is_number(rest):
            return Place(number=int(rest))
        if kind + "/" == _STATEMENT and len(parts) == 3 and _is_number(parts[0]) and _is_number(parts[1]):
            return Place(statement=(int(parts[0]), int(parts[1])))
    return Place(iri=iri)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _quoted(text: str) -> str:
    return quote(text, safe="", errors="surrogatepass")
