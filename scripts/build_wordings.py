"""Compiles the lines of the frame lexicon into keys: resources/frames.txt to resources/wordings.json.

Run it after a change of the frame lexicon or of the grammar: ``make wordings``. A test fails while it is out of date.
"""

from __future__ import annotations

import json
from pathlib import Path

from imprimatur.extract.frames import frames
from imprimatur.extract.wording import parsed_keys
from imprimatur.sources.graph.share_wordings import SHARE_LINES

TARGET = Path(__file__).parent.parent / "src" / "imprimatur" / "resources" / "wordings.json"


def lines() -> set[str]:
    """Every line that is compiled."""
    return {*SHARE_LINES} | {
        line
        for frame in frames()
        for line in (*frame.heads, *frame.narrower, *frame.lines, *frame.measures, *frame.ages)
    }


def compiled() -> dict[str, list[list[object]]]:
    """The keys of every line, by the line."""
    return {line: [[k.key, k.subject] for k in parsed_keys(line)] for line in sorted(lines())}


def main() -> None:
    """Write the file."""
    rows = ",\n".join(f"{json.dumps(line)}: {json.dumps(keys)}" for line, keys in compiled().items())
    TARGET.write_text("{\n" + rows + "\n}\n", encoding="utf-8")
    print(f"wrote {TARGET.name}: {rows.count(chr(10)) + 1} lines")


if __name__ == "__main__":
    main()
