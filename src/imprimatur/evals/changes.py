"""``imprimatur eval changes``: sentences changed in one small point against the text that they were made from.

A row is ``{id, text, true: [claim], false: [claim | {kind, claim}], part?}``: ``text`` bears out every ``true`` claim
and none of the ``false`` ones. Each claim is judged twice, as the product judges it: as a sentence that cites the text
as a memory entry, and as one that is given with the text as its passage. Invariant: a false claim counts as licensed
when any way lets it through, also as a remark that claims nothing; a true one only when it is supported.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from imprimatur.cli import session
from imprimatur.cli.progress import Progress
from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Outcome
from imprimatur.evals.told_figures import tables_of
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

__all__ = ["WAYS", "ChangedClaim", "JudgedChange", "Settings", "judged", "read_changes", "run"]

#: How a claim is given: with a citation of the text as a memory entry, or with the text as a passage.
WAYS = ("memory", "passage")
_HINT = 'a row is {"id": "a", "text": "…", "true": ["…"], "false": [{"kind": "number", "claim": "…"}]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedClaim:
    """A claim about the text of a row; ``kind``: what was changed, "true" for what the text bears out."""

    row: int
    text: str
    kind: str
    good: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedChange:
    """A claim with its verdicts by way."""

    claim: ChangedClaim
    labels: tuple[Label, ...]

    def let_through(self, ways: Iterable[str] = WAYS) -> bool:
        """Whether one of some ways lets it out: supported, or taken for no claim."""
        return any(self.labels[WAYS.index(way)] in (Label.SUPPORTED, Label.NOT_A_CLAIM) for way in ways)


def read_changes(path: Path, part: str | None = None) -> tuple[tuple[str, ...], tuple[ChangedClaim, ...]]:
    """The texts of a file by row, and all claims about them.

    Args:
        part: only the rows whose ``part`` is this.

    Raises:
        InputError: the file cannot be read, a row is no such object, or none is left.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the file cannot be read: {error}", where=str(path), hint=_HINT) from error
    texts: list[str] = []
    claims: list[ChangedClaim] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _row(line, f"{path.name}, line {number}")
        if part is not None and row.get("part") != part:
            continue
        claims += _claims(row, len(texts), f"{path.name}, line {number}")
        texts.append(row["text"])
    if not texts:
        raise InputError("no rows", where=str(path), hint=_HINT)
    return tuple(texts), tuple(claims)


