"""The snippets of docs/gateway.md for LangChain and LlamaIndex, run with the real packages.

They need other versions of the client than this package, so they live in a virtual environment of their own, whose
Python IMPRIMATUR_FRAMEWORKS names::

    python3 -m venv frameworks && frameworks/bin/pip install langchain-openai llama-index-llms-openai-like
    IMPRIMATUR_FRAMEWORKS=frameworks/bin/python python -m pytest -m slow tests/serve/test_frameworks.py
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting

from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.testing import ScriptedServer, call, say

pytestmark = pytest.mark.slow

_PAGE = Path(__file__).parents[2] / "docs" / "gateway.md"
_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."


def _snippet(name: str, url: str) -> str:
    found = re.search(
        rf"^<!-- framework: {name} -->\n```py\n(.*?)^```$", _PAGE.read_text(encoding="utf-8"), re.M | re.S
    )
    assert found
    return found[1].replace("http://127.0.0.1:8317", url)


def _run(name: str, url: str, code: str) -> Any:
    """What some code prints as JSON, run after a snippet of the page."""
    python = os.environ.get("IMPRIMATUR_FRAMEWORKS")
    if not python:
        pytest.skip("IMPRIMATUR_FRAMEWORKS names no Python with langchain-openai and llama-index-llms-openai-like")
    whole = f"import json\n{_snippet(name, url)}\nask = 'How long is Elm Brook?'\n{code}"
    ran = subprocess.run([python, "-c", whole], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


def test_langchain(gateway: Starting) -> None:
    """ChatOpenAI shows what was licensed, plain and streamed, and that the rest was filtered; tool calls are intact."""
    with ScriptedServer([*[say(f"{_TRUE} {_FALSE}").pieces(size=4)] * 2, call("measure", brook="Elm")]) as server:
        plain, streamed, reasons, tools = _run(
            "langchain",
            gateway(server),
            """
plain = model.invoke(ask)
parts = list(model.stream(ask))
whole = sum(parts[1:], parts[0])
measure = {"type": "function", "function": {"name": "measure", "parameters": {"type": "object"}}}
called = model.bind_tools([measure]).invoke(ask)
reasons = [each.response_metadata["finish_reason"] for each in (plain, whole)]
print(json.dumps([plain.content, whole.content, reasons, [each["args"] for each in called.tool_calls]]))
""",
        )
    assert plain == streamed == f"{_TRUE} {ABSTENTION_TEXT}"
    assert reasons == ["content_filter", "content_filter"]
    assert tools == [{"brook": "Elm"}]


def test_langchain_report(gateway: Starting) -> None:
    """The class on the page keeps the report, plain and streamed; what a request says of the gateway reaches it."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE}").pieces(size=4)) as server:
        url = gateway(server)
        found = _run(
            "langchain_report",
            url,
            f"""
extra = {{"imprimatur": {{"mode": "buffer"}}}}
model = LicensedChat(base_url="{url}/v1", api_key="none", model="m", extra_body=extra)
parts = list(model.stream(ask))
found = [each.response_metadata["imprimatur"] for each in (model.invoke(ask), sum(parts[1:], parts[0]))]
print(json.dumps([[each["mode"], each["reports"][0]["report"]["decision"]] for each in found]))
""",
        )
    assert found == [["buffer", "abstained"]] * 2


def test_llama_index(gateway: Starting) -> None:
    """OpenAILike shows what was licensed, as chat and completion, plain and streamed, with the report in ``raw``."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE}").pieces(size=4)) as server:
        texts, decisions, mode = _run(
            "llama_index",
            gateway(server),
            """
from llama_index.core.llms import ChatMessage

asked = [ChatMessage(role="user", content=ask)]
chat, complete = model.chat(asked), model.complete(ask)
streams = [list(model.stream_chat(asked)), list(model.stream_complete(ask))]
texts = [chat.message.content, complete.text, *("".join(each.delta or "" for each in parts) for parts in streams)]
raws = [chat.raw, complete.raw, *(parts[-1].raw for parts in streams)]
found = [raw.model_extra["imprimatur"]["reports"][0]["report"]["decision"] for raw in raws]
model.additional_kwargs = {"extra_body": {"imprimatur": {"mode": "buffer"}}}
print(json.dumps([texts, found, model.chat(asked).raw.model_extra["imprimatur"]["mode"]]))
""",
        )
    assert texts == [f"{_TRUE} {ABSTENTION_TEXT}"] * 4
    assert decisions == ["abstained"] * 4
    assert mode == "buffer"
