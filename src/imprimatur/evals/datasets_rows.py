"""Every data set as rows that can be counted: id, text, label, source, part, by the loader that its evaluation uses.

Nothing is read here that has a loader elsewhere; what stands here turns its rows into ``Shown`` ones. Invariant: a set
that cannot be evaluated cannot be shown either, for it is the same loader that refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError

__all__ = ["Shown", "several"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One row.

    Attributes:
        label: what the set says of the text; of a question the kind of its answer.
        source: what it shares with other rows (a passage, a table, a thing); they stand or fall together.
        part: the part of the set that it is in.
        beside: what a row needs beyond its text to be the same row (a passage, an answer).
    """

    id: str
    text: str
    label: str
    source: str = ""
    part: str = ""
    beside: str = ""


def several(path: Path, *patterns: str) -> tuple[Path, ...]:
    """The files of a folder that fit one of the patterns, or the file itself.

    Raises:
        InputError: there is none.
    """
    if path.is_file():
        return (path,)
    found = tuple(sorted({each for pattern in patterns for each in path.glob(pattern) if each.is_file()}))
    if not found:
        hint = f"give the folder that holds {' or '.join(patterns)}"
        raise InputError("holds no file of the set" if path.is_dir() else "no such folder", where=str(path), hint=hint)
    return found


# -- claims, cards, suites ---------------------------------------------------------------------------------------------
def claims(path: Path) -> Iterator[Shown]:
    """Claims ``{id, text, label}`` about a graph."""
    from imprimatur.evals.claims import read_rows

    for file in several(path, "claims*.jsonl"):
        for row in read_rows(file):
            yield Shown(
                id=f"{file.stem}/{row.id}",
                text=row.text,
                label="|".join(sorted(row.gold)),
                part=file.stem,
                beside=file.stem,
            )


def river_questions(path: Path) -> Iterator[Shown]:
    """The river questions, each once."""
    from imprimatur.evals.questions import read

    for file in several(path, "river_qa_dataset.csv"):
        for number, row in enumerate(read(file), 1):
            right = row.options[row.right]
            yield Shown(id=str(number), text=row.text, label=f"answer {row.right + 1}", source=row.thing, beside=right)


def cards(path: Path) -> Iterator[Shown]:
    """Cards: what is asked, with the facts on the card."""
    from imprimatur.evals.card_set import read_cards

    for file in several(path, "*cards_*[0-9].jsonl"):
        for card in read_cards(file):
            beside = repr((card.facts, card.denied))
            named = f"{file.stem}/{card.id}"
            yield Shown(
                id=named, text=card.sentence, label=card.kind.value, source=card.asked[0], part=file.stem, beside=beside
            )


def suite(name: str) -> Callable[[Path], Iterator[Shown]]:
    """The prompts of a suite."""

    def rows(path: Path) -> Iterator[Shown]:
        from imprimatur.evals.suites import read_suite

        for file in several(path, f"prompt_suite.{name}*.json"):
            for prompt in read_suite(file):
                yield Shown(id=prompt.id, text=prompt.text, label="ANSWER" if prompt.passes else "ABSTAIN")

    return rows


def fence(path: Path) -> Iterator[Shown]:
    """Claims that cite facts, as the fence's own file has them."""
    from imprimatur.evals.fence import read_facts

    for file in several(path, "fence_facts.txt", "*.txt"):
        for fact in read_facts(file):
            for number, claim in enumerate(fact.claims):
                label = "pass" if claim.good else "reject"
                yield Shown(id=f"{fact.id}/{number}", text=claim.text, label=label, source=fact.id, beside=fact.text)


# -- texts against passages --------------------------------------------------------------------------------------------
def passages(name: str) -> Callable[[Path], Iterator[Shown]]:
    """Texts that are labelled against passages."""

    def rows(path: Path) -> Iterator[Shown]:
        from imprimatur.evals.passage_sets import load

        for each in load(name, path):
            beside = "\n".join((each.question or "", *each.context))
            yield Shown(id=each.id, text=each.text, label=each.gold, source=each.source, part=each.task, beside=beside)

    return rows


def dialogues(path: Path) -> Iterator[Shown]:
    """DiaHalu: each dialogue once, under its label; the text is what was said last."""
    from imprimatur.evals.teqhallu_rows import load

    last = {each.unit: each for file in several(path, "*.jsonl", "*.csv", "*V2.xlsx") for each in load(file)}
    for unit, each in last.items():
        label = "hallucinated" if each.hallucinated else "faithful"
        beside = "\n".join(each.sample.reference)
        yield Shown(id=unit, text=each.sample.response, label=label, source=unit, part=each.task, beside=beside)


