"""What the user told of themselves, so that the answer saying it back is known for what it is."""

from __future__ import annotations

import re

from affidavit.ledger.words import content_stems

# "You're on Node 18.17", "and you have 600 g".
_SAYS_BACK = re.compile(
    r"(?:(?:and|so|but|since|as|because|given that|while)\s+)?"
    r"(?:you(?:'re|'ve| are| have| had| need| want| use| run| own)\b|your \w+(?: \w+){0,2} (?:is|are|has|have|shows?|runs?)\b)",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"\b(?:I|I'm|I've|my|mine|we|we're|we've|our|us|me)\b", re.IGNORECASE)
# "Do I have 600 points?", "Check whether my limit is 600": asked, not told.
_ASKED = re.compile(
    r"\b(?:do|does|did|have|has|am|is|are|was|were|can|could|will|would|should|if|whether|that|think) (?:I|we|my|our|it|there|this)\b[^,;.]*$",
    re.IGNORECASE,
)
# "I'm sorry your lamp arrived broken", to whom said so; that a refund was declined may be news.
_SORRY_FOR = re.compile(
    r"(?:I(?:'m| am)|we(?:'re| are)) (?:so |very |really |truly |terribly )?sorry (?:that )?(?=(?:your|the|one of|some of|part of)\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:(?<![^\W\d_])(?P<before>[^\W\d_]++)\s++)?(?P<number>v?\d(?:[\d.,:]*\d)?)(?:\s?(?P<after>[^\W\d_]+|[%€$£°]))?"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
# Words beside a value that do not tell what it is a value of.
_NO_THING = re.compile(
    r"(?:have|had|need|want|use|run|own|got|is|are|has|at|on|in|of|for|with|about|the|a|now)$",
    re.IGNORECASE,
)
_MOST_WORDS = 14


def told_by_user(said: str, question: str) -> bool:
    """Whether ``said`` gives back to the user a value that they stated of themselves in ``question``, or the
    trouble that they told of there.

    The value has to stand beside the same word there: who has "600 g" has not said "600 points".
    """
    said = said.replace("’", "'").strip()
    if sorry := _SORRY_FOR.match(said):
        trouble = content_stems(said[sorry.end() :])
        return bool(trouble) and trouble <= content_stems(question)
    if not _SAYS_BACK.match(said) or len(said.split()) > _MOST_WORDS:
        return False
    found = list(_NUMBER.finditer(said))
    told = [s for s in _SENTENCE.split(question.replace("’", "'")) if _OF_ONESELF.search(s)]
    return bool(found) and all(any(_stated(m, s) for s in told) for m in found)


def _stated(value: re.Match[str], sentence: str) -> bool:
    for m in _NUMBER.finditer(sentence):
        if m["number"].lower() != value["number"].lower():
            continue
        beside = any(
            m[side] and value[side] and m[side].lower() == value[side].lower()
            for side in ("before", "after")
            if not _NO_THING.match(value[side] or "")
        )
        if beside and not _ASKED.search(sentence[: m.start("number")]):
            return True
    return False
