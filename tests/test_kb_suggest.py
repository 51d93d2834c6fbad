"""Alternative labels by proposal: what a corpus suggests, what it does not, and the file for a person."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from small_kb import write_kb

from imprimatur.kb_suggest import Suggestion, Suggestions, turtle, write_file
from imprimatur.oracle import Oracle

EX = "https://example.org/brooks/"


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The brooks."""
    return Oracle.from_folder(write_kb(tmp_path_factory.mktemp("kb")))


def _found(oracle: Oracle, *answers: str, least: int = 2) -> dict[tuple[str, str], Suggestion]:
    suggestions = Suggestions(oracle)
    for answer in answers:
        suggestions.add(oracle.check(answer))
    return {(each.iri.removeprefix(EX), each.label): each for each in suggestions.found(least=least)}


def test_words_between_things_that_a_fact_links(oracle: Oracle) -> None:
    """Counted where the graph has a fact, beside all places where they stand, and tried."""
    found = _found(
        oracle,
        "Elm Brook gurgles past Arden.",
        "Elm Brook gurgles past Bree, and Elm Brook gurgles past Corfe.",
        "Oak Brook gurgles past Bree.",
        "Elm Brook was signposted in 1850.",
        "Elm Brook flows through Arden.",
    )
    assert set(found) == {("flowsThrough", "gurgles past")}
    one = found["flowsThrough", "gurgles past"]
    assert (one.kind, one.seen, one.agreeing, one.licensed) == ("property", 4, 3, 2)
    assert one.examples[0] == "Elm Brook gurgles past Arden."
    more = _found(oracle, "Elm Brook was signposted in 1850.", least=1)
    assert set(more) == {("named", "was signposted in")}


def test_what_does_not_help_or_has_no_fact_is_not_suggested(oracle: Oracle) -> None:
    """No fact behind the words; too few sentences; a label that would not make the sentence pass."""
    assert _found(oracle, "Elm Brook gurgles past Corfe.", "Oak Brook gurgles past Corfe.", least=1) == {}
    assert _found(oracle, "Elm Brook gurgles past Arden.") == {}
    assert _found(oracle, "Elm Brook never ever gurgles past Arden, says Bob.", least=1) == {}


def test_names_that_are_nearly_those_of_things(oracle: Oracle) -> None:
    """An unknown name in the place of a thing that is called much like it; not one that is called otherwise."""
    found = _found(oracle, "Elm Brook flows through Ardenn.", "Elm Brook flows through Zork.", least=1)
    assert set(found) == {("arden", "Ardenn")}
    assert found["arden", "Ardenn"].licensed is None


def test_the_file_keeps_what_a_person_wrote(oracle: Oracle, tmp_path: Path) -> None:
    """Suggestions are comments; accepted ones stay, and are not suggested again; text cannot leave its comment."""
    (one,) = _found(oracle, "Elm Brook gurgles past Arden.", least=1).values()
    path = tmp_path / "labels.ttl"
    assert write_file(path, [one], corpus="a\nb.jsonl", on=date(2026, 1, 2)) == 1
    text = path.read_text(encoding="utf-8")
    assert all(line.startswith("#") or not line for line in text.splitlines())
    assert "2026-01-02" in text
    accepted = text.replace("#" + turtle(one), turtle(one))
    path.write_text(accepted, encoding="utf-8")
    assert write_file(path, [one], corpus="c.jsonl", on=date(2026, 1, 3)) == 0
    assert path.read_text(encoding="utf-8") == accepted
    odd = Suggestion(
        iri=EX + "x", name="x\n<a> <b> <c> .", label='"\n.', kind="name", seen=1, agreeing=1, licensed=None,
        examples=("one\u2028<a> <b> <c> .",),
    )  # fmt: skip
    assert write_file(path, [odd], corpus="d", on=date(2026, 1, 4)) == 1
    added = path.read_text(encoding="utf-8").removeprefix(accepted)
    assert all(line.startswith("#") or not line for line in added.splitlines())


def test_an_accepted_label_takes_effect(oracle: Oracle, tmp_path: Path) -> None:
    """Uncommented and named in the settings, the sentence passes."""
    sentence = "Elm Brook gurgles past Arden."
    assert oracle.check(sentence).summary == "unsupported"
    (one,) = _found(oracle, sentence, least=1).values()
    folder = write_kb(tmp_path / "kb")
    (folder / "more.ttl").write_text(turtle(one), encoding="utf-8")
    settings = folder / "imprimatur.yaml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("ontology.ttl", "ontology.ttl, more.ttl"))
    assert Oracle.from_folder(folder).check(sentence).summary == "fully_supported"
