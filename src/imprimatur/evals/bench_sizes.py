"""One claim on graphs of growing size: time of the check, its growth, load and memory, and the paper's way beside it.

Contract: gives tables and asserts nothing about time. Every size is measured in processes of its own, so that memory
is that of one graph: one process reads the files cold, others open the compiled cache, another fills a pyoxigraph
store with the same file. The check of a claim is membership (``Entailment.entails``) and constraints
(``Shapes.judge``), for claims of which half are true and a fifth break a shape; both are also timed alone. The baseline
is the paper's way: rdflib, and pySHACL over the whole graph with the claim added. Times of single calls include the
clock's own (about 0.1 µs).
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur.cli.terminal import aligned
from imprimatur.errors import CheckFailed, ImprimaturError
from imprimatur.evals.generate import PAPER_TRIPLES, MadeClaim, MadeFolder, claims, write_folder
from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.shapes import Shapes
from imprimatur.sources.graph.store import Graph, GraphFile

if TYPE_CHECKING:
    import rdflib

__all__ = ["LARGE", "SIZES", "TASKS", "Figures", "main", "measure", "report", "tables"]

SIZES = (PAPER_TRIPLES, 10 * PAPER_TRIPLES)
LARGE = 100 * PAPER_TRIPLES
#: What one process found: names of measurements to numbers. It crosses a pipe as JSON.
Figures = dict[str, float]
_CLAIMS = 4000
_SLOW_S = 20.0
#: A cache file is trusted without a full check some seconds after it was written, so the first times differ.
_WARM_TIMES = 5
#: How many rivers pySHACL is given where the whole graph would take it minutes.
_SAMPLED = 200


def _memory() -> Figures:
    """Resident memory of this process in MiB, now and at its highest (0 where the system does not tell)."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return {"resident": 0.0, "peak": 0.0}
    told = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.endswith("kB")}
    return {"resident": told["VmRSS"], "peak": told["VmHWM"]}


def _spread(name: str, seconds: Sequence[float]) -> Figures:
    ordered = sorted(seconds)
    return {f"{name} p50": statistics.median(ordered), f"{name} p99": ordered[int(len(ordered) * 0.99)]}


def _timed(name: str, work: Callable[..., object], items: Sequence[tuple[Any, ...]]) -> Figures:
    """Median and 99th percentile of one call; stops after ``_SLOW_S`` seconds and counts what failed."""
    clock, times, failed = time.perf_counter, list[float](), 0
    stop = clock() + _SLOW_S
    for item in items:
        start = clock()
        try:
            work(*item)
        except ImprimaturError:
            failed += 1
        end = clock()
        times.append(end - start)
        if end > stop:
            break
    return {**_spread(name, times), f"{name} calls": len(times), f"{name} failed": failed}


def _graph(made: MadeFolder, cache: Path) -> Graph:
    files = [GraphFile(made.data), GraphFile(made.ontology, "ontology")]
    return Graph.load(files, cache_dir=cache)


def load(made: MadeFolder, cache: Path) -> Figures:
    """Opening the graph and its vocabulary; cold where the cache is empty."""
    before, start = _memory(), time.perf_counter()
    graph = _graph(made, cache)
    loaded = time.perf_counter()
    Entailment(graph, Schema.of(graph))
    now = time.perf_counter()
    grown = {name: size - before["resident"] for name, size in _memory().items()}
    return {"load": loaded - start, "vocabulary": now - loaded, "triples": len(graph), **grown}


def look(made: MadeFolder, cache: Path) -> Figures:
    """Look-ups and membership, and the same look-up in a Python ``set`` of this graph's triples."""
    graph = _graph(made, cache)
    entailment = Entailment(graph, Schema.of(graph))
    asked = [_numbered(graph, claim) for claim in claims(graph, _CLAIMS)]
    known = [triple for triple in asked if triple is not None]
    # Of what is pointed at, only rivers: finding all rivers of a country takes as long as there are rivers.
    between = {graph.id(f"https://imprimatur.dev/bench#{name}") for name in ("flowsInto", "hasTributary")}
    found = {
        **_timed("has", graph.has, known),
        **_timed("objects", graph.objects, [triple[:2] for triple in known]),
        **_timed("subjects", graph.subjects, [triple[1:] for triple in known if triple[1] in between]),
        **_timed("entails", entailment.entails, [(s, graph.iri(p), o) for s, p, o in known]),
    }
    if len(graph) < 1_000_000:
        everything = set(graph.triples())
        found |= _timed("set", lambda s, p, o: (s, p, o) in everything, known)
    return found | {f"after {name}": size for name, size in _memory().items()}


