"""Runs as tracing tools, RAG evaluations and web toolkits keep them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from affidavit import RunTrace, load_run, read_run
from affidavit.errors import TraceError
from affidavit.formats.exports import runs_in
from affidavit.trace import TextPart, ToolCallPart, ToolResultPart

QUESTION, ANSWER = "What does the repair RJ-3107 cost?", "The repair costs $62.50."
GIVEN = {"ticket": "RJ-3107"}
FOUND = {"ticket": "RJ-3107", "price": "62.50"}

ASK = {"role": "user", "content": QUESTION}
CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "get_repair", "arguments": json.dumps(GIVEN)},
}
CHAT = [
    ASK,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": json.dumps(FOUND)},
]
TOLD = {"role": "assistant", "content": ANSWER}


def lc(kind: str, **kwargs: Any) -> dict[str, Any]:
    """A message as LangChain serialises it."""
    path = ["langchain", "schema", "messages", kind]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": kwargs}


LC_CALL = {"name": "get_repair", "args": GIVEN, "id": "c1", "type": "tool_call"}
LC_CHAT = [
    lc("HumanMessage", content=QUESTION, type="human"),
    lc("AIMessage", content="", tool_calls=[LC_CALL], type="ai"),
    lc("ToolMessage", content=json.dumps(FOUND), tool_call_id="c1", type="tool"),
]
PLAIN_LC = [
    {"type": "human", "content": QUESTION},
    {"type": "ai", "content": "", "tool_calls": [LC_CALL]},
    {"type": "tool", "content": json.dumps(FOUND), "tool_call_id": "c1"},
    {"type": "ai", "content": ANSWER},
]


def openinference() -> dict[str, Any]:
    """The last model call of a trace, in attributes with dots."""
    at: dict[str, Any] = {"openinference.span.kind": "LLM", "llm.model_name": "m-1"}
    for n, message in enumerate(CHAT):
        head = f"llm.input_messages.{n}.message"
        at[f"{head}.role"] = message["role"]
        if message["content"]:
            at[f"{head}.content"] = message["content"]
    call = "llm.input_messages.1.message.tool_calls.0.tool_call"
    at |= {
        f"{call}.id": "c1",
        f"{call}.function.name": "get_repair",
        f"{call}.function.arguments": json.dumps(GIVEN),
    }
    at |= {"llm.input_messages.2.message.tool_call_id": "c1"}
    head = "llm.output_messages.0.message"
    return at | {f"{head}.role": "assistant", f"{head}.content": ANSWER}


def span(
    n: int, attributes: dict[str, Any], parent: str | None = "s0", **fields: Any
) -> dict[str, Any]:
    return {
        "name": f"step {n}", "context": {"trace_id": "t1", "span_id": f"s{n}"}, "parent_id": parent,
        "start_time": f"2026-11-23T10:00:0{n}+00:00", "end_time": f"2026-11-23T10:00:1{n}+00:00",
        "attributes": attributes, **fields,
    }  # fmt: skip


def said(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


GENAI = {
    "gen_ai.input.messages": json.dumps([said("user", {"type": "text", "content": QUESTION})]),
    "gen_ai.output.messages": json.dumps([said("assistant", {"type": "text", "content": ANSWER})]),
    "gen_ai.agent.version": "v7",
}
GENAI_TOOL = {
    "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_repair", "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.call.arguments": json.dumps(GIVEN), "gen_ai.tool.call.result": json.dumps(FOUND),
}  # fmt: skip
OI_TOOL = {
    "openinference.span.kind": "TOOL", "tool.name": "get_repair", "input.value": json.dumps(GIVEN),
    "output.value": json.dumps(FOUND),
}  # fmt: skip
OI_ROOT = {"openinference.span.kind": "CHAIN", "input.value": QUESTION, "output.value": ANSWER}


def generation(**fields: Any) -> dict[str, Any]:
    return {
        "id": "g1",
        "type": "GENERATION",
        "traceId": "t1",
        "projectId": "p",
        "startTime": "2026-11-23T10:00:03Z",
        **fields,
    }


def langsmith(
    kind: str, inputs: Any, outputs: Any, *children: Any, **fields: Any
) -> dict[str, Any]:
    told = {"id": kind, "name": kind, "run_type": kind, "inputs": inputs, "outputs": outputs}
    return told | {"child_runs": list(children), "start_time": "2026-11-23T10:00:00"} | fields


TOOL_RUN = langsmith("tool", GIVEN, {"output": json.dumps(FOUND)}, name="get_repair")
SPAN_TOOL = {
    "id": "c1", "type": "SPAN", "name": "get_repair", "parentObservationId": "g0", "input": GIVEN,
    "output": FOUND, "startTime": "2026-11-23T10:00:02Z",
}  # fmt: skip

RUNS: dict[str, dict[str, Any]] = {
    "Phoenix, the last model call knows all": {"spans": [span(0, OI_ROOT, None), span(1, openinference())]},
    "Phoenix, a tool span": {"spans": [span(0, OI_ROOT, None), span(1, OI_TOOL)]},
    "OpenTelemetry, a tool span": {"spans": [span(0, {"a": 1}, None), span(1, GENAI_TOOL), span(2, GENAI)]},
    "Langfuse, one generation": generation(input=CHAT, output=TOLD),
    "Langfuse, input as JSON and a text": generation(input=json.dumps({"messages": CHAT}), output=ANSWER),
    "Langfuse, a trace": {
        "id": "t1", "name": "shop", "input": QUESTION, "output": ANSWER, "release": "v7",
        "observations": [generation(input=CHAT, output=TOLD)],
    },
    "Langfuse, a trace of spans": {
        "id": "t1", "input": {"question": QUESTION}, "output": {"answer": ANSWER}, "observations": [SPAN_TOOL],
    },
    "LangSmith, a graph's state": langsmith("chain", {"messages": PLAIN_LC[:1]}, {"messages": PLAIN_LC}),
    "LangSmith, a model's run": langsmith(
        "chain", {"input": QUESTION}, {"output": ANSWER},
        langsmith("llm", {"messages": [LC_CHAT]}, {"generations": [[{"text": ANSWER, "message": lc("AIMessage", content=ANSWER)}]]}),
    ),
    "LangSmith, a tool's run": langsmith("chain", {"question": QUESTION}, {"answer": ANSWER}, TOOL_RUN),
    "Vercel, what the model is sent": {
        "messages": [
            ASK,
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "get_repair", "input": GIVEN}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "toolName": "get_repair", "output": {"type": "json", "value": FOUND}}]},
            {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
        ]
    },
    "Vercel, what a page shows": {
        "id": "chat", "messages": [
            {"id": "1", "role": "user", "parts": [{"type": "text", "text": QUESTION}]},
            {"id": "2", "role": "assistant", "parts": [
                {"type": "step-start"},
                {"type": "tool-get_repair", "toolCallId": "c1", "state": "output-available", "input": GIVEN, "output": FOUND},
                {"type": "text", "text": ANSWER},
            ]},
        ],
    },
    "Vercel, as version 4 had it": {
        "messages": [
            {"role": "user", "content": QUESTION, "parts": [{"type": "text", "text": QUESTION}]},
            {"role": "assistant", "parts": [
                {"type": "tool-invocation", "toolInvocation": {"state": "result", "toolCallId": "c1", "toolName": "get_repair", "args": GIVEN, "result": FOUND}},
                {"type": "text", "text": ANSWER},
            ]},
        ]
    },
}  # fmt: skip


def parts(trace: RunTrace, kind: type[Any]) -> list[Any]:
    return [part for message in trace.messages for part in message.parts if isinstance(part, kind)]


@pytest.mark.parametrize("doc", RUNS.values(), ids=RUNS)
def test_a_run_with_a_tool_reads_to_question_call_result_and_answer(doc: dict[str, Any]) -> None:
    before = json.dumps(doc)
    trace = read_run(doc)
    assert json.dumps(doc) == before
    assert trace.answer == ANSWER
    assert trace.question == QUESTION
    (call,), (result,) = parts(trace, ToolCallPart), parts(trace, ToolResultPart)
    assert (call.name, call.arguments, call.id) == ("get_repair", GIVEN, result.id)
    assert "62.50" in json.dumps(result.model_dump(mode="json"))
    assert not result.is_error
    assert parts(trace, TextPart) == [TextPart(text=QUESTION)]


RECORDS: dict[str, dict[str, Any]] = {
    "Ragas": {"question": QUESTION, "contexts": ["Repair RJ-3107: $62.50."], "answer": ANSWER, "ground_truth": "x"},
    "Ragas, newer": {"user_input": QUESTION, "retrieved_contexts": ["Repair RJ-3107: $62.50."], "response": ANSWER},
    "DeepEval": {"input": QUESTION, "actual_output": ANSWER, "retrieval_context": ["Repair RJ-3107: $62.50."]},
    "one context as text": {"query": QUESTION, "context": "Repair RJ-3107: $62.50.", "response": ANSWER},
    "documents": {"question": QUESTION, "documents": [{"page_content": "Repair RJ-3107: $62.50.", "metadata": {"title": "T"}}], "answer": ANSWER},
    "several turns": {"user_input": [{"type": "human", "content": QUESTION}], "retrieved_contexts": ["Repair RJ-3107: $62.50."], "response": ANSWER},
}  # fmt: skip


@pytest.mark.parametrize("doc", RECORDS.values(), ids=RECORDS)
def test_a_rag_record_is_a_question_a_retrieval_and_an_answer(doc: dict[str, Any]) -> None:
    trace = read_run(doc)
    assert (trace.answer, trace.question) == (ANSWER, QUESTION)
    (call,), (result,) = parts(trace, ToolCallPart), parts(trace, ToolResultPart)
    assert (call.name, call.arguments) == ("retrieve", {"query": QUESTION})
    assert "62.50" in json.dumps(result.model_dump(mode="json"))


def test_a_tool_that_failed_is_an_error() -> None:
    failed = span(1, OI_TOOL, status={"status_code": "ERROR"})
    trace = read_run({"spans": [span(0, OI_ROOT, None), failed]})
    assert parts(trace, ToolResultPart)[0].is_error


def test_what_an_agent_s_own_span_gave_is_no_evidence_of_its_answer() -> None:
    inner = {
        "id": "s2",
        "type": "SPAN",
        "name": "write",
        "parentObservationId": "s1",
        "input": "x",
        "output": {"answer": ANSWER},
    }
    outer = {
        "id": "s1",
        "type": "SPAN",
        "name": "agent",
        "parentObservationId": "s0",
        "input": "x",
        "output": "It is done: " + ANSWER,
    }
    doc = {
        "id": "t",
        "input": QUESTION,
        "output": ANSWER,
        "observations": [outer, inner, SPAN_TOOL],
    }
    (result,) = parts(read_run(doc), ToolResultPart)
    assert ANSWER not in json.dumps(result.model_dump(mode="json"))


def test_what_a_tracer_of_langchain_records() -> None:
    """As LangChain's own tracer writes it: model calls were given text, tools returned messages."""
    pytest.importorskip("langchain_core")
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.load import dumps
    from langchain_core.messages import AIMessage
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool
    from langchain_core.tracers.base import BaseTracer

    runs: list[Any] = []

    class Tracer(BaseTracer):
        def _persist_run(self, run: Any) -> None:
            runs.append(run)

    @tool
    def get_repair(ticket: str) -> dict[str, str]:
        """Look a repair up."""
        return FOUND

    call = {"name": "get_repair", "args": GIVEN, "id": "c1"}
    model = GenericFakeChatModel(
        messages=iter([AIMessage("", tool_calls=[call]), AIMessage(ANSWER)])
    )

    def agent(given: dict[str, str], config: Any) -> dict[str, Any]:
        asked = model.invoke(given["question"], config)
        get_repair.invoke({**asked.tool_calls[0], "type": "tool_call"}, config)
        return {"answer": model.invoke("go on", config).content}

    def dumped(run: Any) -> dict[str, Any]:
        told = {
            name: getattr(run, name)
            for name in ("id", "name", "run_type", "inputs", "outputs", "extra", "error")
        }
        return told | {
            "id": str(run.id),
            "start_time": run.start_time.isoformat(),
            "child_runs": list(map(dumped, run.child_runs)),
        }

    RunnableLambda(agent).invoke({"question": QUESTION}, {"callbacks": [Tracer()]})
    trace = read_run(json.loads(dumps(dumped(runs[-1]))))
    assert (trace.question, trace.answer, trace.metadata["format"]) == (
        QUESTION,
        ANSWER,
        "langsmith",
    )
    (result,) = parts(trace, ToolResultPart)
    assert json.loads(result.content[0].text) == FOUND


