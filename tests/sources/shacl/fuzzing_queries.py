"""Random shapes whose queries have groups, sub-queries, patterns that nothing joins to ``$this`` and further functions,
and that use custom constraint components.

As ``fuzzing``, the generator stays away from what has no order, and from what only the order of solutions decides.
"""

from __future__ import annotations

import random

from fuzzing import EX, LINKS, NODES, PREFIXES, XSD, random_path, random_targets

__all__ = ["random_queries"]

_COMPONENTS = """
:Least a sh:ConstraintComponent ; sh:parameter [ sh:path :least ] , [ sh:path :over ; sh:optional true ] ;
  sh:nodeValidator [ a sh:SPARQLSelectValidator ; sh:message "fewer than {$least}" ; sh:select '''PREFIX : <http://e/>
    SELECT $this WHERE { $this a ?c FILTER NOT EXISTS { $this :n ?x FILTER (?x >= $least) } }''' ] ;
  sh:propertyValidator [ a sh:SPARQLSelectValidator ; sh:select '''PREFIX : <http://e/>
    SELECT DISTINCT $this ?value WHERE { $this $PATH ?value . ?value :n ?x FILTER (?x < $least) }''' ] .
:Near a sh:ConstraintComponent ; sh:parameter [ sh:path :near ] ; sh:validator [ a sh:SPARQLAskValidator ; sh:ask '''
    PREFIX : <http://e/>
    ASK { { $value :p|:q $near } UNION { $value :r/:p $near } UNION { ?x :q $value , $this } }''' ] .
:Said a sh:ConstraintComponent ; sh:parameter [ sh:path :said ] ; sh:validator [ a sh:SPARQLAskValidator ; sh:ask '''
    ASK { FILTER (isIRI($value) && CONTAINS(STR($value), $said)) }''' ] .
"""

_PATHS = (
    ":p",
    "( :q :r )",
    "[ sh:inversePath :p ]",
    "[ sh:alternativePath ( :p :r ) ]",
    "[ sh:zeroOrMorePath :q ]",
    "( [ sh:oneOrMorePath :r ] :p )",
)


def _links(rng: random.Random) -> tuple[str, str]:
    return ":" + rng.choice(LINKS), ":" + rng.choice(LINKS)


def _patterns(rng: random.Random) -> str:
    """Patterns that bind ``?x``, and often ``?v``."""
    link, other = _links(rng)
    return rng.choice(
        (
            f"$this {link} ?x",
            f"$this {link}/{other} ?x",
            f"$this {link}|{other} ?x",
            f"$this {link}* ?x",
            f"$this ({link}|{other})/^{link} ?x",
            f"$this {link} ?v . ?v {other} ?x",
            f"?x {link} $this OPTIONAL {{ ?x {other} ?v }}",
            "$this ?p ?x FILTER (isIRI(?x))",
            f"{{ $this {link} ?x }} UNION {{ $this {other} ?x }}",
            f"$this {link} ?x FILTER NOT EXISTS {{ ?x {other} $this }}",
            f"?x {link}+ $this . ?x a ?v",
            f"?x {link} ?v . ?v {other}? $this",
        )
    )


def _limit(rng: random.Random) -> str:
    return f"{rng.choice(('<', '<=', '>', '>=', '=', '!='))} {rng.randint(0, 3)}"


