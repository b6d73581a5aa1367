"""A difference is paid or given back, never both: "since this is an additional charge, no refund is expected".

That follows where the answer has told of the charge before, which is held against the evidence by itself.
"""

from __future__ import annotations

import re

from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "charges"

_CHARGE = r"(?:(?:additional|extra|further|net|total|price) )*(?:charges?|cost|costs? more|amount due|surcharge|balance due|to pay|owed?)"
_REFUND = r"(?:refunds?|credits?|money back|reimbursements?)"
_COMES = r"(?:is |are |will be |would be )?(?:expected|due|owed|issued|needed|involved|coming|applicable|necessary|made|applied)"
_NO_REFUND = re.compile(
    rf"\b(?:no {_REFUND}(?: \w+)? {_COMES}|there(?:['’]s| is| will be) no {_REFUND})\b", re.I
)
_NO_CHARGE = re.compile(
    rf"\b(?:no (?:additional |extra |further )?(?:charges?|payment) (?:\w+ )?{_COMES}|there(?:['’]s| is| will be) no (?:additional |extra |further )?charge|"
    r"nothing (?:more |further |else )?to pay|(?:won['’]t|will not) be charged)\b",
    re.I,
)
_REASON = re.compile(r"\b(?:since|because|as|so|which means|given that)\b", re.I)
_TELLS_CHARGE, _TELLS_REFUND = (
    re.compile(rf"\b{_CHARGE}\b", re.I),
    re.compile(rf"\b{_REFUND}\b", re.I),
)


def check_charges(claim: Claim, context: GroundContext) -> Finding:
    """Look for the charge, or the refund, that the answer has told of, and for none of the other."""
    if claim.is_datum or not _REASON.search(claim.text):
        return Finding.skip(NAME, "draws no conclusion from a charge or a refund")
    for denied, told, opposite in (
        (_NO_REFUND, _TELLS_CHARGE, _TELLS_REFUND),
        (_NO_CHARGE, _TELLS_REFUND, _TELLS_CHARGE),
    ):
        if not denied.search(claim.text):
            continue
        amounts = [
            c for c in context.before if any(v.kind == "money" and v.number for v in c.values)
        ]
        for one in amounts if told.search(denied.sub(" ", claim.text)) else ():
            if told.search(one.text) and not any(opposite.search(c.text) for c in amounts):
                detail = f"it follows from “{one.text.strip()}”"
                return Finding(NAME, "checked", "supports", 0.9, None, detail)
    return Finding.skip(NAME, "draws no conclusion from a charge or a refund")
