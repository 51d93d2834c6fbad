"""``imprimatur kb gaps`` and ``imprimatur kb fill``: what a graph lacks, and what a model proposes for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprimatur.cli import session
from imprimatur.cli.model_options import ModelOptions, model_options, price_option, priced
from imprimatur.cli.options import Real
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned, plain
from imprimatur.errors import InputError

if TYPE_CHECKING:
    from imprimatur.config import KnowledgeBaseConfig, ModelConfig
    from imprimatur.evals.metered import Metered
    from imprimatur.ingest.candidate import Candidate, Refusal
    from imprimatur.ingest.filled import Filled, Wanted, Which
    from imprimatur.ingest.filling import Proposal

__all__ = ["fill", "gaps"]

_SHOWN = 40
_CHARACTERS = 4
_LOOKED_AT = 20

_class = click.option("--class", "cls", metavar="CLASS", help="Only members of this class: its name or IRI.")
_property = click.option("--property", "relation", metavar="PROPERTY", help="Only this property: its name or IRI.")
_least = click.option(
    "--least",
    type=Real(0, 1),
    default=0.5,
    show_default=True,
    help="The share of a class that must have a property for the others to lack it.",
)


@click.command()
@click.argument("kb", metavar="DIR")
@_class
@_property
@_least
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the things.")
def gaps(*, kb: str, cls: str | None, relation: str | None, least: float, as_json: bool) -> int:
    """List what a graph lacks: properties that most members of a class have, or that its shapes ask for.

    A value that a model made fills no gap; it is counted as proposed. Nothing is missing of a property that
    imprimatur.yaml declares complete.
    """
    from imprimatur.ingest.filled import Which

    found = _wanted(kb, Which(cls=cls, relation=relation, least=least))[1]
    if as_json:
        session.emit_json([asdict(lack) | {"share": round(lack.share, 4)} for lack in found.lacks])
        return 0
    if not found.lacks:
        click.echo("Nothing is lacking.")
        return 0
    rows = [
        (*lack.names, f"{lack.have:,}", f"{lack.proposed:,}", f"{len(lack.things):,}", f"{lack.share:.0%}", _asks(lack))
        for lack in found.lacks
    ]
    click.echo(aligned(("class", "property", "have", "proposed", "lack", "share", "asked for by"), rows))
    return 0


@click.command()
@click.argument("kb", metavar="DIR")
@_class
@_property
@_least
@click.option("--most", type=click.IntRange(1), help="Ask about so many gaps at most.")
@click.option("--agree", type=click.IntRange(1, 9), default=1, show_default=True, help="Ask so often; all must agree.")
@click.option("--ontology", metavar="FILE", multiple=True, type=click.Path(path_type=Path), help="What may be said.")
@click.option("--dry-run", is_flag=True, help="Ask nothing; print what would be asked.")
@click.option("--yes", is_flag=True, help="Ask without confirmation.")
@price_option
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def fill(
    *,
    kb: str,
    cls: str | None,
    relation: str | None,
    least: float,
    most: int | None,
    agree: int,
    ontology: tuple[Path, ...],
    dry_run: bool,
    yes: bool,
    price: str | None,
    model: ModelOptions,
    as_json: bool,
) -> int:
    """Have a model propose values for what a graph lacks.

    What it proposes is stored in facts/ of DIR with the trust class `model`, and waits for review. It licenses nothing
    unless a policy trusts `model`, or a person accepts it. Answers are kept: a run that ended early goes on.

    Exit status: 0 when all was asked, 3 when the budget was used up or the model could not be reached.
    """
    from imprimatur.ingest.filled import Which

    which = Which(cls=cls, relation=relation, least=least, most=most)
    config, found = _wanted(kb, which)
    named = priced(model.config(config.model), price)
    if dry_run or not found.gaps:
        return _told(found, agree, as_json=as_json)
    _confirmed(found, agree, yes=yes)
    made, used = _filled(config, named, found, agree=agree, ontology=ontology)
    _print(config, made, found, (used, named), as_json=as_json)
    return 0 if made.stopped is None else 3


def _wanted(kb: str, which: Which) -> tuple[KnowledgeBaseConfig, Wanted]:
    from imprimatur.config import load_folder, resolve
    from imprimatur.ingest.filled import wanted

    config = load_folder(resolve(kb))
    return config, wanted(config, which)


def _asks(lack: Any) -> str:
    return "a shape" if lack.by_shape else "most members"


def _tokens(found: Wanted, agree: int) -> int:
    """About how many tokens the questions have."""
    from imprimatur.ingest.filling import Filler

    filler = Filler(_Nobody(), found.knowledge)
    some = found.gaps[:_LOOKED_AT]
    length = sum(len(message.content) for gap in some for message in filler.prompt(gap).messages)
    return length * len(found.gaps) * agree // (max(1, len(some)) * _CHARACTERS)


class _Nobody:
    """A model that is asked nothing."""

    identity = "nobody"

    def complete(self, prompt: Any, *, seconds: float | None = None) -> Any:
        """Never called: only prompts are made."""
        raise AssertionError("nothing is asked")


def _told(found: Wanted, agree: int, *, as_json: bool) -> int:
    tokens = _tokens(found, agree)
    if as_json:
        counts = {"proposed": found.proposed, "unfit": found.unfit, "more": found.more}
        each = [{"thing": gap.thing, "property": gap.property} for gap in found.gaps]
        session.emit_json({"gaps": each, **counts, "askings": agree, "tokens": tokens})
        return 0
    click.echo(_sum(found))
    if found.gaps:
        click.echo(f"{len(found.gaps) * agree:,} questions would be asked, of about {tokens:,} tokens together.")
    for gap in found.gaps[:_SHOWN]:
        click.echo(f"    {plain(_label(found, gap.thing))}: {plain(_label(found, gap.property))}")
    return 0


def _sum(found: Wanted) -> str:
    told = [f"{len(found.gaps):,} gaps to ask about" if found.gaps else "No gap to ask about"]
    told += [f"{found.more:,} more are left for another time"] if found.more else []
    told += [f"{found.proposed:,} have a proposal or a decision"] if found.proposed else []
    if found.unfit:
        told.append(f"{found.unfit:,} cannot be asked about: another bears the name too, or no such value is asked for")
    return "; ".join(told) + "."


def _label(found: Wanted, iri: str) -> str:
    part = found.knowledge.part
    number = part.graph.id(iri) if part is not None else None
    return iri if part is None or number is None else part.graph.label(number)


def _confirmed(found: Wanted, agree: int, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(
            "nobody can be asked whether to go on", hint="add --yes, or --dry-run to see what would be asked"
        )
    question = f"Ask {len(found.gaps) * agree:,} questions, of about {_tokens(found, agree):,} tokens together?"
    click.confirm(question, abort=True, err=True)


def _filled(
    config: KnowledgeBaseConfig, named: ModelConfig, found: Wanted, *, agree: int, ontology: Sequence[Path]
) -> tuple[Filled, Metered]:
    from imprimatur.evals.metered import Metered
    from imprimatur.ingest.filled import answers_file
    from imprimatur.ingest.filled import fill as run
    from imprimatur.models.kept import Kept
    from imprimatur.models.opening import open_model

    used = Metered(open_model(named))
    kept = Kept(used, answers_file(config, used.identity))
    with Progress("Asking", len(found.gaps)) as progress:
        made = run(found, kept, agree=agree, holds=_guard(ontology), progress=lambda thing: progress.step(thing))
    return made, used


def _guard(files: Sequence[Path]) -> Callable[[Candidate], Sequence[Refusal]] | None:
    if not files:
        return None
    from imprimatur.ingest.ontology_files import read_guardrail

    return read_guardrail(files).refusals


def _print(
    config: KnowledgeBaseConfig, made: Filled, found: Wanted, spent: tuple[Metered, ModelConfig], *, as_json: bool
) -> None:
    from imprimatur.evals.metered import accounted
    from imprimatur.ingest.filled import is_named

    used, named = spent
    account = accounted(used.used, named.price, len(found.gaps))
    if as_json:
        counts = {"counts": dict(made.counts), "model": used.identity, "used": account, "more": found.more}
        stopped = None if made.stopped is None else str(made.stopped)
        listed = [_json(each) for each in made.proposals]
        session.emit_json({**counts, "stopped": stopped, "named": is_named(config), "proposals": listed})
        return
    shown = [each for each in made.proposals if each.candidate is not None][:_SHOWN]
    rows = [(_label(found, e.gap.thing), _label(found, e.gap.property), _value(e), _why(e)) for e in shown]
    if rows:
        click.echo(aligned(("thing", "property", "value", "outcome"), rows))
    click.echo(
        ", ".join(f"{count:,} {outcome}" for outcome, count in made.counts.items() if count) or "nothing was asked"
    )
    click.echo(f"{account['calls']:,} calls, {account['tokens']:,} tokens" + _cost(account, named))
    if made.stopped is not None:
        click.echo(f"ended early: {plain(str(made.stopped))}; the same command goes on", err=True)
    if made.written:
        click.echo(f"They wait for review: imprimatur kb review {plain(str(config.folder))}")
    if any(row.state == "waiting" for row in made.rows) and not is_named(config):
        click.echo("To have them in the graph, add facts/model.nq to `graph: {data: [...]}` in imprimatur.yaml, and")
        click.echo("`facts/model.nq: model` to `graph: {trust: {...}}`.")


def _cost(account: dict[str, Any], named: ModelConfig) -> str:
    from fractions import Fraction

    return "" if named.price is None else f", {named.price.written(Fraction(account['cost']))}"


def _json(each: Proposal) -> dict[str, Any]:
    reasons = [{"code": reason.code, "detail": reason.detail} for reason in each.reasons]
    value = None if each.candidate is None else _value(each)
    told = {"thing": each.gap.thing, "property": each.gap.property, "outcome": each.outcome, "value": value}
    return {**told, "said": [list(turn) for turn in each.said], "reasons": reasons}


def _value(each: Proposal) -> str:
    from imprimatur.ingest.candidate import Thing

    value = each.candidate.value if each.candidate is not None else None
    return "" if value is None else value.name if isinstance(value, Thing) else value.lexical


def _why(each: Proposal) -> str:
    return f"{each.outcome}: {each.reasons[0].detail}" if each.reasons else each.outcome
