"""``imprimatur eval conditions``: one set of questions asked in several ways, and what comes of it.

A question is *answered* unless what is said is a fixed refusal; *right* when the answer states a right value and no
wrong one of its options; *wrong* when it is answered otherwise. Beside that, an answer has something *unfounded* when a
number or name in it stands nowhere around the question's things in the graph's files, which ``evals.borne_out`` reads
by itself.
The measures of Ackermann and Emanuilov follow from these counts: abstention precision (of the abstentions, those on
questions without support), false answers on what is not entailed (of the questions without support, those answered),
and licensed answer accuracy (of the answers to questions with support, those that are right).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.config import Price
from imprimatur.errors import InputError
from imprimatur.evals.borne_out import Ground
from imprimatur.evals.known_conditions import GRAPH, Known, Need, Task, known
from imprimatur.evals.metered import Metered, Used, account, accounted, accounts
from imprimatur.evals.metrics import Share
from imprimatur.evals.posed import Draw, Posed, PosedSet, is_right, open_set
from imprimatur.evals.shortening import Shortening
from imprimatur.evals.told_passages import with_paragraphs
from imprimatur.generate.answers import answer
from imprimatur.generate.asker import Asker, AskSettings
from imprimatur.generate.conditions import CONDITIONS
from imprimatur.generate.generated import Ended, Generated
from imprimatur.models.asking import Model
from imprimatur.oracle import Oracle

__all__ = ["GRAPH", "Reply", "Said", "Settings", "Tally", "asking", "compare", "run"]

_MOST_EVIDENCE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is compared.

    Attributes:
        hows: the ways to ask.
        most: how many questions are drawn; ``made``: how many without support are made.
        answers: whether every answer is printed.
        model: opens the model; None where none is needed.
        own: opens the model of a condition that has one of its own: a tuned one, or another server's.
        paragraphs: whether ways that read passages are given paragraphs of the graph, where there are no passages.
        thoughts: the longest answer of ways that think first or answer in JSON; that of all by default.
        price: what its tokens cost; None where no cost is told.
        asking: how questions are asked.
        short: whether the model's answers are shortened to the words that answer the question.
    """

    kb: str = "rivers"
    hows: tuple[str, ...] = (GRAPH,)
    most: int = 100
    made: int = 0
    seed: int = 1
    policy: str | None = None
    answers: bool = False
    model: Callable[[], Model] | None = None
    own: Mapping[str, Callable[[], Model]] = field(default_factory=dict)
    price: Price | None = None
    asking: Callable[[Oracle], AskSettings] = lambda _: AskSettings()
    short: bool = False
    paragraphs: bool = False
    thoughts: int | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a way of asking gives: a text, empty for a refusal, the outcome in a word, and what was looked at."""

    text: str
    outcome: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was said to one question; empty where nothing was answered."""

    posed: Posed
    text: str
    outcome: str
    right: bool = False
    unfounded: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """What became of the questions in one way of asking; ``model`` names the model that was asked."""

    said: list[Said] = field(default_factory=list)
    used: Used = field(default_factory=Used)
    model: str = ""

    def share(self, holds: Callable[[Said], bool], of: Callable[[Said], bool] = lambda _: True) -> Share:
        """Of the outcomes of one kind, those of another."""
        kind = [each for each in self.said if of(each)]
        return Share(sum(map(holds, kind)), len(kind))

    def shares(self) -> dict[str, Share]:
        """All that is measured of the answers."""
        return {
            "answered": self.share(_answered),
            "right": self.share(lambda each: each.right),
            "wrong": self.share(_wrong),
            "abstained": self.share(lambda each: not each.text),
            "unfounded": self.share(lambda each: bool(each.unfounded)),
            "abstention precision": self.share(lambda each: not each.posed.supported, lambda each: not each.text),
            "false answers on what is not entailed": self.share(_answered, lambda each: not each.posed.supported),
            "licensed answer accuracy": self.share(
                lambda each: each.right, lambda each: _answered(each) and each.posed.supported
            ),
        }


