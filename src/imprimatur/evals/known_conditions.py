"""Every condition that can be measured, in one registry: what it is, what it needs, what it can do, and whose it is.

Two tasks: *questions* are answered or not, *claims* are judged as supported, contradicted or not found. A condition
over questions is a row of ``generate.conditions`` (or the graph alone), perhaps asked of a tuned model; one over claims
is the oracle, the fence, an ablation of TeQHallu, or a model's own word. Nothing here asks or judges.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from imprimatur.errors import InputError, nearest
from imprimatur.evals.outcome import Matrix, Table
from imprimatur.generate.conditions import CONDITIONS, How, Revision
from imprimatur.teqhallu.kinds import Ablation

__all__ = ["ALIASES", "GRAPH", "KNOWN", "Can", "Known", "Need", "Task", "capabilities", "known", "listed", "names"]

#: Without a model.
GRAPH = "graph"


class Task(StrEnum):
    """What is done with a row."""

    QUESTIONS = "questions"
    CLAIMS = "claims"


class Need(StrEnum):
    """What a condition cannot do without."""

    MODEL = "a model"
    TUNED = "tuned weights"
    GRAPH = "a graph"
    FACTS = "facts or memory entries"
    PASSAGES = "passages"
    REFERENCE = "a reference for each claim"
    SQL = "the extra `tables`"


class Can(StrEnum):
    """What a condition can do by its making, whatever the model is like.

    ``abstains``: it can decline other than by the model's own choice of words; ``cites``: it says what an answer rests
    on; ``checks``: what it says was checked; ``corrects``: it changes what is wrong.
    """

    ABSTAINS = "abstains"
    CITES = "cites"
    CHECKS = "checks"
    CORRECTS = "corrects"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One condition.

    Attributes:
        name: what ``--how`` calls it; ``title``: in words.
        says: what it may answer.
        seed: where it is described.
        how: the row of ``generate.conditions`` that asks; None for what is no way to ask a model.
        ablation: what of TeQHallu is run.
        role: which tuned model is asked; empty for the model itself.
    """

    name: str
    title: str
    task: Task
    says: str
    seed: str
    needs: tuple[Need, ...] = ()
    can: frozenset[Can] = frozenset()
    how: How | None = None
    ablation: Ablation | None = None
    role: str = ""

    @property
    def checked(self) -> bool:
        """Whether what it lets out counts as licensed."""
        return Can.CHECKS in self.can


_ORACLE = "Licensing Oracle"
_KGR = "KGR"
_TEQ = "TeQHallu"
_FREE = "anything, or “I don't know”"


def _asked(
    name: str, title: str, seed: str, *needs: Need, says: str = _FREE, how: How | None = None, role: str = ""
) -> Known:
    """A condition that asks a model a question; what it can do follows from its row."""
    how = how or How(name)
    row = CONDITIONS[how]
    can = {
        Can.ABSTAINS: bool(row.sections and row.revision is None) or row.checked,
        Can.CITES: row.checked,
        Can.CHECKS: row.checked,
        Can.CORRECTS: row.revision is Revision.RETROFITTED or row.revision is Revision.CRITICISED,
    }
    return Known(
        name=name,
        title=title,
        task=Task.QUESTIONS,
        says=says,
        seed=seed,
        needs=(Need.MODEL, *needs),
        can=frozenset(each for each, holds in can.items() if holds),
        how=how,
        role=role,
    )


def _claimed(name: str, title: str, seed: str, ablation: Ablation) -> Known:
    can = {Can.CITES} if ablation not in (Ablation.DIRECT,) else set()
    needs = (Need.MODEL, Need.REFERENCE, Need.SQL)
    return Known(
        name=name,
        title=title,
        task=Task.CLAIMS,
        says="supported, contradicted, not found",
        seed=seed,
        needs=needs,
        can=frozenset(can),
        ablation=ablation,
    )


