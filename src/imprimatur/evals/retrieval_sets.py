"""Questions with the facts that answer them: what retrieval is measured on.

``rivers``: rows of the river questions (``river_qa_dataset.csv``) whose fact is in the knowledge base. Which fact a
question asks for is told by ``facts.csv`` (subject, property, value, ids of questions); taken are the questions of one
fact only that the graph holds, and of rivers of the dev part (``sha256("split|" + river) % 100 < 60``).

``relations``: rows ``{input: "THING [SEP] RELATION", topic_entity: {id: label}, answer, template_questions?}`` as T-REx
and zero-shot relation extraction are published by Think-on-Graph; the knowledge base is made of the rows themselves:
each thing with its relation to its answer. A question is the first template, or asks in the words of the relation
(``label_questions``).
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.evals.label_questions import question_of
from imprimatur.evals.passage_sets import json_rows
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import RDFS, RdfLiteral, iri_text, literal_text, parse_number

__all__ = [
    "BASE",
    "Question",
    "Related",
    "related",
    "relation_answers",
    "relation_labels",
    "relation_lines",
    "relations",
    "rivers",
    "write_relations",
    "write_store",
]

_DEV = 60
_ID = expression(r"Q[1-9][0-9]{0,11}")
#: What the IRIs of knowledge bases that are made of rows begin with.
BASE = "https://example.org/relations/"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the triples (N-Triples) of which each answers it; none where nothing in the graph does."""

    id: str
    text: str
    gold: tuple[str, ...] = ()


def rivers(questions: Path, facts: Path, graph: Graph) -> list[Question]:
    """The river questions whose fact the graph holds, in the order of the file.

    Raises:
        InputError: a file is not as it should be.
    """
    gold = _gold(facts, graph)
    found: dict[str, Question] = {}
    for row in _rows(questions, ("river_name", "question_id", "question")):
        digest = hashlib.sha256(f"split|{row['river_name']}".encode()).hexdigest()
        triples = gold.get(row["question_id"], [])
        if int(digest, 16) % 100 < _DEV and len(triples) == 1:
            found.setdefault(row["question_id"], Question(row["question_id"], row["question"], tuple(triples)))
    return list(found.values())


def _gold(facts: Path, graph: Graph) -> dict[str, list[str]]:
    by_label: dict[str, int] = {}
    label = graph.id(RDFS + "label")
    for subject, name in graph.pairs(label) if label is not None else ():
        by_label.setdefault(graph.label(name), subject)
    properties = {graph.iri(p).rpartition("#")[2]: p for p in graph.predicates()}
    gold: dict[str, list[str]] = {}
    for row in _rows(facts, ("subject", "property", "value", "sources")):
        thing, predicate = by_label.get(row["subject"]), properties.get(row["property"])
        if thing is None or predicate is None:
            continue
        for object_ in graph.objects(thing, predicate):
            if _is_value(graph, object_, row["value"]):
                triple = f"{graph.n3(thing)} {graph.n3(predicate)} {graph.n3(object_)} ."
                for id_ in row["sources"].split(";"):
                    gold.setdefault(id_.strip(), []).append(triple)
    return gold


def _is_value(graph: Graph, number: int, value: str) -> bool:
    if graph.label(number) == value:
        return True
    stored = graph.number(number) if graph.is_literal(number) else None
    return stored is not None and stored == parse_number(value, "http://www.w3.org/2001/XMLSchema#decimal")


def _rows(path: Path, columns: Sequence[str]) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [each for each in columns if each not in (reader.fieldnames or ())]
            if missing:
                raise InputError(f"has no column {missing[0]!r}", where=str(path))
            yield from reader
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise InputError(f"cannot be read: {fault}", where=str(path)) from fault


@dataclass(frozen=True, slots=True)
class Related:
    """One row of a set of relations."""

    id: str
    thing: str
    relation: str
    answer: str
    templates: tuple[str, ...]
    aliases: tuple[str, ...] = ()

    @property
    def question_id(self) -> str:
        """What the rows that answer one question share."""
        return f"{self.id} {self.relation}"

    @property
    def question(self) -> str:
        """What asks for the answer."""
        return self.templates[0] if self.templates else question_of(self.relation, self.thing)


def related(path: Path) -> Iterator[Related]:
    """The rows of a set of relations. Raises InputError for a file or a row that is none."""
    for row, where in json_rows(path):
        try:
            thing, relation = row["input"].split(" [SEP] ")
            ((id_, label),) = row["topic_entity"].items()
            templates = tuple(map(str, row.get("template_questions", ())))
            aliases = tuple(map(str, row.get("alias", ())))
            # Things for which no id was found are published under one ("UnknownQID"), and are not one thing.
            known = str(id_) if _ID.fullmatch(str(id_)) is not None else f"thing/{label or thing}"
            yield Related(known, str(label or thing), relation, str(row["answer"]), templates, aliases)
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            raise InputError(f"not a row of a relation: {fault}", where=where) from fault


def _triple(row: Related) -> str:
    ends = (row.id, f"property/{row.relation}", f"answer/{row.answer}")
    return " ".join(iri_text(BASE + quote(each, safe="/")) for each in ends) + " ."


def relations(path: Path) -> list[Question]:
    """The questions of a set of relations; each triple of the same thing and relation answers."""
    gold: dict[str, list[str]] = {}
    asked: dict[str, str] = {}
    for row in related(path):
        gold.setdefault(row.question_id, []).append(_triple(row))
        asked.setdefault(row.question_id, row.question)
    return [Question(id_, asked[id_], tuple(triples)) for id_, triples in gold.items()]


def relation_answers(path: Path) -> dict[str, tuple[str, ...]]:
    """By the id of each question of a set of relations: what answers it, with its other names."""
    found: dict[str, dict[str, None]] = {}
    for row in related(path):
        found.setdefault(row.question_id, {}).update(dict.fromkeys((row.answer, *row.aliases)))
    return {id_: tuple(names) for id_, names in found.items()}


def relation_lines(rows: Iterable[Related]) -> Iterator[str]:
    """The triples of rows of relations, and the labels of all that is in them, as lines of N-Triples."""
    for row in rows:
        yield _triple(row)
        yield from relation_labels((row,))


def relation_labels(rows: Iterable[Related]) -> Iterator[str]:
    """The labels of all that is in rows of relations."""
    for row in rows:
        named = ((row.id, row.thing), (f"property/{row.relation}", row.relation), (f"answer/{row.answer}", row.answer))
        for name, label in named:
            thing = iri_text(BASE + quote(name, safe="/"))
            yield f"{thing} {iri_text(RDFS + 'label')} {literal_text(RdfLiteral(label))} ."


def write_relations(path: Path, folder: Path) -> None:
    """Writes a knowledge base of the rows of a set of relations into a folder."""
    write_store(relation_lines(related(path)), folder)


def write_store(lines: Iterable[str], folder: Path, *, name: str = "relations", settings: str = "") -> None:
    """Writes a knowledge base of lines of N-Triples, each once; one without a graph where there are none.

    Args:
        lines: without their line ends.
        folder: it is made.
        name: what the knowledge base is called.
        settings: further lines of its ``imprimatur.yaml``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    told = list(dict.fromkeys(lines))
    if told:
        (folder / "graph.nt").write_text("\n".join(told) + "\n", encoding="utf-8")
        # Years before our era are as XSD 1.1 has them, in which Wikidata is written.
        settings = f"graph: {{data: [graph.nt], years: xsd11}}\n{settings}"
    (folder / "imprimatur.yaml").write_text(f"version: 1\nname: {name}\n{settings}", encoding="utf-8")
