"""Claims against a graph with shapes: violations new and standing, by absence, failures, the triples that are tried."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_kb import write_kb

from imprimatur.claim import Attribute, Claim, Membership, Mention, Predicate, Relation
from imprimatur.config import load_folder
from imprimatur.errors import CheckFailed, LimitExceeded
from imprimatur.evidence import Evidence
from imprimatur.knowledge import open_knowledge
from imprimatur.language import quantities
from imprimatur.sources.graph.candidates import proposed, rested_on
from imprimatur.sources.graph.constrained import AnswerSource, ConstrainedSource
from imprimatur.sources.graph.judge import Limits
from imprimatur.sources.graph.shapes import Shapes
from imprimatur.values import DateValue, TextValue, Value
from imprimatur.verdict import Judgement, Label, Reason

NS = "https://example.org/brooks/"
_SHAPES = """@prefix : <https://example.org/brooks/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
:LengthShape a sh:NodeShape ; sh:targetSubjectsOf :length ; sh:property [ sh:path :length ; sh:minExclusive 0 ] .
:MouthShape a sh:NodeShape ; sh:targetSubjectsOf :mouth ;
    sh:property [ sh:path ( :mouth :length ) ; sh:minCount 1 ] .
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> ConstrainedSource:
    """The small graph with shapes for lengths and mouths."""
    folder = write_kb(tmp_path_factory.mktemp("constrained"), shapes=_SHAPES)
    part = open_knowledge(load_folder(folder)).part
    assert part is not None
    opened = part.open_source(Limits())
    assert isinstance(opened, AnswerSource)
    return opened.source


def _mention(name: str, text: str = "") -> Mention:
    return Mention(0, 1, text or name, (NS + name,))


def _length(brook: str, written: str, *, negated: bool = False) -> Claim:
    value = quantities.find(written)[0].quantity
    return _attribute(brook, "length", value, negated=negated)


def _attribute(brook: str, name: str, value: Value, *, negated: bool = False) -> Claim:
    reading = Attribute(subject=_mention(brook), predicates=(Predicate(NS + name),), value=value)
    return Claim(start=0, end=1, text="", covers=(), readings=(reading,), negated=negated)


def _mouth(brook: str, *mouths: str) -> Claim:
    target = Mention(0, 1, "x", tuple(NS + mouth for mouth in mouths))
    reading = Relation(subject=_mention(brook), predicates=(Predicate(NS + "mouth"),), object=target)
    return Claim(start=0, end=1, text="", covers=(), readings=(reading,))


CASES: tuple[tuple[Claim, Label, Reason], ...] = (
    (_length("elm", "12 km"), Label.SUPPORTED, Reason.ENTAILED),
    (_length("ash", "-5 m"), Label.CONTRADICTED, Reason.CONSTRAINT_VIOLATION),
    (_length("fir", "-5 m"), Label.CONTRADICTED, Reason.CONSTRAINT_VIOLATION),
    (_length("fir", "5 m"), Label.NOT_FOUND, Reason.NO_EVIDENCE),
    (_length("fir", "-5 m", negated=True), Label.NOT_FOUND, Reason.NO_EVIDENCE),
    (_length("fir", "between -5 and -3 m"), Label.NOT_FOUND, Reason.NO_EVIDENCE),
    (_length("elm", "-5 m"), Label.CONTRADICTED, Reason.VALUE_MISMATCH),
    (_mouth("elm", "oak"), Label.SUPPORTED, Reason.ENTAILED),
    (_mouth("oak", "fir"), Label.NOT_FOUND, Reason.CONSTRAINT_INCOMPLETE),
    (_mouth("fir", "oak"), Label.NOT_FOUND, Reason.NO_EVIDENCE),
)


@pytest.mark.parametrize(("claim", "label", "reason"), CASES)
def test_judged(source: ConstrainedSource, claim: Claim, label: Label, reason: Reason) -> None:
    """Stored or new, a violation that rests on the claim's triple counts; one by absence is not found."""
    found = source.judge(claim, Limits())
    assert (found.label, found.reasons[0]) == (label, reason)


def test_violation_is_evidence(source: ConstrainedSource) -> None:
    """The evidence names the violation in words, its shape and file, and the stored fact behind it."""
    found = source.judge(_length("ash", "-5 m"), Limits())
    first, second = found.evidence
    assert (first.kind, first.origin) == ("constraint", "shapes.ttl")
    assert "Ash Brook" in first.content
    assert second.kind == "triple"
    rows = list(source.source.graph.query(first.query))  # type: ignore[arg-type]
    assert [str(row["value"].value) for row in rows] == ["-5"]


