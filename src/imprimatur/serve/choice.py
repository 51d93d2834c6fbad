"""One choice of a chat completion on its way through the gate: plain (a message) or streamed (deltas).

What is text goes through the five stages; tool calls, refusals and whatever else a server sends stay as they are and
are counted as not examined. Invariants: a chunk keeps its place and form; text that was changed or held back carries no
``logprobs`` of other text; after the choice has ended nothing more of it goes out.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

from imprimatur.errors import ModelFailed
from imprimatur.report import Report
from imprimatur.stream import Gate, Mode

__all__ = ["StreamedChoice", "joined_surrogates", "mended", "other_content", "text_of"]

#: What belongs to the form of a message and is no content.
_FORM = frozenset(("role", "content", "annotations", "obfuscation"))


def other_content(message: Mapping[str, Any]) -> list[str]:
    """The names of what a message, or a delta, holds beside its text."""
    return [key for key, value in message.items() if key not in _FORM and value]


def text_of(content: object) -> str | None:
    """The text of a message or delta, also where it comes in parts. Raises ModelFailed where it is none."""
    if content is None or isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [
        part.get("text") if isinstance(part, dict) and part.get("type", "text") == "text" else None for part in parts
    ]
    if not all(isinstance(text, str) for text in texts):
        raise ModelFailed("the model server sent what is no completion")
    return "".join(text for text in texts if text)


def joined_surrogates(text: str) -> tuple[str, str]:
    """A text whose halves of characters are joined, and the half that its end leaves over.

    JSON escapes may split a character beyond U+FFFF over two chunks; a half that finds no other becomes U+FFFD.
    """
    left = ""
    if text and "\ud800" <= text[-1] <= "\udbff":
        text, left = text[:-1], text[-1]
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text, left


def mended(text: str) -> str:
    """A whole text whose halves of characters are joined; a half that finds no other becomes U+FFFD."""
    joined, left = joined_surrogates(text)
    return joined + "\ufffd" * len(left)


class StreamedChoice:
    """A choice that arrives in deltas.

    Args:
        index: its number.
        gate: what its text goes through.
        tools: whether tool calls may follow its text: then a stopped text does not end the choice.
    """

    def __init__(self, index: int, gate: Gate, *, tools: bool = False) -> None:
        self.index = index
        self.gate = gate
        self.others: Counter[str] = Counter()
        self.ended = False
        self._tools = tools
        self._half = ""
        self._passed = 0  # of the text that went out as it came
        self._intact = True
        self._logprobs: deque[tuple[int, Any]] = deque()  # where the text of each entry ends

    @property
    def report(self) -> Report | None:
        """The report, once the choice has ended."""
        return self.gate.report

    async def take(self, choice: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What goes out for a choice of an upstream chunk, as choices of chunks; nothing while all is held back."""
        if self.ended:
            return []
        delta = choice["delta"]
        came = delta.get("content")
        shown = await self._feed(came) if isinstance(came, str) else ""
        if choice.get("logprobs"):
            self._keep(choice["logprobs"])
        finish = choice.get("finish_reason")
        if self.gate.blocked and not self._tools:
            finish = "content_filter"
        if came and not shown and not finish and len(delta) == 1:
            return []  # most chunks: text that is held back
        self.others.update(other_content(delta))
        rest = {key: value for key, value in delta.items() if key != "content"}
        out = [self._chunk(rest, shown, choice, opening=came == "")]
        if finish:
            out += await self._end(str(finish))
        return [each for each in out if each]

    async def close(self) -> list[dict[str, Any]]:
        """What goes out where the stream ends properly and this choice was given no reason for its end."""
        return [] if self.ended else [each for each in await self._end("stop") if each]

    def abandon(self) -> Report:
        """Ends the choice where the rest of it will never come: what was held back stays so."""
        self.ended = True
        return self.gate.abandon()

    async def _feed(self, came: str) -> str:
        if self._half or not came.isascii():
            came, self._half = joined_surrogates(self._half + came)
        return await self.gate.afeed(came)

    async def _end(self, finish: str) -> list[dict[str, Any]]:
        self.ended = True
        rest = await self.gate.afeed("\ufffd") if self._half else ""
        rest += await self.gate.afinish()
        report = self.gate.report
        withheld = report is not None and report.decision.kind == "abstained"
        if withheld and self.gate.mode in (Mode.HOLD, Mode.BUFFER) and finish not in ("tool_calls", "function_call"):
            finish = "content_filter"
        out = [self._chunk({}, rest, {}, opening=False)]
        return [*out, {"index": self.index, "delta": {}, "finish_reason": finish}]

    def _keep(self, logprobs: object) -> None:
        """Remembers the ``logprobs`` of text that came, until that text goes out."""
        entries = logprobs.get("content") if isinstance(logprobs, dict) else None
        at = self._logprobs[-1][0] if self._logprobs else self._passed
        for entry in entries if isinstance(entries, list) else ():
            at += len(str(entry.get("token", ""))) if isinstance(entry, dict) else 0
            self._logprobs.append((at, entry))

    def _chunk(
        self, delta: Mapping[str, Any], shown: str, choice: Mapping[str, Any], *, opening: bool
    ) -> dict[str, Any]:
        """A choice with some text and what else came; empty where there is nothing to send."""
        if not delta and not shown:
            return {}
        said = {**delta, **({"content": shown} if shown or opening else {})}
        made: dict[str, Any] = {"index": self.index, "delta": said, "finish_reason": None}
        if "logprobs" in choice or self._logprobs:
            made["logprobs"] = self._told(shown)
        return made

    def _told(self, shown: str) -> dict[str, Any] | None:
        """The ``logprobs`` of text that goes out exactly as it came; None for any other."""
        end = self._passed + len(shown)
        entries = []
        said = ""
        while self._logprobs and self._logprobs[0][0] <= end:
            entry = self._logprobs.popleft()[1]
            entries.append(entry)
            said += str(entry.get("token", "")) if isinstance(entry, dict) else ""
        self._intact = self._intact and said == shown
        self._passed = end
        return {"content": entries} if entries and self._intact else None
