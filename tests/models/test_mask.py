"""A secret is masked however the text is cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from imprimatur.models.mask import Mask, masked

SECRET = "abababcababab-ab"


@given(st.lists(st.sampled_from([SECRET, "ab", "c", "-", "abab", "x", SECRET[:9]]), max_size=12), st.integers(1, 7))
def test_every_cut_gives_the_same(parts: list[str], size: int) -> None:
    """All bits together are the whole text, masked; the secret is in none of them."""
    text = "".join(parts)
    mask = Mask(SECRET)
    bits = [mask.feed(text[at : at + size]) for at in range(0, len(text), size)] + [mask.rest()]
    assert "".join(bits) == masked(text, SECRET)
    assert SECRET not in masked(text, SECRET)


def test_bytes_and_short_words() -> None:
    """The same for bytes; what is too short for a key is a word."""
    assert masked(b"x" + SECRET.encode(), SECRET.encode()) == b"x" + b"*" * len(SECRET)
    mask = Mask("ollama")
    assert (mask.feed("ollama oll"), mask.rest(), masked("EMPTY", "EMPTY")) == ("ollama oll", "", "EMPTY")
