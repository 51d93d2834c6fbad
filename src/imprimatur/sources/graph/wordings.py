"""From a property's own words to all the keys it may be spoken of by.

Own words are its labels and alternative labels; each is put into the sentences it allows ("S flows into O", "the length
of S is O", "S is influenced by O") and parsed by the grammar of the texts. Frames add the ways in which English speaks
of that kind of quantity or relation; WordNet adds close synonyms of the own words. No property is named here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from imprimatur.extract.frames import Frame, aspects, relations
from imprimatur.extract.wording import WordingKey, wording_keys
from imprimatur.extract.words import forms
from imprimatur.language import units, wordnet
from imprimatur.language.languages import by_tag
from imprimatur.sources.graph.measured_wordings import of_adjective, of_dims
from imprimatur.sources.graph.own_words import TIME_NOUNS, chain_of, happened
from imprimatur.sources.graph.schema import ClassInfo, PropertyInfo, Schema
from imprimatur.sources.graph.share_wordings import of_shares
from imprimatur.sources.graph.synonyms import synonyms
from imprimatur.sources.graph.two_ways import keys_of_labels
from imprimatur.values import Unit

__all__ = ["wordings"]

_PLACE_NOUNS = frozenset("place location area site position point".split())
#: The noun of which a key says that it is the value: "the birthplace of S is O".
_VALUE_NOUN = re.compile(r"(?:[=@]|be\|obj=)([a-z]+)<")


def wordings(info: PropertyInfo, schema: Schema) -> dict[WordingKey, int]:
    """All keys of a property with their tier: 0 own words, 1 frames, 2 synonyms."""
    labels = list(dict.fromkeys((*info.labels, *info.alt_labels)))
    own = keys_of_labels(info, schema)
    if dated(info):
        own |= {k for label in labels for k in happened(label)}
    out: dict[WordingKey, int] = dict.fromkeys(own, 0)
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    for key in _from_frames(own, info, schema, unit):
        if not _misnames(key, own, info):
            out.setdefault(key, 1)
    for key in [k for k in own for k in synonyms(k)]:
        out.setdefault(key, 2)
    return dict(sorted(out.items(), key=_order))


def _order(found: tuple[WordingKey, int]) -> tuple[int, str, int, bool, bool]:
    """Own words first, else by the key: what is found in sets must not come in the order of their hashes."""
    key, tier = found
    return tier, key.key, key.subject, key.turned, key.able


def _from_frames(own: set[WordingKey], info: PropertyInfo, schema: Schema, unit: Unit | None) -> Iterator[WordingKey]:
    measured = info.is_object is not True and (unit is not None or _numeric(info))
    around = frozenset(_turned(key) for key in own if not key.turned)
    for frame in relations(schema.language):
        yield from _joined(frame, own, around)
        if frame.narrower and not frame.head_keys().isdisjoint(own):
            yield from _by_range(info, schema)
        if frame.doors and not frame.door_keys().isdisjoint(own) and _is_of(info.domains, frame.kinds, schema):
            yield from frame.keys()
    if dated(info):
        for aspect in aspects(schema.language):
            if any("bear|" not in k.key and "|" in k.key for k in aspect.keys() & own):
                yield from (*aspect.keys(), *aspect.degrees())
    for label in info.labels + info.alt_labels:
        yield from _located(label, info, schema)
    chains = {c for k in own if k.subject == 0 and (c := chain_of(k.key)) is not None}
    for chain in chains:
        yield from _of_aspects(chain, info, schema)
        if measured:
            yield WordingKey(f"#{'<'.join(chain)}<*", 0)
            yield from of_dims(chain, unit, schema.language)
            yield from of_shares(chain)
    if measured:
        for k in own:
            yield from of_adjective(k)


def dated(info: PropertyInfo) -> bool:
    """Whether the property's values are dates."""
    return (info.datatype or "").rpartition("#")[2] in ("gYear", "gYearMonth", "date", "dateTime")


def _misnames(key: WordingKey, own: set[WordingKey], info: PropertyInfo) -> bool:
    """Whether a key calls a place a time, or a time a place.

    Frames speak of both ("S was born in O"), but "the date of birth" is no place, and "the birthplace" no date.
    """
    noun = _value_noun(key)
    named = {_value_noun(each) for each in own}
    time = dated(info) or _numeric(info) or not TIME_NOUNS.isdisjoint(named)
    if noun in TIME_NOUNS:
        return not time and (bool(info.is_object) or any(map(_is_place_noun, named)))
    return time and _is_place_noun(noun)


def _value_noun(key: WordingKey) -> str:
    found = _VALUE_NOUN.match(key.key)
    return found.group(1) if found is not None else ""


def _is_place_noun(noun: str) -> bool:
    # An area and a position may be numbers.
    return noun in ("location", "site") or noun.endswith("place")


def _numeric(info: PropertyInfo) -> bool:
    return bool(
        info.datatype
        and info.datatype.rpartition("#")[2]
        in (
            "decimal",
            "integer",
            "int",
            "long",
            "double",
            "float",
            "nonNegativeInteger",
            "positiveInteger",
            "short",
            "byte",
        )
    )


