"""What the graph says of claims: rows of texts with labels and reasons, and the invariants of evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from reading import EX, World, world

from imprimatur.claim import Claim, Membership, Mention, Predicate, Relation
from imprimatur.sources.graph.judge import Limits
from imprimatur.verdict import Judgement, Label, Reason

JUDGE = Path(__file__).parents[2] / "golden" / "judge"
LIMITS = Limits(as_of=date(2020, 1, 1))
COMPLETE = {"realm": ("founded", "Order"), "stints": ("led",)}
#: Worlds in which an office has one holder at a time, so that another one then excludes the rest.
SINGLE = {"offices"}


def rows() -> Iterator[tuple[str, str, str, str]]:
    """World, text, labels and reasons."""
    for line in (JUDGE / "judgements.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, text, labels, reasons = line.split("\t")
            yield name, text, labels, reasons


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    """The worlds of the rows, each loaded once."""
    return {
        path.stem: world(
            tmp_path_factory.mktemp(path.stem), path.read_text(encoding="utf-8"), complete=COMPLETE.get(path.stem, ())
        )
        for path in sorted((JUDGE / "worlds").glob("*.ttl"))
    }


@pytest.mark.parametrize(("name", "text", "labels", "reasons"), list(rows()))
def test_rows(worlds: dict[str, World], name: str, text: str, labels: str, reasons: str) -> None:
    """Each text's claims get their labels; the first one's reasons are as expected."""
    found = worlds[name].judge(text, limits=LIMITS)
    assert " ".join(judgement.label.value for judgement in found) == labels
    assert ",".join(reason.value for reason in found[0].reasons) == reasons


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, text, *_ in rows()])
def test_evidence_is_found_again(worlds: dict[str, World], name: str, text: str) -> None:
    """The query of every piece of evidence is true on the graph, and says where the evidence stands."""
    place = worlds[name]
    for judgement in place.judge(text, limits=LIMITS):
        for evidence in judgement.evidence:
            assert place.graph.ask(evidence.query), evidence.query
            assert evidence.origin == "graph.ttl"
        if judgement.label is Label.SUPPORTED:
            assert judgement.evidence


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, text, *_ in rows()])
def test_negation_turns_support_and_contradiction_only(worlds: dict[str, World], name: str, text: str) -> None:
    """Not-p is supported exactly when p is contradicted, but by its time alone; it has p's label otherwise."""
    turned = {Label.SUPPORTED: Label.CONTRADICTED, Label.CONTRADICTED: Label.SUPPORTED}
    for claim in worlds[name].claims(text):
        plain = worlds[name].source.judge(replace(claim, negated=False), LIMITS)
        denied = worlds[name].source.judge(replace(claim, negated=True), LIMITS).label
        given = any(isinstance(r, Relation) and r.when is not None for r in claim.readings)
        if given and Reason.OUTDATED in plain.reasons:
            known = {Label.SUPPORTED} if name in COMPLETE or name in SINGLE else set()
            assert denied in {Label.NOT_FOUND, *known}
        else:
            assert denied is turned.get(plain.label, plain.label)


def one(place: World, text: str) -> Judgement:
    """The judgement of the only claim of a text."""
    (judgement,) = place.judge(text, limits=LIMITS)
    return judgement


def test_ambiguity_names_the_candidates_and_asks(worlds: dict[str, World]) -> None:
    """Subjects of one name that disagree are shown, with a question that tells them apart."""
    found = one(worlds["names"], "Mirror Lake is 12 m deep.")
    assert set(found.candidates) == {"Mirror Lake (Vesta)", "Mirror Lake (Umber)"}
    assert found.clarify is not None
    assert found.clarify.startswith("Which Mirror Lake: ")
    assert found.clarify.endswith("?")


@pytest.mark.parametrize(
    ("name", "text", "correction"),
    [
        ("realm", "The capital of Aldmark is Esk.", "Brenn"),
        ("realm", "Brenn is a person.", "port"),
        ("values", "Petrel has 6 decks.", "5"),
        ("values", "Petrel was launched in 1913.", "1912-06-03"),
        ("names", "Hollow Lake is in Umber.", "Vesta"),
    ],
)
def test_contradictions_name_the_right_value(worlds: dict[str, World], name: str, text: str, correction: str) -> None:
    """A value that is refuted by one other value comes with it."""
    assert one(worlds[name], text).evidence[0].correction == correction


