"""Reading the words of one paragraph, list item or quote: sentence ends, brackets, inline code, label lines.

Invariants: the reader only moves forward; inline code is never split; a quotation or bracket that was opened within a
sentence keeps it together for ``NEST_LIMIT`` characters, so that what is quoted is not torn from who said it.
"""

from __future__ import annotations

import re

from imprimatur._expressions import expression
from imprimatur._segment_drafts import Draft, Drafts, Row
from imprimatur._segment_nest import BRACKETS, NO_NEST, Nest, may_open
from imprimatur._segment_stops import DANGLING, HARD, STOPS, Stop, ends_sentence, is_extender, stop_kind
from imprimatur._segment_window import LINE_END, Wait, Window
from imprimatur.answer import Kind

__all__ = ["SPACES", "Inline"]

MAX_CELLS = 1000
LABEL_LENGTH = 44
SHORT_LINE = 60

WORD = expression(r"[^\W_]")
SPACES = expression(r"[^\S\n\r\u2028\u2029]+")
_EVENT = expression(rf"[!?…{HARD}\n\r\u2028\u2029|`\\*_:：]|\.(?![^\W_])|(?P<brackets>[{BRACKETS}]+)")
_STOP_RUN = expression(rf"[{STOPS}]+")
_TICKS = expression(r"`+")
_PIPES = expression(r"[|]+")
_STARS = expression(r"[*_]+")
_CLOSING = expression(r"[)\]}）］｝」』】”’»›¹²³⁰⁴-⁹]+")
_OPENING = expression(r"[(\[{（［「『【“‘„«\"'*_<¿¡#]+")
_CITATION = expression(
    r"\[\^?(?:[A-Za-z]{0,12}[:#-]?)?\d{1,4}(?:[,;–-] ?\d{1,4})*\]|\[(?:\^[^\s\[\]]{1,200}| ?mem:[^\[\]\n]{1,220})\]"
)
_CITATION_END = expression(r"[\]\n\r\u2028\u2029]")
_TARGET_END = expression(r"[)\s]")
_NOT_WORD = expression(r"[\W_]")
_PLAIN_NEXT = expression(r" (?![A-Z]\.)([^\W_]{1,13})(?=[\W_])")
_HIRAGANA = expression("[\u3041-\u309f]")
_KEY = expression(r"[*_]{0,3}[^\W\d_][^\n\r\u2028\u2029:：.!?,;|]{0,40}")
_KEY_END = expression(r"[\n\r\u2028\u2029:：.!?,;|]")


