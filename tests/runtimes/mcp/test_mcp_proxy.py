"""The proxy between a real MCP client and a real MCP server, each a process of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

SERVER = Path(__file__).with_name("shop.py")
UNKNOWN = "BL-999999"

Use = Callable[[Client], Awaitable[Any]]


class Shop:
    """A server behind the proxy."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "ran.txt"

    def use(self, use: Use, *options: str, proxied: bool = True, **client: Any) -> Any:
        """What ``use`` makes of a client that is connected through the proxy."""
        server = [sys.executable, str(SERVER), str(self.log)]
        proxy = [sys.executable, "-m", "affidavit.cli", "mcp-proxy", *options, "--"]
        command = [*proxy, *server] if proxied else server

        async def run() -> Any:
            parameters = StdioServerParameters(command=command[0], args=command[1:])
            async with Client(parameters, **client) as connected:
                return await use(connected)

        return asyncio.run(run())

    @property
    def ran(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").split() if self.log.exists() else []


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


def order(order_id: Any, **meta: Any) -> Use:
    async def use(client: Client) -> Any:
        return await client.call_tool("get_order", {"order_id": order_id}, meta=meta or None)

    return use


def said(text: str | list[str]) -> dict[str, Any]:
    return {"affidavit/context": text}


def test_what_it_has_no_opinion_on_passes_unchanged(shop: Shop) -> None:
    async def everything(client: Client) -> Any:
        tools = await client.list_tools()
        resources = await client.list_resources()
        notice = await client.read_resource("shop://notice")
        called = await client.call_tool("list_orders", {"limit": 2})
        return [one.model_dump(mode="json") for one in (tools, resources, notice, called)]

    assert shop.use(everything) == shop.use(everything, proxied=False)


def test_a_call_that_does_not_fit_its_schema_does_not_reach_the_server(shop: Shop) -> None:
    async def use(client: Client) -> Any:
        await client.list_tools()
        return await client.call_tool("get_order", {"order_id": 7})

    result = shop.use(use)
    assert result.is_error
    assert "was not run" in text_of(result) and "order_id" in text_of(result)
    assert shop.ran == []


def test_an_invented_identifier_does_not_reach_the_server(shop: Shop) -> None:
    async def use(client: Client) -> Any:
        meta = said("What is the total of order BL-204518?")
        first = await client.call_tool("get_order", {"order_id": UNKNOWN}, meta=meta)
        second = await client.call_tool("get_order", {"order_id": "BL-204518"}, meta=meta)
        return first, second

    first, second = shop.use(use)
    assert first.is_error and UNKNOWN in text_of(first)
    assert not second.is_error
    assert shop.ran == ["BL-204518"]


def test_before_the_client_tells_what_was_said_nobody_can_know_what_was_not(shop: Shop) -> None:
    assert not shop.use(order(UNKNOWN)).is_error
    assert shop.ran == [UNKNOWN]


@pytest.mark.parametrize(
    ("option", "meta", "ran"),
    [("always", {}, []), ("never", said("Hello"), [UNKNOWN]), ("context", said(["Hi", "you"]), [])],
)
def test_how_strict_it_is_can_be_chosen(
    option: str, meta: dict[str, Any], ran: list[str], shop: Shop
) -> None:
    shop.use(order(UNKNOWN, **meta), "--provenance", option)
    assert shop.ran == ran


@pytest.mark.parametrize(
    ("before", "order_id", "runs"),
    [
        ([("list_orders", {})], "BL-300002", True),
        ([("list_orders", {"limit": 1})], "BL-300002", False),
        ([("shop://notice", None)], "BL-555111", True),
        # What a failed call says vouches for nothing.
        ([("get_order", {"order_id": "BL-000001"})], "BL-777777", False),
    ],
)
def test_results_vouch_for_later_calls(
    before: list[tuple[str, Any]], order_id: str, runs: bool, shop: Shop
) -> None:
    async def use(client: Client) -> Any:
        meta = said("See to BL-000001.")
        for name, arguments in before:
            if arguments is None:
                await client.read_resource(name)
            else:
                await client.call_tool(name, arguments, meta=meta)
        return await client.call_tool("get_order", {"order_id": order_id}, meta=meta)

    assert shop.use(use).is_error is not runs
    assert (order_id in shop.ran) is runs


def test_what_the_user_filled_in_is_known(shop: Shop) -> None:
    async def filled_in(*_: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"order_id": UNKNOWN})

    async def use(client: Client) -> Any:
        asked = await client.call_tool("ask_for_order", {}, meta=said("My order, please."))
        assert text_of(asked) == "accept"
        return await client.call_tool("get_order", {"order_id": UNKNOWN})

    # The protocol in which a server asks its client, as most servers do.
    assert not shop.use(use, elicitation_callback=filled_in, mode="legacy").is_error
    assert shop.ran == [UNKNOWN]


def test_in_shadow_mode_everything_reaches_the_server(shop: Shop) -> None:
    assert not shop.use(order(UNKNOWN), "--shadow", "--provenance", "always").is_error
    assert shop.ran == [UNKNOWN]


def test_a_policy_says_what_may_be_named(shop: Shop, tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"allow": ["BL-99*"]}), encoding="utf-8")
    use = order(UNKNOWN)
    assert not shop.use(use, "--provenance", "always", "--policy", str(policy)).is_error


def test_retries_are_counted(shop: Shop) -> None:
    async def use(client: Client) -> list[str]:
        meta = said("Hello")
        calls = [
            await client.call_tool("get_order", {"order_id": f"BL-99999{n}"}, meta=meta)
            for n in range(5)
        ]
        return [text_of(call) for call in calls]

    told = shop.use(use)
    assert len(set(map(len, told))) > 1, "the last retry is told as the first"
    assert shop.ran == []


def test_calls_at_once_are_answered_each(shop: Shop) -> None:
    async def use(client: Client) -> Any:
        meta = said("Orders BL-204518 and BL-204519.")
        ids = ["BL-204518", UNKNOWN, "BL-204519"] * 5
        calls = [client.call_tool("get_order", {"order_id": one}, meta=meta) for one in ids]
        return list(zip(ids, await asyncio.gather(*calls), strict=True))

    for order_id, result in shop.use(use):
        assert result.is_error is (order_id == UNKNOWN)
        assert order_id in text_of(result)
