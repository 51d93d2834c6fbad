"""Cards: a question about one fact, what the card states, and the gold answer; and the graphs that are made of them.

The form is that of the cards published beside the Licensing Oracle's paper (Ackermann and Emanuilov 2025): JSON lines
``{id, facts, question, gold, label, claim: {subj, pred, obj}}``. A fact reads "S mouth O", or "S DOES NOT have mouth: O
(not in database)"; the question "Is O the mouth of S?"; any noun may stand for "mouth". Invariants: names are told
apart as they are printed, but those that the printing cut; every line becomes one card or an error that names it; what
is true of a card is decided from the facts alone, without the judge.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import quote

from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import wrong

__all__ = ["MADE", "Card", "Gold", "Kind", "Pair", "World", "read_cards", "stated", "truth", "write_folder"]

#: Cards about invented things, for who has none.
MADE = Path(__file__).parents[1] / "resources" / "cards.jsonl"

_BASE = "https://imprimatur.dev/cards/"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_OWL = "http://www.w3.org/2002/07/owl#"
#: What an IRI inside of an IRI begins with, in the published objects.
_NESTED = "http_//dbpedia.org/resource/"
_DENIED, _NOTE = " DOES NOT have ", " (not in database)"
_SHAPE = (
    'a card looks like {"id": "…", "facts": ["Esk mouth Sea"], "question": "Is Sea the mouth of Esk?", "gold": "YES", '
    '"label": "E", "claim": {"subj": "…/Esk", "pred": "…", "obj": "…/Sea"}}'
)

#: Subject, noun, object.
Pair = tuple[str, str, str]


class Gold(StrEnum):
    """What is to be answered."""

    YES = "YES"
    NO = "NO"
    UNKNOWN = "UNKNOWN"


class Kind(StrEnum):
    """What a card is made to show; the published label of ``DENIED`` and ``DISTRACTOR`` is C."""

    ENTAILED = "E entailed"
    DENIED = "C denied on the card"
    DISTRACTOR = "D another value"
    UNKNOWN = "U another value"


class World(StrEnum):
    """What follows from a fact that is not there."""

    OPEN = "open"
    FUNCTIONAL = "functional"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card.

    Attributes:
        asked: what the question asks about: subject, noun, object.
        facts, denied: what the card states, and what it says is not so.
        mended: what was put right in its names.
    """

    id: str
    kind: Kind
    gold: Gold
    asked: Pair
    facts: tuple[Pair, ...]
    denied: tuple[Pair, ...] = ()
    mended: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What is asked, as a statement."""
        subject, noun, value = self.asked
        return f"{value} is the {noun} of {subject}."

    def key(self) -> tuple[Pair, tuple[Pair, ...], tuple[Pair, ...]]:
        """What its verdict hangs on."""
        return self.asked, self.facts, self.denied


def read_cards(path: Path) -> tuple[Card, ...]:
    """The cards of a file.

    Raises:
        InputError: the file cannot be read, has no card, or a line is none.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as fault:
        raise InputError(f"cannot be read: {fault.strerror}", where=str(path), hint="check the path") from fault
    found = tuple(_card(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip())
    if not found:
        raise InputError("has no cards", where=str(path), hint=_SHAPE)
    return found


def _card(line: bytes, where: str) -> Card:
    try:
        values = json.loads(line)
        if not isinstance(values, dict):
            raise ValueError("not a JSON object")
        asked, cut = _asked(values)
        facts, denied = _facts(values["facts"], asked[1], cut)
        kind = _kind(values["label"], denied)
        return Card(
            id=str(values["id"]),
            kind=kind,
            gold=Gold(values["gold"]),
            asked=asked,
            facts=facts,
            denied=denied,
            mended=tuple(_mended(values["claim"], cut)),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise InputError(f"is no card: {wrong(fault)}", where=where, hint=_SHAPE) from fault


def _asked(values: Mapping[str, Any]) -> tuple[Pair, dict[str, str]]:
    """What is asked, by its whole names; and those names of it that the card prints cut, with the whole ones."""
    subject, value = (_name(values["claim"][key]) for key in ("subj", "obj"))
    cut = {_printed(name): name for name in (subject, value)}
    start, end = f"Is {_printed(value)} the ", f" of {_printed(subject)}?"
    question = values["question"]
    if not (question.startswith(start) and question.endswith(end) and len(question) > len(start) + len(end)):
        raise ValueError("the question does not ask about the names of the claim")
    noun = question[len(start) : -len(end)]
    return (_tidy(subject), noun, _tidy(value)), {_tidy(short): _tidy(name) for short, name in cut.items()}


def _name(iri: str) -> str:
    """The name that an IRI ends in, nested ones unpacked."""
    local = iri.split("/resource/", 1)[-1].removeprefix(_NESTED)
    return local.replace("_", " ")


def _printed(name: str) -> str:
    """A name as the published cards print it: what stands after its last slash."""
    return name.rsplit("/", 1)[-1]


def _tidy(name: str) -> str:
    return " ".join(name.split())


def _facts(lines: Iterable[str], noun: str, cut: Mapping[str, str]) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    facts, denied = dict[Pair, None](), dict[Pair, None]()
    for line in lines:
        into, link = (denied, f"{_DENIED}{noun}: ") if _DENIED in line else (facts, f" {noun} ")
        subject, found, value = line.partition(link)
        if not found or not subject.strip() or not value.strip():
            raise ValueError(f"the fact {line!r} has no {link.strip()!r} between two names")
        ends = [_tidy(each) for each in (subject, value.removesuffix(_NOTE))]
        into[(cut.get(ends[0], ends[0]), noun, cut.get(ends[1], ends[1]))] = None
    return tuple(facts), tuple(denied)


def _kind(label: str, denied: Collection[Pair]) -> Kind:
    if label == "C":
        return Kind.DENIED if denied else Kind.DISTRACTOR
    return {"E": Kind.ENTAILED, "U": Kind.UNKNOWN}[label]


def _mended(claim: Mapping[str, str], cut: Mapping[str, str]) -> Iterator[str]:
    if _NESTED in claim["obj"]:
        yield "an IRI within the object's IRI"
    yield from (f"{short!r} is {name!r}, cut at its slash" for short, name in cut.items() if short != name)


def stated(cards: Iterable[Card]) -> frozenset[Pair]:
    """All that some cards state."""
    return frozenset(fact for card in cards for fact in card.facts)


def truth(card: Card, facts: Collection[Pair], denied: Collection[Pair], world: World) -> Gold:
    """What follows for a card from facts in a world, names taken to be different things."""
    if card.asked in facts:
        return Gold.YES
    if card.asked in denied or world is World.CLOSED:
        return Gold.NO
    another = any(fact[:2] == card.asked[:2] for fact in facts)
    return Gold.NO if another and world is World.FUNCTIONAL else Gold.UNKNOWN


def write_folder(
    folder: Path, facts: Iterable[Pair], denied: Iterable[Pair], asked: Iterable[Pair], world: World
) -> None:
    """Writes a knowledge base: facts, denials (owl:NegativePropertyAssertion), names, and the world as axioms."""
    facts, denied, asked = tuple(facts), tuple(denied), tuple(asked)
    lines: dict[str, None] = {}
    for subject, noun, value in facts:
        lines[f"{_iri(subject)} {_property(noun)} {_iri(value)} ."] = None
    for number, (subject, noun, value) in enumerate(denied):
        node = f"_:denied{number}"
        lines[f"{node} <{_RDF}type> <{_OWL}NegativePropertyAssertion> ."] = None
        lines[f"{node} <{_OWL}sourceIndividual> {_iri(subject)} ."] = None
        lines[f"{node} <{_OWL}assertionProperty> {_property(noun)} ."] = None
        lines[f"{node} <{_OWL}targetIndividual> {_iri(value)} ."] = None
    nouns = sorted({pair[1] for pair in (*facts, *denied, *asked)})
    for noun in nouns:
        lines[f"{_property(noun)} <{_RDFS}label> {json.dumps(noun, ensure_ascii=False)} ."] = None
        lines[f"{_property(noun)} <{_RDF}type> <{_OWL}ObjectProperty> ."] = None
        if world is World.FUNCTIONAL:
            lines[f"{_property(noun)} <{_RDF}type> <{_OWL}FunctionalProperty> ."] = None
    for name in sorted({name for pair in (*facts, *denied, *asked) for name in (pair[0], pair[2])}):
        lines[f"{_iri(name)} <{_RDFS}label> {json.dumps(name, ensure_ascii=False)} ."] = None
    complete = ", ".join(json.dumps(_property(noun).strip("<>")) for noun in nouns if world is World.CLOSED)
    settings = f"version: 1\nname: cards\npolicy: strict\ngraph: {{data: [graph.nt], complete: [{complete}]}}\n"
    (folder / "graph.nt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "imprimatur.yaml").write_text(settings, encoding="utf-8")


def _iri(name: str) -> str:
    return f"<{_BASE}thing/{quote(name)}>"


def _property(noun: str) -> str:
    return f"<{_BASE}property/{quote(noun)}>"
