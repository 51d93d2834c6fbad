"""Claims of four kinds from any knowledge base, each with its label by the second opinion.

Entailed: what is stored, and what follows. Contradicted: another value where a property has at most one, or all are
known; another unit; a class that is disjoint; a denial of what is so. Non-entailed: a value of the same property of
another thing, where nothing forbids it; a value of a thing of which none is known; a fact that was withheld. Claims
that a shape forbids are made in ``violating``. Each property is taken in turn, so that rare ones count as much as
frequent ones.
Invariants: the same knowledge base and seed give the same claims; a claim that is not entailed links no two things that
the graph links in any way, and no number near one that its thing has; what the second opinion is not sure of is left
out and counted (``left``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeAlias

from imprimatur.evals.mining.book import RDF_TYPE, Literal, Node, Triple
from imprimatur.evals.mining.claim import Kind, MinedClaim
from imprimatur.evals.mining.source import Source
from imprimatur.evals.mining.values import far_apart, near_any, other_number, other_unit
from imprimatur.evals.mining.wording import Said
from imprimatur.verdict import Label

__all__ = ["Maker"]

_FALSE = (Label.CONTRADICTED,)
_OPEN = (Label.NOT_FOUND,)
#: How many values are tried for one claim, and how many things for one property.
_TRIES, _THINGS = 12, 400
#: A triple, how it was made, and what its value is said as where that is not as it is stored.
Draft: TypeAlias = tuple[Triple, str, str]


class Maker:
    """Makes claims of one knowledge base.

    Args:
        withheld: facts that were taken out of it, of which claims are made too.
    """

    def __init__(self, source: Source, *, seed: int, withheld: Sequence[Triple] = ()) -> None:
        self.source, self._book = source, source.book
        self._chance = Random(seed)
        self._seen: set[str] = set()
        self.left: Counter[str] = Counter()
        self.properties = source.sayable()
        self._facts: dict[str, list[tuple[str, Node]]] = {}
        self._withheld = list(withheld)
        self._all: list[str] | None = None
        self._inverse = {name for name in self.properties if self._book.one_each(name)}

    def claims(self, most: int, *, step: Callable[[str], None] = lambda what: None) -> list[MinedClaim]:
        """At most so many claims of each kind, those that break a shape left to ``violating.violating``."""
        makers: tuple[tuple[Kind, Callable[[str], Iterator[Draft]], tuple[Label, ...]], ...] = (
            (Kind.ENTAILED, self._entailed, (Label.SUPPORTED,)),
            (Kind.CONTRADICTED, self._contradicted, _FALSE),
            (Kind.NON_ENTAILED, self._non_entailed, _OPEN),
        )
        found: list[MinedClaim] = []
        if self.source.broken is not None:
            each = most // max(1, len(self.properties)) + 2
            facts = [fact for name in self.properties for fact in self.facts(name)[:each]]
            self.source.broken.look(node for fact in facts for node in fact)
        for kind, make, label in makers:
            drafts = {name: make(name) for name in self.properties}
            spare = most // 5 + 3 if kind is Kind.NON_ENTAILED and self.source.broken is not None else 0
            made = self._in_turn(kind, drafts, label, most + spare, step)
            found += self._allowed(made)[:most] if kind is Kind.NON_ENTAILED else made
        return found

    def _allowed(self, claims: list[MinedClaim]) -> list[MinedClaim]:
        """The claims that break no shape."""
        broken = self.source.broken
        if broken is None:
            return claims
        refused = {triple for triple in broken.suspects([claim.triple for claim in claims]) if broken.by(triple)}
        return [claim for claim in claims if claim.triple not in refused]

    def _in_turn(
        self,
        kind: Kind,
        drafts: dict[str, Iterator[Draft]],
        label: tuple[Label, ...],
        most: int,
        step: Callable[[str], None],
    ) -> list[MinedClaim]:
        found: list[MinedClaim] = []
        while drafts and len(found) < most:
            for name in list(drafts):
                made = next((claim for draft in drafts[name] if (claim := self.claim(kind, draft, label))), None)
                if made is None:
                    del drafts[name]
                    continue
                found.append(made)
                step(made.text)
                if len(found) == most:
                    break
        return found

    def claim(self, kind: Kind, draft: Draft, label: tuple[Label, ...], shape: str = "") -> MinedClaim | None:
        """A draft as a sentence in one of its forms; None where it cannot be said, or was."""
        (subject, name, value), made, shown = draft
        ways = self.source.sentences(subject, name, value, shown)
        if kind is Kind.VIOLATING:
            # "X is in Y" says less than "the country of X is Y", which is what the shape is about.
            ways = [way for way in ways if way.form != "preposition"]
        if not ways:
            self.left["no sentence from the labels"] += 1
            return None
        way: Said = self._chance.choice(ways)
        text = way.denied if made == "denied" else way.text
        text = text[:1].upper() + text[1:]
        text = f"{text[:-1]}" if text.endswith("..") else text
        if text in self._seen:
            return None
        self._seen.add(text)
        return MinedClaim(
            id=f"{kind.value}-{len(self._seen)}",
            text=text,
            kind=kind,
            label=label,
            made=made,
            form=f"denied: {way.form}" if made == "denied" else way.form,
            property=self.label(name),
            iri=name,
            triple=(subject, name, value),
            shape=shape,
        )

    def label(self, name: str) -> str:
        """What a property is called in tables."""
        return "is a" if name == RDF_TYPE else next(iter(self.source.labels(name)), name)

    def facts(self, name: str) -> list[tuple[str, Node]]:
        """The facts of a property that can be said, in an order that hangs on the seed."""
        if name not in self._facts:
            found = list(self.source.facts(name))
            Random(f"{self._chance.random()} {name}").shuffle(found)
            self._facts[name] = [fact for fact in found[: 50 * _THINGS] if self._sayable(fact[0], name, fact[1])]
        return self._facts[name]

    def _sayable(self, subject: str, name: str, value: Node) -> bool:
        if not self.source.name(subject):
            self.left["a thing without a name of its own"] += 1
        elif name == RDF_TYPE and not (isinstance(value, str) and self.source.kind(value)):
            self.left["a class without a name"] += 1
        elif name != RDF_TYPE and not self.source.value(name, value):
            self.left["a value without a plain form"] += 1
        else:
            return True
        return False

    # -- the kinds ----------------------------------------------------------------------------------------------------
    def _entailed(self, name: str) -> Iterator[Draft]:
        for subject, value in self.facts(name):
            if self._sound(subject, name, value):
                stored = (subject, name, value) in self._book.stored
                yield (subject, name, value), "stored" if stored else "inferred", ""

    def _sound(self, subject: str, name: str, value: Node) -> bool:
        """Whether the graph is at one with itself about a fact."""
        if name in self._book.functional and len(self._book.values(subject, name)) > 1:
            self.left["two values where there is one at most"] += 1
            return False
        broken = self.source.broken
        if broken is not None and broken.at(subject, value):
            self.left["the graph itself breaks a shape there"] += 1
            return False
        return True

    def _contradicted(self, name: str) -> Iterator[Draft]:
        ways = (self._other, self._unit, self._denied)
        for number, (subject, value) in enumerate(self.facts(name)):
            if not self._sound(subject, name, value):
                continue
            for way in (ways[number % 3], *ways):
                draft = way(subject, name, value)
                if draft is not None:
                    yield draft
                    break

    def _other(self, subject: str, name: str, value: Node) -> Draft | None:
        """Another value where that is out."""
        if name == RDF_TYPE:
            kinds = [kind for kind in self._kinds() if self._book.disjoint(subject, kind)]
            return ((subject, name, self._chance.choice(kinds)), "disjoint class", "") if kinds else None
        if name not in self._book.functional and not self.source.complete(name):
            return None
        wrong = self._wrong(subject, name, value)
        how = "another value" if name in self._book.functional else "not among all"
        return ((subject, name, wrong), how, "") if wrong is not None else None

    def _wrong(self, subject: str, name: str, value: Node) -> Node | None:
        if isinstance(value, Literal) and self._chance.random() < 0.3:
            made = other_number(value, self._chance)
            if made is not None and self._free(subject, name, made):
                return made
        facts = self.facts(name)
        for _ in range(_TRIES):
            wrong = self._chance.choice(facts)[1]
            if far_apart(value, wrong) and self._free(subject, name, wrong):
                return wrong
        return None

    def _free(self, subject: str, name: str, value: Node) -> bool:
        """Whether nothing in the graph bears out any sentence about the two."""
        book = self._book
        return (
            value != subject
            and not book.holds(subject, name, value)
            and not book.related(subject, value)
            and not any(book.same(value, each) for each in book.values(subject, name))
            and not near_any(book, subject, value)
        )

    def _unit(self, subject: str, name: str, value: Node) -> Draft | None:
        """The right number in a wrong unit."""
        single = name in self._book.functional and name != RDF_TYPE
        shown = other_unit(self.source.value(name, value)) if single and isinstance(value, Literal) else ""
        return ((subject, name, value), "another unit", shown) if shown else None

    def _denied(self, subject: str, name: str, value: Node) -> Draft | None:
        return (subject, name, value), "denied", ""

    def _non_entailed(self, name: str) -> Iterator[Draft]:
        withheld = [triple for triple in self._withheld if triple[1] == name and self._free(triple[0], name, triple[2])]
        values = [value for _, value in self.facts(name)]
        subjects = [subject for subject, _ in self.facts(name)[:_THINGS]]
        for number in range(max(len(subjects), len(withheld))):
            if number < len(withheld) and not self._refuted(*withheld[number]):
                yield withheld[number], "withheld", ""
            yield from self._unknown(name, subjects[number : number + 1], values)

    def _unknown(self, name: str, subjects: Sequence[str], values: Sequence[Node]) -> Iterator[Draft]:
        if name in self._inverse or self.source.complete(name) or not subjects:
            return
        (subject,) = subjects
        for thing, made in ((subject, "a value of another"), (self.alike(subject, name), "nothing known")):
            for _ in range(_TRIES if thing else 0):
                value: Node = self._chance.choice(self._kinds() if name == RDF_TYPE else values)
                if thing and self._free(thing, name, value) and not self._refuted(thing, name, value):
                    yield (thing, name, value), made, ""
                    break

    def _refuted(self, subject: str, name: str, value: Node) -> bool:
        """Whether something forbids that a thing has a value: then nothing is left open."""
        book = self._book
        if name == RDF_TYPE:
            info = self.source.part.schema.class_(str(value))
            return book.disjoint(subject, str(value)) or (info is not None and info.complete)
        return any(book.values(subject, each) for each in book.singles(name))

    def alike(self, subject: str, name: str) -> str:
        """A thing of the same kind without any value of the property; empty where none was found."""
        kinds = self._book.classes(subject)
        for _ in range(_TRIES if name != RDF_TYPE else 0):
            other = self._chance.choice(self.things())
            if not self._book.values(other, name) and (kinds & self._book.classes(other) or not kinds):
                return other
        return ""

    def things(self) -> list[str]:
        """The things of which something is known that can be said."""
        if self._all is None:
            named = {subject: None for name in self.properties for subject, _ in self.facts(name)}
            self._all = list(named)
        return self._all

    def _kinds(self) -> list[str]:
        return [iri for iri, info in sorted(self.source.part.schema.classes.items()) if info.labels and info.instances]