def test_no_correction_for_a_denial(worlds: dict[str, World]) -> None:
    """What is rightly denied has nothing to correct."""
    found = one(worlds["realm"], "The capital of Aldmark is not Esk.")
    assert found.evidence[0].correction is None


def test_a_class_of_two_words_needs_both(tmp_path: Path) -> None:
    """A bridge is no suspension bridge, though it is what the last word says."""
    place = world(
        tmp_path,
        """
        :Bridge a owl:Class ; rdfs:label "bridge" . :Hung a owl:Class ; rdfs:label "suspension bridge" ;
            rdfs:subClassOf :Bridge . :a a :Hung ; rdfs:label "Ardel Bridge" .
        :q a :Bridge ; rdfs:label "Quill Bridge" .
        """,
    )
    assert place.labels("Ardel Bridge is a suspension bridge.") == ["supported"]
    assert place.labels("Quill Bridge is a suspension bridge.") == ["not_found"]
    assert place.labels("Quill Bridge is a bridge.") == ["supported"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Alder crosses all cities.", "contradicted"),
        ("Alder crosses every city.", "contradicted"),
        ("All cities are crossed by Alder.", "contradicted"),
        ("Birch crosses all cities.", "supported"),
        ("Birch crosses all three cities.", "contradicted"),
        ("Birch crosses all two cities.", "supported"),
        ("All rivers cross all cities.", "not_found"),
    ],
)
def test_every_member_of_a_class_as_object(tmp_path: Path, text: str, label: str) -> None:
    """A relation to all members of a class is refuted by one of them to which it does not hold."""
    place = world(
        tmp_path,
        """
        :City a owl:Class ; rdfs:label "city" . :River a owl:Class ; rdfs:label "river" .
        :crosses a owl:ObjectProperty ; rdfs:label "crosses" .
        :x a :City ; rdfs:label "Xora" . :y a :City ; rdfs:label "Yora" .
        :a a :River ; rdfs:label "Alder" ; :crosses :x . :b a :River ; rdfs:label "Birch" ; :crosses :x, :y .
        """,
        complete=("City", "crosses"),
    )
    assert place.labels(text) == [label]


def test_conflicting_values_are_all_shown(worlds: dict[str, World]) -> None:
    """A functional property with two stored values is conflicting, and both are evidence."""
    found = one(worlds["realm"], "The capital of Corvia is Drumm.")
    assert len(found.evidence) == 2


def test_derivations_are_in_the_evidence(worlds: dict[str, World]) -> None:
    """A grandmother rests on both mothers."""
    (evidence,) = one(worlds["realm"], "The grandmother of Ilse Fenn is Una Starr.").evidence
    assert evidence.content.count(f"<{EX}mother>") == 2


def test_absence_is_evidence(worlds: dict[str, World]) -> None:
    """A denial that rests on completeness alone names what is absent, with a query that shows it."""
    world = worlds["realm"]
    found = one(world, "Una Starr did not found the Order of the Thorn.")
    assert found.label is Label.SUPPORTED
    (evidence,) = found.evidence
    assert f"<{EX}founded>" in evidence.content
    assert evidence.origin == "graph.ttl"
    assert world.graph.ask(evidence.query)
    assert not world.graph.ask(evidence.query.replace("una", "ilse"))


@pytest.mark.parametrize(
    ("day", "label"),
    [
        (date(2010, 5, 1), "contradicted"),
        (date(2015, 6, 1), "not_found"),
        (date(2016, 6, 1), "supported"),
        (date(2035, 1, 1), "supported"),
    ],
)
def test_the_present_is_the_day_of_the_check(worlds: dict[str, World], day: date, label: str) -> None:
    """ "Is" means as of the day of the check."""
    text = "The coach of Harrow Rovers is Piet Valk."
    assert worlds["offices"].labels(text, limits=Limits(as_of=day)) == [label]


def test_untrusted_facts_say_nothing(worlds: dict[str, World]) -> None:
    """A fact whose class is not trusted neither supports nor refutes."""
    for text in ("The capital of Aldmark is Brenn.", "The capital of Aldmark is Esk.", "Brenn trades with Drumm."):
        assert worlds["realm"].labels(text, limits=Limits(trust=("model",))) == ["not_found"]


