"""What a thing is said to be by a quality of its own: "S is red", of a thing whose colour is red.

Only the few nouns of ``QUALITIES`` name what is said of the whole thing by an adjective alone. Another column that
holds "red" does not: the roof of a house may be red, or what it was painted before. Of the words that such a property
has, colours (one each, the basic ones) and the sexes exclude each other; of others ("round", "circular") it is not
known, so that a different one refutes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from imprimatur.extract.told import ANY
from imprimatur.extract.wording import told_wordings

__all__ = ["QUALITIES", "apart", "is_quality", "word_wordings"]

QUALITIES = frozenset("colour color shape nationality gender sex material".split())
_EXCLUDING = (
    frozenset("black white red green yellow blue brown purple pink orange grey".split()),
    frozenset(("male", "female")),
)
_SPELLINGS = {"gray": "grey"}
_MOST, _LONGEST = 40, 3


def is_quality(labels: Iterable[str]) -> bool:
    """Whether a property's words name a quality of the thing itself."""
    return any(label.lower() in QUALITIES for label in labels)


def word_wordings(cells: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The keys of "S is red", each with the value; nothing where there are too many values to be such words."""
    values = sorted(set(cells))
    if len(values) > _MOST:
        return
    for value in values:
        words = value.lower().split()
        if not 0 < len(words) <= _LONGEST or not all(word.isalpha() for word in words) or "and" in words:
            continue
        # The value is known to the lexicon and may be found as a name, in whatever place.
        named = f"{ANY}be|obj={'<'.join(reversed(words))}|subj=*"
        for key in dict.fromkeys((*told_wordings(f"S is {value.lower()}"), named)):
            yield key, value


def apart(said: str, held: str) -> bool:
    """Whether two such words exclude each other: "red" and "dark green" do, "green" and "dark green" do not."""
    one, other = (words.lower().split()[-1:] for words in (said, held))
    heads = [_SPELLINGS.get(word, word) for word in (*one, *other)]
    return len(heads) == 2 and heads[0] != heads[1] and any(set(heads) <= group for group in _EXCLUDING)
