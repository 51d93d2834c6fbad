"""Loaders of questions with short answers: SimpleQuestions on Wikidata, Mintaka, HotpotQA, and rows of relations.

None of the sets is in the package: each has its own licence, and every loader takes the user's files. What is read is
JSON lines:

- ``simplequestions``: ``{s, p, o, question}``, ids of Wikidata; ``p`` is P… where the answer ``o`` is the value of a
  fact about ``s``, and R… where ``s`` is the value of a fact about it;
- ``mintaka``: ``{id, question, answer_type, answer}``, of the types entity, numerical, boolean, date and string;
- ``hotpotqa``: ``{qas_id, question, paragraphs: [{title, context, is_supp}], answer, wikidata_entities: {id: label}}``;
- ``relations``: ``{input: "THING [SEP] RELATION", topic_entity: {id: label}, answer, alias?, template_questions?}``, as
  T-REx and zero-shot relation extraction are published by Think-on-Graph.

The first three are also read in the other forms in which they are published (``answer_forms``).

Contract: all is read before anything is asked; a row that is not so is an InputError with its line, an id that comes
twice is one. An answer of SimpleQuestions is an id until something has a label for it, and can be scored only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from imprimatur._expressions import expression
from imprimatur.errors import InputError, nearest
from imprimatur.evals import answer_forms
from imprimatur.evals.label_questions import question_of
from imprimatur.evals.retrieval_sets import Related, related

__all__ = ["PARTS", "SETS", "Fact", "Passage", "QuestionRow", "in_own_words", "load", "part_of"]

PARTS = ("dev", "heldout")
_ID = expression(r"Q[1-9][0-9]{0,11}")
_PROPERTY = expression(r"[PR][1-9][0-9]{0,9}")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact in ids of the graph: a thing, a property (P…), a thing."""

    subject: str
    property: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A paragraph that comes with a question; ``needed`` is what the set says of it."""

    title: str
    text: str
    needed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """One question.

    Attributes:
        source: what it is about; rows of one source stand or fall together.
        right: the right answers, each by itself; none where only ids are known (see ``fact``).
        kind: the set's type of the answer; empty where it has none.
        things: the things that it is about, by id, with their labels (empty where none is known).
        fact: what answers it, in ids. asks_value: whether the answer is the fact's value, and not its subject.
        relations: the row of a relation that answers it.
    """

    id: str
    text: str
    source: str
    right: tuple[str, ...] = ()
    kind: str = ""
    things: Mapping[str, str] = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    fact: Fact | None = None
    asks_value: bool = True
    relations: tuple[Related, ...] = ()

    @property
    def sought(self) -> str:
        """The id of the answer; empty where only its text is known."""
        return "" if self.fact is None else self.fact.value if self.asks_value else self.fact.subject


def load(name: str, files: Sequence[Path]) -> tuple[QuestionRow, ...]:
    """All questions of some files of one set.

    Raises:
        InputError: no such set; a file is absent or not as published; an id comes twice.
    """
    if name not in SETS:
        near = nearest(name, SETS)
        hint = f"did you mean {near!r}?" if near else f"the sets are {', '.join(SETS)}"
        raise InputError(f"{name!r} is not a set of questions", hint=hint)
    found: dict[str, QuestionRow] = {}
    for row in SETS[name](files):
        if row.id in found:
            raise InputError(f"the question {row.id[:80]!r} comes twice", where=", ".join(map(str, files)))
        found[row.id] = row
    if not found:
        raise InputError("holds no question", where=", ".join(map(str, files)))
    return tuple(found.values())


def part_of(row: QuestionRow) -> str:
    """The half that a question is in: all questions of one source are in the same."""
    return PARTS[sha256(f"half|{row.source}".encode()).digest()[0] & 1]


def in_own_words(row: QuestionRow) -> QuestionRow:
    """The question of a row of a relation in the relation's words, whatever its templates are; others as they are."""
    return replace(row, text=question_of(row.relations[0].relation, row.relations[0].thing)) if row.relations else row


def _string(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"`{key}` must be a text that is not empty", where=where)
    return value


