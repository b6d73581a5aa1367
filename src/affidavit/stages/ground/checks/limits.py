"""Limits: "I can't place new orders from here", held against what the agent's tools do.

The tools that were declared to the model are all that it can do. That none of them does such a thing
bears the sentence out; that one does proves nothing against it, since a rule may forbid its use here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.actions import READS, is_deed, same_deed
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.trace import ToolDefinition

NAME = "limits"

_UNABLE = re.compile(
    r"\b(?:I|we)\s?(?:(?:can['’]t|cannot|can not)|(?:['’]m|['’]re| am| are) (?:currently |also )?(?:not able|unable) to"
    r"|(?:do not|don['’]t) have (?:a|the) (?:way|tool|ability|option) to)"
    r"(?: (?:also|currently|directly|actually|personally|just))* (?P<deeds>\w+[^.;:]*)",
    re.I,
)
_LOOKED_UP_BY = re.compile(
    r"(?:locate|find|look up|search(?: for)?|retrieve|access|pull up) [^.;,]*?\b(?:by|with|from|using) (?:the |your |an? |just |only )*(\w+)",
    re.I,
)
"""What something is not looked up by: "I can't locate accounts by username alone"."""
_ALSO = re.compile(r"\b(?:or|nor|and)\s+(?:to )?(\w+)", re.I)
_NO_DEED = frozenset(
    stem(word)
    for word in "see tell confirm verify guarantee share provide say promise know find locate view access determine assist help "
    "discuss comment speak disclose reveal give recommend advise be do make have process handle proceed continue complete "
    "perform carry go start begin fulfil honour honor accept take allow".split()
)
"""Verbs that no tool is called by: what an agent does not see or know is for :mod:`.absence` to judge."""


def check_limits(claim: Claim, context: GroundContext) -> Finding:
    """Look for a tool that does what the agent says it cannot do."""
    said = _UNABLE.search(claim.text) or _UNABLE.search(claim.statement)
    tools = context.ledger.tools
    if said is None or not tools:
        return Finding.skip(NAME, "tells no limit of the agent's own, or no tools were declared")
    by = _LOOKED_UP_BY.match(said["deeds"])
    if by and not content_stems(by[1]) & _taken(tools):
        detail = f"none of the {len(tools)} tools takes a {by[1]}"
        return Finding(NAME, "checked", "supports", 0.88, None, detail, settles="all")
    first = said["deeds"].split()[0]
    verbs = {stem(first), *(stem(w) for w in _ALSO.findall(said["deeds"]) if is_deed(stem(w)))}
    if verbs & _NO_DEED:
        return Finding.skip(NAME, "what it cannot do takes no tool")
    names = [words_of(tool.name).split() for tool in tools]
    does = {stem(name[0]) for name in names if name}
    doable = [verb for verb in verbs if any(verb in same_deed(does_it) for does_it in does - READS)]
    if doable:
        return Finding.skip(NAME, f"a tool may {', '.join(sorted(doable))}")
    detail = f"none of the {len(tools)} tools does that"
    return Finding(NAME, "checked", "supports", 0.88, None, detail, settles="all")


def _taken(tools: Sequence[ToolDefinition]) -> frozenset[str]:
    """The words of what the tools are called and of what they take."""
    taken = [tool.name for tool in tools]
    for tool in tools:
        properties = (tool.input_schema or {}).get("properties")
        taken += properties if isinstance(properties, dict) else ()
    return content_stems(" ".join(words_of(name) for name in taken))
