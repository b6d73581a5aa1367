"""Where the finite verb of an English clause stands, as far as word lists can tell.

Splitting needs one answer only: is this stretch a whole proposition, and where does its subject end?
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from affidavit.stages.ground.split.verb_forms import (
    BASE_FORMS,
    NOUNS_TOO,
    ONLY_VERBS,
    PARTICIPLES_TOO,
    PAST,
    PLURALS_TOO,
    THIRD_PERSON,
)

AUXILIARIES = frozenset(
    "is are was were be am has have had do does did will would can could may might must shall should "
    "isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't "
    "cannot couldn't shouldn't mustn't".split()
)
BE = frozenset("is are was were be am been isn't aren't wasn't weren't".split())

MODALS = frozenset("will would can could may might must shall should do does did 'll 'd".split())
# A team or a firm may take a plural verb: "Ravenscliff sit second".
_OF_A_TEAM = frozenset("sit lie trail remain stand finish climb play host belong have".split())
_NO_NAMES = frozenset(
    "please just then also always never simply kindly do to not only and or".split()
)
PRONOUNS = frozenset("i you he she it we they".split())
DETERMINERS = frozenset(
    "the a an this that these those my your his her its our their each every no any some all both "
    "neither either another one two three four five six seven eight nine ten".split()
)
PREPOSITIONS = frozenset(
    "of in on at by for from to with without within under over above below between among during after "
    "before since until against per via about around than as into onto through across".split()
)
SUBORDINATORS = frozenset(
    "if when whenever once unless until while although though because since as after before where "
    "whether given assuming provided".split()
)
_RELATIVE = frozenset("that which who whose whom where".split())

_CLAUSE_OPENERS = (
    SUBORDINATORS | _RELATIVE | frozenset(", ; : – — and but so or yet as how what".split())
)
_OF_SEVERAL = frozenset(
    "start range run last end work stay stop show rank rise total number peak pause travel".split()
)
# What a noun behind an adjective does not go on with.
_NEW_PHRASE = (
    PREPOSITIONS | DETERMINERS | PRONOUNS | SUBORDINATORS | frozenset("and or but so".split())
)
_TELLING = frozenset(
    "confirmed noted reported stated explained mentioned indicated announced declared claimed showed argued "
    "concluded decided assumed expected hoped replied warned promised stressed admitted agreed insisted "
    "suggested revealed estimated believed realised realized".split()
)
_NO_VERBS = frozenset("and or but back there here now too instead up out off down".split())
_ADVERBS = frozenset("not yet also then now still just only already therefore even so too".split())

_MONTH_AS_NAME = {"May": "may_", "March": "march_"}

TOKEN = re.compile(r"`[^`]*`|[^\W_](?:[\w'’./@#:-]*\w)?|[€$£¥#]\s?\d[\d.,]*|\S")


@dataclass(frozen=True, slots=True)
class FiniteVerb:
    """The main verb: where it starts and ends in the text, and its first word in lower case."""

    start: int
    end: int
    word: str
    subject: str


_FAR = 200
"""Words within which a verb is looked for. Every cut of a sentence asks for it, so a text without one and
with a thousand places to cut it would be read a thousand times."""


def finite_verb(text: str) -> FiniteVerb | None:
    """The first finite verb of ``text`` that has a subject before it, None if no word looks like one."""
    tokens = list(islice(TOKEN.finditer(text), _FAR))
    # "May 3" is no modal.
    words = [_MONTH_AS_NAME.get(m.group(), m.group().lower().replace("’", "'")) for m in tokens]
    relative = False
    for i, word in enumerate(words):
        contracted = re.fullmatch(r"(i|you|he|she|it|we|they|there|that)'(s|re|ve|ll|d|m)", word)
        if contracted:
            if i > 2 and words[i - 1] in SUBORDINATORS:
                return None  # "return the speaker once it's delivered": another clause's too
            stem = tokens[i].start() + len(contracted[1])
            return FiniteVerb(stem, tokens[i].end(), "'" + contracted[2], text[:stem].strip(" ,"))
        if i == 0:
            continue
        if word in SUBORDINATORS and i + 1 < len(words) and words[i + 1] in PRONOUNS:
            return None  # "ask for your word before I submit it": the verb is another clause's
        if word in _RELATIVE and words[i - 1] not in ("is", "was"):
            relative = True
            continue
        # Verbs are written small: the "Notes" of "Limnology Notes 14" is none.
        if not tokens[i][0][0].islower() or not _is_finite(words, i):
            continue
        if relative:  # "Households that replaced a boiler cut …": the second verb is the main one
            relative = False
            continue
        # "The total charged for order 7 was $5": a participle behind the noun, then the real verb.
        participle = word not in AUXILIARIES and (word.endswith("ed") or word in PAST)
        if participle and (later := _main_verb_after(words, i)):
            i, word = later, words[later]
        start = tokens[i].start()
        return FiniteVerb(start, tokens[i].end(), word, text[:start].strip(" ,"))
    return None


def _main_verb_after(words: list[str], i: int) -> int | None:
    """Where the real verb is behind the participle at ``i``: "The total charged for it was $5", "Your next
    scheduled payment is $5". Not "The clerk confirmed refunds are possible", where it is another clause's."""
    after = words[i + 1] if i + 1 < len(words) else ""
    adjective = words[i].endswith("ed") and words[i] not in _TELLING and after.isalpha()
    stop = next((j for j in range(i, len(words)) if words[j] in ",;:"), len(words))
    later = next((j for j in range(i + 1, stop) if words[j] in AUXILIARIES), None)
    if later is None or _RELATIVE & set(words[i:later]):
        return None
    if after in PREPOSITIONS:
        return later
    between = set(words[i + 1 : later])
    of_the_noun = adjective and 0 < len(between) <= 3
    return later if of_the_noun and between.isdisjoint(_NEW_PHRASE) else None


