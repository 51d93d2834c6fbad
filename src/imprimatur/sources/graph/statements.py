"""Statement nodes: facts that a graph holds with a time, as ``s –link→ node –q→ value``, node with from / to / point.

A node is a statement node when it has no label, hangs on one subject only, and carries a time property: one that is
configured, one of the well-known ones (Wikidata qualifiers, schema.org, OWL-Time, DBpedia), or one whose name or label
says so and whose values are dates. A link whose chains the ontology declares (owl:propertyChainAxiom) is an ordinary
property. Where nothing in the graph has a label, only blank nodes are taken, for there a plain entity looks the same.
Wikidata statements (``p:`` – ``ps:``) speak for the direct property (``wdt:``); deprecated ones are left out.

An event node is another such node: nothing leads to it, and it names both ends itself (``node –p→ s``, ``node –q→ o``,
with a time). It states ``s –q→ o`` and ``o –p→ s`` for as long as it says (``event_links``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import field, replace
from itertools import islice

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.sources.graph.axioms import Axioms
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SCHEMA

__all__ = ["StatementLink", "Statements", "TimeProperties", "find_statements", "find_time_properties"]

_WD = "http://www.wikidata.org/prop/"
_TIME = "http://www.w3.org/2006/time#"
_RANK = "http://wikiba.se/ontology#rank"
_DEPRECATED = "http://wikiba.se/ontology#DeprecatedRank"
_KNOWN = {
    "first": (_WD + "qualifier/P580", *(s + "startDate" for s in SCHEMA), *(s + "validFrom" for s in SCHEMA)),
    "last": (_WD + "qualifier/P582", *(s + "endDate" for s in SCHEMA), *(s + "validThrough" for s in SCHEMA)),
    "point": (_WD + "qualifier/P585",),
}
_NAMES = {
    "first": (
        *("from", "start", "startdate", "startyear", "starttime", "begin", "begindate", "beginning"),
        *("validfrom", "hasbeginning", "since", "p580"),
    ),
    "last": (
        *("to", "end", "enddate", "endyear", "endtime", "ending", "until"),
        *("validto", "validuntil", "validthrough", "hasend", "p582"),
    ),
    "point": ("pointintime", "p585"),
}
_POINTS = frozenset(("year", "date", "when", "on", "time"))
_LOOKED_AT = 5000
_VALUES_SEEN = 20
_INSTANT = tuple(
    _TIME + name for name in ("inXSDDate", "inXSDgYear", "inXSDgYearMonth", "inXSDDateTimeStamp", "inXSDDateTime")
)
_NOT_VALUES = (RDF + "type", RDFS + "seeAlso", _RANK, "http://www.w3.org/ns/prov#wasDerivedFrom", OWL + "sameAs")
_WORD = expression(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProperties:
    """Identifiers of properties that give the first day, the last day, and a point (both) of validity."""

    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    point: frozenset[int] = frozenset()

    def all(self) -> frozenset[int]:
        """All of them."""
        return self.first | self.last | self.point


@dataclass(frozen=True, slots=True)
class StatementLink:
    """``s –link→ node –value→ o`` states ``s –property→ o`` (identifiers; ``property`` an IRI).

    With ``event`` the first step goes the other way: ``node –link→ s``.
    """

    link: int
    value: int
    property: str
    event: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """The statement links by the IRI of the property they state, the time properties, and reifiers of triples.

    ``events`` are the links of event nodes by the IRIs of the classes of these.
    """

    times: TimeProperties = TimeProperties()
    links: dict[str, tuple[StatementLink, ...]] = field(default_factory=dict)
    reifiers: dict[tuple[int, int, int], tuple[int, ...]] = field(default_factory=dict)
    deprecated: frozenset[int] = frozenset()
    events: dict[str, tuple[StatementLink, ...]] = field(default_factory=dict)


def _ids(graph: Graph, iris: Sequence[str]) -> set[int]:
    return {number for iri in iris if (number := graph.id(iri)) is not None}


def _names(graph: Graph, predicate: int) -> set[str]:
    texts = (graph.iri(predicate).rsplit("/", 1)[-1].rsplit("#", 1)[-1], *graph.labels(predicate))
    return {_WORD.sub("", text.lower()) for text in texts}


def _dated(graph: Graph, predicate: int) -> bool:
    """Whether the first values of a property are dates, or instants that have one: half of them at least.

    The others are times that cannot be read ("present", "unclear").
    """
    instants = _ids(graph, _INSTANT)
    seen = dated = 0
    for value in islice(graph.objects_of(predicate), _VALUES_SEEN):
        seen += 1
        if graph.is_literal(value):
            dated += graph.date(value) is not None
        else:
            dated += any(graph.objects(value, instant) for instant in instants)
    return 0 < seen <= 2 * dated


def find_events(graph: Graph, times: TimeProperties) -> tuple[dict[str, tuple[StatementLink, ...]], frozenset[int]]:
    """The links of event nodes by their class, and further properties that give such nodes a point in time."""
    kind = graph.id(RDF + "type")
    if kind is None or not _is_labelled(graph):
        return {}, frozenset()
    dates = times.all() | _event_dates(graph)
    found: dict[str, tuple[StatementLink, ...]] = {}
    points: set[int] = set()
    for cls in dict.fromkeys(graph.objects_of(kind)):
        nodes = list(islice(graph.subjects(kind, cls), _LOOKED_AT))
        if not all(_may_be_event(graph, node) for node in nodes):
            continue
        used = {p for node in nodes for p in graph.predicates_of(node)} - _ids(graph, _NOT_VALUES)
        ends = [
            p for p in sorted(used - dates) if any(not graph.is_literal(o) for n in nodes for o in graph.objects(n, p))
        ]
        if len(ends) == 2 and used & dates:
            found[graph.iri(cls)] = tuple(StatementLink(a, b, graph.iri(b), True) for a, b in (ends, ends[::-1]))
            points |= used & dates - times.all()
    return found, frozenset(points)


def _may_be_event(graph: Graph, node: int) -> bool:
    return not graph.is_literal(node) and not graph.named(node) and not graph.into(node)


def _event_dates(graph: Graph) -> frozenset[int]:
    """Properties that say when an event was, and are had by nothing that has a name."""
    return frozenset(
        p
        for p in graph.predicates()
        if _names(graph, p) & _POINTS
        and _dated(graph, p)
        and not any(graph.named(s) for s, _ in islice(graph.pairs(p), _LOOKED_AT))
    )


def find_time_properties(graph: Graph, first: Sequence[str] = (), last: Sequence[str] = ()) -> TimeProperties:
    """The time properties: those configured, well-known, or told by their names and values."""
    found = {kind: _ids(graph, iris) for kind, iris in _KNOWN.items()}
    found["first"] |= _ids(graph, first)
    found["last"] |= _ids(graph, last)
    for predicate in graph.predicates():
        names = _names(graph, predicate)
        for kind, words in _NAMES.items():
            if predicate not in found[kind] and not names.isdisjoint(words) and _dated(graph, predicate):
                found[kind].add(predicate)
    return TimeProperties(**{kind: frozenset(ids) for kind, ids in found.items()})


def find_statements(graph: Graph, axioms: Axioms, *, first: Sequence[str] = (), last: Sequence[str] = ()) -> Statements:
    """All statement links, reifiers and time properties of a graph."""
    times = find_time_properties(graph, first, last)
    events, points = find_events(graph, times)
    times = replace(times, point=times.point | points)
    links = [*_wikidata_links(graph), *_plain_links(graph, axioms, times)]
    links += [link for found in events.values() for link in found]
    by_property: dict[str, list[StatementLink]] = defaultdict(list)
    for link in links:
        by_property[link.property].append(link)
    rank, deprecated = graph.id(_RANK), graph.id(_DEPRECATED)
    return Statements(
        times=times,
        links={iri: tuple(dict.fromkeys(found)) for iri, found in by_property.items()},
        reifiers=_reifiers(graph),
        events=events,
        deprecated=frozenset(graph.subjects(rank, deprecated) if rank is not None and deprecated is not None else ()),
    )


def _wikidata_links(graph: Graph) -> list[StatementLink]:
    found = []
    for predicate in graph.predicates():
        iri = graph.iri(predicate)
        if not iri.startswith(_WD + "P"):
            continue
        name = iri.removeprefix(_WD)
        value = graph.id(f"{_WD}statement/{name}")
        if value is not None:
            found += [StatementLink(predicate, value, f"{_WD}{part}{name}") for part in ("direct/", "statement/")]
    return found


def _plain_links(graph: Graph, axioms: Axioms, times: TimeProperties) -> list[StatementLink]:
    chained = {link for chains in axioms.chains.values() for chain in chains for link, _ in chain.links}
    bare = not _is_labelled(graph)
    nodes: Counter[int] = Counter()
    for node in _timed_nodes(graph, times):
        into = graph.into(node)
        if len(into) == 1 and not graph.named(node) and not (bare and graph.is_iri(node)):
            nodes[into[0][1]] += 1
    found: list[StatementLink] = []
    for link, timed in nodes.items():
        targets = list(graph.objects_of(link))
        if link in chained or graph.iri(link).startswith(_WD) or 2 * timed < len(targets):
            continue
        if all(_may_be_statement(graph, node) for node in targets):
            found += _values_of(graph, link, targets=targets, times=times)
    return found


def _is_labelled(graph: Graph) -> bool:
    """Whether some of the graph's subjects that are no properties have labels."""
    predicates = set(graph.predicates())
    return any(graph.named(subject) for subject in graph.iter_subjects() if subject not in predicates)


