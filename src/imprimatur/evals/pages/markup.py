"""HTML and SVG, made so that nothing from an outcome can be anything but text.

A ``Markup`` is finished; every other text is escaped when it is put into an element. Invariants: only ``tag`` and
``raw`` make markup, and ``raw`` is given this package's own files alone; control characters and marks that reorder text
are shown as escapes; a text is at most so long that a page stays usable (``MOST`` characters); there is no ``style``
attribute and no event handler, so that a strict policy can forbid both.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from imprimatur.cli.terminal import plain

__all__ = ["MOST", "Markup", "clipped", "headline", "joined", "raw", "tag"]

#: Of one text so much is shown, and then how much more there is.
MOST = 4000
_ALONE = frozenset(("br", "hr", "meta"))
_Value = str | int | float | bool | None


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, /, *content: str, **attributes: _Value) -> Markup:
    """An element. Attributes are named as in Python: ``class_``, ``aria_label``; None and False leave one out."""
    said = "".join(
        _attribute(key, value) for key, value in attributes.items() if value is not None and value is not False
    )
    if name in _ALONE:
        return Markup(f"<{name}{said}>")
    return Markup(f"<{name}{said}>{joined(content)}</{name}>")


def _attribute(key: str, value: _Value) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_escaped(str(value))}"'


def joined(parts: Iterable[str]) -> Markup:
    """Several parts, one after the other."""
    return Markup("".join(part if isinstance(part, Markup) else _escaped(part) for part in parts))


def raw(text: str) -> Markup:
    """A file of this package, as it is."""
    return Markup(text)


def headline(text: str) -> str:
    """A title, no longer than a title may be."""
    return clipped(text, 200)


def clipped(text: str, most: int) -> str:
    """The text, at most so many characters of it, and then how many more there are."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} more characters)"


def _escaped(text: str) -> str:
    return escape(plain(clipped(text, MOST)), quote=True)
