"""Values worked out from what a claim speaks of by any of the common operations: "you sold 180 jars", "€122 a
night", "70 percent of its allowance".

The other operations each know one way of asking. Here the words need only allow a kind of operation, and
what keeps chance out is counted: among as many candidates as were tried, a figure of that size and
roundness must be unlikely to be met by accident.
"""

from affidavit.stages.ground.checks.derived.enumerated.worked_out import worked_out

__all__ = ["worked_out"]
