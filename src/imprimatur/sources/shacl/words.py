"""A finding for people: is it a conflict or an absence, and what does it say in plain words?

A finding is a *conflict* when values that are there break the constraint, so that no further triple could mend it; it
is an *absence* when triples that are merely missing would mend it. In an open world only a conflict refutes a claim.
"""

from __future__ import annotations

from imprimatur.sources.graph.terms import OWL, RdfLiteral, spoken_name
from imprimatur.sources.shacl.engine import Engine
from imprimatur.sources.shacl.shape import Constraint, Finding, Shape
from imprimatur.sources.shacl.view import View

__all__ = ["is_conflict", "name_of", "sentence"]

#: Components that only values that are there can break.
_SETTLED = frozenset(
    """Datatype NodeKind MinExclusive MinInclusive MaxExclusive MaxInclusive MinLength MaxLength Pattern LanguageIn
    UniqueLang MaxCount QualifiedMaxCount LessThan LessThanOrEquals Disjoint Closed In""".split()
)
_REMEMBERED = 65_536
#: So many shapes down, why a value does not conform is looked into.
_DEEPEST = 15
_NESTED = ("Node", "And", "Or", "Xone", "Not")


def _kind(finding: Finding) -> str:
    return finding.component.removesuffix("ConstraintComponent")


def is_conflict(finding: Finding, engine: Engine, view: View) -> bool:
    """Whether the finding would stand however much were added to the graph. In doubt: no."""
    kind, shape = _kind(finding), engine.shapes[finding.shape]
    if kind == "Class":
        literal = finding.value is not None and view.terms.is_literal(finding.value)
        return literal or _excluded(finding, shape, view)
    if kind == "SPARQL" or ":" in kind:  # the name of a custom constraint component is an IRI
        return not any(each.by_absence for each in shape.constraints if each.kind == kind)
    if kind in _NESTED:
        constraints = [each for each in shape.constraints if each.kind == kind]
        return any(_nested_conflict(kind, each, finding, engine=engine, view=view) for each in constraints)
    return kind in _SETTLED


def _excluded(finding: Finding, shape: Shape, view: View) -> bool:
    """Whether a stored class of the value is disjoint with a required one; lacking the required type is an absence."""
    disjoint = view.terms.find(OWL + "disjointWith")
    if finding.value is None or disjoint is None:
        return False
    has = {above for kind in view.objects(finding.value, view.types.type) for above in view.above(kind)}
    for constraint in shape.constraints:
        for required in constraint.classes:
            for above in view.above(required):
                if has.intersection(view.objects(above, disjoint)) or has.intersection(view.subjects(disjoint, above)):
                    return True
    return False


def _nested_conflict(kind: str, constraint: Constraint, finding: Finding, *, engine: Engine, view: View) -> bool:
    value = finding.value
    if value is None:
        return False
    parts = [engine.shapes[index] for index in constraint.inner]
    broken = [_outcome(part, value, engine, view) for part in parts]
    match kind:
        case "Node" | "And":
            return any(conflict for _, conflict in broken)
        case "Or":
            return bool(broken) and all(conflict for _, conflict in broken)
        case "Xone":
            kept = sum(not failed for failed, _ in broken)
            return kept > 1 or (kept == 0 and all(conflict for _, conflict in broken))
    return any(not failed and _says_something(part, value, view) for part, (failed, _) in zip(parts, broken))


def _outcome(part: Shape, value: int, engine: Engine, view: View) -> tuple[bool, bool]:
    """Whether the value breaks the shape, and by a conflict. In a circle of recursive shapes, or deep down: by none."""
    steps, key = view.steps, (part.index, value)
    if key not in steps.outcomes:
        steps.outcomes[key] = (True, False)
        results: list[Finding] = []
        part.run(view, value, results)
        steps.asked += 1
        conflict = steps.asked < _DEEPEST and any(is_conflict(each, engine, view) for each in results)
        steps.asked -= 1
        steps.outcomes[key] = (bool(results), conflict)
    return steps.outcomes[key]


def _says_something(shape: Shape, value: int, view: View) -> bool:
    """Whether the value conforms to the shape by what it has, not by what it lacks."""
    if shape.path is not None:
        return bool(shape.values(view, value))
    return not shape.properties or any(_says_something(each, value, view) for each in shape.properties)


