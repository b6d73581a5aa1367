"""Small, plausible ways of getting a written value wrong."""

from __future__ import annotations

import random
import re

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_MONTH = re.compile(r"\b(" + "|".join(_MONTHS) + r")\b", re.I)
_CLOCK = re.compile(r"\b(\d{1,2})(:\d\d)?\s*([ap])\.?m\b\.?", re.I)
_DIGIT_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_DIGIT_WORD = re.compile(r"\b(" + "|".join(_DIGIT_WORDS[1:]) + r")\b", re.I)


def perturb_number(text: str, rng: random.Random) -> str | None:
    """The text with one of its numbers changed, or None if it has none worth changing."""
    spots = list(_NUMBER.finditer(text))
    if not spots:
        return None
    spot = rng.choice(spots)
    return text[: spot.start()] + other_number(spot.group(), rng) + text[spot.end() :]


def perturb_value(surface: str, rng: random.Random) -> str | None:
    """A written value changed by a digit, a month, a number word or half a day; None if it cannot."""
    ways = [
        way
        for way, pattern in (
            (_shift_clock, _CLOCK),
            (_shift_month, _MONTH),
            (_shift_word, _DIGIT_WORD),
            (perturb_number, _NUMBER),
        )
        if pattern.search(surface)
    ]
    if not ways:
        return _shift_any_digit(surface, rng)
    changed = rng.choice(ways)(surface, rng)
    return changed if changed != surface else None


def other_number(number: str, rng: random.Random) -> str:
    """A number written the same way that is not the same number."""
    digits = [i for i, ch in enumerate(number) if ch.isdigit()]
    for _ in range(8):
        at = rng.choice(digits)
        lowest = 1 if at == 0 and len(digits) > 1 else 0
        digit = str(rng.randint(lowest, 9))
        if digit == number[at]:
            continue
        changed = number[:at] + digit + number[at + 1 :]
        # 4.50 and 4.5 are one number: a change past the last place that counts is none.
        if changed.replace(",", "") and float(changed.replace(",", "")) != float(
            number.replace(",", "")
        ):
            return changed
    return number + "0" if number != "0" else "1"


def _shift_clock(text: str, rng: random.Random) -> str:
    def swap(m: re.Match[str]) -> str:
        hour, minute, half = m.group(1), m.group(2) or "", m.group(3).lower()
        if rng.random() < 0.4:
            return f"{hour}{minute} {'p' if half == 'a' else 'a'}m"
        other = rng.choice([h for h in range(1, 13) if h != int(hour)])
        return f"{other}{minute} {half}m"

    return _CLOCK.sub(swap, text, count=1)


def _shift_month(text: str, rng: random.Random) -> str:
    def swap(m: re.Match[str]) -> str:
        return rng.choice([month for month in _MONTHS if month.lower() != m.group().lower()])

    return _MONTH.sub(swap, text, count=1)


def _shift_word(text: str, rng: random.Random) -> str:
    def swap(m: re.Match[str]) -> str:
        return rng.choice([word for word in _DIGIT_WORDS[1:] if word != m.group().lower()])

    return _DIGIT_WORD.sub(swap, text, count=1)


def _shift_any_digit(text: str, rng: random.Random) -> str | None:
    """Digits inside an identifier (``W-1042B``), where no number stands alone."""
    places = [i for i, ch in enumerate(text) if ch.isdigit()]
    if not places:
        return None
    at = rng.choice(places)
    digit = rng.choice([d for d in "0123456789" if d != text[at]])
    return text[:at] + digit + text[at + 1 :]
