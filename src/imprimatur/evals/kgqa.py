"""``imprimatur eval kgqa``: questions with short answers, asked in several ways: exact match, F1, and what is wrong.

The sets are those of ``answer_sets``, the knowledge bases those of ``answer_stores``, the ways those of
``evals.conditions``, and ``recorded`` (answers from a file). Exact match and F1 are SQuAD's (``answer_scores``), over
all questions: one that is not answered has 0 of both. Beside them an answer is *right* when all that it gives is right
(a number by the number rules, a name as it may be written; of a model's text, when a right answer stands in it), else
*wrong*. A wrong answer is worse than none, so it is counted by itself, and so are answers to questions whose fact is
withheld. Without a model an answer is the values that were licensed; a model's is the text that it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from imprimatur.cli.progress import Progress
from imprimatur.config import Price
from imprimatur.errors import InputError
from imprimatur.evals import answer_scores, kgqa_told
from imprimatur.evals.answer_sets import QuestionRow, in_own_words, load, part_of
from imprimatur.evals.answer_stores import Paragraphs, Store, answered_by, known, local_store, remote_store
from imprimatur.evals.conditions import GRAPH, Settings, asking
from imprimatur.evals.metered import Metered, Used
from imprimatur.evals.passage_sets import json_rows
from imprimatur.evals.posed import states
from imprimatur.generate.answered import Outcome
from imprimatur.generate.answers import answer
from imprimatur.generate.asker import AskSettings
from imprimatur.generate.conditions import CONDITIONS, How
from imprimatur.models.asking import Model
from imprimatur.oracle import Oracle
from imprimatur.sources.remote.endpoint import Endpoint
from imprimatur.sources.remote.settings import Remote

__all__ = ["RECORDED", "Given", "Plan", "Taken", "ask_all", "run"]

#: Answers that something gave before, from a file.
RECORDED = "recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is measured.

    Attributes:
        kb: a knowledge base to ask; None for one that is made of the rows, or fetched.
        facts: files with further labels and facts.
        endpoint: where facts are fetched. paragraphs: which of the questions' are evidence beside facts.
        hows: the ways to ask. answers: rows ``{id, answer}`` for ``recorded``.
        most: how many questions are drawn, all where it is None; ``part``: of which half.
        plainly: whether rows of relations are asked in the relation's words, and not by their templates.
        withheld: of how many of a hundred questions the fact is left out.
        model: opens the model. asking: how it is asked.
        price: what the model's tokens cost; None where no cost is told.
        short: whether a model's answers are shortened to the words that answer the question.
        list_all: whether every answer is printed, and not the wrong ones alone.
    """

    kb: str | None = None
    facts: tuple[Path, ...] = ()
    endpoint: Remote | None = None
    paragraphs: Paragraphs = Paragraphs.NONE
    hows: tuple[str, ...] = (GRAPH,)
    answers: Path | None = None
    most: int | None = None
    part: str = "all"
    plainly: bool = False
    withheld: int = 0
    seed: int = 1
    policy: str | None = None
    model: Callable[[], Model] | None = None
    asking: Callable[[Oracle], AskSettings] = lambda _: AskSettings()
    price: Price | None = None
    short: bool = False
    list_all: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What was answered to one question.

    Attributes:
        values: the answers, each by itself; none where nothing is answered.
        outcome: what became of it, in a word.
        right: whether all that is answered is right. exact, f1: of the answer as one text.
    """

    row: QuestionRow
    values: tuple[str, ...]
    outcome: str
    right: bool
    exact: bool
    f1: float

    @property
    def text(self) -> str:
        """The answer as one text; empty where there is none."""
        return ", ".join(self.values)

    @property
    def supported(self) -> bool:
        """Whether the question has an answer."""
        return bool(self.row.right)


@dataclass(slots=True)
class Taken:
    """What became of the questions in one way of asking, and what was used for it."""

    given: list[Given] = field(default_factory=list)
    used: Used = field(default_factory=Used)


def run(name: str, files: Sequence[Path], plan: Plan) -> int:
    """Asks a set in every way, prints what came of it, and returns 1 when something wrong was licensed.

    Raises:
        ImprimaturError: a file, the knowledge base, the endpoint or the model is wrong.
    """
    if plan.model is None and set(plan.hows) - {GRAPH, RECORDED}:
        raise InputError("a model is needed for these ways to ask", hint="name one, or a recording with --replay")
    if (plan.answers is None) == (RECORDED in plan.hows):
        raise InputError(f"`--how {RECORDED}` takes its answers from a file", hint="name it by --answers")
    if sum(each is not None for each in (plan.kb, plan.endpoint)) > 1:
        raise InputError("one knowledge base is asked", hint="leave out --kb or --endpoint")
    if plan.paragraphs is not Paragraphs.NONE and plan.kb is not None:
        raise InputError("paragraphs go into a knowledge base that is made", hint="leave out --kb")
    if plan.withheld and (plan.kb is not None or plan.endpoint is not None):
        raise InputError(
            "facts are withheld from a knowledge base that is made of the rows", hint="leave out --withhold"
        )
    rows = [row for row in load(name, files) if plan.part in ("all", part_of(row))]
    if plan.plainly:
        rows = [in_own_words(row) for row in rows]
    with TemporaryDirectory() as folder:
        store = _store(rows, plan, Path(folder))
        if not store.rows:
            raise InputError(
                "no question has an answer that is known as a text", hint="name files with labels by --facts"
            )
        oracle = Oracle.from_folder(store.folder, policy=plan.policy)
        taken = ask_all(store.rows, oracle, plan)
    kgqa_told.emit(name, store, taken, plan)
    checked = (taken[how] for how in taken if _is_checked(how))
    return 1 if any(each.values and not each.right for one in checked for each in one.given) else 0


def _store(rows: Sequence[QuestionRow], plan: Plan, folder: Path) -> Store:
    """The knowledge base, with the questions that are asked of it."""
    more = known(plan.facts)
    if plan.kb is not None:
        asked = [made for row in rows if (made := answered_by(row, more.labels)) is not None]
        chosen = _chosen(asked, plan)
        return Store(folder=plan.kb, rows=tuple(chosen), unlabelled=len(rows) - len(asked))
    if plan.endpoint is not None:
        return remote_store(_chosen(rows, plan), Endpoint(plan.endpoint), folder, shown=plan.paragraphs)
    store = local_store(rows, more, folder, percent=plan.withheld, shown=plan.paragraphs)
    chosen = _chosen(store.rows, plan)
    return Store(folder=store.folder, rows=tuple(chosen), unlabelled=store.unlabelled, told=store.told)


def _chosen(rows: Sequence[QuestionRow], plan: Plan) -> list[QuestionRow]:
    most = len(rows) if plan.most is None else min(plan.most, len(rows))
    return Random(plan.seed).sample(list(rows), most)


def _is_checked(how: str) -> bool:
    """Whether what is answered so is licensed."""
    return how == GRAPH or (how != RECORDED and CONDITIONS[How(how)].checked)


# -- asking ------------------------------------------------------------------------------------------------------------
def ask_all(rows: Sequence[QuestionRow], oracle: Oracle, plan: Plan) -> dict[str, Taken]:
    """What becomes of each question in each way of asking."""
    metered = Metered(plan.model()) if plan.model is not None else None
    taken: dict[str, Taken] = {}
    for how in plan.hows:
        ask = _asker(how, oracle, metered, plan)
        mine = taken[how] = Taken()
        with Progress(f"Asking {how}", len(rows)) as progress:
            for row in rows:
                mine.given.append(judged(row, *ask(row), oracle))
                progress.step(row.text)
        if metered is not None:
            mine.used = metered.reset()
    return taken


def _asker(
    how: str, oracle: Oracle, model: Model | None, plan: Plan
) -> Callable[[QuestionRow], tuple[tuple[str, ...], str]]:
    """What gives the answers to a question, none where nothing is answered, and the outcome."""
    if how == GRAPH:

        def of_graph(row: QuestionRow) -> tuple[tuple[str, ...], str]:
            found = answer(row.text, oracle)
            return (found.values if found.outcome is Outcome.ANSWERED else ()), found.outcome.value

        return of_graph
    if how == RECORDED:
        assert plan.answers is not None
        said = _recorded(plan.answers)
        return lambda row: ((said[row.id],), "answered") if said.get(row.id) else ((), "none")
    asked = asking(how, oracle, model, Settings(asking=plan.asking, short=plan.short))

    def of_model(row: QuestionRow) -> tuple[tuple[str, ...], str]:
        said = asked(row.text)
        return ((" ".join(said.text.split()),) if said.text.strip() else ()), said.outcome

    return of_model


def _recorded(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for row, where in json_rows(path):
        id_, said = row.get("id"), row.get("answer")
        if not isinstance(id_, str) or not isinstance(said, str | None):
            raise InputError("a row must have an `id` and an `answer`, a text or null", where=where)
        if id_ in found:
            raise InputError(f"the id {id_[:60]!r} comes twice", where=where)
        found[id_] = (said or "").strip()
    return found


def judged(row: QuestionRow, values: tuple[str, ...], outcome: str, oracle: Oracle) -> Given:
    """An answer with its scores."""
    text = ", ".join(values)
    right = bool(values) and all(any(states(value, each, oracle) for each in row.right) for value in values)
    exact = bool(values) and answer_scores.exact(text, row.right)
    f1 = answer_scores.f1(text, row.right) if values else 0.0
    return Given(row=row, values=values, outcome=outcome, right=right or exact, exact=exact, f1=f1)
