"""Patterns that an ontology lacks, by the candidates that it refused: for a person to look at once, not at each fact.

A fact may be refused because it was misread, or because the ontology forgot a pattern. One fact does not tell which;
many facts of one relation between the same classes are seldom misread alike. Contract: nothing is let in here. What
would fit turned round is taken for misread, and so is whatever is refused for another reason as well. The outcome
depends on the candidates, not on their order.
"""

from __future__ import annotations

import builtins
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.ingest.candidate import Candidate, Thing, Value
from imprimatur.ingest.kept import Work, key_of
from imprimatur.ingest.measures import unit_of
from imprimatur.ingest.ontology import ANY_THING, ANYTHING, Guardrail, Pattern, Property, is_datatype
from imprimatur.ingest.ontology_draft import datatypes_of
from imprimatur.ingest.refusing import class_name, fits_datatype, value_name
from imprimatur.ingest.rows import row_id
from imprimatur.ingest.store import FactStore

__all__ = ["Lacking", "as_json", "lacking", "proposed", "short_form"]

_OF_PATTERNS = frozenset(("no-class", "wrong-source", "wrong-target"))
_EXAMPLES = 3
#: What the short form calls kinds of values, those of most datatypes first.
_KINDS = ("date", "number", "string", "integer", "boolean", "datetime", "time", "url")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """A pattern that would let some refused candidates in.

    Attributes:
        pattern: ``ANY_THING`` stands at an end of which no class is told.
        sentences: how often such a candidate was refused. facts: how many different facts these are, by their names.
        documents: how many documents they are from.
        examples: the first few facts, in words.
    """

    property: Property
    pattern: Pattern
    sentences: int
    facts: int
    documents: int
    examples: tuple[str, ...]

    @builtins.property
    def told(self) -> bool:
        """Whether the classes of both ends are told, so that the pattern may be added to an ontology."""
        return ANY_THING not in (self.pattern.source, self.pattern.target)


def lacking(guardrail: Guardrail, candidates: Iterable[Candidate]) -> tuple[Lacking, ...]:
    """The patterns that the refused of some candidates would need, those of the most different facts first.

    Of the classes that things are taken for, those that let the most in are chosen, property by property.
    """
    refused: dict[str, list[Candidate]] = defaultdict(list)
    for each in dict.fromkeys(candidates):
        codes = {refusal.code for refusal in guardrail.refusals(each)}
        if codes and codes <= _OF_PATTERNS:
            refused[each.property].append(each)
    found: list[Lacking] = []
    for iri, listed in refused.items():
        known = guardrail.property_(iri)
        assert known is not None, "a property that the ontology does not name is refused for that"
        left = [(each, _needed(guardrail, known, each)) for each in listed]
        while left:
            pattern = _best(guardrail, [needed for _, needed in left])
            found.append(_lacking(known, pattern, [each for each, needed in left if pattern in needed]))
            left = [(each, needed) for each, needed in left if pattern not in needed]
    return tuple(sorted(found, key=lambda one: (-one.facts, -one.sentences, one.property.iri, one.pattern)))


def _best(guardrail: Guardrail, needed: Sequence[set[Pattern]]) -> Pattern:
    counted: dict[Pattern, int] = defaultdict(int)
    for each in needed:
        for pattern in each:
            counted[pattern] += 1

    def rank(pattern: Pattern) -> tuple[int, int, Pattern]:
        # Of patterns that let in as many, the one of the most special classes allows the least besides.
        special = len(guardrail.above(pattern.source)) + len(guardrail.above(pattern.target))
        return -counted[pattern], -special, pattern

    return min(counted, key=rank)


def _needed(guardrail: Guardrail, known: Property, candidate: Candidate) -> set[Pattern]:
    """The patterns each of which would let a candidate in; an end that fits already keeps what the ontology says."""
    subject, value = candidate.subject, candidate.value
    sources = {each.source for each in known.patterns if guardrail.is_a(subject.classes, each.source)}
    targets = {each.target for each in known.patterns if _is_target(guardrail, each.target, value)}
    if isinstance(value, Thing):
        targets = targets or set(value.classes) or {ANY_THING}
    sources = sources or set(subject.classes) or {ANY_THING}
    return {Pattern(source, target) for source in sources for target in targets}


def _is_target(guardrail: Guardrail, target: str, value: Value) -> bool:
    if isinstance(value, Thing):
        return not is_datatype(target) and guardrail.is_a(value.classes, target)
    if not is_datatype(target):
        return target == ANYTHING
    return unit_of(value.datatype) is not None or fits_datatype(value, target)


def _lacking(known: Property, pattern: Pattern, let_in: Sequence[Candidate]) -> Lacking:
    said = {(value_name(each.subject), value_name(each.value)) for each in let_in}
    return Lacking(
        property=known,
        pattern=pattern,
        sentences=len(let_in),
        facts=len(said),
        documents=len({each.place.document for each in let_in if each.place is not None}),
        examples=tuple(f"{subject} — {known.name} — {value}" for subject, value in sorted(said)[:_EXAMPLES]),
    )