def check(made: MadeFolder, cache: Path) -> Figures:
    """The whole check of a claim, with both kinds of shapes: given as text, and by the graph's identifiers."""
    graph = _graph(made, cache)
    entailment = Entailment(graph, Schema.of(graph))
    found: Figures = {}
    for name, path in (("core", made.shapes_core), ("sparql", made.shapes_sparql)):
        shapes = Shapes.load(graph, [path])
        made_claims = claims(graph, _CLAIMS, seed=1)
        for claim in made_claims[:5]:
            shapes.judge([(claim.subject, claim.predicate, claim.object)])
        asked = [(claim, _numbered(graph, claim)) for claim in made_claims]

        def both(claim: MadeClaim, triple: tuple[int, int, int] | None, shapes: Shapes = shapes) -> None:
            if triple is not None:
                entailment.entails(triple[0], graph.iri(triple[1]), triple[2])
            shapes.judge([(claim.subject, claim.predicate, claim.object)])

        def numbered(subject: int, predicate: int, object_: int, shapes: Shapes = shapes) -> None:
            entailment.entails(subject, graph.iri(predicate), object_)
            shapes.judge([(subject, predicate, object_)])

        found |= _timed(f"check {name}", both, asked)
        others = [_numbered(graph, claim) for claim in claims(graph, _CLAIMS, seed=2)]
        found |= _timed(f"check {name} by id", numbered, [triple for triple in others if triple is not None])
    return found


def _numbered(graph: Graph, claim: MadeClaim) -> tuple[int, int, int] | None:
    """The claim's terms as identifiers; None when the graph lacks one (then it holds no such triple)."""
    subject, predicate = graph.id(claim.subject[1:-1]), graph.id(claim.predicate[1:-1])
    object_ = graph.id(claim.object[1:-1]) if claim.object.startswith("<") else _literal(graph, claim.object)
    return None if subject is None or predicate is None or object_ is None else (subject, predicate, object_)


def _literal(graph: Graph, text: str) -> int | None:
    from imprimatur.sources.graph.terms import RdfLiteral

    lexical, _, datatype = text[1:].partition('"^^')
    return graph.literal_id(RdfLiteral(lexical, datatype[1:-1]))


def oxigraph(made: MadeFolder, cache: Path) -> Figures:
    """pyoxigraph's bulk load of the same file into memory."""
    import pyoxigraph

    before, start = _memory(), time.perf_counter()
    store = pyoxigraph.Store()
    store.bulk_load(path=made.data, format=pyoxigraph.RdfFormat.N_TRIPLES)
    seconds = time.perf_counter() - start
    return {"load": seconds, **{name: size - before["resident"] for name, size in _memory().items()}}


def paper(made: MadeFolder, cache: Path, *, whole: bool = False) -> Figures:
    """The paper's way, one claim: rdflib and pySHACL over the graph with the claim added.

    With ``sh:sparql`` pySHACL parses every query anew at every node, which takes minutes: unless ``whole`` it is given
    few and then more rivers, and the time for all of them is told from the difference.
    """
    import rdflib

    graph = rdflib.Graph().parse(made.data, format="nt")
    rivers = sorted(map(str, graph.subjects(rdflib.RDF.type, rdflib.URIRef("https://imprimatur.dev/bench#River"))))
    some, few = rivers[:_SAMPLED], rivers[: _SAMPLED // 5]
    found: Figures = {"rivers": len(rivers), "sampled": len(rivers) if whole else len(some)}
    found["core"] = _validated(graph, made.shapes_core, rivers[0])
    if whole or len(some) == len(rivers):
        found["sparql"] = _validated(graph, made.shapes_sparql, rivers[0])
    else:
        least, more = (_validated(graph, made.shapes_sparql, rivers[0], foci=foci) for foci in (few, some))
        found["sparql"] = least + (more - least) / (len(some) - len(few)) * (len(rivers) - len(few))
    return found


def _validated(graph: rdflib.Graph, shapes: Path, river: str, *, foci: Sequence[str] | None = None) -> float:
    """Seconds that pySHACL takes for the graph with a river of negative length (at some nodes only, where given)."""
    import pyshacl
    import rdflib

    constraints = rdflib.Graph().parse(shapes)
    length = rdflib.URIRef("https://imprimatur.dev/bench#length")
    triple = (rdflib.URIRef(river), length, rdflib.Literal("-5.0", datatype=rdflib.XSD.double))
    start = time.perf_counter()
    graph.add(triple)
    conforms, _, _ = pyshacl.validate(graph, shacl_graph=constraints, focus_nodes=list(foci) if foci else None)
    graph.remove(triple)
    seconds = time.perf_counter() - start
    if conforms:
        raise CheckFailed("pySHACL passed a river of negative length", hint="the comparison would mean nothing")
    return seconds


def paper_whole(made: MadeFolder, cache: Path) -> Figures:
    """``paper`` on the whole graph throughout."""
    return paper(made, cache, whole=True)


TASKS: Mapping[str, Callable[[MadeFolder, Path], Figures]] = {
    "load": load,
    "look": look,
    "check": check,
    "oxigraph": oxigraph,
    "paper": paper,
    "paper-whole": paper_whole,
}


def measure(task: str, folder: Path, *, size: int) -> Figures:
    """The figures of one task in a process of its own; the files are written before where they are missing."""
    write_folder(folder, size)
    program = [sys.executable, "-m", "imprimatur.evals.bench_sizes", task, str(folder), str(size)]
    ran = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True)
    found: Figures = json.loads(ran.stdout)
    return found


