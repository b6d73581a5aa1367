"""One run, written in every format: it must read to the same messages whichever it came in."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from affidavit.formats import iter_runs, load_run, read_run
from affidavit.trace import Message, ReasoningPart, RunTrace, TextPart, ToolCallPart, ToolResultPart

FILES = sorted((Path(__file__).parent / "same_run").glob("*.json"))
NO_ERROR_FLAG = {"openai_responses"}  # the format has no place for it
ORDER: dict[str, JsonValue] = {"order_id": "BL-204518"}
PRICE: dict[str, JsonValue] = {"sku": "STOVE-1"}


def expected(*, flagged: bool = True) -> list[Message]:
    def said(role: str, *parts: object) -> Message:
        return Message.model_validate({"role": role, "parts": parts})

    def answered(call: str, text: str, *, is_error: bool = False) -> Message:
        content = (TextPart(text=text),)
        return said("tool", ToolResultPart(id=call, content=content, is_error=is_error))

    return [
        said("system", TextPart(text="You are the support assistant of Birchline Outdoor.")),
        said("user", TextPart(text="Where is order BL-204518, and what does the stove cost?")),
        said(
            "assistant",
            TextPart(text="I'll look both up."),
            ToolCallPart(id="c1", name="get_order", arguments=ORDER),
            ToolCallPart(id="c2", name="get_price", arguments=PRICE),
        ),
        answered("c1", '{"id": "BL-204518", "status": "shipped"}'),
        answered("c2", "Error: catalogue is down", is_error=flagged),
        said("user", TextPart(text="Try the stove again, please.")),
        said(
            "assistant",
            ReasoningPart(text="The catalogue may be up now."),
            ToolCallPart(id="c3", name="get_price", arguments=PRICE),
        ),
        answered("c3", "Trail stove, $49.00"),
    ]


def without_raw_arguments(trace: RunTrace) -> list[Message]:
    """Some formats carry arguments as text and keep it beside the decoded value."""
    return [
        message.model_copy(
            update={
                "parts": tuple(
                    part.model_copy(update={"arguments_text": None})
                    if isinstance(part, ToolCallPart)
                    else part
                    for part in message.parts
                )
            }
        )
        for message in trace.messages
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reads_the_same(path: Path) -> None:
    trace = load_run(path)
    assert without_raw_arguments(trace) == expected(flagged=path.stem not in NO_ERROR_FLAG)
    assert trace.answer == "Order BL-204518 has shipped. The trail stove costs $49.00."
    assert trace.run_id == "stove"
    assert trace.model in ("claude-test", "gpt-test")
    assert trace.tools is not None
    assert [tool.name for tool in trace.tools] == ["get_order", "get_price"]
    assert trace.tools[0].description == "Look up an order."
    assert trace.tools[0].input_schema is not None
    assert trace.tools[0].input_schema["required"] == ["order_id"]
    assert trace.unknown_parts() == 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_own_form_survives(path: Path) -> None:
    trace = load_run(path)
    again = read_run(json.loads(trace.model_dump_json()))
    assert again.messages == trace.messages
    assert (again.run_id, again.answer, again.tools) == (trace.run_id, trace.answer, trace.tools)


@pytest.mark.spec("AFF-109")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_input_is_neither_changed_nor_kept(path: Path) -> None:
    data = json.loads(path.read_text())
    before = copy.deepcopy(data)
    trace = read_run(data)
    assert data == before
    dump = trace.model_dump_json()
    _spoil(data)
    assert trace.model_dump_json() == dump


def _spoil(value: object) -> None:
    if isinstance(value, dict):
        for child in value.values():
            _spoil(child)
        value["spoilt"] = True
    elif isinstance(value, list):
        for child in value:
            _spoil(child)
        value.append("spoilt")


@pytest.mark.parametrize("packed", [False, True])
def test_json_lines(tmp_path: Path, *, packed: bool) -> None:
    lines = [json.dumps(json.loads(path.read_text())) for path in FILES]
    lines.insert(1, "")
    path = tmp_path / "runs.jsonl"
    raw = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(raw) if packed else raw)
    found = list(iter_runs(path))
    assert [number for number, _ in found] == [1, *range(3, len(FILES) + 2)]
    assert all(isinstance(run, RunTrace) for _, run in found)


def test_answer_and_tools_given_apart() -> None:
    data = json.loads((FILES[0].parent / "anthropic_messages.json").read_text())
    data["messages"].pop()
    del data["tools"]
    tools = [{"name": "get_order", "parameters": {"type": "object"}}]
    trace = read_run(data, run_id="mine", answer="It has shipped.", tools=tools)
    assert (trace.run_id, trace.answer) == ("mine", "It has shipped.")
    assert trace.tools is not None
    assert trace.tools[0].input_schema == {"type": "object"}
    assert without_raw_arguments(trace) == expected()


def test_name_of_a_nameless_run_is_its_digest() -> None:
    data = {
        "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}]
    }
    assert read_run(data).run_id == read_run(copy.deepcopy(data)).run_id
    data["messages"][0]["content"] = "Ho"
    assert read_run(data).run_id != read_run({**data, "x": 1}).run_id
