"""Questions over one fact, made from a graph: their words, their values, and that they repeat."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_retrieval import open_brooks

from imprimatur.config import load_folder, resolve
from imprimatur.errors import InputError
from imprimatur.evals.one_fact import one_fact
from imprimatur.knowledge import open_knowledge


def test_questions_are_made_from_labels(tmp_path: Path) -> None:
    """Of nouns and of verbs; with the value as it is written, and the triple."""
    made = {question: (value, triple) for question, value, triple in one_fact(open_brooks(tmp_path), 20, seed=1)}
    value, triple = made["What is the length of Elm Brook?"]
    assert value == "12,000 m"
    assert triple.startswith("<https://example.org/brooks/elm> <https://example.org/brooks/length> ")
    assert made["What is the mouth of Elm Brook?"][0] == "Oak Brook"
    assert made["What does Oak Brook flow through?"][0] == "Bree"
    assert "What does Elm Brook flow through?" not in made


def test_the_same_seed_gives_the_same_questions() -> None:
    """As many as are asked for, all different."""
    rivers = open_knowledge(load_folder(resolve("rivers")))
    first = one_fact(rivers, 25, seed=3)
    assert first == one_fact(rivers, 25, seed=3) != one_fact(rivers, 25, seed=4)
    assert len({question for question, _, _ in first}) == 25


def test_without_a_graph_there_are_none(tmp_path: Path) -> None:
    """It is a mistake to ask for them."""
    (tmp_path / "memory.jsonl").write_text('{"id": "a", "text": "Elm Brook is 12 km long."}\n')
    (tmp_path / "imprimatur.yaml").write_text("version: 1\nmemory: memory.jsonl\n")
    with pytest.raises(InputError, match="no graph"):
        one_fact(open_knowledge(load_folder(tmp_path)), 1, seed=1)
