"""What is said of several rows of a list at once, asked of each row by itself.

"Three of the five jobs ended well", beside one job that did: a small model finds it entailed, and no row of five
shows it. So the model is asked of every row, "the job ended well", and what it says of all of them gives the
probability that it is so of as many as the claim says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values.text import singular
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.models.entailment.protocol import Entailment
from affidavit.stages.ground.checks.derived.derivation import Table, tables
from affidavit.stages.ground.checks.entailment import NAME, hypothesis
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.premises import Premise

_MOST = 16
"""Rows of a list beyond which the model is not asked of each: it errs about one in ten."""
_LONGEST = 400
"""Rows of a list beyond which none of them are looked for that the words may single out."""
_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = rf"\d{{1,2}}|{'|'.join(_WORDS)}"
_THE = r"the|your|our|my|its|their|these|those|his|her"
_QUANTIFIED = re.compile(
    rf"\b(?:(?P<all>all|both)(?: of)?(?: (?:{_THE}))?(?: (?P<of_all>{_NUMBER}))?|"
    rf"(?P<every>every|each)(?: single)?(?:(?: one)? of (?:{_THE}))?|"
    rf"(?P<none>none|neither) of (?:{_THE})(?: (?P<of_none>{_NUMBER}))?|"
    rf"(?:(?P<bound>at least|at most|more than|fewer than|less than|only|just|exactly) )?"
    rf"(?P<n>{_NUMBER}|half|most)(?: out)? of (?:all )?(?:{_THE})(?: (?P<whole>{_NUMBER}))?) (?=[a-z])",
    re.I,
)
"""How many, of how many: what follows is what they are, and what is said of them."""
_BODY = re.compile(r"\b(?P<every>everyone|everybody)\b|\b(?P<none>nobody|no one)\b", re.I)
_IDIOM = re.compile(
    r"\ball (?:day|night|year|week|month|morning|afternoon|evening|along|set|right|over|round|around|but|in all|"
    r"the (?:same|more|way|time))\b|\b(?:at|in|after|above|for|not|nearly|almost) all\b|"
    r"\b(?:every|each) (?:day|night|week|month|year|hour|minute|second|other|time|\d+|two|three|few|one)\b|"
    r"\bboth\b[^,;]* and \b",
    re.I,
)
_UNLESS = re.compile(
    r"\b(?:except|apart from|other than|besides|but|save for|aside from|excluding|if|unless|should|must|would|could|might|may|can|"
    r"together|altogether|combined|in total|in all|on average|averaged?|than)\b",
    re.I,
)
"""What is not said of each row by itself: exceptions, rules, sums, and what compares one with another."""


@dataclass(frozen=True)
class RowQuestion:
    """A claim as a question to each of some rows, and of how many of them it says that it is so."""

    hypothesis: str
    rows: tuple[Premise, ...]
    least: int
    most: int

    def probability(self, each: Sequence[float]) -> float:
        """The probability that it holds of ``least`` to ``most`` rows, given that of every row, each for itself:
        of the Poisson binomial distribution."""
        counts = [1.0]
        for p in each:
            so, not_so = [0.0, *counts], [*counts, 0.0]
            counts = [a * p + b * (1 - p) for a, b in zip(so, not_so, strict=True)]
        return sum(counts[self.least : self.most + 1])


def row_question(claim: Claim, context: GroundContext) -> RowQuestion | None:
    """The question that a claim puts to each row of a list; None where it puts none, or it is not sure to which."""
    said = hypothesis(claim)
    if claim.is_datum or _UNLESS.search(said) or _IDIOM.search(said):
        return None
    found = list(_QUANTIFIED.finditer(said)) or list(_BODY.finditer(said))
    if len(found) != 1:
        return None
    (match,) = found
    told = match.groupdict()
    rest = said[match.end() :]
    if is_negated(said[: match.start()] + rest):
        return None
    ranging = _ranging(rest) if "n" in told else ""
    size = _number(told.get("whole") or told.get("of_all") or told.get("of_none"))
    if match[0].lower().startswith(("both", "neither")):
        size = 2
    rows = _rows(ranging, size, context)
    if rows is None:
        return None
    bounds = _bounds(told, len(rows))
    if bounds is None:
        return None
    one = "the person" if "n" not in told else "the " if ranging else "it "
    text = f"{said[: match.start()]}{one}{_as_one(rest, ranging)}"
    return RowQuestion(
        text[:1].upper() + text[1:], tuple(Premise(p.text, (p,)) for p in rows), *bounds
    )


def judge_rows(question: RowQuestion, scores: Sequence[Entailment], model: str) -> Finding:
    """What the model's scores of each row come to, for the claim as a whole."""
    each = [score.entailment for score in scores]
    chance = round(question.probability(each), 4)
    held = [row for row, p in zip(question.rows, each, strict=True) if p >= 0.5]
    shown = held or question.rows
    spans = tuple(row.passages[0].span() for row in shown[:8])
    detail = f"“{question.hypothesis}”: so of {len(held)} of {len(each)}"
    if chance >= 0.5:
        return Finding(
            NAME, "checked", "supports", chance, None, detail, spans=spans, produced_by=model,
        )  # fmt: skip
    return Finding(
        NAME, "checked", "missing", chance, "not_entailed", detail, spans=spans, produced_by=model
    )


