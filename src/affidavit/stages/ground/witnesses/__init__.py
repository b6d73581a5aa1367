"""The witnesses, blind to one another: each says how a claim stands to the evidence in its own respect."""

from affidavit.stages.ground.case import Witness
from affidavit.stages.ground.witnesses.absence import absence
from affidavit.stages.ground.witnesses.calls import calls
from affidavit.stages.ground.witnesses.citations import citations
from affidavit.stages.ground.witnesses.formulas import formulas
from affidavit.stages.ground.witnesses.rows import rows
from affidavit.stages.ground.witnesses.scope import scope
from affidavit.stages.ground.witnesses.values import values

WITNESSES: tuple[Witness, ...] = (values, formulas, rows, calls, absence, citations, scope)
"""All but the entailment model, which reads the claims of an answer together."""

__all__ = ["WITNESSES"]
