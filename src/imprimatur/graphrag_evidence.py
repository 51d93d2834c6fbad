"""What a GraphRAG shows its model, as texts that an answer can be held against, and the tags that name their documents.

Passages are what the documents say, and evidence. Everything else in such a graph is a model's work. A tag
``[Source: document]`` stands for a claim of its own: it is kept where a passage of that document bears out the segment
that it stands in, and taken out where none does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.report import JudgedSegment, Report
from imprimatur.verdict import Label

__all__ = ["ShownText", "Sources", "texts_of"]

_TAG = expression(r"[ \u00a0]?\[[ \u00a0]{0,3}source[: \u00a0]([^\[\]\n]{1,300})\]", re.IGNORECASE)
_HEADER = expression(r"## [^\n]{1,80}\n")
_PARTED = "\n---\n"
#: ``A —[WORKS_AT]→ B: what a document was read to say``.
_RELATION = expression(r"(.{1,300}?) [-\u2014]\[([^\[\]\n]{1,100})\][-\u2192]>? ([^\n]{1,300}?)(?:: (.*))?\Z")
#: Behind the text of a chunk: what a model found in it.
_FOUND = "\nRelated entities: "
_HINT = "hint"
_CONTEXT = "context:"
_MOST = 200


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text that the model was shown, and the document that it is from, "" where none is named."""

    text: str
    document: str = ""


def texts_of(sections: Sequence[tuple[str, str]], *, model: bool) -> tuple[ShownText, ...]:
    """The texts of some sections, each with its name; what a model made only where ``model`` says so.

    A hint says how to answer, and holds no evidence.
    """
    found: list[ShownText] = []
    for section, content in sections:
        body = _HEADER.sub("", content, 1) if content.startswith("## ") else content
        if section == "passages":
            found += [_passage(part) for part in body.split(_PARTED)]
        elif section == "chunk":
            found.append(_passage(body.rpartition(_FOUND)[0] or body))
        elif model and section != _HINT:
            found += [ShownText(_told(line.removeprefix("- "))) for line in body.splitlines()]
    return tuple(each for each in found if each.text.strip())[:_MOST]


def _passage(text: str) -> ShownText:
    tag = _TAG.match(text.lstrip("\n"))
    if tag is None:
        return ShownText(text)
    return ShownText(text.lstrip("\n")[tag.end() :].lstrip("\n"), _document(tag))


def _document(tag: re.Match[str]) -> str:
    """The document that a tag names; empty where it names none."""
    return tag[1].strip(" :\u00a0\t")


def _told(line: str) -> str:
    """A line of facts as sentences."""
    relation = _RELATION.match(line)
    if relation is None:
        return line
    subject, name, value, said = relation.groups()
    return f"{subject} {name.replace('_', ' ').lower()} {value}." + (f"\n{said}" if said else "")


class Sources:
    """The tags of one draft; ``text`` is the draft with a number of its own for each of them."""

    def __init__(self, draft: str, shown: Sequence[ShownText]) -> None:
        self._shown = shown
        taken = set(re.findall(r"\d+", draft))
        free = (str(number) for number in range(1, 10_000) if str(number) not in taken)
        #: The number of each tag, how it was written, and the document.
        self._tags: dict[str, tuple[str, str]] = {}

        def numbered(tag: re.Match[str]) -> str:
            number = next(free, None)
            if number is None:
                return tag[0]
            self._tags[number] = (tag[0], _document(tag))
            return f"{tag[0][: tag[0].index('[')]}[{number}]"

        self.text = _TAG.sub(numbered, draft)

    def restored(self, report: Report) -> tuple[str, tuple[str, ...]]:
        """What the report releases, with the tags that are borne out; and those that are not."""
        borne_out = set(self._borne_out(report))
        text, dropped = report.decision.text, []
        for number, (written, _) in self._tags.items():
            mark = f"{written[: written.index('[')]}[{number}]"
            if number not in borne_out and mark in text:
                dropped.append(written.strip())
            text = text.replace(mark, written if number in borne_out else "", 1)
        return text, tuple(dropped)

    def _borne_out(self, report: Report) -> Iterator[str]:
        for segment in report.segments:
            documents = {document.casefold() for document in self._documents(segment)}
            said = self.text[segment.start : segment.end]
            for number, (_, document) in self._tags.items():
                if document and f"[{number}]" in said and document.casefold() in documents:
                    yield number

    def _documents(self, segment: JudgedSegment) -> Iterator[str]:
        """The documents of the passages that bear a segment out."""
        for judged in segment.claims:
            if judged.verdict.label is not Label.SUPPORTED:
                continue
            for evidence in judged.verdict.evidence:
                number = evidence.origin.removeprefix(_CONTEXT).partition("#")[0]
                if evidence.origin.startswith(_CONTEXT) and number.isdecimal() and 0 < int(number) <= len(self._shown):
                    yield self._shown[int(number) - 1].document
