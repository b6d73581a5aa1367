"""The words that ask for an extreme, the end of the scale they mean and what they measure."""

from __future__ import annotations

from dataclasses import dataclass

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


_NUMBERS = frozenset({"number"})
_TIMES = frozenset({"duration", "number", "quantity"})
MONEY = frozenset({"money"})
_MOMENTS = frozenset({"moment"})
_RATING = content_stems("rating score stars review grade mark points satisfaction")
_SIZES = content_stems("size area sqm sqft m2 surface floorspace capacity volume dimensions")
SUPERLATIVES = (
    Superlative(r"(?:best|highest|top)[- ](?:rated|scor(?:ed|ing)|reviewed|graded)|best (?:(?:guest|user|customer|average|overall) )?(?:rating|score|reviews?|grade|marks?)", +1, _NUMBERS, _RATING),
    Superlative(r"(?:worst|lowest)[- ](?:rated|scor(?:ed|ing)|reviewed|graded)|worst (?:(?:guest|user|customer|average|overall) )?(?:rating|score|reviews?|grade|marks?)", -1, _NUMBERS, _RATING),
    Superlative(r"best (?:price|fare|deal|offer|rate)", -1, MONEY, sole=True),
    Superlative(r"heaviest", +1, _NUMBERS, content_stems("weight mass kg")),
    Superlative(r"lightest", -1, _NUMBERS, content_stems("weight mass kg")),
    Superlative(r"tallest", +1, _NUMBERS, content_stems("height tall")),
    Superlative(r"deepest", +1, _NUMBERS, content_stems("depth deep")),
    Superlative(r"widest", +1, _NUMBERS, content_stems("width wide")),
    Superlative(r"narrowest", -1, _NUMBERS, content_stems("width wide")),
    Superlative(r"(?:closest|nearest)", -1, _NUMBERS, content_stems("distance km miles away walk")),
    Superlative(r"(?:farthest|furthest)", +1, _NUMBERS, content_stems("distance km miles away walk")),
    Superlative(r"(?:warmest|hottest)", +1, _NUMBERS, content_stems("temperature temp")),
    Superlative(r"(?:coldest|coolest|chilliest)", -1, _NUMBERS, content_stems("temperature temp")),
    Superlative(r"(?:loudest|noisiest)", +1, _NUMBERS, content_stems("noise sound loudness db")),
    Superlative(r"quietest", -1, _NUMBERS, content_stems("noise sound loudness db")),
    Superlative(r"wettest", +1, _NUMBERS, content_stems("rain rainfall precipitation")),
    Superlative(r"driest", -1, _NUMBERS, content_stems("rain rainfall precipitation")),
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