def _of_numbers(rng: random.Random) -> str:
    """A query over groups of numbers or days."""
    name, other = rng.sample("nm", 2)
    link, _ = _links(rng)
    total = rng.choice(("SUM", "MIN", "MAX", "AVG", "COUNT"))
    of_x = f"{total}({rng.choice(('', '', 'DISTINCT '))}?x)"
    mark = rng.choice(("<", ">", "=", "!="))
    return rng.choice(
        (
            f"$this WHERE {{ $this :{name} ?x }} GROUP BY $this HAVING ({of_x} {mark} 1.5)",
            f"$this WHERE {{ $this {link}/:{name} ?x }} GROUP BY $this HAVING ({of_x} {mark} 1)",
            f"$this ?value WHERE {{ $this :{name} ?value {{ SELECT $this ({of_x} AS ?s) WHERE "
            f"{{ $this {link} ?y . ?y :{other} ?x }} GROUP BY $this }} FILTER (?s {mark} ?value) }}",
            f"$this (SUM(?x) AS ?value) WHERE {{ $this {link} ?y . ?y :{name} ?x }} GROUP BY $this "
            "HAVING (COUNT(?x) < 3)",
            f"$this (AVG(?x) AS ?value) WHERE {{ $this :{name} ?x }} GROUP BY $this HAVING (COUNT(?x) < 3)",
            f"$this (SUM(?x * 2) AS ?s) WHERE {{ $this :{name} ?x }} GROUP BY $this HAVING (SUM(?x * 2) {mark} 3)",
            f"$this ({rng.choice(('MIN', 'MAX'))}(?x) AS ?value) WHERE {{ $this {link}* ?y . ?y :d ?x }} "
            "GROUP BY $this HAVING (COUNT(*) > 1)",
            f"$this WHERE {{ $this a :C {{ SELECT (COALESCE(SUM(?x), 0) AS ?s) WHERE {{ $this {link}/:{name} ?x }} }} "
            f"FILTER (?s {mark} 1) }}",
        )
    )


def _of_groups(rng: random.Random) -> str:
    """A query over groups of nodes."""
    link, other = _links(rng)
    body, limit = _patterns(rng), _limit(rng)
    count = f"COUNT({rng.choice(('?x', 'DISTINCT ?x', '*'))})"
    sub = f"{{ SELECT $this ({count} AS ?n) WHERE {{ {body} }} GROUP BY $this }}"
    return rng.choice(
        (
            f"$this WHERE {{ {body} }} GROUP BY $this HAVING ({count} {limit})",
            f"$this ({count} AS ?value) WHERE {{ {body} }} GROUP BY $this HAVING ({count} {limit})",
            f"$this ({count} AS ?n) WHERE {{ {body} }} HAVING ({count} {limit})",
            f"$this ?value WHERE {{ $this {link} ?y . ?y {other} ?value }} GROUP BY $this ?value "
            f"HAVING (COUNT(DISTINCT ?y) {limit})",
            f"$this ?value WHERE {{ $this {link} ?value {sub} FILTER (?n {limit}) }}",
            f"$this WHERE {{ {sub} FILTER (?n {limit}) }}",
            f"$this WHERE {{ {{ SELECT ({count} AS ?n) WHERE {{ {body} }} }} FILTER (?n {limit}) }}",
            f"$this ?value WHERE {{ $this {link} ?value {{ SELECT $this ?value (COUNT(?z) AS ?n) WHERE "
            f"{{ $this {link} ?value . ?value {other} ?z }} GROUP BY $this ?value }} FILTER (?n {limit}) }}",
            f"$this ?value WHERE {{ {{ SELECT $this ?value (COUNT(?z) AS ?n) WHERE "
            f"{{ $this {link} ?value . ?value {other} ?z }} GROUP BY $this ?value }} FILTER (?n {limit}) }}",
            f"$this WHERE {{ $this {link} ?y {{ SELECT $this (COUNT(?z) AS ?n) WHERE {{ $this {other} ?z }} "
            f"GROUP BY $this }} {{ SELECT $this (COUNT(?z) AS ?m) WHERE {{ ?z {other} $this }} GROUP BY $this }} "
            "FILTER (?n > ?m) }",
            f"$this ?value WHERE {{ $this {link} ?value OPTIONAL {{ ?value {other} ?y }} {{ SELECT $this ?value "
            f"(COUNT(?z) AS ?n) WHERE {{ ?value {other}/{link} ?z }} GROUP BY $this ?value }} FILTER (?n {limit}) }}",
            f"$this WHERE {{ $this {link} ?y OPTIONAL {sub} FILTER (!bound(?n) || ?n {limit}) }}",
        )
    )