class Inline:
    """The reader of running text; ``read_line`` stops at each line end and leaves its findings in the attributes."""

    __slots__ = (
        "bold",
        "bold_end",
        "code",
        "draft",
        "drafts",
        "emphasis",
        "label",
        "lines",
        "nest",
        "row",
        "stop",
        "window",
    )

    def __init__(self, window: Window, drafts: Drafts) -> None:
        self.window = window
        self.drafts = drafts
        self.begin(Draft(0, 0, 0, Kind.SENTENCE))

    def begin(self, draft: Draft, *, row: Row | None = None) -> None:
        """Start on a new block whose first draft is ``draft``; ``row`` records cells of a possible table header."""
        self.draft = draft
        self.row = row
        self.code = 0
        self.emphasis = False
        self.bold = 0
        self.bold_end = 0
        self.nest = NO_NEST
        self.stop: Stop | None = None
        self.label = False
        self.lines: list[int] = []

    def read_line(self) -> Wait[None]:
        """Read to the end of the line or text. ``stop`` then tells whether and how the line ended a sentence."""
        window = self.window
        self.stop = None
        self.label = False
        self.lines.append(window.pos)
        while True:
            found = _EVENT.search(window.buffer, window.pos - window.base)
            self.absorb(window.base + found.start() if found else window.end)
            if found is None:
                if window.done:
                    return
                yield
                continue
            char = found.group()
            if char in "\n\r\u2028\u2029":
                return
            if found.lastgroup:
                self._on_brackets(char)
            elif char != "." or not self._pass_plain_stop():
                yield from self._event(char)

    def absorb(self, end: int, *, cell: bool = True) -> None:
        """Move to ``end``; the text passed becomes part of the draft's body."""
        window = self.window
        text = window.buffer[window.pos - window.base : end - window.base]
        kept = text.rstrip()
        if kept:
            draft = self.draft
            draft.last = window.pos + len(kept)
            if kept[-1] not in "*_":
                draft.colon = kept[-1] in ":："
            if not draft.words and WORD.search(kept):
                draft.words = True
                self.drafts.settle()
            if cell and self.row is not None:
                self.row.take(window.pos + len(text) - len(text.lstrip()), draft.last)
        window.pos = end

    def is_bold_line(self) -> bool:
        """Return whether the block is one line, all bold and not a sentence."""
        whole = self.draft.last - self.bold_end <= (1 if self.draft.colon else 0)
        return self.bold == 2 and whole and len(self.lines) == 1 and self.stop is None and self.draft.words

    def ends_at(self, tail: str) -> Wait[bool]:
        """Return whether the sentence ends at the line break just passed; ``pos`` is at the next line's text.

        Args:
            tail: the last characters before the line break.
        """
        if self._label_possible(tail) and (yield from self._label_ahead()):
            return True
        return self.stop is not None and (yield from self._ends(self.stop))

    def _label_possible(self, tail: str) -> bool:
        """Return whether the line before can stand before a label line: it is one, or short and complete."""
        if self.label or self.draft.last - self.lines[-1] > SHORT_LINE:
            return self.label
        words = tail.rsplit(None, 1)
        last = words[-1].lower() if words else ""
        return not self.code and last not in DANGLING and not last.endswith((",", ";", "(", "-", "–", "—"))

    def _label_ahead(self) -> Wait[bool]:
        window = self.window
        text = yield from window.ahead(window.pos, LABEL_LENGTH, _KEY_END)
        if text[-1:] not in (":", "：") or not text or not _KEY.fullmatch(text, 0, len(text) - 1):
            return False
        after = yield from window.peek(window.pos + len(text))
        words = text.strip("*_").split()
        capital = not words[0][:1].islower()
        return _closes_label(text, after) and (len(words) <= 5 if capital else self.label and len(words) <= 3)

    def _event(self, char: str) -> Wait[None]:
        if char in STOPS:
            yield from self._on_stop()
        elif char == "`":
            yield from self._on_ticks()
        elif char == "|":
            yield from self._on_pipe()
        elif char == "\\":
            following = yield from self.window.peek(self.window.pos + 1)
            self.absorb(self.window.pos + (1 if not following or LINE_END.match(following) else 2))
        elif char in "*_":
            yield from self._on_stars()
        else:
            yield from self._on_colon(char)

    def _on_ticks(self) -> Wait[None]:
        size = yield from self.skip(_TICKS)
        self.code = size if not self.code else 0 if self.code == size else self.code

    def _on_pipe(self) -> Wait[None]:
        row = self.row
        if row is None:
            yield from self.skip(_PIPES)
            return
        following = yield from self.window.peek(self.window.pos + 1)
        if following and is_extender(following):
            self.absorb(self.window.pos + 1)
            return
        self.absorb(self.window.pos + 1, cell=False)
        row.pipe()
        self.drafts.hold = True
        if row.pipes > MAX_CELLS:
            self.release()

    def release(self) -> None:
        """Give up the possible table header: its text is running text."""
        self.row = None
        self.drafts.hold = False
        self.drafts.settle()

    def _on_stars(self) -> Wait[None]:
        window = self.window
        before = window.behind(1)
        opening = window.pos == self.draft.first
        size = yield from self.skip(_STARS)
        self.emphasis = not self.emphasis
        if opening:
            self.bold = int(size >= 2)
        elif self.bold:
            self.bold = self.bold + 1 if before not in STOPS else 3
            self.bold_end = window.pos

    def _on_colon(self, char: str) -> Wait[None]:
        window = self.window
        length = window.pos - self.lines[-1]
        self.absorb(window.pos + 1)
        if not self.label and 0 < length <= LABEL_LENGTH:
            key = window.behind(length + 1)
            if _KEY.fullmatch(key, 0, length):
                self.label = _closes_label(key, (yield from window.peek(window.pos)))

    def _on_brackets(self, run: str) -> None:
        """Pass brackets and quotation marks: they open, deepen or close what keeps the sentence together."""
        window = self.window
        before = window.behind(1)
        start = window.pos
        self.absorb(start + len(run))
        if self.code:
            return
        for offset, char in enumerate(run):
            if self.nest.close:
                self.nest.count(char)
            elif may_open(char, before, inside=self.draft.words):
                self.nest = Nest(char, start + offset + 1)
            before = char

    def _pass_plain_stop(self) -> bool:
        """Pass a full stop that one space and a word follow, when the word has arrived; return False otherwise.

        This shortcut decides the most frequent case by the same rules as ``_on_stop`` decides every case.
        """
        window = self.window
        following = _PLAIN_NEXT.match(window.buffer, window.pos - window.base + 1)
        if not following or self.code or self.nest.close:
            return False
        word = following.group(1)
        kind = stop_kind(window.behind(min(40, window.pos - self.draft.first)), ".")
        self.absorb(window.pos + 2)
        if ends_sentence(kind, word[0], word):
            self._cut()
        return True

    def _on_stop(self) -> Wait[None]:
        window = self.window
        if self.code:
            self.absorb(window.pos + 1)
            return
        before = window.behind(min(40, window.pos - self.draft.first))
        run_end = yield from window.run(window.pos, _STOP_RUN, 8)
        at = window.pos - window.base
        kind = stop_kind(before, window.buffer[at : run_end - window.base])
        yield from self.skip(_STOP_RUN)
        closed = yield from self._closers(kind)
        yield from self._citations()
        following = yield from window.peek(window.pos)
        if following and not following.isspace() and (kind is not Stop.HARD or (closed and _HIRAGANA.match(following))):
            return
        yield from self.skip(SPACES)
        following = yield from window.peek(window.pos)
        if self.nest.holds(window.pos):
            return
        if not following or LINE_END.match(following):
            self.stop = kind
        elif (yield from self._ends(kind)):
            self._cut()

    def _closers(self, kind: Stop) -> Wait[bool]:
        """Pass the quotes, brackets, emphasis marks and combining marks that belong to the stop before them."""
        window = self.window
        start = window.pos
        while True:
            char = yield from window.peek(window.pos)
            if char and char in "*_" and (kind is not Stop.HARD or self.emphasis):
                yield from self._on_stars()
            elif char and char in "\"'" and (kind is not Stop.HARD or self.nest.close == char):
                self.nest.count(char)
                self.absorb(window.pos + 1)
            elif piece := _CLOSING.match(window.buffer, window.pos - window.base):
                self.nest.count(piece.group())
                self.absorb(window.base + piece.end())
            elif char and is_extender(char):
                self.absorb(window.pos + 1)
            else:
                return window.pos > start

    def _citations(self) -> Wait[None]:
        """Pass citation marks ("[1]", " [m2]", "[3](link)") that follow a stop."""
        window = self.window
        while True:
            index = yield from window.run(window.pos, SPACES, 2)
            if (yield from window.peek(index)) != "[":
                return
            text = yield from window.ahead(index, 240, _CITATION_END)
            if not _CITATION.fullmatch(text):
                return
            end = index + len(text)
            if (yield from window.peek(end)) == "(":
                target = yield from window.ahead(end, 300, _TARGET_END)
                end += len(target) if target.endswith(")") else 0
            self.absorb(end)

    def _ends(self, kind: Stop) -> Wait[bool]:
        window = self.window
        char = yield from window.peek(window.pos)
        if char and is_extender(char):
            return False
        index = yield from window.run(window.pos, _OPENING, 8)
        first = yield from window.peek(index)
        word = ""
        if kind in (Stop.OPENER, Stop.ORDINAL):
            word = (yield from window.ahead(index, 14, _NOT_WORD)).rstrip()
            initial = len(word) == 2 and word.endswith(".")  # "H. L. A. Hart": no article
            word = "" if initial else word[:-1] if _NOT_WORD.match(word[-1:]) else word
        return ends_sentence(kind, first, word)

    def _cut(self) -> None:
        before = self.draft
        self.drafts.close(same_line=True)
        if self.row is not None and not self.row.pipes:
            self.row = None
        self.draft = self.drafts.open(self.window.pos, self.window.pos, before.kind)
        self.draft.stem = before.stem
        self.nest = NO_NEST
        self.bold = 3

    def skip(self, pattern: re.Pattern[str]) -> Wait[int]:
        """Move past a run of any length; return how long it was."""
        window = self.window
        start = window.pos
        while True:
            found = pattern.match(window.buffer, window.pos - window.base)
            if found:
                self.absorb(window.base + found.end())
            if window.pos < window.end or window.done:
                return window.pos - start
            yield


def _closes_label(key: str, after: str) -> bool:
    """Return whether ``key`` with its colon, followed by ``after``, is a label rather than a clock time or URL."""
    return not after or after.isspace() or after in "*_" or key.endswith("：")
