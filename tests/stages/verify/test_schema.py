from __future__ import annotations

import json
import time
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import SchemaError
from affidavit.report import CallError
from affidavit.stages.verify import CallVerifier, call_feedback
from affidavit.trace import ToolDefinition

from .runs import call, checked, tool  # noqa: TID252


def errors(schema: dict[str, Any], arguments: Any) -> tuple[CallError, ...]:
    declared = ToolDefinition(name="t", input_schema=schema)
    return checked([], call("t", arguments), tools=(declared,)).errors


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


SHAPE = {
    "oneOf": [
        {"type": "string"},
        obj(kind={"const": "circle"}, radius={"type": "number"}) | {"required": ["kind", "radius"]},
        obj(kind={"const": "square"}, side={"type": "number"}) | {"required": ["kind", "side"]},
    ]
}


@pytest.mark.spec("AFF-201")
@pytest.mark.parametrize(
    ("schema", "arguments", "expected"),
    [
        (obj(n={"type": "integer"}), {"n": "5"},
         [("/n", '`n` must be an integer, got "5": a string that holds an integer; send 5')]),
        (obj(n={"type": "number"}), {"n": "5"},
         [("/n", '`n` must be a number, got "5": a string that holds an integer; send 5')]),
        (obj(n={"type": "boolean"}), {"n": "true"},
         [("/n", '`n` must be a boolean, got "true": a string that holds a boolean; send true')]),
        (obj(n={"type": "string"}), {"n": 5}, [("/n", '`n` must be a string, got 5; send "5" in quotes')]),
        (obj(n={"type": "string"}), {"n": None}, [("/n", "`n` must be a string, got null")]),
        (obj(n={"type": "array"}), {"n": "a"}, [("/n", '`n` must be an array, got "a"; send ["a"]')]),
        (obj(n={"type": "array"}), {"n": "[1, 2]"},
         [("/n", '`n` must be an array, got "[1, 2]": a string that holds an array; send [1, 2]')]),
        (obj(n={"type": ["integer", "null"]}), {"n": "x"}, [("/n", '`n` must be an integer or null, got "x"')]),
        (obj(n={"enum": ["a", "b"]}), {"n": "c"}, [("/n", '`n` must be one of "a", "b", got "c"')]),
        (obj(n={"minimum": 1, "maximum": 9}), {"n": 10}, [("/n", "`n` must be at most 9, got 10")]),
        (obj(n={"format": "email"}), {"n": "me"}, [("/n", '`n` must be a string of format email, got "me"')]),
        (obj(n={"format": "date"}), {"n": "2026-02-30"},
         [("/n", '`n` must be a string of format date, got "2026-02-30"')]),
        (obj(n=obj(m={"type": "array", "items": {"type": "integer"}})), {"n": {"m": [1, "x"]}},
         [("/n/m/1", '`n.m[1]` must be an integer, got "x"')]),
        (obj(a={}) | {"required": ["a"]}, {}, [("/a", "`a` is required and is missing")]),
        (obj(t=obj(a={}) | {"required": ["a"]}), {"t": {}}, [("/t/a", "`a` is required in `t` and is missing")]),
        (obj(order_id={}) | {"required": ["order_id"]}, {"orderId": "x"},
         [("/order_id", "`order_id` is required and is missing"),
          ("/orderId", "`orderId` is not an argument of this tool; did you mean `order_id`?")]),
        (obj(a={"type": "integer"}, b={"type": "string"}), {"a": "x", "b": 1, "c": 0},
         [("/a", '`a` must be an integer, got "x"'), ("/b", '`b` must be a string, got 1; send "1" in quotes'),
          ("/c", "`c` is not an argument of this tool")]),
        (obj(s=SHAPE), {"s": {"kind": "circle", "radius": "2"}},
         [("/s/radius", '`s.radius` must be a number, got "2": a string that holds an integer; send 2')]),
        (obj(s=SHAPE), {"s": {"kind": "square"}}, [("/s/side", "`side` is required in `s` and is missing")]),
        (obj(s={"anyOf": [{"type": "integer"}, {"type": "null"}]}), {"s": "5"},
         [("/s", '`s` must be an integer or null, got "5": a string that holds an integer; send 5')]),
    ],
)  # fmt: skip
def test_every_fault_is_named_with_its_place(
    schema: dict[str, Any], arguments: Any, expected: list[tuple[str, str]]
) -> None:
    found = [(e.path, e.message) for e in errors(schema, arguments)]
    assert sorted(found) == sorted(expected)
    assert all(e.kind == "schema" and e.expected for e in errors(schema, arguments))