def run(name: str, files: Sequence[Path], settings: Settings) -> int:
    """Asks a set in every way, and prints what came of it; 1 when something unfounded was licensed.

    Raises:
        ImprimaturError: a file, the knowledge base or the model is wrong.
    """
    check_models(settings)
    with TemporaryDirectory() as folder:
        draw = Draw(most=settings.most, made=settings.made, seed=settings.seed)
        posed = open_set(name, files, settings.kb, folder=Path(folder), draw=draw, policy=settings.policy)
        tallies = compare(posed, settings)
    tell(posed, tallies, settings)
    checked = (tally for how, tally in tallies.items() if known(how, Task.QUESTIONS).checked)
    return 1 if any(each.unfounded for tally in checked for each in tally.said) else 0


def check_models(settings: Settings) -> None:
    """Raises InputError where a way to ask has no model."""
    for how in settings.hows:
        condition = known(how, Task.QUESTIONS)
        if condition.role and how not in settings.own:
            raise InputError(f"{how!r} asks a tuned model", hint=f"name it by --tuned {condition.role}=FILE, or a URL")
        if Need.MODEL in condition.needs and settings.model is None and how not in settings.own:
            raise InputError("a model is needed for these conditions", hint="name one, or a recording with --replay")


def tell(posed: PosedSet, tallies: Mapping[str, Tally], settings: Settings) -> None:
    """Prints what came of the questions."""
    if settings.as_json:
        session.emit_json({how: _json(tally, settings.price) for how, tally in tallies.items()})
    else:
        click.echo("\n".join(_lines(posed, tallies, settings)))


def compare(posed: PosedSet, settings: Settings) -> dict[str, Tally]:
    """What becomes of each question in each way of asking."""
    ground = Ground(posed.folder)
    meters: dict[Callable[[], Model], Metered] = {}
    tallies: dict[str, Tally] = {}
    with TemporaryDirectory() as folder:
        reading = _reading(posed, settings, Path(folder))
        for how in settings.hows:
            condition = known(how, Task.QUESTIONS)
            opened = settings.own.get(how, settings.model)
            metered = None
            if opened is not None and Need.MODEL in condition.needs:
                metered = meters.get(opened) or meters.setdefault(opened, Metered(opened()))
            source = reading if Need.PASSAGES in condition.needs else posed.oracle
            asked = asking(how, source, metered, settings)
            tally = tallies[how] = Tally()
            with Progress(f"Asking {how}", len(posed.questions)) as progress:
                for question in posed.questions:
                    tally.said.append(_said(question, asked(question.text), posed.oracle, ground))
                    progress.step(question.text)
            if metered is not None:
                tally.used, tally.model = metered.reset(), metered.identity
    return tallies


def _reading(posed: PosedSet, settings: Settings, folder: Path) -> Oracle:
    """What ways that read passages are asked of."""
    wanted = any(Need.PASSAGES in known(how, Task.QUESTIONS).needs for how in settings.hows)
    if not (wanted and settings.paragraphs) or posed.oracle.knowledge.config.passages:
        return posed.oracle
    return with_paragraphs(posed.oracle, [each.text for each in posed.questions], folder, seed=settings.seed)


def asking(how: str, oracle: Oracle, model: Model | None, settings: Settings) -> Callable[[str], Reply]:
    """What gives the reply to a question in a way of asking."""
    condition = known(how, Task.QUESTIONS)
    if condition.how is None:
        return lambda question: _of_graph(question, oracle)
    assert model is not None
    asker = Asker(oracle, model, how=condition.how, settings=_fitted(condition, settings.asking(oracle), settings))
    shortened = Shortening(model, seconds=asker.settings.seconds) if settings.short else _as_it_is

    def of_model(question: str) -> Reply:
        found = asker(question)
        text = shortened(question, found.text) if found.outcome is Ended.ANSWERED else ""
        return Reply(text, found.outcome.value, _evidence(found))

    return of_model


