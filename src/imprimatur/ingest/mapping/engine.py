"""RML run by morph-kgc, which is no dependency: it needs other versions of what Imprimatur is built on.

It runs in an interpreter of its own (``interpreter``), in an empty folder, without network, within limits of time and
memory. Its mapping and its rows are those that ``rml_reading`` wrote; what it gives is parsed strictly and looked at
fact by fact, so that nothing is a fact that the mapping could not make. Nothing that it prints is shown.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pyoxigraph as ox

from imprimatur.errors import CheckFailed, ConfigError, LimitExceeded, StoreUnavailable
from imprimatur.ingest.made_folder import checked_target
from imprimatur.ingest.mapping import engine_child
from imprimatur.ingest.mapping.facts import MOST_QUADS, Quad, Told
from imprimatur.ingest.mapping.folder import Mapped, map_quads
from imprimatur.ingest.mapping.model import Mapping as Described
from imprimatur.ingest.mapping.model import Vocabulary
from imprimatur.ingest.mapping.places import Places
from imprimatur.ingest.mapping.rml_reading import AS, read_rml
from imprimatur.ingest.mapping.rml_staging import Rml
from imprimatur.ingest.mapping.short_form import words_of
from imprimatur.ingest.mapping.terms import DATATYPES, is_iri, literal
from imprimatur.sources.graph.terms import RDF, RDFS, SKOS, XSD, RdfLiteral

__all__ = ["VARIABLE", "interpreter", "map_rml", "rml_quads"]

#: The environment variable that names a Python which has morph-kgc.
VARIABLE = "IMPRIMATUR_RML_PYTHON"
_MEMORY = 4 << 30
_SECONDS = 600
_CONFIG = """\
[CONFIGURATION]
na_values=
safe_percent_encoding=%
output_file=made.nq
output_format=N-QUADS
number_of_processes=1
logging_level=CRITICAL
[rows]
mappings=mapping.nt
"""


def interpreter(environ: Mapping[str, str]) -> str:
    """The Python that has morph-kgc: the one that ``VARIABLE`` names, or this one.

    Raises:
        ConfigError: there is none; the hint says how one is made.
    """
    named = environ.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK) or not Path(named).is_file():
            raise ConfigError(f"{VARIABLE} names no program", hint="for instance .venv-rml/bin/python")
        return os.path.abspath(named)  # it is run in another folder; links are left, for they make the environment
    if find_spec("morph_kgc") is not None:
        return sys.executable
    hint = (
        "python -m venv .venv-rml && .venv-rml/bin/pip install 'morph-kgc>=2.10,<3', then "
        f"export {VARIABLE}=$PWD/.venv-rml/bin/python; the short form in YAML needs nothing"
    )
    raise ConfigError("RML needs morph-kgc in an environment of its own", hint=hint)


def map_rml(
    path: Path,
    target: Path,
    *,
    force: bool = False,
    step: Callable[[str], None] = lambda what: None,
    environ: Mapping[str, str] | None = None,
) -> Mapped:
    """Makes ``target`` a knowledge base of an RML mapping; as ``folder.map_folder``.

    Raises:
        ConfigError: the mapping asks for what is refused, or there is no engine.
        KnowledgeBaseError: a source or the target is wrong.
        CheckFailed, LimitExceeded, StoreUnavailable: the engine failed.
    """
    known = dict(os.environ if environ is None else environ)
    rml = read_rml(path, environ=known)
    python = interpreter(known)
    step("counting")
    checked_target(target, force=force)
    told = Told()
    described = Described(where=path, sources=rml.sources, maps=(), vocabulary=tuple(_words(rml)))
    return map_quads(described, target, rml_quads(rml, python, told), told=told, step=step)


def _words(rml: Rml) -> Iterator[Vocabulary]:
    for iri in rml.classes:
        yield Vocabulary(iri=iri, kind="class", label=words_of(iri).lower())
    for iri, things in rml.properties:
        if iri not in (RDF + "type", RDFS + "label", SKOS + "altLabel", SKOS + "prefLabel"):
            yield Vocabulary(iri=iri, kind="link" if things else "value", label=words_of(iri))


def rml_quads(rml: Rml, python: str, told: Told) -> Iterator[Quad]:
    """What the engine makes of a mapping, each fact once, in the order of their text.

    Raises:
        CheckFailed: it failed, or gave what it was not asked for. LimitExceeded: it took too long or gave too much.
    """
    with tempfile.TemporaryDirectory(prefix="rml-") as name:
        folder = Path(name)
        told.rows = rml.stage(folder, Places(rml.sources))
        (folder / "mapping.nt").write_text("\n".join(rml.lines) + "\n", encoding="utf-8")
        (folder / "config.ini").write_text(_CONFIG, encoding="utf-8")
        _run(python, folder)
        made = folder / "made.nq"
        found = _read(made, rml, told) if made.is_file() else set()
    for subject, predicate, value, place in sorted(found, key=_order):
        told.quads += 1
        yield subject, predicate, value, place


def _run(python: str, folder: Path) -> None:
    """Runs the engine in a folder, and ends all that it started."""
    command = [python, "-I", "-B", engine_child.__file__, str(_MEMORY), str(_SECONDS)]
    # Nothing of this process's environment goes along: it may hold keys.
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8"}
    try:
        running = subprocess.Popen(
            command,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as fault:
        raise StoreUnavailable(f"the interpreter of morph-kgc cannot be run: {fault.strerror}", where=python) from fault
    try:
        said, _ = running.communicate(timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise LimitExceeded(f"morph-kgc took longer than {_SECONDS} s", hint="map fewer rows at once") from None
    finally:
        with suppress(OSError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    if running.returncode == 3:
        raise ConfigError(f"{python} has no morph-kgc", hint=f"{python} -m pip install 'morph-kgc>=2.10,<3'")
    if running.returncode:
        kind = said.decode("ascii", "replace").strip()
        shown = kind if kind.isidentifier() else "it was stopped"
        raise CheckFailed(f"morph-kgc could not run the mapping ({shown})", hint="is the mapping right?")


def _read(path: Path, rml: Rml, told: Told) -> set[Quad]:
    """The facts that were made, each looked at."""
    allowed = {iri for iri, _ in rml.properties} | ({RDF + "type"} if rml.classes else set())
    found: set[Quad] = set()
    try:
        for quad in ox.parse(path=path, format=ox.RdfFormat.N_QUADS):
            made = _fact(quad, allowed, told)
            if made is not None:
                found.add(made)
            if len(found) > MOST_QUADS:
                raise LimitExceeded(f"the mapping makes more than {MOST_QUADS:,} facts", where=str(rml.where))
    except (SyntaxError, ValueError, OSError) as fault:
        raise CheckFailed(f"morph-kgc gave no N-Quads: {type(fault).__name__}", where=str(rml.where)) from fault
    return found


def _fact(quad: ox.Quad, allowed: set[str], told: Told) -> Quad | None:
    """A fact with its datatype put back; None for a literal that is no value of it."""
    subject, predicate, value, place = quad
    named = isinstance(subject, ox.NamedNode) and isinstance(place, ox.NamedNode) and place.value.startswith("doc:")
    if not named or predicate.value not in allowed:
        raise CheckFailed("morph-kgc gave a fact that the mapping does not make")
    if any(isinstance(term, ox.NamedNode) and not is_iri(term.value) for term in (subject, value)):
        told.aside(place.value, predicate.value, "an IRI is too long")
        return None
    if isinstance(value, ox.NamedNode):
        return subject.value, predicate.value, value.value, place.value
    if not isinstance(value, ox.Literal):
        raise CheckFailed("morph-kgc gave a term that the mapping does not make")
    lexical, datatype = unquote(value.value, errors="strict"), value.datatype.value
    if datatype.startswith(AS):
        datatype = unquote(datatype.removeprefix(AS))
    name = datatype.removeprefix(XSD)
    if value.language or name == datatype or name not in DATATYPES:
        made: RdfLiteral | None = RdfLiteral(lexical, datatype, value.language or "")
    else:
        made = literal(lexical, name)
    if made is None:
        told.aside(place.value, predicate.value, f"{lexical[:60]!r} is no {name}")
        return None
    return subject.value, predicate.value, made, place.value


def _order(quad: Quad) -> tuple[str, str, str, str]:
    subject, predicate, value, place = quad
    written = value if isinstance(value, str) else f"{value.lexical}\0{value.datatype}\0{value.lang}"
    return place, subject, predicate, written
