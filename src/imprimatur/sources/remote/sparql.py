"""A SPARQL 1.1 endpoint as a graph behind an address (implements ``RemoteGraph``).

Nothing of one server is relied on: Oxigraph, Virtuoso, Fuseki, GraphDB and others answer the same few queries, all of
them sent by POST (SPARQL 1.1 Protocol, section 2.1.2) and read from JSON. How all of a graph is read: ``whole``.
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from imprimatur.config import SparqlConfig
from imprimatur.errors import CheckFailed, ImprimaturError, LimitExceeded, StoreUnavailable
from imprimatur.models.persist import MayPass, persist
from imprimatur.sources.graph.terms import RdfLiteral, literal_text
from imprimatur.sources.remote.graph import hanging
from imprimatur.sources.remote.mirror import ordered
from imprimatur.sources.remote.results import Row, Term, read
from imprimatur.sources.remote.settings import Limits, Remote
from imprimatur.sources.remote.whole import Whole, plain_iri, whole_number
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
_XSD = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
_TRIPLES = "?s ?p ?o"
#: What hangs together by a blank node: whatever has it with what it has, and all that it has with one another.
_PAIRS = "{ ?s ?p ?b . ?b ?q ?v FILTER(isBlank(?b)) } UNION { ?b ?p ?o . ?b ?q ?v FILTER(isBlank(?b)) }"
_BLANKS = "SUM(IF(isBlank(?s) || isBlank(?o), 1, 0))"


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
        self._whose = _digest(named)
        self._sums = True
        self._next = 0.0

    def stamp(self) -> str:
        """The number of triples, and the operator's revision or else a sum over all of them.

        Where the server can make no such sum, everything is read, and the stamp is a hash of that.
        """
        if self._named.revision is not None:
            rows = self._ask(self._named.revision, 1000)
            told = sorted(f"{name}={_written(term)}" for row in rows for name, term in row.items())
            # Another graph may have the same revision and as many triples.
            return " ".join((self._whose, *self._figures(_TRIPLES, "COUNT(*)"), *told))
        if self._sums:
            try:
                *found, blank = self._figures(_TRIPLES, "COUNT(*)", _sum("?s", "?p", "?o"), _BLANKS)
                pairs = self._figures(_PAIRS, _sum("?s", "?p", "?o", "?q", "?v")) if blank != "0" else []
            except (StoreUnavailable, CheckFailed):
                self._figures(_TRIPLES, "COUNT(*)")  # so it can be reached, and refuses the sum
                self._sums = False
            else:
                return " ".join((*found, *pairs))
        return f"sha256:{ordered(self.quads())[1]}"

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
        """Adds what some things have; asks in halves where that is more than a page.

        The server counts what it gives, so that what it cuts off is found out.
        """
        listed = f"VALUES ?s {{ {' '.join(map(plain_iri, things))} }}"
        own = f"{{ {listed} ?s ?p ?o FILTER(!isBlank(?o)) }}"
        below = f"{{ {listed} ?s ?p ?b . ?b ?q ?o FILTER(isBlank(?b) && !isBlank(?o)) }}"
        counted = f"{{ SELECT (COUNT(*) AS ?n) WHERE {{ {own} UNION {below} }} }}"
        most = self._named.page
        query = f"SELECT ?s ?p ?b ?q ?o ?n WHERE {{ {own} UNION {below} UNION {counted} }} LIMIT {most}"
        given = self._ask(query, most, live=True)
        counts = [whole_number(row["n"], self.where) for row in given if "n" in row]
        rows = [row for row in given if "n" not in row]
        if not counts or len(rows) < counts[0]:
            if len(things) == 1:
                message = f"one thing has more than {most} facts, or more than the server gives at once"
                raise LimitExceeded(message, where=self.where, hint="raise `page`, or the server's maximum of rows")
            half = len(things) // 2
            self._facts(things[:half], found)
            self._facts(things[half:], found)
            return
        if counts != [len(rows)]:
            raise CheckFailed("the endpoint gave other rows than it counted", where=self.where)
        self._told(rows, found)

    def _told(self, rows: Sequence[Row], found: dict[str, set[Triple]]) -> None:
        """Adds what the rows of one answer say; the labels of blank nodes hold in it."""
        nodes: dict[tuple[str, str, str], list[tuple[str, Term]]] = {}
        for row in rows:
            subject, predicate, value = row.get("s"), row.get("p"), row.get("o")
            if subject not in found or not isinstance(predicate, str) or value is None:
                raise CheckFailed("the endpoint gave other terms than it was asked for", where=self.where)
            node, step = row.get("b"), row.get("q")
            if isinstance(node, str) and isinstance(step, str):
                nodes.setdefault((str(subject), predicate, node), []).append((step, value))
            else:
                found[str(subject)].add((str(subject), predicate, value))
        for (subject, predicate, _), has in nodes.items():
            found[subject].add((subject, predicate, hanging(has)))

    def _figures(self, pattern: str, *figures: str) -> list[str]:
        names = " ".join(f"({figure} AS ?n{at})" for at, figure in enumerate(figures))
        rows = self._ask(f"{_XSD}SELECT {names} WHERE {{ {pattern} }}", 1)
        terms = [rows[0].get(f"n{at}") if rows else None for at in range(len(figures))]
        if not all(isinstance(term, RdfLiteral) for term in terms):
            raise CheckFailed("the endpoint gave no number where it was asked for one", where=self.where)
        return [term.lexical for term in terms if isinstance(term, RdfLiteral)]

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


def _sum(*terms: str) -> str:
    """A sum of nine digits of a hash of each row: another one when any row is another one. Blank nodes have no text."""
    text = ', " ", '.join(
        f'COALESCE(STR({term}), ""), " ", COALESCE(LANG({term}), ""), " ", COALESCE(STR(DATATYPE({term})), "")'
        for term in terms
    )
    return f'SUM(xsd:integer(SUBSTR(REPLACE(MD5(CONCAT({text})), "[a-f]", ""), 1, 9)))'


def _digest(named: SparqlConfig) -> str:
    """What tells two graphs apart that are asked alike; a key cannot be found out from it."""
    key = named.key.reveal() if named.key is not None else ""
    told = repr((named.url, named.graph, named.revision)).encode()
    return hashlib.pbkdf2_hmac("sha256", key.encode("utf-8", "surrogatepass"), told, 100_000).hex()[:32]


def _authorization(named: SparqlConfig) -> str:
    if named.key is None:
        return ""
    key = named.key.reveal()
    if named.auth == "basic":
        return f"Basic {base64.b64encode(key.encode()).decode()}"
    return f"Bearer {key}"


def _written(term: Term) -> str:
    return term if isinstance(term, str) else literal_text(term)