def _joined(frame: Frame, own: set[WordingKey], around: frozenset[WordingKey]) -> Iterator[WordingKey]:
    """The keys of a frame that a property joins by its own words, or from the other end by these turned ``around``."""
    heads = frame.head_keys()
    if not heads.isdisjoint(own):
        yield from frame.keys()
    elif not heads.isdisjoint(around):
        yield from (_turned(k) for k in frame.keys())


def _by_range(info: PropertyInfo, schema: Schema) -> Iterator[WordingKey]:
    """ "The county of S is O", where all values are counties."""
    found = [cls for iri in info.ranges if (cls := schema.class_(iri)) is not None]
    if schema.language is None and len(found) == len(info.ranges) == 1:
        for label in found[0].labels:
            yield from wording_keys(f"the {label.lower()} of S is O")


def _is_of(classes: Sequence[str], kinds: Sequence[str], schema: Schema) -> bool:
    """Whether all classes are of some kinds, by the last noun of a label and what it is a kind of."""
    found = [cls for iri in classes if (cls := schema.class_(iri)) is not None]
    return bool(found) and len(found) == len(classes) and all(_names_kind(cls, kinds) for cls in found)


def _names_kind(cls: ClassInfo, kinds: Sequence[str]) -> bool:
    for label in cls.labels + cls.alt_labels:
        words = label.lower().split()
        noun = forms(words[-1]).noun or words[-1] if words else ""
        if noun in kinds or not wordnet.hypernyms(noun, "n", depth=None).isdisjoint(kinds):
            return True
    return False


def _turned(key: WordingKey) -> WordingKey:
    return key.from_other_end()


def _range_words(info: PropertyInfo, schema: Schema) -> frozenset[str]:
    """The nouns that only repeat what kind of value the property has ("county" in "source county")."""
    words: set[str] = set()
    for iri in info.ranges:
        cls = schema.class_(iri)
        if cls is not None:
            words |= {forms(w).noun or w for label in cls.labels + cls.alt_labels for w in label.lower().split()}
        if iri.rpartition("#")[2] in ("gYear", "date", "dateTime", "gYearMonth"):
            words |= TIME_NOUNS
    if info.is_object:
        words |= _PLACE_NOUNS
    return frozenset(words)


def _located(label: str, info: PropertyInfo, schema: Schema) -> Iterator[WordingKey]:
    """ "in state", "in county": the preposition alone says it, the noun only repeats the range."""
    words = label.lower().split()
    if len(words) == 1 and info.is_object and _is_place(words[0]) and _of_places(info, schema):
        yield from _location(info, schema)
    if len(words) >= 2 and words[0] in ("in", "at", "located"):
        rest = [w for w in words[1:] if w not in ("in", "at", "the")]
        if rest and all((forms(w).noun or w) in _range_words(info, schema) for w in rest):
            yield from _location(info, schema)


def _location(info: PropertyInfo, schema: Schema) -> Iterator[WordingKey]:
    """The keys of being somewhere, as the frame lexicon has them under that name, with those for things of its kind."""
    for frame in relations(schema.language):
        if frame.name == "location":
            yield from frame.keys()
            yield from (
                key
                for other in relations(schema.language)
                if not other.door_keys().isdisjoint(frame.head_keys()) and _is_of(info.domains, other.kinds, schema)
                for key in other.keys()
            )


def _of_places(info: PropertyInfo, schema: Schema) -> bool:
    """Whether only places have the property: the country of a town is where it lies, that of a person is not."""
    known = [cls for iri in info.domains if (cls := schema.class_(iri)) is not None]
    heads = {forms(label.lower().split()[-1]).noun or label for cls in known for label in cls.labels if label.strip()}
    return bool(heads) and all(_is_place(head) for head in heads)


def _is_place(noun: str) -> bool:
    if by_tag(noun) is not None:
        return wordnet.noun_kind(noun) == "noun.location"
    return "location" in wordnet.hypernyms(noun, "n", depth=4, max_senses=3)


def _of_aspects(chain: tuple[str, ...], info: PropertyInfo, schema: Schema) -> Iterator[WordingKey]:
    """ "source county": the source of S is in O; "birth year": S was born in O."""
    kinds = _range_words(info, schema) | (TIME_NOUNS if info.is_object is False else frozenset())
    if dated(info):
        yield from (k for f in aspects() if "<".join(chain) in f.nouns for k in (*f.keys(), *f.degrees()))
    for cut in range(1, len(chain)):
        if not all(w in kinds for w in chain[:cut]):
            break
        rest = "<".join(chain[cut:])
        for frame in aspects(schema.language):
            if rest in frame.nouns:
                yield from frame.keys()
                if not info.is_object:
                    yield from frame.degrees()
                for noun in frame.nouns:
                    yield WordingKey(f"@{noun}<*", 0)
                    if info.is_object:
                        yield WordingKey(f"={noun}<*", 0)
                    for kind in chain[:cut]:
                        yield WordingKey(f"={kind}<{noun}<*", 0)
                        yield WordingKey(f"@*:{kind}<*", 0)
