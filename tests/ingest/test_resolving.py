"""Which thing is meant: names that are easily mistaken, in any order."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from made_ontology import BASE, thing
from made_things import NEW, resolver, said, things

from imprimatur.errors import CheckFailed
from imprimatur.ingest.candidate import Candidate, Thing
from imprimatur.ingest.name_keys import alike, shorter
from imprimatur.ingest.proposing import ModelVerifier, Side, SimilarNames
from imprimatur.models.asking import Completion, Prompt
from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral


def _year(text: str) -> RdfLiteral:
    return RdfLiteral(text, XSD + "gYear")


def _subject(folder: Path, *batch: Candidate) -> tuple[str, str]:
    """The IRI that the first candidate's subject gets, without the common beginning; and how."""
    first = resolver(folder).resolve(batch)[0]
    return first.candidate.subject.iri.removeprefix(BASE) if not first.refusals else "", first.how.split(",")[0]


class Scripted:
    """A model that gives some answers, one after another."""

    identity = "made (0)"

    def __init__(self, answers: list[str]) -> None:
        self._answers = answers

    def complete(self, prompt: Prompt, *, seconds: float | None = None) -> Completion:
        """The next answer."""
        return Completion(text=self._answers.pop(0))


class _Says:
    """A verifier that gives one answer, and keeps what it was asked."""

    identity = "made"

    def __init__(self, answer: bool | None) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str]] = []

    def same(self, left: Side, right: Side) -> bool | None:
        """The answer."""
        self.asked.append((left.name, right.name))
        return self.answer


class _Near:
    """A proposer that always proposes the same things."""

    identity = "made"

    def __init__(self, *names: str) -> None:
        self.names = names

    def near(self, name: str) -> tuple[str, ...]:
        """The things."""
        return tuple(BASE + each for each in self.names)


