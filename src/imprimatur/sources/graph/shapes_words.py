"""A validation result for people: is it a conflict or an absence, and what does it say in plain words?

A violation is a *conflict* when values that are there break the constraint, so that no further triple could mend it; it
is an *absence* when triples that are merely missing would mend it. In an open world only a conflict refutes a claim.
"""

from __future__ import annotations

from collections.abc import Callable

from rdflib import Graph as RdflibGraph
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDFS, SH, SKOS
from rdflib.term import Literal, Node, URIRef

from imprimatur.sources.graph.shapes_affected import classes_of
from imprimatur.sources.graph.shapes_paths import forward
from imprimatur.sources.graph.shapes_read import ShapeSet
from imprimatur.sources.graph.shapes_run import Result
from imprimatur.sources.graph.shapes_sparql import by_absence
from imprimatur.sources.graph.terms import spoken_name

__all__ = ["is_conflict", "name_of", "sentence"]

#: Results of a shape at a node: what ``is_conflict`` asks for inner shapes.
Inner = Callable[[Node, Node], list[Result]]

_ABSENT = frozenset(
    name + "ConstraintComponent"
    for name in ("MinCount", "HasValue", "QualifiedMinCount", "QualifiedValueShape", "Equals")
)


def is_conflict(result: Result, shapes: ShapeSet, graph: RdflibGraph, *, inner: Inner) -> bool:
    """Whether the violation would stand however much were added to the graph. In doubt: no."""
    kind = result.component.removesuffix("ConstraintComponent")
    if result.component in _ABSENT:
        return False
    if kind == "Class":
        return isinstance(result.value, Literal) or _excluded(result, shapes, graph)
    if kind == "SPARQL":
        return not any(
            by_absence(shapes.query(str(text))) for text in shapes.graph.objects(result.constraint, SH.select)
        )
    if kind in ("Node", "And", "Or", "Xone", "Not"):
        return _nested_conflict(kind, result, shapes, graph=graph, inner=inner)
    return kind in _SETTLED


def _excluded(result: Result, shapes: ShapeSet, graph: RdflibGraph) -> bool:
    """Whether a stored class of the value is disjoint with a required one; lacking the required type is an absence."""
    if result.value is None:
        return False
    has = classes_of(result.value, graph)
    for required in shapes.graph.objects(result.shape, SH["class"]):
        for above in {required, *graph.transitive_objects(required, RDFS.subClassOf)}:
            if has & {*graph.objects(above, OWL.disjointWith), *graph.subjects(OWL.disjointWith, above)}:
                return True
    return False


#: Components that only values that are there can break.
_SETTLED_NAMES = """
    Datatype NodeKind MinExclusive MinInclusive MaxExclusive MaxInclusive MinLength MaxLength Pattern LanguageIn
    UniqueLang MaxCount QualifiedMaxCount LessThan LessThanOrEquals Disjoint Closed In
"""
_SETTLED = frozenset(_SETTLED_NAMES.split())


def _nested_conflict(kind: str, result: Result, shapes: ShapeSet, *, graph: RdflibGraph, inner: Inner) -> bool:
    value = result.value
    if value is None:
        return False
    parts: list[Node] = []
    for head in shapes.graph.objects(result.shape, SH[kind.lower()]):
        parts += [head] if kind in ("Node", "Not") else list(Collection(shapes.graph, head))
    broken = []
    for part in parts:
        results = inner(part, value)
        broken.append((bool(results), any(is_conflict(each, shapes, graph, inner=inner) for each in results)))
    match kind:
        case "Node" | "And":
            return any(conflict for _, conflict in broken)
        case "Or":
            return bool(broken) and all(conflict for _, conflict in broken)
        case "Xone":
            return sum(not failed for failed, _ in broken) > 1 or all(conflict for _, conflict in broken)
    return any(
        not failed and _says_something(part, value, shapes=shapes, graph=graph)
        for part, (failed, _) in zip(parts, broken)
    )


def _says_something(shape: Node, value: Node, *, shapes: ShapeSet, graph: RdflibGraph) -> bool:
    """Whether the value conforms to the shape by what it has, not by what it lacks."""
    path = shapes.path(shape)
    if path is not None:
        return bool(forward(path, {value}, graph))
    nested = list(shapes.graph.objects(shape, SH.property))
    return not nested or any(_says_something(each, value, shapes=shapes, graph=graph) for each in nested)


