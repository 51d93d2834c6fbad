"""A knowledge base that brings its own language: a folder with a handful of words, and no code for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.errors import KnowledgeBaseError
from imprimatur.oracle import Oracle

_PREFIXES = """@prefix : <https://example.org/eo/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
"""
GRAPH = (
    _PREFIXES
    + """
:Rivero a owl:Class ; rdfs:label "rivero"@eo .
:longo a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:label "longo"@eo ; rdfs:range xsd:decimal ;
    qudt:hasUnit unit:KiloM .
:fluas a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "fluas en"@eo .
:b a :Rivero ; rdfs:label "Brun" ; :longo 87 ; :fluas :lag .
:t a :Rivero ; rdfs:label "Tirno" ; :longo 120 ; :fluas :b .
:lag rdfs:label "Lago Verda" .
"""
)
FILES = {
    "words.tsv": "the\tla\nof\tde\tprep\nin\ten\tprep\nnot\tne\nand\tkaj\nis\testas\tbe finite\nthan\tol\n"
    "more\tpli\nlong\tlonga\tadj\nwhich\tkiu\nit\tĝi\nkilometers\tkilometroj\tunit\n",
    "rules.tsv": "{be} {number} kilometrojn\t{1} {2} kilometers\n",
    "inflection.tsv": "verb i s\tas\nverb i past\tis\nplural\toj\to\n",
    "verbs.tsv": "flui\nmezuri\n",
    "nouns.tsv": "noun\trivero, longo\n",
    "frames.txt": "dim longo [M]: longo\n  more longa\n  S mezuras O\n\n"
    "relation fluas\n  ! S fluas en O\n  O estas la fino de S\n",
}


def knowledge(tmp_path: Path, language: str = "lingvo", files: dict[str, str] | None = None) -> Path:
    """A knowledge base whose language lies in its folder."""
    (tmp_path / "lingvo").mkdir()
    for name, text in (FILES if files is None else files).items():
        (tmp_path / "lingvo" / name).write_text(text, encoding="utf-8")
    (tmp_path / "graph.ttl").write_text(GRAPH, encoding="utf-8")
    lines = ["version: 1", "locale: eo", f"language: {language}", "graph: {data: [graph.ttl]}"]
    (tmp_path / "imprimatur.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("La longo de la Brun estas 87 km.", "supported"),
        ("La longo de la Brun estas 78 km.", "contradicted"),
        ("La Brun mezuras 87 kilometroj.", "supported"),
        ("La rivero Tirno fluas en la Brun.", "supported"),
        ("La Brun fluas en la Tirno.", "contradicted"),
        ("La Tirno ne fluas en la Brun.", "contradicted"),
        ("La Brun ne fluas en la Tirno.", "supported"),
        ("La Tirno, kiu fluas en la Brun, mezuras 120 km kaj estas pli longa ol la Brun.", "supported"),
        ("La Brun estas pli longa ol la Tirno.", "contradicted"),
        ("La Brun estas la fino de la Tirno.", "supported"),
        ("Ĝi estas la bela fino de la Tirno.", "not_found"),
        ("La Brun rapide fluas en la Lago Verda.", "not_found"),
    ],
)
def test_a_handful_of_words_reads_sentences(tmp_path: Path, sentence: str, label: str) -> None:
    """Statements, their denials, relative clauses and comparisons are read by the words that the folder gives."""
    oracle = Oracle.from_folder(knowledge(tmp_path), cache_dir=tmp_path / "cache")
    assert oracle.check(sentence).segments[-1].label == label


def test_pronouns_go_back(tmp_path: Path) -> None:
    """A pronoun of the language stands for what the text is about."""
    oracle = Oracle.from_folder(knowledge(tmp_path), cache_dir=tmp_path / "cache")
    labels = [s.label for s in oracle.check("La Brun estas rivero. Ĝi fluas en la Lago Verda.").segments]
    assert labels == ["supported", "supported"]


def test_another_content_is_another_knowledge_base(tmp_path: Path) -> None:
    """The words of the language are part of what a verdict depends on."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = Oracle.from_folder(knowledge(tmp_path / "a"), cache_dir=tmp_path / "cache")
    other = Oracle.from_folder(
        knowledge(tmp_path / "b", files={**FILES, "verbs.tsv": "mezuri\n"}), cache_dir=tmp_path / "cache"
    )
    assert one.knowledge.content_hash != other.knowledge.content_hash
    assert other.check("La Tirno fluas en la Brun.").segments[-1].label == "not_found"
    assert one.check("La Tirno fluas en la Brun.").segments[-1].label == "supported"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """The key names a folder within the knowledge base's own."""
    with pytest.raises(KnowledgeBaseError, match="which is no folder"):
        Oracle.from_folder(knowledge(tmp_path, "lingvoj"))
