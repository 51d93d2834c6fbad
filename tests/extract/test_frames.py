"""The frame lexicon: every line readable and sound, labels join the right frames, near misses stay out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.extract.frames import Frame, aspects, dims, frames, relations
from imprimatur.extract.wording import WordingKey, wording_keys
from imprimatur.extract.words import forms
from imprimatur.language import units
from imprimatur.language.tokens import tokenise
from imprimatur.sources.graph.own_words import chain_of, own_keys

_GOLDEN = Path(__file__).parents[1] / "golden" / "frames"

#: Frames in which "S is in O" is part of what is said; in any other it would license a wrong place.
_IN = frozenset(
    "active-ingredient cast character contains era event-date fought-in habitat headquarters ingredient league "
    "location member military-branch native-range participant performer political-party stadium symptom taxon "
    "venue".split()
)
#: Frames whose relation has a direction but whose lines may also say that two are a pair.
_PAIRED = frozenset("wife husband brother sister".split())
#: Keys that two orientations of one frame may share.
_BOTH_WAYS = frozenset(("give|obj=*|obj=*", "=collection<*"))
#: Words whose loss changes nothing, and verbs that the noun keys ("=", "@", "#", "%") stand for.
_LOSABLE = frozenset("place water person thing first".split())
_NOUN_KEY_VERBS = frozenset(
    "be lie sit stand find locate situate occur place base remain fall come date happen exist set hold contain host "
    "house become represent constitute make have possess boast own count number carry bear receive include comprise "
    "last run begin start end continue extend commence finish get list classify serve act work function".split()
)
#: Lines older than the rule, about what lies between the two ends of a thing.
_LOSSY_FRAMES = frozenset(("drop", "birth"))


def _rows(name: str) -> list[list[str]]:
    text = (_GOLDEN / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@lru_cache(maxsize=1)
def _by_name() -> dict[tuple[str, str], Frame]:
    return {(f.kind, f.name): f for f in frames()}


def _frame(name: str) -> Frame:
    kinds = ("relation", "aspect", "dim")
    return next(_by_name()[kind, name] for kind in kinds if (kind, name) in _by_name())


def _spoken(frame: Frame) -> frozenset[WordingKey]:
    """The keys of a frame with those of its nouns."""
    nouns = {WordingKey(f"{mark}{noun}<*", 0) for noun in frame.nouns for mark in "=#"}
    return frame.keys() | nouns


def _all_lines(frame: Frame) -> tuple[str, ...]:
    return frame.heads + frame.narrower + frame.doors + frame.lines + frame.measures


def _turned(key: WordingKey) -> WordingKey:
    return WordingKey(key.key, 1 - key.subject)


def test_every_line_is_readable() -> None:
    """A line that the grammar cannot read would add nothing, so none may stand in the file."""
    assert [(f.name, line) for f in frames() for line in _all_lines(f) if not wording_keys(line)] == []


def test_every_frame_can_be_joined_and_adds_something() -> None:
    """Relations have heads, aspects and quantities have nouns, and each has lines of its own."""
    assert [f.name for f in relations() if not f.heads] == []
    assert [f.name for f in aspects() + dims() if not f.nouns] == []
    assert [f.name for f in frames() if not f.lines and not f.measures] == []


def test_names_and_lines_are_unique() -> None:
    """No frame has two sections and no line stands twice in a frame."""
    assert [n for n, count in Counter((f.kind, f.name) for f in frames()).items() if count > 1] == []
    twice = [(f.name, line) for f in frames() for line, n in Counter(_all_lines(f)).items() if n > 1]
    assert twice == []


def test_units_of_quantities_are_known() -> None:
    """Every unit in square brackets is a count, a currency or a unit of the unit table."""
    unknown = [
        f.name for f in dims()
        if f.unit not in ("NUM", "CURRENCY") and units.by_iri(f"http://qudt.org/vocab/unit/{f.unit}") is None
    ]  # fmt: skip
    assert unknown == []


def test_no_line_holds_a_negator() -> None:
    """A key does not show polarity, so a negated line would license its opposite."""
    negated = re.compile(r"\b(?:not|never|no|nor|neither|without|cease[sd]?|fail(?:s|ed)?|used to|no longer)\b|n't")
    found = [(f.name, line) for f in frames() for line in _all_lines(f) if negated.search(line)]
    assert found == []


def _lost(line: str, key: str) -> list[str]:
    """The content words of a line that its key does not show."""
    shown = set(re.findall(r"[a-z]+", key))
    lost = []
    for token in tokenise(line):
        word = forms(token.lower)
        if token.text in ("S", "O", "Q", "'s") or word.closed or not token.lower.isalpha():
            continue
        lemmas = {x for x in (word.noun, word.verb, word.adj, token.lower) if x}
        stood_for = _LOSABLE | (_NOUN_KEY_VERBS if key[0] in "=@#%" or key.startswith("be|") else frozenset(("get",)))
        if not lemmas & (shown | stood_for):
            lost.append(token.lower)
    return lost


def test_no_key_loses_a_word_of_its_line() -> None:
    """A key that forgets a content word ("won a victory over O": "won O") would say something else."""
    lost = [
        (f.name, line, k.key, words)
        for f in frames() if f.name not in _LOSSY_FRAMES
        for line in f.heads + f.lines for k in wording_keys(line) if (words := _lost(line, k.key))
    ]  # fmt: skip
    assert lost == []


def test_only_frames_of_place_say_that_s_is_in_o() -> None:
    """A place of founding must not license "is in Paris"."""
    found = {
        f.name for f in relations() + aspects() if WordingKey("@*", 0) in f.keys() or WordingKey("@*", 1) in f.keys()
    }
    assert found <= _IN
    heads = {f.name for f in relations() if WordingKey("@*", 0) in f.head_keys()}
    assert heads == {"location"}
    located = {f.name for f in relations() + aspects() for end in (0, 1) if WordingKey("@@*", end) in f.keys()}
    assert located == {"location"}, "who is in a band or in a war is not located there"


def test_a_directed_relation_keeps_its_direction() -> None:
    """No key of a relation with a direction may be read from both ends."""
    found = [
        (f.name, k.key)
        for f in relations() if not f.symmetric and f.name not in _PAIRED
        for k in f.keys() if k.subject == 0 and _turned(k) in f.keys() and k.key not in _BOTH_WAYS
    ]  # fmt: skip
    assert found == []


def test_no_class_noun_stands_before_by() -> None:
    """In "O is a novel by S" the class of O would pass unread; only words for any work may stand there."""
    nouns = {m[1] for f in frames() for line in _all_lines(f) if (m := re.search(r"^[SO] is an? (\w+) by [SO]$", line))}
    assert nouns <= {"work", "design", "production", "invention", "text"}


def test_shared_keys_are_known() -> None:
    """Two frames share a key only where it is right for both; a new overlap is to be looked at and entered."""
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    for frame in relations() + aspects():
        for key in frame.keys():
            owners[key.key, str(key.subject)].add(frame.name)
    shared = {(*key, " ".join(sorted(names))) for key, names in owners.items() if len(names) > 1}
    known = {(row[0], row[1], row[2]) for row in _rows("shared_keys.tsv")}
    assert shared - known == set(), "new overlaps"
    assert known - shared == set(), "overlaps that are gone"


@pytest.mark.parametrize(("name", "sentence"), [(row[0], row[1]) for row in _rows("stated.tsv")])
def test_a_wording_states_its_frame(name: str, sentence: str) -> None:
    """Wordings and their syntactic variants have a key of the frame, with S and O at the right ends."""
    assert _spoken(_frame(name)) & set(wording_keys(sentence))


@pytest.mark.parametrize(("name", "sentence"), [(row[0], row[1]) for row in _rows("not_stated.tsv")])
def test_a_corruption_does_not_state_its_frame(name: str, sentence: str) -> None:
    """A near miss (other verb, other direction, more than the fact says) has no key of the frame."""
    keys = set(wording_keys(sentence))
    assert keys, "the corruption must be readable, or it shows nothing"
    assert not _spoken(_frame(name)) & keys


@pytest.mark.parametrize(("label", "name", "end"), [(row[0], row[1], row[2]) for row in _rows("labels.tsv")])
def test_a_label_joins_its_frame(label: str, name: str, end: str) -> None:
    """The usual labels of properties find the frame, from the right end."""
    own = own_keys(label)
    if end in ("+", "-"):
        heads = _by_name()["relation", name].head_keys()
        assert own & (heads if end == "+" else frozenset(map(_turned, heads)))
        return
    chains = [c for k in own if k.subject == 0 and (c := chain_of(k.key)) is not None]
    nouns = _by_name()[end, name].nouns
    tails = ["<".join(c[1:] if end == "aspect" else c) for c in chains]
    assert set(tails) & set(nouns)


@given(frame=st.sampled_from(relations()))
@settings(max_examples=60, deadline=None)
def test_heads_belong_to_their_frame_and_symmetry_is_closed(frame: Frame) -> None:
    """Head keys are keys of the frame, but for narrower ones; a symmetric frame holds every key from both ends."""
    narrower = {key for line in frame.narrower for key in wording_keys(line)}
    assert frame.head_keys() - narrower <= frame.keys()
    assert narrower.isdisjoint(frame.keys())
    if frame.symmetric:
        assert {_turned(k) for k in frame.keys()} == set(frame.keys())
