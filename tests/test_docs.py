"""The docs are true: examples run and print what they say, pages are current, links lead somewhere.

Conventions in the pages: a ```python block followed by a ```text block prints just that. A ```console block runs each
line that begins with ``$ imprimatur`` and its output must show the lines under it in order (``...`` stands for any
lines); the last command ends with the status of an ``<!-- exit: N -->`` before the block, 0 without one. The block
after ``<!-- file: NAME -->`` is written to that file first. For the commands under ``<!-- endpoint: NAME -->`` the
graph of that Turtle file is served, in the place of the address http://localhost:7878/query. Each page runs in a
folder of its own.
"""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shlex
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_endpoint import loopback, served

from imprimatur.cli.main import COMMANDS
from imprimatur.verdict import Label

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_MARK = re.compile(r"<!-- (\w+): (\S+) -->\n\Z")
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)#\s]+)(?:#[^)\s]*)?\)")

Shell = Callable[..., Ran]
#: The address of an endpoint on the pages.
ENDPOINT = "http://localhost:7878/query"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the mark before it."""

    language: str
    text: str
    mark: tuple[str, str] | None


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text, found = page.read_text(encoding="utf-8"), []
    for fence in _FENCE.finditer(text):
        mark = _MARK.search(text, 0, fence.start())
        named = (mark[1], mark[2]) if mark else None
        found.append(Block(language=fence[1], text=fence[2], mark=named))
    return found


def commands(block: Block) -> Iterator[tuple[list[str], list[str]]]:
    """The commands of a console block with the lines that stand under each."""
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        line, *shown = part.splitlines()
        yield shlex.split(line), shown


def shows(out: str, shown: list[str]) -> bool:
    """Whether an output shows some lines in order; ``...`` stands for any lines."""
    pattern = "\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in shown)
    return re.fullmatch(pattern + r"\n?(?:\n)*", out) is not None


def named(page: Path) -> str:
    """A page's name for people."""
    return str(page.relative_to(ROOT))


RUN = [page for page in PAGES if re.search(r"^```(python|console)\n", page.read_text(encoding="utf-8"), re.M)]


@pytest.mark.parametrize("page", RUN, ids=named)
def test_examples(page: Path, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example of a page runs and prints what the page says."""
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    for block, after in zip(found, [*found[1:], None]):
        if block.mark and block.mark[0] == "file":
            target = tmp_path / block.mark[1]
            target.parent.mkdir(exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(block.text, named(page), "exec"), {"__name__": "example"})
            if after is not None and after.language == "text":
                assert out.getvalue() == after.text
        elif block.language == "console" and block.mark and block.mark[0] == "endpoint":
            with served(loopback((tmp_path / block.mark[1]).read_text(encoding="utf-8"))) as server:
                runs(replace(block, text=block.text.replace(ENDPOINT, server.url)), shell)
        elif block.language == "console":
            runs(block, shell)


def runs(block: Block, shell: Shell) -> None:
    """Runs the commands of a console block and compares what they print and how the last one ends."""
    status = 0
    for words, shown in commands(block):
        if words[0] != "imprimatur":
            continue
        ran = shell(*words[1:])
        status = ran.status
        assert shows(ran.out, shown or ["..."]), f"{words}: {ran.out}{ran.err}"
    wanted = int(block.mark[1]) if block.mark and block.mark[0] == "exit" else 0
    assert status == wanted, block.text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links(page: Path) -> None:
    """Every relative link of a page leads to a file."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_that_are_named_exist(page: Path) -> None:
    """Every ``imprimatur WORD`` in code on a page names a command, and its options exist."""
    for span in re.findall(r"`imprimatur ([^`\n]+)`", page.read_text(encoding="utf-8")):
        first = span.split()[0]
        assert first in COMMANDS or first.startswith(("-", "WORD")), span


def test_cli_page_is_current() -> None:
    """docs/cli.md is what the commands' own help makes; `make docs` writes it anew."""
    page = runpy.run_path(str(ROOT / "scripts" / "write_cli_docs.py"))["page"]()
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == page
    assert all(f"## `imprimatur {name}`\n" in page for name in COMMANDS)


def test_versions_agree() -> None:
    """The package, its metadata and the changelog name one version."""
    import imprimatur

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    released = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert imprimatur.__version__ == project["version"] == released[0]


def test_glossary_has_every_label() -> None:
    """Glossary and concepts name every verdict label."""
    for page in ("glossary.md", "concepts.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert [label for label in Label if f"`{label}`" not in text] == []


def test_architecture_names_files_that_exist() -> None:
    """Every source file that the architecture page names is there, and every top-level module is named."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    source = ROOT / "src" / "imprimatur"
    names = set(re.findall(r"`([\w./*]+\.(?:py|txt|tsv|json))`", text))
    files = {path.name for path in source.rglob("*") if path.is_file()}
    for name in names:
        assert list(source.glob(name)) or name in files or ("/" not in name and list(source.rglob(name))), name
    public = {path.name for path in source.glob("[a-z]*.py")} - {
        "tagged.py",
        "registry.py",
        "kb_init.py",
        "kb_suggest.py",
    }
    assert sorted(public - {Path(name).name for name in names}) == []


def test_lock_files_name_no_place() -> None:
    """The lock files pin with hashes, and name neither an index nor a path; every dependency is in them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = ("requirements.lock", "requirements-dev.lock", "requirements-serve.lock")
    base, dev, serve = ((ROOT / name).read_text(encoding="utf-8") for name in names)
    for text in (base, dev, serve):
        assert not re.search(r"://|^-|^\.|^/", text, re.M)
        assert all("--hash=sha256:" in entry for entry in re.split(r"\n(?=\w)", text)[1:])
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["build"]]
    pins = {name: set(re.findall(r"^([\w.-]+)==", text, re.M)) for name, text in (("base", base), ("dev", dev))}
    assert {_name(line) for line in wanted} <= pins["base"] <= pins["dev"]
    extras = project["project"]["optional-dependencies"]
    assert {_name(line) for line in extras["dev"]} <= pins["dev"]
    served, developed = (dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.M)) for text in (serve, dev))
    assert {_name(line) for line in [*wanted, *extras["serve"]]} <= served.keys()
    assert {name: served[name] for name in served.keys() & developed} == {
        name: developed[name] for name in served.keys() & developed
    }


def _name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found
    return found[0].lower().replace("_", "-")