def _of_links(rng: random.Random) -> str:
    """A query with plain sub-queries, or patterns that nothing joins to ``$this``."""
    link, other = _links(rng)
    limit = _limit(rng)
    return rng.choice(
        (
            f"$this ?value WHERE {{ {{ SELECT DISTINCT $this ?value WHERE {{ $this {link}/{other} ?value }} }} "
            f"$this {other} ?value }}",
            f"$this ?value WHERE {{ $this {link} ?value {{ SELECT $this ?value WHERE {{ ?value {other} $this }} }} }}",
            f"$this (?n + 1 AS ?value) WHERE {{ $this a ?c {{ SELECT (COUNT(?z) AS ?n) WHERE "
            f"{{ ?z {link} ?w }} }} FILTER (?n {limit}) }}",
            f"$this ?value WHERE {{ ?value {link} ?y . ?y {other} ?z FILTER (?z = $this || ?y = :a) }}",
            f"$this ?value WHERE {{ $this a ?c . ?value {link}/{other} :a }} ORDER BY ?value",
            f"$this ?value WHERE {{ $this a ?c . ?value {link}+ ?value }}",
            f"$this ?value WHERE {{ $this {link} [ {other} ?value ; a ?c ] }}",
        )
    )


def _of_functions(rng: random.Random) -> str:
    number = rng.randint(0, 2)
    test = rng.choice(
        (
            f"SUBSTR(?value, {number + 1}) = 'b'",
            f"SUBSTR(?value, 1, {number}) = 'a'",
            "STRBEFORE(?value, 'b') = 'a'",
            "STRAFTER(?value, 'a') = ''",
            "CONCAT(?value, 'b') = 'ab'",
            "STRLEN(MD5(?value)) = 32 && STRSTARTS(SHA1(?value), '8')",
            "IRI(CONCAT('http://e/', ?value)) = $this",
            "ENCODE_FOR_URI(?value) = 'a'",
            "LANG(STRLANG(?value, 'EN')) = 'en'",
        )
    )
    name = "u"
    if rng.random() < 0.3:
        name, test = "d", rng.choice(("YEAR(?value) = 2000", "MONTH(?value) = 12", "DAY(?value) = 1"))
    return f"$this ?value WHERE {{ $this :{name} ?value FILTER ({test}) }}"


def _with_component(rng: random.Random) -> str:
    use = rng.choice(
        (
            f":least {rng.randint(0, 2)}",
            f":least 1 ; :over {rng.randint(0, 2)}",
            f":near :{rng.choice(NODES)}",
            f":said '{rng.choice(NODES)}'",
        )
    )
    if rng.random() < 0.5:
        return f"a sh:NodeShape ; {use}"
    # pySHACL writes a repeated repetition for $PATH so that rdflib cannot read it.
    path = rng.choice((*_PATHS, random_path(rng))) if "least" not in use else rng.choice(_PATHS)
    return f"a sh:NodeShape ; sh:property [ sh:path {path} ; {use} ]"


def random_queries(rng: random.Random, number: int = 4) -> str:
    """Shapes in Turtle with such queries and components."""
    parts = [PREFIXES, _COMPONENTS]
    for which in range(number):
        if rng.random() < 0.2:
            body = _with_component(rng)
        else:
            query = rng.choice((_of_groups, _of_groups, _of_numbers, _of_links, _of_functions))(rng)
            heads = f"PREFIX : <{EX}> PREFIX xsd: <{XSD}>"
            said = rng.choice(("", ' ; sh:message "got {?value} and {?n} at {$this}"'))
            body = f'a sh:NodeShape ; sh:sparql [ sh:select """{heads} SELECT {query}"""{said} ]'
        parts.append(f":S{which} {body} ; {random_targets(rng)} .")
    return "\n".join(parts)
