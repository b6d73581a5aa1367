"""Whom a sentence is about, so that "It arrives Friday" can say what arrives.

One topic is remembered from sentence to sentence, by rules a reader can check. Where the rules are
not sure the statement stays as it was: a wrong subject would turn a true claim into a false one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.verb_forms import BASE_FORMS, NEVER_PASSIVE, PAST, THIRD_PERSON
from affidavit.stages.ground.split.verbs import (
    MODALS,
    PREPOSITIONS,
    SUBORDINATORS,
    finite_verb,
    opens_object,
)

# "It is possible …", "it seems …": this subject stands for nothing.
_EXPLETIVE = re.compile(
    r"it(?:'s| is| was| may be| might be| would be| will be| does(?:n't| not)| did(?:n't| not)|'d be|'ll be)?(?: \w+ly| also| not| too)? "
    r"(?:possible|important|worth|likely|unlikely|too late|too early|best|better|advisable|recommended|wise|safer|easier|"
    r"sensible|helpful|useful|good to|nice to|great to|hard to|a good idea|up to you|not clear|unclear|true|fair|"
    r"necessary|clear|seems?|appears?|looks?|looks like|sounds?|turns out|takes|depends|raining|snowing)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?P<lead>(?:together|both|currently|also|overall),? )?(?P<word>it|he|she|they|its|his|"
                      r"their)(?P<tail>'s|'re|'ve|'ll|(?=\s))", re.IGNORECASE)  # fmt: skip
_OF_THEM = re.compile(
    r"(?P<some>[\w-]+(?: [\w-]+)?) of (?:them|these|those)\b(?! \w+s\b)", re.IGNORECASE
)
_DEMONSTRATIVE = re.compile(
    r"(?:this|that|these|those|there|here|both|neither|(?:one|another)(?= (?:is|was|has|had|of|costs?)\b))\b",
    re.IGNORECASE,
)
# "The crew there numbers 64": the place spoken of.
_PLACE_THERE = re.compile(
    r"(?P<what>(?:the|its|a|all|no) (?:[\w-]+ ){0,2}[\w-]+) there(?= \w)", re.IGNORECASE
)
# "Nothing has been paid on it so far", "No allergens are listed for it".
_NOTHING_OF_IT = re.compile(
    r"(?P<nothing>(?:no|none|nothing|nobody|no one)\b(?!.*,).*\b(?:for|on|of|about|to|from|against|with|in)) it(?P<rest>\b(?!['’]).*)",
    re.IGNORECASE,
)
_SHORT_FORMS = {"'s": " is", "'re": " are", "'ve": " have", "'ll": " will"}
_LEADING_ADVERBIAL = frozenset(
    "additionally currently unfortunately however therefore also overall based yes no please note "
    "together today tomorrow yesterday now then finally first second next".split()
) | (PREPOSITIONS | SUBORDINATORS)
_NUMERAL = re.compile(
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})\s+", re.IGNORECASE
)
# "The net amount was £5. It was taxed …": a measure of the topic does not become the topic.
_MEASURE = re.compile(
    r"(?:the |a |an |its |your )?(?:\w+ )?(?:amount|total|price|cost|fee|rate|chance|probability|temperatures?|number|"
    r"sum|balance|duration|status|rest|remainder|wind|rent|deposit|discount|margin|score|rating|weight|height|width|length|"
    r"depth|size|speed|distance|capacity|age|deadline|address|phone|e-?mail|colou?r|tax|postage|shipping)\b",
    re.IGNORECASE,
)
_NOT_THE_THING = PREPOSITIONS | PAST | frozenset("you it him her them us me be been".split())
# "The price of the speaker is $5, and it has …": it is the speaker. "The details of your order": the order.
_MEASURE_OF = re.compile(
    r"(?:the )?(?:(?<![\w-])[\w-]++ )?(?:details?|status|information|record|data|price|cost|total|fee|amount|balance|duration) "
    r"(?:of|for|on|about) (?=the|your|this|[A-Z#`])",
    re.IGNORECASE,
)
# "…, which means you can return it": said of the whole clause before, which it cannot do without.
OF_THE_CLAUSE = frozenset(
    "means makes allows ensures leaves applies gives brings lets causes meant".split()
)
# "…, which is 66 minutes late": how late it is, not the place or time named last.
# "…, which leaves €720 of it": what comes of it.
OF_THE_WHOLE = re.compile(
    r"(?:leaves?|left|makes?|made|gives?|brings?|brought|means?|saves?|comes? to|adds? up to|works? out|amounts? to|is about|equals) [^,;]*\d|"
    r"(?:is|was|are|were) (?:only |just |still |about |around |roughly )?(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten) "
    r"\w+ (?:late|early|later|earlier|ahead|behind|overdue|before|after|too|sooner)\b"
)
_MAX_WORDS = 12


@dataclass(slots=True)
class Topic:
    """What the sentences so far are about: one thing, and several things if they named several."""

    one: str = ""
    many: str = ""
    person: str = ""

    def resolve(self, statement: str) -> tuple[str, str]:
        """``statement`` with its opening pronoun replaced, and what it leans on, "" if on nothing."""
        shown = statement.replace("’", "'")
        if m := _OF_THEM.match(shown):
            if not self.many:
                return statement, self.one
            return f"{m['some']} of {self.many}{statement[m.end() :]}", self.many
        if (
            self.one
            and (m := _PLACE_THERE.match(shown))
            and not m["what"].lower().endswith("there")
        ):
            at = "" if re.match(r"(?:in|at|on)\b", self.one) else "at "
            return f"{statement[: m.end('what')]} {at}{self.one}{statement[m.end() :]}", self.one
        if self.one and (m := _NOTHING_OF_IT.match(shown)):
            nothing, rest = statement[: m.end("nothing")], statement[m.start("rest") :]
            return f"{nothing} {self.one}{rest}", self.one
        m = _PRONOUN.match(shown)
        if m is None:
            several = re.match(r"(?:both|neither|these|those|one|another)\b", shown, re.IGNORECASE)
            known = (self.many or self.one) if several else self.one
            return statement, known if _DEMONSTRATIVE.match(shown) else ""
        word, tail = m["word"].lower(), m["tail"]
        topic = self.one
        if word in ("they", "their"):
            # "Your table is booked. They have vegan dishes": not the table.
            singular = re.match(r"(?:the|your|our|my|this) (?!.*s$)", self.one, re.IGNORECASE)
            topic = self.many or ("" if singular else self.one)
        elif word in ("he", "she", "his", "her"):
            topic = self.person
        if not topic or _EXPLETIVE.match(shown):
            return statement, topic
        rest = _SHORT_FORMS.get(tail, "") + statement[m.end() :]
        if tail == "'s" and _is_perfect(statement[m.end() :]):
            rest = " has" + statement[m.end() :]
        owner = "" if word in ("it", "he", "she", "they") else "'s"
        lead = m["lead"] or ""
        return f"{lead}{topic if lead else _capital(topic)}{owner}{rest}", topic

    def note(self, statement: str) -> None:
        """Remember what ``statement`` is about, for the sentences after it."""
        shown = protect(statement.replace("’", "'"))
        verb = finite_verb(shown)
        if verb is None:
            return
        subject = _without_adverbial(statement[: verb.start], shown[: verb.start])
        subject = re.sub(
            r"(?:,? (?:now|also|still|already|currently|therefore|then|only))+$", "", subject
        )
        after = statement[verb.end :]
        if re.search(r"\b(?:there|here)$", subject, re.IGNORECASE):
            self._set(_existing(after), plural=_is_many(after))
        elif subject.lower() in ("i", "you", "we"):
            if thing := _object(after):
                self._set(thing, plural=_is_many(after))
        elif self.one and subject.startswith(f"{_capital(self.one)}'s "):
            return  # "The hotel's phone number is …": still of the hotel
        elif _can_be_topic(subject) and not (self.one and _is_measure(subject)):
            if _is_several(subject, verb.word):
                self.many = _definite(
                    subject
                )  # "Doors open at 6, and it starts at 7": not the doors
                return
            self._set(subject, plural=False)
            thing = _object(after)
            if thing and _is_many(after):
                self.many = _definite(thing)
            elif re.search(r"\band\b|[a-z]s$", subject) or verb.word in ("are", "were", "have"):
                self.many = self.one

    def name(self, title: str) -> None:
        """Take a heading as what the text below it is about."""
        self._set(title, plural=False)

    def _set(self, thing: str, *, plural: bool) -> None:
        thing = re.sub(r"(?<!\s)\s*+\([^()]*\)", "", thing).strip(" ,:;.")
        thing = re.sub(r"(?<!\s)\s++(?:at|for|with)\s+[€$£¥]?\d.*$", "", thing)
        thing = _MEASURE_OF.sub("", thing, count=1) if _MEASURE_OF.match(thing) else thing
        if not re.search(r"\w", thing) or len(thing.split()) > _MAX_WORDS:
            return
        if re.fullmatch(r"[a-z]+", thing):
            return  # "there were two"
        thing = _definite(thing)
        if plural:
            self.many = thing
        if re.fullmatch(
            r"[A-ZÀ-Þ][\w'’.-]+(?: [A-ZÀ-Þ][\w'’.-]+){0,3}", thing
        ) and not thing.startswith("The "):
            self.person = thing
        elif owner := re.match(
            r"([A-ZÀ-Þ][\w.-]+(?: [A-ZÀ-Þ][\w.-]+){0,2} ?)['’]s? [a-zA-Z]", thing
        ):
            self.person = owner[1]  # "Biscuit's booster is on file. He weighed …"
        self.one = thing


def antecedent(left: str) -> str:
    """What ", which …" after ``left`` refers to: the last thing named there, "" if not clear."""
    shown = protect(left)
    verb = finite_verb(shown)
    thing = left[verb.end :] if verb else left
    thing = re.sub(r"^\s*(?:(?:\w+ly|been|also|still|now|already|not)\s+)*", "", thing)
    first = re.match(r"\s*([\w-]+)\s+(?=\S)", thing)
    bare = verb is not None and verb.word in MODALS
    if verb and first and (bare or first[1] in PAST or first[1].endswith(("ed", "ing"))):
        thing = thing[first.end() :]
    # "agreed to pay it, which …"; not "went to Ana Roth, who …"
    if re.match(
        r"\s*(?:how|what|where|whether|that|to(?! (?:the|an?|your|our|their|[A-ZÀ-Þ])))\b", thing
    ):
        return ""
    thing = re.sub(r"^.*\b(?:except(?: for)?|including|namely|called)\s+", "", thing)
    # "one thing: the letter, which …": the letter
    words = thing.rpartition(": ")[2].split()
    # "processed to your card, which …", "handed it to your neighbour, who …"
    while words and words[0].lower() in _NOT_THE_THING:
        words.pop(0)
    return " ".join(words).strip(" ,;:") if 0 < len(words) <= _MAX_WORDS else ""


def _can_be_topic(subject: str) -> bool:
    """Not a pronoun, an amount or an activity ("Paying annually saves you 15%")."""
    if not subject or _PRONOUN.match(subject + " ") or _DEMONSTRATIVE.match(subject):
        return False
    if re.match(r"\d{4,}(?= (?:from|to|of|is|was|by)\b|$)", subject):
        return True  # a bare long number is what something is called: "47812 from Gdynia"
    return not re.match(r"[\d€$£¥]|\w+ing\b(?! \w+ing\b)(?=.* )", subject)


_PARTICIPLE = re.compile(
    r" (?:\w+ly |already |now |just |since )?(?P<word>\w+ed)\b(?P<after> \w+)?"
)


def _is_perfect(rest: str) -> bool:
    """Whether "'s" before ``rest`` is "has": "it's been", "it's expired", "it's changed the price"; not "it's heated by"."""
    m = _PARTICIPLE.match(rest)
    if m is None:
        return rest.startswith(" been")
    after = (m["after"] or "").strip()
    return m["word"].lower() in NEVER_PASSIVE or opens_object(after)


def _is_several(subject: str, verb: str) -> bool:
    """Whether ``subject`` is a plural, which "it" cannot stand for: "Doors open", "the five rooms were"."""
    head = re.split(r" (?:of|in|on|at|for|from|with|to) ", subject)[0]
    if not re.search(r"[a-z][^\Wsui]s$", head):
        return False
    if verb in THIRD_PERSON or verb in (
        "is",
        "was",
        "has",
        "isn't",
        "wasn't",
        "hasn't",
        "does",
        "doesn't",
    ):
        return False
    if (
        verb in ("are", "were", "have", "aren't", "weren't", "haven't", "do", "don't")
        or verb in BASE_FORMS
    ):
        return True
    # "Lumen Foods opened" is one firm; "the doors opened" are several.
    return head.split()[-1].islower() or " " not in head


def _is_measure(subject: str) -> bool:
    """Whether ``subject`` is an amount or state of what was spoken of, and names nothing else."""
    return bool(_MEASURE.match(subject)) and not _MEASURE_OF.match(subject)


def _definite(thing: str) -> str:
    """ "a payment" once named is "the payment", "five invoices" are "the five invoices"."""
    article = _NUMERAL.match(thing)
    if article is None:
        return thing
    single = article[0].strip().lower() in ("a", "an", "one")
    return "the " + (thing[article.end() :] if single else thing[:1].lower() + thing[1:])


def _capital(text: str) -> str:
    """``text`` with a capital first letter, unless it is a name that is written small."""
    return text[:1].upper() + text[1:] if text.startswith("the ") else text


# "At the moment the pod is …", "On Sunday you can …"
_WHEN = re.compile(
    r"^(?:at the moment|at present|right now|for now|so far|these days|currently|today|tomorrow|"
    r"(?:on|in|at|from|until|by|for|during) (?:(?-i:[A-Z])\w+(?: \d{1,2})?|\d{4}|the (?:morning|afternoon|evening|meantime|past|end))) "
    r"(?=(?:the|your|our|an?|you|we|I|it|they|this|that)\b)",
    re.IGNORECASE,
)


def _without_adverbial(subject: str, shown: str) -> str:
    """The subject without "As of February 28, 2026," and the like before it."""
    words = shown.split()
    if words and words[0].lower().strip(",") in _LEADING_ADVERBIAL and "," in shown:
        subject = subject[shown.rstrip().rstrip(",").rfind(",") + 1 :]
    subject = _WHEN.sub("", subject.strip(" ,;:"))
    # "Sofia, I": who is spoken to is no part of it.
    return re.sub(r"^[A-ZÀ-Þ][\w'’-]+, (?=(?:I|we|you|it|the|your)\b)", "", subject.strip(" ,;:"))


def _existing(after: str) -> str:
    """What "there is …" brings in: the name after a colon, else the noun phrase."""
    if named := re.search(r":\s+([A-ZÀ-Þ`][^,;]*)", after):
        return named[1]
    return re.split(r"[,;:]", after, maxsplit=1)[0]


_BEFORE_VERB = frozenset("not also just only able to been now then still".split())


def _object(after: str) -> str:
    """The thing a verb acts on, if it is named as a thing: "the Arc Floor Lamp", "OPS-2214"."""
    words = after.split()
    while words and words[0].lower() in _BEFORE_VERB:
        words = words[1:]
    if len(words) > 1 and words[0] in BASE_FORMS:
        words = words[1:]  # "couldn't change the bedroom"
    elif words and (words[0] in PAST or words[0].endswith("ed")):
        words = words[1:]
    taken: list[str] = []
    for word in words:
        if (
            word.lower().strip(",;:") in PREPOSITIONS - {"of"}
            or word.startswith("(")
            or word == "and"
            # "emailed Ana a reminder"
            or (taken and word.lower() in ("a", "an", "the", "your", "their"))
        ):
            break
        taken.append(word)
        if word[-1] in ",;:.":
            break
    thing = " ".join(taken).strip(" ,;:.")
    named = re.match(r"(?:the|your|our|an?|order|no|" + _NUMERAL.pattern + r")\b|[A-Z`]\S*", thing)
    return thing if named and not thing.lower().startswith(("no ", "not ")) else ""


def _is_many(after: str) -> bool:
    return bool(
        re.match(
            r"\s*(?:two|three|four|five|six|seven|eight|nine|ten|\d+|several)\b\s+[a-z]", after
        )
    )
