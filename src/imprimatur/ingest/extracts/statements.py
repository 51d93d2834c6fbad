"""Statements of Wikidata: what ranks, qualifiers, precisions and units leave of direct facts.

Contract, for one thing: a deprecated statement is left out; of the others those of the best rank count, as in direct
facts, and of a lower rank only those that say when they ended or were so. A statement is left out, and with it the
direct fact that rests on it alone, where it is doubted or holds of a part (``_NARROWING``), or where it has a time
that is unknown or less exact than a year: without it, it would look as if it held for ever. Times are as exact as they
are known to be (``times.settled``). Quantities carry the IRI of their unit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.ingest.extracts.queries import WD, WDT, WIKIBASE
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.remote.results import Row, Term
from imprimatur.sources.remote.times import DAY, is_time, settled

__all__ = ["Fact", "Nodes", "Thing", "nodes_of", "things_of"]

_PROP = "http://www.wikidata.org/prop/"
_NAME = expression(r"P[0-9]{1,10}")
_RANK = WIKIBASE + "rank"
_ENDED = "P582"
_TIMES = ("P580", _ENDED, "P585")
#: "Sourcing circumstances", "nature of statement", "statement disputed by", "applies to part", "of".
_NARROWING = frozenset(("P1480", "P5102", "P1310", "P518", "P642"))
_NO_UNIT = WD + "Q199"

#: What a node of a value says, by the ending of the property that says it.
Nodes = Mapping[str, Mapping[str, Term]]


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple; ``unit`` is the IRI of its number's unit, "" for none."""

    subject: str
    predicate: str
    value: Term
    unit: str = ""


@dataclass(slots=True)
class _Statement:
    """One statement node: its rank, values with the nodes that tell more, and qualifiers likewise."""

    node: str
    rank: str = ""
    values: list[Term | None] = field(default_factory=list)
    value_node: str = ""
    qualifiers: dict[str, list[Term | None]] = field(default_factory=lambda: defaultdict(list))
    qualifier_nodes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class Thing:
    """What came of one thing: ``direct`` facts by property, and statements by property."""

    iri: str
    direct: dict[str, list[Term]] = field(default_factory=lambda: defaultdict(list))
    statements: dict[str, dict[str, _Statement]] = field(default_factory=lambda: defaultdict(dict))

    def facts(self, nodes: Nodes, *, qualifiers: bool) -> Iterator[Fact]:
        """What of it may be judged by; with ``qualifiers`` also the nodes that say when something held."""
        for name in sorted({*self.direct, *self.statements}):
            stated = self.statements.get(name, {})
            kept = {
                node: said for node, each in stated.items() if (said := self._kept(each, stated, nodes)) is not None
            }
            yield from self._direct(name, kept, nodes, qualifiers)
            if qualifiers:
                for node, said in kept.items():
                    yield from self._node(name, stated[node], said, nodes)

    def _kept(self, each: _Statement, all_: Mapping[str, _Statement], nodes: Nodes) -> tuple[Term, str] | None:
        """The value of a statement and its unit; None where it is left out."""
        if each.rank.endswith("DeprecatedRank") or not each.rank or _NARROWING & each.qualifiers.keys():
            return None
        if len(each.values) != 1 or each.values[0] is None or _is_unknown(each.values[0]):
            return None
        for name in _TIMES:
            told = each.qualifiers.get(name, ())
            if told and not _times(told, each.qualifier_nodes.get(name, ()), nodes):
                return None
        preferred = any(other.rank.endswith("PreferredRank") for other in all_.values())
        if preferred and not each.rank.endswith("PreferredRank") and not each.qualifiers.get(_ENDED):
            return None
        return _valued(each.values[0], nodes.get(each.value_node, {}))

    def _direct(
        self, name: str, kept: Mapping[str, tuple[Term, str]], nodes: Nodes, qualifiers: bool
    ) -> Iterator[Fact]:
        """The direct facts that rest on a kept statement; where no statements are told, those that can stand alone."""
        stated = self.statements.get(name, {})
        found: dict[tuple[Term, str], None] = {}
        for value in self.direct.get(name, ()):
            if not stated:
                alone = settled(value, None) if isinstance(value, RdfLiteral) and is_time(value) else value
                if alone is not None and not _is_unknown(alone):
                    found[alone, ""] = None
                continue
            for node, said in kept.items():
                each = stated[node]
                over = bool(each.qualifiers.get(_ENDED))
                if _same(each.values[0], value) and (qualifiers or not over):
                    found[said] = None
        for value, unit in found:
            yield Fact(self.iri, WDT + name, value, unit)

    def _node(self, name: str, each: _Statement, said: tuple[Term, str], nodes: Nodes) -> Iterator[Fact]:
        """A statement with what qualifies it."""
        if not each.qualifiers:
            return
        yield Fact(self.iri, _PROP + name, each.node)
        yield Fact(each.node, f"{_PROP}statement/{name}", said[0], said[1])
        yield Fact(each.node, _RANK, each.rank)
        for qualifier, values in sorted(each.qualifiers.items()):
            told = each.qualifier_nodes.get(qualifier, ())
            written = (
                _times(values, told, nodes) if any(map(_is_date, values)) else [v for v in values if v is not None]
            )
            for value in written:
                if not _is_unknown(value):
                    yield Fact(each.node, f"{_PROP}qualifier/{qualifier}", value)


