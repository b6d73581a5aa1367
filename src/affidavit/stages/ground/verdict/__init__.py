"""The fitted verdict: from all signals of a claim to one calibrated probability, with its reasons."""

from affidavit.stages.ground.verdict.explain import explained
from affidavit.stages.ground.verdict.features import features_of
from affidavit.stages.ground.verdict.model import Verdict, VerdictModel, load_verdict

__all__ = ["Verdict", "VerdictModel", "explained", "features_of", "load_verdict"]
