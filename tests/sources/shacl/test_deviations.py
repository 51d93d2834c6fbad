"""Where the compiled engine follows W3C SHACL and pySHACL 0.40 does not, as docs/reference/shacl.md lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import found, made

ON_P = ":S sh:targetNode :a ; sh:property [ sh:path :p ; {} ] ."
YEAR = '"{}"^^xsd:gYear'

CASES = {
    "a date and a number have no order": (":a :p 5 .", ON_P.format('sh:minInclusive "1999-01-01"^^xsd:date'), 1),
    "years are in range": (f":a :p {YEAR.format(1900)} .", ON_P.format(f"sh:minInclusive {YEAR.format(1800)}"), 0),
    "years before our era": (
        f":a :p {YEAR.format('-0384')} ; :q {YEAR.format('-0347')} .",
        ON_P.format("sh:lessThan :q"),
        0,
    ),
    "a year before a day in another year": (
        f':a :p {YEAR.format(1769)} ; :q "1815-06-18"^^xsd:date .',
        ON_P.format("sh:lessThan :q"),
        0,
    ),
    "a year and a day in it have no order": (
        f':a :p {YEAR.format(1815)} ; :q "1815-06-18"^^xsd:date .',
        ON_P.format("sh:lessThan :q"),
        1,
    ),
    "IRIs have no order": (":a :p :b ; :q :c .", ON_P.format("sh:lessThan :q"), 1),
    "texts in languages have no order": (':a :p "a"@en ; :q "b"@en .', ON_P.format("sh:lessThan :q"), 1),
    "an inverted sequence": (
        ":x :p :y . :y :q :a .",
        ":S sh:targetNode :a ; sh:property [ sh:path [ sh:inversePath ( :p :q ) ] ; sh:minCount 1 ] .",
        0,
    ),
    "a longer language tag": (':a :p "x"@en-gb-oed .', ON_P.format("sh:languageIn ( 'en-GB' )"), 0),
    "the flag s": (':a :p "a\\nb" .', ON_P.format("sh:pattern 'a.b' ; sh:flags 's'"), 0),
    "uniqueLang that is not the term true": (
        ':a :p "x"@en , "y"@en .',
        ON_P.format('sh:uniqueLang "1"^^xsd:boolean'),
        0,
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_w3c_is_followed(name: str, tmp_path: Path) -> None:
    """The engine finds what W3C SHACL says."""
    data, shapes, number = CASES[name]
    assert len(found(made(tmp_path, data, shapes))) == number


@pytest.mark.parametrize("years", ["0800", "1066"])
def test_a_blank_node_in_less_than_breaks_it(years: str, tmp_path: Path) -> None:
    """pySHACL gives up on blank nodes; they have no order, so they break the constraint."""
    data = f':a :p [] ; :q "{years}"^^xsd:gYear .'
    assert {kind for _, kind, _ in found(made(tmp_path, data, ON_P.format("sh:lessThan :q")))} == {"LessThan"}
