"""No minimal corruption of a true sentence is licensed."""

from __future__ import annotations

import random
from functools import cache

import pytest
from corruptions import JUDGE, corruptions, true_sentences

from imprimatur.oracle import Oracle

SEED = 20_240_501
SAMPLE = 22
KINDS = frozenset("negator quantifier adverb adjective word value swap added clause prefix".split())


@cache
def oracle_of(world: str) -> Oracle:
    """The oracle of one of the two worlds."""
    return Oracle.from_folder(JUDGE / "worlds" / world)


def licensed(world: str, text: str) -> bool:
    """Whether a text is released as it is, with something in it supported."""
    labels = {segment.label.value for segment in oracle_of(world).check(text).segments}
    return "supported" in labels and labels <= {"supported", "not_a_claim"}


def test_there_are_enough_sentences() -> None:
    """Forty sentences and all kinds of corruption, in two domains."""
    found = true_sentences()
    assert len(found) >= 40
    assert {world for world, _ in found} == {"bridges", "films"}
    assert {kind for world, text in found for kind, _ in corruptions(world, text)} == KINDS


@pytest.mark.parametrize(("world", "sentence"), true_sentences())
def test_the_sentence_itself_is_licensed(world: str, sentence: str) -> None:
    """What is corrupted is true to begin with."""
    assert licensed(world, sentence)


@pytest.mark.parametrize(("world", "sentence"), true_sentences())
def test_a_sample_of_its_corruptions_is_not(world: str, sentence: str) -> None:
    """A sample of every kind of corruption of the sentence is withheld."""
    kinds: dict[str, list[str]] = {}
    for kind, text in corruptions(world, sentence):
        kinds.setdefault(kind, []).append(text)
    chosen = random.Random(f"{SEED} {sentence}")
    for texts in kinds.values():
        for text in chosen.sample(texts, min(SAMPLE // 4 if len(texts) > 100 else 3, len(texts))):
            assert not licensed(world, text), text


@pytest.mark.slow
@pytest.mark.parametrize(("world", "sentence"), true_sentences())
def test_none_of_its_corruptions_is(world: str, sentence: str) -> None:
    """Every corruption of the sentence is withheld."""
    found = sorted({text for _, text in corruptions(world, sentence)})
    assert [text for text in found if licensed(world, text)] == []
