"""One knowledge base measured: claims made of it, or rows of a file, judged; questions asked.

Whatever the knowledge base is, the same steps are taken with the same settings; nothing here knows a domain.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from imprimatur.cli.progress import Progress
from imprimatur.config import load_folder, resolve
from imprimatur.errors import InputError
from imprimatur.evals.claims import LabelledRow, read_rows
from imprimatur.evals.finishing import provenance
from imprimatur.evals.mining.book import RDF_TYPE
from imprimatur.evals.mining.claim import Kind, MinedClaim
from imprimatur.evals.mining.held_out import chosen, copy_without
from imprimatur.evals.mining.judging import JudgedClaim, judged
from imprimatur.evals.mining.making import Maker
from imprimatur.evals.mining.overlaps import Overlap, overlaps
from imprimatur.evals.mining.questions import AskedQuestion, ask, questions
from imprimatur.evals.mining.source import Source, open_source
from imprimatur.evals.mining.violating import violating
from imprimatur.evals.running import Running
from imprimatur.verdict import Label

__all__ = ["Measured", "Settings", "measure", "measure_rows", "write_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How many claims of each kind and questions of each sort, which share of facts is held out, and the seed.

    ``ask``: questions are asked; ``overlaps``: wordings of one property are tried on the facts of others.
    """

    most: int = 100
    hold_out: float = 0.0
    seed: int = 1
    policy: str | None = None
    ask: bool = True
    overlaps: bool = False
    running: Running = field(default_factory=Running)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What came of one knowledge base.

    Attributes:
        overlaps: sentences to be looked at; None where they were not asked for.
        left: why facts gave no claim, with how many.
        functional: labels of the properties with one value at most; ``complete``: of those known whole.
        unknown: axioms that the second opinion does not follow; ``held_out``: how many facts were taken out.
        shapes: how many shapes there are; ``shared``: the oracle leaves some of them to pySHACL too.
    """

    name: str
    claims: tuple[JudgedClaim, ...]
    asked: tuple[AskedQuestion, ...] = ()
    overlaps: tuple[Overlap, ...] | None = None
    left: dict[str, int] = field(default_factory=dict)
    functional: tuple[str, ...] = ()
    complete: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    held_out: int = 0
    shapes: bool = False
    shared: bool = False
    sources: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


def measure(kb: str, settings: Settings) -> Measured:
    """Makes claims and questions of a knowledge base and has them judged.

    Args:
        kb: a folder, or a bundled name.

    Raises:
        ImprimaturError: it cannot be opened, or no claim can be made of it.
    """
    with ExitStack() as stack:
        source = open_source(kb, policy=settings.policy)
        withheld = chosen(source, settings.hold_out, seed=settings.seed) if settings.hold_out else []
        if withheld:
            place = Path(stack.enter_context(TemporaryDirectory())) / "kb"
            copy_without(load_folder(resolve(kb)), withheld, place)
            source = open_source(place, policy=settings.policy, cache=place.parent / "cache")
        maker = Maker(source, seed=settings.seed, withheld=withheld)
        claims = _made(maker, settings)
        found = judged(claims, source.oracle, broken=source.broken, running=settings.running)
        asked = _asked(maker, settings) if settings.ask else []
        measured = _measured(source, maker, found, asked, len(withheld))
        return replace(measured, overlaps=_overlaps(maker)) if settings.overlaps else measured


def _made(maker: Maker, settings: Settings) -> list[MinedClaim]:
    with Progress("Making claims", settings.most * 4) as progress:
        claims = maker.claims(settings.most, step=progress.step)
        claims += violating(maker, settings.most, seed=settings.seed, step=progress.step)
    if not claims:
        left = "; ".join(f"{count} times {why}" for why, count in maker.left.most_common(3))
        raise InputError(
            f"no claim can be made of the knowledge base{f' ({left})' if left else ''}",
            where=maker.source.oracle.knowledge.config.name,
            hint="facts need a thing with a name of its own, and a property with a label; see docs/measure-your-own.md",
        )
    return claims


def _asked(maker: Maker, settings: Settings) -> list[AskedQuestion]:
    made = questions(maker, settings.most)
    with Progress("Asking", len(made)) as progress:
        return ask(made, maker, step=progress.step)


def _overlaps(maker: Maker) -> tuple[Overlap, ...]:
    with Progress("Trying wordings", len(maker.properties)) as progress:
        return tuple(overlaps(maker, maker.source.oracle, step=progress.step))


def _measured(
    source: Source, maker: Maker, found: Sequence[JudgedClaim], asked: Sequence[AskedQuestion], held_out: int
) -> Measured:
    config = source.oracle.knowledge.config
    named = [name for name in maker.properties if name != RDF_TYPE]
    sources, versions = provenance(source.oracle, files=())
    return Measured(
        name=config.name,
        claims=tuple(found),
        asked=tuple(asked),
        left=dict(Counter(maker.left).most_common()),
        functional=tuple(maker.label(name) for name in named if name in source.book.functional),
        complete=tuple(maker.label(name) for name in named if source.complete(name)),
        unknown=source.book.unknown,
        held_out=held_out,
        shapes=bool(config.graph.shapes),
        shared=source.part.shapes is not None and source.part.shapes.by_process,
        sources=sources,
        versions=versions,
    )


def measure_rows(kb: str, file: Path, settings: Settings) -> Measured:
    """Judges the labelled rows of a file (those of ``eval claims``) instead of claims that are made.

    What is labelled ``supported`` is entailed, ``contradicted`` contradicted, all else non-entailed.

    Raises:
        ImprimaturError: the knowledge base, the file or a row is wrong.
    """
    claims = [_claim(row) for row in read_rows(file)]
    source = open_source(kb, policy=settings.policy)
    found = judged(claims, source.oracle, running=settings.running)
    config = source.oracle.knowledge.config
    sources, versions = provenance(source.oracle, files=(file,))
    return Measured(
        name=config.name, claims=tuple(found), shapes=bool(config.graph.shapes), sources=sources, versions=versions
    )


def _claim(row: LabelledRow) -> MinedClaim:
    kind = Kind.NON_ENTAILED
    if Label.SUPPORTED in row.gold:
        kind = Kind.ENTAILED
    elif set(row.gold) == {Label.CONTRADICTED}:
        kind = Kind.CONTRADICTED
    return MinedClaim(
        id=str(row.id),
        text=row.text,
        kind=kind,
        label=row.gold,
        made="given",
        form="given",
        property="",
        iri="",
        triple=("", "", ""),
    )


def write_rows(measured: Measured, path: Path) -> None:
    """Writes the claims that were made as rows of ``eval claims``. Raises InputError when they cannot be written."""
    lines = (json.dumps(each.claim.to_dict(), ensure_ascii=False) + "\n" for each in measured.claims)
    try:
        path.write_text("".join(lines), encoding="utf-8")
    except OSError as fault:
        raise InputError(f"cannot be written: {fault.strerror}", where=str(path), hint="check the path") from fault
