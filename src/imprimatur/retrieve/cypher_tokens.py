"""The tokens of a Cypher query that somebody else wrote; what two parsers might read differently is refused here.

Refused are comments, escapes in texts, invisible characters, parameters (``$x``), numbers that are not plain decimals,
and names in other letters than ASCII unless they stand in backticks. So every token that is left is read in one way.
"""

from __future__ import annotations

import unicodedata

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression

__all__ = ["MOST_CHARACTERS", "NotParsed", "Token", "tokens_of"]

MOST_CHARACTERS = 8000
#: Deeper brackets than this are no question.
_MOST_DEEP = 8
_INVISIBLE = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"))
_BLANK = " \n\t"
_TOKEN = expression(
    r"(?P<blank>[ \n\t]+)"
    r"|(?P<comment>//|/\*)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<ticked>`[^`\\\n\t]{1,100}`)"
    r"|(?P<text>'[^'\n\t]*'|\"[^\"\n\t]*\")"
    r"|(?P<number>(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?![A-Za-z0-9_]))"
    r"|(?P<sign><=|>=|<>|\.\.|[()\[\]{}:,.|*=<>+/%-])"
)
_OPEN, _CLOSE = "([{", ")]}"


class NotParsed(Exception):
    """The text is no query that may run; says why."""


@dataclass(frozen=True, slots=True)
class Token:
    """``text[start:end]``. ``kind``: name, ticked, text, number, sign or end; ``value`` has no quotes or backticks."""

    kind: str
    value: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The value as a keyword, in capitals; empty for what can be none."""
        return self.value.upper() if self.kind == "name" else ""


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, and one of the kind ``end``. Raises NotParsed."""
    if not text.strip() or len(text) > MOST_CHARACTERS:
        raise NotParsed(f"a query must have 1 to {MOST_CHARACTERS:,} characters")
    if any(char not in _BLANK and unicodedata.category(char) in _INVISIBLE for char in text):
        raise NotParsed("the query holds invisible characters")
    found: list[Token] = []
    place, depth = 0, 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup == "comment":
            raise NotParsed(_refusal(text, place))
        kind, value = str(match.lastgroup), match[0]
        if kind in ("ticked", "text"):
            value = value[1:-1]
            if "\\" in value:
                raise NotParsed("write characters as they are, without \\")
        if kind == "sign":
            depth += (value in _OPEN) - (value in _CLOSE)
            if depth > _MOST_DEEP:
                raise NotParsed(f"brackets are nested deeper than {_MOST_DEEP}")
        if kind != "blank":
            found.append(Token(kind, value, match.start(), match.end()))
        place = match.end()
    return [*found, Token("end", "", len(text), len(text))]


def _refusal(text: str, place: int) -> str:
    """Why nothing can be read at a place."""
    char = text[place]
    if text.startswith(("//", "/*"), place):
        return "write no comments"
    if char == "\\":
        return "write characters as they are, without \\"
    if char == ";":
        return "write one statement alone, without ;"
    if char == "$":
        return "parameters ($) are not known here: write the value itself"
    if char in "'\"`":
        return "a text or a name in backticks does not end, or holds a line end"
    if char.isdigit():
        return "write numbers as plain decimals"
    if char.isalpha():
        return f"write {char!r} in a name in backticks, and only names of the graph"
    return f"the character {char!r} is not known here"