def _same(first: Term | None, second: Term) -> bool:
    return first == second


def _is_unknown(value: Term) -> bool:
    """Whether a value stands for one that is not known: a node that the server has made up."""
    return isinstance(value, str) and (
        not value.startswith(("http://", "https://", "urn:")) or "/.well-known/" in value
    )


def _is_date(value: Term | None) -> bool:
    return isinstance(value, RdfLiteral) and is_time(value)


def _times(values: Sequence[Term | None], told: Sequence[str], nodes: Nodes) -> list[Term]:
    """Times as exact as they are; none at all where one of them says too little."""
    found: list[Term] = []
    for value in values:
        if not isinstance(value, RdfLiteral) or not is_time(value):
            return []
        precisions = [
            _precision(said)
            for node in told
            if isinstance(time := (said := nodes.get(node, {})).get("timeValue"), RdfLiteral)
            and time.lexical == value.lexical
        ]
        made = settled(value, min((each for each in precisions if each is not None), default=None))
        if made is None:
            return []
        found.append(made)
    return found


def _precision(said: Mapping[str, Term]) -> int | None:
    stated = said.get("timePrecision")
    lexical = stated.lexical if isinstance(stated, RdfLiteral) else ""
    return min(int(lexical), DAY) if lexical.isascii() and lexical.isdigit() and len(lexical) < 3 else None


def _valued(value: Term, said: Mapping[str, Term]) -> tuple[Term, str] | None:
    """A value as exact as it is, and its unit."""
    if isinstance(value, RdfLiteral) and is_time(value):
        made = settled(value, _precision(said))
        return (made, "") if made is not None else None
    unit = said.get("quantityUnit")
    if isinstance(value, RdfLiteral) and value.datatype == XSD + "decimal" and isinstance(unit, str):
        return value, "" if unit == _NO_UNIT else unit
    return value, ""


def things_of(facts: Iterator[Row], statements: Iterator[Row]) -> dict[str, Thing]:
    """The things that rows speak of, by IRI. Rows that are not of the asked kind are left out."""
    found: dict[str, Thing] = {}

    def thing(iri: object) -> Thing | None:
        return found.setdefault(iri, Thing(iri)) if isinstance(iri, str) else None

    for row in facts:
        own, predicate, value = thing(row.get("s")), row.get("p"), row.get("o")
        if own is not None and isinstance(predicate, str) and predicate.startswith(WDT) and value is not None:
            if not _NAME.fullmatch(predicate.removeprefix(WDT)):
                continue
            own.direct[predicate.removeprefix(WDT)].append(value)
    for row in statements:
        own, claim, node, predicate = thing(row.get("s")), row.get("claim"), row.get("st"), row.get("p")
        if own is None or not (isinstance(claim, str) and isinstance(predicate, str)):
            continue
        name = claim.removeprefix(_PROP)
        if not _NAME.fullmatch(name):
            continue
        # A node that is none of a statement gives no rank here, so that nothing is kept because of it.
        if not isinstance(node, str) or not node.startswith(f"{WD}statement/"):
            own.statements[name].setdefault("", _Statement(""))
            continue
        each = own.statements[name].setdefault(node, _Statement(node))
        _told(each, name, predicate, row.get("o"))
    return found


def _told(each: _Statement, name: str, predicate: str, value: Term | None) -> None:
    """Adds a row to its statement."""
    if predicate == _RANK:
        each.rank = value if isinstance(value, str) else ""
    elif predicate == f"{_PROP}statement/{name}":
        each.values.append(value)
    elif predicate == f"{_PROP}statement/value/{name}":
        each.value_node = value if isinstance(value, str) else ""
    elif predicate.startswith(f"{_PROP}qualifier/value/"):
        if isinstance(value, str):
            each.qualifier_nodes[predicate.removeprefix(f"{_PROP}qualifier/value/")].append(value)
    elif predicate.startswith(f"{_PROP}qualifier/") and _NAME.fullmatch(predicate.removeprefix(f"{_PROP}qualifier/")):
        each.qualifiers[predicate.removeprefix(f"{_PROP}qualifier/")].append(value)


def nodes_of(rows: Iterator[Row]) -> Nodes:
    """What nodes of values say."""
    found: dict[str, dict[str, Term]] = defaultdict(dict)
    for row in rows:
        node, predicate, value = row.get("node"), row.get("p"), row.get("o")
        if isinstance(node, str) and isinstance(predicate, str) and value is not None:
            found[node][predicate.removeprefix(WIKIBASE)] = value
    return found
