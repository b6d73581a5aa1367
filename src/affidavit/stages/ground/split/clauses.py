"""Clauses of a sentence that are propositions of their own. English; of other languages see ``other_languages``.

Every cut has to be earned: both sides must be whole propositions, or the right one must take its
subject from the left. Each rule returns what stands before the right clause's words in its statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from affidavit.stages.ground.split.asking import TO_DO
from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.subjects import OF_THE_CLAUSE, OF_THE_WHOLE, antecedent
from affidavit.stages.ground.split.verb_forms import (
    BASE_FORMS,
    BASE_OF,
    NOUNS_TOO,
    PARTICIPLES_TOO,
    PAST,
    THIRD_PERSON,
)
from affidavit.stages.ground.split.verbs import (
    AUXILIARIES,
    BE,
    PREPOSITIONS,
    PRONOUNS,
    SUBORDINATORS,
    finite_verb,
    is_proposition,
    opens_object,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its span in the sentence, where its own words begin behind "and" or "which", and what
    its statement needs before them."""

    start: int
    end: int
    words: int
    before: str = ""
    after: str = ""
    """What its last word stands for: "offer parking", of "A doesn't offer parking, but B does"."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place where a clause may begin. ``left`` reaches back to the cut before; ``right`` forward."""

    left: str
    right: str
    left_shown: str
    right_shown: str
    inherited: str
    """What the left clause itself took from further left."""
    opens: bool
    """Whether the left clause opens the sentence."""


_OPENER = re.compile(
    r"(?:(?:I(?:'|’)m |I am |we(?:'|’)re |we are )(?:so |very |really |terribly )?sorry|(?:my |our )?(?:sincere )?apologies|I apologi[sz]e|"
    r"(?:thanks|thank you)(?: (?:so|very) much)? for (?!confirming|providing|sharing)[^,;:]{3,50}(?=,)|thanks(?: a lot| so much)?|thank you(?: so much| very much)?|sure(?: thing)?|great|okay|ok|hi|hello|"
    r"hey|(?:sorry|thanks|thank you) (?:for|about) [^,;:–—]{3,50}(?=\s[–—-]\s|—)|sorry|of course|certainly|absolutely|no problem|perfect|got it|you(?:'|’)re(?: very)? welcome|"
    r"understood|excellent|wonderful|alright|my pleasure|done|all done|all set)"
    r"(?: there|,? (?-i:(?!I\b)[A-ZÀ-Þ])[\w'’-]+)?(?P<gap>\s*[,:–—-]\s+(?:but\s+)?)",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"(?P<semicolon>;\s+)"
    r"|,\s+(?P<aside>(?:which|and|but|so) (?:I|we)(?:(?:'|’)ve| have)?(?: simply| just)* (?:ignored|disregarded|not followed|not acted on)\b)"
    r"|,\s+(?P<relative>which|who)\s+"
    r"|,\s+(?P<having>with|plus|minus|including|excluding|so(?=\s+(?:about |only |just )?[€$£]\s?\d)|or|about|around|roughly|nearly|almost|approximately|up to|at least)\s+"
    r"(?=(?:(?:an?|the|about|around|only|just|another|at least|at most|up to|over|roughly) )?"
    r"(?:[€$£]?\d|(?:no|one|two|three|four|five|six|seven|eight|nine|ten)\b))"
    r"|(?:(?P<comma>,)|(?<!\s))\s++(?P<word>after which|and|but|so|yet|while|whereas|although|though|because|since)\s+(?!that\b)"
    r"|(?P<colon>:\s+|(?<!\s)\s++[–—-]\s+|—(?=\w))"
    r"|,\s+(?P<compared>(?:just |well |slightly |far |much |about |(?:by )?[€$£]?\d[\d.,]*\s?(?:%|[a-z]+)? ?)?(?:less|more|fewer|greater|(?:high|low|cheap|"
    r"long|short|earli|lat|fast|slow|small|larg|old|new|few)er|above|below|better|worse)\b[^,;]* than\b|"
    r"(?:up|down|well above|well below)\s+(?=(?:by |from |about )?[\d€$£¥]))"
    r"|,\s+(?P<some>(?=(?:[€$£]?\d[\d.,]*|each|both|all|none|some|most|half|one|two|three|four|five|six|seven|eight|nine|ten) of (?:which|whom|them|it|these|those)\b))"
    r"|,\s+(?P<participle>(?!us|via|includ|start|accord|regard|depend|follow|exclud|pend|end|dur|be?ing)\w{2,}ing|"
    r"(?!includ|follow|bas|compar|provid|need|relat|exclud|assum|unlimit)(?:\w{2,}ed|taken|paid|made|sent|sold|built|held|bought|drawn|due)"
    r"(?=\s+(?:on|in|at|by|for|from|to|until|under)\b))\s+"
    r"|(?P<serial>,)\s+(?!and\b|but\b|or\b|so\b|with\b|which\b|who(?:se|m)?\b|where\b|that\b|as\b)(?=[\w`])"
)
_COORDINATED = re.compile(r"^(?:and|but|so|yet)\s+")
# "where and how to ship it": the object of a verb, not a clause of its own.
_ASKS_WHAT = re.compile(r"(?:how|what|where|when|why|whether|if|that)\b", re.IGNORECASE)
_ADVERBS = (
    r"(?:(?:then|now|also|still|therefore|currently|already|just|not|only|even|usually|\w+ly)\s+)*"
)
# "that are available", at the end of what is found.
_WHICH_ARE = re.compile(
    r"\b(?:that|which|who)(?:(?:'|’)re|(?:'|’)s| are| is| were| was) (?:\w+ly |also |both |all |still |currently )*[\w-]+(?: or [\w-]+)?$",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"\b(?:to|please|let|can|could|will|would|may|might|must|should)\b|['’](?:ll|d)\b"
)
# "and calculate how much", "and return it"; not "and return flights leave".
_OBJECT_NEXT = re.compile(
    r"\w+ (?:\w+ly|how|what|the|your|this|that|it|them|both|all|any|an?|items?|orders?)\b",
    re.IGNORECASE,
)
# After these words a plural "A and B are" is one subject, not two clauses.
_PLURAL_VERBS = frozenset("are were have do aren't weren't haven't don't".split())


