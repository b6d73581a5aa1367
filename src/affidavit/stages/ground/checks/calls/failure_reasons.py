"""Reasons: what a failed call answered, told in other words.

"The mailbox's authorization has run out" of ``401 invalid_token: mailbox authorization has expired``. A
reason that the call did not give, "because of maintenance", is not borne out by its having failed.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, is_negated, named_in

_NOT = r"(?:\bnot|n['’]t|\bno longer|\bnever|\bunable to|\bfail(?:s|ed|ing)? to|\bcannot)"
_FAMILIES = (
    # out of reach
    (
        rf"\bunavailable\b|\bunreachable\b|\boffline\b|\b(?:is|are|was|were|be|been|went|gone) (?:currently |temporarily |still )?down\b|\bout of (?:service|order|reach)\b|\bunresponsive\b|\bno (?:response|answer|reply|connection)\b"
        rf"|{_NOT}(?: be| been| being| currently| available| to)*[ -](?:available|reachable|reached?|reach|respond\w*|answer\w*|repl(?:y|ied|ying)|connect\w*|contacted|online|up)\b"
        r"|\bdisconnected\b|\b50[23]\b|\bECONN\w+|\bconnection (?:refused|reset|lost|closed|failed|error)|\bhost unreachable\b|\bDeviceOffline\b"
    ),
    # too slow
    r"\btim(?:ed|es|ing)[ -]?out\b|\btime-?outs?\b|\btook too long\b|\btoo slow\b|\bdeadline[ _]exceeded\b|\b(?:408|504)\b|\b(?:did ?n['’]t|did not|never) (?:respond|answer|finish|reply|come back) (?:in time|within)",
    # over
    rf"\bexpire[ds]?\b|\bexpiry\b|\blapsed\b|\b(?:has|have|had) run out\b|\bran out\b|{_NOT} valid any ?more\b|\bno longer valid\b|\bout[ -]of[ -]date\b|\bstale\b|\bended\b",
    # no right to it
    (
        rf"\bdenied\b|\bforbidden\b|\brefus\w+\b|\bunauthori[sz]ed\b|\bblocked\b|\bnot? (?:have )?(?:enough |sufficient |the )?(?:permissions?|access|rights?|privileges?|authori[sz]ation)\b"
        rf"|{_NOT}(?: \w+)?? (?:allowed|permitted|authori[sz]ed|entitled|cleared)\b|\b(?:lacks?|lacking|missing|without|need\w*|insufficient|requires?)(?: \w+)?? (?:permissions?|access|rights?|privileges?|scopes?|roles?)\b"
        rf"|{_NOT} have (?:\w+ )?(?:permissions?|access|rights?)\b|\b(?:401|403)\b|\bpermission[ _]denied\b|\baccess[ _]denied\b"
    ),
    # not there
    rf"\bnot[ _]found\b|\bdoes(?: not|n['’]t) exist\b|\bno such\b|\bunknown\b|\bmissing\b|\b(?:404|410)\b|\bnon-?existent\b|{_NOT}(?: \w+)?? (?:find|found|exist|recogni[sz]ed?|registered|known)\b|\bNoSuch\w+",
    # too many
    r"\brate[ _-]?limit\w*\b|\btoo many (?:requests|attempts|calls|queries)\b|\bquota\b|\bthrottl\w+|\b429\b|\b(?:hit|reached|exceeded|over|past)(?: \w+){0,2}? limits?\b|\blimits?(?: \w+){0,2}? (?:reached|exceeded|hit)\b",
    # wrong as it was put
    rf"\binvalid\w*\b|\bmalformed\b|{_NOT}(?: a)? valid\b|\bunsupported\b|\bnot supported\b|\bbad request\b|\b(?:400|422)\b|\bcould ?n['’]t be (?:read|parsed|understood)\b|\bcould not be (?:read|parsed|understood)\b",
    # declined
    r"\bdeclined\b|\brejected\b|\bturned down\b|\brefused\b|\bnot accepted\b",
    # held by somebody else
    r"\blocked\b|\bin use\b|\bbusy\b|\bconflict\w*\b|\b(?:409|423)\b|\bheld by\b",
    # already so
    r"\balready\b",
    # full or short of something
    r"\binsufficient\b|\bnot enough\b|\btoo (?:little|few|low)\b|\bout of (?:memory|space|disk|stock|funds)\b|\bfull\b|\bshort of\b|\bno space\b|\bexhausted\b",
    # being worked on
    r"\b(?:(?:under|in|down for|scheduled|planned|because of|due to) )?maintenance\b(?: mode| work| window)?|\bread[- ]only\b|\bbeing (?:upgraded|updated|migrated|serviced|repaired|rebuilt)\b",
    # broken inside
    r"\binternal (?:server )?error\b|\bcrash\w*\b|\b500\b|\bserver[ -](?:side )?error\b|\bunexpected error\b|\bexception\b",
)
"""What can be wrong, each in the words of tools and of people; a claim and a call tell the same where both
match one."""
_REASONS = tuple(re.compile(pattern, re.I) for pattern in _FAMILIES)
_FAILED = re.compile(
    r"\bfail\w*\b|\berrors?\b|\bproblems?\b|\btrouble\b|\bissues?\b|\bwent wrong\b|\bgone wrong\b|\bdid(?:n['’]t| not) (?:work|succeed|go through|get through|come through|make it)\b",
    re.I,
)
"""That a call failed, whatever the reason."""
_OF_CALLS = content_stems(
    "lookup look request call calls query search check attempt attempts tool system service server api endpoint interface backend "
    "message code status response reply answer connection website site page returned return returns came come back gave give got get "
    "getting says said saying told reported reports with while when moment now currently time right just present temporarily again still "
    "unfortunately sorry afraid reason what there here because since due http https able our side end try trying tried run running "
    "sent send made been rate limit us after minute second wait data information result results request feed need needed required"
)
"""Words for calls and for telling of them, which name no reason."""
_BECAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|on account of|as a result of|thanks to)\s+(?P<reason>.+)$",
    re.I | re.S,
)


def in_its_words(text: str, entry: CallEntry) -> bool:
    """Whether a text says nothing but what a sentence of a failed call's answer says, in its words."""
    said = content_stems(text)
    answer = entry.result.text[:4000].replace("_", " ").replace("-", " ") if entry.result else ""
    return len(said) >= _LEAST_SAID and any(
        said <= content_stems(part) and is_negated(part) == is_negated(text)
        for part in re.split(r"(?<=[.!?])\s|[;\n]|:\s", answer)
    )


_LEAST_SAID = 2


def reason_told(text: str) -> str | None:
    """What a text gives as the reason of something, None where it gives none."""
    because = _BECAUSE.search(text)
    return because["reason"] if because else None


def is_told_by(text: str, entry: CallEntry, asked: str) -> bool:
    """Whether all that a text says went wrong is what a failed call answered; ``asked`` are the words of the
    question, which may name the thing."""
    answer = entry.result.text[:4000] if entry.result else ""
    answer = answer.replace("_", " ") + " " + answer
    plain = text.replace("’", "'").replace("can't", "can not").replace("n't", " not")
    said = [reason for reason in _REASONS if reason.search(plain)]
    if not said and not _FAILED.search(plain):
        return False
    if not all(reason.search(answer) for reason in said):
        return False
    rest = plain
    for pattern in (*said, _FAILED):
        rest = pattern.sub(" ", rest)
    if is_negated(rest):
        return False  # "has not failed"
    known = content_stems(f"{answer} {words_of(entry.call.name)} {entry.call.arguments} {asked}")
    left = content_stems(rest) - _OF_CALLS
    return named_in(left, known) == left
