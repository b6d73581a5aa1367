"""Which queries are worth an assessment of what was found: those where a wrong answer costs something."""

from __future__ import annotations

import re
from typing import Literal

QueryKind = Literal["price", "terms", "date", "faq", "topic"]
"""``price`` amounts and fees · ``terms`` what a contract or rule says · ``date`` dates, deadlines and
periods · ``faq`` any other question · ``topic`` a search for whatever there is on something."""

Assess = Literal["by_kind", "with_faq", "always", "never"]
"""When to assess: for prices, terms and dates · for other questions as well · each time · not at all."""

_ASSESSED: dict[Assess, frozenset[QueryKind]] = {
    "by_kind": frozenset({"price", "terms", "date"}),
    "with_faq": frozenset({"price", "terms", "date", "faq"}),
    "always": frozenset({"price", "terms", "date", "faq", "topic"}),
    "never": frozenset(),
}

_WORDS: tuple[tuple[QueryKind, re.Pattern[str]], ...] = (
    (
        "price",
        re.compile(
            r"\b(?:price[sd]?|pricing|costs?|fees?|(?:be|is|am|are) charged|rates?|tariffs?|fares?|how much|"
            r"discounts?|apr|apy|premiums?|preis\w*|kosten|kostet|gebühr\w*|precios?|cuánto|tarifas?|prix|"
            r"combien|tarifs?|frais|prezz[oi]|quanto|costo|costi)\b|[$€£¥]",
            re.I,
        ),
    ),
    (
        "terms",
        re.compile(
            r"\b(?:contracts?|agreements?|terms?|clauses?|conditions?|polic(?:y|ies)|penalt(?:y|ies)|liabilit\w+|"
            r"terminat\w+|cancel\w*|warrant(?:y|ies)|refunds?|sla|eligib\w+|require(?:d|ments?)?|limits?|allowed|"
            r"vertr[aä]g\w*|bedingung\w*|kündig\w*|haftung\w*|contratos?|cláusulas?|condiciones|contrats?|"
            r"résili\w+|clauses?|contratt[oi]|clausol\w+)\b",
            re.I,
        ),
    ),
    (
        "date",
        re.compile(
            r"\b(?:when|dates?|deadlines?|due|until|expir\w+|how (?:long|soon|late|many (?:days|weeks|months|years))|"
            r"what time|opening hours|wann|fristen?|termine?|bis wann|wie lange|cuándo|fechas?|plazos?|quand|"
            r"délais?|échéances?|quando|scaden\w+)\b",
            re.I,
        ),
    ),
)
_QUESTION = re.compile(
    r"\?\s*$|^\W*(?:what|which|who|whom|whose|where|why|how|is|are|was|were|do|does|did|can|could|may|must|"
    r"should|will|would|has|have|was|wie|wer|wo|warum|kann|darf|qué|quién|dónde|cómo|qui|où|comment|che|chi|"
    r"dove|come)\b",
    re.I,
)


def query_kind(query: str) -> QueryKind:
    """The kind of a query, from its words; one in doubt is of the kind that is assessed."""
    for kind, words in _WORDS:
        if words.search(query):
            return kind
    return "faq" if _QUESTION.search(query) else "topic"


def is_assessed(kind: QueryKind, assess: Assess = "by_kind") -> bool:
    """Whether what was found for such a query is held against it before it is used."""
    return kind in _ASSESSED[assess]