def split_clauses(sentence: str) -> list[Clause]:
    """The clauses of an English ``sentence``, in order; together they are the whole of it."""
    shown = protect(sentence)
    starts: list[tuple[int, int, str]] = [(0, 0, "")]
    after = ""
    opener = _OPENER.match(shown)
    # "Thank you, Mei, for confirming that …" is one.
    tail = opener and re.match(r"(?:for|to)\b", shown[opener.end() :])
    if opener and not tail and is_proposition(shown[opener.end() :]):
        starts.append((opener.end(), opener.end(), ""))
    for m in _BOUNDARY.finditer(shown):
        start, _, inherited = starts[-1]
        at = m.end() if m["semicolon"] or m["colon"] or m["serial"] else _first_word(m)
        words = m.start("participle") if m["participle"] else m.end()
        words = m.start("compared") if m["compared"] else words
        words = m.start("aside") if m["aside"] else words
        words = m.start("having") if m["having"] else words
        words = m.start("some") if m["some"] is not None else words
        if m["relative"] and OF_THE_WHOLE.match(shown, m.end()):
            words = m.start("relative")
        if m.start() <= start:
            continue
        cut = _Cut(
            sentence[start : m.start()],
            sentence[words:],
            shown[start : m.start()],
            shown[words:],
            inherited,
            opens=start == 0,
        )
        stands_for = _stands_for(cut) if m["word"] or m["semicolon"] else None
        before = _rule(m)(cut) if stands_for is None else ""
        if before is not None:
            starts.append((at, words, before))
            after = stands_for or ""
    ends = [start for start, _, _ in starts[1:]] + [len(sentence)]
    found = [
        Clause(start, start + len(sentence[start:end].rstrip()), words, before)
        for (start, words, before), end in zip(starts, ends, strict=True)
    ]
    return [*found[:-1], replace(found[-1], after=after)] if after else found


