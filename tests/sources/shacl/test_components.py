"""SPARQL-based constraint components (W3C SHACL 6): compiled, and judged as pySHACL judges them."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import broken, claim, found, made

COMPONENTS = """
:Longest a sh:ConstraintComponent ; sh:parameter [ sh:path :longest ] , [ sh:path :unless ; sh:optional true ] ;
  sh:validator [ a sh:SPARQLAskValidator ; sh:message "longer than {$longest}: {$value}" ;
    sh:ask '''ASK { FILTER (STRLEN(STR($value)) <= $longest || (bound($unless) && $value = $unless)) }''' ] .
:Known a sh:ConstraintComponent ; sh:parameter [ sh:path :knownBy ] ; sh:validator [
    sh:ask '''PREFIX : <http://e/> ASK { $knownBy :knows $value }''' ] .
:Fewer a sh:ConstraintComponent ; sh:parameter [ sh:path :fewerThan ] ;
  sh:nodeValidator [ a sh:SPARQLSelectValidator ; sh:message "not fewer than {?fewerThan}" ; sh:select '''
    PREFIX : <http://e/> SELECT $this WHERE { $this :p ?x } GROUP BY $this HAVING (COUNT(?x) >= $fewerThan)''' ] ;
  sh:propertyValidator [ sh:select '''
    SELECT $this ?value WHERE { $this $PATH ?value . FILTER (STRLEN(STR(?value)) >= $fewerThan) }''' ] .
:LongestShape a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path :t ; :longest 3 ] .
:UnlessShape a sh:NodeShape ; sh:targetObjectsOf :t ; :longest 2 ; :unless "long" .
:KnownShape a sh:NodeShape ; sh:targetNode :b , :c ; :knownBy :a .
:KnownValues a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path :p ; :knownBy :a ] .
:FewerShape a sh:NodeShape ; sh:targetSubjectsOf :p ; :fewerThan 2 .
:FewerValues a sh:PropertyShape ; sh:targetNode :a ; sh:path :t ; :fewerThan 4 .
:Apart a sh:NodeShape ; sh:targetNode :a ; :unless "x" .
"""
DATA = ':a :t "abc" , "long" ; :p :b , :c ; :knows :b . :b :p :c .'


@pytest.mark.filterwarnings("ignore")
def test_components_are_compiled(tmp_path: Path) -> None:
    """Each shape runs without pySHACL, and finds what pySHACL finds."""
    subject = made(tmp_path, DATA, COMPONENTS)
    assert {each.way for each in subject.ways()} == {"compiled"}
    assert found(subject) == {
        ("a", "http://e/Longest", ""),
        ('"abc"', "http://e/Longest", '"abc"'),
        ("c", "http://e/Known", "<http://e/c>"),
        ("a", "http://e/Known", ""),
        ("a", "http://e/Fewer", "<http://e/a>"),
        ("a", "http://e/Fewer", '"long"'),
    }
    assert found(made(tmp_path, DATA, COMPONENTS, engine="pyshacl")) == found(subject)


#: A claim, and the components that it breaks with whether they refute it.
CLAIMS = {
    ("a", "t", '"four"'): [("Fewer", True), ("Longest", True), ("Longest", True)],
    ("b", "p", "d"): [("Fewer", True)],
    ("a", "p", "d"): [("Fewer", True), ("Known", False)],
    ("a", "knows", "d"): [],
}


@pytest.mark.parametrize("parts", CLAIMS)
def test_claims(parts: tuple[str, str, str], tmp_path: Path) -> None:
    """A value that is wrong is a conflict; that something asked for is missing is none."""
    violations = made(tmp_path, DATA, COMPONENTS).judge([claim(*parts)])
    assert sorted((each.component.removeprefix("http://e/"), each.conflict) for each in violations) == CLAIMS[parts]


def test_the_message_is_filled_in(tmp_path: Path) -> None:
    """It names the parameters and the value."""
    violations = made(tmp_path, DATA, COMPONENTS).judge([claim("b", "p", "d")])
    assert [each.message for each in violations] == ["b: not fewer than 2"]
    longer = made(tmp_path, DATA, COMPONENTS).judge([claim("x", "t", '"abcd"')])
    assert [each.message for each in longer] == ["abcd: longer than 2: abcd"]


REFUSED = {
    "given twice": ":S a sh:NodeShape ; sh:targetNode :a ; :longest 2 , 3 .",
    "bound beforehand": ":Own a sh:ConstraintComponent ; sh:parameter [ sh:path :own ] ; sh:validator [ "
    "sh:ask 'ASK { BIND (true AS ?value) }' ] . :S a sh:NodeShape ; sh:targetNode :a ; :own 1 .",
    "no validator": ":Own a sh:ConstraintComponent ; sh:parameter [ sh:path :own ] ; sh:nodeValidator [ "
    "sh:select 'SELECT $this { }' ] . :S a sh:PropertyShape ; sh:path :p ; sh:targetNode :a ; :own 1 .",
    "called 'value'": ":Own a sh:ConstraintComponent ; sh:parameter [ sh:path :value ] ; sh:validator [ "
    "sh:ask 'ASK { }' ] . :S a sh:NodeShape ; sh:targetNode :a ; :value 1 .",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_not_compiled_says_why(reason: str, tmp_path: Path) -> None:
    """What pySHACL has to decide, or to refuse, is left to it."""
    ways = {each.label: each for each in made(tmp_path, "", COMPONENTS + REFUSED[reason]).ways()}
    assert ways["S"].way == "fallback"
    assert reason in ways["S"].reason


def test_a_value_that_counts_as_false_is_bound_too(tmp_path: Path) -> None:
    """pySHACL leaves ``$value`` unbound for 0, false and the empty text, and finds fault with them."""
    data = ':a :t 0 , "" , false .'
    shapes = COMPONENTS.partition(":LongestShape")[0]
    shapes += ":S a sh:NodeShape ; sh:targetNode :a ; sh:property [ sh:path :t ; :longest 5 ] ."
    assert found(made(tmp_path, data, shapes)) == set()
    assert broken(made(tmp_path, data, shapes), claim("a", "t", '"longer than that"')) == ["http://e/Longest"]
