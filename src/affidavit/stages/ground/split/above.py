"""What stands above a block of an answer, and what it makes of the list items below it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from affidavit.stages.ground.split.asking import (
    DUE,
    REQUEST,
    REQUIRED_LEAD,
    STATE_LABEL,
    TO_DO,
    TO_DO_THAT,
    Lead,
    keeps_asking,
    lead_of,
)
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.kinds import EXEMPT, kind_of, presumes, without_identifiers
from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.statements import Reading
from affidavit.stages.ground.split.verbs import AUXILIARIES, finite_verb, is_proposition

# "The items in this order are:", "What I found:" say nothing before what follows them.
_POINTS = re.compile(
    r"\b(?:are|is|were|was|includes?|contains?|have|has)(?: currently)?(?: (?:as follows|below|these|(?:the )?following(?: [\w'’-]+){0,6}))?\W*:$"
    r"|^(?:what|how|why|where|when|before|after|once|while|from|for|based on|regarding|about|with|in|on)\b[^,]*:$",
    re.IGNORECASE,
)
# "Order 7 (delivered):" says what became of it.
_SAID_IN_PASSING = re.compile(
    r"\((?!e\.g|if\b|no action\b|please|optional|required|likely\b|probably\b|confirmation\)|recap\)|summary\)|see\b|select|choose|pick)[^)]{0,300}[a-z]{3}"
)
_AFTER_THE_HEAD = re.compile(r"\b(?:before|after|once|when|while|if|that|which|as|so)\b")
# "and the refund amounts:" is no sentence.
_PLURAL_END = re.compile(
    r"(?<=[a-z] )(?:amounts|totals|changes|returns|exchanges|refunds|costs|orders|updates|cancels)\W*$"
)
_QUESTION_TITLE = re.compile(r"(?:what|how|why|where|when|before|after)\b[^.!?]*$", re.IGNORECASE)
# Sentences whatever the verb lists know, and the marks of one.
_SAYS = re.compile(
    r"(?:please note|note that|keep in mind|remember|be aware)\b|(?:it|there|this|these|all|both|each|no|you|we|I|if\b[^,]*, \w+)\b.*\w{3}\.$",
    re.IGNORECASE,
)
_CLOSED = re.compile(
    r"[.!]\W*$|\b(?:is|are|was|were|will|has|have|had|can|cannot|must|costs?)\b", re.IGNORECASE
)
# "The number of the order you placed", "the email used for it", "the city it was sent to", "…, so I can find it"
_RELATIVE = re.compile(
    r"\b(?:where|that|which|who|when|you|so|if)\b(?!\W*$)|(?<=\w )(?:it|they)(?= (?:was|were|is|are|has|have)\b)"
    r"|(?<=\w )(?:used|placed|registered|associated|linked|listed|provided|made|given)(?= (?:for|on|in|to|at|with|by|from)\b)"
)
_ASIDE = re.compile(r"\([^()]*\)")
_THAT = re.compile(
    r"(?:and |or )?(?:that|whether|which|how|what|where|when|who|if)\b", re.IGNORECASE
)


@dataclass(slots=True)
class Item:
    """A list item that others may be nested under. ``makes`` is None where it leaves that to the lead."""

    indent: int
    label: str
    makes: Lead | None = None


@dataclass(slots=True)
class Above:
    """A heading, the sentence that leads in a list, the list items around; ``awaits`` tells whether the
    answer asks for the user's word."""

    reading: Reading
    awaits: bool = False
    title: str = ""
    lead: str = ""
    makes: Lead = ""
    items: list[Item] = field(default_factory=list)

    @property
    def item_labels(self) -> str:
        return " — ".join(item.label for item in self.items[-2:] if item.label)

    def close_list(self) -> None:
        self.lead, self.makes = "", ""
        self.items.clear()

    def pass_title(self, title: str) -> None:
        """A title closes a list; what was asked above it is still asked below: "Please confirm: ## Order 1"."""
        makes = lead_of(title, "fact", awaits=self.awaits)
        kept = self.makes if keeps_asking(title) and self.makes != "offers" else ""
        self.close_list()
        self.makes = makes or kept

    def lead_in(self, draft: Draft, makes: Lead) -> Draft:
        """``draft``, which ends in a colon, as what leads in the blocks below it. ``makes`` is what the lead
        before it made of its items."""
        kind = kind_of(draft.said, english=draft.english).kind
        pointing, no_verb = signposts(draft), finite_verb(protect(draft.said)) is None
        self.makes = lead_of(draft.said, kind, awaits=self.awaits)
        if not self.makes and no_verb and keeps_asking(draft.said):
            self.makes = makes
        if not self.makes and REQUIRED_LEAD.search(draft.said):
            self.lead = draft.statement.rstrip(" :：")
            return draft
        if kind != "greeting" and not (pointing and no_verb):
            self.lead = draft.statement.rstrip(" :：")
        if self.makes == "asks" and kind == "fact" and not re.search(r"\d", draft.said):
            return replace(draft, kind="offer")
        if self.lead and kind == "fact" and heads(draft.said):
            return replace(
                draft, kind="greeting"
            )  # "Proposed plan (queued):" is said of each item below
        return pointer(draft) if pointing else draft

    def announced(self, draft: Draft) -> None:
        """As in "Please confirm the following so that I can proceed.", before a list."""
        kind = kind_of(draft.said, english=draft.english).kind
        if kind in EXEMPT and re.search(r"\b(?:following|below|these|this)\b", draft.said):
            self.makes = lead_of(draft.said, kind, awaits=self.awaits)

    def led(self, draft: Draft) -> Draft:
        """``draft`` as the end of the sentence that leads in its list."""
        if self.makes and self.makes not in ("restates", "lacks"):
            made = self.made(draft, "")
            if is_exempt(made):
                return made
        return replace(draft, statement=f"{self.lead}: {draft.statement}", context=self.lead)

    def enter(self, indent: int) -> None:
        while self.items and self.items[-1].indent >= indent:
            self.items.pop()

    def leave(self, indent: int, label: str, leading: str) -> None:
        """Remember an item for those nested under it; ``leading`` is what it says before a colon."""
        makes: Lead | None = None
        if leading:
            kind = kind_of(leading).kind
            makes = lead_of(leading, kind, awaits=self.awaits)
            if not makes and self.awaits and TO_DO.match(leading):
                makes = "proposes"
            if not makes and keeps_asking(leading):
                makes = None
        self.items.append(Item(indent, label, makes))

    def made(self, draft: Draft, label: str) -> Draft:
        """``draft``, an item, as what the lead makes of it: "Please provide: - your city" asks for a city.

        Whole sentences say what they say, wherever they stand. Where it has values, they are still looked up.
        """
        makes = next((i.makes for i in reversed(self.items) if i.makes is not None), self.makes)
        if makes == "asks" and DUE.search(draft.said) and not REQUEST.match(draft.said):
            return draft
        if draft.kind or is_exempt(draft) or STATE_LABEL.search(_ASIDE.sub("", label)):
            return draft
        if REQUEST.match(label):  # "Confirm the size: M"
            return replace(draft, kind="offer", presumes=True)
        if not makes or makes == "offers":
            return self.to_do(draft, label)
        whole = (
            not is_fragment(draft) and not _THAT.match(draft.said) or bool(_SAYS.match(draft.said))
        )
        if (
            whole
            and makes == "asks"
            and not _CLOSED.search(_RELATIVE.split(_ASIDE.sub("", draft.said))[0])
        ):
            whole = False  # "The number of the order you placed"
        imperative = TO_DO.match(draft.said) and TO_DO_THAT.match(draft.said)
        if whole and makes in ("asks", "proposes", "restates") and imperative:
            whole = False  # "Keep your order as is and return the speaker later"
        told = ("fact", "restatement", "citation", *(("absence",) if imperative else ()))
        if whole or kind_of(draft.said, alone=False).kind not in told:
            return draft
        if makes == "restates" and TO_DO.match(draft.said):
            return replace(draft, kind="plan", presumes=True)  # what the user wants done
        if makes == "restates":
            return replace(draft, kind="restatement")
        if makes == "lacks":
            return replace(draft, kind="absence", statement=f"{self.lead}: {draft.statement}")
        valued = makes == "proposes" or bool(label) and bool(re.search(r"\d|: *[A-Z]", draft.said))
        kept = valued or presumes(draft.said)
        return replace(draft, kind="offer" if makes == "asks" else "plan", presumes=kept)

    def to_do(self, draft: Draft, label: str = "") -> Draft:
        """``draft`` as something to be done, "Cancel order 7", where the answer offers or awaits it."""
        todo = (self.awaits or self.makes) and TO_DO.match(draft.said)
        named = self.awaits and TO_DO.match(label)
        if (todo or named) and (is_fragment(draft) or TO_DO_THAT.match(draft.said)):
            return replace(draft, kind="plan", presumes=bool(re.search(r"\d", draft.said)))
        return draft