def _ranging(rest: str) -> str:
    """What the rows are called: the words up to the first plural, at most four; nothing before a verb."""
    words = rest.split()[:4]
    if not words or words[0].lower() in _VERBS:
        return ""
    for n, word in enumerate(words, 1):
        plain = re.sub(r"\W+$", "", word)
        if singular(plain.lower()) != plain.lower():
            return " ".join(words[:n])
    return " ".join(words[:1])


def _as_one(rest: str, ranging: str) -> str:
    """The words behind a quantifier, of one: "jobs ended well" of "three of the five jobs ended well"."""
    words = ranging.split()
    if not words:
        return _ONE.sub(lambda m: _SINGULAR[m[0].lower()], rest)
    last = re.sub(r"\W+$", "", words[-1])
    one = [*words[:-1], singular(last) + words[-1][len(last) :]]
    return " ".join(one) + _ONE.sub(lambda m: _SINGULAR[m[0].lower()], rest[len(ranging) :])


_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_ONE = re.compile(rf"(?:(?<=^)|(?<=^ ))(?:{'|'.join(_SINGULAR)})\b", re.I)
_VERBS = frozenset("are is were was have has had do did does".split())


def _number(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if text.isdigit() else _WORDS.index(text.lower()) + 1


def _bounds(told: dict[str, str | None], size: int) -> tuple[int, int] | None:
    """The fewest and the most rows of which it may be so, as it is said."""
    if told["none"]:
        return 0, 0
    if told.get("n") is None:
        return size, size
    said = (told["n"] or "").lower()
    if said == "most":
        return size // 2 + 1, size
    n = size // 2 if said == "half" else _number(said)
    if n is None or n > size or said == "half" and size % 2:
        return None
    match (told["bound"] or "").lower():
        case "at least":
            return n, size
        case "at most":
            return 0, n
        case "more than":
            return n + 1, size
        case "fewer than" | "less than":
            return 0, n - 1
    return n, n


def _rows(ranging: str, size: int | None, context: GroundContext) -> Sequence[Passage] | None:
    """The one list that is meant, a passage for each row; None where there is none, or several may be."""
    found: list[tuple[int, Table]] = []
    for table in tables(context):
        if len(table.rows) > _LONGEST:
            continue
        rows = table.of_positions(
            {at for at, row in enumerate(table.rows) if row.pointer not in table.totals}
        )
        chosen = rows.that_say(ranging)
        for part in dict.fromkeys((chosen, rows)):
            if 2 <= len(part.rows) <= _MOST and (size is None or size == len(part.rows)):
                own = content_stems(f"{table.name} {' '.join(c.key for c in table.rows[0].cells)}")
                found.append((len(named_in(content_stems(ranging), own)), part))
                break
    most = max((named for named, _ in found), default=0)
    best = [table for named, table in found if named == most]
    if len(best) != 1 or ranging and size is None and not most:
        return None  # "all the days he had left" are no rows of his colleagues
    shown = [best[0].shown.get(row.pointer, []) for row in best[0].rows]
    return [one[0] for one in shown] if all(len(one) == 1 for one in shown) else None
