"""The triples of shapes files, read by pyoxigraph, with stable names for the shapes in them.

Invariants: terms are ``view.Term``; blank nodes of different files are different; a name does not depend on the labels
of blank nodes, so that it is the same after every load.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path

import pyoxigraph as ox

from imprimatur._dataclasses import dataclass
from imprimatur.errors import KnowledgeBaseError
from imprimatur.sources.graph.formats import HEAD_BYTES, syntax_of
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SH, XSD, RdfLiteral, iri_text, literal_text, spoken_name
from imprimatur.sources.shacl.view import Term

__all__ = ["SH", "Facts", "local", "read_facts", "text_of"]

_FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "n-triples": ox.RdfFormat.N_TRIPLES,
    "n-quads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "rdf/xml": ox.RdfFormat.RDF_XML,
    "json-ld": ox.RdfFormat.JSON_LD,
}
#: Prefixes that a query may use undeclared.
_USUAL = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "xsd": XSD, "sh": SH}
_LONGEST_LIST = 100_000
#: A longer description of a shape is shortened to its hash, so that shared parts do not multiply.
_LONG = 100_000


def local(iri: str) -> str:
    """The part of an IRI of SHACL's vocabulary after its namespace; any other IRI whole."""
    return iri.removeprefix(SH)


def text_of(term: Term) -> str:
    """The term in N-Triples."""
    if isinstance(term, RdfLiteral):
        return literal_text(term)
    return term if term.startswith("_:") else iri_text(term)


@dataclass(slots=True)
class Facts:
    """The triples of shapes files, looked up by subject or object.

    Attributes:
        prefixes: those of the files and of every ``sh:declare``.
        where: the files, for messages.
    """

    where: str
    prefixes: dict[str, str] = field(default_factory=lambda: dict(_USUAL))
    _out: dict[Term, dict[str, list[Term]]] = field(default_factory=dict)
    _in: dict[Term, list[tuple[str, str]]] = field(default_factory=dict)
    _all: set[tuple[str, str, Term]] = field(default_factory=set)
    _names: dict[str, str] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[tuple[str, str, Term]]:
        return iter(self._all)

    def add(self, subject: str, predicate: str, object_: Term) -> None:
        """Adds a triple unless it is there."""
        triple = (subject, predicate, object_)
        if triple not in self._all:
            self._all.add(triple)
            self._out.setdefault(subject, {}).setdefault(predicate, []).append(object_)
            self._in.setdefault(object_, []).append((subject, predicate))

    def values(self, subject: Term, predicate: str) -> Sequence[Term]:
        """The objects of a subject and predicate, in the order of the files."""
        return self._out.get(subject, {}).get(predicate, ())

    def sh(self, subject: Term, name: str) -> Sequence[Term]:
        """The values of a property of SHACL's vocabulary."""
        return self.values(subject, SH + name)

    def about(self, subject: Term) -> dict[str, list[Term]]:
        """All predicates of a subject with their objects."""
        return self._out.get(subject, {})

    def subjects(self, predicate: str, object_: Term | None = None) -> Iterator[str]:
        """The subjects of a predicate (and object); one may come several times."""
        if object_ is not None:
            yield from (s for s, p in self._in.get(object_, ()) if p == predicate)
            return
        for subject, row in self._out.items():
            if predicate in row and isinstance(subject, str):
                yield subject

    def has_rules(self) -> bool:
        """Whether some shape has a rule."""
        return any(True for _ in self.subjects(SH + "rule"))

    def items(self, head: Term) -> list[Term]:
        """The members of an RDF list.

        Raises:
            ValueError: it is no well-formed list.
        """
        found: list[Term] = []
        seen: set[Term] = set()
        while head != RDF + "nil":
            first, rest = self.values(head, RDF + "first"), self.values(head, RDF + "rest")
            if head in seen or len(first) != 1 or len(rest) != 1 or len(found) >= _LONGEST_LIST:
                raise ValueError("malformed list")
            seen.add(head)
            found.append(first[0])
            head = rest[0]
        return found

    def name(self, shape: str) -> str:
        """The shape's IRI; for a blank node, that of the shape that holds it, "/" and a hash of what it says."""
        if shape not in self._names:
            self._names[shape] = shape if not shape.startswith("_:") else self._hashed(shape)
        return self._names[shape]

    def _hashed(self, shape: str) -> str:
        digest = hashlib.sha256(self._said(shape, 0, {}).encode()).hexdigest()[:8]
        return f"{self._owner(shape)}/{digest}"

    def _owner(self, node: str) -> str:
        """The IRI that holds a blank node, over other blank nodes; empty when there is none."""
        way: list[str] = []
        seen = {node}
        while node.startswith("_:") and node not in self._owners:
            way.append(node)
            node = next((s for s, _ in self._in.get(node, ()) if s not in seen), "")
            seen.add(node)
        owner = self._owners.get(node, node)
        self._owners.update(dict.fromkeys(way, owner))
        return owner

    def _said(self, node: Term, depth: int, known: dict[tuple[Term, int], str]) -> str:
        """All that is said of a node, also by the blank nodes that it leads to; shortened where it is long."""
        if (node, depth) not in known:
            lines = []
            for predicate, values in self._out.get(node, {}).items():
                for value in values:
                    nested = isinstance(value, str) and value.startswith("_:") and depth < 20
                    inside = self._said(value, depth + 1, known) if nested else text_of(value)
                    lines.append(f"{depth} {predicate} {inside}")
            said = (" " if depth else "\n").join(sorted(lines))
            known[node, depth] = said if len(said) < _LONG else hashlib.sha256(said.encode()).hexdigest()
        return known[node, depth]

    def label(self, shape: str) -> str:
        """What a person calls the shape: its label or name, else the words of its IRI or path."""
        for predicate in (RDFS + "label", SH + "name"):
            for value in self.values(shape, predicate):
                if isinstance(value, RdfLiteral):
                    return value.lexical
        named = [shape, *self.sh(shape, "path")]
        known = [each for each in named if isinstance(each, str) and not each.startswith("_:")]
        return spoken_name(known[0]) if known else self.name(shape)


