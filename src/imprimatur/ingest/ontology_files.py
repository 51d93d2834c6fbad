"""A guardrail from files: OWL, RDFS and SHACL in any syntax of RDF, YAML, JSON. Several files are read as one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from imprimatur.errors import InputError, KnowledgeBaseError
from imprimatur.ingest.ontology import Guardrail
from imprimatur.ingest.ontology_draft import Draft
from imprimatur.settings_file import parse

__all__ = ["read_guardrail"]

_MAX_BYTES = 20_000_000
_YAML = (".yaml", ".yml")
_RDF = (".ttl", ".nt", ".nq", ".trig", ".rdf", ".owl", ".xml", ".jsonld", ".gz", ".n3")


def read_guardrail(paths: Sequence[Path | str], *, closed: bool | None = None, base: str = "") -> Guardrail:
    """What the files allow together: what any of them does.

    Args:
        paths: the form of each is told by its name's end; JSON-LD in a ``.json`` file by its ``@context``.
        closed: whether classes and relations that they do not name are refused; None for what they say, or closed.
        base: where names without an IRI live; "" for what a file says, or a place of the package's own.

    Raises:
        InputError: a file cannot be read as an ontology, or none of them names a class or a relation.
    """
    draft = Draft()
    rdf: list[Path] = []
    for path in map(Path, paths):
        kind = path.suffix.lower()
        if kind in _RDF:
            rdf.append(path)
        elif kind in _YAML:
            from imprimatur.ingest.ontology_yaml import read_short_form

            read_short_form(parse(_text(path), where=str(path), error=InputError), draft, where=str(path), base=base)
        elif kind == ".json":
            values = _json(path)
            if isinstance(values, list) or (isinstance(values, dict) and {"@context", "@graph"} & values.keys()):
                rdf.append(path)
            else:
                from imprimatur.ingest.ontology_json import read_json

                read_json(values, draft, where=str(path), base=base)
        else:
            hint = "its name must end in .ttl, .owl, .rdf, .nt, .yaml or .json"
            raise InputError("no form of ontology that is known", where=str(path), hint=hint)
    if rdf:
        _read_rdf(rdf, draft)
    made = draft.guardrail(closed=closed)
    if not made.classes and not made.properties:
        where = ", ".join(map(str, paths))
        raise InputError("no class and no relation is in it", where=where, hint="is this the right file?")
    return made


def _read_rdf(paths: Sequence[Path], draft: Draft) -> None:
    from imprimatur.ingest.ontology_owl import read_owl
    from imprimatur.ingest.ontology_shacl import has_shapes, read_shacl
    from imprimatur.sources.shacl.facts import read_facts

    for path in paths:
        _size(path)
    try:
        facts = read_facts(paths)
    except KnowledgeBaseError as fault:
        raise InputError(fault.message, where=fault.where, hint=fault.hint or "is it an RDF file?") from fault
    read_owl(facts, draft)
    if has_shapes(facts):
        read_shacl(facts, draft)


def _size(path: Path) -> None:
    try:
        size = path.stat().st_size
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise InputError(f"cannot be read: {reason}", where=str(path), hint="check the name") from fault
    if size > _MAX_BYTES:
        raise InputError(f"larger than {_MAX_BYTES} bytes", where=str(path), hint="is this the ontology alone?")


def _text(path: Path) -> str:
    _size(path)
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        hint = "save the file as UTF-8"
        raise InputError(f"not UTF-8 text (byte {fault.start})", where=str(path), hint=hint) from fault
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise InputError(f"cannot be read: {reason}", where=str(path), hint="check the name") from fault


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path), object_pairs_hook=_once)
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not valid JSON: {str(fault)[:120]}", where=str(path), hint="mend it there") from fault


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        twice = next(key for key in (k for k, _ in pairs) if sum(k == key for k, _ in pairs) > 1)
        raise ValueError(f"the key {twice[:60]!r} is given twice")
    return dict(pairs)
