"""A SPARQL 1.1 endpoint as a graph behind an address (implements ``RemoteGraph``).

Nothing of one server is relied on: Oxigraph, Virtuoso, Fuseki, GraphDB and others answer the same few queries, all of
them sent by POST (SPARQL 1.1 Protocol, section 2.1.2) and read from JSON. How all of a graph is read: ``whole``.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from imprimatur.config import SparqlConfig
from imprimatur.errors import CheckFailed, ImprimaturError, LimitExceeded, StoreUnavailable
from imprimatur.models.persist import MayPass, persist
from imprimatur.sources.graph.terms import RdfLiteral, literal_text
from imprimatur.sources.remote.results import Row, Term, read
from imprimatur.sources.remote.settings import Limits, Remote
from imprimatur.sources.remote.whole import Whole, plain_iri
from imprimatur.sources.remote.wire import Wire

if TYPE_CHECKING:
    import pyoxigraph as ox

    from imprimatur.sources.remote.endpoint import Triple

__all__ = ["SparqlGraph"]

_MOST_BYTES = 256 << 20
#: A live check is part of an answer, for which somebody waits.
_LIVE_SECONDS, _LIVE_PAUSE, _TRIES = 10.0, 0.2, 3
#: So many things are asked about in one request.
_BATCH = 200
_MOST_FACTS = 100_000
_XSD = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
#: A sum over all triples of nine digits of a hash of each: another one when any triple is another one.
_SUM = (
    'SUM(xsd:integer(SUBSTR(REPLACE(MD5(CONCAT(COALESCE(STR(?s), ""), " ", STR(?p), " ", COALESCE(STR(?o), ""), " ", '
    'COALESCE(LANG(?o), ""), " ", COALESCE(STR(DATATYPE(?o)), ""))), "[a-f]", ""), 1, 9)))'
)
#: Instead of a sum, where the server cannot make it.
_NO_SUM = "-"


class SparqlGraph:
    """One endpoint, or one named graph of it; it may be used by several threads, and keeps no connection open."""

    language = "sparql"

    def __init__(self, named: SparqlConfig) -> None:
        """Asks nothing yet. Raises ConfigError where the address is none, or the key is missing."""
        self._named = named
        seconds, graph = float(named.seconds), named.graph or ""
        self._limits = Limits(seconds=seconds, total=3 * seconds, tries=_TRIES, most_bytes=_MOST_BYTES)
        remote = Remote(url=named.url, limits=self._limits, authorization=_authorization(named), graph=graph)
        address = remote.address()
        # Reports name it: without a query, in which some servers take keys.
        at = f"{address.scheme}://{address.netloc}{address.path}"
        self.where = f"{at} <{graph}>" if graph else at
        self._wire = Wire(remote)
        self._sums = True
        self._next = 0.0

    def stamp(self) -> str:
        """The number of triples, and the operator's revision or else a sum over all of them."""
        if self._named.revision is not None:
            rows = self._ask(self._named.revision, 1000)
            told = sorted(f"{name}={_written(term)}" for row in rows for name, term in row.items())
            count = self._number("COUNT(*)")
            return f"{count} {' '.join(told)}"
        if self._sums:
            try:
                return self._number("COUNT(*)", _SUM)
            except (StoreUnavailable, CheckFailed):
                count = self._number("COUNT(*)")  # so it can be reached, and refuses the sum
                self._sums = False
                return f"{count} {_NO_SUM}"
        return f"{self._number('COUNT(*)')} {_NO_SUM}"

    def quads(self) -> Iterator[ox.Quad]:
        """All triples, as ``whole`` reads them."""
        import pyoxigraph as ox

        named = self._named
        whole = Whole(self._read, where=self.where, page=named.page, most=named.most)
        blanks: dict[str, ox.BlankNode] = {}

        def term(value: Term) -> Any:
            if isinstance(value, RdfLiteral):
                if value.lang:
                    return ox.Literal(value.lexical, language=value.lang)
                return ox.Literal(value.lexical, datatype=ox.NamedNode(value.datatype))
            if value.startswith("_:"):
                return blanks.setdefault(value, ox.BlankNode(f"n{len(blanks)}"))
            return ox.NamedNode(value)

        for subject, predicate, value in whole.facts():
            try:
                quad = ox.Quad(term(subject), term(predicate), term(value))
            except (ValueError, TypeError) as fault:
                raise CheckFailed(f"the endpoint gave what is no term of RDF: {fault}", where=self.where) from fault
            yield quad

    def facts(self, things: Sequence[str]) -> Mapping[str, frozenset[Triple]]:
        """What the things have now. A blank node stands for what it has itself: see ``RemoteGraph``."""
        found: dict[str, set[Triple]] = {thing: set() for thing in things}
        wanted = list(found)
        for start in range(0, len(wanted), _BATCH):
            self._facts(wanted[start : start + _BATCH], found)
        return {thing: frozenset(triples) for thing, triples in found.items()}

    def query(self, subject: str, predicate: str, value: str) -> str:
        """An ASK query for one triple; the terms in N-Triples."""
        return self.query_all([(subject, predicate, value)])

    def query_all(self, triples: Sequence[tuple[str, str, str]]) -> str:
        """An ASK query for several triples; a blank node in them is any node."""
        lines = dict.fromkeys(" ".join(f"?{t[2:]}" if t.startswith("_:") else t for t in each) for each in triples)
        source = f"FROM <{self._named.graph}> " if self._named.graph else ""
        return f"ASK {source}{{ {' '.join(f'{line} .' for line in lines)} }}"

    def close(self) -> None:
        """Nothing is open."""

    # -- asking -------------------------------------------------------------------------------------------------------
    def _facts(self, things: Sequence[str], found: dict[str, set[Triple]]) -> None:
        """Adds what some things have; asks in halves where that is more than a page."""
        listed = f"VALUES ?s {{ {' '.join(map(plain_iri, things))} }}"
        own = f"{{ {listed} ?s ?p ?o FILTER(!isBlank(?o)) }}"
        below = f"{{ {listed} ?s ?p ?b . ?b ?q ?o FILTER(isBlank(?b) && !isBlank(?o)) }}"
        most = self._named.page
        rows = self._ask(f"SELECT ?s ?p ?q ?o WHERE {{ {own} UNION {below} }} LIMIT {most}", most, live=True)
        if len(rows) >= most:
            if len(things) == 1 or most * len(things) > _MOST_FACTS * 10:
                raise LimitExceeded(f"more than {most} facts of one thing", where=self.where, hint="raise `page`")
            half = len(things) // 2
            self._facts(things[:half], found)
            self._facts(things[half:], found)
            return
        for row in rows:
            subject, predicate, step, value = row.get("s"), row.get("p"), row.get("q"), row.get("o")
            if subject not in found or not isinstance(predicate, str) or value is None:
                raise CheckFailed("the endpoint gave other terms than it was asked for", where=self.where)
            path = f"{predicate} {step}" if isinstance(step, str) else predicate
            found[str(subject)].add((str(subject), path, value))

    def _number(self, *figures: str) -> str:
        names = " ".join(f"({figure} AS ?n{at})" for at, figure in enumerate(figures))
        rows = self._ask(f"{_XSD}SELECT {names} WHERE {{ ?s ?p ?o }}", 1)
        terms = [rows[0].get(f"n{at}") if rows else None for at in range(len(figures))]
        if not all(isinstance(term, RdfLiteral) for term in terms):
            raise CheckFailed("the endpoint gave no number where it was asked for one", where=self.where)
        return " ".join(term.lexical for term in terms if isinstance(term, RdfLiteral))

    def _read(self, query: str, most: int) -> Sequence[Row]:
        """The rows of a query for the whole graph, at a distance from the one before."""
        wait = self._next - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        self._next = time.monotonic() + self._named.pause / 1000
        return self._ask(query, most)

    def _ask(self, query: str, most: int, *, live: bool = False) -> tuple[Row, ...]:
        limits = self._limits
        seconds = min(limits.seconds, _LIVE_SECONDS) if live else limits.seconds
        ends = time.monotonic() + (seconds if live else limits.total)

        def ask() -> bytes:
            return self._wire.post(query, ends=min(ends, time.monotonic() + seconds))

        try:
            body = _at_once(ask) if live else persist(ask, tries=limits.tries, ends=ends)
            return read(body, most=most, blanks=True)
        except ImprimaturError as fault:
            # The name that reports give it, rather than the host alone.
            raise type(fault)(fault.message, where=self.where, hint=fault.hint) from None


def _at_once(ask: Callable[[], bytes]) -> bytes:
    """What ``ask`` gives, asked once more where that may pass; who waits for an answer is soon told that there is none.

    Raises:
        StoreUnavailable: the server cannot be reached, or does not answer in time.
    """
    try:
        return ask()
    except MayPass:
        time.sleep(_LIVE_PAUSE)
    try:
        return ask()
    except MayPass as passing:
        fault = passing.fault
    raise fault


def _authorization(named: SparqlConfig) -> str:
    if named.key is None:
        return ""
    key = named.key.reveal()
    if named.auth == "basic":
        return f"Basic {base64.b64encode(key.encode()).decode()}"
    return f"Bearer {key}"


def _written(term: Term) -> str:
    return term if isinstance(term, str) else literal_text(term)
