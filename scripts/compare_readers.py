"""Measure libraries that read HTML, Markdown and PDF on made documents, as far as they are installed.

Usage: ``python scripts/compare_readers.py``. Prints seconds of one core's time and what a page does that nests a
hundred thousand levels deep; decision record 14 quotes it. Each library runs in a process of its own, which is ended
after two minutes.
"""

from __future__ import annotations

import subprocess
import sys
import time

_PART = (
    "<h2>S {0}</h2><p>The river <a href='x'>R{0}</a> is <b>{0}&nbsp;km</b> long."
    "<table><tr><th>A<th>B<tr><td>1<td>2</table>"
)
_HTML = "<html><body>" + "".join(_PART.format(number) for number in range(4_000))
_DEEP = "<div>" * 100_000 + "deep"
_MARKDOWN = "".join(
    f"## S {number}\n\nThe *river* [R](x) is **{number} km** long.\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n- one\n- two\n\n"
    for number in range(2_000)
)
#: Name → statements with ``text`` given; the last value is told.
_READERS = {
    "lxml": "from lxml import etree; p = etree.HTMLParser(); r = etree.fromstring(text.encode(), p); "
    "told = len(''.join(r.itertext())) if len(p.error_log) == 0 else p.error_log[-1].type_name",
    "selectolax": "from selectolax.lexbor import LexborHTMLParser as P; told = len(P(text).body.text())",
    "html5lib": "import html5lib; told = len(''.join(html5lib.parse(text, treebuilder='etree').itertext()))",
    "markdown-it-py": "import markdown_it as m; told = len(m.MarkdownIt('commonmark').enable('table').parse(text))",
    "mistune": "import mistune; told = len(mistune.create_markdown(renderer=None, plugins=['table'])(text))",
    "commonmark": "import commonmark; told = sum(1 for _ in commonmark.Parser().parse(text).walker())",
    "pypdf": "import io, pypdf; told = sum(len(p.extract_text()) for p in pypdf.PdfReader(io.BytesIO(raw)).pages)",
    "pypdfium2": "import pypdfium2 as f; told = sum(p.get_textpage().count_chars() for p in f.PdfDocument(raw))",
    "pdfminer.six": "import io, pdfminer.high_level as h; told = len(h.extract_text(io.BytesIO(raw)))",
}
_RUN = """
import sys, time
raw = sys.stdin.buffer.read()
text = raw.decode("latin-1")
start = time.process_time()
exec(sys.argv[1])
print(f"{time.process_time() - start:7.2f} s  {told}")
"""


def _pdf(pages: int) -> bytes:
    """A PDF of plain text, as small as the format allows; the table of places is left for the reader to rebuild."""
    made = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    made += b"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n"
    kids = []
    for page in range(pages):
        lines = "".join(f"(The river {page} is 1,233 km long and flows past {n} cities.) Tj T*\n" for n in range(45))
        stream = f"BT /F1 11 Tf 14 TL 50 750 Td\n{lines}ET".encode()
        place = 10 + 2 * page
        made += b"%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (place, len(stream), stream)
        font = b"/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792]"
        head = b"%d 0 obj\n<< /Type /Page /Parent 2 0 R %s" % (place + 1, font)
        made += head + b" /Contents %d 0 R >>\nendobj\n" % place
        kids.append(b"%d 0 R" % (place + 1))
    listed = b" ".join(kids)
    made += b"2 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj\n" % (listed, pages)
    return made + b"trailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF"


def _measure(name: str, raw: bytes) -> str:
    start = time.monotonic()
    try:
        program = [sys.executable, "-c", _RUN, _READERS[name]]
        ran = subprocess.run(program, input=raw, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return f"ended after {time.monotonic() - start:.0f} s"
    missing = b"ModuleNotFoundError" in ran.stderr
    return ran.stdout.decode().rstrip() or ("not installed" if missing else f"failed: {ran.stderr.decode()[-60:]!r}")


def main() -> int:
    """Prints one line for each library and document."""
    pdf = _pdf(50)
    work = {
        "HTML, 0.5 MB": (("lxml", "selectolax", "html5lib"), _HTML.encode("ascii")),
        "HTML, nested": (("lxml", "selectolax"), _DEEP.encode()),
        "Markdown, 0.2 MB": (("markdown-it-py", "mistune", "commonmark"), _MARKDOWN.encode()),
        "PDF, 50 pages": (("pypdf", "pypdfium2", "pdfminer.six"), pdf),
    }
    for what, (names, raw) in work.items():
        for name in names:
            print(f"{what:18}{name:16}{_measure(name, raw)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
