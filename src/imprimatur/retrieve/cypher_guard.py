"""Whether a Cypher query that somebody else wrote may run: read-only, bounded, by the graph's own vocabulary.

The query is read by a parser of a small subset (``cypher_parser``), which refuses everything that it does not know:
whatever writes, calls a procedure or reads a file is never understood, and so never runs. What is understood is judged
by its parts: names that the graph does not have, wrong directions, patterns that match every node or that hang together
by nothing, and columns that are not what the graph stores. All problems are told together, so that one repair may mend
them. A limit is put in, or lowered. What runs, runs in a mode in which the server refuses to write, whatever this
module has missed.
"""

from __future__ import annotations

from contextlib import suppress

from imprimatur._dataclasses import dataclass
from imprimatur.retrieve.cypher_columns import Enough
from imprimatur.retrieve.cypher_parser import parsed
from imprimatur.retrieve.cypher_scope import Walk
from imprimatur.retrieve.cypher_terms import GraphTerms
from imprimatur.retrieve.cypher_tokens import NotParsed
from imprimatur.retrieve.cypher_tree import Clause, Match, Project
from imprimatur.retrieve.query_language import Refused

__all__ = ["CheckedCypher", "check_cypher"]

_MOST_PARTS, _MOST_STEPS = 40, 12


@dataclass(frozen=True, slots=True)
class CheckedCypher:
    """A query that may run, with its bound.

    Attributes:
        columns: what each column holds, by what it reads and not by its alias: ``Person.age``,
            ``count of matched Person``.
        labels, types: what it speaks of. keys: pairs of a key and what has it, a label or type.
        values: the keys and texts that its patterns hold nodes to.
        of: what every row has besides its columns, called as these are; nothing where rows are folded, for what was
            folded may have been no row at all.
        links: which nodes are linked in every such row, as sentences: ``Person LIVES_IN Town``.
    """

    text: str
    columns: tuple[str, ...]
    labels: tuple[str, ...]
    types: tuple[str, ...]
    keys: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, str], ...]
    of: tuple[tuple[str, str], ...] = ()
    links: tuple[str, ...] = ()


def check_cypher(text: str, terms: GraphTerms, *, rows: int) -> CheckedCypher | Refused:
    """Whether a query may run over a graph with such a vocabulary, with at most so many rows."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip().removesuffix(";").rstrip()
    try:
        clauses = parsed(text)
    except NotParsed as fault:
        return Refused((str(fault),))
    problem = _too_much(clauses)
    if problem:
        return Refused((problem,))
    walk = Walk(terms)
    with suppress(Enough):
        for clause in clauses:
            walk.clause(clause)
    if walk.problems:
        return Refused(tuple(walk.problems))
    last = clauses[-1]
    assert isinstance(last, Project)
    return CheckedCypher(
        text=_bounded(text, last, rows),
        columns=tuple(walk.columns),
        labels=tuple(walk.labels),
        types=tuple(walk.types),
        keys=tuple(walk.keys),
        values=tuple(walk.values),
        of=() if walk.folds else tuple(walk.sure),
        links=() if walk.folds else tuple(walk.links),
    )


def _too_much(clauses: tuple[Clause, ...]) -> str:
    """What is wrong with the size of a query; empty when nothing is."""
    paths = [path for clause in clauses if isinstance(clause, Match) for path in clause.paths]
    if not paths:
        return "the query reads nothing of the graph: begin with MATCH"
    if sum(len(path.spots) + len(path.edges) for path in paths) > _MOST_PARTS:
        return f"the patterns have more than {_MOST_PARTS} nodes and relationships"
    if sum(edge.steps for path in paths for edge in path.edges) > _MOST_STEPS:
        return f"the patterns have more than {_MOST_STEPS} steps in all"
    return ""


def _bounded(text: str, last: Project, rows: int) -> str:
    """The query with a limit of at most so many rows; what returns ends it."""
    if last.limit is None:
        return f"{text} LIMIT {rows}"
    start, end = last.limit
    return f"{text[:start]}{min(int(text[start:end]), rows)}{text[end:]}"