def _size(folder: Path, size: int) -> Figures:
    """All figures of one size, each under the name of its task; what an earlier run compiled is removed first."""
    write_folder(folder, size)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    found = {f"oxigraph {name}": value for name, value in measure("oxigraph", folder, size=size).items()}
    found |= {f"cold {name}": value for name, value in measure("load", folder, size=size).items()}
    warm = [measure("load", folder, size=size) for _ in range(_WARM_TIMES)]
    found |= {f"warm {name}": statistics.median(each[name] for each in warm) for name in warm[0]}
    return found | measure("look", folder, size=size) | measure("check", folder, size=size)


def tables(by_size: Mapping[int, Figures], base: Figures) -> str:
    """The figures as text: loading, look-ups and checks by size, and ratios to the paper's way (``base``)."""
    sizes = list(by_size)
    first = by_size[sizes[0]]
    loads = [
        [f"{size:,}", *(_told(found, name) for name in _LOADS), *(_ratio(found, *pair) for pair in _LOAD_RATIOS)]
        for size, found in by_size.items()
    ]
    calls = [
        _call_row(name, found, size=size, first=first)
        for name in _CALLS
        for size, found in by_size.items()
        if f"{name} p50" in found
    ]
    paper_rows = [_paper_row(name, first, base) for name in ("core", "sparql") if name in base]
    return "\n\n".join(
        (
            aligned(["triples", *_LOADS.values(), *(title for _, title in _TITLED)], loads),
            aligned(["call", "triples", "p50", "p99", "growth", "against a set", "failed"], calls),
            aligned(["one claim against pySHACL", "imprimatur", "the paper's way", "faster", "note"], paper_rows),
        )
    )


_LOADS = {
    "cold load": "cold",
    "warm load": "warm",
    "warm vocabulary": "vocabulary",
    "oxigraph load": "pyoxigraph",
    "cold peak": "MiB, cold peak",
    "warm resident": "MiB, warm",
    "oxigraph resident": "MiB, pyoxigraph",
}
_TITLED = (
    (("cold load", "oxigraph load"), "cold"),
    (("warm load", "oxigraph load"), "warm"),
    (("cold peak", "oxigraph resident"), "memory, cold"),
    (("warm resident", "oxigraph resident"), "memory, warm"),
)
_LOAD_RATIOS = tuple(pair for pair, _ in _TITLED)
_CALLS = (
    "set",
    "has",
    "objects",
    "subjects",
    "entails",
    *(f"check {k}{by}" for k in ("core", "sparql") for by in ("", " by id")),
)


def _told(found: Figures, name: str) -> str:
    value = found[name]
    if "load" in name or "vocabulary" in name:
        return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"
    return f"{value:.0f}"


def _micro(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs"


def _ratio(found: Figures, ours: str, theirs: str) -> str:
    return f"{found[ours] / found[theirs]:.3g} x" if found[theirs] > 0 else "-"


def _call_row(name: str, found: Figures, *, size: int, first: Figures) -> list[str]:
    """One call at one size: its times, how they grew from the smallest size, and against a ``set`` of that size."""
    p50, p99 = found[f"{name} p50"], found[f"{name} p99"]
    against = [first.get(f"{name} p50", 0.0), first.get("set p50", 0.0)]
    ratios = [f"{p50 / other:.3g} x" if other else "-" for other in against]
    failed = f"{found[f'{name} failed']:.0f} of {found[f'{name} calls']:.0f}"
    return [name, f"{size:,}", _micro(p50), _micro(p99), *ratios, failed]


def _paper_row(name: str, first: Figures, base: Figures) -> list[str]:
    ours, theirs = first[f"check {name} p50"], base[name]
    scaled = name == "sparql" and base["sampled"] < base["rivers"]
    note = f"told from {base['sampled']:.0f} of {base['rivers']:.0f} rivers" if scaled else "the whole graph, one run"
    return [f"shapes in {name}", _micro(ours), f"{theirs:.3g} s", f"{theirs / ours:,.0f} x", note]


def report(sizes: Sequence[int], *, folder: Path | None = None, whole: bool = False) -> str:
    """Measures every size, the first also in the paper's way, and gives the tables.

    Args:
        folder: where the files are made and kept; None for one that is removed afterwards.
        whole: give pySHACL the whole graph with ``sh:sparql`` too, which takes it many minutes.
    """
    with tempfile.TemporaryDirectory() as passing:
        place = folder or Path(passing)
        base = measure("paper-whole" if whole else "paper", place, size=sizes[0])
        return tables({size: _size(place, size) for size in sizes}, base)


def main(args: Sequence[str] | None = None) -> int:
    """Prints what one task measures, as JSON: each runs in a process of its own."""
    parser = argparse.ArgumentParser(
        prog="python -m imprimatur.evals.bench_sizes", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("task", choices=sorted(TASKS))
    parser.add_argument("folder", type=Path, help="where the files are, or are made")
    parser.add_argument("size", type=int, help="how many triples")
    given = parser.parse_args(args)
    print(json.dumps(TASKS[given.task](write_folder(given.folder, given.size), given.folder / "cache")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