def _row(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON: {error}", where=where, hint=_HINT) from error
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or not row["text"].strip():
        raise InputError("the row has no `text`", where=where, hint=_HINT)
    return row


def _claims(row: dict[str, Any], number: int, where: str) -> Iterator[ChangedClaim]:
    for key, good in (("true", True), ("false", False)):
        given = row.get(key, [])
        if not isinstance(given, list):
            raise InputError(f"`{key}` is no list", where=where, hint=_HINT)
        for each in given:
            kind, text = (each.get("kind", "changed"), each.get("claim")) if isinstance(each, dict) else (key, each)
            if not isinstance(text, str) or not isinstance(kind, str) or not text.strip():
                raise InputError(f"`{key}` holds something that is no claim", where=where, hint=_HINT)
            yield ChangedClaim(row=number, text=text, kind="true" if good else kind, good=good)


def judged(texts: Sequence[str], claims: Iterable[ChangedClaim], policy: str | None = None) -> Iterator[JudgedChange]:
    """The claims with their verdicts, each by both ways, under a policy (a preset or a file), or the default one."""
    with tempfile.TemporaryDirectory() as folder:
        entries = (json.dumps({"id": f"m{n}", "text": text}, ensure_ascii=False) for n, text in enumerate(texts))
        (Path(folder) / "memory.jsonl").write_text("".join(f"{each}\n" for each in entries), encoding="utf-8")
        (Path(folder) / "imprimatur.yaml").write_text(
            "version: 1\nname: changes\nmemory: memory.jsonl\n", encoding="utf-8"
        )
        oracle = Oracle.from_folder(folder, policy=policy)
        for claim in claims:
            stem, end = (claim.text[:-1], claim.text[-1]) if claim.text[-1] in ".!" else (claim.text, ".")
            cited = oracle.check(f"{stem} [mem:m{claim.row}]{end}")
            given = oracle.check(claim.text, None, [texts[claim.row]])
            yield JudgedChange(claim=claim, labels=(_whole(cited), _whole(given)))


def _whole(report: Report) -> Label:
    """The one label of a short answer: of several, what is not supported."""
    labels = [segment.label for segment in report.segments if segment.label is not Label.NOT_A_CLAIM]
    return next((each for each in labels if each is not Label.SUPPORTED), labels[0] if labels else Label.NOT_A_CLAIM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Which rows are judged, under which policy; whether withheld claims are shown, and where the outcome goes."""

    part: str | None = None
    policy: str | None = None
    show: bool = False
    out: Path | None = None
    as_json: bool = False


def run(path: Path, settings: Settings) -> int:
    """Prints how many false claims are licensed, by kind and by way, and how many true ones; 0 if no false one is.

    Raises:
        InputError: the file or a row of it is wrong.
    """
    texts, claims = read_changes(path, settings.part)
    with Progress("Judging", len(claims)) as progress:
        found = list(judged(texts, progress.over(claims, lambda _: 1), settings.policy))
    false = [each for each in found if not each.claim.good]
    true = [each for each in found if each.claim.good]
    through = [each for each in false if each.let_through()]
    shares = {
        **{f"false licensed, {way}": _through(false, (way,)) for way in WAYS},
        "false licensed, either": _through(false, WAYS),
        **{f"true licensed, {way}": _supported(true, WAYS.index(way)) for way in WAYS},
    }
    kinds = sorted({each.claim.kind for each in false})
    by_kind = {kind: _through([each for each in false if each.claim.kind == kind], WAYS) for kind in kinds}
    if settings.out is not None:
        told = {"shares": shares, "false licensed, by kind": by_kind}
        keep(_outcome(texts, found, told, path, settings), settings.out)
    if settings.as_json:
        session.emit_json(
            {
                "texts": len(texts),
                "shares": {name: share.to_dict() for name, share in shares.items()},
                "kinds": {kind: share.to_dict() for kind, share in by_kind.items()},
                "licensed": [
                    {"text": texts[e.claim.row], "kind": e.claim.kind, "claim": e.claim.text} for e in through
                ],
            }
        )
    else:
        click.echo(aligned(("kind", "false licensed"), [(kind, str(share)) for kind, share in by_kind.items()]))
        for each in through:
            click.echo(f"licensed: {each.claim.kind}: {each.claim.text}")
        if settings.show:
            for each in true:
                if any(label is not Label.SUPPORTED for label in each.labels):
                    click.echo(f"withheld ({', '.join(each.labels)}): {each.claim.text}")
        click.echo("\n".join(f"{name}: {share}" for name, share in shares.items()))
    return 1 if through else 0


def _outcome(
    texts: Sequence[str],
    found: Sequence[JudgedChange],
    told: Mapping[str, Mapping[str, Share]],
    path: Path,
    settings: Settings,
) -> Outcome:
    """What was found as an outcome; a licensed false claim is grave."""
    figures = {name: {key: share.to_dict() for key, share in shares.items()} for name, shares in told.items()}
    sources, versions = provenance(files=(path,))
    return Outcome(
        name="changes",
        title="Sentences changed in one small point",
        tables=tables_of(figures),
        cases=tuple(_cases(texts, found)),
        settings={"part": settings.part, "policy": settings.policy},
        sources=sources,
        versions=versions,
    )


def _cases(texts: Sequence[str], found: Sequence[JudgedChange]) -> Iterator[Case]:
    for number, each in enumerate(found):
        grave = not each.claim.good and each.let_through()
        if grave or (each.claim.good and any(label is not Label.SUPPORTED for label in each.labels)):
            yield Case(
                id=str(number),
                kind=f"licensed: {each.claim.kind}" if grave else "withheld",
                text=each.claim.text,
                gold="false" if grave else "true",
                said=", ".join(f"{way} {label}" for way, label in zip(WAYS, each.labels)),
                evidence=(texts[each.claim.row],),
                grave=grave,
            )


def _through(found: Sequence[JudgedChange], ways: Sequence[str]) -> Share:
    return Share(sum(each.let_through(ways) for each in found), len(found))


def _supported(found: Sequence[JudgedChange], way: int) -> Share:
    return Share(sum(each.labels[way] is Label.SUPPORTED for each in found), len(found))
