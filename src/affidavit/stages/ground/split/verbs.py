"""Where the finite verb of an English clause stands, as far as word lists can tell.

Splitting needs one answer only: is this stretch a whole proposition, and where does its subject end?
A missed verb leaves a claim coarser, which is safe; a noun taken for a verb makes a fragment. So the
lists are short and each doubtful form has to be earned by its neighbours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

AUXILIARIES = frozenset(
    "is are was were be am has have had do does did will would can could may might must shall should "
    "isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't "
    "cannot couldn't shouldn't mustn't".split()
)
BE = frozenset("is are was were be am been isn't aren't wasn't weren't".split())

_REGULAR = (
    "accept add affect allow amount appear apply arrive ask attach average avoid book build buy call "
    "cancel carry change charge check claim complain close come compare complete confirm connect contain "
    "continue convert cost cover create credit deliver depart depend deploy describe die differ drop "
    "earn enable end ensure equal exceed exit expect expire explain fail fall feature fetch find finish fit "
    "fix follow gain give go grow handle happen help hold import improve include increase indicate "
    "install involve issue join keep lack land last launch lead leave lie limit list load log lose "
    "lower make mark match mean measure mention merge miss move need note number offer open operate order "
    "own pass pay peak permit place plan point post praise prevent process produce promise protect provide "
    "publish put raise range rank reach read receive recommend record reduce refer refund reject "
    "release remain remove renew replace reply report require reserve resolve respond restart return "
    "rise run save say scale schedule score sell send serve set settle ship show shrink sign sit sleep "
    "slip spend stand start state stay stop store suggest supply support switch take tell throw "
    "time total trigger turn update upgrade use vary wait want warn weigh work yield"
).split()
_IRREGULAR_PAST = frozenset(
    "became began bought broke brought built came chose cut fell felt found gave got grew had held hit "
    "kept knew laid lasted left lent lost made meant met paid ran read rose said sat saw sent set shot "
    "showed shrank sold spent stood took told threw went were won wrote flew drove led".split()
)


def _third_person(verb: str) -> str:
    if re.search(r"(?:[sxz]|ch|sh|o)$", verb):
        return verb + "es"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + "s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return verb + "ed"


THIRD_PERSON = frozenset(map(_third_person, _REGULAR))
PAST = frozenset(map(_past, _REGULAR)) | _IRREGULAR_PAST
BASE_FORMS = frozenset(_REGULAR) | {"have"}
MODALS = frozenset("will would can could may might must shall should do does did 'll 'd".split())
_DOUBLED = frozenset({"cancelled", "shipped", "stopped", "dropped", "planned", "permitted"})
# Third-person forms that are as often plural nouns: they count only before a determiner or a number.
NOUNS_TOO = frozenset(
    "adds books calls changes charges checks claims costs credits drops ends exits features fixes gains "
    "imports increases issues lands leads limits lists loads logs marks matches measures moves needs "
    "notes numbers offers orders passes plans points posts processes ranges ranks reads records refunds "
    "releases replies reports requires reserves results returns rises runs saves scales schedules "
    "scores sets ships shows signs stands starts states stays stops stores supplies supports switches "
    "takes times totals triggers turns updates upgrades uses works yields means places".split()
)
# Base forms that can only be verbs: "The points expire", "The fees depend on …".
_ONLY_VERBS = (
    BASE_FORMS
    - {v for v in _REGULAR if _third_person(v) in NOUNS_TOO}
    - {"place", "report", "time"}
)
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
_NO_VERBS = frozenset("and or but back there here now too instead up out off down".split())
_ADVERBS = frozenset("not yet also then now still just only already therefore even so too".split())

TOKEN = re.compile(r"`[^`]*`|[^\W_](?:[\w'’./@#:-]*\w)?|[€$£¥#]\s?\d[\d.,]*|\S")


@dataclass(frozen=True, slots=True)
class FiniteVerb:
    """The main verb: where it starts and ends in the text, and its first word in lower case."""

    start: int
    end: int
    word: str
    subject: str


def finite_verb(text: str) -> FiniteVerb | None:
    """The first finite verb of ``text`` that has a subject before it, None if no word looks like one."""
    tokens = list(TOKEN.finditer(text))
    words = [m.group().lower().replace("’", "'") for m in tokens]
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
        participle = word not in AUXILIARIES and (word.endswith("ed") or word in _IRREGULAR_PAST)
        if participle and i + 1 < len(words) and words[i + 1] in PREPOSITIONS:
            later = next((j for j in range(i + 1, len(words)) if words[j] in AUXILIARIES), None)
            stop = next((j for j in range(i, len(words)) if words[j] in ",;:"), len(words))
            if later is not None and later < stop and not _RELATIVE & set(words[i:later]):
                i, word = later, words[later]
        start = tokens[i].start()
        return FiniteVerb(start, tokens[i].end(), word, text[:start].strip(" ,"))
    return None


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
        return opens_object(after) or (after in PREPOSITIONS and after not in ("of", "for"))
    # "Imports under 0202 30 90 pay 12.8%": the number still belongs to the plural subject.
    plural = before if not before.isdigit() else next((w for w in words[:i] if w[-1] == "s"), "")
    if word in _ONLY_VERBS and after and re.fullmatch(r"[a-z]{2,}[^\Wsui]s", plural):
        return opens_object(after) or after in PREPOSITIONS
    if word in _OF_A_TEAM and i == 1 and before not in _NO_NAMES | PREPOSITIONS | SUBORDINATORS:
        return bool(re.match(r"\w", after)) and before.isalpha() and word != "have"
    # A past form that is not in the list still is one before its object: "archived the ticket".
    unlisted = len(word) > 4 and word.endswith("ed") and after in ("the", "a", "an", "your", "it")
    if word in PAST or word in _DOUBLED or unlisted:
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
        if words[i] in ("are", "were") or words[i] in _ONLY_VERBS and opens_object(words[i + 1]):
            return True
    return False


def opens_object(word: str) -> bool:
    """Whether ``word`` can begin what a verb takes: a number, a determiner, a pronoun, a name in code."""
    return bool(
        word in DETERMINERS
        or word in ("it", "them", "you", "us", "me", "only", "about", "up", "more", "less")
        or re.match(r"[\d€$£¥`#+~-]", word)
    )


def is_proposition(text: str) -> bool:
    """Whether ``text`` has a subject and a finite verb with something after it."""
    verb = finite_verb(text)
    if verb is None or not set(re.findall(r"\w+", verb.subject.lower())) - _ADVERBS:
        return False
    return bool(re.search(r"\w", text[verb.end :])) or verb.word not in AUXILIARIES
