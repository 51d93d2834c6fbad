"""Verdicts of a mirror, confirmed on the server while they are given.

The mirror judges, as any graph does. Then the server is asked what the things have now that the judgement rests on: all
that the claim's words may name, the subjects and values of its evidence, and the statement nodes that hang on them. All
of that must be what the mirror has; where it is not, the judgement is ``unchecked``, and the mirror is known to be old.

    what the server says                    the judgement
    --------------------------------------  ----------------------------------------------------------
    the same of all these things            stands
    something else of one of them           unchecked, check-failed: the graph has changed
    nonsense, or more than is read          unchecked, check-failed
    nothing: it cannot be reached           none; StoreUnavailable is raised, and ends the check

What ranges over more than these things (a rank, a count, "all", an inverse, a closure, completeness, what rules add)
rests on the whole graph besides. The server is asked for its stamp then, at most once in ``fresh`` seconds. So is which
things a name may mean: the mirror says it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import fields, is_dataclass, replace

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Attribute, Claim, Membership, Mention, Relation
from imprimatur.errors import CheckFailed, KnowledgeBaseError, LimitExceeded, StoreUnavailable
from imprimatur.evidence import Evidence
from imprimatur.protocols import Source
from imprimatur.sources.graph.candidates import triples_in
from imprimatur.sources.graph.judge import GraphSource
from imprimatur.sources.graph.terms import RdfLiteral
from imprimatur.sources.remote.endpoint import Triple
from imprimatur.sources.remote.graph import AsksTogether, RemoteGraph, hanging
from imprimatur.verdict import Finding, Judgement, Label, Reason

__all__ = ["Answered", "Live", "LiveSource"]

#: A claim that may mean more things than this is not confirmed.
_MOST = 1000
#: What is asked about only to see whether the server answers.
_NOTHING = "urn:uuid:6c2f1d0e-7f0b-4d5c-9a53-0f3f7a9b1c11"
#: So many event nodes of one thing are looked at.
_EVENTS = 50


@dataclass(frozen=True, slots=True)
class Rests:
    """What a judgement rests on: things by their IRIs, and whether it rests on the whole graph besides."""

    things: frozenset[str]
    whole: bool


class Live:
    """A mirror and its server.

    Args:
        source: what judges by the mirror.
        remote: the server's graph.
        stamp: of the mirror. stamped: when the server was asked for it, of ``time.monotonic``.
        fresh: for how many seconds a stamp holds.

    Raises:
        KnowledgeBaseError: the source's graph has nothing from the server's address.
    """

    def __init__(self, source: GraphSource, remote: RemoteGraph, stamp: str, *, stamped: float, fresh: float) -> None:
        self.remote = remote
        self._source, self._graph = source, source.graph
        self._stamp, self._fresh = stamp, fresh
        self._stamped = stamped
        self._quiet = 0.0
        self.stale = False
        links = [link for found in source.schema.statements.links.values() for link in found]
        self._links = frozenset(link.link for link in links if not link.event)
        self._event_links = frozenset(link.link for link in links if link.event)
        self._times = source.schema.statements.times.all()
        self._own = frozenset(origin for origin in source.graph.origins if origin.file == remote.where)
        if not self._own:  # then nothing would be missed that is gone
            raise KnowledgeBaseError("the graph has nothing from its address", where=remote.where)
        # What follows by the rules of shapes may follow from anything.
        self._rules = any(origin.rule for origin in source.graph.origins)

    # -- whether the mirror is still of the graph ----------------------------------------------------------------------
    def holds(self) -> bool:
        """Whether the graph is the mirror's, as far as is known; the stamp is asked for where it is too old.

        Raises:
            RuntimeFault: as ``RemoteGraph.stamp``.
        """
        if not self.stale and time.monotonic() - self._stamped >= self._fresh:
            begun = time.monotonic()
            if self.remote.stamp() != self._stamp:  # never the other way: another answer may have met a difference
                self.stale = True
            self._stamped = begun
        return not self.stale

    def differs(self) -> None:
        """Notes that a difference was met: the mirror is old, unless reading it anew has just changed nothing."""
        if time.monotonic() >= self._quiet:
            self.stale = True

    def quiet(self, seconds: float) -> None:
        """For so long a difference is no reason to read everything anew."""
        self._quiet = time.monotonic() + seconds

    # -- what a judgement rests on -------------------------------------------------------------------------------------
    def rests(self, claim: Claim, found: Judgement) -> Rests:
        """What the judgement on a claim rests on. Raises LimitExceeded where that is too much."""
        mentions = list(_mentions(claim.readings))
        whole = Reason.COMPLETE in found.reasons or not all(map(self._is_near, claim.readings))
        whole = whole or self._rules or any(mention.every is not None for mention in mentions)
        things = {iri: None for mention in mentions for iri in mention.candidates if not iri.startswith("?")}
        for evidence in found.evidence:
            things |= dict.fromkeys(self._named(evidence))
        found_things: dict[str, None] = {}
        for iri in things:
            whole |= self._reach(iri, found_things)
        if len(found_things) > _MOST:
            raise LimitExceeded(f"the claim may mean more than {_MOST} things", where=self.remote.where)
        return Rests(frozenset(found_things), whole)

    def _is_near(self, reading: object) -> bool:
        """Whether a reading is decided by what its own things have."""
        if isinstance(reading, Membership):
            return True
        if not isinstance(reading, Relation | Attribute):
            return False
        near = self._source.entailment.is_near
        for predicate in reading.predicates:
            info = self._source.schema.property(predicate.iri)
            if not near(predicate.iri) or (info is not None and info.inverse_functional):
                return False
        return True

    def _named(self, evidence: Evidence) -> Iterator[str]:
        """The things in the triples of a piece of evidence."""
        stated = evidence.content if evidence.kind == "triple" else evidence.terms
        for subject, _, value in triples_in(stated):
            for term in (subject, value):
                if term.startswith("<"):
                    yield term[1:-1]
                elif term.startswith("_:"):
                    yield term

    def _reach(self, iri: str, found: dict[str, None]) -> bool:
        """Adds a thing with the statement nodes that hang on it; whether something there cannot be asked about."""
        graph, number = self._graph, self._graph.id(iri)
        if number is None:
            found[iri] = None
            return False
        if iri.startswith("_:"):
            # It has a name in one answer of the server only; what leads to it can be asked about.
            into = graph.into(number)
            parents = [graph.iri(s) for s, _ in into[:_EVENTS] if graph.is_iri(s)]
            found |= dict.fromkeys(parents)
            return len(parents) < len(into) or not parents or any(self._is_blank(o) for _, o in graph.out(number))
        found[iri] = None
        deep = False
        nodes = [o for p, o in graph.out(number) if p in self._links]
        nodes += [s for link in self._event_links for s in graph.subjects(link, number)[:_EVENTS]]
        for node in nodes:
            if graph.is_iri(node):
                found[graph.iri(node)] = None
                instants = (o for p, o in graph.out(node) if p in self._times and graph.is_iri(o))
                found |= dict.fromkeys(map(graph.iri, instants))
        for _, value in graph.out(number):
            deep |= self._is_blank(value) and any(self._is_blank(o) for _, o in graph.out(value))
        return deep

    # -- what the server has -------------------------------------------------------------------------------------------
    def same(self, things: Sequence[str]) -> dict[str, bool]:
        """Of each thing, whether the server has of it what the mirror has. Raises RuntimeFault as ``facts``."""
        now = self.remote.facts(things) if things else {}
        return {thing: self._is_same(thing, now[thing]) for thing in things}

    def _is_same(self, thing: str, now: frozenset[Triple]) -> bool:
        """Beside the mirror there may be files: what the server adds must be known, what it alone states be there."""
        known, own = self._mirrored(thing)
        told = {(subject, predicate, _lowered(value)) for subject, predicate, value in now}
        return told <= known and own <= told

    def _mirrored(self, thing: str) -> tuple[set[Triple], set[Triple]]:
        """All that is known of a thing, and what of that is known from the server."""
        graph, number = self._graph, self._graph.id(thing)
        known: set[Triple] = set()
        own: set[Triple] = set()
        for p, o in graph.out(number) if number is not None else ():
            assert number is not None
            if graph.triple_term(o) is not None:
                continue
            is_own = graph.origin(number, p, o) in self._own
            if self._is_blank(o):
                # Rules may have added to it: only what the server has of it counts.
                stated = [(q, v) for q, v in graph.out(o) if graph.origin(o, q, v) in self._own]
                has = [(graph.iri(q), _lowered(self._term(v))) for q, v in stated if self._is_told(v)]
                if not is_own or not has:
                    continue
                term: str | RdfLiteral = hanging(has)
            else:
                term = _lowered(self._term(o))
            triple = thing, graph.iri(p), term
            known.add(triple)
            if is_own:
                own.add(triple)
        return known, own

    def _is_told(self, number: int) -> bool:
        return not self._is_blank(number) and self._graph.triple_term(number) is None

    def _term(self, number: int) -> str | RdfLiteral:
        graph = self._graph
        return graph.literal(number) if graph.is_literal(number) else graph.iri(number)

    def _is_blank(self, number: int) -> bool:
        graph = self._graph
        return not graph.is_iri(number) and not graph.is_literal(number) and graph.triple_term(number) is None

    def told(self, evidence: Evidence) -> Evidence:
        """Evidence of the server, with the query that finds it there.

        Where files have a part in it, a query that asks for all of it in SPARQL stays; no other language could.
        """
        together = isinstance(self.remote, AsksTogether)
        origins = (evidence.origin,) if together else evidence.origin.split(", ")
        if evidence.kind != "triple" or self.remote.where not in (evidence.origin, *origins):
            return evidence
        # The first one follows from the others, where there are any.
        stated = triples_in(evidence.content)
        triples = stated[1:] or stated
        if isinstance(self.remote, AsksTogether):
            query = self.remote.query_all(triples)
        else:
            whole = evidence.origin == self.remote.where
            query = "\n".join(self.remote.query(*each) for each in triples if whole or self._is_own(each))
        return replace(evidence, query=query) if triples else evidence

    def _is_own(self, triple: tuple[str, str, str]) -> bool:
        """Whether the server states a triple, in N-Triples."""
        graph = self._graph
        number = graph.id(triple[0][1:-1])
        out = graph.out(number) if number is not None else ()
        named = ((p, o) for p, o in out if f"<{graph.iri(p)}>" == triple[1] and graph.n3(o) == triple[2])
        return any(graph.origin(number, p, o) in self._own for p, o in named if number is not None)


class Answered:
    """What is known of the server for one answer: it is asked once about each thing."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self._same: dict[str, bool] = {}

    def learn(self, rests: Iterable[Rests]) -> None:
        """Asks about what is not known yet. Raises RuntimeFault as ``RemoteGraph``."""
        found = list(rests)
        wanted = {thing for each in found for thing in each.things} - self._same.keys()
        if not wanted and not self._same:
            wanted = {_NOTHING}  # no verdict without a word from the server, whatever it rests on
        self._same |= self.live.same(sorted(wanted))
        if any(each.whole for each in found):
            self.live.holds()

    def stands(self, rests: Rests) -> bool:
        """Whether what a judgement rests on is so; it has been learned."""
        same = all(self._same[thing] for thing in rests.things)
        if not same:
            self.live.differs()
        return same and not (rests.whole and self.live.stale)


