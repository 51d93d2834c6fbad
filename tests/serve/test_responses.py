"""The Responses protocol through the gateway, by the stock client."""

from __future__ import annotations

from typing import Any

import pytest
from serve_fixtures import Starting

from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.testing import ScriptedServer, call, fail, garbled, refuse, say

openai = pytest.importorskip("openai", reason="the extra `models` is not installed")

_TRUE = "Elm Brook is 12 km long."
_FALSE = "Elm Brook is 14 km long."


def _ask(url: str, **more: Any) -> Any:
    """The response, or the events of a streamed one."""
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        found = client.responses.create(model="scripted", input="How long is Elm Brook?", **more)
        return list(found) if more.get("stream") else found


def _drawn(events: Any) -> tuple[str, list[Any]]:
    found = list(events)
    assert [each.sequence_number for each in found] == list(range(len(found)))
    return "".join(each.delta for each in found if each.type == "response.output_text.delta"), found


@pytest.mark.parametrize("size", [1, 3, 0])
def test_licensed_text_is_unchanged(gateway: Starting, size: int) -> None:
    """What is licensed arrives as it was said, plain and streamed; the final response has the report."""
    text = f"{_TRUE} It flows through Bree. 🙂\n\n- Oak Brook is **30 km** long.\n"
    with ScriptedServer(say(text).pieces(size=size)) as server:
        url = gateway(server)
        reply = _ask(url)
        assert (reply.output_text, reply.status) == (text, "completed")
        assert reply.model_extra["imprimatur"]["reports"][0]["report"]["decision"] == "licensed"
        shown, events = _drawn(_ask(url, stream=True))
        assert shown == text
        assert events[-1].type == "response.completed"
        assert events[-1].response.output_text == text
        assert next(each.text for each in events if each.type == "response.output_text.done") == text


def test_a_false_sentence_never_arrives(gateway: Starting) -> None:
    """A false sentence and what follows are replaced, in every event; the response is incomplete."""
    with ScriptedServer(say(f"{_TRUE} {_FALSE} {_TRUE}").pieces(size=4)) as server:
        url = gateway(server)
        reply = _ask(url)
        assert (reply.output_text, reply.status) == (f"{_TRUE} {ABSTENTION_TEXT}", "incomplete")
        assert reply.incomplete_details.reason == "content_filter"
        shown, events = _drawn(_ask(url, stream=True))
        assert shown == f"{_TRUE} {ABSTENTION_TEXT}"
        assert not any("14" in each.model_dump_json() for each in events if not hasattr(each, "response"))
        assert events[-1].type == "response.incomplete"
        assert events[-1].response.output_text == shown
        kinds = [each.type for each in events]
        assert kinds[-4:-1] == [
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
        ]


def test_what_is_no_text_is_untouched(gateway: Starting) -> None:
    """Calls and refusals travel as they are."""
    tools: Any = [{"type": "function", "name": "measure", "parameters": {"type": "object"}}]
    with ScriptedServer(
        [call("measure", brook="Elm"), refuse("I cannot say."), call("measure", brook="Oak")]
    ) as server:
        url = gateway(server)
        reply = _ask(url, tools=tools)
        assert reply.output[0].name == "measure"
        assert reply.model_extra["imprimatur"]["not_examined"] == {"function_call": 1}
        assert _ask(url).output[0].content[0].refusal == "I cannot say."
        events = list(_ask(url, tools=tools, stream=True))
        assert events[-1].response.output[0].arguments == '{"brook": "Oak"}'


def test_a_stopped_text_does_not_stop_calls(gateway: Starting) -> None:
    """Where calls may follow, a stopped text ends, and the rest of the response goes on."""
    tools: Any = [{"type": "function", "name": "measure", "parameters": {"type": "object"}}]
    with ScriptedServer(say(f"{_FALSE} {_TRUE} More.").pieces(size=5)) as server:
        shown, events = _drawn(_ask(gateway(server), stream=True, tools=tools))
    assert shown == ABSTENTION_TEXT
    assert events[-1].type == "response.incomplete"
    assert events[-1].response.output_text == ABSTENTION_TEXT


@pytest.mark.parametrize("reply", [fail(500), garbled(), say(_TRUE).cut(3)])
@pytest.mark.parametrize("stream", [False, True])
def test_a_failing_server_licenses_nothing(gateway: Starting, reply: Any, stream: bool) -> None:
    """A fault of the model server is an error: raised, or the last event of a stream that had begun."""
    with ScriptedServer(reply) as server:
        url = gateway(server)
        if stream and reply.delivery.cut:
            shown, events = _drawn(_ask(url, stream=True))
            assert (shown, events[-1].type) == ("", "error")
            return
        with pytest.raises(openai.APIError):
            _ask(url, stream=stream)


def test_what_was_held_back_stays_so(gateway: Starting) -> None:
    """When the model server breaks off, only what was licensed by then has been shown."""
    with ScriptedServer(say(f"{_TRUE} Elm Brook is 12 km long.").cut(40)) as server:
        shown, events = _drawn(_ask(gateway(server), stream=True))
    assert (shown.strip(), events[-1].type) == (_TRUE, "error")
