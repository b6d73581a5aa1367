"""Pairs made by machine: a small record and a claim that holds over it, and a record near it over which the claim does not.

Each family of cases differs in one thing that a report on results gets wrong: a sign, a unit, who did what, which row,
whether a call went through. The same claim always comes over both records, so that claims alone say nothing.
"""

from affidavit.training.pairs.made.case import Call, Case, Fact, Family
from affidavit.training.pairs.made.families import FAMILIES
from affidavit.training.pairs.made.generate import made_pairs

__all__ = ["FAMILIES", "Call", "Case", "Fact", "Family", "made_pairs"]
