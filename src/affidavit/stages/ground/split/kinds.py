"""What kind of statement a claim is, and so what it is held to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from affidavit.report import ClaimKind
from affidavit.stages.ground.split import asking, phrases
from affidavit.stages.ground.split.protect import protect

EXEMPT: frozenset[ClaimKind] = frozenset(
    {"greeting", "offer", "question", "opinion", "plan", "creative"}
)
Performer = Literal["", "agent", "unsaid"]


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind, who is said to have done an action, and whether an exempt claim takes for granted
    something with a value ("I can upgrade you for $99 a month")."""

    kind: ClaimKind
    performer: Performer = ""
    presumes: bool = False


# "Noah, I've found …", "and ", "Yes, …": what may stand before the words that tell the kind.
_BEFORE = re.compile(
    r"(?:\"[\w -]{1,60}\"\s*:\s*"  # the key of a JSON text that does not parse
    r"|\s*(?:and|but|so|or|yet|also)\b,?\s+"
    r"|\s*(?:yes|no|well|now|again|remember|unfortunately|currently|additionally|however|therefore|furthermore|meanwhile|finally|"
    r"lastly|optionally|just to (?:confirm|clarify|recap|be sure)|as a (?:quick )?reminder|to (?:confirm|clarify|recap|be clear)|"
    r"for (?:your )?reference|otherwise|next|first|next steps?|what(?:'|’)s next|(?:good|great) news|note|(?:quick )?update|reminder|important)\b[,:!.]\s+"
    r"|[\w /&'’-]{2,40}:\s+(?=(?:should|would|could|can|may|do|does|shall|which|what|how) [^.?!]*\?\W*$)"
    r"|[^\w¿¡]+)+",
    re.IGNORECASE,
)
_VOCATIVE = re.compile(
    r"(?<![\w'’-])[A-ZÀ-Þ][\w'’-]++, (?=(?:I|we|you|your|the|there|it|let|could|would|please)\b)"
)
_SPECIFIC = re.compile(r"\d")
_MONEY_OR_SHARE = re.compile(
    r"[€$£¥]\s?\d|\d[\d.,]{0,30}\s?(?:[€$£¥%]|USD\b|EUR\b|GBP\b|percent\b)"
)
# In an offer or a question: what it takes for granted rather than asks.
_EMBEDDED_FACT = re.compile(
    r"(?<!confirm )(?<!verify )(?<!check )(?<!sure )(?<!ensure )"
    r"\b(?:now that|since|because|given that|which|that)\b(?: #?[\w-]+){0,4} (?:is|are|was|were|has|have|costs?|includes?)\b"
    r"|, (?:as|since|because) ",
    re.IGNORECASE,
)
# "Let me know if you need more, the price is $30."
_SPLICED_FACT = re.compile(
    r", (?:the|your|our|all|it|this|there(?! are no other))\b[^,?]*\b(?:is|are|was|were|has|have|costs?|will)\b[^,?]*\d",
    re.IGNORECASE,
)
# "We can offer you a 15% discount" gives it, under the form of an offer.
_GIFT = re.compile(
    r"^(?:I|we) (?:can|could)(?: also| even)? (?:offer|give|grant|waive)\b[^?]*(?:[€$£¥]\s?\d|\d\s?%)",
    re.IGNORECASE,
)
# An opinion with an amount, a reason or an absence in it says something that can be checked; "I recommend
# the LX2085" names it and says nothing of it.
_GROUNDS = re.compile(
    r"(?<![A-Za-z\d#-])[\d€$£]|\b(?:because|since|as) (?:it|they|the|its|that)\b|\b(?:no|none|nothing)\b",
    re.IGNORECASE,
)
# An outlook with a name, a day or a month in it is a statement: "It will probably arrive on Friday".
_NAMES = re.compile(
    r"(?<!^)\b(?!I\b|I['’])[A-ZÀ-Þ]|\b(?:today|tonight|tomorrow|week|month|year|days?|hours?|minutes?|you|your|approv\w+|refund\w*|free|covered|charg\w+|fees?|costs?|cancel\w*|den(?:y|ied)|eligible|qualif\w+|deliver\w*|arriv\w*|"
    r"ship\w*|paid|pay|booked)\b"
)
# "Flex 50" names a plan and says nothing of it.
_NUMBERED_NAME = re.compile(r"(?<!^)\b[A-ZÀ-Þ][\w-]{0,60} \d{1,4}\b(?![.,]?\d| ?[%€$£])")
_FOR_EXAMPLE = re.compile(
    r"\((?:e\.g\.|eg\b|for example|for instance|such as|like|it (?:looks|should look) like)[^)]*\)|(?:e\.g\.|for example|for instance|such as)[^.;]*",
    re.IGNORECASE,
)
# "If the difference exceeds $86, may I use your card?" takes no difference for granted.
_BOUND = re.compile(
    r"\b(?:if|when|in case|should)\b[^,?]*\b(?:exceeds?|is (?:over|above|under|below|more|less|higher|lower)|goes (?:over|above|below)|at (?:least|most))\b[^,?]*",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"#\w*\d|\b(?-i:[A-Z]{2,6})-\d{2,}\w*|\b(?=\w*\d{2})[A-Za-z]+[_-]?\d\w*|\d{5,}|\bending(?: (?:in|with))? \d"
)
_OF_ANY = re.compile(
    r"\b(?:an?|any|every|each|no|only|orders|items|bookings) (?:[\w-]+ ){0,2}(?:that|which|who)(?: it)?\s?$",
    re.IGNORECASE,
)
# What may be done with any thing in some state, and nothing else.
_OF_ANY_IN_STATE = re.compile(
    r"(?:I|we) (?:can|could) (?:also |still )?(?:\w+(?:,|,? or|,? and|/)? ?){1,4}?(?:an?|any|all|every) (?:already )?"
    r"(?:processed|shipped|dispatched|delivered|cancell?ed|pending|completed|closed|expired|approved|rejected|declined|confirmed|paid|unpaid|locked|archived|refunded)"
    r" \w+\W*$",
    re.IGNORECASE,
)
# "A specialist will assist you shortly."
_SOMEBODY_WILL = re.compile(
    r"(?:a|an|our|the|one of our) (?:\w+ ){0,2}(?:agent|specialist|representative|team|colleague|advis[eo]r)s? will (?:\w+ )?"
    r"(?:assist|help|be with|take (?:it|over)|follow up|contact|reach)\b",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(
    r"(?:for example|for instance|such as),? (?!.*\b(?:is|are|was|were|has|have|will|can)\b)",
    re.IGNORECASE,
)
# The reason given for an offer may be made up as well: "since it is still pending".
_OF_THE_MATTER = re.compile(
    r"(?:now that|since|because|given that) (?:it|they|the|your|this|that) (?:\w+ ){0,3}?(?:is|are|was|were|has|have)\b(?! (?:all|to)\b)",
    re.IGNORECASE,
)
_POINTING = re.compile(r":\s*$|^what(?: \S+){1,5}$", re.IGNORECASE)
_PRICED = re.compile(r"\b(?:for|at|with|the|your|our|this|that|a)\b[^,?]{0,30}$", re.IGNORECASE)
_CONTACT = re.compile(r"\w@\w|https?://|\bwww\.|\d{3}[-. ]\d{3,4}\b")
# "Thanks for waiting, your refund is approved", "Sorry, I couldn't open it": news behind small talk.
_GOES_ON = re.compile(
    r"(?:, |\s[–—-] |—)(?:but |and |as |because |since |so )?(?:the|your|our|it|there|this|these|those|all|no|I|we|my|he|she|they)\b(?! (?:hope|wish)\b)"
    r"[^,?]*(?:\b(?:is|are|was|were|has|have|had|will|costs?|can|cannot|could|did|does|do|found|failed)\b|n(?:'|’)t\b)"
    r"|\bbecause\b|\bbut (?:the|your|our|it|there|this|I|we|no|all)\b",
    re.IGNORECASE,
)
# What is given away in a wish: "Enjoy your complimentary breakfast!"
_GIVEN_AWAY = re.compile(
    r"(?<!feel )\bfree\b|\bcomplimentary\b|\bon the house\b|\bon us\b|\bno (?:extra )?(?:charge|cost)\b",
    re.IGNORECASE,
)
# "I'll credit €20 to your account" is a promise of €20, however it is put.
_PROMISE = re.compile(
    r"\b(?:will|'ll|’ll) (?:also |then |gladly )*(?:add|credit|refund|waive|give|apply|send|pay|deduct|discount|issue|"
    r"reimburse)\b",
    re.IGNORECASE,
)
# "The log says that the template was not found" tells what the log says.
_REPORTED = re.compile(
    r"\b(?:says?|said|reports?|reads?|states?|warns?|claims?|writes?)\b", re.IGNORECASE
)
# Not "we can't cancel a shipped order", which is a rule.
_FIRST_PERSON_INABILITY = re.compile(
    r"^(?:it is )?unable to (?:answer|determine|say|tell|provide|give)\b|^(?:I|we)(?:(?:'|’)m|(?:'|’)re| am| are)(?: still| currently| also)* not (?:finding|seeing|locating)\b|^(?:I|we)(?: (?:couldn(?:'|’)t|could not|was unable|were unable|don(?:'|’)t have|do not have|have no|(?:don(?:'|’)t|do not)(?: \w+ly| yet)? know|haven(?:'|’)t (?:found|been able|got)|am not (?:aware|sure|certain))\b|(?:'|’)m not (?:aware|sure|certain)\b|"
    r"(?: (?:can(?:'|’)t|cannot|can not|am not able to|am unable to|are unable to)|(?:(?:'|’)m| am)(?: still| currently| also)* (?:not able|unable) to|(?:'|’)re(?: still| currently)* unable to)"
    r" (?:\w+ly )?(?:answer|see|find|locate|access|tell|say|view|read|open|confirm|verify|determine|identify|retrieve|look|check|pull|get|give|"
    r"provide|share|guarantee|promise)\b)|^(?:I|we)(?:(?:'|’)m| am|(?:'|’)re| are)? (?:can|could|(?:only )?able to) only (?:report|show|see|view|relay|share|list|tell you|go by|work (?:with|from)|read|look up)\b",
    re.IGNORECASE,
)
_READ = re.compile(
    r"(?:I|we)(?:(?:'ve|’ve| have| was able to| were able to| could)?(?: (?:now|just|also|already|since|\w+ly))* )(?:"
    + "|".join(sorted(phrases.LOOKING))
    + r")\b",
    re.IGNORECASE,
)


def kind_of(
    text: str, *, citations: tuple[str, ...] = (), english: bool = True, alone: bool = True
) -> Kind:
    """The kind of one clause. ``text`` has no markup but code spans; it is ``alone`` where no label,
    key or column says what it is the value of.

    The order matters: a deed is a deed wherever it hides, then what is asked, offered or announced,
    then what is said about sources, the user and nothing.
    """
    if asking.SAMPLE_REPLY.match(text.strip()):
        return Kind("offer", presumes=presumes(text))
    words = _opened(text)
    if phrases.LET_BE.match(words):
        return Kind("plan")
    done = _done(words)
    if (
        not done
        and alone
        and (
            phrases.ELLIPTIC_DONE.match(words) or phrases.CARRIED_OUT.fullmatch(words.rstrip(" :."))
        )
    ):
        done = "unsaid"
    if done:
        return Kind("action", performer=done)
    specific = bool(_SPECIFIC.search(re.sub(r"\b24/7\b|\[[^\]]{0,300}\]", "", words)))
    if exempt := _exempt(words, specific=specific):
        return exempt
    if citations or phrases.SOURCE.search(words):
        return Kind("citation")
    if phrases.RESTATEMENT.match(words):
        return Kind("restatement")
    absence = phrases.ABSENCE if english else phrases.OTHER_LANGUAGES_ABSENCE
    if _FIRST_PERSON_INABILITY.match(words):
        return Kind("absence")
    shown = phrases.SUPPOSED.sub("", protect(words), count=1)
    shown = phrases.RULED_OUT.sub("", shown) if english else shown
    if (m := absence.search(shown)) and not _REPORTED.search(shown[: m.start()]):
        return Kind("absence")
    # What the agent read or looked up it says of itself; it changed nothing.
    return Kind("fact", performer="agent" if _READ.match(words) else "")


def _opened(text: str) -> str:
    """``text`` from the words on that tell its kind; the whole if that leaves nothing."""
    words = text.strip()
    opened = words[m.end() :] if (m := _BEFORE.match(words)) else words
    opened = _VOCATIVE.sub("", opened, count=1) if _VOCATIVE.match(opened) else opened
    return opened if re.search(r"\w", opened) else words


def _done(words: str) -> Performer:
    """Who is said to have done something, "" where nothing is."""
    shown = protect(words).replace("’", "'")
    for m in phrases.FIRST_PERSON_DONE.finditer(shown):
        # "Here's what I've changed:" points at what it was.
        if re.search(r"\bwhat $", shown[: m.start()]) and _POINTING.search(shown):
            continue
        if phrases.BEFORE_A_CONDITION.search(shown[: m.start()]):
            continue
        if phrases.ASKING.search(shown[: m.start()]) and words.rstrip().endswith("?"):
            continue  # "Shall I put that one on hold?"
        verb = next(v for v in m.groupdict().values() if v).lower()
        if (
            verb in phrases.READING
            and not m["word"]
            and not phrases.PARTICLE_DONE.match(shown[m.start() :])
        ):
            continue
        if verb == "added" and re.search(r"\bto (?:the|your|my|our) (?:\w+ )?list\b", shown):
            continue  # a list of the conversation's own
        if verb in phrases.COMPOSING and re.search(
            r"\b(?:below|above|here|following)\b|:\s*$", shown
        ):
            continue
        if not re.search(r"\b(?:not|never)\b|n't\b", m[0]):
            return "agent"
    passive = phrases.PASSIVE_DONE.search(shown)
    # "An order that's already been placed" is any such order, not one of this run.
    if passive and not _OF_ANY.search(shown[: passive.start()]):
        denied = phrases.NOT_DONE_BY_US.search(shown)
        later = re.match(r"(?:once|after|when|if|until|as soon as)\b", shown, re.IGNORECASE)
        if not denied and not later and not words.rstrip().endswith("?"):
            return "unsaid"
    if not words.rstrip().endswith("?"):
        if phrases.OTHER_LANGUAGES_DONE.search(shown):
            return "agent"
        if phrases.OTHER_LANGUAGES_PASSIVE.search(shown):
            return "unsaid"
    return ""


def _exempt(words: str, *, specific: bool) -> Kind | None:
    """The exempt kind of ``words``, None where it asserts something that can be checked."""
    asks = words.rstrip().rstrip('"”»)').endswith(("?", "？", "؟"))
    offers = asking.OFFER.match(words) or asking.OTHER_LANGUAGES_OFFER.search(words)
    offers = offers or asking.REQUEST.match(words) or asking.SUGGESTION.match(words)
    if asks or offers:
        if not asks and _OF_ANY_IN_STATE.match(words):
            return None  # "We can exchange a shipped order" is a rule, right or wrong
        if not asks and _CONTACT.search(words):
            return None  # "If you need help, call 555-0199": whose number is that?
        if specific and (_takes_for_granted(words) or _GIFT.search(words)):
            return None
        return Kind("offer" if offers else "question", presumes=presumes(words))
    # "Here is order #W7 (delivered):" says what became of it.
    rest = without_identifiers(words)
    named = specific and words.endswith(":") and not re.search(r"\d|\([^)]{0,300}[a-z]{3}", rest)
    if (named or not specific) and phrases.SIGNPOST.match(words) and len(words.split()) <= 22:
        return Kind("greeting", presumes=named)
    if asking.PLAN.match(words):
        unconditional = re.match(r"(?:I|we)\b", words, re.IGNORECASE)
        if unconditional and _MONEY_OR_SHARE.search(words) and _PROMISE.search(words):
            return None
        return Kind("plan", presumes=presumes(words))
    if not specific and (_SOMEBODY_WILL.match(words) or _EXAMPLES.match(words)):
        return Kind("plan")
    if phrases.GUESS.search(words):
        return Kind("opinion", presumes=presumes(words))
    if phrases.OPINION.search(words) and not _GROUNDS.search(_NUMBERED_NAME.sub("", words)):
        return Kind("opinion")
    if specific:
        return None
    if phrases.OUTLOOK.search(words) and not _NAMES.search(words) and not _GROUNDS.search(words):
        return Kind("opinion")
    if phrases.SELF_INTRODUCTION.match(words) or _is_small_talk(words):
        return Kind("greeting", presumes=bool(_WISH_FOR_A_DAY.match(words)))
    return None


def _is_small_talk(words: str) -> bool:
    greeting = phrases.GREETING.match(words) or phrases.OTHER_LANGUAGES_GREETING.match(words)
    # A long greeting has room for a fact behind it.
    return (
        bool(greeting)
        and not _GIVEN_AWAY.search(words)
        and not _GOES_ON.search(words)
        and len(words.split()) <= 22
        and ": " not in words
    )


def _takes_for_granted(words: str) -> bool:
    """Whether an offer, a question or a request has a statement with a number in it."""
    for pattern in (_EMBEDDED_FACT, _SPLICED_FACT):
        for m in pattern.finditer(words):
            granted = words[m.start() :]
            # "Since there may be a fee, confirm the card ending in 4411": up to the comma only.
            if re.match(r"now that|since|because|given that|as\b", granted, re.IGNORECASE):
                granted = granted.split(", ")[0]
            if _SPECIFIC.search(granted) or _OF_THE_MATTER.match(granted):
                return True
    return False


def tells_of_deeds(text: str) -> bool:
    """Whether anywhere in ``text`` the agent says that it did something."""
    return _done(text) == "agent"


def without_identifiers(words: str) -> str:
    """``words`` without the numbers of orders and items: "the details of order #W77:"."""
    return _IDENTIFIER.sub("", words)


def is_granted(at: int, words: str) -> bool:
    """Whether what stands at a place of an offer is taken for granted, rather than an example or a bound."""
    spans = (m.span() for pattern in (_FOR_EXAMPLE, _BOUND) for m in pattern.finditer(words))
    return not any(start <= at < end for start, end in spans)


_WISH_FOR_A_DAY = re.compile(
    r"(?:\W*(?:have|enjoy|good luck|all the best|fingers crossed|safe|see you|looking forward)\b.*?\b(?:your|the|our|at|on)\b.*?)"
    r"\b(?:on|at|from|until|by)\s+(?:(?:the\s+)?\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)",
    re.IGNORECASE,
)
"""A wish that takes a day or time for granted: "enjoy your class on Saturday"."""


def presumes(words: str) -> bool:
    """Whether a price, a share, an address or an identifier is taken for granted: "for $99 a month", "at
    a@b.example", "order #4711". What is given as an example is not."""
    words = _BOUND.sub("", _FOR_EXAMPLE.sub("", words))
    if _CONTACT.search(words) or _IDENTIFIER.search(words):
        return True
    m = _MONEY_OR_SHARE.search(words)
    return bool(m and _PRICED.search(words[: m.start()]))
