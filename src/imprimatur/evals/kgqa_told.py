"""How ``imprimatur eval kgqa`` tells what it measured: tables with intervals, or JSON.

Shares have Wilson's interval; means of F1 the bootstrap's, over what questions are about. All are of 95 %. A figure of
nothing is a dash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.terminal import aligned, plain
from imprimatur.evals.metered import account, accounted, accounts
from imprimatur.evals.metrics import Share
from imprimatur.evals.scores import interval

if TYPE_CHECKING:
    from imprimatur.config import Price
    from imprimatur.evals.answer_stores import Store
    from imprimatur.evals.kgqa import Given, Plan, Taken

__all__ = ["emit", "figures"]

_KINDS = 12


def emit(name: str, store: Store, taken: Mapping[str, Taken], plan: Plan) -> None:
    """Prints what was measured."""
    if plan.as_json:
        found = {how: _json(each, plan.price) for how, each in taken.items()}
        session.emit_json({"set": name, "unscored": store.unlabelled, "store": store.told, "ways": found})
    else:
        click.echo("\n".join(_lines(name, store, taken, plan)))


def figures(given: Sequence[Given]) -> dict[str, Share]:
    """The shares of some answers: of questions that have an answer, and of those whose fact is withheld."""
    asked = [each for each in given if each.supported]
    answered = [each for each in asked if each.values]
    without = [each for each in given if not each.supported]
    return {
        "exact match": Share(sum(each.exact for each in asked), len(asked)),
        "right": Share(sum(each.right for each in asked), len(asked)),
        "wrong": Share(sum(not each.right for each in answered), len(asked)),
        "abstained": Share(len(asked) - len(answered), len(asked)),
        "right when answered": Share(sum(each.right for each in answered), len(answered)),
        "answers without support": Share(sum(bool(each.values) for each in without), len(without)),
    }


def _f1(given: Sequence[Given]) -> tuple[float, float, float] | None:
    """The mean F1 of questions that have an answer, with its interval; None where there is none."""
    asked = [each for each in given if each.supported]
    if not asked:
        return None
    low, high = interval(asked, group=lambda each: each.row.source, figure=_mean) or (0.0, 1.0)
    return _mean(asked), low, high


def _mean(given: Sequence[Given]) -> float:
    return sum(each.f1 for each in given) / len(given)


def _lines(name: str, store: Store, taken: Mapping[str, Taken], plan: Plan) -> Iterator[str]:
    rows = store.rows
    supported = sum(bool(row.right) for row in rows)
    yield f"{name}: {supported} questions with an answer, {len(rows) - supported} whose fact is withheld"
    if store.unlabelled:
        yield f"{store.unlabelled} more have no answer that is known as a text"
    if store.told:
        yield f"asked of {store.told}"
    yield ""
    yield from _table(taken, ("exact match", "right", "wrong", "abstained"), f1=True)
    yield ""
    yield from _table(taken, ("right when answered", "answers without support"), f1=False)
    for how, each in taken.items():
        yield from _by_kind(how, each.given)
    if any(each.used.calls for each in taken.values()):
        yield ""
        used = [[how, *account(each.used, plan.price, len(each.given))] for how, each in taken.items()]
        yield aligned(["how", *accounts(plan.price)], used)
    for how, each in taken.items():
        for one in each.given:
            if plan.list_all or (one.values and not one.right):
                kind = "right" if one.right else "wrong" if one.values else one.outcome
                yield plain(f"{how} {kind}  {one.row.text}  {one.text[:300]}  [{'; '.join(one.row.right)[:200]}]")


def _table(taken: Mapping[str, Taken], kinds: Sequence[str], *, f1: bool) -> Iterator[str]:
    rows = []
    for how, each in taken.items():
        found = figures(each.given)
        told = [_short(found[kind]) for kind in kinds]
        rows.append([how, *told[:1], *([_written(_f1(each.given))] if f1 else []), *told[1:]])
    yield aligned(["how", *kinds[:1], *(["F1"] if f1 else []), *kinds[1:]], rows)


def _by_kind(how: str, given: Sequence[Given]) -> Iterator[str]:
    """A table over the kinds of answers, the most frequent first."""
    kinds: dict[str, list[Given]] = {}
    for each in given:
        if each.supported:
            kinds.setdefault(each.row.kind, []).append(each)
    if len(kinds) < 2:
        return
    yield ""
    rows = []
    for kind, mine in sorted(kinds.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:_KINDS]:
        found = figures(mine)
        counts = [str(found[name].count) for name in ("exact match", "right", "wrong", "abstained")]
        rows.append([kind, str(len(mine)), *counts, f"{_mean(mine):.3f}"])
    yield aligned([f"{how}: answers of the kind", "of", "exact match", "right", "wrong", "abstained", "F1"], rows)


def _short(share: Share) -> str:
    if not share.total:
        return "-"
    said = share.to_dict()
    return f"{share.count}/{share.total} {said['share']:.3f} [{said['low']:.3f}, {said['high']:.3f}]"


def _written(found: tuple[float, float, float] | None) -> str:
    return "-" if found is None else "{:.3f} [{:.3f}, {:.3f}]".format(*found)


def _json(taken: Taken, price: Price | None) -> dict[str, Any]:
    mean = _f1(taken.given)
    return {
        **{kind: share.to_dict() for kind, share in figures(taken.given).items()},
        "f1": None if mean is None else {"mean": mean[0], "low": mean[1], "high": mean[2]},
        **accounted(taken.used, price, len(taken.given)),
        "answers": [_answer(each) for each in taken.given],
    }


def _answer(given: Given) -> dict[str, Any]:
    return {
        "id": given.row.id,
        "question": given.row.text,
        "answer": given.text or None,
        "gold": list(given.row.right),
        "outcome": given.outcome,
        "right": given.right,
        "exact": given.exact,
        "f1": given.f1,
    }
