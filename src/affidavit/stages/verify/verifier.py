"""Stage 1: no call leaves with arguments that do not fit its schema or that come from nowhere.

The same verifier serves a live run, call by call, and a recorded one, walked once.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import JsonValue

from affidavit.errors import SchemaError
from affidavit.policy import Policy
from affidavit.report import CallError, ProvenanceRecord, SourceKind, ToolCallValidation
from affidavit.stages.verify.annotations import Annotations, declared_values
from affidavit.stages.verify.arguments import read_arguments
from affidavit.stages.verify.entities import Created, entities_of
from affidavit.stages.verify.known import KnownValues, Speaker
from affidavit.stages.verify.leaves import beyond_echo, without_echo
from affidavit.stages.verify.names import words
from affidavit.stages.verify.provenance import Provenance, argument_rule
from affidavit.stages.verify.reading import (
    LOOKED_FOR,
    declared_reads,
    is_refusal,
    reads_by_name,
)
from affidavit.stages.verify.validator import ArgumentValidator
from affidavit.trace import (
    DataPart,
    Message,
    Part,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
    UnknownPart,
)

_ROLES: dict[str, SourceKind] = {"user": "user", "system": "system", "tool": "tool_result"}


class CallVerifier:
    """Checks each call against its schema and against what came before it.

    ``observe`` what is said and returned, in order; ``check`` a call before it is run. A schema that
    is none raises :class:`SchemaError` here, unless ``lenient``: then calls of that tool are
    ``unchecked`` for schema. Not for use by several threads at once; each run has its own.
    """

    def __init__(
        self,
        tools: Iterable[ToolDefinition] | None,
        policy: Policy | None = None,
        *,
        lenient: bool = False,
    ) -> None:
        self._tools: dict[str, _Tool] | None = None
        self._lenient = lenient
        self._known = KnownValues()
        self._provenance = Provenance(self._known, policy or Policy())
        self._messages = 0
        self._unread = 0
        self._calls: dict[str, _Checked] = {}
        self._refused: set[str] = set()
        if tools is not None:
            self.declare(tools)

    def declare(self, tools: Iterable[ToolDefinition]) -> None:
        """Tools that the run has from now on; one of a name that is known takes its place."""
        self._tools = self._tools or {}
        for definition in tools:
            tool = self._tools[definition.name] = _Tool(definition, self._lenient)
            given = declared_values(tool.definition.input_schema, tool.definition.description)
            listed: list[JsonValue] = list(given)
            if listed:
                self._known.add_value(Speaker("tool_definition", tool=tool.definition.name), listed)

    def observe(self, message: Message) -> None:
        """Enter one message of the run: from now on its values are known."""
        for part in message.parts:
            self.enter(message.role, part)
        self.next_message()

    def read(self) -> None:
        """Read what was observed, which the next call would have to wait for. Any thread may do so."""
        self._known.read()

    def next_message(self) -> None:
        """The message whose parts were entered is complete."""
        self._messages += 1

    def check(self, call: ToolCallPart) -> ToolCallValidation:
        """The verdict on one call, against everything observed so far."""
        arguments = read_arguments(call)
        errors: list[CallError] = list(arguments.errors)
        notes: list[str] = []
        tool = self._tool(call, errors, notes)
        if tool is not None and arguments.checked is not None:
            errors.extend(tool.errors(arguments.checked))
        found = self._origins(call, tool, arguments.checked)
        only_looked = found.looking and len(found.looked_for) == len(found.lost) and not errors
        errors.extend(found.lost)
        notes.extend(found.unread)
        signature = _signature(call)
        if errors and signature in self._refused:
            errors.append(_repeated(call.name))
        if errors:
            self._refused.add(signature)
        self._calls[call.id] = _Checked(
            call.name, bool(errors), found.created, found.looked_for, arguments.value
        )
        return ToolCallValidation(
            tool=call.name,
            args=_reportable(arguments.value),
            status="rejected" if errors else "unchecked" if notes else "accepted",
            errors=tuple(errors),
            call_id=call.id,
            message=self._messages,
            preventable=not call.server_side,
            reads=found.reads or only_looked,
            note="; ".join([*notes, *found.remarks, *_remarks(tool, arguments.checked)]),
            provenance=found.origins,
        )

    def enter(self, role: str, part: Part) -> None:
        """Enter one part of the message that is being said."""
        match part:
            case ToolResultPart():
                self._enter_result(part)
            case ToolCallPart():
                self._calls.setdefault(part.id, _Checked(part.name, False, (), (), part.arguments))
            case TextPart() if role in _ROLES:
                self._known.add_text(Speaker(_ROLES[role], self._messages), part.text)
            case DataPart() if role in _ROLES:
                self._known.add_value(Speaker(_ROLES[role], self._messages), part.value)
            case UnknownPart() if role in _ROLES:
                self._unread += 1
            case _:
                pass  # what the model itself said or thought is where fabrications come from

    def _enter_result(self, part: ToolResultPart) -> None:
        """What a call returned is known from now on. One that was refused and did not run returned
        nothing but the refusal."""
        call = self._calls.get(part.id)
        refused = call is not None and call.rejected
        if refused and is_refusal(part):
            return
        speaker = Speaker("tool_result", self._messages, call.tool if call else None, part.id)
        text = "\n".join(inner.text for inner in part.content if isinstance(inner, TextPart))
        data = [inner.value for inner in part.content if isinstance(inner, DataPart)]
        self._unread += sum(isinstance(inner, UnknownPart) for inner in part.content)
        if part.is_error:
            text = "\n".join([text, *(json.dumps(value, ensure_ascii=False) for value in data)])
            self._known.add_text(speaker, without_echo(text, call.arguments if call else None))
            return
        if refused and call is not None:
            # "No order ORD-88231", not flagged as an error, makes the order no better known.
            data = [beyond_echo(value, call.arguments) for value in ([text] if text else []) + data]
            text = ""
        if text:
            self._known.add_text(speaker, text)
        for value in data:
            self._known.add_value(speaker, value)
        if call is not None and (named := [*call.created, *call.looked_for]):
            self._known.add_value(speaker, list(named))

    def _tool(self, call: ToolCallPart, errors: list[CallError], notes: list[str]) -> _Tool | None:
        if self._tools is None:
            notes.append("the run does not say which tools were declared: schema not checked")
            return None
        tool = self._tools.get(call.name)
        if tool is None and call.server_side:
            notes.append("the tool is the provider's own: schema not checked")
        elif tool is None:
            errors.append(_unknown_tool(call.name, list(self._tools)))
        elif tool.note:
            notes.append(tool.note)
        return tool

    def _origins(
        self, call: ToolCallPart, tool: _Tool | None, args: dict[str, JsonValue] | None
    ) -> _Origins:
        """Where the entities came from, and the names that the call gives to new things."""
        rule = self._provenance.rule(call.name)
        reads = declared_reads(rule, tool.definition if tool else None)
        found = _Origins(reads, reads or reads_by_name(call.name, call.arguments))
        if args is None or (rule is not None and not rule.provenance):
            return found
        annotations = tool.annotations if tool else Annotations(None)

        def marked(path: tuple[str | int, ...]) -> bool | None:
            known = argument_rule(rule, path)
            return known.entity if known else None

        lost: list[CallError] = []
        for entity in entities_of(call.name, args, annotations, marked):
            if isinstance(entity, Created):
                found.created += (entity.value,)
                continue
            verdict = self._provenance.check(call.name, entity)
            if isinstance(verdict, ProvenanceRecord):
                found.origins += (verdict,)
                continue
            if found.looking and entity.kind in LOOKED_FOR:
                found.looked_for += (entity.value,)
            if reads and entity.kind in LOOKED_FOR:
                found.remarks += (f"`{entity.value}` was never mentioned; the tool only reads",)
            else:
                lost.append(verdict)
        if lost and self._unread:
            values = ", ".join(f"`{error.got}`" for error in lost)
            found.unread = (
                f"{values}: not found, but {self._unread} parts of the run could not be read",
            )
        else:
            found.lost = tuple(lost)
        return found


@dataclass(slots=True)
class _Origins:
    """What came of looking for where the arguments of one call are from."""

    reads: bool
    """By the tool's declaration or the policy."""
    looking: bool
    """By its name at the least."""
    origins: tuple[ProvenanceRecord, ...] = ()
    created: tuple[str, ...] = ()
    looked_for: tuple[str, ...] = ()
    """Where a reading call looks: known once something is found there."""
    lost: tuple[CallError, ...] = ()
    remarks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


