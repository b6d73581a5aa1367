"""What opens a sentence and leaves the weight to what follows: "Yes, it does: …", "Good news: …".

A bare answer is held to by the reason that is given with it. "Yes, it costs $5" is no opener: it says
something itself.
"""

from __future__ import annotations

import re

from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.verbs import is_proposition

_YES_OR_NO = r"(?:yes|no|yep|yeah|yup|nope|nah|correct|exactly|indeed|sí|ja|nein|oui|non|nee)"
_NOT = r"(?:n(?:'|’)t| not)"
_LINK = (
    r"(?:do|does|did|is|are|was|were|has|have|had|ca|can|could|wo|will|would|should|may|might|must)"
)
_WHO = r"(?:it|they|you|we|I|he|she|that|this|there|these|those)"
# "it does", "you can't", "they do not"
_ELLIPTIC = rf"{_WHO} {_LINK}(?:{_NOT}|not)?(?: indeed| so)?"
# "that works", "that's not possible", "this won't work"
_THAT_WORKS = (
    rf"(?:that|this|it)(?:(?:'|’)s| is| was)(?:{_NOT})? (?:right|correct|true|false|wrong|possible|impossible|fine|feasible|doable|allowed|the case)"
    rf"|(?:that|this|it) (?:(?:will|would|should|could|might|wo|does|ca)(?:{_NOT})? ?)?works?(?: out| for (?:you|them|him|her|everyone))?"
)
_BRIEFLY = (
    rf"(?:(?:in short|short answer|the short answer(?: is)?|so|well|and|sorry|unfortunately|sadly|alas|luckily|fortunately|"
    rf"thankfully)[,:]? )?(?:{_YES_OR_NO}(?:,? (?:{_ELLIPTIC}|{_THAT_WORKS}|I(?:'|’)m afraid(?: not| so)?|unfortunately|sadly|sorry))?|{_ELLIPTIC}|"
    r"I(?:'|’)m afraid (?:not|so)|I(?:'|’)m sorry,? (?:but )?no|(?:unfortunately|sadly|absolutely|definitely|certainly|probably|"
    r"of course|apparently|perhaps|maybe)(?:,? (?:not|yes|no))|not (?:yet|quite|exactly|really|entirely|at the moment|right now|"
    rf"any ?more|currently|at all|today)|almost|nearly|{_THAT_WORKS}|you(?:'|’)re right|it depends)"
)
BARE_ANSWER = re.compile(rf"{_BRIEFLY}\s*[.!]*$", re.IGNORECASE)
"""A sentence that is nothing but an answer."""
# "Yes, you can rent it: …"; not "Yes, I did cancel it: …", which is a deed.
_PERMITTED = (
    rf"{_YES_OR_NO},? (?:it|they|you|he|she|that|this|these|those) (?:can|could|may|might|will|would|should|must|do|does|did)"
    rf"{_NOT}? (?:still |also |indeed |certainly )?\w+ (?:it|that|them|this|one|these|those|so|there|here)"
)
_ANSWERED = re.compile(
    rf"(?:{_BRIEFLY}(?:\s*[:;–—]\s*|\s+-\s+|,\s+(?:(?:and|but|because|since|as)\s+))|{_PERMITTED}(?:\s*[:–—]\s*|\s+-\s+))",
    re.IGNORECASE,
)
# "Good news:", "The short version:", "Here's the thing:", "In a nutshell –"
_FRAME = re.compile(
    r"(?:the |a |an |one |just |and |but ){0,6}"
    r"(?:(?:(?:really|very|more|quick|small|final|last|extra|little) )?(?:good|great|better|bad|big|fun|important|short|long|side|quick|key|main|"
    r"final|last|friendly|useful|handy) (?:news|facts?|notes?|answer|version|story|update|thing|reminder|point|summary|recap|takeaway|"
    r"difference|tip|question|change|part|bit)|"
    r"bottom line|upshot|gist|catch|heads[- ]?up|tl;?dr|fyi|n\.?b\.?|p\.?s\.?|pro tip|spoiler|long story short|in (?:short|brief|a nutshell|summary|other words)|"
    r"to (?:be clear|be precise|sum up|summari[sz]e|put it (?:simply|another way))|simply put|put (?:simply|differently)|"
    r"here(?:'|’)s (?:the (?:thing|deal|catch|situation|story|gist|rule|short version)|why|how|what (?:happened|I found|we know|it says))|"
    r"(?:two|three|a few|some|a couple of) (?:\w+ )?(?:things?|details?|notes?|points?|caveats?)(?: (?:to (?:note|know|consider|keep in mind)|worth \w+|here|though))?)"
    r"(?: (?:is|was))?(?: (?:this|here|first|though|for you|however|that))?\s*(?::|\s[–—-])\s+",
    re.IGNORECASE,
)
# Said to the reader, not of the matter: "Bear in mind that the quote is valid until …"
_ADDRESS = re.compile(
    r"(?:(?:and|but|also|so|just|please|do) )*(?:(?:note|bear in mind|keep in mind|remember|be aware|be advised|mind|rest assured|it(?:'|’)s worth (?:noting|knowing|"
    r"mentioning)|worth noting|(?:just )?so you know,?|I (?:should|want to|would like to) (?:mention|note|point out|add)|I can (?:also )?confirm|I (?:can |also )*(?:see|noticed?)(?= that)|"
    r"(?:I(?:'|’)m|I am|we(?:'|’)re) (?:happy|pleased|glad|delighted|sorry|afraid) to (?:say|report|confirm|tell you|inform you|let you know)|it turns out|"
    r"the (?:good|great|bad|only bad) news is|as you can see,)(?: that)?,?)\s+",
    re.IGNORECASE,
)


def answer_end(sentence: str) -> int:
    """Where in ``sentence`` what it says begins, behind a bare answer; 0 if it has none."""
    return _end(_ANSWERED, sentence)


def frame_end(sentence: str) -> int:
    """Where in ``sentence`` what it says begins, behind "Good news:" and the like; 0 if it has none."""
    return _end(_FRAME, sentence)


def _end(opener: re.Pattern[str], sentence: str) -> int:
    shown = protect(sentence)
    m = opener.match(shown)
    return m.end() if m and is_proposition(shown[m.end() :]) else 0


def without_address(statement: str) -> str:
    """``statement`` without "Note that" and the like, if a whole proposition is left."""
    m = _ADDRESS.match(statement)
    rest = statement[m.end() :] if m else ""
    return rest if rest and is_proposition(protect(rest)) else statement