def _timed_nodes(graph: Graph, times: TimeProperties) -> dict[int, None]:
    return {subject: None for predicate in sorted(times.all()) for subject, _ in graph.pairs(predicate)}


def _may_be_statement(graph: Graph, node: int) -> bool:
    return not graph.is_literal(node) and not graph.named(node) and len(graph.into(node)) == 1


def _values_of(graph: Graph, link: int, *, targets: list[int], times: TimeProperties) -> list[StatementLink]:
    skipped = times.all() | _ids(graph, _NOT_VALUES)
    rdf_value = graph.id(RDF + "value")
    candidates: Counter[int] = Counter()
    for node in targets:
        candidates.update(p for p in graph.predicates_of(node) if p not in skipped)
    return [
        StatementLink(link, value, graph.iri(link if value == rdf_value else value))
        for value in candidates
        if not _is_about_node(graph, value, targets=targets)
    ]


def _is_about_node(graph: Graph, value: int, *, targets: list[int]) -> bool:
    """Whether the property's declared domain is the class of the nodes, so that it tells of the node itself."""
    domain, kind = graph.id(RDFS + "domain"), graph.id(RDF + "type")
    if domain is None or kind is None:
        return False
    domains = set(graph.objects(value, domain))
    return any(domains & set(graph.objects(node, kind)) for node in targets)


def _reifiers(graph: Graph) -> dict[tuple[int, int, int], tuple[int, ...]]:
    """Nodes that stand for a triple: RDF 1.2 ``rdf:reifies`` and RDF 1.0 ``rdf:subject/predicate/object``."""
    found: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    reifies = graph.id(RDF + "reifies")
    for node, term in graph.pairs(reifies) if reifies is not None else ():
        parts = graph.triple_term(term)
        if parts is not None:
            found[parts.subject, parts.predicate, parts.object].append(node)
    subject, predicate, object_ = (graph.id(RDF + name) for name in ("subject", "predicate", "object"))
    if subject is not None and predicate is not None and object_ is not None:
        for node, s in graph.pairs(subject):
            for p in graph.objects(node, predicate):
                for o in graph.objects(node, object_):
                    found[s, p, o].append(node)
    return {triple: tuple(nodes) for triple, nodes in found.items()}
