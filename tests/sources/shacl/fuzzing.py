"""Random graphs, shapes and claims for differential tests.

The generator stays away from what pySHACL 0.40 is known to judge otherwise than W3C SHACL (``test_deviations`` has one
example of each): values of types that have no order, ``xsd:gYear`` in ranges, inverted sequence paths, IRIs in
``sh:lessThan``, texts with languages in comparisons, and the empty text as a focus node (rdflib takes it for unbound
where a query repeats a path).
"""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["PREFIXES", "random_path", "random_shapes", "random_targets", "random_triple", "random_triples"]

EX = "http://e/"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SUBCLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
PREFIXES = """@prefix : <http://e/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""

NODES = "abcdef"
CLASSES = "CDE"
LINKS = "pqr"
_TEXTS = ('"x"', '"xy"@en', '"Xyz"@en', '"ab"@en', '"z"@de', '"y"@de', '"z"@en-GB', '""', '"abc"', '"2"')
_SAID = tuple(text for text in _TEXTS if text != '""')
_NUMBERS = (
    *(f'"{n}"^^<{XSD}integer>' for n in (-1, 0, 1, 2, 3)),
    *(f'"{n}"^^<{XSD}decimal>' for n in ("0.5", "2.0", "-1.5")),
    *(f'"{n}"^^<{XSD}double>' for n in ("1.0E0", "2.5")),
)
_DAYS = tuple(f'"{day}"^^<{XSD}date>' for day in ("1999-12-31", "2000-01-01", "2020-02-29"))
_WRONG = (f'"abc"^^<{XSD}integer>', f'"300"^^<{XSD}byte>', f'"2020-02-31"^^<{XSD}date>', f'"1"^^<{XSD}integer>', '"w"')
#: Properties of numbers, days, texts, plain texts, and values that may be ill-typed.
_LITERALS = {
    "n": _NUMBERS,
    "m": _NUMBERS,
    "d": _DAYS,
    "e": _DAYS,
    "t": _TEXTS,
    "u": ('"a"', '"b"', '"ab"', '"c"'),
    "i": _WRONG,
}


_RANGES = ('"en"', '"de" "fr"')


def _iri(name: str) -> str:
    return f"<{EX}{name}>"


def random_triple(rng: random.Random) -> str:
    """A triple in N-Triples, without the final dot."""
    kind = rng.random()
    subject = _iri(rng.choice(NODES))
    if kind < 0.2:
        return f"{subject} {TYPE} {_iri(rng.choice(CLASSES))}"
    if kind < 0.24:
        return f"{_iri(rng.choice(CLASSES))} {SUBCLASS} {_iri(rng.choice(CLASSES))}"
    if kind < 0.62:
        object_ = _iri(rng.choice(NODES)) if rng.random() < 0.9 else rng.choice(_SAID)
        return f"{subject} {_iri(rng.choice(LINKS))} {object_}"
    name = rng.choice("nnmdetttui")
    return f"{subject} {_iri(name)} {rng.choice(_LITERALS[name])}"


def random_triples(rng: random.Random, number: int) -> list[str]:
    """Distinct triples."""
    return sorted({random_triple(rng) for _ in range(number)})


def random_path(rng: random.Random, depth: int = 0) -> str:
    """A property path in Turtle."""
    kind = rng.random()
    name = ":" + rng.choice(LINKS)
    if depth > 1 or kind < 0.45:
        return name
    if kind < 0.6:
        return f"[ sh:inversePath {name} ]"
    if kind < 0.75:
        return f"( {random_path(rng, depth + 1)} {random_path(rng, depth + 1)} )"
    if kind < 0.85:
        return f"[ sh:alternativePath ( {random_path(rng, depth + 1)} {random_path(rng, depth + 1)} ) ]"
    return f"[ sh:{rng.choice(('zeroOrMorePath', 'oneOrMorePath', 'zeroOrOnePath'))} {random_path(rng, depth + 1)} ]"


def _turtle(term: str) -> str:
    return term.replace(f"^^<{XSD}", "^^xsd:").replace(">", "") if "^^" in term else term


def _limits(rng: random.Random, name: str) -> str:
    limit = rng.choice(_LITERALS[name])
    return f"sh:{rng.choice(('min', 'max'))}{rng.choice(('Inclusive', 'Exclusive'))} {_turtle(limit)}"


def _on_literals(rng: random.Random) -> str:
    """A property shape over a property of literals."""
    name = rng.choice("nmdetttui")
    alike = {"n": "m", "m": "n", "d": "e", "e": "d"}.get(name, "u")
    choices = [
        lambda: f"sh:datatype xsd:{rng.choice(('integer', 'decimal', 'date', 'string', 'byte', 'double'))}",
        lambda: f"sh:maxCount {rng.randint(0, 2)}",
        lambda: f"sh:minCount {rng.randint(0, 2)}",
        lambda: "sh:nodeKind sh:" + rng.choice(("Literal", "IRI", "IRIOrLiteral", "BlankNodeOrLiteral")),
        lambda: f"sh:hasValue {_turtle(rng.choice(_LITERALS[name]))}",
        lambda: f"sh:in ( {' '.join(_turtle(rng.choice(_LITERALS[name])) for _ in range(3))} )",
        lambda: f"sh:equals :{alike}",
        lambda: f"sh:disjoint :{alike}",
    ]
    if name not in "ti":
        choices += [lambda: _limits(rng, name)] * 3
        choices += [lambda: f"sh:{rng.choice(('lessThan', 'lessThanOrEquals'))} :{alike}"] * 2
    if name == "t":
        choices += [
            lambda: f"sh:languageIn ( {rng.choice(_RANGES)} )",
            lambda: "sh:uniqueLang true",
            lambda: "sh:uniqueLang true ; sh:maxCount 1",
            lambda: "sh:uniqueLang true ; sh:minCount 1",
            lambda: f'sh:pattern "{rng.choice(("^x", "y$", "[a-c]+", "^.z"))}" ; sh:flags "i"',
            lambda: f"sh:{rng.choice(('minLength', 'maxLength'))} {rng.randint(0, 3)}",
        ]
    return f"sh:path :{name} ; {_several(rng, choices)}"


def _several(rng: random.Random, choices: list[Callable[[], str]]) -> str:
    made = {text.split()[0]: text for text in (rng.choice(choices)() for _ in range(rng.randint(1, 2)))}
    return " ; ".join(made.values())


def _inner(rng: random.Random, depth: int) -> str:
    """A shape in brackets."""
    kind = rng.random()
    if kind < 0.4:
        return f"[ {_on_literals(rng)} ]"
    if kind < 0.7:
        return f"[ sh:path {random_path(rng)} ; {_on_nodes(rng, depth + 1)} ]"
    return f"[ {_on_values(rng, depth + 1)} ]"


def _node_shape(rng: random.Random, depth: int) -> str:
    return f"[ {_on_values(rng, depth + 1)} ]"


def _on_values(rng: random.Random, depth: int) -> str:
    """Constraints that a node shape or property shape may have."""
    choices = [
        lambda: f"sh:class :{rng.choice(CLASSES)}",
        lambda: "sh:nodeKind sh:" + rng.choice(("IRI", "BlankNodeOrIRI", "Literal")),
        lambda: f"sh:in ( {' '.join(':' + rng.choice(NODES) for _ in range(3))} )",
        lambda: f'sh:pattern "{rng.choice(("[a-d]$", "e/[^a]"))}"',
        lambda: f"sh:hasValue :{rng.choice(NODES)}",
        lambda: f"sh:{rng.choice(('equals', 'disjoint'))} :{rng.choice(LINKS)}",
        lambda: (
            "sh:closed true ; sh:ignoredProperties ( rdf:type :n :m :t :u :d :e :i "
            f":{rng.choice(LINKS)} ) ; sh:property [ sh:path :{rng.choice(LINKS)} ; sh:maxCount 2 ]"
        ),
    ]
    if depth < 3:
        choices += [
            lambda: f"sh:not {_inner(rng, depth)}",
            lambda: f"sh:{rng.choice(('and', 'or', 'xone'))} ( {_inner(rng, depth)} {_inner(rng, depth)} )",
            lambda: f"sh:node {_node_shape(rng, depth)}",
            lambda: f"sh:property [ sh:path {random_path(rng)} ; {_on_nodes(rng, depth + 1)} ]",
            lambda: f"sh:property [ {_on_literals(rng)} ]",
        ] * 2
    return _several(rng, choices)


def _on_nodes(rng: random.Random, depth: int) -> str:
    """Constraints of a property shape over links."""
    choices: list[Callable[[], str]] = [
        lambda: f"sh:maxCount {rng.randint(0, 2)}",
        lambda: f"sh:minCount {rng.randint(0, 2)}",
        lambda: _on_values(rng, depth),
        lambda: _on_values(rng, depth),
    ]
    if depth < 3:
        choices.append(
            lambda: (
                f"sh:qualifiedValueShape {_inner(rng, depth)} ; "
                f"sh:qualified{rng.choice(('Min', 'Max'))}Count {rng.randint(0, 2)} ; "
                f"sh:qualifiedValueShapesDisjoint {rng.choice(('true', 'false'))}"
            )
        )
    return _several(rng, choices)


def _query(rng: random.Random) -> str:
    link, other, third = (":" + rng.choice(LINKS) for _ in range(3))
    number = rng.choice((-1, 0, 1, 2, "0.5"))
    mark = rng.choice(("<", "<=", ">", ">=", "=", "!="))
    body = rng.choice(
        (
            f"$this :n ?value FILTER (?value {mark} {number})",
            f"$this :n ?value . $this :m ?other FILTER (?value {mark} ?other)",
            f"$this {link} ?value . ?value :n ?x . $this :n ?y FILTER (?x {mark} ?y || ?x = 3)",
            f"$this {link} ?value FILTER NOT EXISTS {{ ?value a :{rng.choice(CLASSES)} }}",
            f"$this {link} ?value . ?value {other} ?x FILTER NOT EXISTS {{ ?x {third} $this }}",
            f"?value {link}/{other} $this",
            f"$this {link}+ ?value FILTER EXISTS {{ ?value {other} ?y . ?y {third} ?z }}",
            f"$this {link} ?value OPTIONAL {{ ?value :n ?x }} FILTER (!bound(?x))",
            f"{{ $this {link} ?value }} UNION {{ ?value {other} $this FILTER (?value != :a) }}",
            f"$this {link}|^{other} ?value FILTER (?value IN (:a, :b))",
            "$this :u ?value FILTER (REGEX(?value, 'a') && STRLEN(?value) > 1)",
            f"$this :d ?value . $this :e ?x FILTER (?value {mark} ?x)",
            f"$this :n ?value FILTER (?value + 1 {mark} {number} * 2)",
            f"?value {link} $this . ?value a/rdfs:subClassOf* :{rng.choice(CLASSES)}",
            f"$this ?path ?value FILTER (?value = :{rng.choice(NODES)})",
            f"?value ?p $this FILTER (?p != {link})",
            "$this :u ?x BIND (STR(?x) AS ?value) FILTER (STRSTARTS(?value, 'a'))",
        )
    )
    path = " ?path" if "?path" in body else ""
    head = rng.choice(("$this ?value", "$this", "DISTINCT $this ?value")) + path
    text = f"PREFIX : <{EX}> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> SELECT {head} WHERE {{ {body} }}"
    said = rng.choice(("", ' ; sh:message "got {?value} at {$this}"'))
    return f'sh:sparql [ sh:select """{text}"""{said} ]'


#: Targets and shapes for what random draws seldom break.
_RARE = (
    ("sh:targetSubjectsOf :t", "sh:property [ sh:path :t ; sh:uniqueLang true ]"),
    ("sh:targetSubjectsOf :n , :m", "sh:property [ sh:path :n ; sh:lessThan :m ]"),
    ("sh:targetSubjectsOf :n , :m", "sh:property [ sh:path :m ; sh:lessThanOrEquals :n ]"),
    ("sh:targetSubjectsOf :d , :e", "sh:property [ sh:path :d ; sh:lessThan :e ]"),
    ("sh:targetSubjectsOf :n", "sh:property [ sh:path :n ; sh:maxExclusive 2 ; sh:minExclusive 0.5 ]"),
    ("sh:targetSubjectsOf :m", "sh:property [ sh:path :m ; sh:maxInclusive 1 ; sh:minInclusive 1 ]"),
    ("sh:targetSubjectsOf :t", "sh:property [ sh:path :t ; sh:minLength 2 ; sh:maxLength 2 ]"),
)


def random_targets(rng: random.Random) -> str:
    """Targets of a shape in Turtle."""
    return rng.choice(
        (
            f"sh:targetClass :{rng.choice(CLASSES)}",
            f"sh:targetNode :{rng.choice(NODES)} , :{rng.choice(NODES)}",
            f"sh:targetSubjectsOf :{rng.choice(LINKS + 'nt')}",
            f"sh:targetObjectsOf :{rng.choice(LINKS)}",
        )
    )


def random_shapes(rng: random.Random, number: int = 4) -> str:
    """Shapes in Turtle; between them, many draws use every feature that is compiled."""
    parts = [PREFIXES]
    for which in range(number):
        kind = rng.random()
        if kind < 0.3:
            body = f"a sh:NodeShape ; {_query(rng)}"
        elif kind < 0.55:
            body = f"a sh:NodeShape ; sh:property [ {_on_literals(rng)} ]"
        elif kind < 0.65:
            body = f"a sh:PropertyShape ; {_on_literals(rng)}"
        elif kind < 0.8:
            body = f"a sh:PropertyShape ; sh:path {random_path(rng)} ; {_on_nodes(rng, 1)}"
        else:
            body = f"a sh:NodeShape ; {_on_values(rng, 0)}"
        targets = random_targets(rng)
        if rng.random() < 0.15:
            targets, body = rng.choice(_RARE)
        extra = rng.choice(("", "", "", " ; sh:severity sh:Warning", " ; sh:deactivated true", ' ; sh:message "said"'))
        parts.append(f":S{which} {body} ; {targets}{extra} .")
    if rng.random() < 0.3:
        parts.append(f":{rng.choice(CLASSES)} a rdfs:Class , sh:NodeShape ; {_on_values(rng, 1)} .")
    return "\n".join(parts)