@pytest.mark.spec("AFF-207")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1,}', "trailing comma"),
        ('{"a": [1, 2,]}', "trailing comma"),
        ("{'a': 1}", "double quotes"),
        ("{a: 1}", "property names must be in double quotes"),
        ('{"a": True}', "Python's True, False or None"),
        ('{"a": NaN}', "NaN is not a JSON value"),
        ('{"a": -Infinity}', "-Infinity is not a JSON value"),
        ('{"a": 1', "ends before it is complete"),
        ('{"a": "x', "ends before it is complete"),
        ('{"a": 1} and more', "text follows the object"),
        ('```json\n{"a": 1}\n```', "code fence"),
        ('{"a": 1 // one\n}', "no comments"),
        ('{"a": "x\ny"}', "line break"),
        ('"{\\"a\\": 1}"', "a string that holds a JSON object"),
        ("[1]", "are an array"),
        ('"words"', "not JSON"),
        ("words", "not JSON"),
        ('{"a": 1, "a": 2}', "`a` is given twice"),
    ],
)
def test_broken_arguments_are_refused_with_the_reason(text: str, reason: str) -> None:
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = text
    asked = call("t", arguments, arguments_text=text)
    validation = checked([], asked, tools=(ToolDefinition(name="t", input_schema={}),))
    assert [e.kind for e in validation.errors] == ["malformed_arguments"]
    assert reason in validation.errors[0].message
    assert reason in call_feedback(validation)


@pytest.mark.parametrize("arguments", ["", "  ", None, {}])
def test_no_arguments_are_an_empty_object(arguments: Any) -> None:
    asked = call("t").model_copy(update={"arguments": arguments})
    assert checked([], asked, tools=(tool("t"),)).status == "accepted"


@pytest.mark.spec("AFF-202")
@pytest.mark.parametrize(
    ("name", "nearest"),
    [("get_orders", "get_order"), ("getOrder", "get_order"), ("functions.get_order", "get_order"),
     ("mcp__shop__get_order", "get_order"), ("order_get", "get_order"), ("teleport", None)],
)  # fmt: skip
def test_an_unknown_tool_is_refused_and_the_nearest_offered(name: str, nearest: str | None) -> None:
    tools = (tool("get_order"), tool("list_items"))
    (error,) = checked([], call(name), tools=tools).errors
    assert (error.kind, error.suggestion) == ("unknown_tool", nearest)
    assert "get_order" in error.message


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "objekt"}, "t: input_schema/type: 'objekt' is not a JSON Schema type"),
        ({"properties": {"a": {"minimum": "3"}}}, "t: input_schema/properties/a/minimum: "),
        ({"properties": {"a": {"required": True}}}, "t: input_schema/properties/a/required: "),
        ({"properties": {"a": {"pattern": "("}}}, "t: input_schema/properties/a/pattern: "),
        ({"$ref": "https://x.example/s.json"}, "nothing is fetched"),
        ({"$ref": "#/$defs/none"}, "/$defs/none"),
        ({"$schema": "https://x.example/meta"}, "https://x.example/meta"),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": 3}, "input_schema/exclusiveMinimum"),
    ],
)  # fmt: skip
def test_a_schema_that_is_none_is_refused_when_registered(schema: Any, fault: str) -> None:
    with pytest.raises(SchemaError) as caught:
        CallVerifier((ToolDefinition(name="t", input_schema=schema),))
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"$schema": "http://json-schema.org/draft-04/schema#",
          "properties": {"n": {"minimum": 3, "exclusiveMinimum": True}}}, {"n": 4}, {"n": 3}),
        ({"$schema": "http://json-schema.org/draft-07/schema#",
          "properties": {"n": {"items": [{"type": "integer"}]}}}, {"n": [1]}, {"n": ["a"]}),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema",
          "dependentRequired": {"a": ["b"]}}, {"a": 1, "b": 1}, {"a": 1}),
        ({"properties": {"n": {"prefixItems": [{"type": "integer"}]}}}, {"n": [1]}, {"n": ["a"]}),
        ({"properties": {"n": {"pattern": "^(?!admin)"}}}, {"n": "ann"}, {"n": "admin"}),
    ],
)  # fmt: skip
def test_drafts_and_patterns(schema: Any, good: Any, bad: Any) -> None:
    assert not errors(schema, good)
    assert errors(schema, bad)


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(?!x)(a+)+$"])
def test_a_hostile_pattern_costs_no_time(pattern: str) -> None:
    start = time.perf_counter()
    errors(obj(s={"type": "string", "pattern": pattern}), {"s": "a" * 5_000 + "!"})
    assert time.perf_counter() - start < 2


