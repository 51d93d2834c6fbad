"""The texts that models are sent, from plain files, and the quoting of what others wrote.

Contract: a template is a file of ``resources/prompts`` (or one of the caller's) and goes as the system message, as it
stands; question and evidence go in a message of their own, as JSON, between two lines with a mark that is a hash of
them, so that no text can close its own quotation. In quoted text every character that steers (controls, bidirectional
marks, line separators) or that chat templates and citations are written with (angle and square brackets) is written as
an escape of JSON: a text can neither end its string, nor begin a turn of the dialogue, nor pass for a citation.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from imprimatur.answer import Message
from imprimatur.errors import InputError, nearest
from imprimatur.models.asking import Prompt

__all__ = [
    "Exhibit",
    "Template",
    "compose",
    "final_answer",
    "marked_answer",
    "quoted",
    "template",
    "template_names",
    "without_thoughts",
]

_FOLDER = Path(__file__).parent.parent / "resources" / "prompts"
_MOST = 100_000
_STEERING = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_MARKUP = "<>[]"
_ANSWER = re.compile(r"^[ \t]*(?:\*\*)?Answer:(?:\*\*)?[ \t]*", re.MULTILINE)
_THOUGHTS = ("<think>", "</think>")


@dataclass(frozen=True, slots=True)
class Template:
    """Instructions, with the hash by which reports name them."""

    name: str
    text: str

    @property
    def content_hash(self) -> str:
        """The first 16 digits of the text's SHA-256."""
        return sha256(self.text.encode()).hexdigest()[:16]

    @property
    def identity(self) -> str:
        """What reports name it by."""
        return f"prompt {self.name} ({self.content_hash})"


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One piece of evidence as a model is shown it; its number is its place, from 1."""

    text: str
    source: str = ""


def template_names() -> tuple[str, ...]:
    """The names of the templates that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))


@cache
def template(name: str | Path) -> Template:
    """A template: a name, or a file of the caller's.

    Raises:
        InputError: there is none of that name, or the file cannot be read as UTF-8 text, is empty or too long.
    """
    if isinstance(name, str) and name not in template_names():
        near = nearest(name, template_names())
        hint = f"did you mean {near!r}?" if near else f"choose among {', '.join(template_names())}"
        raise InputError(f"no prompt is called {name[:60]!r}", hint=hint)
    path = _FOLDER / f"{name}.txt" if isinstance(name, str) else name
    try:
        text = path.read_bytes().decode("utf-8-sig").strip()
    except (OSError, ValueError) as fault:
        raise InputError("the prompt cannot be read", where=str(path), hint="it must be UTF-8 text") from fault
    if not 0 < len(text) <= _MOST:
        raise InputError(f"a prompt has 1 to {_MOST} characters", where=str(path))
    return Template(path.stem, text)


def compose(
    instructions: Template, question: str, evidence: Sequence[Exhibit] | None = None, *, tokens: int | None = None
) -> Prompt:
    """The prompt that asks a question under some instructions.

    Args:
        instructions: the template.
        question: what is asked; as it stands where there is no evidence to set it off from.
        evidence: what is shown, in order; None for templates that show none.
        tokens: the longest answer.
    """
    material = question if evidence is None else _material(question, evidence)
    return Prompt(messages=(Message("system", instructions.text), Message("user", material)), tokens=tokens)


def quoted(text: str) -> str:
    """A text as a JSON string in which nothing steers."""
    return "".join(_escaped(char) for char in json.dumps(text, ensure_ascii=False))


def final_answer(text: str) -> str:
    """What is to be judged of an answer that was thought aloud.

    That is what follows the last ``Answer:`` at a line's beginning, or all of it where there is none; thoughts between
    ``<think>`` marks are left out where they come first.
    """
    marked = marked_answer(text)
    return without_thoughts(text) if marked is None else marked


def marked_answer(text: str) -> str | None:
    """What follows the last ``Answer:`` at a line's beginning; None where there is no such line outside of thoughts."""
    rest = without_thoughts(text)
    marks = list(_ANSWER.finditer(rest))
    return rest[marks[-1].end() :].strip() if marks else None


def without_thoughts(text: str) -> str:
    """The text without what stands between ``<think>`` marks where that comes first; nothing where it never ends."""
    opening, closing = _THOUGHTS
    rest = text.lstrip()
    return rest.partition(closing)[2].strip() if rest.startswith(opening) else rest.strip()


def _material(question: str, evidence: Sequence[Exhibit]) -> str:
    asked = quoted(question)
    lines = [_line(number, each) for number, each in enumerate(evidence, 1)]
    mark = sha256("\n".join((asked, *lines)).encode()).hexdigest()[:24]
    return "\n".join((f"Question: {asked}", f"Evidence between the marks {mark}:", mark, *lines, mark))


def _line(number: int, exhibit: Exhibit) -> str:
    source = f', "source": {quoted(exhibit.source)}' if exhibit.source else ""
    return f'{{"number": {number}{source}, "text": {quoted(exhibit.text)}}}'


def _escaped(char: str) -> str:
    if char not in _MARKUP and unicodedata.category(char) not in _STEERING:
        return char
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