def read_facts(files: Sequence[Path]) -> Facts:
    """The triples of some shapes files.

    Raises:
        KnowledgeBaseError: a file cannot be read; names file and line.
    """
    facts = Facts(", ".join(map(str, files)))
    for number, path in enumerate(files):
        _read(path, number, facts)
    for declared in facts.subjects(SH + "prefix"):
        prefixes, namespaces = facts.sh(declared, "prefix"), facts.sh(declared, "namespace")
        for prefix, namespace in zip(prefixes, namespaces, strict=False):
            if isinstance(prefix, RdfLiteral):
                facts.prefixes[prefix.lexical] = namespace.lexical if isinstance(namespace, RdfLiteral) else namespace
    return facts


def _read(path: Path, number: int, facts: Facts) -> None:
    where = str(path)
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        content = content.removeprefix(b"\xef\xbb\xbf")
        syntax = _FORMATS[syntax_of(path, content[:HEAD_BYTES], where=where)]
        parser = ox.parse(content, format=syntax, base_iri=path.resolve().as_uri())
        for quad in parser:
            subject, predicate = _term(quad.subject, number), quad.predicate.value
            object_ = _term(quad.object, number)
            if isinstance(subject, str) and object_ is not None:
                facts.add(subject, predicate, object_)
        facts.prefixes.update(parser.prefixes)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise KnowledgeBaseError(str(error.msg or error), hint="mend the syntax there", where=where + line) from error
    except (OSError, EOFError, ValueError) as error:
        raise KnowledgeBaseError(f"the shapes cannot be read: {error}", where=where) from error


def _term(term: object, number: int) -> Term | None:
    """The term; None for an RDF 1.2 triple term, which SHACL does not know."""
    if isinstance(term, ox.NamedNode):
        return term.value
    if isinstance(term, ox.BlankNode):
        return f"_:f{number}{term.value}"
    if isinstance(term, ox.Literal):
        return RdfLiteral(term.value, term.datatype.value, term.language or "")
    return None