class LiveSource:
    """A source whose judgements are confirmed on the server (implements ``protocols.Source``)."""

    #: It waits for a server.
    immediate = False

    def __init__(self, inner: Source, answered: Answered) -> None:
        self.name = inner.name
        self._inner, self._answered = inner, answered

    def __copy__(self) -> LiveSource:
        return LiveSource(copy(self._inner), self._answered)

    def judge(self, claim: Claim) -> Judgement:
        """What the mirror says, where the server bears it out. Raises StoreUnavailable where it cannot be reached."""
        return self.judge_all((claim,))[0]

    def judge_all(self, claims: Sequence[Claim]) -> tuple[Judgement, ...]:
        """The same of several claims, in order, for which the server is asked together."""
        found = [self._judged(claim) for claim in claims]
        return self._confirmed(list(zip(claims, found, strict=True)))

    def _judged(self, claim: Claim) -> Judgement:
        try:
            return self._inner.judge(claim)
        except (KnowledgeBaseError, StoreUnavailable):
            raise
        except Exception:  # a crashed check is a value: it leads to abstention, never to a licence
            return Judgement(source=self.name, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,))

    def _confirmed(self, pairs: Sequence[tuple[Claim, Judgement]]) -> tuple[Judgement, ...]:
        live = self._answered.live
        try:
            rests = [None if _rests_on_nothing(*pair) else live.rests(*pair) for pair in pairs]
            self._answered.learn(each for each in rests if each is not None)
        except (CheckFailed, LimitExceeded) as fault:
            if len(pairs) > 1:  # perhaps of one claim alone
                return tuple(judgement for pair in pairs for judgement in self._confirmed([pair]))
            return (_unchecked(*pairs[0], f"{live.remote.where}: {fault.message}"),)
        changed = f"the graph behind {live.remote.where} has changed since it was read"
        return tuple(
            replace(found, evidence=tuple(map(live.told, found.evidence)))
            if on is None or self._answered.stands(on)
            else _unchecked(claim, found, changed)
            for (claim, found), on in zip(pairs, rests, strict=True)
        )


def _rests_on_nothing(claim: Claim, found: Judgement) -> bool:
    """Whether there is nothing to confirm: it could not be read, or is unchecked as it is."""
    return not claim.readings or found.label is Label.UNCHECKED


def _unchecked(claim: Claim, found: Judgement, detail: str) -> Judgement:
    finding = Finding(Reason.CHECK_FAILED, claim.start, claim.end, detail)
    return Judgement(source=found.source, label=Label.UNCHECKED, reasons=(Reason.CHECK_FAILED,), findings=(finding,))


def _mentions(value: object) -> Iterator[Mention]:
    """All mentions in some statements, in those nested in them, and in what else is said of what they mention."""
    if isinstance(value, tuple):
        for each in value:
            yield from _mentions(each)
    elif is_dataclass(value):
        if isinstance(value, Mention):
            yield value
        for part in fields(value):
            yield from _mentions(getattr(value, part.name))


def _lowered(value: str | RdfLiteral) -> str | RdfLiteral:
    """Language tags differ in case alone where they are the same (RDF 1.1 Concepts, section 3.3)."""
    if isinstance(value, RdfLiteral) and value.lang and not value.lang.islower():
        return replace(value, lang=value.lang.lower())
    return value