# From a store, and as a file


def proposed(base: Path) -> tuple[tuple[Candidate, ...], int]:
    """What was proposed of the documents of a store, without what a person has rejected; and of how many it is gone.

    Raises:
        KnowledgeBaseError: there is no store, or it is damaged. StoreUnavailable: it cannot be read.
    """
    store = FactStore(base)
    if not store.exists:
        hint = "`imprimatur kb ingest` makes facts of documents"
        raise KnowledgeBaseError("no facts of documents are there", where=str(base), hint=hint)
    facts, work = store.read(), Work(store.folder)
    rejected = {row.id for row in facts.rows if row.state == "rejected"}
    found: list[Candidate] = []
    gone = 0
    for id_, each in sorted(facts.documents.items()):
        kept = work.get(key_of(id_, each.sha256, each.reader))
        if kept is None:
            gone += 1
        else:
            found += [c for n, c in enumerate(kept.candidates) if n not in (kept.misplaced or {})]
    return tuple(each for each in found if row_id(each) not in rejected), gone


def as_json(found: Iterable[Lacking]) -> list[dict[str, Any]]:
    """JSON-ready, in the same order."""
    return [
        {
            "property": each.property.iri,
            "source": each.pattern.source,
            "target": each.pattern.target,
            "sentences": each.sentences,
            "facts": each.facts,
            "documents": each.documents,
            "examples": list(each.examples),
        }
        for each in found
    ]


def short_form(guardrail: Guardrail, found: Sequence[Lacking]) -> str:
    """The patterns as a file in the short form of YAML, to be named beside the ontology; each with what speaks for it.

    Patterns with an end of which no class is told stand in it as comments: they would let in any thing there.
    """
    values = {each.property.iri for each in found if is_datatype(each.pattern.target)}
    relations = [each for each in found if each.property.iri not in values]
    attributes = [each for each in found if is_datatype(each.pattern.target) and each.told]
    shown = [*relations, *attributes]
    ends = {end for each in shown for end in (each.pattern.source, each.pattern.target)}
    names = _names(guardrail, sorted(end for end in ends if guardrail.class_(end) is not None))
    lines = ["# Patterns that the ontology lacks, by what it refused. Delete those that are not right."]
    if names:
        lines.append("classes:")
        lines += [f"  {_quoted(name)}: {{iri: {_quoted(iri)}}}" for iri, name in names.items()]
    for heading, listed in (("relations", relations), ("attributes", attributes)):
        if listed:
            lines += [f"{heading}:", *_entries(listed, names)]
    for each in found:
        if each not in shown:
            lines.append(_comment(f"no class is told: {each.property.name}, {_spoken(each)}", indent=""))
    return "\n".join(lines) + "\n"


def _names(guardrail: Guardrail, iris: Iterable[str]) -> dict[str, str]:
    """A name for each class, no two the same."""
    found: dict[str, str] = {}
    for iri in iris:
        label = class_name(guardrail, iri)
        found[iri] = label if label not in found.values() else f"{label} ({len(found) + 1})"
    return found


def _entries(listed: Sequence[Lacking], names: Mapping[str, str]) -> Iterator[str]:
    by_property: dict[str, list[Lacking]] = defaultdict(list)
    for each in listed:
        by_property[each.property.iri].append(each)
    for number, (iri, ways) in enumerate(by_property.items()):
        known = ways[0].property
        used = {each[0].property.name for each in list(by_property.values())[:number]}
        name = known.name if known.name not in used else f"{known.name} ({number + 1})"
        yield f"  {_quoted(name)}:"
        yield f"    iri: {_quoted(iri)}"
        if is_datatype(ways[0].pattern.target):
            yield f"    type: {_kind(known, ways[0].pattern.target)}"
        yield "    of:" if is_datatype(ways[0].pattern.target) else "    patterns:"
        for each in ways:
            source, target = (names.get(end, "*") for end in (each.pattern.source, each.pattern.target))
            written = _quoted(source) if is_datatype(each.pattern.target) else _quoted([source, target])
            yield _comment(_spoken(each), indent="    ")
            yield f"    - {written}" if each.told else f"    # - {written}"


def _kind(known: Property, datatype: str) -> str:
    for word in _KINDS:
        if datatype in datatypes_of(word) and set(datatypes_of(word)) <= set(known.datatypes):
            return word
    return _quoted(datatype)


def _spoken(each: Lacking) -> str:
    facts = "1 fact" if each.facts == 1 else f"{each.facts} facts"
    often = "once" if each.sentences == 1 else f"{each.sentences} times"
    documents = f" in {each.documents} documents" if each.documents > 1 else ""
    return f"{facts}, said {often}{documents}: {'; '.join(each.examples)}"


def _comment(text: str, *, indent: str) -> str:
    """A comment of one line, whatever names hold."""
    return f"{indent}# {''.join(char if char.isprintable() else ' ' for char in text)}"


def _quoted(value: object) -> str:
    """A text or list as JSON, which YAML reads alike."""
    return json.dumps(value, ensure_ascii=True)
