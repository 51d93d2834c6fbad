"""Gold claims read from files: rows that name a triple, and the published forms of some sets.

    a row has                       it is                                                    judged by
    ------------------------------  -------------------------------------------------------  --------------------------
    ``sent``, ``triples``           ground truth of Text2KGBench                             a graph of its own triples
    ``text``, ``triple``            what ``eval mine --write`` writes                        ``--kb``
    ``text``, ``gold``, ``label``   a claim about rivers, its true triples as CURIEs         ``--kb``
    ``text``, ``fact``, ``twin``    a paraphrase of a fact, with its corrupted twin          ``--kb``, by its ``domain``
    ``answer``, ``segments``        an answer whose sentences have labelled claims           ``--kb``, by its ``domain``

Invariant: a whole file is read before anything is judged. What a false sentence of a river claim or of a twin says is
not among the gold of these sets: such a claim has no triple.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.cli import session
from imprimatur.errors import InputError
from imprimatur.evals.gold import Gold, GoldClaim, GoldSet
from imprimatur.evals.mining.book import Literal, Node, Triple
from imprimatur.evals.text2kg import read_rows, write_folder

__all__ = ["SAMPLE", "read_sets"]

#: Sentences of Text2KGBench that are shipped; see the ATTRIBUTION.md beside them.
SAMPLE = Path(__file__).parent.parent / "resources" / "datasets" / "text2kgbench" / "sample_ground_truth.jsonl"

_XSD = "http://www.w3.org/2001/XMLSchema#"
_CORE = "http://worldmind.ai/core#"
_PREFIXES = {
    "rid": "https://imprimatur.dev/rivers/id/",
    "rv": "https://imprimatur.dev/rivers#",
    "wm": _CORE,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xsd": _XSD,
}
#: In the philosophers' graph a life is a thing of its own, with a start and an end.
_LIFE = {_CORE + "start": _CORE + "birthYear", _CORE + "end": _CORE + "deathYear"}
_TERM = expression(r'<([^<>"\s]*)>|"((?:[^"\\]|\\.)*)"(?:\^\^<?([^<>"\s]+?)>?|@([A-Za-z0-9-]+))?|([A-Za-z]+:\S+)')
_NAMED = expression(r"<([^<>]*)>|(\S+)")
_SHAPE = 'a row looks like {"id": "1", "text": "…", "label": "supported", "triple": ["<…>", "<…>", "<…>"]}'

_Row = Mapping[str, Any]


def read_sets(path: Path, kbs: Mapping[str, str], made: Path) -> list[GoldSet]:
    """The gold of a file, one set for each knowledge base that judges it.

    Args:
        kbs: knowledge bases by the domain of the rows that they judge; "" is the one for all.
        made: an empty folder, in which a knowledge base may be made.

    Raises:
        InputError: the file cannot be read, holds no gold, or needs a knowledge base that is not given.
    """
    rows = _rows(path)
    if {"sent", "triples"} <= rows[0].keys():
        folder = made / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        write_folder(path, folder)
        texts = tuple(_sentence(row.id, row.text, row.gold) for row in read_rows(path))
        return [GoldSet(name=path.stem, texts=texts, folder=folder, whole=False, files=(path,))]
    read = next((read for keys, read in _READ if keys <= rows[0].keys()), None)
    if read is None:
        raise InputError("no row with gold claims", where=f"{path}:1", hint=_SHAPE)
    by_domain: dict[str, list[Gold]] = {}
    for number, row in enumerate(rows, 1):
        try:
            by_domain.setdefault(str(row.get("domain", "")), []).extend(read(row))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as fault:
            raise InputError(
                f"a row that is not as the first one: {fault!r}"[:200], where=f"{path}:{number}"
            ) from fault
    return [
        GoldSet(
            name=f"{path.stem}, {domain}" if domain else path.stem,
            texts=tuple(texts),
            folder=_kb(domain, kbs, path),
            files=(path,),
        )
        for domain, texts in by_domain.items()
    ]


def _kb(domain: str, kbs: Mapping[str, str], path: Path) -> str:
    found = kbs.get(domain) or kbs.get("")
    if found is None:
        hint = f"add --kb {domain}=DIR" if domain else "add --kb DIR"
        raise InputError("these rows need a knowledge base", where=str(path), hint=hint)
    return found


def _rows(path: Path) -> list[_Row]:
    found: list[_Row] = []
    for number, line in enumerate(session.read_file(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as fault:
            where = f"{path}:{number}"
            raise InputError(f"not a line of JSON: {str(fault)[:200]}", where=where, hint=_SHAPE) from fault
        if not isinstance(row, dict):
            raise InputError("not an object", where=f"{path}:{number}", hint=_SHAPE)
        found.append(row)
    if not found:
        raise InputError("holds no row to judge", where=str(path), hint=_SHAPE)
    return found


def _term(text: str) -> Node:
    """A term in N-Triples, or a CURIE of one of the known prefixes. Raises ValueError for anything else."""
    found = _TERM.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text[:80]!r} is no term of N-Triples")
    iri, value, datatype, language, curie = found.groups()
    if iri is not None:
        return str(iri)
    if curie is not None:
        return _expanded(curie)
    bare = str(json.loads(f'"{value}"'))
    kind = _expanded(datatype) if datatype and "//" not in datatype else datatype or ""
    return Literal(bare, kind, language or "")


def _expanded(curie: str) -> str:
    prefix, _, name = curie.partition(":")
    if prefix not in _PREFIXES:
        raise ValueError(f"the prefix of {curie[:80]!r} is not known")
    return _PREFIXES[prefix] + name


def _triple(terms: Sequence[str]) -> Triple:
    subject, name, node = map(_term, terms)
    if not isinstance(subject, str) or not isinstance(name, str):
        raise ValueError("a value cannot be subject or property")
    return (subject, name, node)


def _sentence(id: str, text: str, gold: frozenset[tuple[str, str, str]]) -> Gold:
    """A row of Text2KGBench, which may have several sentences; a value that is written like a name is one."""
    claims = tuple(
        GoldClaim(start=0, end=len(text), triple=(subject, name, _term(node))) for subject, name, node in sorted(gold)
    )
    return Gold(id=id, text=text, claims=claims, parts=())


def _labelled(row: _Row) -> tuple[str, bool]:
    label = row["label"]
    return str(row["text"]), "supported" in (label if isinstance(label, list) else [label])


def _mined(row: _Row) -> Iterator[Gold]:
    text, true = _labelled(row)
    claim = GoldClaim(
        start=0, end=len(text), triple=_triple(row["triple"]), true=true, negated="denied" in str(row.get("made", ""))
    )
    yield Gold(id=str(row["id"]), text=text, claims=(claim,), parts=((0, len(text)),))


def _river(row: _Row) -> Iterator[Gold]:
    text, true = _labelled(row)
    triples = [_triple(line.split(" ", 2)) for line in row["gold"]] if true else [None]
    claims = tuple(GoldClaim(start=0, end=len(text), triple=triple, true=true) for triple in triples)
    yield Gold(id=str(row["id"]), text=text, claims=claims, parts=((0, len(text)),))


def _paraphrase(row: _Row) -> Iterator[Gold]:
    text, fact = str(row["text"]), row["fact"]
    said = fact["o"]
    node = Literal(str(said["value"]), str(said["datatype"])) if isinstance(said, dict) else str(said)
    when = (str(fact["from"]), str(fact["to"])) if "from" in fact else None
    triple = (str(fact["s"]), _LIFE.get(fact["p"], str(fact["p"])), node)
    claim = GoldClaim(start=0, end=len(text), triple=triple, when=when)
    yield Gold(id=str(row["id"]), text=text, claims=(claim,), parts=((0, len(text)),))
    other = str(row["twin"]["text"])
    wrong = GoldClaim(start=0, end=len(other), triple=None, true=False)
    yield Gold(id=f"{row['id']}~", text=other, claims=(wrong,), parts=((0, len(other)),))


def _answer(row: _Row) -> Iterator[Gold]:
    parts, claims = [], []
    for segment in row["segments"]:
        parts.append((int(segment["start"]), int(segment["end"])))
        for each in segment["claims"]:
            if each["gold"] not in ("not_a_claim", "ambiguous") and not each.get("borderline"):
                claims.append(_stated(each, str(row["domain"])))
    yield Gold(
        id=str(row["id"]),
        text=str(row["answer"]),
        claims=tuple(claims),
        parts=tuple(parts),
        question=row.get("question"),
        told=True,
    )


def _stated(claim: _Row, domain: str) -> GoldClaim:
    """A claim of an answer. A number has its triple where that is stored; what a false one says is not converted."""
    said, true = claim["statement"], claim["gold"] == "supported"
    triple: Triple | None = None
    negated = isinstance(said, dict) and bool(said.get("negated"))
    if isinstance(said, dict) and not said.get("unit") and not negated:
        triple = _named((f"<{said['subject']}>", said["property"], said["value"]), domain)
    elif isinstance(said, dict) and true and not negated:
        triple = _named([a or b for a, b in _NAMED.findall(claim["triples"][0])], domain)
    return GoldClaim(start=int(claim["start"]), end=int(claim["end"]), triple=triple, true=true, negated=negated)


def _named(terms: Sequence[str], domain: str) -> Triple | None:
    """A triple whose things are told by their names; None for a value of no known kind."""
    subject, name, value = (term.strip("<>") for term in terms)
    prop = _expanded(name)
    life = prop in _LIFE
    if life:
        subject, prop = subject.removesuffix("__lifespan"), _LIFE[prop]
    return (_thing(subject, domain), prop, _value(value, prop, domain, life=life))


def _thing(name: str, domain: str) -> str:
    return (
        f"http://dbpedia.org/resource/{name}" if domain == "philosophers" else _PREFIXES["rid"] + quote(name, safe="")
    )


def _value(text: str, prop: str, domain: str, *, life: bool) -> Node:
    if life:
        return Literal(text, _XSD + "gYear")
    if prop.endswith("#type"):
        return _expanded(text)
    number = text.replace(".", "", 1).removeprefix("-").isdecimal()
    return Literal(text, _XSD + "decimal") if number else _thing(text, domain)


#: The forms of rows, the most special first.
_READ: tuple[tuple[frozenset[str], Callable[[_Row], Iterator[Gold]]], ...] = (
    (frozenset(("text", "fact", "twin")), _paraphrase),
    (frozenset(("answer", "segments", "domain")), _answer),
    (frozenset(("text", "label", "triple")), _mined),
    (frozenset(("text", "label", "gold")), _river),
)
