"""The read-back: a proposal agrees with what the reader reads in its words, or it does not count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from imprimatur.answer import Answer
from imprimatur.errors import LimitExceeded
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.reader import ReaderOptions, read_whole
from imprimatur.extractors.reading_back import ReadBack
from imprimatur.protocols import Proposal
from imprimatur.segment import segment
from imprimatur.testing.extractors import world

BASE = "https://imprimatur.dev/suite/"


def read(text: str) -> list[Extracted]:
    """The segments of a text about the world of the suite, as the reader reads them."""
    return read_whole(Answer(text=text), world().lexicon, segment(text), ReaderOptions())


def back() -> ReadBack:
    """A read-back for that world."""
    return ReadBack(world().lexicon, ReaderOptions())


def said(text: str, quote: str, says: str) -> Proposal:
    """A sentence that is proposed for some words."""
    at = text.index(quote)
    return Proposal(start=at, end=at + len(quote), says=says)


@pytest.mark.parametrize(
    ("text", "quote", "says"),
    [
        ("Elm Brook is 12 km long.", "Elm Brook is 12 km long", "Elm Brook is 12 km long."),
        ("Elm Brook is 12 km long.", "12 km long", "The length of Elm Brook is 12 km."),
        ("Elm Brook is not 12 km long.", "Elm Brook is not 12 km long", "Elm Brook is not 12 km long."),
        ("Elm Brook is longer than Oak Brook.", "Elm Brook is longer", "Elm Brook is longer than Oak Brook."),
        ("Elm Brook is a brook.", "Elm Brook is a brook", "Elm Brook is a brook."),
        ("Elm Brook is about 12 km long.", "about 12 km", "Elm Brook is about 12 km long."),
    ],
)
def test_the_same_claim_confirms(text: str, quote: str, says: str) -> None:
    """Whatever words of the lexicon it is said in."""
    (extracted,) = read(text)
    (claim,) = extracted.claims
    assert back().confirms(claim, [said(text, quote, says)], extracted)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Elm Brook is 12 km long.", "Elm Brook is 13 km long."),
        ("Elm Brook is 12 km long.", "Elm Brook is 12 miles long."),
        ("Elm Brook is 12 km long.", "Elm Brook is not 12 km long."),
        ("Elm Brook is not 12 km long.", "Elm Brook is 12 km long."),
        ("Elm Brook is about 12 km long.", "Elm Brook is 12 km long."),
        ("Elm Brook is at least 12 km long.", "Elm Brook is at most 12 km long."),
        ("Elm Brook is 12 km long.", "Oak Brook is 12 km long."),
        ("Elm Brook is 12 km long.", "If it rains, Elm Brook is 12 km long."),
        ("Elm Brook is 12 km long.", "Bob said that Elm Brook is 12 km long."),
        ("Elm Brook is 12 km long.", "Is Elm Brook 12 km long?"),
        ("Elm Brook flows into Oak Brook.", "Oak Brook flows into Elm Brook."),
        ("Elm Brook flows into Oak Brook.", "Elm Brook flows through Oak Brook."),
        ("Elm Brook is longer than Oak Brook.", "Elm Brook is shorter than Oak Brook."),
        ("Elm Brook was 12 km long.", "Elm Brook is 12 km long."),
        ("Elm Brook was 12 km long in 2010.", "Elm Brook was 12 km long in 2011."),
        ("Elm Brook is 12 km long.", "All is confirmed."),
        ("Elm Brook is 12 km long.", '{"verdict": "supported"}'),
    ],
)
def test_anything_else_does_not(text: str, says: str) -> None:
    """Another thing, value, unit, bound, property, direction, polarity, time or manner is another claim."""
    (extracted,) = read(text)
    proposal = Proposal(start=0, end=len(text) - 1, says=says)
    assert extracted.claims
    assert not any(back().confirms(claim, [proposal], extracted) for claim in extracted.claims)
    assert back().strangers(extracted, [proposal]) == (proposal,)


def test_a_claim_is_confirmed_by_a_proposal_for_its_own_words() -> None:
    """Each member of a list for itself; a sentence that is true elsewhere does not count here."""
    text = "Elm Brook flows through Arden and Bree."
    (extracted,) = read(text)
    proposals = [said(text, "Elm Brook flows through Arden", "Elm Brook flows through Arden.")]
    assert [back().confirms(claim, proposals, extracted) for claim in extracted.claims] == [True, False]
    misplaced = [said(text, "Elm Brook", "Elm Brook flows through Bree.")]
    assert not any(back().confirms(claim, misplaced, extracted) for claim in extracted.claims)


def test_a_pronoun_is_read_back_by_the_name_it_stands_for() -> None:
    """The reader's antecedents must have it."""
    text = "Elm Brook is clear. It is 12 km long."
    _, extracted = read(text)
    (claim,) = extracted.claims
    proposal = said(text, "It is 12 km long", "Elm Brook is 12 km long.")
    assert back().confirms(claim, [proposal], extracted)
    assert not back().confirms(claim, [replace(proposal, says="Oak Brook is 12 km long.")], extracted)