def under(draft: Draft, over: str) -> Draft:
    """``draft`` with the names of the items or the heading it stands under."""
    if not over or over in draft.statement or is_exempt(draft):
        return draft
    context = ", ".join(filter(None, (over, draft.context)))
    return replace(draft, statement=f"{over} — {draft.statement}", context=context)


def signposts(draft: Draft) -> bool:
    """Whether ``draft``, which ends in a colon, only points at what follows."""
    if kind_of(draft.said, english=draft.english).kind != "fact":
        return False
    if re.search(r"\d", without_identifiers(draft.said)) or _SAID_IN_PASSING.search(draft.said):
        return False
    # "Important notes before we proceed:"
    head = _PLURAL_END.sub("", _AFTER_THE_HEAD.split(protect(draft.said))[0])
    return finite_verb(head) is None or bool(_POINTS.search(draft.said))


_NUMBERED_PART = re.compile(
    r"\b(?:line|option|step|part|choice|question|field) \d\b", re.IGNORECASE
)


_ALREADY = re.compile(r"^\W*(?:already|now|just|recently) [a-z]+ed\b", re.IGNORECASE)


def heads(words: str) -> bool:
    """Whether a line that ends in a colon only names what stands below it, an aside apart: no value, no
    sentence. What it says of the items is said in each of them."""
    plain = _RELATIVE.split(_ALREADY.sub("", _ASIDE.sub("", protect(words))))[0]
    short = len(words.split()) <= 12 and not re.search(r"\d", _NUMBERED_PART.sub("", words))
    return short and AUXILIARIES.isdisjoint(plain.lower().split()) and finite_verb(plain) is None


def pointer(draft: Draft) -> Draft:
    """``draft`` as no claim; an order it names is still looked up."""
    return replace(draft, kind="greeting", presumes=bool(re.search(r"\d", draft.said)))


def points(title: str) -> bool:
    """Whether a title only names what follows: "What I need from you"."""
    return bool(_QUESTION_TITLE.match(title))


def is_fragment(draft: Draft) -> bool:
    return not is_proposition(protect(draft.said))


def is_exempt(draft: Draft) -> bool:
    return (draft.kind or kind_of(draft.said, english=draft.english).kind) in EXEMPT
