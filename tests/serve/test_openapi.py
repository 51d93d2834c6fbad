"""The OpenAPI document: it is valid, has every route, and real replies are as it says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from serve_fixtures import API_TOOLS, Starting, key_file

from imprimatur.serve.settings import Limits, Settings
from imprimatur.testing import ScriptedServer, fail, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")
pytest.importorskip("starlette", reason="the extra `serve` is not installed")

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."
_CHAT = {"model": "m", "messages": [{"role": "user", "content": "How long is Elm Brook?"}]}
_RESPONSE = {"model": "m", "input": "How long is Elm Brook?"}


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """The document of a gateway that asks for keys."""
    from imprimatur.serve.openapi import document

    return json.loads(json.dumps(document(keyed=True)))  # type: ignore[no-any-return]


def _validator(told: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({"components": told["components"], **schema})


def _operations(told: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in told["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _references(each)


def test_every_route_is_told(told: dict[str, Any], brooks: Path) -> None:
    """The document has the application's routes and methods, and no others."""
    from starlette.routing import Route

    from imprimatur.serve.app import make_app

    app = make_app(Settings(knowledge_bases=(("brooks", str(brooks)),)))
    served = {
        (route.path, method.lower())
        for route in app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert served == {(path, method) for path, method, _ in _operations(told)}


def test_the_document_is_sound(told: dict[str, Any]) -> None:
    """References lead somewhere, schemas are schemas, names are unique, and examples are what they stand for."""
    for reference in _references(told):
        found: Any = told
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
    for schema in told["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    names = [operation["operationId"] for _, _, operation in _operations(told)]
    assert len(names) == len(set(names))
    for _, _, operation in _operations(told):
        for kind in operation.get("requestBody", {}).get("content", {}).values():
            assert kind["examples"]
            for example in kind["examples"].values():
                _validator(told, kind["schema"]).validate(example["value"])
    for response in told["components"]["responses"].values():
        kind = response["content"]["application/json"]
        _validator(told, kind["schema"]).validate(kind["example"])


def test_keys_are_asked_for() -> None:
    """The document asks for a key where the gateway does."""
    from imprimatur.serve.openapi import document

    assert (document(keyed=True)["security"], document(keyed=False)["security"]) == ([{"key": []}], [])


@pytest.mark.slow
def test_the_specification(told: dict[str, Any], tmp_path: Path) -> None:
    """The document is OpenAPI 3.1, says the validator of the specification."""
    tool = API_TOOLS / "openapi-spec-validator"
    if not tool.is_file():
        pytest.skip("`make test-slow` installs openapi-spec-validator from requirements-api.lock")
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    found = subprocess.run([tool, "--schema", "3.1", file], capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stdout + found.stderr


class _Calls:
    """Calls a gateway and holds each reply against the document."""

    def __init__(self, url: str, told: dict[str, Any], key: str) -> None:
        self._url = url
        self._told = told
        self._key = key

    def __call__(self, path: str, body: Any = None, *, status: int = 200, kb: str = "", key: str | None = None) -> Any:
        """The reply, which has this status and is as the document says."""
        used = self._key if key is None else key
        headers = {"authorization": f"Bearer {used}"} if used else {}
        method = "get" if body is None else "post"
        url = f"{self._url}/kb/{kb}{path}" if kb else self._url + path
        response = httpx2.request(method, url, json=body, headers=headers, timeout=30)
        assert response.status_code == status, response.text
        operation = self._told["paths"]["/kb/{kb}" + path if kb else path][method]
        said = operation["responses"][str(status)]
        if "$ref" in said:
            said = self._told["components"]["responses"][said["$ref"].rsplit("/", 1)[1]]
        kind = said["content"][response.headers["content-type"].split(";")[0]]
        if "x-event-schema" in kind:
            frames = [each.removeprefix("data: ") for each in response.text.split("\n") if each.startswith("data: ")]
            assert len(frames) > 2
            for frame in frames:
                if frame != "[DONE]":
                    _validator(self._told, kind["x-event-schema"]).validate(json.loads(frame))
        elif kind["schema"] != {"type": "string"}:
            _validator(self._told, kind["schema"]).validate(response.json())
        return response


_WELL: tuple[tuple[str, Any], ...] = (
    ("/v1/chat/completions", _CHAT),
    ("/v1/chat/completions", {**_CHAT, "stream": True}),
    ("/v1/responses", _RESPONSE),
    ("/v1/responses", {**_RESPONSE, "stream": True}),
    ("/v1/models", None),
    ("/v1/check", {"answer": f"{_TRUE} {_FALSE}"}),
    ("/v1/batch", {"rows": [{"id": 1, "answer": _TRUE}, 7]}),
    ("/v1/ask", {"question": "How long is Elm Brook?", "show_context": True}),
    ("/v1/ask", {"question": "Who painted Elm Brook?"}),
    ("/beta/litellm_basic_guardrail_api", {"texts": [f"{_TRUE} {_FALSE}"], "input_type": "response"}),
    ("/beta/litellm_basic_guardrail_api", {"texts": [_FALSE], "input_type": "response"}),
)
_BADLY: tuple[tuple[str, Any, int], ...] = (
    ("/v1/check", {"answer": 7}, 400),
    ("/v1/chat/completions", {**_CHAT, "stream": "yes"}, 400),
    ("/v1/chat/completions", {**_CHAT, "imprimatur": {"memory": [{"id": "", "text": "a"}]}}, 400),
    ("/v1/chat/completions", {**_CHAT, "imprimatur": {"memory": [{"id": "1", "text": "a"}] * 2}}, 400),
    ("/v1/chat/completions", {**_CHAT, "imprimatur": {"as_of": "2026-W05-6"}}, 400),
    ("/v1/chat/completions", {**_CHAT, "imprimatur": {"context": 0}}, 400),
    ("/v1/responses", {**_RESPONSE, "imprimatur": {"policy": "annotate"}}, 403),
    ("/v1/batch", {"rows": 7}, 400),
    ("/v1/ask", {"question": "", "model": "another"}, 400),
    ("/v1/check", {"answer": "a" * 5000}, 413),
    ("/beta/litellm_basic_guardrail_api", {"texts": [], "input_type": "neither"}, 400),
)


def test_replies_are_as_told(gateway: Starting, told: dict[str, Any], tmp_path: Path) -> None:
    """Whole and streamed replies of every route match their schemas, with every refusal."""
    file, (key, blind, bound) = key_file(tmp_path, "evidence: full", "evidence: none", "knowledge_bases: [brooks]")
    with ScriptedServer(lambda _: say(f"{_TRUE} {_FALSE}")) as server:
        call = _Calls(gateway(server, keys=file, limits=Limits(bytes=4096)), told, key)
        for path in ("/healthz", "/readyz", "/openapi.json"):
            call(path, key="")
        call("/metrics")
        call("/metrics", key="", status=401)
        call("/metrics", key=bound, status=403)
        assert call("/openapi.json").json() == told
        for path, body in _WELL:
            call(path, body)
            call(path, body, kb="brooks")
            call(path, body, kb="another", status=404)
            call(path, body, status=401, key="")
        for path, body, status in _BADLY:
            call(path, body, status=status)
            call(path, body, kb="brooks", status=status)
        call("/v1/check", {"answer": _TRUE}, key=blind, status=403)
        call("/v1/ask", {"question": "How long is Elm Brook?"}, key=blind)


@pytest.mark.parametrize("status", [400, 404, 422, 429, 500])
def test_refusals_of_the_model_server_are_as_told(gateway: Starting, told: dict[str, Any], status: int) -> None:
    """What the model server refuses is told with the statuses that the document has for it."""
    with ScriptedServer(lambda _: fail(status)) as server:
        call = _Calls(gateway(server), told, "")
        for body in (_CHAT, {**_CHAT, "stream": True}):
            call("/v1/chat/completions", body, status=502 if status == 500 else status)


def test_where_no_route_is(gateway: Starting) -> None:
    """A path or a method that is not there is told as an error object."""
    url = gateway()
    for method, path, status, code in (
        ("GET", "/v1/nothing", 404, "not_found"),
        ("POST", "/kb/a/b/v1/check", 404, "not_found"),
        ("PUT", "/v1/check", 405, "not_found"),
    ):
        found = httpx2.request(method, url + path)
        assert (found.status_code, found.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("body", [b'{"answer": "a", "id": NaN}', b'{"answer": "a", "x": 1e999}'])
def test_numbers_that_cannot_be_written(gateway: Starting, body: bytes) -> None:
    """A request with a number that JSON cannot write is no JSON."""
    headers = {"content-type": "application/json"}
    assert httpx2.post(f"{gateway()}/v1/check", content=body, headers=headers).status_code == 400
