"""A flat store in place of tables: keys with values, each with the words of the reference that it was made of.

The paper's baseline that asks whether it is the relations which help. The rules are those of ``database``: an entry
whose quotation does not stand in the reference, or does not hold its numbers, is never used.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.teqhallu import shapes
from imprimatur.teqhallu.asker import Asker
from imprimatur.teqhallu.building import portions
from imprimatur.teqhallu.found import Shown, Span
from imprimatur.teqhallu.kinds import Stage
from imprimatur.teqhallu.spans import located, numbers_of, unheld

__all__ = ["Entries"]

_MOST = 2000
_MOST_KEYS = 300


class Entries:
    """Keys, their values, and where these come from."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.failed: list[str] = []
        self.unmarked = 0
        self._found: dict[tuple[str, str], Span] = {}

    @property
    def rows(self) -> int:
        """How many entries there are."""
        return len(self._found)

    @property
    def spans(self) -> frozenset[Span]:
        """The words that left an entry."""
        return frozenset(self._found.values())

    def close(self) -> None:
        """Forgets everything."""
        self._found.clear()

    def keys(self) -> tuple[str, ...]:
        """The keys, each once, the oldest first."""
        return tuple(dict.fromkeys(key for key, _ in self._found))[:_MOST_KEYS]

    def build(self, texts: Sequence[str], asker: Asker) -> None:
        """Adds what some texts say. Raises what asking the model raises."""
        new = [text for text in texts if text not in self.texts]
        self.texts.extend(new)
        for portion in portions(new, asker.limits.characters):
            shape = shapes.entries("\n".join(portion))
            said = asker.ask(Stage.ENTRIES, "entries", shape, keys=list(self.keys()), reference=list(portion))
            for each in said["entries"]:
                self._add(each["key"].strip(), each["value"].strip(), each["quote"])

    def look(self, keys: Sequence[str]) -> Shown:
        """The entries of some keys."""
        wanted = {key.strip() for key in keys}
        found = [(key, value, span) for (key, value), span in self._found.items() if key in wanted]
        return Shown(
            query=", ".join(sorted(wanted)),
            columns=("key", "value"),
            rows=tuple((key, value) for key, value, _ in found),
            measured=tuple(value for _, value, _ in found),
            spans=tuple(dict.fromkeys(span for _, _, span in found)),
        )

    def _add(self, key: str, value: str, quote: str) -> None:
        span = located(quote, self.texts)
        if span is None or not key or unheld(value, numbers_of([span.text])) or len(self._found) >= _MOST:
            self.unmarked += 1
            return
        self._found.setdefault((key, value), span)
