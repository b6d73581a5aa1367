"""What is wrong with a record is said with the place it is wrong in."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import TraceError
from affidavit.formats import iter_runs, load_run, read_run
from affidavit.trace import RunTrace

ASK = {"role": "user", "content": "Where is it?"}
CALL = {"type": "tool_use", "id": "c1", "name": "get", "input": {}}
ANSWER = {"role": "assistant", "content": "It has shipped."}


def anthropic(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [ASK, *messages], **more}


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "system", "content": "Be brief."}, ASK, *messages], **more}


def otel(*messages: Any, output: Any = None) -> dict[str, Any]:
    asked = {"role": "user", "parts": [{"type": "text", "content": "Where is it?"}]}
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "Shipped."}]}]
    return {
        "gen_ai.input.messages": [asked, *messages],
        "gen_ai.output.messages": said if output is None else output,
    }


def result(**fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", **fields}]}


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


CASES: dict[str, tuple[Any, str, str]] = {
    # name: (document, field, words of the message)
    "not an object": ([1, 2], "", "expected an object; got a list of 2"),
    "no format": ({"x": 1}, "", "not a run of a known format: it has x"),
    "no messages": ({"messages": []}, "messages", "no final answer: there are no messages"),
    "message is text": (anthropic("Hello", ANSWER), "messages[1]", "expected an object"),
    "no role": (anthropic({"content": "x"}, ANSWER), "messages[1].role", "it is missing"),
    "role is null": (anthropic({"role": None}, ANSWER), "messages[1].role", "it is null"),
    "strange role": (
        anthropic({"role": "robot", "content": "x"}, ANSWER),
        "messages[1].role",
        "got the string 'robot'",
    ),
    "no content": (anthropic({"role": "user"}, ANSWER), "messages[1].content", "it is missing"),
    "content is a number": (
        anthropic({"role": "user", "content": 7}, ANSWER),
        "messages[1].content",
        "expected a list; got the number 7",
    ),
    "block without type": (
        anthropic({"role": "user", "content": [{"text": "x"}]}, ANSWER),
        "messages[1].content[0].type",
        "it is missing",
    ),
    "text is a list": (
        anthropic({"role": "user", "content": [{"type": "text", "text": ["x"]}]}, ANSWER),
        "messages[1].content[0].text",
        "expected a string; got a list of 1",
    ),
    "call without id": (
        anthropic({"role": "assistant", "content": [{**CALL, "id": None}]}, ANSWER),
        "messages[1].content[0].id",
        "it is null",
    ),
    "result without call": (
        anthropic({"role": "user", "content": [{"type": "tool_result", "content": "x"}]}, ANSWER),
        "messages[1].content[0].tool_use_id",
        "it is missing",
    ),
    "error flag is a word": (
        anthropic(result(content="x", is_error="yes"), ANSWER),
        "messages[1].content[0].is_error",
        "expected true or false; got the string 'yes'",
    ),
    "result is a number": (
        anthropic(result(content=5), ANSWER),
        "messages[1].content[0].content",
        "expected a list; got the number 5",
    ),
    "ends with the user": (anthropic(), "messages", "the last message is the user's"),
    "ends with a result": (anthropic(result(content="x")), "messages", "no final answer"),
    "ends with a call": (
        anthropic({"role": "assistant", "content": [CALL]}),
        "messages",
        "no final answer: the last message calls tools",
    ),
    "empty answer": (
        anthropic({"role": "assistant", "content": " "}),
        "messages",
        "no final answer: the last assistant message has no text",
    ),
    "empty answer apart": (anthropic(answer=""), "answer", "no final answer: the answer is empty"),
    "answer is a list": (anthropic(answer=["x"]), "answer", "expected a string"),
    "response is an error": (
        anthropic(response={"type": "error", "error": {"type": "overloaded_error"}}),
        "response.error",
        "no final answer: the response is an error",
    ),
    "response without content": (
        anthropic(response={"type": "message"}),
        "response.content",
        "it is missing",
    ),
    "response calls tools": (
        anthropic(response={"content": [CALL]}),
        "response.content",
        "no final answer: the last message calls tools",
    ),
    "tool without a name": (
        anthropic(ANSWER, tools=[{"description": "x"}]),
        "tools[0].name",
        "it is missing",
    ),
    "schema is text": (
        anthropic(ANSWER, tools=[{"name": "t", "input_schema": 5}]),
        "tools[0].input_schema",
        "expected a JSON Schema object",
    ),
    "nested beyond measure": (
        anthropic({"role": "assistant", "content": [{**CALL, "input": deep(300)}]}, ANSWER),
        "messages[1].content[0].input[0][0]",
        "nested deeper than 200 levels",
    ),
    "not JSON at all": (
        anthropic({"role": "assistant", "content": [{**CALL, "input": {"a": {1, 2}}}]}, ANSWER),
        "messages[1].content[0].input.a",
        "expected a JSON value; got a Python set",
    ),
    "in a case": (
        {"id": "x", "run": anthropic({"role": "assistant", "content": [CALL]})},
        "run.messages",
        "no final answer",
    ),
    "tool message without id": (
        chat({"role": "tool", "content": "x"}, ANSWER),
        "messages[2].tool_call_id",
        "it is missing",
    ),
    "function without a name": (
        chat({"role": "assistant", "tool_calls": [{"id": "c", "function": {}}]}, ANSWER),
        "messages[2].tool_calls[0].function.name",
        "it is missing",
    ),
    "tool calls are no list": (
        chat({"role": "assistant", "tool_calls": {"id": "c"}}, ANSWER),
        "messages[2].tool_calls",
        "expected a list; got an object with id",
    ),
    "no choices": (
        chat(response={"choices": []}),
        "response.choices",
        "expected a choice; the list is empty",
    ),
    "choice without text": (
        chat(response={"choices": [{"message": {"role": "assistant", "content": None}}]}),
        "response.choices[0].message",
        "no final answer",
    ),
    "messages are broken JSON": (
        {**otel(), "gen_ai.input.messages": '[{"role": "us'},
        '["gen_ai.input.messages"]',
        "expected JSON in a string",
    ),
    "part without type": (
        otel({"role": "tool", "parts": [{"id": "c1"}]}),
        '["gen_ai.input.messages"][1].parts[0].type',
        "it is missing",
    ),
    "no output": (otel(output=[]), "gen_ai.output.messages", "no final answer"),
    "simulated, without an answer": (
        {"task_id": "1", "reward": 0.0, "messages": [ASK]},
        "messages",
        "no assistant message has text",
    ),
    "turns are no list": (
        {"user_turns": "hi", "call": {"method": "m"}, "results": [1], "answer": "x"},
        "user_turns",
        "expected a list",
    ),
    "call without method": (
        {"user_turns": ["hi"], "call": {"x": 1}, "results": [1], "answer": "x"},
        "call.method",
        "it is missing",
    ),
    "step without a name": (
        {"input": "hi", "output": [{"arguments": {}, "response": {}}]},
        "output[0].name",
        "it is missing",
    ),
}


@pytest.mark.spec("AFF-102")
@pytest.mark.parametrize(("document", "field", "words"), CASES.values(), ids=CASES)
def test_error_names_the_field(document: Any, field: str, words: str) -> None:
    with pytest.raises(TraceError) as caught:
        read_run(document)
    assert caught.value.field.startswith(field)
    assert len(caught.value.field) < max(len(field) + 1, 201)
    assert words in caught.value.message


LINES: dict[str, tuple[bytes, str]] = {
    "cut off": (b'{"messages": [{"role": "user", "con', "the JSON breaks off"),
    "not JSON": (b'{"messages": oops}', "not valid JSON: Expecting value at column 14"),
    "not UTF-8": (b'{"messages": "\xff"}', "not UTF-8: byte 14"),
    "nested beyond measure": (b"[" * 100_000, "not readable JSON"),
    "a list": (b"[1, 2]", "expected an object; got a list of 2"),
    "no answer": (b'{"messages": [{"role": "user", "content": "Hi"}]}', "no final answer"),
}
GOOD = json.dumps(anthropic(ANSWER)).encode()


@pytest.mark.parametrize(("line", "words"), LINES.values(), ids=LINES)
def test_bad_line_does_not_stop_the_rest(tmp_path: Path, line: bytes, words: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([GOOD, line, GOOD]))
    first, bad, last = (run for _, run in iter_runs(path))
    assert isinstance(first, RunTrace)
    assert isinstance(last, RunTrace)
    assert isinstance(bad, TraceError)
    assert (bad.file, bad.line) == (str(path), 2)
    assert str(bad).startswith(f"{path}:2: ")
    assert words in bad.message


def test_document_with_an_error_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{\n "messages": [\n  {"role": "user",}\n ]\n}')
    with pytest.raises(TraceError) as caught:
        load_run(path)
    assert (caught.value.file, caught.value.line) == (str(path), 3)


def test_missing_file(tmp_path: Path) -> None:
    for read in (load_run, lambda path: list(iter_runs(path))):
        with pytest.raises(TraceError, match="cannot be opened: No such file"):
            read(tmp_path / "none.json")


def test_archive_that_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    lines = b"\n".join([GOOD] * 2000)
    path.write_bytes(gzip.compress(lines)[:-20])
    *runs, (number, last) = iter_runs(path)
    assert all(isinstance(run, RunTrace) for _, run in runs)
    assert isinstance(last, TraceError)
    assert last.line == number
    with pytest.raises(TraceError, match="cannot be read"):
        load_run(path)
