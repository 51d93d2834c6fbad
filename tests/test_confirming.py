"""The step that holds what was found supported against the extractor: what is asked, and that it only lowers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies
from small_kb import write_kb

from imprimatur.extractors.extraction import Extraction, Opened
from imprimatur.extractors.terms import Term, Terms
from imprimatur.oracle import Oracle
from imprimatur.protocols import Excerpt, Proposal, Proposed
from imprimatur.report import Report
from imprimatur.tagged import TaggedClaim
from imprimatur.verdict import Label, Reason


class Made:
    """An extractor that proposes by a function of the text; ``asked`` has the excerpts."""

    name = "made"
    fingerprint = "0"

    def __init__(self, says: Callable[[str], Sequence[str]]) -> None:
        self.says = says
        self.asked: list[Excerpt] = []

    def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> list[Proposed]:
        """Every sentence for all of the words."""
        self.asked += excerpts
        return [
            Proposed(tuple(Proposal(start=0, end=len(each.text), says=said) for said in self.says(each.text)))
            for each in excerpts
        ]


def echo(text: str) -> list[str]:
    """The text itself, as the one claim in it."""
    return [text]


def oracle(folder: Path, made: Made, *, policy: str = "redact", extra: str = "", writes: bool = True) -> Oracle:
    """The oracle of a small knowledge base with an extractor."""
    plain = Oracle.from_folder(write_kb(folder, policy=policy, extra=extra))
    extraction = Extraction(Opened(made, writes=writes), Terms())
    return Oracle(replace(plain.knowledge, extraction=extraction), plain.policy)


def labels(report: Report) -> list[str]:
    """The labels of the segments."""
    return [segment.label.value for segment in report.segments]


def test_only_what_could_be_shown_is_asked_about(tmp_path: Path) -> None:
    """Supported claims and what looks like none; not what failed already, code, headings, reports or suppositions."""
    text = (
        "# Elm Brook\n\nHow long is it?\n\nIt is 12 km long. Oak Brook is 9 km long. "
        "If Elm Brook flows into Oak Brook, it is long. "
        "Bob said that Elm Brook flows through Arden.\n\n```\nx = 1\n```\n"
    )
    made = Made(lambda _: [])
    report = oracle(tmp_path, made).check(text, question="Tell me of Elm Brook.")
    assert [each.text for each in made.asked] == ["How long is it?", "It is 12 km long."]
    assert made.asked[1].around == ("Tell me of Elm Brook.", "Elm Brook")
    assert made.asked[1].before == "How long is it?"
    assert "not_a_claim" in labels(report)


def test_what_is_said_twice_is_asked_once(tmp_path: Path) -> None:
    """Proposals are kept while the knowledge base is open; what is left of a text is checked again from them."""
    made = Made(echo)
    asked = oracle(tmp_path, made)
    text = "Elm Brook is 12 km long. Oak Brook is 9 km long."
    first, second = asked.check(text), asked.check(text)
    assert first.to_dict() == second.to_dict()
    assert [each.text for each in made.asked] == ["Elm Brook is 12 km long."]
    assert "Elm Brook is 12 km long." in first.decision.text


@pytest.mark.parametrize("says", [echo, lambda text: [], lambda text: [text, "Elm Brook flows into Arden."]])
def test_waiting_or_not_gives_the_same_report(tmp_path: Path, says: Callable[[str], list[str]]) -> None:
    """Look-ups in worker threads, or here."""
    text = "Elm Brook flows through Bree. I hope this helps."
    asked = oracle(tmp_path, Made(says))
    assert asyncio.run(asked.acheck(text)).to_dict() == asked.check(text).to_dict()


def test_no_verdict_is_raised(tmp_path: Path) -> None:
    """Whatever an extractor agrees to; with it no segment is better off than without."""
    text = (
        "Elm Brook is 13 km long. Elm Brook flows through Corfe. Elm Brook never flows through Bree. It is lovely. "
        "Elm Brook flows through Arden, and it is haunted. Zed Brook is 5 km long."
    )
    plain = Oracle.from_folder(write_kb(tmp_path, policy="redact")).check(text)
    found = oracle(tmp_path, Made(echo)).check(text)
    assert (labels(found), found.decision.text) == (labels(plain), plain.decision.text)
    more = oracle(tmp_path, Made(lambda each: [each, "Elm Brook is 12 km long."])).check(text)
    assert "supported" not in labels(more)
    assert more.decision.kind == "abstained"


def test_ready_made_claims_are_asked_about_too(tmp_path: Path) -> None:
    """One segment each."""
    claims = [
        TaggedClaim(text="Elm Brook is 12 km long."),
        TaggedClaim(text="Elm Brook flows through Bree."),
    ]
    made = Made(lambda text: echo(text) if "12" in text else [])
    report = oracle(tmp_path, made).check_claims(claims)
    assert labels(report) == ["supported", "not_found"]


def test_words_compared_with_text_need_a_proposal_for_all_of_them(tmp_path: Path) -> None:
    """By an extractor that writes; one that marks words says nothing of them."""

    class Part(Made):
        def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> list[Proposed]:
            ends = [each.text.find(",") if "," in each.text else len(each.text) for each in excerpts]
            return [Proposed((Proposal(start=0, end=end, says="It is so."),)) for end in ends]

    (tmp_path / "imprimatur.yaml").write_text("version: 1\npolicy: redact\n", encoding="utf-8")
    plain = Oracle.from_folder(tmp_path)
    context = ["The blue kiln holds 40 plates, and it is fired at 900 degrees."]
    for text, writes, label in (
        ("The blue kiln holds 40 plates.", True, "supported"),
        ("The blue kiln holds 40 plates, and it is fired at 900 degrees.", True, "not_found"),
        ("The blue kiln holds 40 plates, and it is fired at 900 degrees.", False, "supported"),
    ):
        extraction = Extraction(Opened(Part(echo), writes=writes), Terms())
        asked = Oracle(replace(plain.knowledge, extraction=extraction), plain.policy)
        assert labels(plain.check(text, context=context)) == ["supported"]
        assert labels(asked.check(text, context=context)) == [label], (text, writes)


def test_a_read_back_that_crashes_withholds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash is a value, and so is one of the asking itself."""

    def crash(*_: Any, **__: Any) -> Any:
        raise RecursionError

    asked = oracle(tmp_path, Made(echo))
    monkeypatch.setattr("imprimatur.extractors.reading_back.ReadBack.confirms", crash)
    report = asked.check("Elm Brook is 12 km long. I hope this helps.")
    assert report.segments[0].reasons == (Reason.EXTRACTOR_FAILED,)
    monkeypatch.undo()
    monkeypatch.setattr("imprimatur.extractors.extraction.Extraction.ask", crash)
    report = asked.check("Elm Brook is 12 km long. I hope this helps.")
    assert labels(report) == ["unchecked", "unchecked"]
    assert report.decision.kind != "licensed"
    assert any("made" in warning for warning in report.warnings)


