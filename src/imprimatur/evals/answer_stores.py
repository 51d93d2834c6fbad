"""Knowledge bases that questions with short answers are asked of: made of rows at hand, or fetched from an endpoint.

Contract: what a question's own row says is in the knowledge base only where it is not *withheld*. Of questions whose
fact is withheld everything is known but that: names and words stay, so that they can be read; whoever answers them says
what nothing bears out. What has no label cannot be spoken of, and is left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.evals.answer_sets import Fact, QuestionRow
from imprimatur.evals.passage_sets import json_rows
from imprimatur.evals.retrieval_sets import BASE, related, relation_labels, relation_lines, write_store
from imprimatur.sources.graph.terms import RDFS, RdfLiteral
from imprimatur.sources.remote.endpoint import Endpoint, TooMany
from imprimatur.sources.remote.subgraph import Subgraph, local, triple_text

__all__ = [
    "Known",
    "Paragraphs",
    "Store",
    "answered_by",
    "known",
    "local_store",
    "names_in",
    "remote_store",
    "withheld",
]

#: Where published rows have the labels of ids.
_LABELS = ("topic_entity", "entities", "wikidata_entities")
_ID = expression(r"[QP][1-9][0-9]{0,11}")
_MOST_LOOKED_UP = 6
_LONGEST = 8


class Paragraphs(StrEnum):
    """Which of the paragraphs that come with questions are evidence: some of the others are false on purpose."""

    NONE = "none"
    NEEDED = "needed"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What files say beside the questions: labels by id, and lines of triples."""

    labels: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A knowledge base, and what can be asked of it.

    Attributes:
        rows: the questions that can be scored, with their right answers; none of these where the fact is withheld.
        unlabelled: how many could not, because nothing has a label for their answer.
        told: how many facts there are, and what was left out, in words.
    """

    folder: str
    rows: tuple[QuestionRow, ...]
    unlabelled: int = 0
    told: str = ""


def known(files: Sequence[Path]) -> Known:
    """Labels and facts of files: JSON lines with ``{id: label}`` under ``topic_entity``, ``entities`` or
    ``wikidata_entities``; rows of relations have facts too. The first label of an id counts.

    Raises:
        InputError: a file cannot be read.
    """
    labels: dict[str, str] = {}
    lines: list[str] = []
    for file in files:
        facts = False
        for row, _ in json_rows(file):
            facts = facts or " [SEP] " in str(row.get("input"))
            for key in _LABELS:
                given = row.get(key)
                for id_, label in given.items() if isinstance(given, Mapping) else ():
                    if isinstance(label, str) and label.strip() and _ID.fullmatch(id_) is not None:
                        labels.setdefault(id_, label)
        if facts:
            lines += relation_lines(related(file))
    return Known(labels=labels, lines=tuple(lines))


def withheld(row: QuestionRow, percent: int) -> bool:
    """Whether a question is among so many of a hundred whose fact is withheld; it hangs on its id alone."""
    return int.from_bytes(sha256(f"withheld|{row.id}".encode()).digest()[:4]) % 100 < percent


# -- of rows -----------------------------------------------------------------------------------------------------------
def local_store(
    rows: Iterable[QuestionRow], more: Known, folder: Path, *, percent: int = 0, shown: Paragraphs = Paragraphs.NONE
) -> Store:
    """A knowledge base of the rows' own facts, and of what else is known.

    Args:
        rows: the questions.
        more: labels and facts of other files.
        folder: where it is made.
        percent: of how many of a hundred questions the fact is withheld.
        shown: which paragraphs of the questions are passages of it.

    Raises:
        InputError: there is nothing to ask.
    """
    lines: list[str] = list(more.lines)
    gone: set[str] = set()
    facts = bare = unlabelled = 0
    asked: list[QuestionRow] = []
    for row in rows:
        made = list(relation_lines(row.relations)) if row.relations else _labelled(row.fact, more.labels)
        told = set(made) - set(relation_labels(row.relations)) if row.relations else set(made[:1])
        held = withheld(row, percent)
        gone |= told if held else set()
        facts += len(told)
        bare += row.fact is not None and not made
        lines += made
        scored = answered_by(row, more.labels)
        if scored is None:
            unlabelled += 1
        else:
            asked.append(replace(scored, right=()) if held else scored)
    settings = _passages(asked, folder, shown)
    if not lines and not settings:
        hint = "name files with labels by --facts, a knowledge base by --kb, or an endpoint by --endpoint"
        raise InputError("nothing here has facts with labels for these questions", hint=hint)
    # Another row, or another file, may have what is withheld.
    write_store((line for line in lines if line not in gone), folder, settings=settings)
    text = f"{facts} facts of the questions' own, {len(gone)} of them withheld"
    text += f"; {bare} more have no labels" if bare else ""
    return Store(folder=str(folder), rows=tuple(asked), unlabelled=unlabelled, told=text)


def _labelled(fact: Fact | None, labels: Mapping[str, str]) -> list[str]:
    """A fact, and behind it the labels in it, as lines; nothing where one of them is not known."""
    if fact is None:
        return []
    told = [labels.get(each, "") for each in (fact.subject, fact.property, fact.value)]
    if not all(told):
        return []
    iris = [BASE + quote(each, safe="/") for each in (fact.subject, f"property/{told[1]}", fact.value)]
    named = [triple_text((iri, RDFS + "label", RdfLiteral(label))) for iri, label in zip(iris, told)]
    return [triple_text((iris[0], iris[1], iris[2])), *named]


def answered_by(row: QuestionRow, labels: Mapping[str, str]) -> QuestionRow | None:
    """A question with its answer as a text; None where only an id is known."""
    if row.right or not row.sought:
        return row
    label = labels.get(row.sought)
    return replace(row, right=(label,)) if label else None


def _passages(rows: Iterable[QuestionRow], folder: Path, shown: Paragraphs) -> str:
    """Writes the paragraphs of questions as documents; the line of settings that names them."""
    place, number = folder / "passages", 0
    for row in rows:
        for passage in row.passages if shown is not Paragraphs.NONE else ():
            if not (passage.needed or shown is Paragraphs.ALL):
                continue
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{number:06}.txt").write_text(f"{passage.title}\n\n{passage.text}\n", encoding="utf-8")
            number += 1
    return "passages: [passages/]\n" if number else ""


# -- of an endpoint ----------------------------------------------------------------------------------------------------
def remote_store(
    rows: Sequence[QuestionRow], endpoint: Endpoint, folder: Path, *, shown: Paragraphs = Paragraphs.NONE
) -> Store:
    """A knowledge base of what an endpoint says of the things that questions are about.

    Where a set does not say which things these are, those are taken that bear a name with capitals in the question.

    Raises:
        ImprimaturError: the endpoint gives no answer.
    """
    space = endpoint.remote.spaces.thing
    things: dict[str, None] = {}
    for row in rows:
        given = [space + id_ for id_ in row.things if _ID.fullmatch(id_) is not None]
        things.update(dict.fromkeys(given or _looked_up(row.text, endpoint)))
    incoming = any(not row.asks_value for row in rows)
    found = local(endpoint, things, incoming=incoming)
    words = found.words | endpoint.words(tuple(space + row.sought for row in rows if row.sought))
    settings = _passages(rows, folder, shown)
    write_store(Subgraph(facts=found.facts, words=words).lines(), folder, name="remote", settings=settings)
    asked: list[QuestionRow] = []
    for row in rows:
        told = words.get(space + row.sought) if row.sought else None
        if row.right or (told is not None and told.label):
            asked.append(row if told is None else replace(row, right=(told.label, *told.aliases)))
    left = f"; {len(found.left_out)} things with too many facts are left out" if found.left_out else ""
    text = f"{len(found.facts)} facts about {len(things)} things{left}"
    return Store(folder=str(folder), rows=tuple(asked), unlabelled=len(rows) - len(asked), told=text)


def _looked_up(text: str, endpoint: Endpoint) -> Iterator[str]:
    """The things that bear the names in a text."""
    for name in names_in(text)[:_MOST_LOOKED_UP]:
        try:
            yield from endpoint.named(name)
        except (InputError, TooMany):
            continue


def names_in(text: str) -> tuple[str, ...]:
    """What may be names in a text: runs of words that begin and end with a capital or a digit, the longest first.

    Small words may stand within ("The Lord of the Rings"); of what overlaps all is given, for the first word of a
    question is a name only sometimes.
    """
    words = [word.strip('?!,;:"“”()') for word in text.split()]
    found: dict[str, int] = {}
    for start, first in enumerate(words):
        for end in range(start, min(len(words), start + _LONGEST)):
            last = words[end]
            small = sum(not _capital(word) for word in words[start : end + 1])
            if first[:1].isupper() and _capital(last) and small <= (end - start + 1) // 2:
                found.setdefault(" ".join(words[start : end + 1]).removesuffix("'s").removesuffix("’s"), end - start)
    return tuple(sorted(found, key=lambda name: -found[name]))


def _capital(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()
