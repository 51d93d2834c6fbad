"""The one table of all names that telemetry uses: spans, attributes, events, metrics.

Names of OpenTelemetry's conventions stand beside names of our own, for the conventions have none for guardrails yet;
when they do, they change here and nowhere else. docs/telemetry.md shows the table, and a test holds it to this one;
``python -m imprimatur.telemetry.names`` prints it.
"""

from __future__ import annotations

from imprimatur._dataclasses import dataclass

__all__ = ["TABLE", "Name", "table"]

_GENAI, _HTTP, _GENERAL, _OWN = "GenAI", "HTTP", "general", "own"


@dataclass(frozen=True, slots=True)
class Name:
    """A name: ``of`` is the convention that it is from, ``unit`` that of a metric."""

    name: str
    kind: str
    of: str
    meaning: str
    unit: str = ""

    def __str__(self) -> str:
        return self.name


# Spans
CHECK = Name("imprimatur.check", "span", _OWN, "one answer on its way through the five stages")
STAGE = Name(
    "imprimatur.stage.*",
    "span",
    _OWN,
    "a stage (`segment`, `extract`, `judge`, `settle`, `decide`), from its first work on the answer to its last",
)
CHAT = Name("chat *", "span", _GENAI, "the call to the model server, with the name of the model (gateway)")
REQUEST = Name("* /route", "span", _HTTP, "a request to the gateway, with its method, to the end of its reply")

# Attributes of the answer and its stages
KNOWLEDGE_BASE = Name("imprimatur.knowledge_base", "attribute", _OWN, "the name of the knowledge base")
MODE = Name("imprimatur.mode", "attribute", _OWN, "what is shown of a stream: `hold`, `buffer`, `audit`, `shadow`")
POLICY = Name("imprimatur.policy", "attribute", _OWN, "the hash of the policy")
DECISION = Name(
    "imprimatur.decision",
    "attribute",
    _OWN,
    "`licensed`, `annotated`, `corrected`, `redacted`, `abstained`; `failed` where there is no report",
)
SUMMARY = Name("imprimatur.summary", "attribute", _OWN, "the label of the whole answer")
SEGMENTS = Name("imprimatur.segments.*", "attribute", _OWN, "how many segments got a label, by label")
LABEL = Name("imprimatur.label", "attribute", _OWN, "the label of segments")
REASON = Name("imprimatur.reason", "attribute", _OWN, "a reason code")
STAGE_NAME = Name("imprimatur.stage", "attribute", _OWN, "a stage")
SECONDS = Name("imprimatur.seconds", "attribute", _OWN, "seconds of work; waiting for the answer does not count")
RUNS = Name("imprimatur.stage.runs", "attribute", _OWN, "how often the stage went to work")
INDEX = Name("imprimatur.segment.index", "attribute", _OWN, "the number of a segment, from 0")
START = Name("imprimatur.segment.start", "attribute", _OWN, "where it starts in the answer, in characters")
END = Name("imprimatur.segment.end", "attribute", _OWN, "where it ends")
TEXT = Name("imprimatur.segment.text", "attribute", _OWN, "its text; only where content is captured")

# Attributes of the conventions
OPERATION = Name("gen_ai.operation.name", "attribute", _GENAI, "`chat`")
PROVIDER = Name("gen_ai.provider.name", "attribute", _GENAI, "`openai`: the protocol that the model server speaks")
SYSTEM = Name("gen_ai.system", "attribute", _GENAI, "the same by its older name; see OTEL_SEMCONV_STABILITY_OPT_IN")
REQUEST_MODEL = Name("gen_ai.request.model", "attribute", _GENAI, "the model that was asked for")
RESPONSE_MODEL = Name("gen_ai.response.model", "attribute", _GENAI, "the model that answered")
RESPONSE_ID = Name("gen_ai.response.id", "attribute", _GENAI, "the id of the reply that was judged")
FINISH = Name("gen_ai.response.finish_reasons", "attribute", _GENAI, "why the model ended, choice by choice")
INPUT_TOKENS = Name("gen_ai.usage.input_tokens", "attribute", _GENAI, "as the model server counts them")
OUTPUT_TOKENS = Name("gen_ai.usage.output_tokens", "attribute", _GENAI, "as the model server counts them")
EVALUATION = Name("gen_ai.evaluation.name", "attribute", _GENAI, "`imprimatur.answer` or `imprimatur.segment`")
SCORE = Name(
    "gen_ai.evaluation.score.value",
    "attribute",
    _GENAI,
    "of an answer: the share of its segments with claims that are supported; of a segment: 1 or 0",
)
SCORE_LABEL = Name("gen_ai.evaluation.score.label", "attribute", _GENAI, "of an answer: the decision; else the label")
EXPLANATION = Name("gen_ai.evaluation.explanation", "attribute", _GENAI, "reason codes; captured content: details")
ERROR_TYPE = Name(
    "error.type", "attribute", _GENERAL, "the class of an error, a kind of fault, or the reason of what is `unchecked`"
)
METHOD = Name("http.request.method", "attribute", _HTTP, "the method of a request")
ROUTE = Name("http.route", "attribute", _HTTP, "the route that it went to")
STATUS = Name("http.response.status_code", "attribute", _HTTP, "the status of its reply")
SCHEME = Name("url.scheme", "attribute", _HTTP, "`http` or `https`")
SERVER_ADDRESS = Name("server.address", "attribute", _GENERAL, "the host of the model server")

# Events
RESULT = Name(
    "gen_ai.evaluation.result", "event", _GENAI, "the result for an answer, and one for each segment with claims"
)

# Metrics
ANSWERS = Name("imprimatur.answers", "counter", _OWN, "answers, by decision", "{answer}")
LABELS = Name("imprimatur.segments", "counter", _OWN, "segments, by label", "{segment}")
WITHHELD = Name("imprimatur.withheld", "counter", _OWN, "segments that are not licensed, by reason", "{segment}")
UNCHECKED = Name("imprimatur.unchecked", "counter", _OWN, "segments whose check failed, by reason", "{segment}")
CHECK_SECONDS = Name("imprimatur.check.duration", "histogram", _OWN, "seconds of work for an answer", "s")
STAGE_SECONDS = Name("imprimatur.stage.duration", "histogram", _OWN, "seconds of work of a stage for an answer", "s")
FAULTS = Name("imprimatur.upstream.faults", "counter", _OWN, "calls that the model server failed, by kind", "{call}")
MODEL_SECONDS = Name("gen_ai.client.operation.duration", "histogram", _GENAI, "seconds of a call to the model", "s")
REQUEST_SECONDS = Name(
    "http.server.request.duration", "histogram", _HTTP, "seconds of a request, to the end of its reply", "s"
)

TABLE: tuple[Name, ...] = tuple(each for each in list(globals().values()) if isinstance(each, Name))


def table() -> str:
    """The table as it stands in docs/telemetry.md."""
    rows = ["| name | what it is | from | meaning |", "|---|---|---|---|"]
    for each in TABLE:
        kind = f"{each.kind}, {each.unit}" if each.unit else each.kind
        rows.append(f"| `{each.name}` | {kind} | {each.of} | {each.meaning} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(table(), end="")
