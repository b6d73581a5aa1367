"""Rules of a real handbook (a bank's), turned into an agent's voice, and wrong turns of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from affidavit.ledger.passages import sentences, split_prose
from affidavit.training.pairs.faults import perturb_value
from affidavit.training.pairs.pair import Pair, content_words, read_rows
from affidavit.training.pairs.voice import spoken

_RULE = re.compile(
    r"\b(?:must|may|can|cannot|only|within|required|eligible|limited|not|up to|at least|earns?|fee)\b",
    re.I,
)

_LABELLED = re.compile(r"^[QA]:|\[value")

_TO_YOU = (
    (r"\bthe (?:customer|user|cardholder|account holder|member)'s\b", "your"),
    (r"\bthe (?:customer|user|cardholder|account holder|member) (?:is|has been)\b", "you are"),
    (r"\bthe (?:customer|user|cardholder|account holder|member) has\b", "you have"),
    (r"\bthe (?:customer|user|cardholder|account holder|member) does\b", "you do"),
    (r"\b(?:the (?:customer|user|cardholder|account holder|member)|customers|cardholders|account holders)\b", "you"),
    (r"\btheir\b", "your"), (r"\bthe agent\b", "I"), (r"\bmust be\b", "has to be"), (r"\bmust\b", "have to"),
    (r"\bis required\b", "is needed"), (r"\bmay\b", "can"), (r"\bcannot\b", "can't"), (r"\bdo not\b", "don't"),
    (r"\bprior to\b", "before"), (r"\bin order to\b", "to"), (r"\bat least\b", "a minimum of"), (r"\bup to\b", "at most"),
    (r"\bapproximately\b", "about"), (r"\breceives?\b", "get"), (r"\bmaximum\b", "highest possible"),
)  # fmt: skip
_TURNS = (
    (r"\bmust not\b", "may"), (r"\bcannot\b", "can"), (r"\bcan not\b", "can"), (r"\bdo not\b", "do"), (r"\bis not\b", "is"),
    (r"\bare not\b", "are"), (r"\bmust be\b", "need not be"), (r"\bmust\b", "need not"), (r"\bis required\b", "is not required"),
    (r"\bare required\b", "are not required"), (r"\bat least\b", "at most"), (r"\bup to\b", "more than"), (r"\bwithin\b", "only after"),
    (r"\bbefore\b", "after"), (r"\bafter\b", "before"), (r"\bcan\b", "cannot"), (r"\bmay\b", "may not"), (r"\bminimum\b", "maximum"),
    (r"\bmaximum\b", "minimum"), (r"\bno\b", "a"), (r"\beligible\b", "not eligible"), (r"\ball\b", "none of the"), (r"\bis\b", "is not"),
    (r"\bare\b", "are not"), (r"\bwill\b", "will not"), (r"\bdoes not\b", "does"), (r"\bnot\b", ""),
)  # fmt: skip


def handbook_pairs(data: Path, rng: random.Random) -> Iterator[Pair]:
    """A rule over its own passage in an agent's voice, turned wrong, and over another passage."""
    documents = [
        row["content"] for row in read_rows(data / "knowledge" / "banking_documents.jsonl.gz")
    ]
    passages = [text[a:b] for text in documents for a, b in split_prose(text)]
    for passage in passages:
        rules = [passage[a:b].lstrip("-*#•0123456789. ") for a, b in sentences(passage)]
        rules = [
            r
            for r in rules
            if 6 <= len(r.split()) <= 32
            and r.endswith(".")
            and _RULE.search(r)
            and not _LABELLED.search(r)
        ]
        for rule in rng.sample(rules, k=min(2, len(rules))):
            yield from _of_rule(rule, passage, rng.choice(passages), rng)


def _of_rule(rule: str, passage: str, other: str, rng: random.Random) -> Iterator[Pair]:
    yield Pair(passage, spoken(in_voice(rule, rng), rng, 0.4), "entailment", "handbook")
    wrong = turned(rule, rng)
    if wrong:
        yield Pair(
            passage, spoken(in_voice(wrong, rng), rng, 0.4), "contradiction", "handbook", "negation"
        )
    digit = perturb_value(rule, rng) if any(c.isdigit() for c in rule) else None
    if digit and digit != rule:
        yield Pair(
            passage, spoken(in_voice(digit, rng), rng, 0.4), "contradiction", "handbook", "digit"
        )
    words = content_words(rule)
    if len(words & content_words(other)) * 3 < len(words):
        yield Pair(other, spoken(in_voice(rule, rng), rng, 0.4), "neutral", "handbook", "elsewhere")


def in_voice(rule: str, rng: random.Random) -> str:
    """The rule as said to the customer: third person to second, some words for others."""
    text = rule
    for pattern, said in _TO_YOU:
        if rng.random() < 0.8:
            text = re.sub(pattern, said, text, flags=re.I)
    return text[0].upper() + text[1:]


def turned(rule: str, rng: random.Random) -> str | None:
    """The rule with one of its hinges turned: a modal, a bound, an order of events."""
    for pattern, said in rng.sample(_TURNS[:19], k=19) + list(_TURNS[19:]):
        if re.search(pattern, rule, re.I):
            return re.sub(r"\s{2,}", " ", re.sub(pattern, said, rule, count=1, flags=re.I))
    return None
