"""From a property's own words to all the keys it may be spoken of by.

Own words are its labels and alternative labels; each is put into the sentences it allows ("S flows into O", "the length
of S is O", "S is influenced by O") and parsed by the grammar of the texts. Frames add the ways in which English speaks
of that kind of quantity or relation; WordNet adds close synonyms of the own words. No property is named here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from imprimatur.extract.frames import Frame, aspects, dims, relations
from imprimatur.extract.wording import WordingKey, degree_key, with_role, within, wording_keys
from imprimatur.extract.words import BE, DO, HAVE, MEASURES, forms
from imprimatur.language import morphology, units, wordnet
from imprimatur.language.languages import Language, by_tag
from imprimatur.sources.graph.schema import PropertyInfo, Schema
from imprimatur.values import Unit

__all__ = ["SHARE_LINES", "chain_of", "own_keys", "wordings"]

_PLACE_NOUNS = frozenset("place location area site position point".split())
_TIME_NOUNS = frozenset("year date day time decade century".split())
_SHARES = frozenset("share percentage proportion fraction part percent".split())
_PARTITIVE = frozenset("part member component element piece branch subset".split())
#: What a quantity may be called besides, so that it still is the thing's own ("surface temperature": it is hotter).
_QUALIFYING = frozenset(
    "surface average mean maximum max minimum annual yearly typical adult body estimated official gross net list "
    "retail market ticket entry".split()
)
_COUNTS = frozenset(("number", "count"))


def own_keys(label: str) -> frozenset[WordingKey]:
    """The keys of a label in the sentences that it allows."""
    return frozenset(k for sentence in _sentences(label) for k in wording_keys(sentence) if k.key not in _EMPTY)


#: Keys that would make any sentence about two things a statement of the property.
_EMPTY = frozenset(("be|loc=*|subj=*", "@*", "=*", "be|of=*|subj=*"))


def _sentences(label: str) -> Iterator[str]:
    text = re.sub(r"\s+", " ", label).strip().rstrip(".:")
    words = [w.lower() for w in text.split()]
    if not words or len(words) > 12:
        return
    first, last = forms(words[0]), forms(words[-1])
    if words[0] in _PARTITIVE and words[1:2] == ["of"]:
        yield f"S is {text} O"
        yield f"S is {text} of O"
        return
    finite = (
        words[0] in BE | HAVE | DO
        or "s" in first.verb_forms
        or ("past" in first.verb_forms and not first.noun and (not first.adj or len(words) == 1))
        or (len(words) == 1 and "past" in first.verb_forms and first.verb != words[0] and not first.adv)  # "won"
    )
    told = forms(words[1]) if len(words) > 1 else None
    if first.adv and told is not None and told.verb_forms & {"past", "s"} and not told.noun:
        yield f"S {text} O"  # "first flew in"
    if finite:
        yield f"S {text} O"
        if last.adj and words[0] in BE:
            yield f"S {' '.join(words[:-1])} O {words[-1]}"
        yield from _split_verb(words)
    if first.verb_forms & {"pp", "ing"} and words[0] not in HAVE | DO:
        yield f"S is {text} O"
        if "ing" in first.verb_forms and first.verb:
            yield f"S {morphology.inflect(first.verb, 'v', morphology.Form.THIRD_PERSON)} {' '.join(words[1:])} O"
    if "prep" in first.closed:
        yield f"S is {text} O"
    if "prep" in last.closed:
        yield f"S is {text} O"
        if first.noun or first.adj:
            yield f"S is the {text} O"
    elif not finite or first.noun:
        yield f"the {text} of S is O"
    if first.verb and "base" in first.verb_forms and not first.noun:
        yield f"S {morphology.inflect(first.verb, 'v', morphology.Form.THIRD_PERSON)} {' '.join(words[1:])} O"
    yield from _of_participle(words)
    if len(words) > 1 and first.noun and first.plural and last.verb_forms & {"past", "base"}:
        yield f"S {text} O"
        yield f"{text} O for S"
        yield f"{' '.join(words[:-1])} of S {words[-1]} O"


#: Verbs whose subject is the one that has: of "award received" and "goals scored" the subject receives and scores.
_HAVING = frozenset("hold receive win earn own possess obtain get have gain speak play use score sell attend".split())
_WITH_AGENT = frozenset("at for under with".split())


def _of_participle(words: list[str]) -> Iterator[str]:
    """ "Award received": S received O, the award of S is O; "studied at": S studied at O."""
    first, last = forms(words[0]), forms(words[-1])
    if len(words) == 2 and "past" in first.verb_forms and first.adj and words[1] in _WITH_AGENT:
        yield f"S {' '.join(words)} O"
    if len(words) < 2 or last.verb not in _HAVING or "pp" not in last.verb_forms or not first.noun:
        return
    noun = " ".join(words[:-1])
    yield f"S {morphology.inflect(last.verb, 'v', morphology.Form.PAST)} O"
    yield f"S {morphology.inflect(last.verb, 'v', morphology.Form.PAST)} the {noun} of O"
    if last.verb != "hold":  # an office that is held is no place in a team
        yield f"the {noun} of S is O"


def _split_verb(words: list[str]) -> Iterator[str]:
    """ "drew visitors": a number may stand before the noun."""
    if len(words) == 2 and forms(words[1]).plural and words[0] not in BE:
        yield f"S {words[0]} Q {words[1]}"


def chain_of(key: str) -> tuple[str, ...] | None:
    """The noun chain of a key of the form ``=a<b<*``, None for any other."""
    if not key.startswith("=") or not key.endswith("<*") or any(c in key[:-2] for c in "*#[%~"):
        return None
    return tuple(key[1:-2].split("<"))


def wordings(info: PropertyInfo, schema: Schema) -> dict[WordingKey, int]:
    """All keys of a property with their tier: 0 own words, 1 frames, 2 synonyms."""
    labels = list(dict.fromkeys((*info.labels, *info.alt_labels)))
    own = {k for label in labels for k in own_keys(label)}
    if dated(info):
        own |= {k for label in labels for k in _happened(label)}
    out: dict[WordingKey, int] = dict.fromkeys(own, 0)
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    for key in _from_frames(own, info, schema, unit):
        out.setdefault(key, 1)
    for key in [k for k in own for k in _synonyms(k)]:
        out.setdefault(key, 2)
    return out


def _from_frames(own: set[WordingKey], info: PropertyInfo, schema: Schema, unit: Unit | None) -> Iterator[WordingKey]:
    measured = info.is_object is not True and (unit is not None or _numeric(info))
    for frame in relations(schema.language):
        yield from _joined(frame, own)
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
            yield from _of_dims(chain, unit, schema.language)
            yield from _of_shares(chain)
    if measured:
        for k in own:
            yield from _of_adjective(k)


def dated(info: PropertyInfo) -> bool:
    """Whether the property's values are dates."""
    return (info.datatype or "").rpartition("#")[2] in ("gYear", "gYearMonth", "date", "dateTime")