@pytest.mark.usefixtures("short_pauses")
def test_the_configuration_is_part_of_the_hash(tmp_path: Path) -> None:
    """Reports tell by which extractor they came about, and what there is says it too."""
    folder = write_kb(tmp_path, extra="extractor: {kind: llm, model: {base_url: 'http://127.0.0.1:9/v1', name: tiny}}")
    with_model = Oracle.from_folder(folder)
    plain = Oracle.from_folder(write_kb(tmp_path / "plain"))
    assert with_model.knowledge.content_hash != plain.knowledge.content_hash
    assert with_model.info()["extractor"].startswith("tiny (")
    assert "extractor" not in plain.info()
    report = with_model.check("Elm Brook is 12 km long.", seconds=2)
    assert report.segments[0].label is Label.UNCHECKED
    explained = with_model.explain(report)
    assert "extractor" in explained[0].why


def test_a_heading_that_claims_something_is_asked_about(tmp_path: Path) -> None:
    """It is released like any other claim, and withheld like any other."""
    text = "# Elm Brook flows through Arden\n\n# Elm Brook\n"
    made = Made(lambda _: [])
    report = oracle(tmp_path, made).check(text)
    assert labels(Oracle.from_folder(write_kb(tmp_path / "plain")).check(text)) == ["supported", "not_a_claim"]
    assert labels(report) == ["not_found", "not_a_claim"]
    assert [each.text for each in made.asked] == ["Elm Brook flows through Arden"]


