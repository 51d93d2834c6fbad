"""``imprimatur eval factkg``: FactKG's claims, judged by a graph of the facts that its true claims rest on.

The published graph is the whole of DBpedia, so one is made of what the set itself spells out: the facts of true claims
whose evidence is one relation between two named things. One in five of these claims is withheld, by the hash of its
text, and so is every fact that no other claim states. Nothing false may be licensed, and nothing that rests on a
withheld fact. Invariants: a claim is *present* when all its facts are in the graph; what rests on longer paths, on mere
existence or on a denial is counted by itself, for the graph that is made cannot bear it out.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.evals.factkg_set import KgClaim, Triple, load
from imprimatur.evals.finishing import provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Figure, Outcome, Table
from imprimatur.evals.retrieval_sets import write_store
from imprimatur.evals.running import Running
from imprimatur.evals.texts import texts_judged
from imprimatur.oracle import Oracle
from imprimatur.sources.graph.terms import RDFS, RdfLiteral, iri_text, literal_text
from imprimatur.verdict import Label

__all__ = ["SHARE", "Settings", "lines", "run"]

SHARE = 5
_BASE = "https://imprimatur.dev/factkg/"
_WORDS = expression(r"(?<=[a-z])(?=[A-Z0-9])|_")
_PRESENT, _WITHHELD, _BEYOND, _FALSE = "true, present", "true, withheld", "true, beyond the graph", "false"
_NOTES = (
    "World: the graph is open; nothing is closed and no property has one value only, so a false claim is not found "
    "unless the graph refutes it.",
    "A claim beyond the graph rests on longer paths, on mere existence, or on a denial, or its evidence is not given.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """``kb``: a knowledge base of one's own, for which true claims count as present; ``share``: one in so many."""

    share: int = SHARE
    kb: str | None = None
    policy: str | None = None
    most: int | None = None
    running: Running = field(default_factory=Running)


def run(path: Path, settings: Settings) -> Outcome:
    """Judges the claims of a folder or file. Raises InputError where it is not as it should be."""
    claims = load(path)
    kept = _kept(claims, settings.share)
    chosen = claims[: settings.most]
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        if settings.kb is None:
            write_store(lines(kept), Path(folder), name="factkg")
        oracle = Oracle.from_folder(settings.kb or folder, policy=settings.policy)
        verdicts = texts_judged([claim.text for claim in chosen], oracle, settings.running, evaluation="factkg")
        rows = [
            (claim, _group(claim, kept, settings), said.label) for claim, said in zip(chosen, verdicts, strict=True)
        ]
        sources, versions = provenance(oracle, files=(path,))
    used = {"seconds of processor time": time.process_time() - started, "claims": float(len(rows))}
    return Outcome(
        name="factkg",
        title=f"FactKG: {len(rows)} claims",
        tables=tuple(_tables(rows)),
        cases=tuple(_cases(rows)),
        settings={"withhold": settings.share, "kb": settings.kb or "", "most": settings.most},
        sources=sources,
        versions=versions,
        used=used,
        notes=(f"The graph has {len(kept)} facts." if settings.kb is None else "Your own graph is asked.", *_NOTES),
    )


def _stating(claim: KgClaim) -> tuple[Triple, ...]:
    """The facts that a true claim states."""
    return (claim.triples() or ()) if claim.true and not claim.denied and claim.reasoning != "existence" else ()


def _kept(claims: Sequence[KgClaim], share: int) -> frozenset[Triple]:
    stated = [claim for claim in claims if _stating(claim)]
    out = [claim for claim in stated if share and int(sha256(claim.text.encode()).hexdigest(), 16) % share == 0]
    gone = {triple for claim in out for triple in _stating(claim)}
    return frozenset(triple for claim in stated for triple in _stating(claim)) - gone


def _group(claim: KgClaim, kept: frozenset[Triple], settings: Settings) -> str:
    if not claim.true:
        return _FALSE
    if settings.kb is not None:
        return _PRESENT
    triples = _stating(claim)
    return _BEYOND if not triples else _PRESENT if kept.issuperset(triples) else _WITHHELD


def lines(triples: frozenset[Triple]) -> Iterator[str]:
    """The facts as N-Triples, with labels: names with blanks, relations in words, values between quotes as texts."""
    for subject, relation, value in sorted(triples):
        ends = [iri_text(_BASE + quote(name, safe="")) for name in (subject, f"rel {relation}")]
        literal = value.startswith('"')
        other = literal_text(RdfLiteral(value.strip('"'))) if literal else iri_text(_BASE + quote(value, safe=""))
        yield f"{ends[0]} {ends[1]} {other} ."
        named = [(ends[0], subject.replace("_", " ")), (ends[1], _WORDS.sub(" ", relation).lower())]
        for thing, name in (*named, *([] if literal else [(other, value.replace("_", " "))])):
            yield f"{thing} {iri_text(RDFS + 'label')} {literal_text(RdfLiteral(name))} ."


def _tables(rows: Sequence[tuple[KgClaim, str, Label]]) -> Iterator[Table]:
    groups = [name for name in (_PRESENT, _WITHHELD, _BEYOND, _FALSE) if any(group == name for _, group, _ in rows)]
    yield Table(
        title="Claims and verdicts",
        head=("claims", "supported", "contradicted", "not found", "otherwise"),
        rows=tuple((name, *_shares([label for _, group, label in rows if group == name])) for name in groups),
        note="Of true claims that are present `supported` is right; nothing else may be supported.",
    )
    kinds = sorted({(claim.reasoning, group) for claim, group, _ in rows})
    yield Table(
        title="By reasoning",
        head=("reasoning", "claims", "supported", "contradicted", "not found", "otherwise"),
        rows=tuple((kind, group, *_shares(_labels(rows, kind, group))) for kind, group in kinds),
    )


def _labels(rows: Sequence[tuple[KgClaim, str, Label]], kind: str, group: str) -> list[Label]:
    return [label for claim, name, label in rows if (claim.reasoning, name) == (kind, group)]


def _shares(labels: Sequence[Label]) -> Iterator[Cell]:
    told = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND)
    for wanted in told:
        yield Figure.of(Share(sum(label is wanted for label in labels), len(labels)))
    yield Figure.of(Share(sum(label not in told for label in labels), len(labels)))


def _cases(rows: Sequence[tuple[KgClaim, str, Label]]) -> Iterator[Case]:
    for claim, group, label in rows:
        case = Case(id=claim.id, kind="true called false", text=claim.text, gold=group, said=label.value)
        if label is Label.SUPPORTED and group in (_FALSE, _WITHHELD):
            kind = "false licence" if group == _FALSE else "licensed without evidence"
            yield replace(case, kind=kind, grave=True)
        elif label is Label.CONTRADICTED and claim.true:
            yield case
