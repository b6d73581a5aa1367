"""Where each entity among a call's arguments came from, or the finding that it came from nowhere.

A value may come from the user, the system prompt, an earlier result, what a tool's declaration lists,
or an allowlist: equal after normalisation, as a part of a known value, or composed of known parts.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from affidavit.policy import ArgumentRule, Policy, ToolRule
from affidavit.report import CallError, ProvenanceRecord
from affidavit.stages.verify.entity import Entity, Kind
from affidavit.stages.verify.finders import FINDERS, verbatim
from affidavit.stages.verify.fold import digits, fold
from affidavit.stages.verify.known import KnownValues
from affidavit.stages.verify.leaves import Path
from affidavit.stages.verify.schema_errors import pointer

_SHOWN = 60
_NOUNS: dict[Kind, str] = {
    "url": "a URL",
    "email": "an e-mail address",
    "phone": "a phone number",
    "handle": "a handle",
    "path": "a path",
    "id": "an identifier",
    "value": "a value",
    "date": "a date",
    "person": "a name",
}


class Provenance:
    """Checks entities against what is known, under a policy's rules."""

    def __init__(self, known: KnownValues, policy: Policy) -> None:
        self._known = known
        self._allow = _patterns(policy.allow)
        self._rules = {name: _Rule(rule) for name, rule in policy.tools.items()}
        self._patterns = [name for name in self._rules if "*" in name]

    def rule(self, tool: str) -> ToolRule | None:
        found = self._of(tool)
        return found.rule if found else None

    def _of(self, tool: str) -> _Rule | None:
        """The rule under the tool's own name, or else under the longest pattern that fits it."""
        exact = self._rules.get(tool)
        fitting = (name for name in self._patterns if fnmatchcase(tool, name))
        return exact or self._rules.get(max(fitting, key=len, default=""))

    def check(self, tool: str, entity: Entity) -> ProvenanceRecord | CallError:
        where = pointer(entity.path)
        if rule := self._allowed(tool, entity):
            return ProvenanceRecord(path=where, value=entity.value, rule=rule)
        if entity.kind == "person" and self._known.in_other_script():
            return ProvenanceRecord(
                path=where, value=entity.value, rule="spelled in another script"
            )
        found = FINDERS[entity.kind](self._known, entity.value)
        if found is None and entity.kind not in ("id", "value"):
            found = verbatim(self._known, entity.value, entity.kind)
        if found is None:
            return self._missing(entity, where)
        place, how = found
        return ProvenanceRecord(
            path=where, value=entity.value, origin=self._known.span(place), rule=how
        )

    def _allowed(self, tool: str, entity: Entity) -> str:
        value = fold(entity.value)
        if any(pattern.fullmatch(value) for pattern in self._allow):
            return "policy.allow"
        rule = self._of(tool)
        if rule is None:
            return ""
        if any(pattern.fullmatch(value) for pattern in rule.allow):
            return f"policy.tools.{tool}.allow"
        dotted = dotted_name(entity.path)
        if any(pattern.fullmatch(value) for pattern in rule.arguments.get(dotted, ())):
            return f"policy.tools.{tool}.arguments.{dotted}.allow"
        return ""

    def _missing(self, entity: Entity, where: str) -> CallError:
        close = _nearest(self._known, entity)
        message = f"`{_clipped(entity.value)}` was never seen"
        if close:
            message += f"; {close}"
        return CallError(
            kind="provenance",
            path=where,
            message=message,
            expected=f"{_NOUNS[entity.kind]} given by the user or the system prompt, "
            "or returned by an earlier call",
            got=entity.value,
            suggestion=close,
        )


class _Rule:
    def __init__(self, rule: ToolRule) -> None:
        self.rule = rule
        self.allow = _patterns(rule.allow)
        self.arguments = {name: _patterns(arg.allow) for name, arg in rule.arguments.items()}


def dotted_name(path: Path) -> str:
    """The key of an argument in a policy: ``address.zip``; items of a list share their list's."""
    return ".".join(step for step in path if isinstance(step, str))


def argument_rule(rule: ToolRule | None, path: Path) -> ArgumentRule | None:
    return rule.arguments.get(dotted_name(path)) if rule and rule.arguments else None


def _patterns(allow: tuple[str, ...]) -> list[re.Pattern[str]]:
    return [re.compile(re.escape(fold(p)).replace(r"\*", ".*"), re.S) for p in allow]


def _nearest(known: KnownValues, entity: Entity) -> str | None:
    """ "`ORD-88213` was returned by list_orders", or None where nothing is near."""
    if entity.kind in ("date", "person"):
        return None  # a birth date that resembles another is no better known
    kind = "id" if entity.kind == "value" else entity.kind
    wanted = fold(digits(entity.value) if kind == "phone" else entity.value)
    place = known.near.nearest(kind, wanted)
    if place is None and kind == "handle":
        place = known.near.nearest("id", wanted.lstrip("@"))
    if place is None:
        return None
    speaker = known.speaker(place)
    said = _SAID[speaker.kind].format(speaker.tool or "a tool")
    return f"`{_clipped(known.text_of(place))}` {said}"


def _clipped(value: str) -> str:
    """A long token's two ends: enough to recognise it by."""
    return value if len(value) <= _SHOWN else f"{value[:40]}…{value[-12:]}"


_SAID = {
    "tool_result": "was returned by {}",
    "user": "was given by the user",
    "system": "stands in the system prompt",
    "tool_definition": "is listed by {}",
    "assistant": "was said by the assistant",
}