def _happened(label: str) -> Iterator[WordingKey]:
    """ "opened", "date opened", "came into force", of a date: "S was opened in O", "S opened in O"."""
    words = label.lower().split()
    if len(words) > 1 and words[0] in _TIME_NOUNS:
        words = words[1:]
    if len(words) == 1 and forms(words[0]).verb_forms & {"pp"}:
        yield from wording_keys(f"S was {words[0]} in O")
        yield from wording_keys(f"S {words[0]} in O")
    elif len(words) > 1 and forms(words[0]).verb_forms & {"past"} and not forms(words[0]).noun:
        yield from wording_keys(f"S {' '.join(words)} in O")
    elif len(words) == 2 and words[0] == "first" and forms(words[1]).verb_forms & {"pp"}:
        yield from wording_keys(f"S was {' '.join(words)} in O")


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


def _joined(frame: Frame, own: set[WordingKey]) -> Iterator[WordingKey]:
    heads = frame.head_keys()
    if heads & own:
        yield from frame.keys()
    elif {_turned(k) for k in heads} & own:
        yield from (_turned(k) for k in frame.keys())


def _turned(key: WordingKey) -> WordingKey:
    return WordingKey(key.key, 1 - key.subject)


def _range_words(info: PropertyInfo, schema: Schema) -> frozenset[str]:
    """The nouns that only repeat what kind of value the property has ("county" in "source county")."""
    words: set[str] = set()
    for iri in info.ranges:
        cls = schema.class_(iri)
        if cls is not None:
            words |= {forms(w).noun or w for label in cls.labels + cls.alt_labels for w in label.lower().split()}
        if iri.rpartition("#")[2] in ("gYear", "date", "dateTime", "gYearMonth"):
            words |= _TIME_NOUNS
    if info.is_object:
        words |= _PLACE_NOUNS
    return frozenset(words)


def _located(label: str, info: PropertyInfo, schema: Schema) -> Iterator[WordingKey]:
    """ "in state", "in county": the preposition alone says it, the noun only repeats the range."""
    words = label.lower().split()
    if len(words) == 1 and info.is_object and _is_place(words[0]) and _of_places(info, schema):
        yield from _location(schema)
    if len(words) >= 2 and words[0] in ("in", "at", "located"):
        rest = [w for w in words[1:] if w not in ("in", "at", "the")]
        if rest and all((forms(w).noun or w) in _range_words(info, schema) for w in rest):
            yield from _location(schema)


def _location(schema: Schema) -> frozenset[WordingKey]:
    """The keys of being somewhere, where the frame lexicon has them under that name."""
    found = (f.keys() for f in relations(schema.language) if f.name == "location")
    return next(found, frozenset())


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
    kinds = _range_words(info, schema) | (_TIME_NOUNS if info.is_object is False else frozenset())
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


def _of_dims(chain: tuple[str, ...], unit: Unit | None, language: Language | None) -> Iterator[WordingKey]:
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


