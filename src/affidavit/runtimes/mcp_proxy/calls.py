"""What the proxy knows of one connection: which tools there are, what they returned, what was said."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Literal

from affidavit.formats.tools import Tools, declared
from affidavit.guard import CallDecision, Guard
from affidavit.policy import Policy, ToolRule
from affidavit.report import HallucinationReport
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart, ToolDefinition

_log = logging.getLogger("affidavit.mcp_proxy")

Provenance = Literal["context", "always", "never"]
"""When an identifier nobody mentioned is a fault: once the client has told what the user said (the
default: before that, the user may have named it), always, or never."""

CONTEXT = "affidavit/context"
"""Key in ``_meta`` of a call under which a client tells what was said: a text or a list of texts."""

# Requests whose results are evidence just as a tool's are.
READING = {"resources/read": "contents", "prompts/get": "messages"}


class Calls:
    """Verifies the calls of one connection. Not for use by several threads at once.

    ``known_tools`` hold in place of what the server declares of tools of their names.
    """

    def __init__(
        self, policy: Policy, *, provenance: Provenance, shadow: bool, known_tools: Tools = ()
    ) -> None:
        self._policy, self._provenance, self._shadow = policy, provenance, shadow
        self._known_tools = declared(known_tools)
        self._told = False
        self._tools: dict[str, ToolDefinition] | None = None
        self._said: set[str] = set()
        self._number = 0
        self._guard = self._new_guard(())

    def declare(self, tools: list[Any], *, more: bool) -> None:
        """The server has listed its tools; ``more`` says that the list goes on from an earlier part."""
        known = dict(self._tools or {}) if more else {}
        for tool in tools:
            if isinstance(tool, Mapping) and isinstance(tool.get("name"), str):
                known[tool["name"]] = ToolDefinition(
                    name=tool["name"],
                    description=str(tool.get("description") or ""),
                    input_schema=tool.get("inputSchema"),
                    output_schema=tool.get("outputSchema"),
                )
        self._tools = known
        self._renew()

    def said(self, text: str) -> None:
        """The client tells what the user, or its system prompt, said."""
        if text in self._said:
            return
        self._said.add(text)
        self._guard.observe(Message(role="user", parts=(TextPart(text=text),)))
        if not self._told:
            self._told = True
            self._renew()

    def check(self, name: str, arguments: Any) -> tuple[str, CallDecision]:
        """The verdict on a call, and the id under which its result is to be entered."""
        call = ToolCallPart(id=self._next_id(), name=name, arguments=arguments)
        return call.id, self._guard.check_call(call)

    def returned(self, call_id: str, content: object, *, failed: bool = False) -> None:
        """A tool has answered."""
        self._guard.record_result(call_id, content, is_error=failed)

    def read(self, method: str, params: Any, result: Any) -> None:
        """A resource or a prompt was read: what it holds may be named in a call."""
        call = ToolCallPart(id=self._next_id(), name=method, arguments=params)
        self._guard.observe(Message(role="assistant", parts=(call,)))
        self._guard.record_result(call.id, result)

    def _next_id(self) -> str:
        self._number += 1
        return f"call_{self._number}"

    def _renew(self) -> None:
        """A guard knows its tools and its policy from the start."""
        rejections = self._guard.rejections
        self._guard = self._new_guard(self._guard.trace("").messages)
        self._guard.rejections.update(rejections)

    def _new_guard(self, messages: tuple[Message, ...]) -> Guard:
        policy = self._policy
        if self._provenance == "never" or (self._provenance == "context" and not self._told):
            off = {
                name: rule.model_copy(update={"provenance": False})
                for name, rule in policy.tools.items()
            }
            policy = policy.model_copy(update={"tools": {"*": ToolRule(provenance=False)} | off})
        tools = None if self._tools is None else self._tools.values()
        return Guard(
            _NoAnswers(policy),
            messages=messages,
            tools=tools,
            shadow=self._shadow,
            known_tools=self._known_tools,
        )


class _NoAnswers:
    """Stands where a guard has its detector: a proxy is never shown an answer."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    async def acheck(self, trace: RunTrace, **_: Any) -> HallucinationReport:
        raise NotImplementedError("an MCP proxy sees no answers")
