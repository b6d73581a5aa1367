"""What kind of value a question asks for, and which lines of a text could say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.values import ValueKind, parse_values

MONEY: frozenset[ValueKind] = frozenset({"money", "percent"})
TIME: frozenset[ValueKind] = frozenset({"moment", "duration"})
_MUCH: frozenset[ValueKind] = MONEY | {"quantity", "duration"}
_COUNT: frozenset[ValueKind] = frozenset({"number", "money", "percent", "duration"})

# The first that fits; a question of another form asks for words, which have no kind.
_ASKS: tuple[tuple[re.Pattern[str], frozenset[ValueKind]], ...] = (
    (
        re.compile(
            r"\b(?:how (?:long|soon|quickly)|how many (?:more )?(?:days|hours|minutes|seconds|weeks|months|years))\b",
            re.I,
        ),
        TIME,
    ),
    (re.compile(r"^\W*(?:until |by |from )?(?:what time|(?:what|which) (?:day|date)|when)\b", re.I), TIME),
    (re.compile(r"\bhow many\b", re.I), _COUNT),
    (re.compile(r"\bhow (?:much|high|large|big)\b", re.I), _MUCH),
    (
        re.compile(
            r"^\W*(?:up to |at |to |from )?(?:what|which)\b.*\b(?:fees?|costs?|prices?|charges?|rates?|apr|apy|interest|"
            r"discounts?|premiums?|penalt(?:y|ies)|bonus|amount|minimum|maximum|limits?|cap|deposit|balance)\b",
            re.I,
        ),
        MONEY,
    ),
)  # fmt: skip
_FREE = re.compile(
    r"\b(?:free|no (?:\w+ )?(?:fees?|charges?|costs?)|complimentary|included|waived)\b", re.I
)
_IN_WORDS: dict[frozenset[ValueKind], re.Pattern[str]] = {
    MONEY: _FREE,
    _MUCH: _FREE,
    TIME: re.compile(
        r"\b(?:days?|weeks?|months?|quarters?|years?|hours?|minutes?|daily|weekly|monthly|quarterly|annually|"
        r"yearly|immediate\w*|instant\w*|once|until|always|never)\b",
        re.I,
    ),
}
"""How such an answer is given without a figure."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_LIST = "-*•| \t"


@dataclass(frozen=True, slots=True)
class Asked:
    """``kinds`` of value that would answer."""

    kinds: frozenset[ValueKind]

    def told_in(self, line: str) -> list[str]:
        """The values of a line that could be the answer, in the line's words: those of the kind, or bare numbers, whose kind
        the line may leave open ("a limit of 30"); else the words that stand for one ("daily", "free")."""
        kinds = self.kinds | {"number"}
        told = [value.text for value in parse_values(line) if value.kind in kinds]
        if not told and (in_words := _IN_WORDS.get(self.kinds)) is not None:
            told = [match[0] for match in in_words.finditer(line)]
        return list(dict.fromkeys(told))


def asked_for(question: str) -> Asked | None:
    """What a question asks for; None where that is no figure."""
    kinds = next((kinds for form, kinds in _ASKS if form.search(question)), None)
    return None if kinds is None else Asked(kinds)


def lines_of(text: str) -> list[str]:
    """The lines and sentences of a text, each once and under its heading."""
    return list(dict.fromkeys(_lines(text)))


def _lines(text: str) -> Iterator[str]:
    heading = ""
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("#"):
            heading = bare.strip("# ")
            continue
        for sentence in _SENTENCE.split(bare.lstrip(_LIST)):
            if sentence.strip("-:| "):
                yield f"{heading}: {sentence}" if heading else sentence
