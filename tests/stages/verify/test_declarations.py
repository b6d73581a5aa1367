from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from affidavit import read_run
from affidavit.errors import SchemaError
from affidavit.stages.verify import CallVerifier, openapi_tools, tool_definition, tool_definitions
from affidavit.trace import ToolDefinition

from .runs import call, checked  # noqa: TID252

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


class Forecast(BaseModel, extra="forbid"):
    """The weather of the next days."""

    city: str
    days: int = Field(default=3, ge=1)


def forecast(city: str, days: int = 3, units: Literal["metric", "imperial"] = "metric") -> str:
    """The weather of the next days."""
    return f"{city} {days} {units}"


class SdkTool(BaseModel):
    name: str
    inputSchema: dict[str, Any]
    description: str | None = None


@pytest.mark.parametrize(
    "declaration",
    [
        {"name": "forecast", "input_schema": SCHEMA},
        {"type": "function", "function": {"name": "forecast", "parameters": SCHEMA}},
        {"type": "function", "name": "forecast", "parameters": SCHEMA, "strict": True},
        {"name": "forecast", "inputSchema": SCHEMA, "outputSchema": {"type": "object"}},
        {"name": "forecast", "parametersJsonSchema": SCHEMA},
        {"toolSpec": {"name": "forecast", "inputSchema": {"json": SCHEMA}}},
        {"name": "forecast", "parameters": {
            "type": "OBJECT", "required": ["city"], "additionalProperties": False,
            "properties": {"city": {"type": "STRING"}, "days": {"type": "INTEGER", "format": "int32"}}}},
        {"name": "forecast", "parameters": Forecast},
        SdkTool(name="forecast", inputSchema=SCHEMA),
        ToolDefinition(name="forecast", input_schema=SCHEMA),
        forecast,
    ],
)  # fmt: skip
def test_every_dialect_declares_the_same_tool(declaration: Any) -> None:
    (declared,) = tool_definitions([declaration])
    assert declared == tool_definition(declaration)
    assert declared.name == "forecast"

    def status(arguments: dict[str, Any]) -> str:
        return checked([], call("forecast", arguments), tools=(declared,)).status

    assert status({"city": "Porto", "days": 3}) == "accepted"
    for wrong in ({"city": "Porto", "days": "3"}, {"days": 3}, {"city": "Porto", "day": 3}):
        assert status(wrong) == "rejected", wrong


def test_a_model_names_its_tool() -> None:
    declared = tool_definition(Forecast)
    assert (declared.name, declared.description) == ("Forecast", "The weather of the next days.")


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "STRING", "nullable": True}, None, 5),
        ({"type": "string", "enum": ["a"], "nullable": True}, None, "b"),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, 1, 0),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, 9, 10),
        ({"type": "ARRAY", "items": {"type": "NUMBER"}, "maxItems": "2"}, [1.5], [1, 2, 3]),
        ({"type": "OBJECT", "properties": {"type": {"type": "STRING"}}}, {"type": "STRING"}, {"type": 1}),
        ({"anyOf": [{"type": "STRING"}, {"type": "BOOLEAN"}]}, True, 1),
        ({"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": True}, None, False),
    ],
)  # fmt: skip
def test_relations_of_json_schema_mean_what_they_say(schema: Any, good: Any, bad: Any) -> None:
    parameters = {"type": "OBJECT", "properties": {"x": schema}}
    said = [{"role": role, "parts": [{"text": "Hi."}]} for role in ("user", "model")]
    functions = [{"functionDeclarations": [{"name": "t", "parameters": parameters}]}]
    # As it was recorded, too: a reader of runs keeps the schema that the run has, or reads Gemini's.
    for declared in (
        tool_definition({"name": "t", "parameters": parameters}),
        ToolDefinition(name="t", input_schema=parameters),
        *(read_run({"contents": said, "tools": functions}).tools or ()),
    ):
        assert checked([], call("t", {"x": good}), tools=(declared,)).status == "accepted"
        assert checked([], call("t", {"x": bad}), tools=(declared,)).status == "rejected"