#: How a share is spoken of: the kinds of words that say what it is a share of, and the sentences each allows.
_SHARE_WORDS = ("forested", "agricultural", "farmland")
_SHARE_OF = (
    "O of the basin of S is {}",
    "O of the basin of S is covered by {}",
    "O of the basin of S consists of {}",
    "O of the basin of S is comprised of {}",
    "O of the basin of S is composed of {}",
    "O of the basin of S is made up of {}",
    "O of the basin of S is characterized by {}",
    "{} makes up O of the basin of S",
    "{} covers O of the basin of S",
    "{} occupies O of the basin of S",
)
SHARE_LINES = tuple(
    line.format(word + extra)
    for word in _SHARE_WORDS
    for line in _SHARE_OF
    for extra in ("", " land", " land use")
    if (word != "farmland") == bool(extra) or (line == _SHARE_OF[0] and not extra)
)


def _of_shares(chain: tuple[str, ...]) -> Iterator[WordingKey]:
    """ "forested share of the watershed": O of the watershed of S is forested, forest makes up O of it."""
    if chain[0] in _SHARES and len(chain) >= 3:
        whole = "<".join(chain[2:])
        for word in _qualities(chain[1]):
            f = forms(word)
            kind = "forested" if f.verb_forms & {"pp"} else "agricultural" if f.adj and not f.noun else "farmland"
            for key in (k for line in SHARE_LINES if kind in line for k in wording_keys(line)):
                text = key.key.replace(kind, word).replace("forest|", f"{f.verb}|")
                for noun in _aspect_nouns(whole) or (whole,):
                    yield WordingKey(text.replace("basin", noun), key.subject)
    if chain[0] in _COUNTS and len(chain) == 2:
        noun = chain[1]
        plural = morphology.inflect(noun, "n", morphology.Form.PLURAL)
        yield WordingKey(f"#{noun}<*", 0)
        for line in (
            f"S has Q {plural}",
            f"there are Q {plural} on S",
            f"there are Q {plural} along S",
            f"Q {plural} stand along S",
            f"Q {plural} stand on S",
            f"Q {plural} are situated along S",
            f"Q {plural} are situated along the course of S",
            f"Q {plural} are located along S",
            f"Q {plural} are located along the course of S",
            f"Q {plural} lie along S",
            f"Q {plural} are on S",
            f"Q {plural} interrupt S",
            f"Q {plural} interrupt the course of S",
            f"Q {plural} block S",
            f"Q {plural} cross S",
            f"Q {plural} span S",
            f"S is interrupted by Q {plural}",
            f"S features Q {plural}",
            f"S counts Q {plural}",
            f"the number of {plural} on S is O",
            f"the count of {plural} on S is O",
            f"the number of {plural} along S is O",
            f"the number of {plural} along the course of S is O",
            f"the count of {plural} along the course of S is O",
        ):
            yield from wording_keys(line)


def _aspect_nouns(rest: str) -> tuple[str, ...]:
    return next((f.nouns for f in aspects() if rest in f.nouns), ())


def _qualities(word: str) -> tuple[str, ...]:
    """The word with its noun and adjective twins ("forested": forest; "agricultural": agriculture, farmland)."""
    out = [word]
    for pos in ("a", "n", "v"):
        out += sorted(wordnet.synonyms(word, pos, max_senses=1))
        out += sorted(w for w, p in wordnet.derived(word, pos) if p in ("n", "a"))
    base = forms(word).noun or forms(word).verb
    if base and base != word:
        out.append(base)
    if "agriculture" in out or "agricultural" in out:
        out += ["farmland", "farming"]
    return tuple(dict.fromkeys(w for w in out if " " not in w and w.isalpha()))


def _of_adjective(key: WordingKey) -> Iterator[WordingKey]:
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
    if unit is None:
        return name == "NUM"
    if name == "CURRENCY":
        return any(symbol.startswith("cur:") for symbol, _ in unit.dimension)
    other = units.by_iri(f"http://qudt.org/vocab/unit/{name}")
    return other is not None and other.dimension == unit.dimension


def _synonyms(key: WordingKey) -> Iterator[WordingKey]:
    """The key with its verb, or with one noun of its chain, replaced by a close synonym."""
    chain = chain_of(key.key)
    if chain is not None:
        for n, word in enumerate(chain):
            for other in _close(word, "n"):
                yield WordingKey("=" + "<".join((*chain[:n], other, *chain[n + 1 :], "*")), key.subject)
    elif "|" in key.key and key.key[0] not in "=@#":
        verb, _, rest = key.key.partition("|")
        if "+" not in verb:
            for other in _close(verb, "v"):
                yield WordingKey(f"{other}|{rest}", key.subject)


def _close(word: str, pos: str) -> Iterable[str]:
    if word in BE | HAVE | DO or word in (
        "be",
        "have",
        "do",
        "take",
        "give",
        "make",
        "get",
        "go",
        "come",
        "state",
        "country",
    ):
        return ()
    found = wordnet.synonyms(word, pos, max_senses=2)
    return sorted(
        "<".join(reversed(w.split()))
        for w in found
        if w != word and wordnet.related((word, pos), (w, pos)) == wordnet.Relation.SYNONYM
    )
