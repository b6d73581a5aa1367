"""Every mention of a claim joined to the places of the evidence that say the same, or from which it follows."""

from affidavit.stages.ground.linking.clauses import Clause, clauses
from affidavit.stages.ground.linking.evidence import Evidence, evidence_of
from affidavit.stages.ground.linking.formula import Formula
from affidavit.stages.ground.linking.links import Link, Linked, linked_answer, links_of
from affidavit.stages.ground.linking.premise import Premise, premise_of
from affidavit.stages.ground.linking.shown import Shown, shown_for

__all__ = [
    "Clause",
    "Evidence",
    "Formula",
    "Link",
    "Linked",
    "Premise",
    "Shown",
    "clauses",
    "evidence_of",
    "linked_answer",
    "links_of",
    "premise_of",
    "shown_for",
]
