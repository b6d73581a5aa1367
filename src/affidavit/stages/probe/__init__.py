"""Stage 3: self-consistency of the critical claims."""

from affidavit.stages.probe.paraphrase import re_ask
from affidavit.stages.probe.probe import ProbeOutcome, probe

__all__ = ["ProbeOutcome", "probe", "re_ask"]