_AUXILIARY = r"(?:(?P<do>does|do|did)|(?P<be>is|are|was|were)|(?P<have>has|have|had)|(?P<may>can|could|will|would|must|should))"
_ELLIPSIS = re.compile(
    rf"(?!(?:I|we|you|it|this|that|there|so|nor|neither|which|who|if|when|as)\b)(?P<who>[^,;:]{{2,80}}?) {_AUXILIARY}(?:n['’]t| not)?(?: too| as well)?\W*",
    re.IGNORECASE,
)
"""A clause that ends in the auxiliary of the one before it: "but Corner Pharmacy does"."""
_INVERTED = re.compile(
    rf"(?:so|neither|nor) {_AUXILIARY} (?!I\b|we\b|you\b)(?P<who>[^,;:]{{2,80}}?)\W*", re.IGNORECASE
)
"""The same with the auxiliary first: "and so does Corner Pharmacy"."""
_NOT = re.compile(
    r"(?:\s*n['’]t\b|\s+not\b)?\s*(?:(?:yet|currently|also|either|only)\s+)?", re.IGNORECASE
)
_MODALS = frozenset("can ca could will wo would must should".split())


def _stands_for(cut: _Cut) -> str | None:
    """What the auxiliary that the right side ends in stands for: all behind the one of the left side."""
    ends = _ELLIPSIS.fullmatch(cut.right_shown) or _INVERTED.fullmatch(cut.right_shown)
    verb = finite_verb(cut.left_shown)
    if ends is None or verb is None or finite_verb(ends["who"]) is not None:
        return None
    word, rest = verb.word.removesuffix("n't"), cut.left[verb.end :]
    if ends["do"] and word in ("has", "have", "had"):
        return "have " + re.sub(r"^\s*(?:no|an?)\s+", "", rest).strip(" ,")
    if ends["do"] and word in BASE_OF:
        return f"{BASE_OF[word]} {rest.strip(' ,')}"
    forms = {"do": frozenset(("do", "does", "did")), "be": BE, "have": frozenset(("has", "have", "had")), "may": _MODALS}  # fmt: skip
    if not any(ends[kind] and word in known for kind, known in forms.items()):
        return None
    return rest[_length(_NOT, rest) :].strip(" ,") or None


