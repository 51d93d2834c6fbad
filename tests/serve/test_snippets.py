"""The snippets of docs/gateway.md, run with the real clients.

LangChain and LlamaIndex need other versions of the client than this package, so they live in a virtual environment of
their own, whose Python IMPRIMATUR_FRAMEWORKS names; ``make test-frameworks`` makes it and runs these tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting
from stock_clients import npm_installed

from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.testing import ScriptedServer, call, say

_PAGE = Path(__file__).parents[2] / "docs" / "gateway.md"
_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."


def _snippet(pattern: str, url: str) -> str:
    """The first block of the page that a pattern finds, for a gateway at an address."""
    found = re.search(rf"{pattern}\n(.*?)^```$", _PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert found
    shown = found[1].replace("http://127.0.0.1:8317", url)
    assert url in shown or "127.0.0.1" not in found[1]
    return shown


def _framework(name: str) -> str:
    return rf"^<!-- framework: {name} -->\n```py$"


def _run(name: str, url: str, code: str) -> Any:
    """What some code prints as JSON, run after a snippet of the page."""
    python = os.environ.get("IMPRIMATUR_FRAMEWORKS")
    if not python:
        pytest.skip("IMPRIMATUR_FRAMEWORKS names no Python with langchain-openai and llama-index-llms-openai-like")
    whole = f"import json\n{_snippet(_framework(name), url)}\nask = 'How long is Elm Brook?'\n{code}"
    ran = subprocess.run([python, "-c", whole], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


def test_curl(gateway: Starting) -> None:
    """curl shows the events of a licensed stream, up to its end."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    with ScriptedServer(say(_TRUE).pieces(size=4)) as server:
        command = _snippet(r"^curl:\n\n```sh$", gateway(server))
        ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0
    assert f'"content": "{_TRUE}"' in ran.stdout.replace('":"', '": "')
    assert ran.stdout.endswith("data: [DONE]\n\n")


def test_python(gateway: Starting) -> None:
    """The client of the page gets an answer, with its report where the page says."""
    pytest.importorskip("openai", reason="the extra `models` is not installed")
    made: dict[str, Any] = {}
    with ScriptedServer(say(_TRUE)) as server:
        exec(_snippet("^```python$", gateway(server)), made)
        messages = [{"role": "user", "content": "How long is Elm Brook?"}]
        with made["client"] as client:
            reply = client.chat.completions.create(model="any", messages=messages)
    assert reply.choices[0].message.content == _TRUE
    assert reply.model_extra["imprimatur"]["reports"][0]["report"]["decision"] == "licensed"


@pytest.mark.slow
def test_javascript(gateway: Starting, tmp_path: Path) -> None:
    """The client of the page gets an answer, with its report where the page says."""
    node = npm_installed(tmp_path)
    with ScriptedServer(say(_TRUE)) as server:
        code = (
            _snippet("^```js$", gateway(server))
            + """
const messages = [{ role: "user", content: "How long is Elm Brook?" }];
const reply = await client.chat.completions.create({ model: "any", messages });
console.log(JSON.stringify([reply.choices[0].message.content, reply.imprimatur.reports[0].report.decision]));
"""
        )
        (tmp_path / "page.mjs").write_text(code, encoding="utf-8")
        ran = subprocess.run([node, "page.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert json.loads(ran.stdout) == [_TRUE, "licensed"]


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