def test_a_claim_without_reading_is_not_found(worlds: dict[str, World]) -> None:
    """What could not be read is never licensed."""
    found = worlds["realm"].source.judge(Claim(start=0, end=1, text="x", covers=()))
    assert (found.label, found.reasons) == (Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,))


@cache
def _relation(subject: str, property_: str, *objects: str) -> Claim:
    mention = Mention(0, 1, "S", (EX + subject,))
    value = Mention(2, 3, "O", tuple(EX + o for o in objects))
    reading = Relation(subject=mention, predicates=(Predicate(EX + property_),), object=value)
    return Claim(start=0, end=3, text="S O", covers=(), readings=(reading,))


def test_any_object_of_the_name_supports(worlds: dict[str, World]) -> None:
    """Of several things that the object may be, one that is entailed is enough, and the evidence names it."""
    found = worlds["realm"].source.judge(_relation("brenn", "trades", "esk", "drumm"))
    assert found.label is Label.SUPPORTED
    assert "drumm" in found.evidence[0].content


def test_readings_of_other_properties(worlds: dict[str, World]) -> None:
    """One entailed property of several supports; a refuted one besides an open one does not refute."""
    judge = worlds["realm"].source.judge
    capital, trades = _relation("aldmark", "capital", "esk"), _relation("aldmark", "borders", "corvia")
    assert judge(capital).label is Label.CONTRADICTED
    assert judge(replace(capital, readings=capital.readings + trades.readings)).label is Label.SUPPORTED
    silent = _relation("aldmark", "seat", "esk")
    mixed = judge(replace(capital, readings=capital.readings + silent.readings))
    assert (mixed.label, mixed.reasons[0]) == (Label.NOT_FOUND, Reason.AMBIGUOUS_PREDICATE)


@pytest.mark.parametrize("iri", ["http://example.org/nothing", "not an iri", "", "urn:x\n> . ?s ?p ?o"])
def test_unknown_terms_are_not_found(worlds: dict[str, World], iri: str) -> None:
    """Readings that name what is not in the graph are not found, whatever their IRIs look like."""
    judge = worlds["realm"].source.judge
    mention = Mention(0, 1, "S", (iri,))
    place = Mention(0, 1, "S", (EX + "brenn",))
    for reading in (
        Relation(subject=mention, predicates=(Predicate(EX + "capital"),), object=place),
        Relation(subject=place, predicates=(Predicate(EX + "trades"),), object=mention),
        Relation(subject=place, predicates=(Predicate(iri),), object=place),
        Membership(subject=mention, classes=(EX + "Town",), noun="town"),
        Membership(subject=place, classes=(iri,), noun="zzz"),
    ):
        for negated in (False, True):
            claim = Claim(start=0, end=1, text="S", covers=(), readings=(reading,), negated=negated)
            assert judge(claim).label is Label.NOT_FOUND


def test_cyclic_classes_and_properties_end(tmp_path: Path) -> None:
    """Cycles of subclasses, sub-properties, sameAs and inverses are followed once."""
    place = world(
        tmp_path,
        """
        :A rdfs:label "alpha" ; a owl:Class ; rdfs:subClassOf :B .
        :B rdfs:label "beta" ; a owl:Class ; rdfs:subClassOf :A .
        :p a owl:ObjectProperty, owl:TransitiveProperty ; rdfs:label "reaches" ;
            rdfs:subPropertyOf :q .
        :q a owl:ObjectProperty, owl:SymmetricProperty ; rdfs:label "touches" ;
            rdfs:subPropertyOf :p ; owl:inverseOf :q .
        :x a :A ; rdfs:label "Xanten" ; :p :y ; owl:sameAs :z . :y a :B ; rdfs:label "Yeovil" ; :p :x .
        :z rdfs:label "Zwolle" ; owl:sameAs :x . :far a :A ; rdfs:label "Farow" .
        """,
    )
    assert place.labels("Xanten is a beta.") == ["supported"]
    assert place.labels("Zwolle touches Yeovil.") == ["supported"]
    assert place.labels("Xanten reaches Farow.") == ["not_found"]
