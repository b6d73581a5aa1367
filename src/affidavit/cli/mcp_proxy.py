"""``affidavit mcp-proxy``: an MCP server behind the guard, for clients that start it by a command."""

from __future__ import annotations

import argparse

from affidavit.cli.terminal import policy_of
from affidavit.cli.tools import read_tools
from affidavit.errors import AffidavitError
from affidavit.runtimes.mcp_proxy.calls import Calls
from affidavit.runtimes.mcp_proxy.proxy import Proxy, own_stdio, started


def run(arguments: argparse.Namespace) -> int:
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise AffidavitError("mcp-proxy: name the server's command after --")
    calls = Calls(
        policy_of(arguments.policy),
        provenance=arguments.provenance,
        shadow=arguments.shadow,
        known_tools=read_tools(arguments.tools) if arguments.tools else (),
    )
    _serve(calls, command)
    return 0


def _serve(calls: Calls, command: list[str]) -> None:
    import asyncio

    async def serve() -> None:
        try:
            async with started(command) as server, own_stdio() as client:
                await Proxy(calls).run(client, server)
        except OSError as error:
            raise AffidavitError(f"{command[0]}: cannot be started: {error}") from error

    asyncio.run(serve())