_ACME, _CITY = thing("Acme", "Company"), thing("Salem", "City")
#: The first candidate's subject; what it is found to be, and how.
CASES: list[tuple[tuple[Candidate, ...], tuple[str, str]]] = [
    # Letter by letter, in an alternative label, but for capitals, stops, accents and "the".
    ((said(thing("Acme", "Company"), "seat", _CITY),), ("acme", "exact")),
    ((said(thing("Acme Works", "Organization"), "seat", _CITY),), ("acme", "exact")),
    ((said(thing("the ACME works", "Organization"), "seat", _CITY),), ("acme", "alternative")),
    ((said(thing("Heinrich Muller", "Person"), "knows", _ACME),), ("muller", "alternative")),
    ((said(thing("Heinrich Muller", "Politician"), "knows", _ACME),), ("muller", "alternative")),
    # Paris, Paris Hilton, and a person called Paris.
    ((said(thing("Paris", "City"), "population", RdfLiteral("3", XSD + "integer")),), ("paris", "exact")),
    ((said(thing("Paris Hilton", "Person"), "knows", _ACME),), ("hilton", "exact")),
    ((said(thing("Paris", "Person"), "knows", _ACME),), ("new/person/Paris", "new")),
    ((said(thing("Hilton", "Person"), "knows", _ACME),), ("", "ambiguous")),
    ((said(thing("York", "City"), "population", RdfLiteral("3", XSD + "integer")),), ("new/city/York", "new")),
    # J. Smith and John Smith.
    ((said(thing("J. Smith", "Person"), "knows", _CITY),), ("", "ambiguous")),
    ((said(thing("J. Smith", "Person"), "works_at", _ACME),), ("john_smith", "facts")),
    ((said(thing("Jane Smith", "Person"), "works_at", _ACME),), ("new/person/Jane_Smith", "new")),
    ((said(thing("John Smith", "Person"), "born", _year("1950")),), ("john_smith", "exact")),
    ((said(thing("John Smith", "Person"), "born", _year("1971")),), ("", "ambiguous")),
    # Mill Creek in Ohio and in Oregon.
    ((said(thing("Mill Creek", "River"), "flows_through", thing("Dayton", "City")),), ("", "ambiguous")),
    ((said(thing("Mill Creek", "River"), "flows_through", _CITY),), ("mill_oregon", "facts")),
    ((said(thing("Mill Creek, Ohio", "River"), "knows", _CITY),), ("mill_ohio", "alternative")),
    (
        (said(thing("Mill Creek", "River"), "knows", _CITY, quote="In Ohio, Mill Creek knows Salem."),),
        ("mill_ohio", "context"),
    ),
    ((said(thing("Mill Creek (Utah)", "River"), "knows", _CITY),), ("new/river/Mill_Creek_%28Utah%29", "new")),
    # Initials of a company.
    ((said(thing("IBM", "Company"), "seat", _CITY),), ("", "ambiguous")),
    ((said(thing("I.B.M.", "Company"), "seat", thing("Armonk", "City")),), ("ibm", "facts")),
    ((said(thing("IBM", "City"), "knows", _CITY),), ("new/city/IBM", "new")),
    # Two people of one name: what is said of them decides.
    ((said(thing("Ann Lee", "Person"), "knows", _CITY),), ("", "ambiguous")),
    ((said(thing("Ann Lee", "Person"), "born", _year("1981")),), ("ann_2", "facts")),
    ((said(thing("Ann Lee", "Person"), "works_at", _ACME),), ("ann_1", "facts")),
    ((said(thing("Ann Lee", "Person"), "born", _year("1999")),), ("", "ambiguous")),
    # A thing whose class the graph does not tell.
    ((said(thing("Nobody Known", "Person"), "knows", _CITY),), ("", "ambiguous")),
    ((said(thing("Nobody Known"), "knows", _CITY),), ("nobody", "exact")),
    # The long form earlier in the same document.
    (
        (
            said(thing("Smythe", "Person"), "knows", _CITY, at=90),
            said(thing("Carla Smythe", "Person"), "knows", _CITY, at=10),
        ),
        ("new/person/Carla_Smythe", "short"),
    ),
    (
        (
            said(thing("Elm Run", "River"), "knows", _CITY, at=90),
            said(thing("Elm Run (Utah)", "River"), "knows", _CITY, at=0),
        ),
        ("new/river/Elm_Run_%28Utah%29", "short"),
    ),
    (
        (
            said(thing("Elm Run", "River"), "knows", _CITY, at=90),
            said(thing("Elm Run (Utah)", "River"), "knows", _CITY, at=10),
            said(thing("Ash Run (Utah)", "River"), "knows", _CITY, at=0),
        ),
        ("", "ambiguous"),
    ),
    (
        (
            said(thing("Smythe", "Person"), "knows", _CITY, at=9),
            said(thing("Carla Smythe", "Person"), "knows", _CITY, at=10),
        ),
        ("", "ambiguous"),
    ),
    (
        (
            said(thing("Smythe", "Person"), "knows", _CITY, at=90, document="b.txt"),
            said(thing("Carla Smythe", "Person"), "knows", _CITY, at=10),
        ),
        ("", "ambiguous"),
    ),
]


@pytest.mark.parametrize(("batch", "wanted"), CASES, ids=lambda each: str(each)[40:100])
def test_which_thing(tmp_path: Path, batch: tuple[Candidate, ...], wanted: tuple[str, str]) -> None:
    """A name is settled where names, classes, facts or context say so, and held back where they do not."""
    assert _subject(tmp_path, *batch) == wanted


def test_nothing_depends_on_the_order(tmp_path: Path) -> None:
    """All cases as one batch, in forty orders, give every candidate the same IRIs."""
    batch = [each for case, _ in CASES for each in case]
    made = resolver(tmp_path)
    outcome = dict(zip(batch, made.resolve(batch), strict=True))
    decisions = made.decisions
    for seed in range(40):
        turned = batch[:]
        random.Random(seed).shuffle(turned)
        again = dict(zip(turned, made.resolve(turned), strict=True))
        assert again == outcome
        assert made.decisions == decisions


