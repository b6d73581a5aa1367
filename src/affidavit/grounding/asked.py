"""What kind of value a question asks for, of what, and which lines of a text could say it.

A contract that names a notice period, a monthly price and a penalty answers three questions, and not a
fourth one because an amount stands in it. What was asked and the value must stand together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.values import ValueKind, parse_values
from affidavit.ledger.words import content_stems, named_in, stem, words

_MONEY: frozenset[ValueKind] = frozenset({"money", "percent"})
_TIME: frozenset[ValueKind] = frozenset({"moment", "duration"})
_COUNT: frozenset[ValueKind] = frozenset({"number", "money", "percent", "duration"})

# The first that fits; a question of another form asks for words, which have no kind.
_ASKS: tuple[tuple[re.Pattern[str], frozenset[ValueKind]], ...] = (
    (
        re.compile(
            r"\b(?:how (?:long|soon|quickly)|how many (?:more )?(?:days|hours|minutes|seconds|weeks|months|years))\b",
            re.I,
        ),
        _TIME,
    ),
    (re.compile(r"^\W*(?:until |by |from )?(?:what time|(?:what|which) (?:day|date)|when)\b", re.I), _TIME),
    (re.compile(r"\bhow many\b", re.I), _COUNT),
    (re.compile(r"\bhow (?:much|high|large|big)\b", re.I), _MONEY),
    (
        re.compile(
            r"^\W*(?:up to |at |to |from )?(?:what|which)\b.*\b(?:fees?|costs?|prices?|charges?|rates?|apr|apy|interest|"
            r"discounts?|premiums?|penalt(?:y|ies)|bonus|amount|minimum|maximum|limits?|cap|deposit|balance)\b",
            re.I,
        ),
        _MONEY,
    ),
)  # fmt: skip
_IN_WORDS: dict[frozenset[ValueKind], re.Pattern[str]] = {
    _MONEY: re.compile(
        r"\b(?:free|no (?:\w+ )?(?:fees?|charges?|costs?)|complimentary|included|waived)\b", re.I
    ),
    _TIME: re.compile(
        r"\b(?:days?|weeks?|months?|quarters?|years?|hours?|minutes?|daily|weekly|monthly|quarterly|annually|"
        r"yearly|immediate\w*|instant\w*|once|until|always|never)\b",
        re.I,
    ),
}
"""How such an answer is given without a figure."""

# Words of a question that say what kind of answer is wanted, or nothing.
_OF_QUESTIONS = content_stems(
    "much many long soon quickly high large big often what which when time day date take get charge cost price give "
    "pay happen apply within after account service keep need must money"
)
_QUALIFIED = re.compile(
    r"(?<![\w-])((?:[\w-]++ ){1,3})(?:fees?|charges?|bonus|penalt(?:y|ies)|limits?|discounts?|rates?|premiums?|prices?)\b",
    re.I,
)
_NO_QUALIFIER = frozenset(
    "the a an any this that your my our their its of for is are be on in at to what which much how does do can and "
    "or with there by from each every".split()
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_LIST = "-*•| \t"

STANDS_TOGETHER = 0.5
"""Share of the words asked about that stand beside the value, from which on it is said of them."""
RELATED, CLOSE = 0.3, 0.72
"""A smaller share, where the line is also as similar as this to the question."""
SAME = 0.78
"""Similarity from which on a line says in other words what was asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """``kinds`` of value that would answer, the stems of what is asked about, and of what qualifies it:
    "late" and "payment" of a late payment fee."""

    kinds: frozenset[ValueKind]
    stems: frozenset[str]
    qualifiers: frozenset[str]

    def answered_by(self, line: str, similarity: float) -> bool:
        """Whether a value in this line would be said of what was asked."""
        said = content_stems(line)
        if self.qualifiers and self.qualifiers.isdisjoint(map(stem, words(line))):
            return False
        share = len(named_in(self.stems, said)) / len(self.stems) if self.stems else 1.0
        related = share >= RELATED and similarity >= CLOSE
        return share >= STANDS_TOGETHER or related or similarity >= SAME


def asked_for(question: str) -> Asked | None:
    """What a question asks for; None where that is no figure."""
    kinds = next((kinds for form, kinds in _ASKS if form.search(question)), None)
    if kinds is None:
        return None
    named = [v.text for v in parse_values(question) if v.kind in ("name", "identifier", "quoted")]
    names = content_stems(" ".join(named))
    own = frozenset(stem(word) for name in named for word in words(name))
    stems = content_stems(question) - _OF_QUESTIONS - names
    return Asked(kinds, stems, _qualifiers(question) - own)


def in_figures(asked: Asked) -> bool:
    """Whether a text without such a figure, or the words for one, cannot answer."""
    return asked.kinds in (_MONEY, _TIME)


def lines_with(asked: Asked, text: str) -> list[tuple[str, bool]]:
    """The lines and sentences of a text that could say it, each under its heading, and whether it holds a
    figure of the kind; the others have words that stand for one ("daily", "free")."""
    in_words = _IN_WORDS.get(asked.kinds)
    found: list[tuple[str, bool]] = []
    for line in _lines(text):
        if any(value.kind in asked.kinds for value in parse_values(line)):
            found.append((line, True))
        elif in_words is not None and in_words.search(line):
            found.append((line, False))
    return found


def _lines(text: str) -> Iterator[str]:
    heading = ""
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("#"):
            heading = bare.strip("# ")
            continue
        for sentence in _SENTENCE.split(bare.lstrip(_LIST)):
            if sentence.strip():
                yield f"{heading}: {sentence}" if heading else sentence


def _qualifiers(question: str) -> frozenset[str]:
    found: list[str] = []
    for match in _QUALIFIED.finditer(question):
        before = list(words(match[1]))
        while before and before[-1] not in _NO_QUALIFIER:
            found.append(before.pop())
    return frozenset(map(stem, found))