def _of_graph(question: str, oracle: Oracle) -> Reply:
    found = answer(question, oracle)
    report = found.report
    shown = (
        (each for part in report.segments for claim in part.claims for each in claim.verdict.evidence) if report else ()
    )
    told = dict.fromkeys(" ".join(each.content.split()) for each in shown)
    return Reply(found.text, found.outcome.value, tuple(told)[:_MOST_EVIDENCE])


def _fitted(condition: Known, asking: AskSettings, settings: Settings) -> AskSettings:
    """How a condition is asked: those that think first, or write JSON, may be given more room."""
    assert condition.how is not None
    row = CONDITIONS[condition.how]
    if settings.thoughts is None:
        return asking
    if row.revision is not None:
        return replace(asking, retrofit=replace(asking.retrofit, tokens=settings.thoughts))
    return replace(asking, tokens=settings.thoughts) if row.thinks or row.tagged else asking


def _evidence(found: Generated) -> tuple[str, ...]:
    """The evidence that a model was shown."""
    items = found.trail.items if found.trail is not None else ()
    return tuple(" ".join(item.text.split())[:300] for item in items[:_MOST_EVIDENCE])


def _as_it_is(question: str, text: str) -> str:
    return text


def _said(posed: Posed, reply: Reply, oracle: Oracle, ground: Ground) -> Said:
    text = reply.text
    shown = text.replace(oracle.policy.abstention_text, "")
    return Said(
        posed=posed,
        text=text,
        outcome=reply.outcome,
        evidence=reply.evidence,
        right=bool(text) and is_right(shown, posed, oracle),
        unfounded=ground.unfounded(shown, posed.text) if text else (),
    )


def _answered(each: Said) -> bool:
    return bool(each.text)


def _wrong(each: Said) -> bool:
    return bool(each.text) and not each.right


def _lines(posed: PosedSet, tallies: Mapping[str, Tally], settings: Settings) -> Iterator[str]:
    supported = sum(each.supported for each in posed.questions)
    yield f"{supported} of {posed.of} questions whose fact is in the graph, {len(posed.questions) - supported} without"
    kinds = ("answered", "right", "wrong", "abstained", "unfounded")
    found = {how: tally.shares() for how, tally in tallies.items()}
    yield aligned(["how", *kinds], ([how, *(_short(shares[kind]) for kind in kinds)] for how, shares in found.items()))
    rest = [kind for kind in next(iter(found.values())) if kind not in kinds]
    yield ""
    yield aligned(["how", *rest], ([how, *(_short(shares[kind]) for kind in rest)] for how, shares in found.items()))
    yield ""
    used = {how: tally.used for how, tally in tallies.items()}
    asked = len(posed.questions)
    rows = [[how, *account(spent, settings.price, asked)] for how, spent in used.items()]
    yield aligned(["how", *accounts(settings.price)], rows)
    for how, tally in tallies.items() if settings.answers else ():
        for each in tally.said:
            kind = "right" if each.right else "wrong" if each.text else each.outcome
            told = f"  [unfounded: {', '.join(each.unfounded)}]" if each.unfounded else ""
            yield plain(f"{how} {kind}  {each.posed.text}  {' '.join(each.text.split())[:300]}{told}")


def _short(share: Share) -> str:
    if not share.total:
        return "-"
    said = share.to_dict()
    return f"{share.count}/{share.total} [{said['low']:.3f}, {said['high']:.3f}]"


def _json(tally: Tally, price: Price | None) -> dict[str, Any]:
    shares = {kind: share.to_dict() for kind, share in tally.shares().items()}
    used = accounted(tally.used, price, len(tally.said))
    answers = [
        {"question": each.posed.text, "answer": each.text or None, "outcome": each.outcome, "right": each.right}
        | {"unfounded": list(each.unfounded)}
        for each in tally.said
    ]
    return {**shares, **used, "answers": answers}