def test_an_sdk_that_writes_keywords_in_snake_case_keeps_the_names_of_properties() -> None:
    parameters = {
        "type": "OBJECT", "property_ordering": ["max_items", "kind"],
        "properties": {
            "max_items": {"type": "ARRAY", "max_items": "1", "items": {"any_of": [{"type": "STRING"}]}},
            "kind": {"type": "OBJECT", "enum": [{"not_a_keyword": 1}]},
        },
    }  # fmt: skip
    said = [{"role": role, "parts": [{"text": "Hi."}]} for role in ("user", "model")]
    config = {"tools": [{"function_declarations": [{"name": "t", "parameters": parameters}]}]}
    (declared,) = read_run({"contents": said, "config": config}).tools or ()
    assert declared.input_schema == {
        "type": "object",
        "properties": {
            "max_items": {"type": "array", "maxItems": 1, "items": {"anyOf": [{"type": "string"}]}},
            "kind": {"type": "object", "enum": [{"not_a_keyword": 1}]},
        },
    }


OPENAPI = {
    "openapi": "3.0.3",
    "paths": {
        "/orders/{order_id}": {
            "parameters": [{"$ref": "#/components/parameters/OrderId"}],
            "get": {
                "operationId": "getOrder",
                "summary": "One order.",
                "parameters": [
                    {"name": "expand", "in": "query", "schema": {"type": "array", "items": {"enum": ["items"]}}}
                ],
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}
                },
            },
            "patch": {
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}},
                }
            },
        },
        "/notes": {
            "post": {
                "operationId": "addNotes",
                "requestBody": {"required": True, "content": {"application/json": {"schema": {
                    "type": "array", "items": {"type": "string", "nullable": True}}}}},
            }
        },
    },
    "components": {
        "parameters": {
            "OrderId": {"name": "order_id", "in": "path", "required": True, "schema": {"type": "string"}}
        },
        "schemas": {
            "Order": {
                "type": "object",
                "required": ["status"],
                "properties": {
                    "status": {"type": "string", "enum": ["open", "closed"]},
                    "parent": {"$ref": "#/components/schemas/Order"},
                    "note": {"type": "string", "nullable": True},
                },
            }
        },
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments", "path"),
    [
        ("getOrder", {"order_id": "ORD-1000", "expand": ["items"]}, None),
        ("getOrder", {"expand": []}, "/order_id"),
        ("getOrder", {"order_id": "ORD-1000", "expand": ["all"]}, "/expand/0"),
        ("getOrder", {"order_id": "ORD-1000", "deep": True}, "/deep"),
        ("patch_orders_order_id", {"order_id": "ORD-1000", "status": "open", "note": None}, None),
        ("patch_orders_order_id", {"order_id": "ORD-1000", "status": "lost"}, "/status"),
        ("patch_orders_order_id", {"order_id": "ORD-1000"}, "/status"),
        (
            "patch_orders_order_id",
            {"order_id": "ORD-1000", "status": "open", "parent": {}},
            "/parent/status",
        ),
        ("addNotes", {"body": ["a", None]}, None),
        ("addNotes", {"body": [1]}, "/body/0"),
    ],
)
def test_operations_of_openapi(name: str, arguments: dict[str, Any], path: str | None) -> None:
    validation = checked(["ORD-1000"], call(name, arguments), tools=tool_definitions(OPENAPI))
    assert [error.path for error in validation.errors] == ([path] if path else [])


def test_an_operation_keeps_its_words_and_its_result() -> None:
    tool = openapi_tools(OPENAPI)[0]
    assert tool.description == "One order."
    assert tool.output_schema is not None
    assert tool.output_schema["$ref"].endswith("/Order")


@pytest.mark.parametrize(
    ("declaration", "fault"),
    [
        ({"input_schema": {}}, "without a name"),
        ({"name": "t", "parameters": []}, "t: parameters: expected a JSON Schema object"),
        ({"name": "t", "outputSchema": {"type": 1}}, "t: output_schema/type"),
        ("t", "'t' is not a tool"),
        ({"openapi": "2.0", "paths": {}}, "expected OpenAPI 3.0 or 3.1"),
        ({"openapi": "3.1.0", "paths": {"/": {"$ref": "https://x.example"}}}, "nothing is fetched"),
        ({"openapi": "3.1.0", "paths": {"/": {"$ref": "#/none"}}}, "does not exist"),
    ],
)
def test_faulty_declarations_say_where(declaration: Any, fault: str) -> None:
    with pytest.raises(SchemaError) as caught:
        tool_definitions(declaration)
    assert fault in str(caught.value)


def test_lists_of_tools() -> None:
    names = [
        t.name for t in tool_definitions([{"functionDeclarations": [{"name": "a"}]}, {"name": "b"}])
    ]
    assert names == ["a", "b"]
    CallVerifier(tool_definitions({"tools": [{"name": "c", "inputSchema": SCHEMA}]}))
