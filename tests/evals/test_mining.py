"""Claims made of any knowledge base: that they are of all kinds, and right, and that little is asked of the graph."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import made_mining
import pytest

from imprimatur.errors import InputError
from imprimatur.evals import domains
from imprimatur.evals.claims import read_rows
from imprimatur.evals.mining import measuring
from imprimatur.evals.mining.book import Literal
from imprimatur.evals.mining.broken import Broken
from imprimatur.evals.mining.claim import Kind
from imprimatur.evals.mining.held_out import chosen, copy_without
from imprimatur.evals.mining.judging import JudgedClaim
from imprimatur.evals.mining.measuring import Measured, Settings, measure, measure_rows, write_rows
from imprimatur.evals.mining.source import open_source
from imprimatur.evals.outcome import Outcome
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

_LAND = "https://example.org/land/"


@pytest.fixture(scope="module")
def land(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """The towns, measured with a part of their facts held out."""
    return measure(str(made_mining.towns(tmp_path_factory.mktemp("land"))), Settings(most=40, hold_out=0.1))


def test_claims_of_all_kinds_are_made_and_judged_right(land: Measured) -> None:
    """Whatever is entailed is licensed, and nothing else; what a shape forbids is refused."""
    wrong = [(each.claim.text, each.verdict.value) for each in land.claims if not each.right]
    assert wrong == []
    assert {each.claim.kind for each in land.claims} == set(Kind)
    made = {each.claim.made for each in land.claims}
    assert made >= {"stored", "inferred", "another value", "another unit", "denied", "disjoint class", "withheld"}
    assert made >= {"a value of another", "out of bounds"}


def test_questions_are_answered_where_the_graph_knows(land: Measured) -> None:
    """And refused where it knows nothing."""
    known = [each for each in land.asked if each.question.right]
    unknown = [each for each in land.asked if not each.question.right]
    assert known
    assert unknown
    assert all(each.right for each in known)
    assert not any(each.said for each in unknown)


def test_the_outcome_tells_the_measures(land: Measured) -> None:
    """With the world that was assumed, what was held out, and every row."""
    outcome = domains.outcome_of("mine", [land], Settings(most=40, hold_out=0.1))
    measures = {row[0]: row[1] for row in outcome.tables[0].rows}
    assert str(measures["FAR-NE (eq. 4)"]).startswith("0/")
    assert str(measures["CVRR (eq. 3)"]).endswith("1.000]")
    assert outcome.status == 0
    told = "\n".join(outcome.notes)
    assert "one value at most: area, founding year, county seat" in told
    assert "were held out" in told
    assert len(outcome.rows) == len(land.claims)
    assert Outcome.from_dict(outcome.to_dict()) == outcome


def test_one_seed_gives_one_set(tmp_path: Path) -> None:
    """Claims, their order and their words; another seed gives others."""
    folder = str(made_mining.towns(tmp_path))
    texts = [
        [each.claim.text for each in measure(folder, Settings(most=12, seed=seed, ask=False)).claims]
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_rows_are_those_of_eval_claims(land: Measured, tmp_path: Path) -> None:
    """Every claim can be judged again from the file, with its kind and triple beside."""
    write_rows(land, tmp_path / "rows.jsonl")
    rows = read_rows(tmp_path / "rows.jsonl")
    assert [row.text for row in rows] == [each.claim.text for each in land.claims]
    first = json.loads((tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert set(first) >= {"id", "text", "label", "kind", "triple", "property"}


def test_given_rows_are_judged_the_same_way(tmp_path: Path) -> None:
    """A file of labelled rows takes the place of claims that are made."""
    folder = made_mining.towns(tmp_path / "kb")
    file = tmp_path / "rows.jsonl"
    texts = (("The area of Arvel is 7.5 km².", "supported"), ("The area of Arvel is 70 km².", "contradicted"))
    lines = [json.dumps({"id": n, "text": text, "label": label}) for n, (text, label) in enumerate(texts)]
    file.write_text("\n".join(lines), encoding="utf-8")
    found = measure_rows(str(folder), file, Settings())
    assert [each.claim.kind for each in found.claims] == [Kind.ENTAILED, Kind.CONTRADICTED]
    assert all(each.right for each in found.claims)


def test_a_false_licence_is_grave(land: Measured) -> None:
    """Whatever is licensed and not entailed is a case by name and text, and the status is 1."""
    first = next(each for each in land.claims if each.claim.kind is Kind.NON_ENTAILED)
    licensed = JudgedClaim(claim=first.claim, verdict=Label.SUPPORTED)
    outcome = domains.outcome_of("mine", [Measured(name="land", claims=(licensed,))], Settings())
    assert outcome.status == 1
    assert (outcome.cases[0].kind, outcome.cases[0].text) == ("false licence", first.claim.text)


# -- knowledge bases that lack something ------------------------------------------------------------------------------
def test_french_labels(tmp_path: Path) -> None:
    """Words that are no English make sentences all the same, in an English frame."""
    data = "\n".join(
        f':f{n} a :Fleuve ; rdfs:label "{name}"@fr ; :longueur {300 + 47 * n} ; :embouchure :m{n % 2} .'
        for n, name in enumerate(("Orbe", "Vésubie", "Doulx", "Garre", "Isole"))
    )
    data += ':m0 a :Mer ; rdfs:label "Mer Grise"@fr . :m1 a :Mer ; rdfs:label "Baie d’Hiver"@fr .'
    ontology = """
