"""Regular expressions in bounded time."""

from __future__ import annotations

import re

import pytest
from effort import ends
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import LimitExceeded
from imprimatur.sources.shacl.patterns import _PARSER, SafePattern, _Machine

PARTS = st.sampled_from(
    ["a", "b", "(a|b)", "[ab]", "[^a]", "a*", "(ab)+", "b?", "^", "$", ".", "a{1,3}", "(a|ba)*", r"\w", r"\D", r"\Z"]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PARTS, max_size=5), st.text("ab\n1", max_size=7), st.sampled_from([0, re.M, re.I, re.S]))
def test_the_automaton_agrees_with_backtracking(parts: list[str], text: str, flags: int) -> None:
    """On short texts, both ways find the same."""
    pattern = "".join(parts)
    machine = _Machine(_PARSER.parse(pattern, flags), flags)
    assert machine.found_in(text, lambda: None) == (re.search(pattern, text, flags) is not None)


HOSTILE = ("(a+)+$", "(a|aa)+$", "(a|a)*c", "a?" * 30 + "a" * 30 + "c", "(.*a){12}c", "((a?){8}){8}c", "(x+x+)+y")


@ends
@pytest.mark.parametrize("pattern", HOSTILE)
def test_catastrophic_patterns_end(pattern: str) -> None:
    """Patterns that backtracking would not finish are answered soon."""
    assert SafePattern.of(pattern, "").found_in("a" * 60 + "b", lambda: None) in (True, False)


def test_a_long_text_is_left_when_the_time_is_over() -> None:
    """The caller's tick ends the work."""

    def tick() -> None:
        raise LimitExceeded("over")

    with pytest.raises(LimitExceeded, match="over"):
        SafePattern.of("(a+)+$", "").found_in("a" * 1_000_000 + "b", tick)


@pytest.mark.parametrize("pattern", [r"(a+)+\1", "(?=a+b)(a+)+c", r"(a+)+\bc", "((a{1,500}){1,500}){1,500}b"])
def test_what_is_no_automaton_is_refused(pattern: str) -> None:
    """Back-references, look-around and giants are refused on texts on which they might take for ever."""
    with pytest.raises(LimitExceeded, match="may take for ever"):
        SafePattern.of(pattern, "").found_in("a" * 10_000, lambda: None)


def test_replacing() -> None:
    """REPLACE knows groups by number, and refuses what may take for ever."""
    pattern = SafePattern.of("^(-?[0-9]+).*$", "")
    assert pattern.replaced_in("-0384-01-01", "$1") == "-0384"
    with pytest.raises(LimitExceeded):
        pattern.replaced_in("1" * 1_000_000, "$1")