def checked_claims(path: Path) -> Iterator[Shown]:
    """RefChecker: each triple of a response, with its label."""
    from imprimatur.evals.passage_sets import json_rows

    for file in several(path, "human_annotations.jsonl"):
        for row, where in json_rows(file):
            told = row.get("claims")
            if not isinstance(told, list) or not isinstance(row.get("id"), str):
                raise InputError("a response has `id` and `claims`", where=where)
            part = f"{row.get('setting')}/{row.get('model')}"
            for number, claim in enumerate(told):
                triplet, label = (claim.get("triplet"), claim.get("label")) if isinstance(claim, dict) else (None, None)
                if not isinstance(triplet, list) or label not in ("Entailment", "Neutral", "Contradiction"):
                    raise InputError("a claim has a `triplet` and a `label`", where=where)
                name = f"{row.get('dataset')}/{row['id']}/{part}/{number}"
                text = " | ".join(map(str, triplet))
                yield Shown(
                    id=name, text=text, label=label, source=row["id"], part=str(row.get("setting")), beside=part
                )


# -- questions ---------------------------------------------------------------------------------------------------------
def questions(name: str, *patterns: str) -> Callable[[Path], Iterator[Shown]]:
    """Questions with short answers; the label is the kind of answer."""

    def rows(path: Path) -> Iterator[Shown]:
        from imprimatur.evals.answer_sets import load

        for file in several(path, *patterns):
            for row in load(name, (file,)):
                # Of relations the kind is the relation itself, of which there are very many.
                label = "relation" if row.relations else row.kind
                right = " | ".join(row.right) or row.sought
                yield Shown(
                    id=f"{file.stem}/{row.id}",
                    text=row.text,
                    label=label,
                    source=row.source,
                    part=file.stem,
                    beside=right,
                )

    return rows


# -- facts, tables, records --------------------------------------------------------------------------------------------
def facts(path: Path) -> Iterator[Shown]:
    """FactBench: a fact in names and years."""
    from imprimatur.evals.factbench_set import load

    for fact in load(path).facts:
        text = f"{fact.subject} | {fact.local} | {fact.object} | {fact.start} | {fact.end}"
        yield Shown(id=fact.id, text=text, label=fact.kind, source=fact.subject, part=fact.id.partition("/")[0])


def kg_claims(path: Path) -> Iterator[Shown]:
    """FactKG: claims."""
    from imprimatur.evals.factkg_set import load

    for claim in load(path):
        label = "true" if claim.true else "false"
        yield Shown(id=claim.id, text=claim.text, label=label, source=" ".join(claim.entities[:1]), part=claim.part)


def statements(path: Path) -> Iterator[Shown]:
    """TabFact: statements about tables."""
    from imprimatur.evals.tabfact_set import load

    for each in load(path).statements:
        label = "entailed" if each.entailed else "refuted"
        yield Shown(id=each.id, text=each.text, label=label, source=each.table, part=each.channel, beside=each.table)


def sentences(path: Path) -> Iterator[Shown]:
    """Text2KGBench: sentences with their triples."""
    from imprimatur.evals.text2kg import read_rows

    for file in several(path, "*ground_truth*.jsonl", "**/*ground_truth*.jsonl"):
        for row in read_rows(file):
            label = "with triples" if row.gold else "without triples"
            yield Shown(id=row.id, text=row.text, label=label, part=file.stem, beside=str(sorted(row.gold)))


def turns(path: Path) -> Iterator[Shown]:
    """LoCoMo: questions about conversations, by category."""
    from imprimatur.evals.memories_set import CATEGORIES, load

    for conversation in load(path):
        for number, each in enumerate(conversation.questions):
            yield Shown(
                id=f"{conversation.id}/{number}",
                text=each.text,
                label=CATEGORIES[each.category],
                source=conversation.id,
                beside=each.answer,
            )


def spans(path: Path) -> Iterator[Shown]:
    """Quintd-1: texts from records, by whether a span of them is marked."""
    from imprimatur.evals.quintd_set import load_quintd

    for each in load_quintd(path):
        yield _marked(each.id, each.text, bool(each.human), each.domain)


def games(path: Path) -> Iterator[Shown]:
    """The shared task on accuracy: texts about games, by whether they have a mistake."""
    from imprimatur.evals.record_sets import load_games

    return (_marked(each.id, each.text, bool(each.mistakes), "") for each in load_games(path))


def _marked(id_: str, text: str, marked: bool, part: str) -> Shown:
    return Shown(id=id_, text=text, label="with mistakes" if marked else "without", source=id_, part=part)


def all_of(rows: Iterable[Shown]) -> tuple[Shown, ...]:
    """The rows read whole. Raises InputError where an id comes twice or there is none."""
    found = tuple(rows)
    seen: set[str] = set()
    for row in found:
        if row.id in seen:
            raise InputError(f"the id {row.id[:80]!r} comes twice")
        seen.add(row.id)
    if not found:
        raise InputError("holds no row")
    return found
