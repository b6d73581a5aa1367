"""Stage 3: self-consistency of the critical claims."""

from affidavit.stages.probe.paraphrase import re_ask
from affidavit.stages.probe.probe import ProbeOutcome, probe, to_probe, without
from affidavit.stages.probe.samples import Samples

__all__ = ["ProbeOutcome", "Samples", "probe", "re_ask", "to_probe", "without"]