def test_several_things_of_one_name(source: ConstrainedSource) -> None:
    """Several candidate triples: a claim is refuted only when each of them breaks a shape."""
    reading = Attribute(
        subject=Mention(0, 1, "x", (NS + "fir", NS + "corfe")),
        predicates=(Predicate(NS + "length"),),
        value=quantities.find("-5 m")[0].quantity,
    )
    claim = Claim(start=0, end=1, text="", covers=(), readings=(reading,))
    assert len(proposed(claim, source.source)) == 2
    assert source.judge(claim, Limits()).label is Label.CONTRADICTED


@pytest.mark.parametrize("fault", [CheckFailed("broken"), LimitExceeded("slow")])
def test_failed_shapes_license_nothing(
    source: ConstrainedSource, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shape that cannot be evaluated makes a supported claim unchecked."""

    def failing(self: Shapes, triples: object, *, limit_s: float) -> object:
        raise fault

    monkeypatch.setattr(Shapes, "judge", failing)
    found = ConstrainedSource(source.source, source.shapes).judge(_length("elm", "12 km"), Limits())
    assert (found.label, found.reasons) == (Label.UNCHECKED, (Reason.CHECK_FAILED,))


def test_each_triple_is_tried_once(source: ConstrainedSource, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the shapes say of a triple is remembered."""
    judge: Callable[..., object] = Shapes.judge
    seen = []

    def counting(self: Shapes, triples: object, *, limit_s: float) -> object:
        seen.append(triples)
        return judge(self, triples, limit_s=limit_s)

    monkeypatch.setattr(Shapes, "judge", counting)
    fresh = ConstrainedSource(source.source, source.shapes)
    for _ in range(3):
        fresh.judge(_length("elm", "12 km"), Limits())
    assert len(seen) == 1


# The triples that are tried

_YEAR = DateValue(first=(-384, 1, 1), last=(-384, 12, 31), precision="year")
_INT = '"^^<http://www.w3.org/2001/XMLSchema#integer>'


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        (_length("fir", "5 km"), '"5000' + _INT),
        (_length("fir", "2 miles"), '"3219' + _INT),
        (_length("fir", "0.1 mm"), None),
        (_length("fir", "about 5 km"), None),
        (_length("fir", "5 kg"), None),
        (_length("fir", "more than 5 km"), None),
        (_attribute("fir", "named", _YEAR), '"-0384"^^<http://www.w3.org/2001/XMLSchema#gYear>'),
        (_attribute("fir", "named", TextValue("x")), None),
        (_attribute("fir", "unheard", TextValue("x")), None),
        (_mouth("fir", "oak"), f"<{NS}oak>"),
        (_mouth("fir"), None),
    ],
)
def test_proposed(source: ConstrainedSource, claim: Claim, value: str | None) -> None:
    """A claim of one value proposes its triple, in the stored unit and datatype; any other proposes none."""
    found = proposed(claim, source.source)
    assert [triple[2] for triple in found] == ([] if value is None else [value])


def test_proposed_membership(source: ConstrainedSource) -> None:
    """A claim of membership proposes the type."""
    reading = Membership(subject=_mention("fir"), classes=(NS + "Town",), noun="town")
    claim = Claim(start=0, end=1, text="", covers=(), readings=(reading,))
    assert proposed(claim, source.source) == (
        (f"<{NS}fir>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", f"<{NS}Town>"),
    )


def test_too_many_to_try(source: ConstrainedSource) -> None:
    """A name that may be many things proposes nothing."""
    assert proposed(_mouth("fir", *(f"b{number}" for number in range(50))), source.source) == ()


def test_rested_on() -> None:
    """A derived fact rests on its triples, not on the vocabulary, whatever its literals hold."""
    content = (
        '<urn:a> <urn:p> "x \\" . y <= <urn:z> <urn:z> <urn:z> ."@en . <= <urn:a> <urn:q> _:b1 . [chain]; '
        "<urn:q> <http://www.w3.org/2000/01/rdf-schema#subPropertyOf> <urn:p> . [subPropertyOf]"
    )
    evidence = Evidence(source="graph", kind="triple", content=content, query="", origin="")
    assert rested_on(evidence) == (
        ("<urn:a>", "<urn:p>", '"x \\" . y <= <urn:z> <urn:z> <urn:z> ."@en'),
        ("<urn:a>", "<urn:q>", "_:b1"),
    )


def test_judgement_of_the_graph_stands(source: ConstrainedSource) -> None:
    """What the graph alone refutes is not looked at again."""
    claim = _length("elm", "14 km")
    found: Judgement = source.judge(claim, Limits())
    assert found == source.source.judge(claim, Limits())
