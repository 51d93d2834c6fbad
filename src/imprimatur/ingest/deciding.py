"""Decides which thing each of a batch is, by its name, its classes, and what is said of it; see ``resolving``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from imprimatur._dataclasses import dataclass
from imprimatur.ingest.gathering import Group, Key, Said
from imprimatur.ingest.known_things import Fit, KnownThings, Strength, persons
from imprimatur.ingest.name_keys import alike, qualifier, shorter
from imprimatur.ingest.ontology_draft import slug
from imprimatur.ingest.proposing import Proposes, Side, Verifies
from imprimatur.ingest.telling_apart import contradicting, telling
from imprimatur.sources.graph.terms import RDF

__all__ = ["Deciding", "Decision"]

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was found of one thing.

    Attributes:
        name, classes: as the batch has it. document: the only one that it holds for; "" where it holds for all.
        iri: which thing it is; "" where that is not settled.
        how: ``exact``, ``alternative``, ``facts``, ``context``, ``short``, each with ``+model`` where a model confirmed
            it, ``embedding+model``, ``new``, ``given``, or ``ambiguous``.
        near: the IRIs that were looked at besides, sorted. detail: why it is not settled, in words.
    """

    name: str
    classes: tuple[str, ...]
    document: str = ""
    iri: str = ""
    how: str = "ambiguous"
    near: tuple[str, ...] = ()
    detail: str = ""

    @property
    def by_model(self) -> bool:
        """Whether a model's word was needed."""
        return self.how.endswith("+model")


@dataclass(frozen=True, slots=True)
class _Option:
    """A thing that may be meant: one of the graph by number, or one of the batch."""

    known: int | None
    group: Group | None
    strength: Strength
    fit: Fit


