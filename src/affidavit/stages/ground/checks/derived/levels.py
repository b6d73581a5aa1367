"""Counts of the lines of a log at one level: "there was one error" over a log with one ERROR line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value
from affidavit.ledger.words import stem
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

# A level as logs write it: in capitals or brackets, or as a field, "level=error"; not "error" in a sentence.
_LEVEL = re.compile(
    r"(?<![\w=/.-])(?P<loud>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|FATAL|SEVERE|ALERT)(?![\w=/.-])"
    r"|(?:\[|\b(?:level|lvl|severity)[\"']?\s?[=:]\s?[\"']?)"
    r"(?P<named>trace|debug|info|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe|alert)\b",
)
_HEAD = 100
"""How far into a line its level stands."""
_OF_NOUN = {
    stem("error"): ("ERR", "ERROR", "SEVERE"),
    stem("warning"): ("WARN", "WARNING"),
    stem("warn"): ("WARN", "WARNING"),
    stem("critical"): ("CRIT", "CRITICAL", "FATAL"),
    stem("fatal"): ("FATAL",),
    stem("notice"): ("NOTICE",),
}
_FEWEST = 2
"""Lines with a level that make a text a log."""


def levels(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The number of lines at the level that a count names, in each log."""
    if (noun := level_noun(value)) is None:
        return
    for lines in logs(context):
        at = lines_at(noun, lines)
        if at:
            spans = tuple(line.span() for line, _ in at[:3])
            formula = f"lines at {at[0][1]} = {len(at)}"
            result = number_like(value, Decimal(len(at)), value.unit)
            yield Derivation("count", result, formula, spans, exact=True)


def level_noun(value: Value) -> str | None:
    """The word of a count that names a level: "errors" of "two errors"; not of "error codes"."""
    noun = stem(value.unit.split(" ")[-1]) if value.kind == "number" and value.unit else ""
    return noun if noun in _OF_NOUN else None


def logs(context: GroundContext) -> list[list[tuple[Passage, str]]]:
    """The lines of each log among the results, with their levels."""

    def read() -> list[list[tuple[Passage, str]]]:
        found: dict[int, list[tuple[Passage, str]]] = {}
        for passage in context.search.passages:
            match = _LEVEL.search(passage.text[:_HEAD]) if is_result(passage) else None
            if match:
                level = (match["loud"] or match["named"]).upper()
                found.setdefault(passage.source.id, []).append((passage, level))
        return [lines for lines in found.values() if len(lines) >= _FEWEST]

    return context.search.once("log lines", read)


def lines_at(noun: str, lines: list[tuple[Passage, str]]) -> list[tuple[Passage, str]]:
    """The lines at the level that a noun names."""
    return [line for line in lines if line[1] in _OF_NOUN[noun]]