class _Tool:
    """A declared tool, its schema compiled."""

    def __init__(self, definition: ToolDefinition, lenient: bool) -> None:
        self.definition = definition
        self.annotations = Annotations(definition.input_schema)
        self.note = ""
        self._validator: ArgumentValidator | None = None
        if definition.input_schema is None:
            self.note = "the tool declares no schema: schema not checked"
            return
        try:
            self._validator = ArgumentValidator(definition)
        except SchemaError as error:
            if not lenient:
                raise
            self.note = f"schema not checked: {error}"

    def errors(self, args: JsonValue) -> tuple[CallError, ...]:
        return self._validator.errors(args) if self._validator else ()


class _Checked(NamedTuple):
    """What later messages need to know of a call."""

    tool: str
    rejected: bool
    created: tuple[str, ...]
    looked_for: tuple[str, ...]
    arguments: JsonValue


def _signature(call: ToolCallPart) -> str:
    return f"{call.name}\n{json.dumps(call.arguments, sort_keys=True, default=str)}"


def _remarks(tool: _Tool | None, args: dict[str, JsonValue] | None) -> list[str]:
    if tool is None or args is None or not (extra := tool.annotations.undeclared(args)):
        return []
    named = ", ".join(f"`{name}`" for name in extra)
    return [f"{named}: not declared by the tool, whose schema allows it"]


def _repeated(tool: str) -> CallError:
    return CallError(
        kind="repeated_call",
        message=f"the same call of {tool} was rejected before; change it as described, or do without",
        expected="a different call",
    )


def _unknown_tool(name: str, tools: list[str]) -> CallError:
    close = nearest_tool(name, tools)
    message = f"there is no tool `{name}`"
    if close:
        message += f"; did you mean `{close}`?"
    elif tools:
        message += f"; the tools are {', '.join(tools[:12])}{'…' if len(tools) > 12 else ''}"
    return CallError(
        kind="unknown_tool", message=message, expected="a declared tool", got=name, suggestion=close
    )


def nearest_tool(name: str, tools: list[str]) -> str | None:
    """The declared tool that was most likely meant: spelling, word order and prefixes aside."""
    plain = {"".join(words(tool)): tool for tool in tools}
    wanted = "".join(words(name))
    for text, tool in plain.items():
        if text and wanted and (wanted.endswith(text) or text.endswith(wanted)):
            return tool
    sorted_words = {" ".join(sorted(words(tool))): tool for tool in tools}
    close = difflib.get_close_matches(wanted, list(plain), 1, 0.6)
    if close:
        return plain[close[0]]
    close = difflib.get_close_matches(" ".join(sorted(words(name))), list(sorted_words), 1, 0.6)
    return sorted_words[close[0]] if close else None


def _reportable(value: JsonValue) -> JsonValue:
    """Arguments that a report can hold: half a surrogate pair or NaN would keep it from being read."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError, TypeError):
        return "(arguments that are not JSON)"
    return value
