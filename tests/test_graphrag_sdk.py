"""``Oracle.around`` with the real GraphRAG-SDK over a real FalkorDB, where both are here.

The SDK asks for more than it imports to answer questions (GLiNER, and PyTorch by it). So it lives without them in the
virtual environment that IMPRIMATUR_FRAMEWORKS names (``make test-frameworks`` makes it), whose packages stand behind
one's own here.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from property_server import FalkorServer, falkor_server
from small_kb import write_kb

from imprimatur.errors import StoreUnavailable
from imprimatur.graphrag import Grounded
from imprimatur.oracle import Oracle
from imprimatur.policy import ABSTENTION_TEXT

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

_TEXT = "Rosa Falk opened the Acme office in Ghent in 2021. The office has 14 employees."
_DIMENSION = 16


@pytest.fixture(scope="module")
def sdk() -> Iterator[Any]:
    """The package."""
    python = os.environ.get("IMPRIMATUR_FRAMEWORKS")
    if not python:
        pytest.skip("IMPRIMATUR_FRAMEWORKS names no Python with graphrag-sdk")
    told = subprocess.run(
        [python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True, check=True
    )
    sys.path.append(told.stdout.strip())
    yield pytest.importorskip("graphrag_sdk", reason="graphrag-sdk is not installed there")
    sys.path.remove(told.stdout.strip())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FalkorServer]:
    """A graph as the SDK makes it of one document, in one chunk."""
    with falkor_server(tmp_path_factory.mktemp("falkor")) as started:
        vector = _vector(_TEXT)
        started.write(
            "made",
            "CREATE (:Document {id: 'd', path: 'docs/acme.md'})-[:PART_OF]->"
            f"(:Chunk {{id: 'c', text: '{_TEXT}', embedding: vecf32({vector})}})",
        )
        options = f"{{dimension: {_DIMENSION}, similarityFunction: 'cosine'}}"
        started.write("made", f"CREATE VECTOR INDEX FOR (c:Chunk) ON (c.embedding) OPTIONS {options}")
        started.write("made", "CALL db.idx.fulltext.createNodeIndex('Chunk', 'text')")
        yield started


def _vector(text: str) -> list[float]:
    found = [0.0] * _DIMENSION
    for word in text.lower().replace(".", "").split():
        found[int(hashlib.md5(word.encode()).hexdigest(), 16) % _DIMENSION] += 1.0
    return found


def _rag(sdk: Any, port: int, graph: str, answer: str) -> Any:
    models, providers = import_module("graphrag_sdk.core.models"), import_module("graphrag_sdk.core.providers")

    class Writes(providers.LLMInterface):  # type: ignore[misc, name-defined]
        def invoke(self, prompt: str, **more: Any) -> Any:
            return models.LLMResponse(content=answer if "Answer:" in prompt else "Rosa Falk, Acme")

    class Embeds(providers.Embedder):  # type: ignore[misc, name-defined]
        model_name = "made"

        def embed_query(self, text: str, **more: Any) -> list[float]:
            return _vector(text)

    config = sdk.ConnectionConfig(host="127.0.0.1", port=port, graph_name=graph)
    return sdk.GraphRAG(connection=config, llm=Writes("made"), embedder=Embeds(), embedding_dimension=_DIMENSION)


def _asked(folder: Path, rag: Any, **more: Any) -> Grounded:
    oracle = Oracle.from_folder(write_kb(folder))

    async def answered() -> Grounded:
        async with rag:
            return await oracle.around(rag).completion("Who opened the Acme office in Ghent?", **more)

    return asyncio.run(answered())


def test_the_real_rag_is_gated_and_judged(sdk: Any, server: FalkorServer, tmp_path: Path) -> None:
    """A true answer is licensed by the passage that it retrieved, a false one is withheld."""
    true = "Rosa Falk opened the Acme office in Ghent in 2021."
    context = import_module("graphrag_sdk.core.context").Context(latency_budget_ms=60_000)
    found = _asked(tmp_path, _rag(sdk, server.port, "made", true), ctx=context)
    assert (found.answer, found.licensed) == (true, True)
    assert {item.metadata.get("section") for item in found.items} >= {"hint", "passages"}
    false = _asked(tmp_path, _rag(sdk, server.port, "made", true.replace("2021", "2019")))
    assert (false.answer, false.licensed) == (ABSTENTION_TEXT, False)


def test_an_absent_graph_is_an_error(sdk: Any, server: FalkorServer, tmp_path: Path) -> None:
    """The SDK makes it empty and finds nothing; here it does not read as nothing found."""
    with pytest.raises(StoreUnavailable):
        _asked(tmp_path, _rag(sdk, server.port, "absent", "Yes."))


def test_a_stopped_server_is_an_error(sdk: Any, tmp_path: Path) -> None:
    """So is a server that is not there."""
    with falkor_server(tmp_path) as started:
        port = started.port
    with pytest.raises(StoreUnavailable):
        _asked(tmp_path / "kb", _rag(sdk, port, "made", "Yes."))