:Fleuve a owl:Class ; rdfs:label "fleuve"@fr . :Mer a owl:Class ; rdfs:label "mer"@fr .
:longueur a owl:FunctionalProperty ; rdfs:label "longueur"@fr ; qudt:hasUnit unit:KiloM .
:embouchure a owl:FunctionalProperty ; rdfs:label "embouchure"@fr .
"""
    found = measure(str(made_mining.write(tmp_path, data, ontology=ontology)), Settings(most=12))
    texts = [each.claim.text for each in found.claims]
    assert any("longueur" in text for text in texts)
    assert not [each.claim.text for each in found.claims if each.false_licence]
    entailed = [each for each in found.claims if each.claim.kind is Kind.ENTAILED]
    assert sum(each.licensed for each in entailed) > len(entailed) / 2


def test_another_script(tmp_path: Path) -> None:
    """Names and labels in any script are said as they are."""
    data = "\n".join(
        f':r{n} a :K ; rdfs:label "{name}" ; :len {300 + 47 * n} .'
        for n, name in enumerate(("利根川", "信濃川", "石狩川"))
    )
    found = measure(
        str(made_mining.write(tmp_path, data, ontology=':len a owl:FunctionalProperty ; rdfs:label "長さ" .')),
        Settings(),
    )
    assert any("利根川" in each.claim.text and "長さ" in each.claim.text for each in found.claims)
    assert not any(each.false_licence for each in found.claims)


def test_no_labels_at_all(tmp_path: Path) -> None:
    """Things and properties are then called by the ends of their IRIs."""
    data = "\n".join(
        f":{name}_Valley :wordCount {400 + 61 * n} ; :nextTo :{other}_Valley ."
        for n, (name, other) in enumerate((("Ash", "Birch"), ("Birch", "Cedar"), ("Cedar", "Elder"), ("Elder", "Ash")))
    )
    found = measure(str(made_mining.write(tmp_path, data)), Settings(most=10))
    texts = [each.claim.text for each in found.claims]
    assert any(text.startswith("The word count of ") or " has " in text or "'s word count" in text for text in texts)
    assert not any(each.false_licence for each in found.claims)
    assert not any(each.claim.kind is Kind.VIOLATING for each in found.claims)


def test_one_class_and_blank_nodes(tmp_path: Path) -> None:
    """Nodes without a name are passed by, and counted nowhere as claims."""
    data = """
