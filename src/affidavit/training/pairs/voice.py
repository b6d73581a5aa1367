"""A claim as an agent says it: with a lead now and then, a capital letter and a full stop."""

from __future__ import annotations

import random
import re

_LEADS = (
    "I can see that {c}", "It looks like {c}", "I checked, and {c}", "According to the record, {c}",
    "The system shows that {c}", "Good news: {c}", "As you can see, {c}", "I can confirm that {c}",
    "Just to confirm, {c}", "Yes, {c}", "Note that {c}", "Sure! {c}", "Based on the results, {c}",
    "Please be aware that {c}", "To answer your question: {c}", "Thanks for waiting. {c}",
    "From what I can see, {c}", "I've looked it up and {c}", "Also, {c}", "In short, {c}",
)  # fmt: skip


_VAGUE = ("shortly", "soon", "in due course", "as well", "then")
"""Adverbs that promise nothing that could be checked: "you'll receive an email shortly"."""


def vaguely(claim: str, rng: random.Random, share: float) -> str:
    """``share`` of what will happen told with a vague adverb, at the end."""
    coming = re.search(r"\b(?:will|'ll)\b(?! not)", claim)
    if coming and rng.random() < share and not claim.endswith((".", "?", *_VAGUE)):
        return f"{claim} {rng.choice(_VAGUE)}"
    return claim


def spoken(claim: str, rng: random.Random, share: float = 0.25) -> str:
    """The claim as a sentence; ``share`` of them begin the way agents begin."""
    if rng.random() < share:
        lead = rng.choice(_LEADS)
        keep = (
            lead[-5] in "!."
            or claim.split()[0][:2] in ("I", "I'")
            or not claim.split()[0].isalpha()
        )
        claim = lead.replace("{c}", claim if keep else claim[0].lower() + claim[1:])
    text = claim[0].upper() + claim[1:]
    return text if text.endswith((".", "!", "?")) else text + "."
