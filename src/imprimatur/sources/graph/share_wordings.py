"""How shares and counts are spoken of: "O of the basin of S is forested", "S has Q arches".

Contract: ``of_shares`` gives the keys for a noun chain that names a share of something or a number of things, and
nothing for any other chain.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur.extract.frames import aspects
from imprimatur.extract.wording import WordingKey, wording_keys
from imprimatur.extract.words import forms
from imprimatur.language import morphology, wordnet

__all__ = ["SHARE_LINES", "of_shares"]


_SHARES = frozenset("share percentage proportion fraction part percent".split())


_COUNTS = frozenset(("number", "count"))


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


#: How many of something there are on a river, road or line; the gap is their plural.
_COUNT_LINES = (
    "S has Q {}",
    "there are Q {} on S",
    "there are Q {} along S",
    "Q {} stand along S",
    "Q {} stand on S",
    "Q {} are situated along S",
    "Q {} are situated along the course of S",
    "Q {} are located along S",
    "Q {} are located along the course of S",
    "Q {} lie along S",
    "Q {} are on S",
    "Q {} interrupt S",
    "Q {} interrupt the course of S",
    "Q {} block S",
    "Q {} cross S",
    "Q {} span S",
    "S is interrupted by Q {}",
    "S features Q {}",
    "S counts Q {}",
    "the number of {} on S is O",
    "the count of {} on S is O",
    "the number of {} along S is O",
    "the number of {} along the course of S is O",
    "the count of {} along the course of S is O",
)


def of_shares(chain: tuple[str, ...]) -> Iterator[WordingKey]:
    """ "forested share of the watershed": O of the watershed of S is forested, forest makes up O of it."""
    if chain[0] in _SHARES and len(chain) >= 3:
        whole = "<".join(chain[2:])
        for word in _qualities(chain[1]):
            f = forms(word)
            kind = "forested" if f.verb_forms & {"pp"} else "agricultural" if f.adj and not f.noun else "farmland"
            for key in (k for line in SHARE_LINES if kind in line for k in wording_keys(line)):
                text = key.key.replace(kind, word).replace("forest|", f"{f.verb}|")
                for noun in _aspect_nouns(whole) or (whole,):
                    yield WordingKey(text.replace("basin", noun), key.subject, able=key.able)
    if chain[0] in _COUNTS and len(chain) == 2:
        noun = chain[1]
        plural = morphology.inflect(noun, "n", morphology.Form.PLURAL)
        yield WordingKey(f"#{noun}<*", 0)
        for line in _COUNT_LINES:
            yield from wording_keys(line.format(plural))


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
