"""How segments are put forward: golden segments, abstentions in many languages, invariants, hostile input."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest
from effort import grows_linearly
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprimatur.claim import Modality
from imprimatur.language import modality
from imprimatur.language._remarks import comparable, has_any
from imprimatur.language.modality import SegmentKind, classify

GOLDEN = Path(__file__).parents[1] / "golden" / "modality" / "classify.tsv"
ROWS = [
    [*line.split("\t"), "", ""][:4]
    for line in GOLDEN.read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
ABSTENTIONS = [
    sentence
    for line in resources.files("imprimatur").joinpath("resources", "abstentions.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
    for sentence in line.split("\t")[1].split(" | ")
]


@pytest.mark.parametrize(("kind", "text", "remarks", "markers"), ROWS)
def test_classify(kind: str, text: str, remarks: str, markers: str) -> None:
    """Each segment has its kind, remark spans and marker spans."""
    found = classify(text)
    assert found.kind == kind
    if remarks or kind == "asserted":
        assert " ; ".join(text[start:end] for start, end in found.meta_spans) == remarks
        assert " ; ".join(text[start:end] for start, end in found.marker_spans) == markers


@pytest.mark.parametrize("ending", ["", ".", "。", "!"])
@pytest.mark.parametrize("text", ABSTENTIONS)
def test_abstentions(text: str, ending: str) -> None:
    """ "I don't know" is a remark in every language, with and without final punctuation."""
    assert classify(text[:1].upper() + text[1:] + ending).kind is SegmentKind.META


@pytest.mark.parametrize("text", ["", " ", "...", "\n\n", "🇫🇷❤️"])
def test_nothing_said_is_no_statement(text: str) -> None:
    """Text without words holds nothing to check."""
    assert classify(text).kind is SegmentKind.META
    assert classify("x", tokens=[]).kind is SegmentKind.META


def test_modality_of_claims() -> None:
    """Only kinds that can hold statements have a modality."""
    assert classify("Bob said Alice works at Acme.").modality is Modality.ATTRIBUTED
    assert classify("Hello!").modality is None


FACTS = ["the Nile is in Peru", "the Volga flows into the Black Sea", "Alice works at Acme", "it is 5 km long"]
FRONTS = ["No, ", "Sure, ", "I don't know, but ", "I hope this helps: ", "Hello, ", "Thanks! ", "Did you know that "]
FRONTS += ["I have no doubt that ", "I didn't know that ", "Note that ", "If you check, ", "I'm sorry, but ", "Okay; "]


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("fact", FACTS)
def test_no_remark_hides_a_statement(front: str, fact: str) -> None:
    """A statement after any remark or marker is still asserted, and no remark span reaches into it."""
    text = front + fact + ("?" if front.startswith("Did") else ".")
    found = classify(text)
    assert found.kind is SegmentKind.ASSERTED
    assert all(end <= len(front) for _, end in (*found.meta_spans, *found.marker_spans))


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="aI don'tkwif,.?!:;—\"“ AlBobsaid\n。", max_size=60))
def test_spans_are_ordered(text: str) -> None:
    """Whatever the text, spans lie within it and remarks are in order."""
    found = classify(text)
    end = 0
    for start, stop in found.meta_spans:
        assert end <= start < stop <= len(text)
        end = stop
    assert all(0 <= start < stop <= len(text) for start, stop in found.marker_spans)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_marker_is_looked_for(data: st.DataObject) -> None:
    """Whatever the pattern of markers matches holds one of the parts that tell to look, or is not in ASCII."""
    pattern = modality._marker_pattern()
    text = data.draw(st.from_regex(re.compile(pattern.pattern, pattern.flags)))
    assert pattern.search(text)
    assert has_any(comparable(text), modality._marking())


@pytest.mark.parametrize(
    "unit",
    ["I don't know ", "if ", ", ", "according to ", "A ", "Bob said ", "The length of it ", '"', " ", "did that "],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """Four times the text takes at most a small multiple of four times the time."""
    assert grows_linearly(lambda size: classify(unit * (size // len(unit))), 20_000)
