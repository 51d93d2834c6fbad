"""Completions in a file, taken from it where they are there, asked for and appended where they are not.

Recording and replaying are one thing: with a model, what the file lacks is asked; without one, it is an error that
names the first prompt that is missing. A file may hold the answers of several models, each in a *role* (the model, a
tuned one …) and a *run* (a seed). One JSON object a line: first, where there is one, a head ``{recording, settings,
note}``; then ``{key, model, role?, run?, answer}``, where ``key`` is the hash of the model's identity and the prompt
(``asking.fingerprint``) and ``answer`` is that of ``recorded``, whose files are read too. A name that ends with ``.gz``
is compressed.

Invariants: an answer is given only to the very prompt, of the very model, that it was recorded for; equal prompts have
one answer, so that ways of asking that begin alike revise the same draft; calls for want of time or budget, or of a
server that is not there, are not kept, so that they are asked again; no key and no header of a request is in a file.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from io import TextIOBase
from pathlib import Path
from typing import Any, cast

from imprimatur.errors import ImprimaturError, InputError, LimitExceeded, StoreUnavailable
from imprimatur.models.asking import Completion, Model, Prompt, fingerprint
from imprimatur.models.recorded import answer_of, kept_answer, kept_fault

__all__ = ["RECORDING", "Recording"]

#: The name of the form, in the head of a file.
RECORDING = "imprimatur.recording/1"
_PASSING = (LimitExceeded, StoreUnavailable)
_SHAPE = '{"key": "…", "model": "…", "answer": {"text": "…", "finish": "stop"}}'
#: Which model in which run.
_Place = tuple[str, int]


class Recording:
    """The answers of a file, by role and run. It may be used by several threads.

    Attributes:
        settings: what the head says of how the answers were asked for; empty where there is none.
        note: what the head says beside, in words.
        asked, taken: how many answers were asked for, and how many came from the file.
    """

    def __init__(self, path: Path) -> None:
        """Reads a file; one that is not there yet is begun when the first answer comes.

        Raises:
            InputError: the file cannot be read, or a line of it is none of a recording; the line is named.
        """
        self.path = path
        self.asked = self.taken = 0
        self._answers: dict[str, dict[str, Any]] = {}
        self._names: dict[_Place, dict[str, None]] = {}
        self._places: dict[str, _Place] = {}
        self._used: set[str] = set()
        self._lock = threading.Lock()
        head: Mapping[str, Any] | None = None
        for number, line in _lines(path):
            where = f"{path}:{number}"
            row = _object(line, where)
            if "recording" in row and number == 1:
                head = _head(row, where)
            else:
                self._take(row, where)
        self._begun = head is not None or bool(self._answers)
        self.settings: Mapping[str, Any] = (head or {}).get("settings", {})
        self.note: str = (head or {}).get("note", "")

    def describe(self, settings: Mapping[str, Any], note: str = "") -> None:
        """Gives a file that has nothing yet its head."""
        if not self._begun:
            self.settings, self.note = dict(settings), note

    def roles(self) -> tuple[str, ...]:
        """The roles that have answers, the model itself ("") first."""
        return tuple(sorted({role for role, _ in self._names}))

    def runs(self) -> tuple[int, ...]:
        """The runs that have answers, in order."""
        return tuple(sorted({run for _, run in self._names}))

    def model(self, role: str = "", run: int = 1, *, opened: Callable[[], Model] | None = None) -> Model:
        """What answers in a role and run: the file, and behind it a model, where one is given.

        Raises:
            InputError: there is no model, and the file has answers of none, or of several, in this role and run.
        """
        if opened is not None:
            model = opened()
            return _Recorded(self, model.identity, (role, run), model)
        names = [*self._names.get((role, run), ())]
        if len(names) != 1:
            told = f" as {role!r}" if role else ""
            message = f"has answers of {len(names)} models{told} in run {run}, not of one"
            if not names:
                there = "" if self.path.exists() else "there is no such file, and so "
                message = f"{there}no model is known that answers{told} in run {run}"
            raise InputError(message, where=str(self.path), hint="name the model that is to be asked")
        return _Recorded(self, names[0], (role, run), None)

    def stale(self) -> tuple[str, ...]:
        """What of the file was not used, in words: of prompts that were not put, or of other models."""
        rest = [key for key in self._answers if key not in self._used]
        by_place: dict[_Place, int] = {}
        for key in rest:
            by_place[self._places[key]] = by_place.get(self._places[key], 0) + 1
        return tuple(
            f"{count} recorded answers{f' of {role!r}' if role else ''} in run {run} were not asked for:"
            " they are stale, or of other questions"
            for (role, run), count in sorted(by_place.items())
        )

    def find(self, key: str, prompt: Prompt, *, or_fail: bool) -> Completion | None:
        """The answer under a key, or None. Raises InputError where there must be one; or what the call raised."""
        with self._lock:
            found = self._answers.get(key)
            if found is None and or_fail:
                asked = " ".join(prompt.messages[-1].content.split())[:100] if prompt.messages else ""
                message = f"has no answer to the prompt {asked!r} ({key[:12]})"
                raise InputError(
                    message,
                    where=str(self.path),
                    hint="name the model, and a file of your own where this one is bundled",
                )
            if found is None:
                return None
            self.taken += 1
            self._used.add(key)
        return answer_of(found)

    def keep(self, key: str, name: str, place: _Place, answer: dict[str, Any]) -> None:
        """Appends an answer. Raises InputError where the file cannot be written."""
        role, run = place
        row = {"key": key, "model": name, **({"role": role} if role else {}), **({"run": run} if run != 1 else {})}
        with self._lock:
            self.asked += 1
            self._used.add(key)
            if key in self._answers:
                return
            self._answers[key] = answer
            self._places[key] = place
            rows = [] if self._begun else [{"recording": RECORDING, "settings": self.settings, "note": self.note}]
            self._begun = True
            _append(self.path, [*rows, {**row, "answer": answer}])

    def _take(self, row: dict[str, Any], where: str) -> None:
        try:
            key, name, answer = str(row["key"]), str(row["model"]), dict(row["answer"])
            place = (str(row.get("role", "")), int(row.get("run", 1)))
            if "error" not in answer:
                answer_of(answer)
        except (LookupError, TypeError, ValueError, AttributeError) as fault:
            message = f"no recorded answer: {type(fault).__name__}"
            raise InputError(message, where=where, hint=f"a line looks like {_SHAPE}") from fault
        self._answers.setdefault(key, answer)
        self._places.setdefault(key, place)
        self._names.setdefault(place, {})[name] = None


class _Recorded:
    """A model of which some answers are in a file (a ``Model``)."""

    def __init__(self, recording: Recording, name: str, place: _Place, model: Model | None) -> None:
        self.identity = name
        self._recording, self._place, self._model = recording, place, model

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """See ``Model``. InputError where the answer is neither recorded nor can be asked for, or kept."""
        key = fingerprint(self.identity, prompt)
        found = self._recording.find(key, prompt, or_fail=self._model is None)
        if found is not None or self._model is None:
            return cast(Completion, found)
        try:
            said = self._model.complete(prompt, seconds=seconds)
        except _PASSING:
            raise
        except ImprimaturError as fault:
            self._recording.keep(key, self.identity, self._place, kept_fault(fault))
            raise
        self._recording.keep(key, self.identity, self._place, kept_answer(said))
        return said


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that have something, numbered; none where there is no file yet."""
    if not path.exists():
        return
    try:
        with _opened(path, "rt") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line
    except (OSError, ValueError, EOFError) as fault:
        raise InputError(f"cannot be read: {fault}", where=str(path), hint="is it a recording?") from fault


def _append(path: Path, rows: list[dict[str, Any]]) -> None:
    try:
        with _opened(path, "at") as stream:
            for row in rows:
                stream.write(json.dumps(row, ensure_ascii=True, separators=(",", ":")) + "\n")
    except OSError as fault:
        raise InputError(f"cannot be written: {fault.strerror}", where=str(path)) from fault


def _opened(path: Path, mode: str) -> TextIOBase:
    if path.suffix == ".gz":
        return cast(TextIOBase, gzip.open(path, mode, encoding="utf-8"))
    return cast(TextIOBase, path.open(mode.removesuffix("t"), encoding="utf-8"))


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise InputError("is not a line of JSON", where=where, hint=f"a line looks like {_SHAPE}") from fault
    if not isinstance(row, dict):
        raise InputError("is not a JSON object", where=where, hint=f"a line looks like {_SHAPE}")
    return row


def _head(row: dict[str, Any], where: str) -> Mapping[str, Any]:
    if row["recording"] != RECORDING or not isinstance(row.get("settings", {}), dict):
        raise InputError("is a recording of a form that is not known", where=where, hint=f"known is {RECORDING}")
    return {"settings": row.get("settings", {}), "note": str(row.get("note", ""))}