def _length(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _first_word(m: re.Match[str]) -> int:
    groups = ("aside", "relative", "word", "compared", "having", "some", "participle")
    return m.start(next(g for g in groups if m[g] is not None))


def _rule(m: re.Match[str]) -> Callable[[_Cut], str | None]:
    if m["semicolon"]:
        return _at_semicolon
    if m["serial"]:
        return _serial
    if m["aside"]:
        return _aside
    if m["relative"]:
        return _relative
    if m["compared"]:
        return _compared
    if m["having"] or m["some"] is not None:
        return _having
    if m["participle"]:
        return _participle
    if m["colon"]:
        return _colon
    if m["comma"]:
        return _after_comma if m["word"] != "since" else _never
    return _bare_and if m["word"] in ("and", "but") else _never


def _never(_: _Cut) -> str | None:
    return None


def _at_semicolon(cut: _Cut) -> str | None:
    enough = all(len(re.findall(r"\w+", side)) >= 2 for side in (cut.left, cut.right))
    return "" if enough else None


def _after_comma(cut: _Cut) -> str | None:
    """After a comma: "and shipping was free", "and costs $5"."""
    if not _whole(cut) or _ASKS_WHAT.match(cut.right_shown) or _to_be_done(cut):
        return None
    headless = cut.right_shown.split(maxsplit=1)[0].lower() in AUXILIARIES
    if not headless and is_proposition(_up_to_boundary(cut.right_shown)):
        return ""
    verb = finite_verb(cut.left_shown)
    if verb and re.match(r"(?:none|nothing|nobody|no|not any)\b", cut.right_shown, re.IGNORECASE):
        return cut.left[: verb.end].strip()  # "I found a template, but no contract"
    return _shared_subject(cut)


def _bare_and(cut: _Cut) -> str | None:
    """Without a comma: "and LH506 leaves at 13:55", "and earns 4.15% APY"."""
    if not _whole(cut) or _ASKS_WHAT.match(cut.right_shown) or _to_be_done(cut):
        return None
    shared = _shared_subject(cut)
    if shared is not None:
        return shared
    right = _up_to_boundary(cut.right_shown)
    verb = finite_verb(right)
    if verb is None or not is_proposition(right) or "," in verb.subject:
        return None
    if verb.word in _PLURAL_VERBS and verb.subject.lower() not in PRONOUNS | {"there"}:
        return None  # "the API and the worker are down"
    return "" if len(verb.subject.split()) <= 6 else None


def _to_be_done(cut: _Cut) -> bool:
    """As in "I can cancel it, and have the fee returned": said of the same wish."""
    wished = re.search(r"\b(?:to|will|can|could|would|please|let)\b|['’]ll\b", cut.left_shown)
    if re.match(r"(?:have|do|be)\b", cut.right_shown):
        return bool(wished)
    return bool(wished and TO_DO.match(cut.right_shown) and _OBJECT_NEXT.match(cut.right_shown))


def _colon(cut: _Cut) -> str | None:
    """As in "EMEA shrank: it fell 10%"."""
    right = _up_to_boundary(cut.right_shown)
    asks = re.match(r"please\b|(?:just )?let (?:me|us) know\b", right)
    return "" if _whole(cut) and (asks or is_proposition(right)) else None


def _relative(cut: _Cut) -> str | None:
    """As in ", which fell to 1.8": only at the end, where nothing of the main clause comes after it."""
    if cut.right_shown.startswith("which "):  # said of the whole clause, and kept with it
        return _all_of(cut) if _whole(cut) else None
    first = re.match(_ADVERBS + r"([\w'’]+)", cut.right_shown)
    if first is None or not _whole(cut):
        return None
    verb = first[1].lower().replace("’", "'")
    if verb not in AUXILIARIES | THIRD_PERSON | PAST or verb in OF_THE_CLAUSE:
        return None
    if re.search(r",\s+(?:and|but|so|or|\w+s|\w+ed|is|was)\s", cut.right_shown):
        return None
    return antecedent(cut.left) or None


def _aside(cut: _Cut) -> str | None:
    """As in ", which I've ignored": what the agent made of it, said of nothing in the results."""
    return "" if _whole(cut) else None


def _compared(cut: _Cut) -> str | None:
    """As in ", less than the minimum": said of the value before it; ", up 15%": said of the subject."""
    if not _whole(cut) or re.search(r",\s+(?:and|but)\s", cut.right_shown):
        return None
    verb = finite_verb(cut.left_shown)
    moved = re.match(r"up|down", cut.right)
    said_of = cut.left[: verb.start].strip() if moved and verb else antecedent(cut.left)
    return f"{said_of} is" if said_of else None


def _participle(cut: _Cut) -> str | None:
    """As in ", running image 2.14.1", ", captured on March 2": a state of the subject. Only with a value, else
    it is colour."""
    if not re.search(r"\d", cut.right) or not _whole(cut):
        return None
    past = not re.match(r"\w+ing\b", cut.right_shown)
    if past and ("," in cut.right_shown or not re.search(r"\d", cut.left)):
        return None
    left = _COORDINATED.sub("", cut.left)
    verb = finite_verb(protect(left))
    if verb is None:
        return None
    if verb.word in BE and not re.search(r"\bthere$", verb.subject, re.IGNORECASE):
        return left[: verb.end].strip()
    return _all_of(cut)


def _serial(cut: _Cut) -> str | None:
    """As in "CPU averages 23%, memory 61% …, and": the middle of a series of propositions, each with a figure."""
    piece, _, rest = cut.right_shown.partition(", ")
    figures = re.search(r"\d", cut.left) and re.search(r"\d", piece)
    if not figures or not re.search(r"(?:^|, )and\b", rest) or not _whole(cut):
        return None
    first = piece.split()[0].lower()
    if first in AUXILIARIES | THIRD_PERSON:
        return _shared_subject(cut)  # "was issued on 2 May, is due on 1 June, and …"
    verb = finite_verb(piece)
    if verb is None or not is_proposition(piece) or first in SUBORDINATORS | PREPOSITIONS:
        return None
    return "" if len(verb.subject.split()) <= 4 else None


def _having(cut: _Cut) -> str | None:
    """As in ", with two first aiders", ", so €40 for all", ", two of which are new": another figure of what was
    told, at the end of the sentence."""
    right = _up_to_boundary(cut.right_shown)
    if is_proposition(right) and not re.match(r"with\b|\w+ of\b", right):
        return None
    if not _whole(cut) or not re.search(r"\d", cut.left) or re.search(r",\s|;", right):
        return None
    return _all_of(cut)


def _all_of(cut: _Cut) -> str:
    """The whole left clause, for what is told along with it, and what that was told along with."""
    left = _COORDINATED.sub("", cut.left).strip()
    return f"{cut.inherited} {left}," if cut.inherited.endswith(",") else f"{left},"


def _whole(cut: _Cut) -> bool:
    """Whether the left side is a proposition, and not still inside "If …," or "When …,"."""
    left = cut.left_shown
    words = left.split()
    if not words:
        return False
    if words[0].lower() in SUBORDINATORS and cut.opens:
        comma = left.find(",")
        return comma > 0 and is_proposition(left[comma + 1 :].strip())
    left = re.sub(
        r"^(?:after which|and|but|so|yet|while|whereas|although|though|because|which|who)\s+",
        "",
        left,
    )
    return bool(cut.inherited) or is_proposition(left)


def _up_to_boundary(shown: str) -> str:
    """``shown`` up to the next comma that closes a clause; a verb behind that is not this one's."""
    lead = 0
    first = re.match(r"[\w'’]+", shown)
    if first and first[0].lower() in SUBORDINATORS | PREPOSITIONS:
        lead = shown.find(",") + 1  # "but in March, it fell"
    stop = re.search(r"[;:]\s|,\s+(?:and|but|so|which|who)\s", shown[lead:])
    return shown[: lead + stop.start()] if stop else shown


def _shared_subject(cut: _Cut) -> str | None:
    """The subject, and the auxiliaries if they carry over, of a right side that begins with its verb."""
    first = re.match(rf"({_ADVERBS})([\w'’]+)(?:\s+(\S+))?", cut.right_shown)
    left = _COORDINATED.sub("", cut.left)
    verb = finite_verb(protect(left))
    if first is None or (verb is None and not cut.inherited):
        return None
    if re.search(r"\b(?:can|could|will|would|may|might|must|should)$", cut.left):
        return None  # "what we can and can't do"
    word, after = first[2].lower().replace("’", "'"), (first[3] or "").lower()
    subject = cut.inherited if verb is None or cut.inherited else left[: verb.start].strip()
    if word in AUXILIARIES:
        return subject if after else None
    if word in THIRD_PERSON:
        noun = word in NOUNS_TOO and not opens_object(after)
        singular = verb is None or verb.word not in _PLURAL_VERBS
        usable = opens_object(after) or after in PREPOSITIONS - {"of"}
        return subject if usable and singular and not noun else None
    if subject.lower() in ("you", "we", "they") and word in BASE_FORMS and opens_object(after):
        return None if _WISHES.search(left) else subject
    several = verb is not None and verb.word in BASE_FORMS and re.search(r"[a-z]s$", subject)
    if several and word in BASE_FORMS and (opens_object(after) or after in PREPOSITIONS):
        return subject  # "Tours start at 11 and last about an hour"
    if word in PAST and (opens_object(after) or after in PREPOSITIONS - {"of"}):
        if after in PREPOSITIONS and _WHICH_ARE.search(cut.left_shown):
            return None  # "I found two that are free and priced below €50": they are, nobody priced them
        if verb is None:
            return subject
        participle = re.match(
            rf"\s*{_ADVERBS}(?:been\s+|being\s+)?\w+(?:ed|en|t)\b", left[verb.end :]
        )
        if verb.word in AUXILIARIES | {"'s", "'ve", "'re"} and participle:
            if word in PARTICIPLES_TOO and not re.search(r"\d", cut.right):
                return None  # "is handed in and picked up": one thing told, without a figure
            been = re.search(r"\bbeen\b|\bbeing\b", participle[0])
            return left[: verb.end + (been.end() if been else 0)].strip()
        return subject if verb.word in PAST else None
    return None
