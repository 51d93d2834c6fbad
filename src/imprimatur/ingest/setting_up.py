"""The lines of imprimatur.yaml by which a knowledge base has the facts of its store, and a folder made for them.

Invariants: what a person wrote stays, comments and order too; the new text is read again, and is taken only where it
says what the old one said and the new lines, and nothing else. Files appear whole or not at all.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from imprimatur.config import FILE_NAME, KnowledgeBaseConfig
from imprimatur.errors import ConfigError, ImprimaturError, KnowledgeBaseError
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.store import ACCEPTED, DERIVED, FOLDER, MODEL
from imprimatur.settings_file import parse

__all__ = [
    "ONTOLOGY",
    "add_lines",
    "is_made_ontology",
    "lines_to_add",
    "made_configuration",
    "missing",
    "write_bytes",
    "write_ontology",
    "write_text",
]

ONTOLOGY = "ontology.ttl"
_MARK = "# Made by `imprimatur kb ingest` of the ontology under `ingest:`; changes to it are lost.\n"
_FILES = {f"{FOLDER}/{DERIVED}": "derived", f"{FOLDER}/{ACCEPTED}": "curated", f"{FOLDER}/{MODEL}": "model"}
#: What YAML takes for something else than a text.
_WORDS = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
_KEY = re.compile(r"(\s*)([A-Za-z_]+):(.*)")


def missing(config: KnowledgeBaseConfig) -> tuple[str, ...]:
    """The files of facts that a knowledge base does not name."""
    named = {path.relative_to(config.folder).as_posix() for path in config.graph.data}
    return tuple(name for name in _FILES if name not in named)


def lines_to_add(names: Sequence[str]) -> str:
    """The lines that must be in imprimatur.yaml for these files."""
    trust = [f"{name}: {_FILES[name]}" for name in names if _FILES[name] != "curated"]
    return f"graph:\n  data: [{', '.join(names)}]\n" + (f"  trust: {{{', '.join(trust)}}}\n" if trust else "")


def made_configuration(name: str, *, documents: Sequence[str], ontology: Sequence[str], reader: str) -> str:
    """The imprimatur.yaml of a new knowledge base whose facts come from documents."""
    lines = ["version: 1", f"name: {_quoted(name)}", "graph:", f"  data: [{', '.join(_FILES)}]"]
    lines += [f"  ontology: [{ONTOLOGY}]"] if ontology else []
    lines += [f"  trust: {{{', '.join(f'{each}: {trust}' for each, trust in _FILES.items() if trust != 'curated')}}}"]
    said = [f"  documents: [{', '.join(map(_quoted, documents))}]"] if documents else []
    said += [f"  ontology: [{', '.join(map(_quoted, ontology))}]"] if ontology else []
    return "\n".join([*lines, "ingest:", *said, f"  reader: {_quoted(reader)}"]) + "\n"


def write_ontology(folder: Path, guardrail: Guardrail) -> bool:
    """Writes the ontology for the judging side where it is ours to write; False where nothing changed."""
    target, text = folder / ONTOLOGY, _MARK + guardrail.to_turtle()
    try:
        if target.exists():
            standing = target.read_text(encoding="utf-8")
            if standing == text or not standing.startswith(_MARK):
                return False
        write_text(target, text)
    except (OSError, UnicodeDecodeError) as fault:
        raise KnowledgeBaseError(f"cannot be written: {fault}", where=str(target), hint="may it be written?") from fault
    return True


def is_made_ontology(path: Path) -> bool:
    """Whether a file is an ontology that ``write_ontology`` wrote."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(_MARK)) == _MARK.encode()
    except OSError:
        return False


def add_lines(config: KnowledgeBaseConfig) -> bool:
    """Adds what is missing to imprimatur.yaml; False where nothing is.

    Raises:
        ConfigError: it is written in a way that cannot be added to; the lines are told.
    """
    names = missing(config)
    if not names:
        return False
    path = config.folder / FILE_NAME
    text = path.read_bytes().decode("utf-8-sig")
    wanted = _with_names(parse(text, where=str(path), error=ConfigError), names)
    made = _added(text, names)
    try:
        same = parse(made, where=str(path), error=ConfigError) == wanted
    except ImprimaturError:
        same = False
    if not same:
        hint = "add to it:\n" + lines_to_add(names)
        raise ConfigError("the files of facts cannot be added by themselves", where=str(path), hint=hint)
    write_text(path, made)
    return True