def _id(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        raise InputError(f"`{key}` must be an id of a thing (Q…)", where=where)
    return value


# -- SimpleQuestions ---------------------------------------------------------------------------------------------------
def _simple(files: Sequence[Path]) -> Iterator[QuestionRow]:
    for number, (row, where) in enumerate(answer_forms.simple(files), 1):
        topic, answer = _id(row, "s", where), _id(row, "o", where)
        told = row.get("p")
        if not isinstance(told, str) or _PROPERTY.fullmatch(told) is None:
            raise InputError("`p` must be a property (P… or R…)", where=where)
        forward = told.startswith("P")
        ends = (topic, answer) if forward else (answer, topic)
        yield QuestionRow(
            id=str(number),
            text=_string(row, "question", where),
            source=topic,
            kind="value" if forward else "thing",
            things={topic: ""},
            fact=Fact(ends[0], "P" + told[1:], ends[1]),
            asks_value=forward,
        )


# -- Mintaka -----------------------------------------------------------------------------------------------------------
_MINTAKA: dict[str, tuple[type, ...]] = {
    "entity": (str,),
    "numerical": (int, float, str),
    "boolean": (bool,),
    "date": (str, int),
    "string": (str,),
}


def _mintaka(files: Sequence[Path]) -> Iterator[QuestionRow]:
    for row, where in answer_forms.mintaka(files):
        kind, answer = row.get("answer_type"), row.get("answer")
        if kind not in _MINTAKA:
            raise InputError(f"`answer_type` must be one of {', '.join(_MINTAKA)}", where=where)
        if not isinstance(answer, _MINTAKA[kind]) or (isinstance(answer, bool) and kind != "boolean"):
            raise InputError(f"`answer` is not of the type {kind}", where=where)
        name = _string(row, "id", where)
        names = [str(each) for each in row.get("names", ()) if str(each).strip()]
        yield QuestionRow(
            id=name,
            text=_string(row, "question", where),
            source=name,
            kind=kind,
            right=tuple(dict.fromkeys((*_written(answer, where), *names))),
            things=_things(row.get("things", {}), where),
        )


def _written(answer: object, where: str) -> tuple[str, ...]:
    """An answer of Mintaka as it may be written."""
    if isinstance(answer, bool):
        return ("Yes", "True") if answer else ("No", "False")
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    if not str(answer).strip():
        raise InputError("`answer` is empty", where=where)
    return (str(answer),)


# -- HotpotQA ----------------------------------------------------------------------------------------------------------
def _hotpot(files: Sequence[Path]) -> Iterator[QuestionRow]:
    for row, where in answer_forms.hotpot(files):
        things = row.get("wikidata_entities", {})
        given = row.get("paragraphs")
        if not isinstance(given, list) or not given:
            raise InputError("`paragraphs` must be a list that is not empty", where=where)
        name = _string(row, "qas_id", where)
        answer = _string(row, "answer", where)
        yield QuestionRow(
            id=name,
            text=_string(row, "question", where),
            source=name,
            kind="yes or no" if answer.lower() in ("yes", "no") else "span",
            right=(answer,),
            things=_things(things, where),
            passages=tuple(_passage(each, where) for each in given),
        )


def _things(things: object, where: str) -> dict[str, str]:
    if not isinstance(things, Mapping) or not all(isinstance(label, str) for label in things.values()):
        raise InputError("`wikidata_entities` must be an object of ids and labels", where=where)
    # Names for which nothing was found are published under the id "None".
    return {id_: label for id_, label in things.items() if _ID.fullmatch(id_) is not None}


def _passage(row: object, where: str) -> Passage:
    if not isinstance(row, Mapping) or not isinstance(row.get("is_supp"), bool):
        raise InputError("a paragraph must have a `title`, a `context`, and `is_supp` true or false", where=where)
    return Passage(title=_string(row, "title", where), text=_string(row, "context", where), needed=row["is_supp"])


# -- rows of relations -------------------------------------------------------------------------------------------------
def _relations(files: Sequence[Path]) -> Iterator[QuestionRow]:
    found: dict[str, list[Related]] = {}
    for file in files:
        for row in related(file):
            found.setdefault(row.question_id, []).append(row)
    for id_, rows in found.items():
        right = dict.fromkeys(name for row in rows for name in (row.answer, *row.aliases) if name.strip())
        yield QuestionRow(
            id=id_,
            text=rows[0].question,
            source=rows[0].id,
            kind=rows[0].relation,
            right=tuple(right),
            things={rows[0].id: rows[0].thing},
            relations=tuple(rows),
        )


#: The loaders, by the names of the sets.
SETS: dict[str, Callable[[Sequence[Path]], Iterator[QuestionRow]]] = {
    "simplequestions": _simple,
    "mintaka": _mintaka,
    "hotpotqa": _hotpot,
    "relations": _relations,
}
