"""GLiNER and GLiNER2 as one thing: a text and labels in, marked names and relations out.

Contract: nothing is fetched and no code of the folder is run while a model is opened; a checkpoint that lacks weights
is refused, for those would be made up at random. One text is read at a time, so that what is marked in it does not
depend on the texts beside it. A text that is longer than the model reads is a failure: what it leaves out would look
like silence. A process that was forked with an open model goes on with one thread.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.extractors.marker_folder import MarkerFolder
from imprimatur.judges.networks import offline

__all__ = ["Marker", "Marks", "Span", "Thresholds", "open_marker"]

_MOST_WORDS = 512

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The scores from which a name and a relation count."""

    names: float
    relations: float


@dataclass(frozen=True, slots=True)
class Marks:
    """What was marked in a text: names with their labels, and relations between spans."""

    names: tuple[tuple[Span, str], ...] = ()
    relations: tuple[tuple[Span, str, Span], ...] = ()


class Marker(Protocol):
    """A model, open; ``relates`` says whether it marks relations by itself."""

    relates: bool

    def mark(self, text: str, labels: Sequence[str], relations: Sequence[str]) -> Marks:
        """What it marks in a text. Raises CheckFailed where it fails, or the text is too long for it."""
        ...


def open_marker(folder: MarkerFolder, thresholds: Thresholds) -> Marker:
    """The model in a folder. Raises ConfigError where what runs it is not installed, or it cannot be read."""
    if any(find_spec(name) is None for name in ("torch", folder.library)):
        message = f"{folder.library} is not installed"
        raise ConfigError(message, where=str(folder.path), hint="pip install 'imprimatur[gliner]'")
    return _Gliner(folder, thresholds) if folder.library == "gliner" else _Gliner2(folder, thresholds)


class _Model:
    """What both have in common: the network, its threads, and the longest text."""

    def __init__(self, folder: MarkerFolder, network: Any, parameters: Any) -> None:
        missing = _missing(folder, [name for name, _ in parameters.named_parameters()])
        if missing:
            message = f"the folder lacks {len(missing)} of the model's weights, for instance {missing[0][:80]}"
            raise ConfigError(message, where=str(folder.path), hint="is it a model of this kind?")
        self.network = network.eval()
        longest = folder.settings.get("max_len")
        self._longest = min(longest, _MOST_WORDS) if isinstance(longest, int) and longest > 0 else _MOST_WORDS
        self._owner = os.getpid()

    def begin(self, text: str) -> None:
        """Makes ready for one text. Raises CheckFailed where it is too long."""
        if self._owner != os.getpid():
            import torch

            torch.set_num_threads(1)
            self._owner = os.getpid()
        if _words(text) > self._longest:
            raise CheckFailed(f"reads no more than {self._longest} words at once")


class _Gliner(_Model):
    """A model of the package ``gliner``."""

    def __init__(self, folder: MarkerFolder, thresholds: Thresholds) -> None:
        with _reading(folder):
            from gliner import GLiNER

            found = GLiNER.from_pretrained(str(folder.path.resolve()), local_files_only=True)
        super().__init__(folder, found, found.model)
        self.relates = bool(folder.settings.get("relations_layer"))
        self._thresholds = thresholds

    def mark(self, text: str, labels: Sequence[str], relations: Sequence[str]) -> Marks:
        """What it marks in a text."""
        self.begin(text)
        more: dict[str, Any] = {}
        if self.relates:
            more = {"relations": list(relations), "relation_threshold": self._thresholds.relations}
        with _failing():
            found = self.network.inference([text], list(labels), threshold=self._thresholds.names, **more)
        names, related = found if self.relates else (found, [[]])
        return Marks(
            tuple((_span(each), str(each["label"])) for each in names[0]),
            tuple((_span(each["head"]), str(each["relation"]), _span(each["tail"])) for each in related[0]),
        )


class _Gliner2(_Model):
    """A model of the package ``gliner2``, which marks relations with names."""

    relates = True

    def __init__(self, folder: MarkerFolder, thresholds: Thresholds) -> None:
        with _reading(folder):
            from gliner2 import AutoExtractor

            found = AutoExtractor.from_pretrained(str(folder.path.resolve()), local_files_only=True)
        super().__init__(folder, found, found)
        self._thresholds = thresholds

    def mark(self, text: str, labels: Sequence[str], relations: Sequence[str]) -> Marks:
        """What it marks in a text: names first, then relations, each by its own threshold."""
        self.begin(text)
        told = {"include_confidence": True, "include_spans": True}
        with _failing():
            said = self.network.extract_entities(text, list(labels), threshold=self._thresholds.names, **told)
            related: Mapping[str, Any] = {}
            if relations:
                bound = self._thresholds.relations
                related = self.network.extract_relations(text, list(relations), threshold=bound, **told)
        found = said.get("entities", {})
        pairs = related.get("relation_extraction", {})
        # The package puts a full stop behind a text without one, so that a span may end behind the text.
        names = [(_span(each), label) for label, marked in found.items() for each in marked]
        both = [(_span(each["head"]), label, _span(each["tail"])) for label, marked in pairs.items() for each in marked]
        return Marks(tuple(names), tuple(both))


def _span(marked: Mapping[str, Any]) -> Span:
    return int(marked["start"]), int(marked["end"])


def _words(text: str) -> int:
    """How many words and signs the models count in a text, at the most."""
    return sum(1 if part.isalnum() else len(part) for part in text.split())


def _missing(folder: MarkerFolder, parameters: Sequence[str]) -> list[str]:
    """The parameters of a network that the folder's file has no weights for."""
    from safetensors import safe_open

    with safe_open(str(folder.path / "model.safetensors"), framework="pt") as opened:
        there = set(opened.keys())
    ends = {key.partition(".")[2] for key in there} | there
    return sorted(name for name in parameters if name not in ends and name.partition(".")[2] not in there)


@contextmanager
def _failing() -> Iterator[None]:
    """What a model raises, as a failed check: it fails in as many ways as there are models."""
    try:
        yield
    except Exception as fault:
        raise CheckFailed(f"failed while it was run ({type(fault).__name__})") from fault


@contextmanager
def _reading(folder: MarkerFolder) -> Iterator[None]:
    """No look at a hub while a model is opened, nothing printed, and every failure as a mistake in the folder."""
    try:
        with offline(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except Exception as fault:  # as above
        message = f"no model can be read there ({type(fault).__name__})"
        raise ConfigError(message, where=str(folder.path), hint="are all files of the model in it?") from fault