def test_one_name_and_class_is_one_thing(tmp_path: Path) -> None:
    """Mentions from the general to the special are one thing; those of classes that part are two."""
    batch = [
        said(thing("Zed", "Agent"), "knows", _CITY),
        said(thing("Zed", "Person"), "knows", _CITY),
        said(thing("ZED", "Politician"), "knows", _CITY, document="b.txt"),
    ]
    found = resolver(tmp_path).resolve(batch)
    assert {each.candidate.subject.iri for each in found} == {NEW + "politician/Zed"}
    batch.append(said(thing("Zed", "Company"), "seat", _CITY))
    parted = resolver(tmp_path).resolve(batch)
    assert [each.candidate.subject.iri.removeprefix(NEW) for each in parted] == [
        "",
        "politician/Zed",
        "politician/Zed",
        "company/Zed",
    ]
    assert [each.code for each in parted[0].refusals] == ["ambiguous-thing"]


def test_new_things_are_named_and_of_a_class(tmp_path: Path) -> None:
    """What is new comes with its name and its most special class; what the graph has does not."""
    batch = [said(thing("Zed", "Person"), "works_at", _ACME), said(thing("Zed", "Politician"), "works_at", _ACME)]
    found = resolver(tmp_path).resolve(batch)
    assert found[0].new == (Thing(name="Zed", classes=(BASE + "Politician",), iri=NEW + "politician/Zed"),)
    assert found[0].how == "new, exact"


def test_class_of_a_membership_is_no_thing(tmp_path: Path) -> None:
    """The class in "X is a Person" is left as it is."""
    member = said(thing("Zed", "Person"), RDF + "type", Thing(name="Person", iri=BASE + "Person"))
    (found,) = resolver(tmp_path).resolve([member])
    assert found.candidate.value == member.value
    assert found.candidate.subject.iri == NEW + "person/Zed"


def test_given_iris_count_only_if_the_graph_has_them(tmp_path: Path) -> None:
    """An IRI that a reader gives is kept where the graph knows it, and else is nothing."""
    known = said(thing("whoever", "Person", iri=BASE + "john_smith"), "knows", _CITY)
    made_up = said(thing("Zed", "Person", iri="https://evil.example/x"), "knows", _CITY)
    found = resolver(tmp_path).resolve([known, made_up])
    assert [each.candidate.subject.iri for each in found] == [BASE + "john_smith", NEW + "person/Zed"]


def test_a_model_only_confirms(tmp_path: Path) -> None:
    """What a model confirms is of trust model; what it denies is new; what it cannot tell is held back."""
    short = said(thing("IBM", "Company"), "seat", _CITY)
    (yes,) = resolver(tmp_path, verifier=_Says(True)).resolve([short])
    assert (yes.candidate.subject.iri, yes.how) == (BASE + "ibm", "short+model, exact")
    assert (yes.candidate.trust, yes.candidate.by) == ("model", "patterns; things by made")
    (no,) = resolver(tmp_path, verifier=_Says(False)).resolve([short])
    assert (no.candidate.subject.iri, no.candidate.trust) == (NEW + "company/IBM", "derived")
    (late,) = resolver(tmp_path, verifier=_Says(None)).resolve([short])
    assert late.refusals
    several = _Says(True)
    (both,) = resolver(tmp_path, verifier=several).resolve([said(thing("Ann Lee", "Person"), "knows", _CITY)])
    assert both.refusals
    assert len(several.asked) == 2


def test_a_model_cannot_merge_what_classes_or_facts_keep_apart(tmp_path: Path) -> None:
    """No word of a model makes one thing of a person and a city, or of two people born in different years."""
    agrees = _Says(True)
    made = resolver(tmp_path, _Near("paris", "muller"), agrees)
    batch = [
        said(thing("Panam", "Person"), "born", _year("1800")),
        said(thing("John Smith", "Person"), "born", _year("1971")),
    ]
    found = made.resolve(batch)
    assert found[0].candidate.subject.iri == NEW + "person/Panam"
    assert found[1].refusals
    assert agrees.asked == []