def test_what_a_trace_says_of_itself_is_kept() -> None:
    trace = read_run(RUNS["OpenTelemetry, a tool span"])
    assert trace.run_id in ("s2", "t1")
    assert trace.metadata["gen_ai.agent.version"] == "v7"
    assert read_run(RUNS["Langfuse, a trace"]).metadata["release"] == "v7"


def test_an_export_of_several_traces() -> None:
    def one(trace: str) -> dict[str, Any]:
        return {
            "traceId": trace, "spanId": trace + "1", "name": "chat", "startTimeUnixNano": "1",
            "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in GENAI.items()],
        }  # fmt: skip

    doc = {"resourceSpans": [{"scopeSpans": [{"spans": [one("a"), one("b")]}]}]}
    assert [read_run(run).answer for run in runs_in(doc)] == [ANSWER, ANSWER]
    assert len(list(runs_in({"data": [RUNS["Langfuse, a trace"]] * 3, "meta": {"page": 1}}))) == 3


@pytest.mark.parametrize(
    ("doc", "told"),
    [
        ({"question": "?", "contexts": []}, "nearest is rag_record: no answer: one of 'answer'"),
        ({"run_type": "chain", "inputs": {}}, "nearest is langsmith: no 'outputs'"),
        ({"spans": []}, "nearest is spans: no 'spans' with trace_id"),
        ({"contents": 7}, "nearest is google_genai: no list 'contents'"),
        ({"colour": "red"}, "it has colour; formats that are read: affidavit_trace"),
    ],
)
def test_an_unknown_record_is_told_what_is_missing(doc: dict[str, Any], told: str) -> None:
    with pytest.raises(TraceError, match="not a run of a known format") as error:
        read_run(doc)
    assert told in str(error.value)


def test_a_report_is_no_run(tmp_path: Any) -> None:
    from affidavit.testing import claim_verdict, report_of

    file = tmp_path / "report.json"
    file.write_text(report_of(claim_verdict()).model_dump_json(), encoding="utf-8")
    with pytest.raises(TraceError, match="this is a report, not a run"):
        load_run(file)
