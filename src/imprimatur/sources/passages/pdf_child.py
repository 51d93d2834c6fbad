"""``python -m imprimatur.sources.passages.pdf_child``: the pages of the PDF on standard input, as JSON.

Runs alone, with limits of memory and time that the system enforces where it can. Prints ``{"pages": [text]}`` or
``{"fault": words}``, nothing else; what the library has to say of the file goes nowhere.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import sys
from collections.abc import Sequence

__all__ = ["main", "pages_of"]


class _Refused(Exception):
    """The file is not to be read; says why."""


def pages_of(raw: bytes, *, most_pages: int, most_text: int) -> list[str]:
    """The text of each page. Raises what the library raises, and ``_Refused``."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(raw), strict=False)
    # An empty user password opens a file that only forbids changes; its text is as open as its pages.
    if reader.is_encrypted and not reader.decrypt(""):
        raise _Refused("the PDF is encrypted")
    if len(reader.pages) > most_pages:
        raise _Refused(f"{len(reader.pages):,} pages, more than {most_pages:,}")
    found, length = [], 0
    for page in reader.pages:
        found.append(page.extract_text())
        length += len(found[-1])
        if length > most_text:
            raise _Refused(f"holds more than {most_text:,} characters of text")
    return found


def _limit(memory: int, seconds: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main(args: Sequence[str]) -> int:
    """Reads standard input and prints what was found."""
    most_pages, most_text, memory, seconds = map(int, args)
    _limit(memory, seconds)
    logging.disable(logging.CRITICAL)
    try:
        pages = pages_of(sys.stdin.buffer.read(), most_pages=most_pages, most_text=most_text)
        told: dict[str, object] = {"pages": [page.encode("utf-8", "replace").decode() for page in pages]}
    except _Refused as fault:
        told = {"fault": str(fault)}
    except MemoryError:
        told = {"fault": "the PDF needs more memory than it may"}
    except Exception as fault:
        encrypted = "AES" in str(fault) or "encrypt" in str(fault).lower() or "DependencyError" in type(fault).__name__
        told = {"fault": "the PDF is encrypted" if encrypted else f"the PDF is damaged ({type(fault).__name__})"}
    json.dump(told, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
