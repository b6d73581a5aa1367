"""The words that ask for an extreme, the end of the scale they mean and what they measure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from typing import TypeAlias

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems


@dataclass(frozen=True, slots=True)
class Superlative:
    """Words that ask for an extreme, the end of the scale they mean, and what they measure.

    ``fields`` are names of fields that the words are of, where they do not name one themselves: the
    heaviest is so by its weight. ``sole`` is whether the only field of the measure is meant without being
    named: the cheapest is so by the only price there is.
    """

    words: str
    direction: int
    measures: frozenset[str]
    fields: frozenset[str] = frozenset()
    sole: bool = False


Scale: TypeAlias = Decimal | datetime | time
MEASURES = content_stems("amount value number date time per of")
"""Words in the names of fields that do not tell of what they are."""


def scale_of(value: Value) -> Scale | None:
    """Where a value stands among its like; a moment without a zone and one with do not order."""
    if value.moment is None:
        return value.number
    if value.moment.date is None:
        return value.moment.clock
    return datetime.combine(value.moment.date, value.moment.clock or time())


def measures(word: Superlative, value: Value) -> bool:
    """Whether a word of this sort can be about a value: the cheapest is a price."""
    if "moment" in word.measures:
        return value.moment is not None
    return value.number is not None and (value.kind in word.measures or "number" in word.measures)


_NUMBERS = frozenset({"number"})
_TIMES = frozenset({"duration", "number", "quantity"})
MONEY = frozenset({"money"})
_MOMENTS = frozenset({"moment"})
_RATING = content_stems("rating score stars review grade mark points satisfaction")
_SIZES = content_stems("size area sqm sqft m2 surface floorspace capacity volume dimensions")
_WEIGHT = content_stems("weight mass kg")
_WIDTH = content_stems("width wide")
_AWAY = content_stems("distance km miles away walk")
_WARMTH = content_stems("temperature temp")
_NOISE = content_stems("noise sound loudness db")
_RAIN = content_stems("rain rainfall precipitation")
SUPERLATIVES = (
    Superlative(r"(?:best|highest|top)[- ](?:rated|scor(?:ed|ing)|reviewed|graded)|best (?:(?:guest|user|customer|average|overall) )?(?:rating|score|reviews?|grade|marks?)", +1, _NUMBERS, _RATING),
    Superlative(r"(?:worst|lowest)[- ](?:rated|scor(?:ed|ing)|reviewed|graded)|worst (?:(?:guest|user|customer|average|overall) )?(?:rating|score|reviews?|grade|marks?)", -1, _NUMBERS, _RATING),
    Superlative(r"best (?:price|fare|deal|offer|rate)", -1, MONEY, sole=True),
    Superlative(r"best[- ]?(?:selling|sellers?)|top[- ]selling|most sold", +1, _NUMBERS, content_stems("sold sales sale units qty quantity copies")),
    Superlative(r"heaviest", +1, _NUMBERS, _WEIGHT),
    Superlative(r"lightest", -1, _NUMBERS, _WEIGHT),
    Superlative(r"tallest", +1, _NUMBERS, content_stems("height tall")),
    Superlative(r"deepest", +1, _NUMBERS, content_stems("depth deep")),
    Superlative(r"widest", +1, _NUMBERS, _WIDTH),
    Superlative(r"narrowest", -1, _NUMBERS, _WIDTH),
    Superlative(r"(?:closest|nearest)", -1, _NUMBERS, _AWAY),
    Superlative(r"(?:farthest|furthest)", +1, _NUMBERS, _AWAY),
    Superlative(r"(?:warmest|hottest)", +1, _NUMBERS, _WARMTH),
    Superlative(r"(?:coldest|coolest|chilliest)", -1, _NUMBERS, _WARMTH),
    Superlative(r"(?:loudest|noisiest)", +1, _NUMBERS, _NOISE),
    Superlative(r"quietest", -1, _NUMBERS, _NOISE),
    Superlative(r"(?:wettest|rainiest)", +1, _NUMBERS, _RAIN),
    Superlative(r"windiest", +1, _NUMBERS, content_stems("wind gust")),
    Superlative(r"sunniest", +1, _NUMBERS, content_stems("sun sunshine")),
    Superlative(r"driest", -1, _NUMBERS, _RAIN),
    Superlative(r"runner-?up", +1, _NUMBERS),
    Superlative(r"youngest", -1, _NUMBERS, content_stems("age")),
    Superlative(r"largest|biggest|roomiest", +1, _NUMBERS, _SIZES),
    Superlative(r"smallest|tiniest", -1, _NUMBERS, _SIZES),
    Superlative(r"largest|biggest", +1, _NUMBERS, sole=True),
    Superlative(r"highest|greatest|(?<!with a )maximum|größte\w*|höchste\w*|mayor|plus (?:grande?|haute?)", +1, _NUMBERS),
    Superlative(r"longest", +1, _TIMES, sole=True),
    Superlative(r"most expensive|dearest|priciest|costliest|teuerste\w*", +1, MONEY, sole=True),
    Superlative(r"smallest", -1, _NUMBERS, sole=True),
    Superlative(r"lowest|fewest|(?<!at )least(?! expensive)|(?<!with a )minimum|kleinste\w*|niedrigste\w*|menor", -1, _NUMBERS),
    Superlative(r"shortest", -1, _TIMES, sole=True),
    Superlative(r"cheapest|least expensive|günstigste\w*|billigste\w*|más barat\w+", -1, MONEY, sole=True),
    Superlative(r"fastest|quickest", -1, frozenset({"duration"}), sole=True),
    Superlative(r"latest|most recent|newest|last|letzte\w*|neueste\w*|última?", +1, _MOMENTS),
    Superlative(r"earliest|oldest|first|soonest|erste\w*|früheste\w*|primer[ao]?", -1, _MOMENTS),
    Superlative(r"(?<!at )most(?= (?:[a-z]+ )?[a-z]+s\b)(?! (?:of|recent|expensive)\b)", +1, _NUMBERS),
)  # fmt: skip
COMPARATIVES = (
    Superlative(r"(?:better|higher)[- ](?:rated|scor(?:ed|ing)|reviewed|graded)", +1, _NUMBERS, _RATING),
    Superlative(r"(?:worse|lower)[- ](?:rated|scor(?:ed|ing)|reviewed|graded)", -1, _NUMBERS, _RATING),
    Superlative(r"heavier", +1, _NUMBERS, _WEIGHT),
    Superlative(r"lighter", -1, _NUMBERS, _WEIGHT),
    Superlative(r"(?:warmer|hotter)", +1, _NUMBERS, _WARMTH),
    Superlative(r"(?:colder|cooler|chillier)", -1, _NUMBERS, _WARMTH),
    Superlative(r"(?:louder|noisier)", +1, _NUMBERS, _NOISE),
    Superlative(r"quieter", -1, _NUMBERS, _NOISE),
    Superlative(r"wetter", +1, _NUMBERS, _RAIN),
    Superlative(r"drier", -1, _NUMBERS, _RAIN),
    Superlative(r"wider", +1, _NUMBERS, _WIDTH),
    Superlative(r"narrower", -1, _NUMBERS, _WIDTH),
    Superlative(r"(?:closer|nearer)", -1, _NUMBERS, _AWAY),
    Superlative(r"(?:farther|further) (?:away|out)", +1, _NUMBERS, _AWAY),
    Superlative(r"more expensive|dearer|pricier|costlier", +1, MONEY),
    Superlative(r"cheaper|less expensive", -1, MONEY),
    Superlative(r"more recent|newer|later", +1, _MOMENTS),
    Superlative(r"earlier|sooner", -1, _MOMENTS),
    Superlative(r"faster|quicker", -1, frozenset({"duration"})),
    Superlative(r"slower", +1, frozenset({"duration"})),
    Superlative(r"longer", +1, _TIMES),
    Superlative(r"shorter", -1, _TIMES),
    Superlative(r"(?:larger|bigger|higher|greater|taller|deeper|more|further)", +1, _NUMBERS),
    Superlative(r"(?:smaller|lower|fewer|less)", -1, _NUMBERS),
)  # fmt: skip
"""The same of two things, before "than"."""