:K a owl:Class ; rdfs:label "kiln" .
:a a :K ; rdfs:label "Aldo" ; :part [ :weight 5 ] . :b a :K ; rdfs:label "Brem" ; :part [ :weight 9 ] .
:c a :K ; rdfs:label "Cole" .
:part rdfs:label "part" . :weight rdfs:label "weight" .
"""
    found = measure(str(made_mining.write(tmp_path, data)), Settings())
    assert Counter(each.claim.property for each in found.claims).keys() == {"is a"}
    assert found.left["a value without a plain form"] >= 2


@pytest.mark.parametrize("data", ["", ':K a owl:Class ; rdfs:label "kiln" .', ':a :b [ :c "d" ] .'])
def test_nothing_to_say(tmp_path: Path, data: str) -> None:
    """A knowledge base of which no claim can be made is an error that says so."""
    with pytest.raises(InputError, match=r"no facts|no claim"):
        measure(str(made_mining.write(tmp_path, data)), Settings())


def test_a_sentence_with_a_word_left_over_was_not_read(tmp_path: Path) -> None:
    """It is counted apart, so that over-abstention of what was read is the judge's alone."""
    file = tmp_path / "rows.jsonl"
    texts = ("The area of Arvel is 7.5 km².", "The glorious area of Arvel is 7.5 km².", "Arvel quibbles Bexmoor.")
    file.write_text(
        "\n".join(json.dumps({"id": n, "text": t, "label": "supported"}) for n, t in enumerate(texts)), encoding="utf-8"
    )
    found = measure_rows(str(made_mining.towns(tmp_path / "kb")), file, Settings())
    assert [each.read for each in found.claims] == [True, False, False]


