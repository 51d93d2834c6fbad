"""The plain part of YAML, which most settings files are written in, read without a YAML library.

Contract: ``plain(text)`` is what PyYAML makes of the text, or None for a text that has anything but comments, mappings
by indentation, plain words, whole numbers, ``true`` and ``false``, single quotes, and lists of such in brackets. Then
the library must read it, or say what is wrong with it.
"""

from __future__ import annotations

from typing import Any

from imprimatur._expressions import expression

__all__ = ["plain"]

# A word in which no YAML version sees a number, a date or an indicator; those of _SPECIAL are left to the library.
_WORD = r"[A-Za-z_][A-Za-z0-9_./+-]{0,200}"
_SCALAR = rf"(?:{_WORD}|0|[1-9][0-9]{{0,8}}|'(?:[^'\n]|''){{0,200}}')"
_VALUE = rf"(?:{_SCALAR}|\[ *(?:{_SCALAR}(?: *, *{_SCALAR})*)? *\])"
_LINE = expression(rf"(?P<indent> *)(?P<key>{_WORD}):(?: +(?P<value>{_VALUE}))? *(?: #.*)?")
_ITEM = expression(_SCALAR)
_EMPTY = expression(r" *(?:#.*)?")
#: Nothing that is a line break, or not allowed, to some YAML reader.
_TEXT = expression(r"[\n -~\u00a1-\u1fff\u2010-\u2027\u2030-\u2fff]*")
_SPECIAL = frozenset("y n yes no on off true false null".split())
_TRUTH = {"true": True, "false": False}
_DEPTH = 10


def plain(text: str) -> dict[str, Any] | None:
    """The mapping that the text holds; None when it is not plain."""
    if not _TEXT.fullmatch(text):
        return None
    top: dict[str, Any] = {}
    #: The mappings that are open, outermost first, each with its indentation.
    levels: list[tuple[int, dict[str, Any]]] = [(0, top)]
    below: tuple[dict[str, Any], str] | None = None
    for line in text.split("\n"):
        if _EMPTY.fullmatch(line):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        indent, key, value = len(match["indent"]), match["key"], match["value"]
        if indent > levels[-1][0]:
            if below is None or len(levels) == _DEPTH:
                return None
            nested: dict[str, Any] = {}
            below[0][below[1]] = nested
            levels.append((indent, nested))
        while indent < levels[-1][0]:
            levels.pop()
        into = levels[-1][1]
        if indent != levels[-1][0] or key in into or key.lower() in _SPECIAL:
            return None
        try:
            into[key] = None if value is None else _value(value)
        except ValueError:
            return None
        below = (into, key) if value is None else None
    return top or None


def _value(written: str) -> Any:
    if written.startswith("["):
        return [_scalar(item) for item in _ITEM.findall(written)]
    return _scalar(written)


def _scalar(written: str) -> str | int | bool:
    """One value. Raises ValueError for a word that some readers take for something else."""
    if written.startswith("'"):
        return written[1:-1].replace("''", "'")
    if written[0].isdigit():
        return int(written)
    if written in _TRUTH:
        return _TRUTH[written]
    if written.lower() in _SPECIAL:
        raise ValueError(written)
    return written
