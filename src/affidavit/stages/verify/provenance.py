"""Where each entity among a call's arguments came from, or the finding that it came from nowhere.

A value may come from the user, the system prompt, an earlier result, what a tool's declaration lists,
or an allowlist: equal after normalisation, as a part of a known value, or composed of known parts.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from affidavit.policy import ArgumentRule, Policy, ToolRule
from affidavit.report import CallError, ProvenanceRecord
from affidavit.stages.verify.annotations import Path
from affidavit.stages.verify.entities import Entity, Kind
from affidavit.stages.verify.fold import canonical_path, canonical_url, compact, digits, fold
from affidavit.stages.verify.known import KnownValues
from affidavit.stages.verify.place import Place
from affidavit.stages.verify.schema_errors import pointer

_ATOM = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_DIGITS = re.compile(r"\d{4,}")
_BETWEEN = tuple("-.,:/")
_SHOWN = 60
_NOUNS: dict[Kind, str] = {
    "url": "a URL",
    "email": "an e-mail address",
    "phone": "a phone number",
    "handle": "a handle",
    "path": "a path",
    "id": "an identifier",
    "value": "a value",
}


class Provenance:
    """Checks entities against what is known, under a policy's rules."""

    def __init__(self, known: KnownValues, policy: Policy) -> None:
        self._known = known
        self._allow = _patterns(policy.allow)
        self._rules = {name: _Rule(rule) for name, rule in policy.tools.items()}

    def rule(self, tool: str) -> ToolRule | None:
        found = self._rules.get(tool)
        return found.rule if found else None

    def check(self, tool: str, entity: Entity) -> ProvenanceRecord | CallError:
        where = pointer(entity.path)
        if rule := self._allowed(tool, entity):
            return ProvenanceRecord(path=where, value=entity.value, rule=rule)
        found = _FINDERS[entity.kind](self._known, entity.value)
        if found is None and entity.kind not in ("id", "value"):
            found = _verbatim(self._known, entity.value, entity.kind)
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
        rule = self._rules.get(tool)
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

Found = tuple[Place, str] | None


def _verbatim(known: KnownValues, value: str, kind: Kind = "value") -> Found:
    place = known.find(fold(value), _EDGES.get(kind, _free))
    return (place, "seen") if place else None


def _known_url(known: KnownValues, value: str) -> Found:
    url = canonical_url(value)
    if url is None:
        return None
    whole = f"{url.place}?{url.query}" if url.query else url.place
    if place := known.url(whole):
        return place, "seen"
    if url.local:
        return None
    if (place := known.url(url.place)) and url.query:
        return (
            (place, "known address, known parameters") if _plain_query(known, url.query) else None
        )
    return _composed_url(known, url.place)


def _plain_query(known: KnownValues, query: str) -> bool:
    """Whether parameters added to a known address are words and counts, or known."""
    for _, value in parse_qsl(query, keep_blank_values=True):
        coded = (any(c.isdigit() for c in value) and len(value) > 3) or "://" in value
        if coded and known.find(value, _free) is None:
            return False
    return True


def _composed_url(known: KnownValues, place: str) -> Found:
    """A known address followed by a path that was returned by itself (``/docs/x``, ``x.html``), or
    by identifiers that are known (``/orders/`` + ``ORD-88213``)."""
    head, slash, tail = place.partition("/")
    while slash:
        base = known.url(head)
        if base is None:
            return None
        if relative := known.find("/" + tail, _whole_path):
            return relative, "known path on a known host"
        segments = tail.split("/")
        if all(_coded(s) and known.find(s, _free) for s in segments):
            return base, "known address with known identifiers"
        if "." in tail and (relative := known.find(tail, _whole_path)):
            return relative, "known name under a known address"
        step, slash, tail = tail.partition("/")
        head = f"{head}/{step}"
    return None


def _known_path(known: KnownValues, value: str) -> Found:
    path = canonical_path(value)
    if place := known.path(path) or known.find(path, _EDGES["path"]):
        return place, "seen"
    return _composed_path(known, path)


def _composed_path(known: KnownValues, path: str) -> Found:
    """A known folder followed by names that were listed by themselves: ``src`` + ``main.py``."""
    steps = path.lstrip("/").split("/")
    for cut in range(len(steps) - 1, 0, -1):
        folder, rest = "/".join(steps[:cut]), "/".join(steps[cut:])
        listed = known.find(rest, _whole_path)
        if listed is None:
            continue
        rooted = "/" + folder if path.startswith("/") else folder
        if (
            known.path(rooted)
            or known.find(rooted, _EDGES["path"])
            or _composed_path(known, rooted)
        ):
            return listed, "known name in a known folder"
    return None