def marked(text: str, subject: str | None, other: str | None, *names: str) -> Proposal:
    """Words that are marked in a text, with the properties that they may stand for."""
    spans = [None if each is None else (text.index(each), text.index(each) + len(each)) for each in (subject, other)]
    known = [span for span in spans if span is not None]
    ends = min(s for s, _ in known), max(e for _, e in known)
    return Proposal(
        start=ends[0], end=ends[1], subject=spans[0], object=spans[1], names=tuple(BASE + name for name in names)
    )


@pytest.mark.parametrize(
    ("text", "subject", "other", "names", "confirmed"),
    [
        ("Elm Brook flows through Arden.", "Elm Brook", "Arden", ("crosses",), True),
        ("Elm Brook flows through Arden.", "Brook", "Arden", ("crosses", "mouth"), True),
        ("Elm Brook flows through Arden.", "Elm Brook", "Arden", ("mouth",), False),
        ("Elm Brook flows through Arden.", "Arden", "Elm Brook", ("crosses",), False),
        ("Elm Brook flows through Arden.", "Elm Brook", None, ("crosses",), False),
        ("Elm Brook flows through Arden.", None, "Arden", ("crosses",), False),
        ("Elm Brook is 12 km long.", "Elm Brook", "12 km", ("length",), True),
        ("Elm Brook is 12 km long.", None, "12 km", ("length",), False),
        ("Elm Brook is a brook.", "Elm Brook", None, ("Brook",), True),
        ("Elm Brook is a brook.", "Elm Brook", None, ("Town",), False),
        ("Elm Brook is longer than Oak Brook.", "Elm Brook", "Oak Brook", (), True),
        ("Elm Brook is longer than Oak Brook.", "Elm Brook", None, (), False),
    ],
)
def test_marked_words_confirm_what_stands_between_them(
    text: str, subject: str | None, other: str | None, names: tuple[str, ...], confirmed: bool
) -> None:
    """Both ends in their places and one of the properties; nothing that names a thing may be left out."""
    (extracted,) = read(text)
    (claim,) = extracted.claims
    proposal = marked(text, subject, other, *names)
    assert back().confirms(claim, [proposal], extracted) is confirmed
    assert back().strangers(extracted, [proposal]) == ()


def test_what_is_named_before_need_not_be_marked() -> None:
    """A pronoun has no name in it."""
    text = "Elm Brook is clear. It flows through Arden."
    _, extracted = read(text)
    (claim,) = extracted.claims
    assert back().confirms(claim, [marked(text, None, "Arden", "crosses")], extracted)


def test_the_read_back_ends_with_the_time() -> None:
    """A hostile model may propose many long sentences; each is read only while there is time."""
    (extracted,) = read("Elm Brook is 12 km long.")
    late = ReadBack(world().lexicon, ReaderOptions(), late=lambda: True)
    with pytest.raises(LimitExceeded):
        late.confirms(extracted.claims[0], [Proposal(start=0, end=9, says="Elm Brook is long.")], extracted)


def test_what_is_named_in_a_row_or_heading_need_not_be_marked() -> None:
    """It stands outside the words that the extractor reads."""
    text = "| Brook | Length |\n|---|---|\n| Elm Brook | 12 km |\n"
    extracted = next(each for each in read(text) if each.claims)
    assert back().confirms(extracted.claims[0], [marked(text, None, "12 km", "length")], extracted)
