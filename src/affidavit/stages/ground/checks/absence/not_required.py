"""What the agent does not need: "photos aren't required for me to submit the request", over what its tools take.

That no tool, no rule and no result speaks of photos bears it out; a tool that asks for them contradicts it. What
others may ask for, a passport at the border, can be read from no tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.calls.deeds import READS, same_deed
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.trace import ToolDefinition

NAME = "not_required"

_NEEDED = r"(?:required|needed|necessary|mandatory|obligatory)"
_UNNEEDED = re.compile(
    rf"(?P<what>[^.;:,\"]{{3,70}}?) (?:is|are)(?: not|n['’]t) (?:\w+ly )?{_NEEDED} (?:for (?P<who>me|us) )?to (?P<deed>\w+)"
    rf"|\b(?P<i>I|we) (?:do not|don['’]t) (?:need|require) (?P<what2>[^.;:,]{{3,60}}?) (?:from you )?to (?P<deed2>\w+)"
    rf"|\bno (?P<what3>[^.;:,]{{3,40}}?) (?:is|are) {_NEEDED} (?:for (?P<who3>me|us) )?to (?P<deed3>\w+)",
    re.I,
)
_GENERIC = frozenset(map(stem, "submit start begin request place file make".split()))
_LIGHT = content_stems("any additional further extra other more proof copy")


def check_not_required(claim: Claim, context: GroundContext) -> Finding:
    """Look for a tool that takes, or a rule or a result that speaks of, what is said not to be needed."""
    said = _UNNEEDED.search(claim.text)
    tools = context.ledger.tools
    if claim.is_datum or said is None or not tools:
        return Finding.skip(NAME, "does not say that the agent needs no such thing")
    what = next(v for v in (said["what"], said["what2"], said["what3"]) if v)
    deed = stem(next(v for v in (said["deed"], said["deed2"], said["deed3"]) if v).lower())
    own = [tool for tool in tools if _does(tool, deed)]
    agents = any(said[who] for who in ("who", "who3", "i"))
    if not own or not (agents or deed in _GENERIC):
        return Finding.skip(NAME, "no tool does that")
    thing = content_stems(re.split(r"\b(?:of|for|from|with)\b", what)[0]) - _LIGHT
    if not thing:
        return Finding.skip(NAME, "names no thing")
    called = content_stems(claim.text)
    meant = [tool for tool in own if content_stems(words_of(tool.name)) & called - {deed}]
    for tool in meant or (own if len(own) == 1 else ()):
        for name in _required(tool):
            if named_in(thing, content_stems(words_of(name))) == thing:
                detail = f"{tool.name} takes {name}"
                return Finding(NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail)
    if any(thing & content_stems(text) for text in _texts(context)):
        return Finding.skip(NAME, "a tool, a rule or a result speaks of it")
    detail = f"no tool and no rule asks for {what.strip()}"
    return Finding(NAME, "checked", "supports", 0.88, None, detail)


def _does(tool: ToolDefinition, deed: str) -> bool:
    """Whether a tool changes something, and that deed or one of no name."""
    name = [stem(word) for word in words_of(tool.name).split()]
    reads = bool(name) and name[0] in READS
    return not reads and (deed in _GENERIC or any(same_deed(word) & {deed} for word in name))


def _required(tool: ToolDefinition) -> list[str]:
    required = (tool.input_schema or {}).get("required")
    return (
        [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    )


def _texts(context: GroundContext) -> Iterator[str]:
    """What was said and returned, but by the user, and what the tools take."""
    for passage in context.search.passages:
        if passage.source.kind != "user":
            yield passage.text
    for tool in context.ledger.tools or ():
        yield words_of(str(tool.input_schema))
