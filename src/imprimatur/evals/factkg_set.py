"""The loader of FactKG (Kim et al., ACL 2023): claims over DBpedia, true or false, with the relations they rest on.

The set is published as pickles of one dictionary, claim -> ``{Label: [bool], Entity_set: [name], Evidence: {entity:
[[relation, …]]}, types: [text]}``; the same as JSON, or as JSON lines with the claim under ``claim``, is read too. A
pickle can name code that runs when it is read: here one that names anything is refused, for the set needs none.
Contract: everything is read before anything is judged, and an entry that is not as described is an InputError.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import json_rows, text_of

__all__ = ["PARTS", "KgClaim", "load"]

PARTS = ("train", "dev", "test")
_ENDINGS = (".pickle", ".pkl", ".json", ".jsonl")
_MOST_BYTES = 400_000_000
#: What ``types`` has for each kind of reasoning.
_REASONING = {
    "num1": "one hop",
    "multi claim": "conjunction",
    "existence": "existence",
    "multi hop": "multi-hop",
    "negation": "negation",
}
_HINT = "an entry is claim -> {Label: [true], Entity_set: [name], Evidence: {entity: [[relation]]}, types: [text]}"

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class KgClaim:
    """One claim.

    Attributes:
        entities: the ids that it names; a quoted one is a value.
        paths: from an entity, sequences of relations; one that begins with ~ is followed from its other end.
        reasoning: what it asks of a judge; the last of several kinds is the hardest.
    """

    id: str
    part: str
    text: str
    true: bool
    entities: tuple[str, ...]
    paths: Mapping[str, tuple[tuple[str, ...], ...]]
    reasoning: str
    denied: bool

    def triples(self) -> tuple[Triple, ...] | None:
        """The facts that the evidence spells out; None where a path is longer or its other end is not plain."""
        found: dict[Triple, None] = {}
        for subject, paths in self.paths.items():
            for path in paths:
                if len(path) != 1:
                    return None
                (relation,) = path
                turned = relation[1:] if relation.startswith("~") else f"~{relation}"
                ends = [other for other, those in self.paths.items() if other != subject and (turned,) in those]
                if len(ends) != 1:
                    return None
                if not relation.startswith("~"):
                    found[subject, relation, ends[0]] = None
        return tuple(found) or None


def load(path: Path) -> tuple[KgClaim, ...]:
    """The claims of a folder (``factkg_train.pickle`` …) or of one file. Raises InputError."""
    if path.is_dir():
        files = [each for part in PARTS for end in _ENDINGS if (each := path / f"factkg_{part}{end}").exists()]
        if not files:
            hint = "give the folder that holds factkg_train.pickle, factkg_dev.pickle or factkg_test.pickle"
            raise InputError("holds no claims of FactKG", where=str(path), hint=hint)
    else:
        files = [path]
    found = tuple(claim for file in files for claim in _claims(file))
    if not found:
        raise InputError("holds no claim", where=str(path), hint=_HINT)
    return found


def _claims(file: Path) -> Iterator[KgClaim]:
    part = next((part for part in PARTS if part in file.stem), file.stem)
    for number, (text, row, where) in enumerate(_entries(file)):
        yield _claim(text, row, where, (f"{part}_{number}", part))


def _entries(file: Path) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    if file.suffix == ".jsonl":
        for row, where in json_rows(file):
            yield str(row.get("claim", "")), row, where
        return
    found = _unpickled(file) if file.suffix in (".pickle", ".pkl") else _json(file)
    if not isinstance(found, Mapping):
        raise InputError("is no dictionary of claims", where=str(file), hint=_HINT)
    for number, (text, row) in enumerate(found.items(), 1):
        where = f"{file}: entry {number}"
        if not isinstance(text, str) or not isinstance(row, Mapping):
            raise InputError("no claim of FactKG", where=where, hint=_HINT)
        yield text, row, where


def _json(file: Path) -> Any:
    try:
        return json.loads(text_of(file))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not JSON: {str(fault)[:200]}", where=str(file)) from fault


class _Plain(pickle.Unpickler):
    """Reads dictionaries, lists, texts and numbers, and nothing that has a name."""

    def find_class(self, module: str, name: str, /) -> NoReturn:
        """Refuses whatever is named."""
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is not read")


def _unpickled(file: Path) -> Any:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise InputError(f"larger than {_MOST_BYTES} bytes", where=str(file))
        return _Plain(io.BytesIO(file.read_bytes())).load()
    except OSError as fault:
        raise InputError(f"cannot be read: {fault.strerror}", where=str(file), hint="check the path") from fault
    except (pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError, TypeError, AttributeError) as fault:
        hint = "give the file as it was published, or the same as JSON"
        raise InputError(f"not a plain pickle: {str(fault)[:200]}", where=str(file), hint=hint) from fault


def _claim(text: str, row: Mapping[str, Any], where: str, place: tuple[str, str]) -> KgClaim:
    label = row.get("Label")
    label = label[0] if isinstance(label, list) and len(label) == 1 else label
    if not text.strip() or not isinstance(label, bool):
        raise InputError("no claim of FactKG: `Label` is not [true] or [false]", where=where, hint=_HINT)
    types = _texts(row.get("types", []), "types", where)
    kinds = [name for key, name in _REASONING.items() if key in types]
    evidence = row.get("Evidence", {})
    if not isinstance(evidence, Mapping):
        raise InputError("`Evidence` must be a dictionary", where=where, hint=_HINT)
    paths = {
        str(entity): tuple(_texts(path, "Evidence", where) for path in _paths(those, where))
        for entity, those in evidence.items()
    }
    return KgClaim(
        id=place[0],
        part=place[1],
        text=text,
        true=label,
        entities=_texts(row.get("Entity_set", []), "Entity_set", where),
        paths=paths,
        reasoning=kinds[-1] if kinds else "other",
        denied="negation" in kinds,
    )


def _paths(those: Any, where: str) -> Sequence[Any]:
    """Paths; the description of the set also shows one path where there is one only."""
    if not isinstance(those, list):
        raise InputError("`Evidence` must have lists of paths", where=where, hint=_HINT)
    return [those] if those and all(isinstance(each, str) for each in those) else those


def _texts(values: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(values, list | tuple) or not all(isinstance(each, str) for each in values):
        raise InputError(f"`{key}` must be a list of texts", where=where, hint=_HINT)
    return tuple(values)
