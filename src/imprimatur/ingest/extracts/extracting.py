"""An extract of an endpoint: which things, what of each, and how far it has come.

Contract: what is fetched is written into a file of the target (``Spool``), thing after thing in the order of the asked;
the same answers give the same bytes. Axioms and names are never taken from the facts of things: what names things is
asked for by itself, in the languages that are wanted, and what a server says of classes and properties is not believed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from hashlib import sha256
from itertools import islice

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import CheckFailed, InputError, LimitExceeded, StoreUnavailable
from imprimatur.ingest.extracts import queries
from imprimatur.ingest.extracts.amounts import Amounts
from imprimatur.ingest.extracts.asking import Asking
from imprimatur.ingest.extracts.construct import Construct
from imprimatur.ingest.extracts.queries import WD, WDT
from imprimatur.ingest.extracts.statements import Fact, nodes_of, things_of
from imprimatur.ingest.mapping.terms import is_iri
from imprimatur.language import units
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SH, SKOS, XSD, RdfLiteral, is_number, spoken_name
from imprimatur.sources.remote.queries import iri
from imprimatur.sources.remote.times import is_time, settled

__all__ = ["Extract", "Gathered", "gather"]

_BATCH = 20
_LONGEST = 1000
#: More would not be loaded in reasonable time.
_MOST_FACTS = 20_000_000
#: A node that a thing has of its own (``Ned_Pell__CareerStation__1``).
_OWN_NODE = expression(r".{1,2000}__[0-9]{1,6}", re.DOTALL)
_LANGUAGE = expression(r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*", re.IGNORECASE)
_DBPEDIA, _DATATYPE = "http://dbpedia.org/ontology/", "http://dbpedia.org/datatype/"
_AXIOMS = (OWL, RDFS, SH, RDF, SKOS, "http://www.w3.org/2008/05/skos-xl#", "http://www.w3.org/ns/prov#")
#: Kinds of values on Wikidata that are facts for readers; the others are keys of catalogues, files, places on maps.
_KINDS = frozenset(("WikibaseItem", "Quantity", "Time", "String", "Monolingualtext"))
_EXTERNAL = "ExternalId"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """What is wanted: just one of ``query``, ``things`` and ``cls``.

    Attributes:
        style: ``wikidata``, ``dbpedia`` or ``plain``; "" to tell it by the IRIs.
        most: things at most, or facts of a query; None for all.
        qualifiers: with statements that say when something held (Wikidata).
        external: also texts that are keys of other catalogues (Wikidata).
    """

    query: Construct | None = None
    things: tuple[str, ...] = ()
    cls: str = ""
    languages: tuple[str, ...] = ("en",)
    style: str = ""
    most: int | None = None
    qualifiers: bool = True
    external: bool = False

    @property
    def told_style(self) -> str:
        """The style: as it is given, or by the namespace of the class or the first thing."""
        if self.style:
            return self.style
        first = self.cls or next(iter(self.things), "") or (self.query.select if self.query else "")
        if "http://www.wikidata.org/" in first:
            return "wikidata"
        return "dbpedia" if "http://dbpedia.org/" in first else "plain"


@dataclass(slots=True)
class Gathered:
    """What has come together: numbers, units, what must be named, and the things that were ``asked`` about."""

    amounts: Amounts = field(default_factory=Amounts)
    things: int = 0
    facts: int = 0
    named: dict[str, None] = field(default_factory=dict)
    classes: dict[str, None] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    single: Counter[str] = field(default_factory=Counter)
    several: set[str] = field(default_factory=set)
    left_out: Counter[str] = field(default_factory=Counter)
    nodes: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)

    def note(self, facts: Sequence[Fact]) -> None:
        """Counts the facts of one thing, and what they speak of."""
        values: dict[tuple[str, str], int] = defaultdict(int)
        for each in facts:
            self.facts += 1
            values[each.subject, each.predicate] += 1
            for term in (each.subject, each.value):
                if isinstance(term, str) and (term in self.asked or not _is_node(term)):
                    self.named.setdefault(term)
                elif term == each.subject:
                    self.nodes.add(each.subject)
            if each.predicate == RDF + "type" and isinstance(each.value, str):
                self.classes.setdefault(each.value)
            elif not each.predicate.startswith(queries.WIKIBASE):
                kind = "link" if isinstance(each.value, str) else "value"
                known = self.properties.setdefault(each.predicate, kind)
                self.properties[each.predicate] = kind if known == kind else ""
            if isinstance(each.value, RdfLiteral) and is_number(each.value.lexical, each.value.datatype):
                self.amounts.count(each.predicate, each.unit)
        for (_, predicate), count in values.items():
            self.single[predicate] += 1
            if count > 1:
                self.several.add(predicate)


def gather(asking: Asking, wanted: Extract, gathered: Gathered, step: Callable[[int, int], None]) -> Iterator[Fact]:
    """The facts of an extract, as they come; ``gathered`` is filled, ``step`` is told things and facts.

    Raises:
        InputError: nothing is wanted, or a thing is no IRI.
        StoreUnavailable, CheckFailed, LimitExceeded: the endpoint failed again and again.
    """
    if wanted.query is not None:
        yield from _of_query(asking, wanted, gathered, step)
        return
    style = wanted.told_style
    things: Iterable[str] = (iri(each)[1:-1] for each in wanted.things)
    if wanted.cls:
        things = asking.things(queries.members(wanted.cls, wikidata=style == "wikidata"), most=wanted.most)
    elif not wanted.things:
        raise InputError("nothing is wanted", hint="give a query, a file of things, or a class")
    reader = _Wikidata(asking, wanted, gathered) if style == "wikidata" else _Plain(asking, wanted, gathered, style)
    each_once = iter(dict.fromkeys(things) if wanted.things else things)
    left = wanted.most
    while batch := tuple(islice(each_once, _BATCH if left is None else min(_BATCH, left))):
        left = None if left is None else left - len(batch)
        gathered.asked.update(batch)
        for read in _read(reader, batch):
            facts = [each for each in read if _is_written(each)]
            gathered.left_out["terms that are no IRIs or languages"] += len(read) - len(facts)
            gathered.note(facts)
            yield from facts
        if gathered.facts > _MOST_FACTS:
            raise LimitExceeded(f"there are more than {_MOST_FACTS:,} facts", hint="take fewer things, with --most")
        gathered.things += len(batch)
        step(gathered.things, gathered.facts)


def _read(reader: _Wikidata | _Plain, batch: Sequence[str]) -> list[list[Fact]]:
    """The facts of each thing; where that is too much for the server at once, those of halves."""
    try:
        return list(reader.read(batch))
    except (StoreUnavailable, CheckFailed, LimitExceeded) as fault:
        # Too busy, too far away or elsewhere for many things is so for few; an answer that is cut may be too long.
        slow = any(sign in fault.message for sign in ("in time", "status 50", "incomplete"))
        if len(batch) == 1 or (isinstance(fault, StoreUnavailable) and not slow):
            raise
    half = len(batch) // 2
    return [*_read(reader, batch[:half]), *_read(reader, batch[half:])]


class _Wikidata:
    """Facts with ranks, times and units."""

    def __init__(self, asking: Asking, wanted: Extract, gathered: Gathered) -> None:
        self._asking, self._wanted, self._gathered = asking, wanted, gathered
        self._kinds: dict[str, str] = {}

    def read(self, batch: Sequence[str]) -> Iterator[list[Fact]]:
        """The facts of each thing."""
        asking = self._asking
        facts = asking.about(queries.direct_facts(batch, self._wanted.languages))
        found = things_of(facts, asking.about(queries.statement_rows(batch)))
        nodes = nodes_of(asking.about(queries.details(batch)))
        self._learn({name for each in found.values() for name in (*each.direct, *each.statements)})
        for thing in batch:
            if thing not in found:
                continue
            each = found[thing]
            for name in [*each.direct, *each.statements]:
                if not self._is_kept(name):
                    self._gathered.left_out["keys of catalogues, files and places on maps"] += len(each.direct[name])
                    each.direct.pop(name, None)
                    each.statements.pop(name, None)
            made = list(each.facts(nodes, qualifiers=self._wanted.qualifiers))
            lost = sum(map(len, each.direct.values())) - sum(fact.predicate.startswith(WDT) for fact in made)
            self._gathered.left_out["doubted, superseded, or of times that are not known"] += max(0, lost)
            kinds = [Fact(f.subject, RDF + "type", f.value) for f in made if f.predicate == f"{WDT}P31"]
            yield [*kinds, *made]

    def _learn(self, names: set[str]) -> None:
        new = sorted(WDT + name for name in names if name not in self._kinds)
        for at in range(0, len(new), 50):
            batch = new[at : at + 50]
            self._kinds.update((each.removeprefix(WDT), "") for each in batch)
            for row in self._asking.about(queries.kinds(batch)):
                own, kind = row.get("s"), row.get("kind")
                if isinstance(own, str) and isinstance(kind, str):
                    self._kinds[own.removeprefix(WDT)] = kind.removeprefix(queries.WIKIBASE)

    def _is_kept(self, name: str) -> bool:
        kind = self._kinds.get(name, "")
        return not kind or kind in _KINDS or (self._wanted.external and kind == _EXTERNAL)


class _Plain:
    """Facts as they stand, without axioms and notes; nodes that a thing has of its own (``thing__1``) with it."""

    def __init__(self, asking: Asking, wanted: Extract, gathered: Gathered, style: str) -> None:
        self._asking, self._wanted, self._gathered, self._style = asking, wanted, gathered, style

    def read(self, batch: Sequence[str]) -> Iterator[list[Fact]]:
        """The facts of each thing, and of its nodes."""
        found = self._facts(batch)
        nodes = {
            value: thing
            for thing, facts in found.items()
            for _, _, value in _triples(facts)
            if isinstance(value, str) and value.startswith(f"{thing}__")
        }
        inner: dict[str, list[Fact]] = {}
        for at in range(0, len(nodes), _BATCH):
            inner.update(self._facts(tuple(nodes)[at : at + _BATCH]))
        for thing in batch:
            own = [fact for node, of in nodes.items() if of == thing for fact in inner.get(node, ())]
            if thing in found:
                yield [*found[thing], *own]

    def _facts(self, batch: Sequence[str]) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = defaultdict(list)
        for row in self._asking.about(queries.plain_facts(batch, self._wanted.languages)):
            subject, predicate, value = row.get("s"), row.get("p"), row.get("o")
            if subject not in batch or not isinstance(subject, str) or not isinstance(predicate, str):
                continue
            if value is None:
                self._gathered.left_out["values without a name"] += 1
            elif self._is_kept(predicate, value):
                made = _settled(subject, predicate, value)
                if made is not None:
                    found[subject].append(made)
                else:
                    self._gathered.left_out["numbers in units that are not known"] += 1
        return found

    def _is_kept(self, predicate: str, value: str | RdfLiteral) -> bool:
        if isinstance(value, RdfLiteral) and len(value.lexical) > _LONGEST:
            return False
        if predicate == RDF + "type":
            outside = isinstance(value, str) and not value.startswith(_AXIOMS)
            return outside and (self._style != "dbpedia" or str(value).startswith(_DBPEDIA))
        if predicate.startswith(_AXIOMS) or predicate in queries.NAMES:
            return False
        name = predicate.removeprefix(_DBPEDIA)
        return self._style != "dbpedia" or (name != predicate and not name.startswith("wiki") and name != "abstract")


def _triples(facts: Iterable[Fact]) -> Iterator[tuple[str, str, str | RdfLiteral]]:
    for each in facts:
        yield each.subject, each.predicate, each.value


def _settled(subject: str, predicate: str, value: str | RdfLiteral) -> Fact | None:
    """A fact as it stands; a number whose datatype is a unit has that as its unit."""
    if not isinstance(value, RdfLiteral) or not value.datatype.startswith(_DATATYPE):
        return Fact(subject, predicate, value)
    decimal = XSD + "decimal"
    known = units.parse(spoken_name(value.datatype)) is not None and is_number(value.lexical, decimal)
    return Fact(subject, predicate, RdfLiteral(value.lexical, decimal), value.datatype) if known else None


def _is_written(each: Fact) -> bool:
    """Whether a fact can stand on a line of N-Triples as it is: no IRI, language or datatype says more than itself."""
    value = each.value
    if isinstance(value, RdfLiteral):
        known = is_iri(value.datatype) and (not value.lang or _LANGUAGE.fullmatch(value.lang) is not None)
        return known and is_iri(each.subject) and is_iri(each.predicate)
    return all(map(is_iri, (each.subject, each.predicate, value)))


def _is_node(term: str) -> bool:
    return term.startswith(f"{WD}statement/") or _OWN_NODE.fullmatch(term) is not None


def _of_query(asking: Asking, wanted: Extract, gathered: Gathered, step: Callable[[int, int], None]) -> Iterator[Fact]:
    """The triples of a CONSTRUCT query, each once."""
    query = wanted.query
    assert query is not None
    stated = {predicate for _, predicate, _ in query.template if isinstance(predicate, str)}
    seen: set[bytes] = set()
    for number, row in enumerate(asking.solutions(query.select), 1):
        for subject, predicate, value in query.triples(row):
            made = _allowed(subject, predicate, value, wanted=wanted, stated=stated)
            if made is None or not _is_written(made):
                gathered.left_out["axioms, other languages, and times that say too little"] += 1
                continue
            known = sha256(repr((subject, predicate, value)).encode()).digest()[:16]
            if known in seen:
                continue
            seen.add(known)
            gathered.note([made])
            yield made
            if wanted.most is not None and gathered.facts >= wanted.most:
                return
            if gathered.facts > _MOST_FACTS:
                raise LimitExceeded(f"there are more than {_MOST_FACTS:,} facts", hint="add --most")
        if number % 500 == 0:
            step(number, gathered.facts)


def _allowed(
    subject: str, predicate: str, value: str | RdfLiteral, *, wanted: Extract, stated: set[str]
) -> Fact | None:
    """A triple that may be a fact: none that is an axiom unless the query itself writes its property."""
    if predicate.startswith(_AXIOMS) and predicate != RDF + "type" and predicate not in stated:
        return None
    if predicate == RDF + "type" and (not isinstance(value, str) or value.startswith(_AXIOMS)):
        return None
    if isinstance(value, RdfLiteral):
        if value.lang and value.lang not in (each.lower() for each in wanted.languages):
            return None
        if predicate.startswith(WDT) and is_time(value):
            made = settled(value, None)
            return Fact(subject, predicate, made) if made is not None else None
    return _settled(subject, predicate, value)