def _is_finite(words: list[str], i: int) -> bool:
    word, before = words[i], words[i - 1]
    after = words[i + 1] if i + 1 < len(words) else ""
    if word in AUXILIARIES:
        return before not in ("to", "and", "or") or word != "be"
    if before in PRONOUNS and re.fullmatch(r"[a-z]{2,}", word):
        # "it" and "you" may be objects: then something other than a clause's beginning is before them.
        opens = i == 1 or words[i - 2] in _CLAUSE_OPENERS or before not in ("it", "you")
        return opens and word not in PREPOSITIONS | DETERMINERS | SUBORDINATORS | _NO_VERBS
    if before in PREPOSITIONS or before in ("the", "a", "an", "your", "our", "their", "its", "my"):
        return False
    if word in THIRD_PERSON:
        if word not in NOUNS_TOO:
            return True
        if after in PREPOSITIONS and _verb_later(words, i + 1):
            return False  # "Imports under this heading pay 12%"
        if opens_object(after) or word in PLURALS_TOO:
            return opens_object(after)
        return after in PREPOSITIONS and after not in ("of", "for")
    # "Imports under 0202 30 90 pay 12.8%": the number still belongs to the plural subject.
    plural = before if not before.isdigit() else next((w for w in words[:i] if w[-1] == "s"), "")
    if word in ONLY_VERBS and after and re.fullmatch(r"[a-z]{2,}[^\Wsui]s", plural):
        return opens_object(after) or after in PREPOSITIONS
    if word in BASE_FORMS and re.fullmatch(r"[a-z]{2,}[^\Wsui]s", plural):
        if re.match(r"[€$£¥]?\d|[€$£¥]", after):
            return True  # "towels cost $3"
        beyond = words[i + 2] if i + 2 < len(words) else ""
        if word in _OF_SEVERAL and after in PREPOSITIONS and re.match(r"[€$£¥]?\d", beyond):
            return True  # "tours start at 11"; not "the sales report for 2025"
    if word in _OF_A_TEAM and i == 1 and before not in _NO_NAMES | PREPOSITIONS | SUBORDINATORS:
        return bool(re.match(r"\w", after)) and before.isalpha() and word != "have"
    # A past form that is not in the list still is one before its object: "archived the ticket".
    unlisted = len(word) > 4 and word.endswith("ed") and after in ("the", "a", "an", "your", "it")
    if word in PAST or unlisted:
        if word in PARTICIPLES_TOO and after in PREPOSITIONS:
            return False  # "a sofa manufactured in Italy"
        if before in ",(" and word.endswith("ed") and not opens_object(after):
            return False  # "warfarin with ibuprofen, rated major"
        # "two revised drafts", "a newly built flat", but "two revised the drafts" and "both failed"
        if (before in DETERMINERS or before.endswith("ly")) and re.match(r"[a-z]", after):
            return opens_object(after) or after in PREPOSITIONS | SUBORDINATORS
        # "plus 2.5 carried over": behind a bare number it is a participle.
        return before not in BE | {"has", "have", "had"} and not before[0].isdigit()
    return False


def _verb_later(words: list[str], start: int) -> bool:
    """Whether a verb that can be nothing else comes later in the clause."""
    for i in range(start, len(words) - 1):
        if words[i] in PRONOUNS | SUBORDINATORS | _RELATIVE or words[i] in ",;:":
            return False
        if words[i - 1] in ("to", "and", "or"):
            continue
        if words[i] in ("are", "were") or words[i] in ONLY_VERBS and opens_object(words[i + 1]):
            return True
    return False


def opens_object(word: str) -> bool:
    """Whether ``word`` can begin what a verb takes: a number, a determiner, a pronoun, a name in code."""
    return bool(
        word in DETERMINERS
        or word in ("it", "them", "you", "us", "me", "only", "about", "up", "more", "less")
        or re.match(r"[\d€$£¥`#+~]", word)
    )


def is_proposition(text: str) -> bool:
    """Whether ``text`` has a subject and a finite verb with something after it."""
    verb = finite_verb(text)
    if verb is None or not set(re.findall(r"\w+", verb.subject.lower())) - _ADVERBS:
        return False
    return bool(re.search(r"\w", text[verb.end :])) or verb.word not in AUXILIARIES
