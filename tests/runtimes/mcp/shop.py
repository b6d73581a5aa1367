"""An MCP server as people write them: it logs the orders that its tool was really asked for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

server = MCPServer("shop")
log = Path(sys.argv[1])


class Order(BaseModel):
    order_id: str


@server.tool()
def get_order(order_id: str) -> dict[str, Any]:
    """Look an order up by its number."""
    with log.open("a", encoding="utf-8") as out:
        out.write(f"{order_id}\n")
    if order_id == "BL-000001":
        raise ValueError("the warehouse does not answer; try BL-777777")
    return {"order_id": order_id, "customer_id": f"C-{order_id[-4:]}", "total": 45.18}


@server.tool()
def list_orders(limit: int = 3) -> str:
    """The latest orders."""
    return "\n".join(f"BL-30000{n}: shipped" for n in range(1, limit + 1))


@server.tool()
async def ask_for_order(ctx: Context) -> str:  # type: ignore[type-arg]
    """Ask the user which order is meant."""
    answer = await ctx.elicit("Which order?", Order)
    return answer.action


@server.resource("shop://notice")
def notice() -> str:
    """What hangs at the door."""
    return "Order BL-555111 waits for its owner."


if len(sys.argv) > 2:
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
else:
    server.run("stdio")
