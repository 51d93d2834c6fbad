"""The lexicon of a knowledge base without a graph: no name and no property is known."""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.protocols import Entry, Found, Word

__all__ = ["NAMELESS", "EmptyLexicon"]


class EmptyLexicon:
    """The lexicon of a knowledge base without a graph: no name and no property is known."""

    def find(self, tokens: Sequence[Word]) -> Sequence[Found]:
        """Nothing."""
        return ()

    def candidates(self, name: str) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def entries(self, key: str) -> Sequence[Entry]:
        """Nothing."""
        return ()

    def classes(self, noun: str) -> Sequence[str]:
        """Nothing."""
        return ()

    def instances(self, class_iri: str) -> Sequence[str]:
        """Nothing."""
        return ()

    def of_kind(self, noun: str, entity: str) -> bool:
        """Nothing is known to be anything."""
        return False

    def is_person(self, entity: str) -> bool | None:
        """Nothing is known of anyone."""
        return None

    def general(self, noun: str, entity: str) -> bool:
        """Nothing is known to be anything."""
        return False


NAMELESS = EmptyLexicon()
