"""Arithmetic: an equation that the claim itself writes out must hold, whatever the evidence has."""

from __future__ import annotations

from affidavit.ledger.values import compare
from affidavit.stages.ground.checks.derived.derivation import number_like
from affidavit.stages.ground.checks.derived.equation import equations
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "arithmetic"


def check_arithmetic(claim: Claim, context: GroundContext) -> Finding:
    """Contradict a sum that does not come to what the claim says; a right one proves nothing by itself."""
    for equation in equations(claim):
        result = number_like(equation.value, equation.result)
        if compare(equation.value, result) not in ("same", "rounded"):
            detail = f"{equation.text} = {result.text}, not {equation.value.text}"
            return Finding(NAME, "checked", "contradicts", 0.04, "contradicts_evidence", detail)
    return Finding.skip(NAME, "writes no equation out, or a right one")