def test_a_read_back_without_time_is_late(tmp_path: Path) -> None:
    """Whoever proposes too much to be read back in time has failed."""
    many = Made(lambda text: [f"Elm Brook is {n} km long." for n in range(3000)])
    report = oracle(tmp_path, many).check("Elm Brook is 12 km long.", seconds=0.4)
    assert report.segments[0].reasons == (Reason.EXTRACTOR_FAILED,)
    assert any("was late" in warning for warning in report.warnings)


_POOL = [
    "Elm Brook is 12 km long.",
    "Elm Brook is 13 km long.",
    "Elm Brook is not 13 km long.",
    "Elm Brook flows through Arden.",
    "Elm Brook flows through Bree.",
    "Elm Brook flows through Corfe.",
    "Elm Brook does not flow through Arden.",
    "Oak Brook flows into Elm Brook.",
    "Elm Brook flows into Oak Brook.",
    "Elm Brook is longer than Oak Brook.",
    "If Elm Brook flows into Oak Brook, it is 99 km long.",
    "I hope this helps.",
    "It flows through Bree.",
]
_BASE = "https://example.org/brooks/"
_NAMES = tuple(_BASE + name for name in ("length", "flowsThrough", "mouth", "Brook", "Town"))
_SPANS = strategies.one_of(strategies.none(), strategies.tuples(strategies.integers(0, 40), strategies.integers(1, 41)))
_PROPOSALS = strategies.lists(
    strategies.builds(
        Proposal,
        start=strategies.integers(0, 40),
        end=strategies.integers(1, 41),
        says=strategies.sampled_from(["", *_POOL]),
        subject=_SPANS,
        object=_SPANS,
        names=strategies.lists(strategies.sampled_from(_NAMES), max_size=2).map(tuple),
    ),
    max_size=6,
)


class Random(Made):
    """An extractor that proposes what it was made with, whatever the text is, or fails."""

    def __init__(self, proposals: list[Proposal], fault: str) -> None:
        super().__init__(echo)
        self.proposed = Proposed(() if fault else tuple(proposals), fault)

    def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> list[Proposed]:
        """The same for each."""
        return [self.proposed for _ in excerpts]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The oracle of the small knowledge base without an extractor."""
    return Oracle.from_folder(write_kb(tmp_path_factory.mktemp("kb"), policy="redact"))


@given(
    text=strategies.lists(strategies.sampled_from(_POOL), min_size=1, max_size=4).map(" ".join),
    proposals=_PROPOSALS,
    fault=strategies.sampled_from(["", "", "", "failed"]),
    writes=strategies.booleans(),
)
def test_no_proposals_release_what_the_reader_withholds(
    plain: Oracle, text: str, proposals: list[Proposal], fault: str, writes: bool
) -> None:
    """Random ones, sound or not, by an extractor that writes or marks: no segment is better off than without."""
    terms = Terms(properties=tuple(Term(iri=name, label=name) for name in _NAMES))
    extraction = Extraction(Opened(Random(proposals, fault), writes=writes), terms)
    found = Oracle(replace(plain.knowledge, extraction=extraction), plain.policy).check(text)
    alone = plain.check(text)
    for mine, its in zip(alone.segments, found.segments, strict=True):
        assert its.label is mine.label or its.label not in (Label.SUPPORTED, Label.NOT_A_CLAIM)
        assert (its.start, its.end) == (mine.start, mine.end)
    if found.decision.kind == "licensed":
        assert alone.decision.kind == "licensed"
