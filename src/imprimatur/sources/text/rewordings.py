"""The same claim in other grammatical forms: ``rewordings``, ``unfolded``.

Where a comparison finds a claim not supported, it is tried again in each of these forms. A form is made by one rule of
grammar that keeps what is said, whatever the words are about: "it was Ann who won" is "Ann won", "one ticket in twenty"
is "5% of the tickets", "three times an hour" is "every 20 minutes". Invariant: a rule adds no name and no noun, no
verb but the one in a noun ("buyer"), and no number but one that the claim's own numbers come to; so a claim that is
false stays false in every form.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.sources.text.clause_forms import CLAUSES, cleft, doer
from imprimatur.sources.text.frames import read
from imprimatur.sources.text.numeric_forms import NUMERIC

__all__ = ["rewordings", "unfolded"]

#: So many forms of one claim are tried, those of forms included.
_MOST = 8


def unfolded(words: str, locale: str = "en") -> str:
    """The claim with what hides who did what brought to plain clauses: "it was Ann who", "Ann, the buyer of it"."""
    for rule in (cleft, doer):
        form = rule(words, read(words, locale).pieces)
        words = words if form is None else form
    return words


def rewordings(words: str, locale: str = "en") -> Iterator[str]:
    """The other forms of a claim, the nearest first, each once."""
    seen = [words]
    for form in seen:
        pieces = read(form, locale).pieces
        for rule in (*CLAUSES, *NUMERIC):
            other = rule(form, pieces)
            if other is not None and other not in seen:
                seen.append(other)
                yield other
            if len(seen) > _MOST:
                return