class Deciding:
    """Decides on the groups of one batch, the longest names first, so that what short names may stand for is known."""

    def __init__(
        self,
        known: KnownThings,
        groups: Mapping[Key, Group],
        *,
        base: str,
        proposer: Proposes | None,
        verifier: Verifies | None,
    ) -> None:
        self._known, self._base = known, base
        self._proposer, self._verifier = proposer, verifier
        self._guardrail = known.guardrail
        each = dict.fromkeys(groups.values())
        self._groups = sorted(each, key=lambda g: (-len(g.key.split()), -len(g.key), g.key, g.classes, g.torn))
        self._short: dict[str, list[Group]] = {}
        for group in self._groups:
            for key in shorter(group.name, person=self._is_person(group)):
                self._short.setdefault(key, []).append(group)
        self._found: dict[Group, dict[str, Decision]] = {}
        #: Where the first thing of each document is named.
        self._beginnings: dict[str, int] = {}
        for group in self._groups:
            for said in group.said:
                place = said.candidate.place
                if place is not None:
                    self._beginnings[said.document] = min(place.start, self._beginnings.get(said.document, place.start))

    def decided(self) -> Mapping[Group, Mapping[str, Decision]]:
        """The decisions on each group, by the document for which they hold; ``""`` for all others."""
        for group in self._groups:
            options = [] if group.torn else self._options(group)
            plain = len(options) == 1 and self._is_plain(options[0]) and not self._opposed(group, options[0])
            found = self._found[group] = {}
            for part, document in [(group, "")] if not options or plain else _parts(group):
                found[document] = self._decide(part, options, document)
            for document, detail in () if group.torn else contradicting(self._known, group):
                found[document] = Decision(name=group.name, classes=group.classes, document=document, detail=detail)
        return self._found

    def _is_person(self, group: Group) -> bool:
        labels = (known.labels for iri in group.classes if (known := self._guardrail.class_(iri)) is not None)
        return persons(label for listed in labels for label in listed)

    # What may be meant

    def _options(self, group: Group) -> list[_Option]:
        """What a group may be: by name, with its class, without what says something else; the strongest kind only."""
        found: list[_Option] = []
        place = self._known.are_places(group.classes)
        for number, strength in self._known.bearing(group.name, person=self._is_person(group), place=place).items():
            fit = self._known.fit(group.classes, number)
            named = strength.value < Strength.QUALIFIED.value
            if fit is Fit.SAME or (fit is Fit.UNTOLD and strength is not Strength.SHORT) or (fit is Fit.KIN and named):
                found.append(_Option(number, None, strength, fit))
        for other in self._short.get(group.key, ()):
            if other is not group and self._goes_with(group, other):
                strength = Strength.QUALIFIED if alike(qualifier(other.name)[0]) == group.key else Strength.SHORT
                found.append(_Option(None, other, strength, Fit.SAME))
        if any(each.strength is not Strength.SHORT for each in found):
            return [each for each in found if each.strength is not Strength.SHORT]
        return found

    def _goes_with(self, group: Group, other: Group) -> bool:
        """Whether a group may be another one of the batch by its classes."""
        mine = {up for each in group.classes for up in self._known.above(each)}
        theirs = {up for each in other.classes for up in self._known.above(each)}
        if any(self._known.disjoint(a, b) for a in group.classes for b in theirs):
            return False
        return bool(set(group.classes) & theirs or set(other.classes) & mine)

    # Decisions

    def _decide(self, group: Group, options: Sequence[_Option], document: str) -> Decision:
        made = partial(Decision, name=group.name, classes=group.classes, document=document)
        if group.torn:
            return made(detail=f"“{group.name}” may be any of several things of this name, of different classes")
        if not options:
            return self._proposed(group, document)
        kept = [each for each in options if not self._opposed(group, each)]
        near = tuple(sorted(filter(None, map(self._iri, options))))
        if not kept:
            detail = f"{self._names(options)} has the name, but says something else where only one thing may be said"
            return made(near=near, detail=detail)
        spoken = {each: self._spoken(group, each) for each in kept}
        best = [each for each in kept if spoken[each]]
        if len(best) == 1 or (len(kept) == 1 == len(options) and self._is_plain(kept[0])):
            chosen = (best or kept)[0]
            how = spoken[chosen] if len(options) > 1 or not self._is_plain(chosen) else _WAYS[chosen.strength]
            return self._taken(made, chosen, how, near)
        return self._confirmed(made, group, best or kept, near)

    @staticmethod
    def _is_plain(option: _Option) -> bool:
        return option.strength.value < Strength.QUALIFIED.value and option.fit is Fit.SAME

    def _taken(self, made: partial[Decision], option: _Option, how: str, near: tuple[str, ...]) -> Decision:
        iri = self._iri(option)
        if not iri:
            return made(
                near=near, detail=f"it stands for {self._names([option])}, of which it is not settled who that is"
            )
        other = self._decision(option.group, made.keywords["document"]) if option.group is not None else None
        model = "+model" if other is not None and other.by_model and "+model" not in how else ""
        return made(iri=iri, how=how + model, near=tuple(each for each in near if each != iri))

    def _confirmed(
        self, made: partial[Decision], group: Group, options: Sequence[_Option], near: tuple[str, ...]
    ) -> Decision:
        """What a model says where names and facts do not tell."""
        several = f"“{group.name}” may be {self._names(options)}"
        if self._verifier is None or len(options) > _SHOWN:
            kin = any(each.fit is Fit.KIN for each in options)
            hint = "; if nothing is of both classes, the ontology should say that they are disjoint" if kin else ""
            return made(near=near, detail=f"{several}, and nothing tells which{hint}")
        said = [(each, self._verifier.same(self._side(group), self._other(each))) for each in options]
        yes = [each for each, answer in said if answer]
        if len(yes) == 1 and all(answer is not None for _, answer in said):
            return self._taken(made, yes[0], f"{_WAYS[yes[0].strength]}+model", near)
        if all(answer is False for _, answer in said) and not any(self._is_plain(each) for each in options):
            return self._new(made, near)
        return made(near=near, detail=f"{several}, and a model does not tell which")

    def _proposed(self, group: Group, document: str) -> Decision:
        """A new thing, unless one of a similar name is confirmed to be it."""
        made = partial(Decision, name=group.name, classes=group.classes, document=document)
        near: list[str] = []
        for iri in self._proposer.near(group.name) if self._proposer is not None else ():
            number = self._known.graph.id(iri)
            if number is None or self._known.fit(group.classes, number) is not Fit.SAME:
                continue
            option = _Option(number, None, Strength.SHORT, Fit.SAME)
            if not self._opposed(group, option):
                near.append(iri)
                if self._verifier is not None and self._verifier.same(self._side(group), self._other(option)):
                    return made(iri=iri, how="embedding+model")
        return self._new(made, tuple(sorted(near)))

    def _new(self, made: partial[Decision], near: tuple[str, ...]) -> Decision:
        name, classes = made.keywords["name"], made.keywords["classes"]
        kinds = [known.name for iri in classes if (known := self._guardrail.class_(iri)) is not None]
        iri = f"{self._base}{slug('-'.join(sorted(kinds)).lower() or 'thing')}/{slug(name)}"
        if iri in self._known:
            return made(near=near, detail=f"“{name}” would have the IRI of another thing of that name, {iri}")
        return made(iri=iri, how="new", near=near)

    # What speaks for and against

    def _facts(self, group: Group) -> Iterator[tuple[Said, str]]:
        yield from ((each, each.candidate.property) for each in group.said if each.candidate.property != RDF + "type")

    def _opposed(self, group: Group, option: _Option) -> bool:
        number = option.known
        if number is None:
            return False
        return any(
            self._known.says(number, each.candidate.property, each.candidate.value, single=True) == "opposed"
            for each in telling(self._known, group)
        )

    def _spoken(self, group: Group, option: _Option) -> str:
        """What speaks for an option, in a word; "" for nothing."""
        if option.known is not None:
            number = option.known
            for each, property_ in self._facts(group):
                candidate = each.candidate
                said = (
                    self._known.says_of(candidate.subject, property_, number)
                    if each.as_value
                    else self._known.says(number, property_, candidate.value, single=False)
                )
                if said == "same":
                    return "facts"
            labels = self._known.graph.labels(number)
            return "context" if any(self._in_context(group, qualifier(label)[1]) for label in labels) else ""
        other = option.group
        if other is None:
            return ""
        if self._in_context(group, qualifier(other.name)[1]):
            return "context"
        return "short" if all(self._is_introduced(group, option, document) for document in group.documents) else ""

    def _is_introduced(self, group: Group, option: _Option, document: str) -> bool:
        """Whether the long form stands earlier in the document; of a qualified name, as the first thing named in it.

        A list has many things that share a name but for its qualifier, and then the bare name may be another one.
        """
        first = option.group.first_in(document) if option.group is not None and document else None
        own = group.first_in(document)
        if first is None or own is None:
            return False
        if option.strength is Strength.QUALIFIED and first != self._beginnings.get(document):
            return False
        return first < own

    def _in_context(self, group: Group, told: str) -> bool:
        """Whether each sentence about the thing has the words that tell it from others of its name."""
        wanted = f" {alike(told)} "
        own = f" {alike(qualifier(group.name)[1])} "
        if not wanted.strip():
            return False
        quotes = [each.candidate.place.quote for each in group.said if each.candidate.place is not None]
        return own == wanted or (bool(quotes) and all(wanted in f" {alike(quote)} " for quote in quotes))

    # Words

    def _decision(self, group: Group, document: str) -> Decision | None:
        found = self._found.get(group, {})
        return found.get(document) or found.get("")

    def _iri(self, option: _Option) -> str:
        if option.known is not None:
            return self._known.iri(option.known)
        found = {each.iri for each in self._found.get(option.group, {}).values()} if option.group is not None else set()
        return found.pop() if len(found) == 1 else ""

    def _names(self, options: Sequence[_Option]) -> str:
        names = [self._named(each) for each in options]
        more = len(names) - _SHOWN
        return " or ".join(names[:_SHOWN]) + (f" or {more} more" if more > 0 else "")

    def _named(self, option: _Option) -> str:
        if option.known is not None:
            return f"{self._known.label(option.known)} <{self._known.iri(option.known)}>"
        return f"“{option.group.name}” in the same batch" if option.group is not None else ""

    def _side(self, group: Group) -> Side:
        kinds = tuple(known.name for iri in group.classes if (known := self._guardrail.class_(iri)) is not None)
        places = [each.candidate.place for each in group.said]
        quotes = tuple(dict.fromkeys(place.quote for place in places if place is not None))
        return Side(name=group.name, kinds=kinds, sentences=quotes[:_SHOWN])

    def _other(self, option: _Option) -> Side:
        if option.known is None:
            return self._side(option.group) if option.group is not None else Side(name="")
        label, facts = self._known.told(option.known)
        told = tuple(f"{name}: {', '.join(values)}" for name, values in facts.items())
        return Side(name=label, sentences=told)


_WAYS = {
    Strength.EXACT: "exact",
    Strength.ALIKE: "alternative",
    Strength.QUALIFIED: "alternative",
    Strength.SHORT: "short",
}


def _parts(group: Group) -> list[tuple[Group, str]]:
    """A group by its documents, each by itself: one name may mean two things in two of them."""
    return [(group.within(document), document) for document in group.documents]