def name_of(number: int | None, view: View) -> str:
    """What a person calls the term: a literal's text, the English or plain label, else the words of its IRI."""
    if number is None:
        return ""
    remembered = number < view.terms.first and not view.renames
    known = view.terms.names.get(number) if remembered else None
    if known is None:
        known = _named(number, view)
        if remembered:
            if len(view.terms.names) >= _REMEMBERED:
                view.terms.names.clear()
            view.terms.names[number] = known
    return known


def _named(number: int, view: View) -> str:
    term = view.terms.term(number)
    if isinstance(term, RdfLiteral):
        return term.lexical
    found = []
    for predicate in view.types.labels:
        for value in view.objects(number, predicate):
            literal = view.terms.literal(value)
            if literal is not None and literal.lexical.strip():
                found.append((literal.lang.split("-")[0] not in ("", "en"), literal.lexical))
    if found:
        return min(found)[1]
    return "an unnamed thing" if term.startswith("_:") else spoken_name(term)


_RULES = {
    "MinExclusive": "must be greater than {}",
    "MinInclusive": "must be at least {}",
    "MaxExclusive": "must be less than {}",
    "MaxInclusive": "must be at most {}",
    "MinLength": "must have at least {} characters",
    "MaxLength": "must have at most {} characters",
    "MinCount": "must be given at least {} times",
    "MaxCount": "must be given at most {} times",
    "QualifiedMinCount": "must be given in the required form {} times",
    "QualifiedMaxCount": "must be given in this form {} times",
    "Pattern": "must match the pattern {}",
    "Datatype": "must be written as {}",
    "NodeKind": "must be a {}",
    "Class": "must be a {}",
    "HasValue": "must include {}",
    "LessThan": "must be less than {}",
    "LessThanOrEquals": "must not be greater than {}",
    "Equals": "must be the same as {}",
    "Disjoint": "must differ from {}",
    "UniqueLang": "must be given once per language",
    "Closed": "may not be stated here",
}


def sentence(finding: Finding, engine: Engine, view: View) -> str:
    """The finding in one sentence: entity, property, what is allowed, what was found."""
    shape = engine.shapes[finding.shape]
    entity = name_of(finding.focus, view)
    found = f" (found: {name_of(finding.value, view)})" if finding.value not in (None, finding.focus) else ""
    written = finding.said or shape.messages or _messages(finding, shape, view)
    if written:
        return f"{entity}: {written[0]}{found}"
    return f"{entity}: {_about(finding, shape, view)} {_rule(finding, shape, view)}{found}"


def _messages(finding: Finding, shape: Shape, view: View) -> tuple[str, ...]:
    """What the custom constraint component says; its parameters are filled in already."""
    known = {"?this": view.terms.term(finding.focus)}
    if finding.value is not None:
        known["?value"] = view.terms.term(finding.value)
    written = [
        each for constraint in shape.constraints if constraint.kind == _kind(finding) for each in constraint.says
    ]
    if not written:
        return ()
    from imprimatur.sources.shacl.query import filled

    return tuple(sorted(filled(each, known) for each in written))


def _about(finding: Finding, shape: Shape, view: View) -> str:
    if not finding.path:
        return "it"
    if shape.title:
        return shape.title
    plain = "://" in finding.path and "<" not in finding.path
    known = view.terms.find(finding.path) if plain else None
    return spoken_name(finding.path) if plain and known is None else name_of(known, view) or finding.path


def _rule(finding: Finding, shape: Shape, view: View) -> str:
    kind = _kind(finding)
    own = "Qualified" if kind.startswith("Qualified") else kind
    limits = [limit for each in shape.constraints if each.kind == own for limit in each.limits]
    if kind in ("In", "LanguageIn"):
        return "must be one of " + ", ".join(limits[:20]) + (", …" if len(limits) > 20 else "")
    classes = [name_of(kind, view) for each in shape.constraints if each.kind == own for kind in each.classes]
    return _RULES.get(kind, "breaks the constraint {}").format(" or ".join(sorted(classes or limits)) or shape.label)
