"""The text parts of one response of the Responses protocol, as they were decided on.

A response of which something was withheld is ``incomplete`` with the reason ``content_filter``. Invariants: a part
whose text was not examined has none; annotations and log probabilities go only with the text that they were made for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from imprimatur.errors import ModelFailed
from imprimatur.report import Report
from imprimatur.serve.call import EXTENSION
from imprimatur.serve.service import Session
from imprimatur.stream import Mode

__all__ = ["NO_RESPONSE", "WATCHING", "Parts", "Place", "items_of", "texts_of"]

NO_RESPONSE = "the model server sent what is no response"
#: Modes in which everything is shown as it comes.
WATCHING = (Mode.AUDIT, Mode.SHADOW)
#: The number of an item, and that of a part in it.
Place = tuple[int, int]


def items_of(response: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The items of a response. Raises ModelFailed for what is no response."""
    output = response.get("output")
    if not isinstance(output, list) or not all(isinstance(item, dict) for item in output):
        raise ModelFailed(NO_RESPONSE)
    return output


def texts_of(item: Mapping[str, Any]) -> list[tuple[int, Any]]:
    """The texts of an item, by the numbers of their parts."""
    content = item.get("content") if item.get("type") == "message" else None
    parts = enumerate(content if isinstance(content, list) else ())
    return [(k, part.get("text")) for k, part in parts if isinstance(part, dict) and part.get("type") == "output_text"]


class Parts:
    """The text parts of one response, as they were decided on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._reports: dict[Place, Report] = {}
        self._shown: list[dict[str, Any]] = []
        self._others: Counter[str] = Counter()

    @property
    def withheld(self) -> bool:
        """Whether the abstention text stands in some part."""
        watching = self._session.mode in WATCHING
        return not watching and any(report.decision.kind == "abstained" for report in self._reports.values())

    async def ended(self, place: Place, report: Report) -> None:
        """Records the report on a part."""
        self._reports[place] = report
        shown = await self._session.record(report)
        if shown is not None:
            self._shown.append({"output_index": place[0], "content_index": place[1], "report": shown})

    def part(self, place: Place, part: Mapping[str, Any]) -> dict[str, Any]:
        """A part as it goes out."""
        if part.get("type") != "output_text" or self._session.mode in WATCHING:
            return dict(part)
        report = self._reports.get(place)
        text = "" if report is None else report.decision.text
        if text == part.get("text"):
            return dict(part)
        return {**part, "text": text, "annotations": [], "logprobs": []}

    def item(self, number: int, item: Mapping[str, Any]) -> dict[str, Any]:
        """An item as it goes out."""
        content = item.get("content")
        if item.get("type") != "message" or not isinstance(content, list):
            return dict(item)
        made = [self.part((number, k), each) if isinstance(each, dict) else each for k, each in enumerate(content)]
        return {**item, "content": made}

    def final(self, response: Mapping[str, Any]) -> dict[str, Any]:
        """A whole response as it goes out, with the extra object."""
        items = [self.item(n, each) for n, each in enumerate(items_of(response))]
        for each in items:
            if each.get("type") != "message":
                self._others[str(each.get("type"))] += 1
        made = {**response, "output": items, EXTENSION: self._extension()}
        if self.withheld and response.get("status") == "completed":
            made |= {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
        return made

    def _extension(self) -> dict[str, Any]:
        session = self._session
        session.service.figures.passed_over(self._others)
        return {
            "knowledge_base": session.name,
            "mode": session.mode.value,
            "reports": self._shown,
            "not_examined": dict(self._others),
        }