LEAF = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text("abc1", max_size=3))
VALUE = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner)
)
SIMPLE = st.one_of(
    st.builds(lambda t: {"type": t}, st.sampled_from(["integer", "string", "boolean", "null", "number"])),
    st.builds(lambda v: {"enum": v}, st.lists(LEAF, min_size=1, max_size=3, unique_by=repr)),
    st.builds(lambda n: {"minimum": n}, st.integers(-5, 5)),
    st.builds(lambda n: {"maxLength": n}, st.integers(0, 3)),
    st.builds(lambda v: {"const": v}, LEAF),
    st.sampled_from([{"pattern": "^a"}, {"multipleOf": 2}, {"type": ["string", "null"]}, {"uniqueItems": True}, {}]),
)  # fmt: skip
SCHEMA = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds(lambda s: {"type": "array", "items": s, "maxItems": 2}, inner),
        st.builds(lambda p: {"type": "object", "properties": p}, st.dictionaries(st.sampled_from("abc"), inner)),
        st.builds(lambda p: obj(**p) | {"required": sorted(p)[:1]}, st.dictionaries(st.sampled_from("abc"), inner)),
        st.builds(lambda k, s: {k: s}, st.sampled_from(["anyOf", "oneOf", "allOf"]), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda s: {"not": s}, inner),
        st.builds(lambda a, b: {"if": a, "then": b}, inner, inner),
    ),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=300)
@given(schema=SCHEMA, arguments=st.dictionaries(st.sampled_from("abc"), VALUE))
def test_the_verdict_is_that_of_the_reference(schema: dict[str, Any], arguments: Any) -> None:
    reference = jsonschema.Draft202012Validator(schema)
    found = errors({"allOf": [schema]}, arguments)
    assert bool(found) == (not reference.is_valid(arguments))
    assert all(e.message and e.expected for e in found)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.mark.spec("AFF-207")
@settings(max_examples=300)
@given(arguments=ANY, text=st.none() | st.text(), name=st.text())
def test_no_arguments_make_it_raise(arguments: Any, text: str | None, name: str) -> None:
    tools = (tool("t", order_id="string", n={"type": "integer", "minimum": 1}),)
    for asked in (
        call(name).model_copy(update={"arguments": arguments, "arguments_text": text}),
        call("t").model_copy(update={"arguments": {"order_id": arguments, "n": arguments}}),
    ):
        validation = checked(["hello ORD-1"], asked, tools=tools)
        assert validation.model_validate_json(validation.model_dump_json()) == validation
        call_feedback(validation)