def test_vectors_only_propose(tmp_path: Path) -> None:
    """Without a model that confirms, a thing of a similar name is noted and the thing is new."""
    batch = [said(thing("Big Blue", "Company"), "seat", _CITY)]
    alone = resolver(tmp_path, _Near("ibm", "paris", "gone"))
    assert alone.resolve(batch)[0].candidate.subject.iri == NEW + "company/Big_Blue"
    assert next(each.near for each in alone.decisions if each.name == "Big Blue") == (BASE + "ibm",)
    (yes,) = resolver(tmp_path, _Near("ibm"), _Says(True)).resolve(batch)
    assert (yes.candidate.subject.iri, yes.how, yes.candidate.trust) == (
        BASE + "ibm",
        "embedding+model, exact",
        "model",
    )
    (late,) = resolver(tmp_path, _Near("ibm"), _Says(None)).resolve(batch)
    assert (late.candidate.subject.iri, late.candidate.trust) == (NEW + "company/Big_Blue", "derived")


def test_similar_names(tmp_path: Path) -> None:
    """Names are ranked by the cosine of their vectors, down to a threshold; a model that fails proposes nothing."""
    import numpy

    class Made:
        name, fingerprint, broken = "made", "0" * 64, False

        def embed(self, text: str) -> Any:
            if self.broken:
                raise CheckFailed("gone")
            vector = numpy.array([float(text.count(c)) for c in "abc"]) + 1e-9
            return vector / numpy.linalg.norm(vector)

        embed_query = embed

        def embed_all(self, texts: Iterable[str]) -> Iterator[Any]:
            return iter([*map(self.embed, texts)])

    model = Made()
    made = SimilarNames([("u:a", "aaa"), ("u:b", "bbb"), ("u:ab", "aab")], model, least=0.8)
    assert made.near("aaaa") == ("u:a", "u:ab")
    model.broken = True
    assert made.near("aaaa") == ()


def test_model_verifier() -> None:
    """It is asked by a schema, once for each pair; whatever else it says, nothing is told."""
    left, right = Side(name="IBM", kinds=("company",)), Side(name="International Business Machines")
    for text, wanted in [('{"same": "yes"}', True), ('{"same": "no"}', False), ('{"same": "cannot tell"}', None)]:
        asked = ModelVerifier(Scripted([text]))
        assert asked.same(left, right) is wanted
        assert asked.same(left, right) is wanted
    for text in ("yes", '{"same": "maybe"}', '{"same": "yes"} {"same": "no"}', ""):
        assert ModelVerifier(Scripted([text] * 3)).same(left, right) is None


def test_hostile_names_have_no_effect(tmp_path: Path) -> None:
    """A name may hold anything: the IRI that is made of it holds none of it that has a meaning in IRIs or files."""
    for name in ("a> <b> <c> .", "x\ny", "../../etc/passwd", "}} DROP ALL", "a b%20c#d?e", "\u202egnp.exe", "é" * 390):
        (found,) = resolver(tmp_path).resolve([said(thing(name, "Person"), "knows", _CITY)])
        iri = found.candidate.subject.iri
        assert iri.startswith(NEW + "person/")
        assert not set(iri.removeprefix(NEW + "person/")) & set('<>"{}|^`\\ \n#?/')


def test_names() -> None:
    """Names are alike but for accents, capitals and marks; initials and family names are short for others."""
    assert alike("The U.S.A.") == alike("USA")
    assert alike("Saint-Étienne (Loire)") == alike("saint etienne, Loire")
    assert alike("C++") != alike("C")
    assert alike("!?") == ""
    assert "j smith" in shorter("John Adam Smith", person=True)
    assert shorter("New York", person=False) == frozenset({"ny"})
    assert shorter("Bank of England", person=False) == frozenset({"be"})


def test_the_graph_is_not_changed(tmp_path: Path) -> None:
    """Resolving reads the graph only."""
    known = things(tmp_path)
    before = len(known.graph), known.graph.content_hash
    resolver(tmp_path).resolve([each for case, _ in CASES for each in case])
    assert (len(known.graph), known.graph.content_hash) == before
