"""Questions with what answers them, as several ways of answering are compared on: their sets, and what is right.

``rivers``: rows of the river questions whose fact is in the graph, by the rule of ``evals.questions``. ``relations``:
rows ``{input: "THING [SEP] RELATION", topic_entity, answer, alias?}``, asked of a knowledge base made of the rows.
``made``: questions over one fact, made from the graph (``evals.one_fact``). ``posed``: rows ``{question, right?}``, as
``imprimatur tune data`` holds out; one without right values is a question that nothing supports.
Each with made questions that nothing supports (``evals.unsupported``). An answer is right when it states a right
value and no other of the question's options: a number by the number rules, a name as it may be written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from imprimatur.errors import InputError
from imprimatur.evals import made_by_models
from imprimatur.evals.one_fact import one_fact
from imprimatur.evals.passage_sets import json_rows
from imprimatur.evals.questions import askable, read, same
from imprimatur.evals.retrieval_sets import relation_answers, relations, write_relations
from imprimatur.evals.unsupported import unsupported
from imprimatur.extract.items import items_of
from imprimatur.oracle import Oracle
from imprimatur.sources.graph.names import folded

__all__ = ["SETS", "Draw", "Posed", "PosedSet", "is_right", "open_set", "states"]

SETS = ("rivers", "relations", "made", "posed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Posed:
    """A question; ``right`` are its right values, none where nothing in the graph answers it."""

    id: str
    text: str
    right: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether the graph answers it."""
        return bool(self.right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """How many questions are drawn, how many without support are made, and what the choice hangs on."""

    most: int = 100
    made: int = 0
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PosedSet:
    """Questions, the knowledge base that they are asked of, and how many there were to choose from."""

    oracle: Oracle
    folder: str
    questions: tuple[Posed, ...]
    of: int


def open_set(
    name: str,
    files: Sequence[Path],
    kb: str,
    *,
    folder: Path,
    draw: Draw,
    policy: str | None = None,
    bare: bool = False,
) -> PosedSet:
    """A set of questions, with made ones that nothing supports behind them.

    Args:
        name: one of ``SETS``.
        files: the set's one file; none for ``made``.
        kb: the knowledge base; that of ``relations`` is made in ``folder``.
        draw: how many questions, and which.
        bare: nothing that a model made counts, whatever the policy trusts.

    Raises:
        InputError: a file is not as it should be, or no question is left.
    """
    if len(files) != (name != "made"):
        hint = "rivers QUESTIONS.csv, relations ROWS.jsonl, posed ROWS.jsonl, or made"
        raise InputError(f"`{name}` takes {'no' if name == 'made' else 'one'} file", hint=hint)
    if name == "relations":
        write_relations(files[0], folder)
        oracle, place = Oracle.from_folder(folder, policy=policy, cache_dir=folder / "cache"), str(folder)
        answers = relation_answers(files[0])
        found = [
            Posed(id=each.id, text=each.text, right=answers[each.id], gold=each.gold) for each in relations(files[0])
        ]
    else:
        oracle, place = Oracle.from_folder(kb, policy=policy), kb
        oracle = made_by_models.without(oracle) if bare else oracle
        found = _posed(files[0]) if name == "posed" else _rivers(files[0], oracle) if files else _made(oracle, draw)
    if not found:
        raise InputError("no question has its fact in the graph", where=str(files[0]) if files else kb)
    chosen = Random(draw.seed).sample(found, min(draw.most, len(found)))
    without = unsupported(oracle.knowledge, draw.made, seed=draw.seed) if draw.made else {}
    for kind, texts in without.items():
        chosen += [Posed(id=f"{kind} {number}", text=text) for number, text in enumerate(texts, 1)]
    return PosedSet(oracle=oracle, folder=place, questions=tuple(chosen), of=len(found))


def _rivers(file: Path, oracle: Oracle) -> list[Posed]:
    part = oracle.knowledge.part
    if part is None:
        raise InputError("the knowledge base has no graph to ask", hint="name one that has `graph:`")
    rows = [row for row in read(file) if askable(row, part.judging)]
    return [Posed(id=row.text, text=row.text, right=(row.options[row.right],), options=row.options) for row in rows]


def _posed(file: Path) -> list[Posed]:
    """The questions of rows, in order."""
    found = list[Posed]()
    for row, where in json_rows(file):
        text, right, gold = row.get("question"), row.get("right", []), row.get("gold", [])
        lists = isinstance(right, list) and isinstance(gold, list)
        if not isinstance(text, str) or not text.strip() or not lists or not all(map(_is_text, (*right, *gold))):
            hint = 'like {"question": "…", "right": ["…"]}; `right` is empty where nothing answers it'
            raise InputError("is no question with its answers", where=where, hint=hint)
        found.append(
            Posed(id=str(row.get("id", where.rpartition(":")[2])), text=text, right=tuple(right), gold=tuple(gold))
        )
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _made(oracle: Oracle, draw: Draw) -> list[Posed]:
    made = one_fact(oracle.knowledge, draw.most, seed=draw.seed)
    return [Posed(id=text, text=text, right=(value,), gold=(triple,)) for text, value, triple in made]


def is_right(text: str, posed: Posed, oracle: Oracle) -> bool:
    """Whether an answer states a right value, and beside it no option that is not right."""
    right = [value for value in posed.right if states(text, value, oracle)]
    if not right:
        return False
    rest, asked = _without(text, right, oracle), _plain(posed.text)
    others = [option for option in posed.options if not any(same(option, value, oracle) for value in right)]
    for option in others:
        longer = any(f" {_plain(value)} " in f" {_plain(option)} " for value in right)
        repeated = any(name in asked for name in _written(option))
        if not repeated and states(text if longer else rest, option, oracle):
            return False
    return True


def states(text: str, value: str, oracle: Oracle) -> bool:
    """Whether a text has a value: the same number by the number rules, or the name as whole words."""
    if _numbers(value, oracle):
        return any(same(each, value, oracle) for each in _numbers(text, oracle))
    said = f" {_plain(text)} "
    return any(f" {name} " in said for name in _written(value))


def _without(text: str, values: Sequence[str], oracle: Oracle) -> str:
    """A text without the numbers and names that are some values."""
    for each in _numbers(text, oracle):
        if any(same(each, value, oracle) for value in values if _numbers(value, oracle)):
            text = text.replace(each, " ")
    left = f" {_plain(text)} "
    for value in values:
        for name in sorted(_written(value), key=len, reverse=True):
            left = left.replace(f" {name} ", " … ")
    return text if left == f" {_plain(text)} " else left


def _numbers(text: str, oracle: Oracle) -> list[str]:
    items = items_of(text.strip(" ."), oracle.knowledge.lexicon)
    return [item.text for item in items if item.quantity is not None]


def _written(value: str) -> set[str]:
    """A name as it may be written: whole, without its qualifier, without what stands behind a comma."""
    name = folded(value).lower().strip(" .").removeprefix("the ")
    return {_plain(name), _plain(name.partition(" (")[0]), _plain(name.partition(",")[0])} - {""}


def _plain(text: str) -> str:
    """Words and digits in small letters, one space between them."""
    return " ".join("".join(char if char.isalnum() else " " for char in folded(text).lower()).split())