def _known_id(known: KnownValues, value: str) -> Found:
    folded = fold(value).strip("\"'`")
    edges = _alone if folded.isdigit() and len(folded) <= 3 else _free
    bare = folded.lstrip("#@")
    for text in (folded, bare) if bare != folded else (folded,):
        if place := known.find(text, edges):
            return place, "seen"
    if len(joined := compact(folded)) >= 4 and (
        place := known.compacted(joined) or known.find(joined, _free)
    ):
        return place, "seen, written differently"
    if place := known.hash(folded):
        return place, "beginning of a known hash"
    if not any(c.isdigit() for c in folded):
        return _same_words(known, folded)
    return _number_from_user(known, folded)


def _same_words(known: KnownValues, folded: str) -> Found:
    """``acme-corp`` where the user wrote "Acme Corp"."""
    atoms = _ATOM.findall(folded)
    if len(atoms) < 2:
        return None
    pattern = re.compile(r"[\W_]{1,3}".join(map(re.escape, atoms)))
    place = next(known.search(atoms, pattern), None)
    return (place, "seen, written differently") if place else None


def _number_from_user(known: KnownValues, folded: str) -> Found:
    """``ORD-88213`` where the user said "order 88213": the rest is how the tool writes its numbers.
    Only a number that stood alone: ``gift_card_2378156`` does not supply ``paypal_2378156``."""
    numbers = _DIGITS.findall(folded)
    if len(numbers) != 1 or len(digits(folded)) != len(numbers[0]):
        return None
    place = known.find(numbers[0], _unprefixed)
    if place is None or known.speaker(place).kind not in ("user", "system"):
        return None
    return place, "number given by the user"


def _known_phone(known: KnownValues, value: str) -> Found:
    number = digits(value)
    place = known.phone(number) or known.find(number, _free)
    return (place, "seen") if place else None


def _known_email(known: KnownValues, value: str) -> Found:
    folded = fold(value).removeprefix("mailto:")
    if place := known.find(folded, _EDGES["email"]):
        return place, "seen"
    spoken = folded.replace("@", " at ").replace(".", " dot ")
    place = known.find(spoken, _free) or known.find(folded.replace("@", "%40"), _free)
    return (place, "seen, written differently") if place else None


def _known_handle(known: KnownValues, value: str) -> Found:
    return _known_id(known, value.lstrip("@"))


_FINDERS = {
    "url": _known_url,
    "email": _known_email,
    "phone": _known_phone,
    "handle": _known_id,
    "path": _known_path,
    "id": _known_id,
    "value": _known_id,
}


def _coded(segment: str) -> bool:
    return any(c.isdigit() for c in segment)


def _joins(edge: str, neighbour: str) -> bool:
    """Whether two characters belong to one word. Scripts are told apart: 订单ORD is two."""
    return neighbour.isalnum() and edge.isalnum() and neighbour.isascii() == edge.isascii()


def _free(text: str, start: int, end: int) -> bool:
    left = start > 0 and _joins(text[start], text[start - 1])
    right = end < len(text) and _joins(text[end - 1], text[end])
    return not left and not right


def _alone(text: str, start: int, end: int) -> bool:
    """A short number on its own: not a part of 12.50, 10:12 or 2026-03-12."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    left = before[-1:] in _BETWEEN and before[:1].isdigit() and len(before) == 2
    right = after[:1] in _BETWEEN and after[1:].isdigit()
    return not left and not right and _free(text, start, end)


def _unprefixed(text: str, start: int, end: int) -> bool:
    """A number that does not already belong to another code: not that of gift_card_2378156."""
    return text[max(0, start - 1) : start] not in ("_", "-") and _alone(text, start, end)


def _name_edges(text: str, start: int, end: int) -> bool:
    """Edges of a URL, an address or a path: ``a.b`` does not stand in ``x-a.b`` or in ``a.b.c``."""
    if not _free(text, start, end):
        return False
    if start > 0 and text[start - 1] in "-_.+%" and text[start].isalnum():
        return False
    after = text[end : end + 2]
    return not (after[:1] in ("-", "_") or (after[:1] in (".", "@") and after[1:].isalnum()))


def _whole_path(text: str, start: int, end: int) -> bool:
    """A path on its own, not the tail of a longer one."""
    return _name_edges(text, start, end) and not (start > 0 and text[start - 1] in "/\\")


_EDGES = {"url": _name_edges, "email": _name_edges, "path": _name_edges}
