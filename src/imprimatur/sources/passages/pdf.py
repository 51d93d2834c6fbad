"""PDF: the text of its pages, as far as the file holds text at all.

A PDF is read in a process of its own (``pdf_child``) with limits of time and memory, for a made-up file can keep a
reader busy for ever. An encrypted file is refused, and so is one without any text (a scan); single pages without text
are noted. Lines are joined to paragraphs; a word that is parted at the end of a line is joined where the rest of the
document, or the dictionary, knows the whole word. A sentence that is cut by the end of a page is a fragment on both
sides: what stands between may be a running title, and what it says is not known from a half.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.language.morphology import lemmas
from imprimatur.sources.passages.extraction import Extraction
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.passage import SentenceKind

__all__ = ["read_pdf"]

_PARTED = expression(r"(\w+)[-\u00ad\u2010]\n(\w+)")
_WORDS = expression(r"[^\W\d_]{2,}")
_BLANK_LINES = expression(r"\n[ \t]*\n\s*")
_ENDED = frozenset('.!?:;"”’)]…。！？')


def read_pdf(raw: bytes, into: Extraction, limits: Limits) -> None:
    """Writes a PDF's text down, page by page.

    Raises:
        InputError: it is encrypted, damaged, without text, too long, or took too long; or the library that reads PDF
            is not installed.
    """
    if find_spec("pypdf") is None:
        raise InputError("PDF cannot be read here", hint="pip install 'imprimatur[passages]'")
    pages = _pages(raw, limits)
    words = {word.lower() for page in pages for word in _WORDS.findall(page)}
    empty = []
    last_open = False
    for number, page in enumerate(pages, 1):
        text = _joined(page, words.__contains__)
        into.page = number
        first = len(into.units)
        for paragraph in _BLANK_LINES.split(text):
            into.paragraph(" ".join(paragraph.split()))
        if len(into.units) == first:
            empty.append(number)
            continue
        last_open = _mark_cut(into, first, last_open)
    if not into.units:
        raise InputError("the PDF holds no text", hint="it may be a scan: run it through text recognition first")
    if empty:
        shown = ", ".join(map(str, empty[:20])) + (", …" if len(empty) > 20 else "")
        into.note(f"no text on {len(empty)} of {len(pages)} pages ({shown})")


def _mark_cut(into: Extraction, first: int, before_open: bool) -> bool:
    """Makes fragments of what the end of a page has cut; whether this page ends within a sentence too."""
    units, text = into.units, into.text
    if before_open and text[units[first].start].islower():
        units[first] = replace(units[first], kind=SentenceKind.FRAGMENT)
    last = units[-1]
    ends_open = text[last.end - 1] not in _ENDED
    if ends_open:
        units[-1] = replace(last, kind=SentenceKind.FRAGMENT)
    return ends_open


def _joined(page: str, known: Callable[[str], bool]) -> str:
    """The page with words that were parted at the ends of lines joined where the whole is known."""

    def join(found: Any) -> str:
        first, second = found.groups()
        whole = f"{first}{second}"
        if second[0].islower() and (known(whole.lower()) or lemmas(whole.lower())):
            return whole
        return f"{first}-{second}"

    return _PARTED.sub(join, page.replace("\r\n", "\n").replace("\r", "\n"))


def _pages(raw: bytes, limits: Limits) -> Sequence[str]:
    # Without the current folder in its path, where a file could stand under the library's name.
    program = [sys.executable, "-P", "-m", "imprimatur.sources.passages.pdf_child"]
    given = [str(limits.max_pages), str(limits.max_text), str(limits.memory), str(int(limits.seconds) + 1)]
    try:
        ran = subprocess.run([*program, *given], input=raw, capture_output=True, timeout=limits.seconds, check=False)
    except subprocess.TimeoutExpired as fault:
        message = f"the PDF took longer than {limits.seconds:g} s to read"
        raise InputError(message, hint="give its text instead, or raise the limit") from fault
    try:
        told = json.loads(ran.stdout)
        pages, fault_ = told.get("pages"), told.get("fault")
    except (ValueError, AttributeError):
        pages, fault_ = None, "the PDF could not be read within the limits of time and memory"
    if not isinstance(pages, list):
        raise InputError(str(fault_)[:200], hint=_hint(str(fault_)))
    return [str(page) for page in pages]


def _hint(fault: str) -> str:
    if "encrypted" in fault:
        return "save it without a password"
    return "does another program open it? Save it anew, or give its text"