def _with_names(values: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """What the configuration is to say."""
    graph = dict(values.get("graph") or {})
    data = graph.get("data")
    graph["data"] = [*(data if isinstance(data, list) else [] if data is None else [data]), *names]
    trust = {name: _FILES[name] for name in names if _FILES[name] != "curated"}
    if trust:
        graph["trust"] = {**(graph.get("trust") or {}), **trust}
    return {**values, "graph": graph}


def _added(text: str, names: Sequence[str]) -> str:
    """The text with the names, where its form is one of the usual ones; whether it came out right is seen after."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if line.startswith("graph:")), None)
    if start is None:
        return "\n".join([*lines, lines_to_add(names)])
    end = next((at for at in range(start + 1, len(lines)) if _top(lines[at])), len(lines))
    block = lines[start + 1 : end]
    while block and not block[-1].strip():
        end, block = end - 1, block[:-1]
    indent = next((found[1] for line in block if (found := _KEY.match(line))), "  ")
    trust = [(name, _FILES[name]) for name in names if _FILES[name] != "curated"]
    block = _in_list(block, indent, names)
    block = _in_mapping(block, indent, trust) if trust else block
    return "\n".join([*lines[: start + 1], *block, *lines[end:]]) + "\n"


def _top(line: str) -> bool:
    return bool(line.strip()) and line[0] not in " \t#-"


def _entry(block: Sequence[str], indent: str, key: str) -> tuple[int, str] | None:
    for at, line in enumerate(block):
        found = _KEY.match(line)
        if found is not None and found[1] == indent and found[2] == key:
            return at, found[3].partition(" #")[0].strip()
    return None


def _in_list(block: list[str], indent: str, names: Sequence[str]) -> list[str]:
    found = _entry(block, indent, "data")
    if found is None:
        return [f"{indent}data: [{', '.join(names)}]", *block]
    at, value = found
    line = block[at]
    if value.startswith("[") and value.endswith("]"):
        closing = line.rindex("]", 0, line.index(value) + len(value))
        comma = ", " if value[1:-1].strip() else ""
        line = f"{line[:closing]}{comma}{', '.join(names)}{line[closing:]}"
    elif value:
        begin = line.index(value)
        line = f"{line[:begin]}[{value}, {', '.join(names)}]{line[begin + len(value) :]}"
    else:
        items = at + 1
        while items < len(block) and block[items].lstrip().startswith(("-", "#")):
            items += 1
        inner = block[at + 1].partition("-")[0] if items > at + 1 else f"{indent}  "
        return [*block[:items], *(f"{inner}- {name}" for name in names), *block[items:]]
    return [*block[:at], line, *block[at + 1 :]]


def _in_mapping(block: list[str], indent: str, trust: Sequence[tuple[str, str]]) -> list[str]:
    found = _entry(block, indent, "trust")
    said = ", ".join(f"{name}: {each}" for name, each in trust)
    if found is None:
        return [*block, f"{indent}trust: {{{said}}}"]
    at, value = found
    line = block[at]
    if value.startswith("{") and value.endswith("}"):
        closing = line.rindex("}", 0, line.index(value) + len(value))
        comma = ", " if value[1:-1].strip() else ""
        return [*block[:at], f"{line[:closing]}{comma}{said}{line[closing:]}", *block[at + 1 :]]
    below = re.match(r"\s+", block[at + 1]) if at + 1 < len(block) else None
    inner = below.group() if below is not None else f"{indent}  "
    return [*block[: at + 1], *(f"{inner}{name}: {each}" for name, each in trust), *block[at + 1 :]]


def _quoted(text: str) -> str:
    """A value as YAML reads it, without references to the environment."""
    written = (f"\\{char}" if char in '"\\' else char if char.isprintable() else f"\\U{ord(char):08x}" for char in text)
    quoted = "".join(written).replace("${", "$${")
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*", quoted) and quoted.lower() not in _WORDS
    return quoted if plain else f'"{quoted}"'


def write_text(path: Path, text: str) -> None:
    """Writes a file that appears whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file that appears whole or not at all, and keeps the permissions of the one that was there."""
    part = path.with_name(f".{path.name[:60]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(OSError):
            shutil.copymode(path, part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
