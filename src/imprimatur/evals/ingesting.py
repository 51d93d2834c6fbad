"""``imprimatur eval ingest``: sentences of Text2KGBench made facts, end to end, against the gold triples.

For each ontology a knowledge base is made in a folder of its own: the ontology as the guardrail, a document for each
sentence, and the store that ``kb ingest`` fills. Printed are precision (of the stored facts of a sentence, how many are
gold triples of it) and recall (of the gold triples, how many are stored), with 95 % intervals (Wilson). Gold triples
are not all that a sentence says, so the precision is a lower bound; ``show`` prints what is stored and not gold.

Names are compared by ``gold_names``; a relation that has no direction counts from either end. Nothing of the gold
triples is known to the reader, nor which relation of the ontology has which unit: numbers keep their digits
(``Options.bare``), and the past is told as the present (``Options.past``), for the gold triples have no times.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals.gold_names import same_key
from imprimatur.evals.metrics import Share
from imprimatur.extract.frames import relations
from imprimatur.ingest.applying import Request, ingest
from imprimatur.ingest.candidate import Candidate, FactReader, Refusal, Thing
from imprimatur.ingest.holding import Settled
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.ingest.ontology_words import words_of_guardrail
from imprimatur.ingest.patterns import PatternReader
from imprimatur.ingest.planning import Sought
from imprimatur.ingest.rows import row_id
from imprimatur.ingest.stated import Options
from imprimatur.ingest.store import FactStore
from imprimatur.sources.graph.names import folded
from imprimatur.sources.graph.own_words import own_keys
from imprimatur.sources.graph.terms import RDF, spoken_name

__all__ = ["Settings", "measure", "run"]

Triple = tuple[str, str, str]
_MINTED = "urn:imprimatur:eval:"
_SHAPE = 'a row looks like {"id": "…", "sent": "…", "triples": [{"sub": "…", "rel": "…", "obj": "…"}]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is measured.

    Attributes:
        ontologies: their names, or parts of them ("3_airport"); all where none is given.
        guardrail: whether candidates are held against the ontology's patterns; None: both ways.
        limit: so many sentences of each. show: so many stored facts that are not gold, and gold triples that are not
            stored. open_reader: what reads, given the ontology; the patterns by default.
    """

    ontologies: tuple[str, ...] = ()
    guardrail: bool | None = None
    limit: int | None = None
    show: int = 0
    as_json: bool = False
    open_reader: Callable[[Guardrail], FactReader] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence with its gold triples, names as they are compared."""

    id: str
    text: str
    gold: frozenset[Triple]


@dataclass(slots=True)
class Outcome:
    """What was stored of the sentences of one ontology."""

    stored: int = 0
    right: int = 0
    gold: int = 0
    found: int = 0
    quarantined: Counter[str] = field(default_factory=Counter)
    relations: dict[str, list[int]] = field(default_factory=dict)
    wrong: list[tuple[str, Triple]] = field(default_factory=list)
    missed: list[tuple[str, Triple]] = field(default_factory=list)

    @property
    def precision(self) -> Share:
        """Of the stored facts, the gold ones."""
        return Share(self.right, self.stored)

    @property
    def recall(self) -> Share:
        """Of the gold triples, the stored ones."""
        return Share(self.found, self.gold)


class _Checks:
    """The guardrail alone, or nothing; a name is one thing wherever it stands (implements ``holding.Checks``)."""

    identity = "eval"

    def __init__(self, guardrail: Guardrail | None) -> None:
        self._guardrail = guardrail

    def classes(self, iri: str) -> tuple[str, ...]:
        """Nothing: there is no graph."""
        return ()

    def refusals(self, candidate: Candidate) -> tuple[Refusal, ...]:
        """What the guardrail says against a candidate."""
        return self._guardrail.refusals(candidate) if self._guardrail is not None else ()

    def settle(self, candidates: Sequence[Candidate]) -> list[Settled]:
        """Each name as one thing."""
        return [Settled(candidate=_minted(each)) for each in candidates]

    def broken(self, candidates: Sequence[Candidate]) -> list[tuple[Refusal, ...]]:
        """Nothing: there are no shapes."""
        return [() for _ in candidates]

    def words(self, property_: str) -> str:
        """What a property is called."""
        known = self._guardrail.property_(property_) if self._guardrail is not None else None
        return known.name if known is not None else spoken_name(property_)


def _minted(candidate: Candidate) -> Candidate:
    def named(thing: Thing) -> Thing:
        from urllib.parse import quote

        return thing if thing.iri else replace(thing, iri=_MINTED + quote(folded(thing.name), safe=""))

    value = candidate.value
    return replace(
        candidate, subject=named(candidate.subject), value=named(value) if isinstance(value, Thing) else value
    )


def read_rows(path: Path, limit: int | None) -> list[Row]:
    """The sentences of a ground-truth file. Raises InputError where it is none."""
    rows = []
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                row = json.loads(line)
                gold = frozenset((same_key(t["sub"]), t["rel"], same_key(t["obj"])) for t in row["triples"])
                rows.append(Row(str(row["id"]), str(row["sent"]), gold))
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise InputError(f"no ground truth of Text2KGBench: {fault}", where=str(path), hint=_SHAPE) from fault
    return rows[:limit]


def measure(rows: Sequence[Row], ontology: Path, settings: Settings, *, guarded: bool) -> Outcome:
    """What is stored of some sentences by an ontology."""
    guardrail = read_guardrail([ontology])
    opened = settings.open_reader or _patterns
    reader = opened(guardrail)
    names = {iri: label for label, iri in _labels(ontology, guardrail).items()}
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "docs").mkdir()
        for row in rows:
            (base / "docs" / f"{row.id}.txt").write_text(row.text, encoding="utf-8")
        seen = _Seen(reader)
        checks = _Checks(guardrail if guarded else None)
        ingest(
            Request(
                base=base, open_reader=lambda: seen, open_checks=lambda: checks, sought=Sought(named=[base / "docs"])
            )
        )
        kept = {each.id: each for each in FactStore(base).read().rows}
    outcome = Outcome()
    for row in rows:
        told = [c for c in seen.told.get(f"docs/{row.id}.txt", ()) if c.property != RDF + "type"]
        held = [(c, kept[row_id(_minted(c))]) for c in told]
        outcome.quarantined.update(r.reasons[0].code for _, r in held if r.reasons)
        _count(outcome, row, {_triple(c, names, row.gold) for c, r in held if r.in_graph})
    return outcome


class _Seen:
    """A reader that remembers what it proposed, by document."""

    def __init__(self, reader: FactReader) -> None:
        self.identity = reader.identity
        self._reader = reader
        self.told: dict[str, list[Candidate]] = {}

    def candidates(self, document: Any) -> list[Candidate]:
        """What the reader proposes."""
        found = self._reader.candidates(document)
        self.told[document.id] = found
        return found


def _patterns(guardrail: Guardrail) -> FactReader:
    return PatternReader(words_of_guardrail(guardrail), options=Options(bare=True, past=True))


def _labels(ontology: Path, guardrail: Guardrail) -> dict[str, str]:
    """The relations of an ontology file, by the names that gold triples have: the IRI of each."""
    known = json.loads(ontology.read_text(encoding="utf-8"))
    named = {str(r["label"]).strip(): str(r["pid"]) for r in known["relations"]}
    iris = {each.iri.rpartition("/")[2]: each.iri for each in guardrail.properties}
    found = {}
    for label, pid in named.items():
        fitting = guardrail.properties_named(label)
        found[label] = iris.get(pid) or (fitting[0] if fitting else "")
    return found


def _triple(candidate: Candidate, names: dict[str, str], gold: frozenset[Triple]) -> Triple:
    """A candidate as gold triples are written; of a relation without direction, from the end that is gold."""
    value = candidate.value
    other = value.name if isinstance(value, Thing) else value.lexical
    relation = names.get(candidate.property, candidate.property)
    found = (same_key(candidate.subject.name), relation, same_key(other))
    turned = (found[2], relation, found[0])
    return turned if found not in gold and turned in gold and _symmetric(relation) else found


def _symmetric(relation: str) -> bool:
    keys = own_keys(spoken_name(relation))
    return any(f.symmetric and not f.head_keys().isdisjoint(keys) for f in relations())


def _count(outcome: Outcome, row: Row, stored: set[Triple]) -> None:
    outcome.stored += len(stored)
    outcome.right += len(stored & row.gold)
    outcome.gold += len(row.gold)
    outcome.found += len(stored & row.gold)
    for triple in stored | row.gold:
        counts = outcome.relations.setdefault(triple[1], [0, 0, 0])
        counts[0] += triple in stored and triple in row.gold
        counts[1] += triple in stored
        counts[2] += triple in row.gold
    outcome.wrong += [(row.text, triple) for triple in sorted(stored - row.gold)]
    outcome.missed += [(row.text, triple) for triple in sorted(row.gold - stored)]


def _found(folder: Path, wanted: Sequence[str]) -> list[tuple[str, Path, Path]]:
    """The ontologies of a folder: name, ontology file, ground truth.

    Raises:
        InputError: there are none, or one that is wanted is not there.
    """
    ontologies = {p.stem.removesuffix("_ontology"): p for p in sorted((folder / "ontologies").glob("*_ontology.json"))}
    truths = {name: folder / "ground_truth" / f"ont_{name}_ground_truth.jsonl" for name in ontologies}
    found = [name for name in ontologies if truths[name].is_file()]
    if not found:
        hint = "it needs ontologies/*_ontology.json and ground_truth/ont_*_ground_truth.jsonl"
        raise InputError("no benchmark is there", where=str(folder), hint=hint)
    for name in wanted:
        if not any(name in each for each in found):
            raise InputError(f"no ontology is called {name[:60]!r}", where=str(folder), hint=", ".join(found))
    chosen = [name for name in found if not wanted or any(each in name for each in wanted)]
    return [(name, ontologies[name], truths[name]) for name in chosen]


def run(folder: Path, settings: Settings) -> int:
    """Measures and prints. Raises InputError for a folder that holds no benchmark."""
    ways = (False, True) if settings.guardrail is None else (settings.guardrail,)
    outcomes: list[tuple[str, bool, Outcome]] = []
    for name, ontology, truth in _found(folder, settings.ontologies):
        rows = read_rows(truth, settings.limit)
        outcomes += [(name, guarded, measure(rows, ontology, settings, guarded=guarded)) for guarded in ways]
    if settings.as_json:
        json.dump([_record(*each) for each in outcomes], sys.stdout, ensure_ascii=False, indent=1)
        print()
        return 0
    header = ["ontology", "guardrail", "precision", "recall", "quarantined"]
    body = [
        [name, "yes" if guarded else "no", str(o.precision), str(o.recall), _counts(o.quarantined)]
        for name, guarded, o in outcomes
    ]
    print(aligned(header, body))
    for name, guarded, outcome in outcomes if settings.show else ():
        print("\n".join(_shown(f"{name}, guardrail {'on' if guarded else 'off'}", outcome, settings.show)))
    return 0


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{code} {count}" for code, count in sorted(counted.items())) or "–"


def _shown(title: str, outcome: Outcome, most: int) -> Iterator[str]:
    yield f"\n{title}\n"
    counted = sorted(outcome.relations.items(), key=lambda each: (-each[1][2], each[0]))
    rows = [[name, str(Share(right, stored)), str(Share(right, gold))] for name, (right, stored, gold) in counted]
    yield aligned(["relation", "precision", "recall"], rows)
    for heading, listed in (("stored, not gold", outcome.wrong), ("gold, not stored", outcome.missed)):
        yield f"\n{heading}\n"
        yield from (f"  {' | '.join(triple)}\n      {text}" for text, triple in listed[:most])


def _record(name: str, guarded: bool, outcome: Outcome) -> dict[str, Any]:
    return {
        "ontology": name,
        "guardrail": guarded,
        "precision": outcome.precision.to_dict(),
        "recall": outcome.recall.to_dict(),
        "quarantined": dict(sorted(outcome.quarantined.items())),
        "relations": {
            relation: {"right": right, "stored": stored, "gold": gold}
            for relation, (right, stored, gold) in sorted(outcome.relations.items())
        },
        "stored_not_gold": [{"text": text, "fact": list(triple)} for text, triple in outcome.wrong],
        "gold_not_stored": [{"text": text, "fact": list(triple)} for text, triple in outcome.missed],
    }