def name_of(term: Node | None, graph: RdflibGraph) -> str:
    """What a person calls the term: a literal's text, the English or plain label, else the words of its IRI."""
    if term is None:
        return ""
    if isinstance(term, Literal):
        return str(term)
    labels = [each for kind in (RDFS.label, SKOS.prefLabel) for each in graph.objects(term, kind)]
    texts = [each for each in labels if isinstance(each, Literal) and str(each).strip()]
    texts.sort(key=lambda each: ((each.language or "").split("-")[0] not in ("", "en"), str(each)))
    if texts:
        return str(texts[0])
    return spoken_name(str(term)) if isinstance(term, URIRef) else "an unnamed thing"


_RULES: dict[str, tuple[str, URIRef | None]] = {
    "MinExclusive": ("must be greater than {}", SH.minExclusive),
    "MinInclusive": ("must be at least {}", SH.minInclusive),
    "MaxExclusive": ("must be less than {}", SH.maxExclusive),
    "MaxInclusive": ("must be at most {}", SH.maxInclusive),
    "MinLength": ("must have at least {} characters", SH.minLength),
    "MaxLength": ("must have at most {} characters", SH.maxLength),
    "MinCount": ("must be given at least {} times", SH.minCount),
    "MaxCount": ("must be given at most {} times", SH.maxCount),
    "QualifiedMinCount": ("must be given in the required form at least {} times", SH.qualifiedMinCount),
    "QualifiedMaxCount": ("must be given in this form at most {} times", SH.qualifiedMaxCount),
    "Pattern": ("must match the pattern {}", SH.pattern),
    "Datatype": ("must be written as {}", SH.datatype),
    "NodeKind": ("must be a {}", SH.nodeKind),
    "Class": ("must be a {}", SH["class"]),
    "HasValue": ("must include {}", SH.hasValue),
    "LessThan": ("must be less than {}", SH.lessThan),
    "LessThanOrEquals": ("must not be greater than {}", SH.lessThanOrEquals),
    "Equals": ("must be the same as {}", SH.equals),
    "Disjoint": ("must differ from {}", SH.disjoint),
    "UniqueLang": ("must be given once per language", None),
    "Closed": ("may not be stated here", None),
}


def sentence(result: Result, said: tuple[str, ...], shapes: ShapeSet, *, graph: RdflibGraph) -> str:
    """The result in one sentence: entity, property, what is allowed, what was found."""
    entity = name_of(result.focus, graph)
    written = [text for text in said if text in _own_messages(result, shapes) or result.constraint is not None]
    rule = written[0] if written else _rule(result, shapes, graph)
    about = _property(result, shapes, graph)
    found = f" (found: {name_of(result.value, graph)})" if result.value not in (None, result.focus) else ""
    if written:
        return f"{entity}: {rule}{found}"
    return f"{entity}: {about} {rule}{found}"


def _own_messages(result: Result, shapes: ShapeSet) -> set[str]:
    return {str(message) for message in shapes.graph.objects(result.shape, SH.message)}


def _property(result: Result, shapes: ShapeSet, graph: RdflibGraph) -> str:
    if not result.path:
        return "it"
    given = shapes.graph.value(result.shape, SH.name)
    if given is not None:
        return str(given)
    return name_of(URIRef(result.path), graph) if "://" in result.path and "<" not in result.path else result.path


def _rule(result: Result, shapes: ShapeSet, graph: RdflibGraph) -> str:
    kind = result.component.removesuffix("ConstraintComponent")
    if kind in ("In", "LanguageIn"):
        head = shapes.graph.value(result.shape, SH["in"] if kind == "In" else SH.languageIn)
        allowed = [name_of(each, graph) for each in Collection(shapes.graph, head)] if head is not None else []
        return "must be one of " + ", ".join(allowed[:20]) + (", …" if len(allowed) > 20 else "")
    form, parameter = _RULES.get(kind, ("breaks the constraint {}", None))
    values = shapes.graph.objects(result.shape, parameter) if parameter is not None else ()
    limits = [name_of(each, graph) for each in values]
    return form.format(" or ".join(sorted(limits)) or shapes.label(result.shape))
