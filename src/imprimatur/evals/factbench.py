"""``python -m imprimatur.evals.factbench FACTS --kb DIR``: FactBench's facts and their corruptions as sentences.

Each correct fact of the JSON-lines file (``{id, label, corruption, relation, s_label, p, o_label, from, to}``) is said
in several ways with its time, and again with its roles exchanged, with other years, and as a denial; each wrong one is
said as it stands. Printed is a table of what was asked against the verdicts, and every sentence that was licensed
though no correct fact bears it out. Invariant: whether it does is decided by the facts of the file alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label, worst

__all__ = ["Fact", "Said", "main", "read_facts", "said", "table"]

#: By the last part of the property: sentences with {s}, {o} and {time}.
_WORDINGS = {
    "award": ("{s} received the {o} {time}.", "{s} won the {o} {time}.", "The {o} went to {s} {time}."),
    "birthPlace": ("{s} was born in {o} {time}.", "{o} is where {s} was born {time}."),
    "deathPlace": ("{s} died in {o} {time}.", "{o} is where {s} died {time}."),
    "foundationPlace": ("{s} was founded in {o} {time}.", "{o} is where {s} was founded {time}."),
    "office": ("{s} was the leader of {o} {time}.", "{s} led {o} {time}.", "{o} was led by {s} {time}."),
    "team": ("{s} played for {o} {time}.", "{s} was a player for {o} {time}."),
    "author": ("{s} published {o} {time}.", "{s} wrote {o} {time}.", "{o} was written by {s} {time}."),
    "spouse": ("{s} was married to {o} {time}.", "{o} was the spouse of {s} {time}."),
    "starring": ("{o} starred in {s} {time}.", "{s} starred {o} {time}."),
    "subsidiary": ("{o} was a subsidiary of {s} {time}.", "{s} had {o} as a subsidiary {time}."),
}
_DENIED = {
    "award": "{s} did not receive the {o} {time}.",
    "birthPlace": "{s} was not born in {o} {time}.",
    "deathPlace": "{s} did not die in {o} {time}.",
    "foundationPlace": "{s} was not founded in {o} {time}.",
    "office": "{s} did not lead {o} {time}.",
    "team": "{s} did not play for {o} {time}.",
    "author": "{s} did not publish {o} {time}.",
    "spouse": "{s} was not married to {o} {time}.",
    "starring": "{o} did not star in {s} {time}.",
    "subsidiary": "{o} was not a subsidiary of {s} {time}.",
}
#: A firm is born where it was founded.
_ALSO = {"birthPlace": "foundationPlace"}
_MUTUAL = frozenset(("spouse",))


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of the file; ``kind`` is ``correct`` or how it was corrupted."""

    id: str
    kind: str
    subject: str
    property: str
    object: str
    start: int | None
    end: int | None

    def time(self) -> str:
        """Its years in words."""
        if self.start is None:
            return ""
        return f"in {self.start}" if self.end in (None, self.start) else f"from {self.start} to {self.end}"

    def key(self) -> tuple[str, str, str]:
        """Subject, property, object; the same from either end where the relation has no direction."""
        ends = (self.subject, self.object)
        one, other = sorted(ends) if self.property in _MUTUAL else ends
        return one, self.property, other


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, what was done to the fact, and whether the correct facts bear it out."""

    kind: str
    text: str
    true: bool


def read_facts(path: Path) -> list[Fact]:
    """The facts of a FactBench file that have both names.

    Raises:
        InputError: the file cannot be read as FactBench's facts.
    """
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [_fact(row) for row in rows if row.get("s_label") and row.get("o_label")]
    except (OSError, ValueError, KeyError, AttributeError) as fault:
        hint = 'a row looks like {"id": "…", "label": "correct", "s_label": "…", "p": "…", "o_label": "…", "from": "…"}'
        raise InputError(f"no facts of FactBench: {fault}", where=str(path), hint=hint) from fault


def _fact(row: dict[str, str]) -> Fact:
    start, end = (int(row[k][:4]) if row.get(k) else None for k in ("from", "to"))
    kind = row.get("corruption") or row["label"]
    return Fact(row["id"], kind, row["s_label"], row["p"].rsplit("/", 1)[-1], row["o_label"], start, end)


def said(facts: Sequence[Fact]) -> Iterator[Said]:
    """All sentences of the facts."""
    known: dict[tuple[str, str, str], set[tuple[int | None, int | None]]] = {}
    for fact in facts:
        if fact.kind == "correct":
            known.setdefault(fact.key(), set()).add((fact.start, fact.end))
    for fact in facts:
        if fact.property not in _WORDINGS:
            continue
        for one in _variants(fact):
            for wording in _WORDINGS[one.property]:
                yield Said(one.kind, _worded(wording, one), _holds(one, _times(one, known)))
        if fact.kind == "correct":
            yield Said("denied", _worded(_DENIED[fact.property], fact), False)


def _times(
    fact: Fact, known: dict[tuple[str, str, str], set[tuple[int | None, int | None]]]
) -> set[tuple[int | None, int | None]]:
    """The times at which it held, by its own property or by another one that the same words may mean."""
    subject, name, object_ = fact.key()
    return known.get(fact.key(), set()) | known.get((subject, _ALSO.get(name, name), object_), set())


def _variants(fact: Fact) -> Iterator[Fact]:
    yield fact
    if fact.kind != "correct":
        return
    if fact.property not in _MUTUAL:
        yield Fact(fact.id, "roles exchanged", fact.object, fact.property, fact.subject, fact.start, fact.end)
    if fact.start is not None and fact.end is not None:
        for shift in (-3, 1, 20):
            yield Fact(
                fact.id, "years shifted", fact.subject, fact.property, fact.object, fact.start + shift, fact.end + shift
            )
        later = fact.end + 2
        yield Fact(fact.id, "later year", fact.subject, fact.property, fact.object, later, later)


def _holds(fact: Fact, times: set[tuple[int | None, int | None]]) -> bool:
    """Whether it held: the years themselves, or one year within them."""
    for start, end in times:
        if (fact.start, fact.end) == (start, end):
            return True
        if fact.start == fact.end and None not in (fact.start, start, end) and start <= fact.start <= end:  # type: ignore[operator]
            return True
    return False


def _worded(wording: str, fact: Fact) -> str:
    text = wording.format(s=fact.subject, o=fact.object, time=fact.time())
    return text.replace(" .", ".").replace("the The ", "The ").replace("The The ", "The ")


def table(judged: Sequence[tuple[Said, Label]]) -> str:
    """Sentences by what was done to the fact, and their verdicts."""
    cells = Counter((_row(one), label) for one, label in judged)
    labels = [label for label in Label if any(found is label for _, found in cells)]
    rows = sorted({row for row, _ in cells})
    body = [[row, *(str(cells[row, x]) for x in labels), str(sum(cells[row, x] for x in labels))] for row in rows]
    return aligned(["sentence", *labels, "all"], body)


def _row(one: Said) -> str:
    return one.kind if one.true is (one.kind == "correct") else f"{one.kind}, yet {'true' if one.true else 'false'}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges the sentences and prints the table; 1 when one was licensed that no correct fact bears out."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.factbench", description=__doc__.split("\n")[0])
    parser.add_argument("facts", type=Path, help="FactBench's facts, JSON lines")
    parser.add_argument("--kb", required=True, help="a knowledge base that holds the correct facts")
    given = parser.parse_args(arguments)
    oracle = Oracle.from_folder(given.kb)
    judged = [(one, _label(oracle, one.text)) for one in said(read_facts(given.facts))]
    false = [one for one, label in judged if label is Label.SUPPORTED and not one.true]
    for one in false:
        print(f"FALSE LICENCE  {one.kind}  {one.text}")
    for one in (one for one, label in judged if label is Label.CONTRADICTED and one.true):
        print(f"TRUE CALLED FALSE  {one.kind}  {one.text}")
    print(table(judged))
    return 1 if false else 0


def _label(oracle: Oracle, text: str) -> Label:
    return worst([segment.label for segment in oracle.check(text).segments])


if __name__ == "__main__":
    sys.exit(main())
