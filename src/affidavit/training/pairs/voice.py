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


_WORDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bI can['’]t (?=[a-z]+ (?!be\b))", ("I'm unable to ", "I'm not able to ", "it isn't possible for me to ", "our system doesn't let me ",
                                        "there's no way for me to ", "I don't have the option to ", "we can't ", "I won't be able to ")),
    (r"\bI can (?!only\b|see\b)(?=[a-z]+ )", ("I'm able to ", "it's possible for me to ", "we can ", "our system lets me ", "there is an option to ", "we'd be able to ")),
    (r"\bYou can(?: still)? (?!only\b)(?=[a-z]+ )", ("You're able to ", "You have the option to ", "You do have the option to ", "It's possible for you to ",
                                              "You may ", "There is an option to ", "You're free to ", "You also can ")),
    (r"\b(?:can['’]t|cannot) be (?=[a-z]+ed\b)", ("isn't able to be ", "is not something that can be ", "may not be ", "won't be ", "is not allowed to be ")),
    (r"\bcan be (?=[a-z]+ed\b)", ("is able to be ", "may be ", "is something that can be ", "could be ", "is allowed to be ")),
    (r"\b(?:isn['’]t|is not) eligible for\b", ("doesn't qualify for", "is ineligible for", "isn't entitled to")),
    (r"\bis eligible for\b", ("does qualify for", "is entitled to", "qualifies for")),
    (r"\bisn['’]t possible\b", ("isn't supported", "isn't available", "isn't an option", "is ruled out", "can't be done", "is not allowed")),
    (r"\baren['’]t possible\b", ("aren't supported", "aren't available", "aren't an option", "are ruled out", "can't be done", "are not allowed")),
    (r"\b(?:is|are) possible\b(?! for me)", ("can be done", "can be arranged", "will work")),
    (r"\bas long as\b", ("provided that", "so long as", "while")),
    (r"\bis still\b", ("currently is", "is", "remains")),
)  # fmt: skip
"""What may be done and what may not, in other words that mean the same."""


def freely(claim: str, rng: random.Random, share: float) -> str:
    """``share`` of what may or may not be done told in other words of the same meaning."""
    if rng.random() < share:
        for said, others in _WORDINGS:
            if re.search(said, claim):
                return re.sub(said, rng.choice(others), claim, count=1)
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