# -- facts held out ---------------------------------------------------------------------------------------------------
def test_facts_are_held_out_of_a_copy(tmp_path: Path) -> None:
    """The copy lacks them in whatever syntax they stood, keeps its settings, and the original is as it was."""
    folder = made_mining.write(tmp_path / "kb", "", ontology=made_mining.ONTOLOGY, more="policy: strict\n")
    (folder / "data.ttl").unlink()
    text = (made_mining.PREFIXES + made_mining.data()).encode()
    (folder / "data.ttl.gz").write_bytes(gzip.compress(text))
    row = {"@id": f"{_LAND}t20", f"{_LAND}area": 31, "http://www.w3.org/2000/01/rdf-schema#label": "Zell"}
    (folder / "more.jsonld").write_text(json.dumps(row), encoding="utf-8")
    yaml = (folder / "imprimatur.yaml").read_text(encoding="utf-8").replace("data.ttl", "data.ttl.gz, more.jsonld")
    (folder / "imprimatur.yaml").write_text(yaml, encoding="utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    source = open_source(folder)
    facts = chosen(source, 0.3, seed=2)
    assert facts == chosen(source, 0.3, seed=2)
    facts.append((f"{_LAND}t20", f"{_LAND}area", Literal("31", "http://www.w3.org/2001/XMLSchema#integer")))
    copy_without(source.oracle.knowledge.config, facts, tmp_path / "copy")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    left = open_source(tmp_path / "copy")
    assert len(left.book.stored) == len(source.book.stored) - len(set(facts))
    assert not any(left.book.holds(*fact) for fact in facts)
    assert Oracle.from_folder(tmp_path / "copy").check("Zell is 31 km².").segments[0].label is Label.NOT_FOUND


def test_what_follows_from_the_rest_is_not_held_out(tmp_path: Path) -> None:
    """A fact that another one still entails would be no unknown one: of two that say the same, both go or none."""
    names = [f"Aldo{n} Brem{n}".split() for n in range(12)]
    data = "".join(
        f':a{n} rdfs:label "{one}" ; :borders :b{n} ; :area 7.5 ; :inner 7.50 .\n'
        f':c{n} rdfs:label "Cole{n}" ; :seat :d{n} ; :near :d{n} . :d{n} rdfs:label "Dorn{n}" .\n'
        f':b{n} rdfs:label "{other}" ; :borders :a{n} .\n'
        for n, (one, other) in enumerate(names)
    )
    ontology = made_mining.ONTOLOGY + ':inner rdfs:subPropertyOf :area ; rdfs:label "inner area" .'
    source = open_source(made_mining.write(tmp_path, data, ontology=ontology))
    with pytest.raises(InputError, match="no fact can be held out"):
        chosen(source, 0.0000001, seed=1)
    picked = set(chosen(source, 0.5, seed=1))
    borders = {(subject, value) for subject, name, value in picked if name.endswith("borders")}
    assert 0 < len(borders) < 24
    assert borders == {(value, subject) for subject, value in borders}
    # A pair that stays linked by another property is no pair of which nothing is known.
    seats = {subject for subject, name, _ in picked if name.endswith("seat")}
    assert 0 < len(seats) < 12
    assert seats == {subject for subject, name, _ in picked if name.endswith("near")}
    areas = {subject: str(value) for subject, name, value in picked if name.endswith("area")}
    assert 0 < len(areas) < 12
    assert all((subject, f"{_LAND}inner") in {(one, name) for one, name, _ in picked} for subject in areas)


# -- one way for all --------------------------------------------------------------------------------------------------
def test_domains_differ_in_nothing_but_the_knowledge_base(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every domain goes through one function with one set of settings."""
    asked: list[tuple[str, Settings]] = []

    def fake(kb: str, settings: Settings) -> Measured:
        asked.append((kb, settings))
        return Measured(name=kb, claims=())

    monkeypatch.setattr(domains, "measure", fake)
    given = Settings(most=7, hold_out=0.2, seed=3)
    domains.run("domains", domains.DOMAINS, given, as_json=True, out=None)
    domains.run("rivers", ("rivers",), given, as_json=True, out=None)
    domains.run("philosophers", ("philosophers",), given, as_json=True, out=None)
    assert [kb for kb, _ in asked] == ["rivers", "philosophers", "rivers", "philosophers"]
    assert all(settings is given for _, settings in asked)
    source = Path(measuring.__file__).parent
    told = "".join(path.read_text(encoding="utf-8") for path in source.glob("*.py"))
    assert not [name for name in domains.DOMAINS if name in told]


def test_shapes_are_asked_of_pyshacl(tmp_path: Path) -> None:
    """A triple breaks a shape when the graph with it has a fault that it has not without; nothing stays behind."""
    folder = made_mining.towns(tmp_path)
    source = open_source(folder)
    broken = Broken(source.book.stored, [folder / "shapes.ttl"])
    integer = "http://www.w3.org/2001/XMLSchema#integer"
    triple = (f"{_LAND}t1", f"{_LAND}area", Literal("-3", integer))
    assert {fault.component for fault in broken.by(triple)} == {"MinExclusive"}
    assert broken.at(f"{_LAND}t1") == frozenset()
    assert broken.by((f"{_LAND}t1", f"{_LAND}borders", f"{_LAND}t5")) == frozenset()
    at_fault = Broken([*source.book.stored, triple], [folder / "shapes.ttl"])
    assert {fault.component for fault in at_fault.at(f"{_LAND}t1")} == {"MinExclusive"}
    assert at_fault.by((f"{_LAND}t1", f"{_LAND}borders", f"{_LAND}t5")) == frozenset()


def test_wordings_that_overlap_are_listed(tmp_path: Path) -> None:
    """Where the facts of one property bear out the words of another a sentence is shown, and no measure changes."""
    data = ':a rdfs:label "Aldo" ; :maker :b . :c rdfs:label "Cole" ; :maker :d .'
    data += ' :b rdfs:label "Brem" . :d rdfs:label "Dorn" .'
    data += ' :e rdfs:label "Elva" ; :author :f . :f rdfs:label "Finn" .'
    ontology = ':maker rdfs:label "made by" ; skos:altLabel "author" . :author rdfs:label "author" .'
    folder = str(made_mining.write(tmp_path, data, ontology=ontology))
    found = measure(folder, Settings(overlaps=True))
    assert found.overlaps is not None
    assert {(each.said, each.stored, each.turned) for each in found.overlaps} >= {("author", "made by", False)}
    assert measure(folder, Settings()).overlaps is None
    outcome = domains.outcome_of("mine", [found], Settings(overlaps=True))
    assert any("words of one property" in table.title for table in outcome.tables)
    assert not any(each.false_licence for each in found.claims)
