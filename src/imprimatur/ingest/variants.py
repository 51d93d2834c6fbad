"""Other labels of a property that its own label implies by grammar alone, so that it joins the frames it belongs to.

``city served`` is what S serves, ``operating organisation`` what S is operated by; ``elevation above the sea level``
is an elevation; ``is part of military conflict`` is being part of something that the range says is a conflict. No
property is named here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from imprimatur.extract.frames import relations
from imprimatur.extract.words import BE, HAVE, forms
from imprimatur.language import morphology, wordnet
from imprimatur.sources.graph.own_words import TIME_NOUNS, own_keys
from imprimatur.sources.graph.schema import PropertyInfo, Schema
from imprimatur.sources.graph.terms import NUMERIC_TYPES
from imprimatur.sources.graph.vocabulary import class_noun

__all__ = ["variants", "with_variants"]

_CIRCUMSTANCES = frozenset("place location site area position point".split()) | TIME_NOUNS
#: Kinds of nouns that name what things belong to.
_GROUPS = ("noun.group", "noun.communication", "noun.cognition")
#: Prepositions that only say from where a quantity is measured, or in what unit.
_MEASURED_FROM = frozenset("above below in".split())


def with_variants(info: PropertyInfo, schema: Schema) -> PropertyInfo:
    """The property with the labels that its own ones imply."""
    own = (*info.labels, *info.alt_labels)
    kinds = _range_nouns(info, schema)
    found = dict.fromkeys(
        v
        for label in own
        for v in variants(label, kinds, numeric=_numeric(info), objects=bool(info.is_object))
        if v not in own
    )
    return replace(info, alt_labels=(*info.alt_labels, *found)) if found else info


def variants(
    label: str, kinds: frozenset[str] = frozenset(), *, numeric: bool = False, objects: bool = False
) -> Iterator[str]:
    """Labels that a label implies; ``kinds`` are the nouns of the classes of its values, which may be ``objects``."""
    words = label.lower().split()
    if len(words) == 2:
        yield from _participial(words[0], words[1])
    if numeric:
        yield from _unmeasured(words)
    yield from _without_kind(words, kinds)
    yield from _narrower(label)
    if objects:
        yield from _grouped(words)


def _participial(first: str, second: str) -> Iterator[str]:
    """ "City served": serves; "operating organisation": operated by."""
    one, two = forms(first), forms(second)
    plain = one.noun and first not in _CIRCUMSTANCES and not one.verb_forms & {"pp", "ing", "s"}
    if plain and two.verb and "pp" in two.verb_forms and second not in BE | HAVE and second.endswith("ed"):
        yield morphology.inflect(two.verb, "v", morphology.Form.THIRD_PERSON)
    agent = two.noun and wordnet.noun_kind(two.noun) in ("noun.group", "noun.person")
    if agent and one.verb and "ing" in one.verb_forms:
        yield f"{morphology.inflect(one.verb, 'v', morphology.Form.PAST_PARTICIPLE)} by"


def _grouped(words: list[str]) -> Iterator[str]:
    """ "Order", "team": belonging to the order O, to the team O."""
    noun = forms(words[-1]).noun
    if len(words) > 2 or not noun or noun != words[-1] or wordnet.noun_kind(noun) not in _GROUPS:
        return
    label = " ".join(words)
    for lead in ("belongs to the", "is of the", "is in the", "is part of the", "is a member of the"):
        yield f"{lead} {label} of"
        yield f"{lead} {label}"


def _unmeasured(words: list[str]) -> Iterator[str]:
    """ "Elevation above the sea level", "length in metres": elevation, length."""
    cut = next((n for n, word in enumerate(words) if n and word in _MEASURED_FROM), 0)
    if cut and all(forms(w).noun or forms(w).adj for w in words[:cut]):
        yield " ".join(words[:cut])


def _without_kind(words: list[str], kinds: frozenset[str]) -> Iterator[str]:
    """ "Is part of military conflict", where all values are conflicts: is part of."""
    cut = max((n for n, word in enumerate(words) if "prep" in forms(word).closed), default=-1)
    rest = words[cut + 1 :]
    if cut > 0 and rest and (forms(rest[-1]).noun or rest[-1]) in kinds:
        yield " ".join(words[: cut + 1])


def _narrower(label: str) -> Iterator[str]:
    """Labels that say more than the frame which a label joins ("spouse": wife)."""
    own = own_keys(label)
    for frame in relations():
        labels = _narrower_labels().get(frame.name, ())
        if labels and not frame.head_keys().isdisjoint(own):
            yield from labels


@lru_cache(maxsize=1)
def _narrower_labels() -> Mapping[str, tuple[str, ...]]:
    """The labels of ``resources/narrower.txt``, by frame."""
    path = Path(__file__).parent.parent / "resources" / "narrower.txt"
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#")
    pairs = (line.partition(":") for line in lines)
    return {name.strip(): tuple(each.strip() for each in rest.split(",")) for name, _, rest in pairs}


def _range_nouns(info: PropertyInfo, schema: Schema) -> frozenset[str]:
    found = (schema.class_(iri) for iri in info.ranges)
    return frozenset(
        class_noun(schema.spoken(label)).partition("<")[0] for cls in found if cls is not None for label in cls.labels
    ) - {""}


def _numeric(info: PropertyInfo) -> bool:
    return info.is_object is not True and (info.datatype in NUMERIC_TYPES or info.unit_iri is not None)
