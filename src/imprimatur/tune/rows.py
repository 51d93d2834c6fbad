"""Rows of dialogues to train on and to be asked, one JSON object a line.

``{id, messages, question, right, gold, about, supported, part, recipe, own?}``: ``messages`` (roles and contents, the
last being the assistant's) are all that a trainer of chat models needs. ``question``, ``right`` (right values) and
``gold`` (the triple) are what an evaluation asks, ``about`` the IRIs that the question names. ``own`` is what the model
itself answered before training, where it was asked, and whether that was right. Invariants: what is written is read
back equal; the same rows give the same bytes; a file appears whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from imprimatur.answer import Message
from imprimatur.cli.sink import Sink
from imprimatur.errors import InputError

__all__ = ["Own", "Row", "heldout_file", "read_rows", "rows_hash", "write_rows"]

_ROLES = ("system", "user", "assistant")
_SHAPE = '{"messages": [{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]}'
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Own:
    """What a model answered by itself; empty where it did not know. Whether that was right."""

    answer: str
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One dialogue; see the module."""

    id: str
    messages: tuple[Message, ...]
    question: str = ""
    right: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    part: str = "train"
    recipe: str = ""
    own: Own | None = None

    @property
    def asked(self) -> tuple[Message, ...]:
        """What a model is given."""
        return self.messages[:-1]

    @property
    def answer(self) -> str:
        """What it is to write."""
        return self.messages[-1].content

    def to_dict(self) -> dict[str, Any]:
        """As it is written."""
        made: dict[str, Any] = {
            "id": self.id,
            "messages": [{"role": each.role, "content": each.content} for each in self.messages],
            "question": self.question,
            "right": list(self.right),
            "gold": list(self.gold),
            "about": list(self.about),
            "supported": bool(self.right),
            "part": self.part,
            "recipe": self.recipe,
        }
        return made if self.own is None else {**made, "own": {"answer": self.own.answer, "right": self.own.right}}


def heldout_file(file: Path) -> Path:
    """Where the held-out rows of a file lie: ``rivers.jsonl`` -> ``rivers.heldout.jsonl``."""
    return file.with_name(f"{file.stem}.heldout{file.suffix or '.jsonl'}")


def write_rows(file: Path, rows: Iterable[Row]) -> None:
    """Writes rows. Raises InputError when the file cannot be written."""
    with Sink.open(str(file)) as sink:
        for row in rows:
            sink.write(json.dumps(row.to_dict(), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        sink.keep()


def read_rows(file: Path) -> list[Row]:
    """The rows of a file, in order; only ``messages`` must be there.

    Raises:
        InputError: it cannot be read, a line is no row, or there is none; the line is named.
    """
    found = [_row(line, f"{file}:{number}") for number, line in _lines(file)]
    if not found:
        raise InputError("has no rows", where=str(file), hint="make some by `imprimatur tune data`")
    return found


def rows_hash(rows: Iterable[Row]) -> str:
    """The SHA-256 of the rows as they are written."""
    digest = sha256()
    for row in rows:
        digest.update(json.dumps(row.to_dict(), ensure_ascii=True, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        with file.open(encoding="utf-8") as opened:
            for number, line in enumerate(opened, 1):
                if number > _MOST:
                    raise InputError(f"has more than {_MOST} lines", where=str(file), hint="train on fewer")
                if line.strip():
                    yield number, line
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError("cannot be read as text", where=str(file), hint=str(fault)[:200]) from fault


def _row(line: str, where: str) -> Row:
    try:
        said = json.loads(line)
        messages = tuple(Message(_role(each["role"]), _text(each["content"])) for each in said["messages"])
        own = said.get("own")
        row = Row(
            id=str(said.get("id", where.rpartition(":")[2])),
            messages=messages,
            question=_text(said.get("question", "")),
            right=tuple(map(_text, said.get("right", ()))),
            gold=tuple(map(_text, said.get("gold", ()))),
            about=tuple(map(_text, said.get("about", ()))),
            part=_text(said.get("part", "train")),
            recipe=_text(said.get("recipe", "")),
            own=None if own is None else Own(_text(own["answer"]), bool(own["right"])),
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        raise InputError(f"no row to train on: {str(fault)[:100]}", where=where, hint=f"like {_SHAPE}") from fault
    roles = [message.role for message in row.messages]
    if len(roles) < 2 or roles[-1] != "assistant" or "user" not in roles or not row.answer.strip():
        message = "a row begins with what is asked and ends with the assistant's answer"
        raise InputError(message, where=where, hint=f"like {_SHAPE}")
    return row


def _role(value: Any) -> Any:
    if value not in _ROLES:
        raise ValueError(f"the role {str(value)[:40]!r}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is no text")
    return value
