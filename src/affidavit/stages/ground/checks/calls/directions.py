"""Directions: what was switched on was not switched off, though both are the same kind of deed.

The call, the answer and a yes/no field each have a direction: ``set_auto_renew(enabled=true)`` bears out
that it was turned on, and never that it was turned off.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import records_of, words_of
from affidavit.ledger.words import content_stems

_SWITCHED = r"(?:turn|switch|toggl|flip|shut|power|put|set|opt|sign|tak|took|cross|struck|strik)\w*"
_ON = re.compile(
    rf"\b{_SWITCHED}(?: (?!off\b|out\b)[\w'’-]+){{0,5}}? (?:on|in|up)\b|\b(?:re-?)?(?:enabl|activat)\w+|\bresum\w+|\bunpaus\w+|\breopen\w*|\bunlock\w*|\bunmut\w+|\bunblock\w*|\bunfr[eo]\w+|\bsubscrib\w+|\bunarchiv\w+",
    re.I,
)
_OFF = re.compile(
    rf"\b{_SWITCHED}(?: (?!on\b|in\b)[\w'’-]+){{0,5}}? (?:off|out|down)\b|\b(?:disabl|deactivat|suspend)\w+|\bpaus\w+|\bclos(?:e|ed|es|ing)\b|\block\w*|\bmut(?:e|ed|es|ing)\b|\bblock\w*|\bfr(?:eeze|oze|ozen|eezes)\b|\bunsubscrib\w+|\barchiv\w+|\bstopp?\w*",
    re.I,
)
_ON_VALUES = frozenset(
    "on enabled enable active activated open unlocked yes true start resume".split()
)
_OFF_VALUES = frozenset(
    "off disabled disable inactive deactivated closed locked no false stop paused pause suspended".split()
)
_FLAGS = frozenset(
    "enabled enable active activated on open value state status mode flag power subscribed opted armed enrolled".split()
)


def direction(text: str) -> bool | None:
    """Whether something was switched on (True) or off (False); None where a text says neither, or both."""
    on, off = bool(_ON.search(text)), bool(_OFF.search(text))
    return None if on == off else on


def is_opposite(entry: CallEntry, text: str) -> bool:
    """Whether a call switched the other way than a text says."""
    said = direction(text)
    if said is None:
        return False
    called = _direction_of(entry, content_stems(text))
    return called is not None and called is not said


def _direction_of(entry: CallEntry, said: frozenset[str]) -> bool | None:
    named = direction(words_of(entry.call.name))
    return argument_direction(entry, said) if named is None else named


def argument_direction(entry: CallEntry, said: frozenset[str]) -> bool | None:
    """Which way the arguments of a call switch what is told of in these stems."""
    for record in records_of(entry.call.arguments):
        for cell in record.cells:
            if not (_FLAGS & set(cell.key.split()) or said & content_stems(cell.key)):
                continue
            if isinstance(cell.raw, bool):
                return cell.raw
            if cell.text.casefold() in _ON_VALUES:
                return True
            if cell.text.casefold() in _OFF_VALUES:
                return False
    return None
