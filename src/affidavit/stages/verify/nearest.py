"""The known value nearest to one that is not: what the model most likely meant."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice

from affidavit.stages.verify.entities import Entity
from affidavit.stages.verify.fold import canonical_url, fold
from affidavit.stages.verify.known import KnownValues, Place, shape

_TRIED = 48
_FLOOR = 0.6


def nearest(known: KnownValues, entity: Entity) -> str | None:
    """``ORD-88213` was returned by list_orders``, or None where nothing is near.

    Only values of the same shape, host or domain are compared, the latest first, so that a rejection
    costs no more than an acceptance.
    """
    wanted = fold(entity.value)
    best: tuple[float, str, Place] | None = None
    for text, place in _candidates(known, entity, wanted):
        score = _similarity(wanted, fold(text))
        if score >= _FLOOR and (best is None or score > best[0]):
            best = (score, text, place)
    return f"`{best[1]}` {_said_by(known, best[2])}" if best else None


def _candidates(
    known: KnownValues, entity: Entity, wanted: str
) -> Iterator[tuple[str, Place]]:
    kind = f"id:{shape(wanted)}" if entity.kind in ("id", "value", "handle") else entity.kind
    pool = known.candidates.get(kind, {})
    if entity.kind == "handle":
        pool = {**pool, **known.candidates.get("handle", {})}
    tried = islice(((t, pool[t]) for t in reversed(pool)), 8 * _TRIED)
    if entity.kind == "url" and (url := canonical_url(wanted)):
        tried = (pair for pair in tried if url.host in fold(pair[0]))
    return islice((pair for pair in tried if abs(len(pair[0]) - len(wanted)) <= 12 + len(wanted) // 2), _TRIED)


def _similarity(a: str, b: str) -> float:
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _FLOOR else 0.0


def _said_by(known: KnownValues, place: Place) -> str:
    speaker = known.speaker(place)
    match speaker.kind:
        case "tool_result":
            return f"was returned by {speaker.tool}" if speaker.tool else "was returned by a tool"
        case "user":
            return "was given by the user"
        case "system":
            return "stands in the system prompt"
        case "tool_definition":
            return f"is listed by {speaker.tool}"
        case _:
            return "was said by the assistant"
