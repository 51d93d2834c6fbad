"""``imprimatur doctor``: what is installed, and whether it works here."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from imprimatur.cli import session
from imprimatur.cli.options import ledger_path
from imprimatur.cli.terminal import plain
from imprimatur.errors import ImprimaturError, InputError

__all__ = ["command"]

_REQUIRED = ("pyoxigraph", "pyyaml", "click", "rich", "rdflib", "pyshacl")
#: Import name → what it is for.
_OPTIONAL = {
    "numpy": "vectors",
    "onnxruntime": "embeddings, trained judges in ONNX",
    "tokenizers": "embeddings, trained judges",
    "torch": "trained judges that are not in ONNX, tuning",
    "transformers": "trained judges that are not in ONNX, tuning",
    "peft": "tuning",
    "gguf": "tuning of models in GGUF files",
    "tantivy": "full-text search",
    "lxml": "HTML documents",
    "markdown_it": "Markdown documents",
    "pypdf": "PDF documents",
    "sqlglot": "second fence around SQL",
    "openai": "model servers, the extractor llm",
    "gliner": "the extractor gliner",
    "gliner2": "the extractor gliner, for models of GLiNER2",
    "xllamacpp": "models on this machine",
    "falkordb": "property graphs",
    "mcp": "the MCP server",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at. ``state`` is ok, absent (only an extra) or wrong."""

    what: str
    state: str
    detail: str


@click.command()
@click.option("--grounding", is_flag=True, help="Look at how a knowledge base grounds its answers instead.")
@click.option("--kb", metavar="DIR", help="With --grounding: the knowledge base, a folder or a bundled name.")
@click.option("--question", "questions", multiple=True, metavar="TEXT", help="A question of your own; repeatable.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@click.option("--most", type=click.IntRange(3, 1000), default=40, show_default=True, help="Questions that are made.")
@click.option("--seed", default=1, show_default=True, help="What the choice of questions hangs on.")
@click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path), help="Where answers are recorded.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    *,
    grounding: bool,
    kb: str | None,
    questions: tuple[str, ...],
    policy: str | None,
    most: int,
    seed: int,
    ledger: Path | None,
    as_json: bool,
) -> int:
    """Say what is installed, and whether it works; or, of a knowledge base, whether it grounds what it answers.

    --grounding takes six steps: the evidence for questions, the sources behind it, how much of it is structured, the
    ledger, refusals of what has no support, and how much is refused. The questions are made from the knowledge base. No
    model is needed; one that the knowledge base or the environment names is asked a few of the questions.

    Exit status 3 when something is wrong, else 0.
    """
    if grounding:
        from imprimatur.cli.doctor_grounding import run

        place = ledger or ledger_path(os.environ)
        return run(kb, policy, ledger=place, questions=questions, most=most, seed=seed, as_json=as_json)
    if kb is not None or questions or policy is not None or ledger is not None:
        raise InputError("these options go with --grounding", hint="imprimatur doctor --grounding --kb DIR")
    found = tuple(_findings())
    if as_json:
        session.emit_json([{"what": item.what, "state": item.state, "detail": item.detail} for item in found])
    else:
        colours = {"ok": "green", "absent": "yellow", "wrong": "red"}
        for item in found:
            click.echo(
                f"{click.style(f'{item.state:<7}', fg=colours[item.state])} {item.what:<22} {plain(item.detail)}"
            )
    return 3 if any(item.state == "wrong" for item in found) else 0


def _findings() -> Iterator[Finding]:
    version = platform.python_version()
    state = "ok" if sys.version_info >= (3, 11) else "wrong"
    yield Finding(what="Python", state=state, detail=f"{version} on {platform.system()} {platform.machine()}")
    for name in ("imprimatur", *_REQUIRED):
        yield _installed(name)
    for name, purpose in _OPTIONAL.items():
        there = importlib.util.find_spec(name) is not None
        yield Finding(what=name, state="ok" if there else "absent", detail=purpose)
    yield _parser()
    yield _extractors()
    yield _bundled()
    yield _cache()
    yield _ledger()


def _installed(name: str) -> Finding:
    try:
        return Finding(what=name, state="ok", detail=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(what=name, state="wrong", detail=f"not installed: pip install {name}")


def _parser() -> Finding:
    """Whether sentences that the grammar leaves unread can be parsed."""
    from imprimatur.language.parser import parser_of

    parser = parser_of("en")
    if parser is None:
        detail = "sentences are read by the grammar alone: pip install 'imprimatur[parse]'"
        return Finding(what="parser", state="absent", detail=detail)
    try:
        parser.tree(("It", "works", "."))
    except ImprimaturError as fault:
        return Finding(what="parser", state="wrong", detail=f"{fault.message}; {fault.hint}")
    return Finding(what="parser", state="ok", detail=parser.name)


def _extractors() -> Finding:
    """Which kinds of extractor can be named; whether a model can be opened shows when a knowledge base names it."""
    from imprimatur.config import READER
    from imprimatur.extractors.opening import NEEDS, kinds

    known = kinds()
    told, state = [READER], "ok"
    for name in known:
        missing = [module for module in NEEDS.get(name, ()) if importlib.util.find_spec(module) is None]
        try:
            if not missing:
                known.get(name)
            told.append(f"{name} (absent: {', '.join(missing)})" if missing else name)
        except ImprimaturError as fault:
            told.append(f"{name} ({fault.message})")
            state = "wrong"
    return Finding(what="extractors", state=state, detail=", ".join(told))


def _bundled() -> Finding:
    from imprimatur.config import bundled_names, load_folder, resolve

    try:
        names = [load_folder(resolve(name)).name for name in bundled_names()]
    except ImprimaturError as fault:
        return Finding(what="bundled knowledge", state="wrong", detail=str(fault))
    return Finding(what="bundled knowledge", state="ok" if names else "wrong", detail=", ".join(names) or "none")


def _cache() -> Finding:
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base and os.path.isabs(base) else Path("~/.cache").expanduser()) / "imprimatur"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Finding(what="cache", state="ok", detail=str(folder))
    except OSError as fault:
        return Finding(what="cache", state="wrong", detail=f"{folder}: {fault.strerror}; set XDG_CACHE_HOME")


def _ledger() -> Finding:
    from imprimatur.ledger import Ledger

    path = ledger_path(os.environ)
    if not path.exists():
        return Finding(what="ledger", state="ok", detail=f"{path}: none yet; the first check makes it")
    try:
        with Ledger.open(path, create=False) as book:
            found = book.verify()
    except ImprimaturError as fault:
        return Finding(what="ledger", state="wrong", detail=str(fault))
    if found.faults:
        return Finding(what="ledger", state="wrong", detail=f"{path}: {found.faults[0]}")
    return Finding(what="ledger", state="ok", detail=f"{path}: {found.count} records, verified")
