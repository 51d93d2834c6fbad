"""Questions of a knowledge base for training and for evaluation, split by the things that they are about.

The questions are those of ``evals.one_fact`` and ``evals.unsupported``, as ``imprimatur eval conditions`` asks them,
and where these are too few those of ``several``. A thing is held out when the hash of its IRI says so, whatever the
seed; so that a thing that was trained on is never asked about in an evaluation, of this draw or another. Invariants:
no question for training is about a thing that is held out, or names one that is asked about; nor is its fact a
held-out one read backwards (the same two things); no question tells its own answer ("What does Mill Creek (Lake Erie)
flow into?"); one seed gives the same questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from imprimatur.evals.one_fact import one_fact
from imprimatur.evals.posed import states
from imprimatur.evals.unsupported import unsupported
from imprimatur.extract.items import items_of
from imprimatur.knowledge import Knowledge
from imprimatur.oracle import Oracle
from imprimatur.tune.several import Several, several

__all__ = ["Amount", "Asked", "Parts", "is_held_out", "pose"]

#: More are drawn than are needed, since some of each part are left out.
_SPARE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """How many questions: for training and held out, and of each how many that nothing supports.

    ``share`` is the share of all things, in %, that are held out.
    """

    train: int = 500
    heldout: int = 100
    unsupported: int = 0
    heldout_unsupported: int = 0
    share: int = 20
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question; ``right`` is empty where nothing in the graph answers it. ``about``: the IRIs that it names."""

    id: str
    text: str
    right: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """The questions for training, and those held out."""

    train: tuple[Asked, ...]
    heldout: tuple[Asked, ...]


def is_held_out(iri: str, share: int) -> bool:
    """Whether a thing is held out, ``share`` being in %."""
    return int.from_bytes(sha256(iri.encode()).digest()[:4], "big") % 100 < share


def pose(oracle: Oracle, amount: Amount) -> Parts:
    """The questions of a knowledge base. Raises InputError where it has no graph to make questions from."""
    knowledge, share = oracle.knowledge, amount.share
    if not share:
        wanted = amount.train + amount.heldout
    else:
        wanted = max(amount.train * 100 // (100 - share), amount.heldout * 100 // share)
    facts = _facts(oracle, wanted * _SPARE, amount.seed)
    heldout = [each for each in facts if is_held_out(each.about[0], share)][: amount.heldout]
    pairs = {pair for each in facts if is_held_out(each.about[0], share) for pair in _pairs(each)}
    named = {each.about[0] for each in heldout}
    # A question may name its value too, where names share words: what is said of a held-out thing stays out.
    train = [
        each
        for each in facts
        if not is_held_out(each.about[0], share)
        and not pairs & {*_pairs(each)}
        and not named & {*_named(each.text, knowledge)}
    ]
    without = _without(knowledge, amount)
    return Parts(
        train=(*train[: amount.train], *without.train[: amount.unsupported]),
        heldout=(*heldout, *without.heldout[: amount.heldout_unsupported]),
    )


def _facts(oracle: Oracle, count: int, seed: int) -> list[Asked]:
    """Questions with their answers; those with several values only where others are too few."""
    made: list[Several] = [
        (text, (value,), (triple,)) for text, value, triple in one_fact(oracle.knowledge, count, seed=seed)
    ]
    if len(made) < count:
        known = {text for text, _, _ in made}
        made += [each for each in several(oracle.knowledge, count, seed=seed) if each[0] not in known]
    return [
        _supported(text, values, triples)
        for text, values, triples in made[:count]
        if not any(states(text, value, oracle) for value in values)
    ]


def _supported(text: str, values: tuple[str, ...], triples: tuple[str, ...]) -> Asked:
    about = dict.fromkeys(iri for triple in triples for iri in _things(triple))
    return Asked(id=_id(text), text=text, right=values, gold=triples, about=tuple(about))


def _pairs(asked: Asked) -> list[frozenset[str]]:
    """The two things of each of its facts; one alone where the value is none."""
    return [frozenset(_things(triple)) for triple in asked.gold]


def _things(triple: str) -> tuple[str, ...]:
    """The subject of a triple in N-Triples, and its value where that is a thing."""
    subject, _, rest = triple.partition(" ")
    value = rest.partition(" ")[2].removesuffix(" .")
    return tuple(each[1:-1] for each in (subject, value) if each.startswith("<") and each.endswith(">"))


def _without(knowledge: Knowledge, amount: Amount) -> Parts:
    """Questions that nothing supports, by the things that they name; those that name none by themselves."""
    wanted = amount.unsupported + amount.heldout_unsupported
    if not wanted:
        return Parts((), ())
    most = wanted if not amount.share else max(wanted, amount.heldout_unsupported * 100 // amount.share)
    kinds = unsupported(knowledge, most * _SPARE, seed=amount.seed)
    # One of each kind in turn, so that a part of them has all kinds.
    texts = [text for turn in range(most * _SPARE) for kind in kinds.values() for text in kind[turn : turn + 1]]
    train, heldout = list[Asked](), list[Asked]()
    for text in dict.fromkeys(texts):
        about = _named(text, knowledge)
        held = any(is_held_out(each, amount.share) for each in about or (text,))
        (heldout if held else train).append(Asked(id=_id(text), text=text, about=about))
    return Parts(tuple(train), tuple(heldout))


def _named(text: str, knowledge: Knowledge) -> tuple[str, ...]:
    """The things that a text names, or may name."""
    items = items_of(text, knowledge.lexicon)
    return tuple(dict.fromkeys(iri for item in items if item.entity is not None for iri in item.entity.candidates))


def _id(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
