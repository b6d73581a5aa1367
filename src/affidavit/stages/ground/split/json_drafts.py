"""Drafts for the leaves of a JSON answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from affidavit.report import ClaimKind
from affidavit.stages.ground.split.above import is_exempt, is_fragment
from affidavit.stages.ground.split.asking import ASKING_KEY, PROPOSING_KEY
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.json_leaves import Leaf, raw_offsets, spoken
from affidavit.stages.ground.split.kinds import EXEMPT, kind_of, presumes
from affidavit.stages.ground.split.phrases import (
    ABSENT_CELL,
    CARRIED_OUT,
    CODED_DEED,
    CODED_DONE,
    CODED_READING,
    CODED_SUCCESS,
)

# A string this long, or of several lines, is prose that happens to travel in JSON.
_PROSE_WORDS = 8
_SENTENCE_WORDS = 4
# "charged to your card" is said of something; "Guide to the City" is a title.
_FUNCTION_WORD = re.compile(r"\b(?:to|the|your|by|with|for|is|are|was|were|be|been|will)\b")
_CODE = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+)+")
# What an envelope says of the conversation itself: "status": "awaiting_confirmation".
_AWAITING = re.compile(
    r"(?:ready|await\w*|waiting|pending|needs?|requires?|requesting|asking)(?: (?:for|more|user|customer|your|the|further|additional|on|to))*"
    r" (?:confirm\w*|info\w*|details?|approval|input|user|customer|verif\w*|clarif\w*|answer|reply|response|choice|selection)",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"\s*(?:e\.g\.|eg\b|for example|for instance|such as|like\b)", re.IGNORECASE)


def leaf_drafts(
    answer: str, found: Iterable[Leaf], prose: Callable[[str], Iterator[Draft]]
) -> Iterator[Draft]:
    """One draft for each leaf; the claims inside it for a leaf that is prose, read by ``prose``."""
    for leaf in found:
        if isinstance(leaf.value, str) and _is_prose(leaf.value):
            drafts = list(_inside(answer, leaf, prose(leaf.value)))
            if drafts:
                yield replace(drafts[0], start=leaf.start, values_from=leaf.value_start)
                yield from drafts[1:]
                continue
        yield _leaf(answer, leaf)


def _is_prose(value: str) -> bool:
    words = len(value.split())
    sentence = words >= _SENTENCE_WORDS and value.rstrip()[-1:] in ".!?"
    sentence = sentence and kind_of(value, alone=False).kind not in EXEMPT
    phrase = words >= _SENTENCE_WORDS and value[:1].islower() and bool(_FUNCTION_WORD.search(value))
    return words >= _PROSE_WORDS or sentence or phrase or ("\n" in value and " " in value)


def _inside(answer: str, leaf: Leaf, drafts: Iterator[Draft]) -> Iterator[Draft]:
    """``drafts`` of the decoded string, moved to where their characters are written."""
    asking = _keyed(leaf, ASKING_KEY)
    at = raw_offsets(answer, leaf.value_start, leaf.end)
    for draft in drafts:
        # The last character may be written as an escape: up to where the next one begins.
        draft = replace(draft, start=at[draft.start], end=at[draft.end])
        asked = asking and not is_exempt(draft) and is_fragment(draft)
        yield replace(draft, kind="offer", presumes=presumes(draft.said)) if asked else draft


def _leaf(answer: str, leaf: Leaf) -> Draft:
    value = leaf.value
    kind: ClaimKind | None = None
    draft = Draft(
        leaf.start,
        leaf.end,
        statement=f"{leaf.label}: {value}" if leaf.label else str(value),
        said=str(value),
        context=leaf.owner,
        alone=False,
        json_path=leaf.path,
        values_from=leaf.value_start,
    )
    if isinstance(value, str) and _is_heading(leaf):
        return replace(draft, kind="greeting")
    deed = (
        f"{spoken(str(leaf.path[-1])).removesuffix('status').strip()} {value}" if leaf.path else ""
    )
    if CARRIED_OUT.fullmatch(deed):
        return replace(draft, kind="action", values_from=leaf.end)
    written = answer[leaf.start : leaf.end]
    top = len(leaf.path) == 1
    if (
        CODED_READING.search(written)
        or CODED_SUCCESS.search(written)
        and (top or "status" not in written)
    ):
        return replace(draft, kind="action", values_from=leaf.end)
    if isinstance(value, str):
        text = value
        words = value.replace("_", " ") if _CODE.fullmatch(value) else value
        said = kind_of(words, alone=False).kind
        whole = value.removesuffix("\n")
        sentence = whole.endswith((".", "!", "?")) and bool(re.search(r"\s", whole))
        operation = leaf.path and leaf.path[-1] in _OPERATION_KEYS and CODED_DEED.fullmatch(words)
        if operation:
            kind = "plan" if _keyed(leaf, PROPOSING_KEY) else "action"
            return replace(draft, kind=kind, values_from=leaf.end)
        if _EXAMPLE.match(value):
            kind = "offer"
        elif len(leaf.path) == 1 and _AWAITING.fullmatch(words):
            return replace(draft, kind="plan", values_from=leaf.end)
        elif CARRIED_OUT.fullmatch(words) or (words != value and CODED_DONE.fullmatch(words)):
            return replace(draft, kind="action", values_from=leaf.end)
        elif not value.strip() or ABSENT_CELL.match(value.strip()):
            kind = "absence"
        elif not (sentence and said in EXEMPT) and said not in ("action", "absence"):
            kind = "fact"
    elif value is None or value == [] or value == {}:
        text, kind = "none" if value is None else "empty", "absence"
    else:
        # As it is written: 4176.00 stays 4176.00.
        text, kind = answer[leaf.value_start : leaf.end], "fact"
    if kind == "fact" and _keyed(leaf, PROPOSING_KEY):
        kind = "plan"
    elif kind == "fact" and isinstance(value, str) and _keyed(leaf, ASKING_KEY):
        kind = "offer"
    return replace(
        draft,
        statement=f"{leaf.label}: {text}" if leaf.label else text,
        said=text,
        kind=kind,
        presumes=kind == "plan" or kind == "offer" and presumes(text),
    )


def _is_heading(leaf: Leaf) -> bool:
    """Whether a leaf only heads what stands beside it: "topic": "Order with the camera"."""
    titled = leaf.path and str(leaf.path[-1]).lower() in _HEADING_KEYS
    return bool(titled) and not re.search(r"\d", str(leaf.value)) and " " in str(leaf.value)


_OPERATION_KEYS = frozenset({"type", "action", "operation", "change", "tool"})
_HEADING_KEYS = frozenset({"topic", "heading", "section", "subject", "header"})


def _keyed(leaf: Leaf, pattern: re.Pattern[str]) -> bool:
    """Whether a key above the leaf asks or plans; its own does not where it names what is planned."""
    keys = leaf.path[:-1] if pattern is PROPOSING_KEY else leaf.path
    return any(isinstance(key, str) and pattern.search(spoken(key)) for key in keys)