_CHECKED = "what the policy releases, or a fixed refusal"
_GATED = "anything, “I don't know”, or a fixed refusal"
_LICENSED = frozenset((Can.ABSTAINS, Can.CITES, Can.CHECKS))
_ALL: tuple[Known, ...] = (
    Known(
        name=GRAPH,
        title="the graph alone",
        task=Task.QUESTIONS,
        says="what is licensed, or nothing",
        seed="none: ours",
        needs=(Need.GRAPH,),
        can=_LICENSED,
    ),
    _asked("plain", "baseline", f"{_ORACLE} 4.3, table 1; {_KGR} vanilla"),
    _asked("cot", "chain of thought", f"{_KGR}, baselines"),
    _asked("critic", "CRITIC-style revision", f"{_KGR}, baselines", Need.PASSAGES),
    _asked("factual", "factual fine-tune", f"{_ORACLE} 4.3, table 2", Need.TUNED, how=How.PLAIN, role="factual"),
    _asked("abstain", "abstention fine-tune", f"{_ORACLE} 4.3, table 2", Need.TUNED, how=How.PLAIN, role="abstain"),
    _asked("rag", "RAG", f"{_ORACLE} 4.3, table 3", Need.PASSAGES, says=_GATED),
    _asked("qkr", "question-relevant knowledge", f"{_KGR}, baselines", Need.GRAPH, says=_GATED),
    _asked("graph-rag", "graph-RAG", f"{_ORACLE} 2.4", Need.GRAPH, says=_GATED),
    _asked("kgr-written", "KGR as written", f"{_KGR}, table 1", Need.GRAPH),
    _asked("kgr", "KGR, licensed", f"{_KGR}, table 1", Need.GRAPH, says=_CHECKED),
    _asked("fence", "memory fence", "Verification fence", Need.FACTS, says=_CHECKED),
    _asked("oracle", "graph-RAG with oracle", f"{_ORACLE} 4.3, tables 4 and 5", Need.GRAPH, says=_CHECKED),
    Known(
        name="oracle",
        title="licensing oracle",
        task=Task.CLAIMS,
        says="every verdict label",
        seed=f"{_ORACLE} 5.5, table 5",
        needs=(Need.GRAPH,),
        can=_LICENSED,
    ),
    Known(
        name="fence",
        title="memory fence",
        task=Task.CLAIMS,
        says="every verdict label",
        seed="Verification fence",
        needs=(Need.FACTS,),
        can=_LICENSED,
    ),
    Known(
        name="direct",
        title="direct prediction",
        task=Task.CLAIMS,
        says="supported, contradicted, not found",
        seed=f"{_TEQ} 4, without a reference",
        needs=(Need.MODEL,),
    ),
    _claimed("teqhallu-direct", "direct prediction by a reference", f"{_TEQ} 4, baseline", Ablation.DIRECT),
    _claimed("teqhallu-claims", "atomic claims, no store", f"{_TEQ} 4, non-SQL baseline", Ablation.CLAIMS),
    _claimed("teqhallu-key-value", "key-value store", f"{_TEQ} 4, non-SQL baseline", Ablation.KEY_VALUE),
    _claimed("teqhallu-strict-ids", "strict identifiers", f"{_TEQ} 4.5, ablation", Ablation.STRICT_IDS),
    _claimed("teqhallu-no-initial", "without initial prediction", f"{_TEQ} 4.5, ablation", Ablation.NO_INITIAL),
    _claimed("teqhallu", "TeQHallu", f"{_TEQ} 4.5", Ablation.FULL),
)
KNOWN: dict[Task, dict[str, Known]] = {task: {each.name: each for each in _ALL if each.task is task} for task in Task}
#: Other words for a name.
ALIASES = {
    "baseline": "plain",
    "chain-of-thought": "cot",
    "factual-fine-tune": "factual",
    "abstention-fine-tune": "abstain",
    "graph-rag-oracle": "oracle",
    "direct-prediction": "direct",
}


def names() -> tuple[str, ...]:
    """All names and other words for them, each once."""
    return tuple(dict.fromkeys((*(each.name for each in _ALL), *ALIASES)))


def known(name: str, task: Task) -> Known:
    """The condition of a name. Raises InputError where the task has none."""
    found = KNOWN[task].get(ALIASES.get(name, name))
    if found is None:
        near = nearest(name, [*KNOWN[task]])
        hint = f"did you mean {near!r}?" if near else f"choose among {', '.join(KNOWN[task])}"
        raise InputError(f"there is no condition {name[:40]!r} over {task}", hint=hint)
    return found


def listed() -> tuple[Table, ...]:
    """The registry, a table for each task."""
    head = ("how", "what it is", "needs", "may answer", *Can, "described in")
    return tuple(
        Table(
            title=f"Conditions over {task}",
            head=head,
            rows=tuple(
                (
                    each.name,
                    each.title,
                    ", ".join(each.needs) or "nothing",
                    each.says,
                    *("yes" if can in each.can else "no" for can in Can),
                    each.seed,
                )
                for each in KNOWN[task].values()
            ),
        )
        for task in Task
    )


def capabilities(conditions: Iterable[Known]) -> Matrix:
    """Which condition can do what, by its making."""
    rows = tuple(conditions)
    return Matrix(
        title="What each condition can do by its making",
        rows=tuple(each.name for each in rows),
        columns=tuple(Can),
        counts=tuple(tuple(int(can in each.can) for can in Can) for each in rows),
    )
