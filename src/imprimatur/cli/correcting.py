"""``imprimatur check --correct``: what is changed in an answer as a word diff, and the answer's own file put right.

Invariants: a file is replaced whole or not at all, keeps its mode, its byte order mark and every byte that no edit
covers, and stays as a backup beside it; a backup that is there already is never overwritten; nothing is written of an
answer of which nothing is left.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from imprimatur.cli.sink import Sink
from imprimatur.cli.terminal import plain
from imprimatur.decision import Abstained, Corrected, Edit, Redacted, applied
from imprimatur.errors import InputError
from imprimatur.report import Report

__all__ = ["diff", "edits_of", "file_named", "told", "write"]

_BOM = b"\xef\xbb\xbf"
#: Lines shown around a change.
_AROUND = 2
_MOST_BACKUPS = 1000


def edits_of(report: Report) -> tuple[Edit, ...]:
    """The changes that a report's decision makes in its answer."""
    decision = report.decision
    return decision.edits if isinstance(decision, Corrected | Redacted | Abstained) else ()


def told(report: Report) -> str:
    """The word diff, and for each change the evidence."""
    edits = edits_of(report)
    if not edits:
        return "Nothing is changed: the answer may be shown as it is."
    by_query = {e.query: e for s in report.segments for judged in s.claims for e in judged.verdict.evidence}
    lines = [diff(report.answer, edits), ""]
    counted = f"{len(edits)} change{'s' if len(edits) != 1 else ''}"
    lines.append(f"Decision: {report.decision.kind} ({counted})")
    for edit in edits:
        lines.append(f"  {_quoted(edit.before)} -> {_quoted(edit.after) if edit.after.strip() else 'taken out'}")
        for query in edit.evidence:
            if (found := by_query.get(query)) is not None:
                content = plain(" ".join(found.content.split()))
                lines.append(f"      {content}  [{plain(found.source)}: {plain(found.origin)}]")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    said = " ".join(plain(text).split())
    return repr(said if len(said) <= 60 else f"{said[:57]}...")


def diff(text: str, edits: Sequence[Edit]) -> str:
    """The text with ``[-what goes-]`` and ``{+what comes+}`` in it, only the lines near a change."""
    marked, at = [], 0
    for edit in edits:
        gone, new = _trimmed(edit)
        marked.append(plain(text[at : edit.start]))
        marked.append(gone[0])
        if gone[1]:
            marked.append(_styled(f"[-{gone[1]}-]", "red"))
        if new:
            marked.append(_styled(f"{{+{new}+}}", "green"))
        marked.append(gone[2])
        at = edit.end
    marked.append(plain(text[at:]))
    return "\n".join(_near("".join(marked).split("\n")))


def _trimmed(edit: Edit) -> tuple[tuple[str, str, str], str]:
    """What goes, between white space that is left alone, and what comes."""
    before = plain(edit.before)
    body = before.strip()
    if edit.after.strip() or not body:
        return ("", before, ""), plain(edit.after)
    at = before.index(body)
    return (before[:at], body, before[at + len(body) :]), ""


def _styled(text: str, colour: str) -> str:
    return "\n".join(click.style(line, fg=colour) for line in text.split("\n"))


def _near(lines: list[str]) -> Iterator[str]:
    """The lines that hold a change, with those around them; an ellipsis for what is left out."""
    changed: list[int] = []
    inside = False
    for number, line in enumerate(lines):
        if inside or "[-" in line or "{+" in line:
            changed.append(number)
        opened, closed = max(line.rfind("[-"), line.rfind("{+")), max(line.rfind("-]"), line.rfind("+}"))
        inside = opened > closed if opened != closed else inside
    kept = {n for number in changed for n in range(number - _AROUND, number + _AROUND + 1)}
    left_out = False
    for number, line in enumerate(lines):
        if number in kept:
            left_out = False
            yield line
        elif not left_out:
            left_out = True
            yield "..."


# -- the file ---------------------------------------------------------------------------------------------------------
def file_named(answer: str | None) -> Path:
    """The file that the argument names.

    Raises:
        InputError: it names none.
    """
    with suppress(OSError, ValueError):
        if answer is not None and answer != "-" and Path(answer).is_file():
            return Path(answer)
    raise InputError("--write needs a file to write to", hint="give the name of the file that holds the answer")


def write(report: Report, path: Path) -> str:
    """Puts the changes of a report into the file that its answer came from, and says what was done.

    Raises:
        InputError: the file is no longer what was judged, or it or its backup cannot be written.
    """
    edits = edits_of(report)
    if isinstance(report.decision, Abstained):
        return f"{plain(str(path))} is left as it is: nothing of it can be confirmed"
    if not edits:
        return f"{plain(str(path))} is left as it is: nothing is to be changed"
    target = path.resolve()
    try:
        raw = target.read_bytes()
        mark = _BOM if raw.startswith(_BOM) else b""
        if raw[len(mark) :] != report.answer.encode("utf-8"):
            raise InputError("was changed while it was judged", where=str(path), hint="run the command again")
        backup = _backed_up(target, raw)
        with Sink.open(str(target)) as out:
            out.write(mark + applied(report.answer, edits).encode("utf-8"))
            out.keep()
    except OSError as fault:
        hint = "check that the folder may be written to"
        raise InputError(f"cannot be written: {fault.strerror}", where=str(path), hint=hint) from fault
    return f"{plain(str(path))} is corrected; as it was: {plain(str(path.with_name(backup.name)))}"


def _backed_up(path: Path, raw: bytes) -> Path:
    """A new file beside another one, with its content and mode."""
    for number in range(_MOST_BACKUPS):
        backup = path.with_name(f"{path.name}.bak{number or ''}")
        try:
            with backup.open("xb") as out:
                out.write(raw)
                out.flush()
                os.fsync(out.fileno())
        except FileExistsError:
            continue
        backup.chmod(stat.S_IMODE(path.stat().st_mode))
        return backup
    raise InputError(f"has {_MOST_BACKUPS} backups already", where=str(path), hint="move some of them away")
