"""How measures are spoken of, by their dimension: "the drainage basin of S covers O", "S rises at O above sea level".

Contract: ``of_dims`` gives the keys for a noun chain with a unit, ``of_adjective`` those for a key whose noun has an
adjective of measure ("length": "O long"); nothing where the unit or the words do not fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.frames import Frame, aspects, dims
from imprimatur.extract.wording import WordingKey, degree_key, with_role, within, wording_keys
from imprimatur.extract.words import MEASURES
from imprimatur.language import units, wordnet
from imprimatur.language.languages import Language
from imprimatur.sources.graph.own_words import chain_of
from imprimatur.values import Unit

__all__ = ["of_adjective", "of_dims"]


#: What a quantity may be called besides, so that it still is the thing's own ("surface temperature": it is hotter).
_QUALIFYING = frozenset(
    "surface average mean maximum max minimum annual yearly typical adult body estimated official gross net list "
    "retail market ticket entry".split()
)


def of_dims(chain: tuple[str, ...], unit: Unit | None, language: Language | None) -> Iterator[WordingKey]:
    """ "drainage basin area": the drainage basin of S covers O."""
    for frame in dims(language):
        cut = next((n for n in (2, 1) if "<".join(chain[:n]) in frame.nouns), 0)
        if not cut or not _same_dimension(frame.unit, unit):
            continue
        rest = "<".join(chain[cut:])
        if rest in _QUALIFYING:
            yield from frame.degrees()
        if not rest or rest in ("total", "mean", "average", "overall"):
            yield from (*frame.keys(), *frame.degrees())
            for noun in frame.nouns:
                for extra in ("", "<total", "<overall", "<mean", "<average") if rest or noun else ("",):
                    if not extra or extra[1:] in ("total", "overall") or rest in ("mean", "average"):
                        yield WordingKey(f"={noun}{extra}<*", 0)
            if frame.unit == "M" and not frame.positional:
                yield WordingKey("=~<*", 0)
        for aspect in aspects(language):
            if rest in aspect.nouns:
                yield from _of_aspect_dim(frame, aspect)


def _of_aspect_dim(frame: Frame, aspect: Frame) -> Iterator[WordingKey]:
    """The frame's lines with "the source of S" for S; for heights and coordinates also the aspect's own lines."""
    spoken = frame.keys()
    for noun in aspect.nouns:
        yield from (k for key in spoken if (k := within(key, noun, of_subject=True)) is not None)
        for name in frame.nouns:
            yield WordingKey(f"={name}<{noun}<*", 0)
        if not frame.positional:
            yield WordingKey(f"={noun}<*", 0)
    for line in aspect.measures:
        yield from wording_keys(line)
    if frame.positional:
        for key in {k for line in aspect.lines if line.endswith((" in O", " at O")) for k in wording_keys(line)}:
            yield from _at_height(key, frame.nouns)


def _at_height(key: WordingKey, names: tuple[str, ...]) -> Iterator[WordingKey]:
    """ "S rises in O" with a height for the place: "at O above sea level", "at an elevation of O"."""
    found = [key] if "|" in key.key else []
    found += [k for name in names if (k := within(key, name, of_subject=False)) is not None]
    for k in found:
        if k is not key:
            yield k
        above = with_role(k, "above=level<sea")
        if above is not None:
            yield above


def of_adjective(key: WordingKey) -> Iterator[WordingKey]:
    """ "length" allows "O long": WordNet names the noun of an adjective of measure."""
    chain = chain_of(key.key)
    if chain is None or len(chain) != 1:
        return
    for adjective in MEASURES:
        if chain[0] in wordnet.attribute(adjective):
            yield from wording_keys(f"S is O {adjective}")
            yield from wording_keys(f"S stands O {adjective}")
    for word, pos in wordnet.derived(chain[0], "n"):
        # "Hardness" makes "harder" comparable; but the attribute "length" leads to "short" as well.
        if pos == "a" and word[:4] == chain[0][:4] and not word.endswith("less"):
            yield WordingKey(degree_key(word), 1)


def _same_dimension(name: str, unit: Unit | None) -> bool:
    if unit is None or units.scale_of(unit) is not None:
        return name == "NUM"
    if name == "CURRENCY":
        return any(symbol.startswith("cur:") for symbol, _ in unit.dimension)
    other = units.by_iri(f"http://qudt.org/vocab/unit/{name}")
    return other is not None and other.dimension == unit.dimension
