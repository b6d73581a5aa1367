"""Stage 2: the answer split into claims, each held against the run's evidence."""

from affidavit.stages.ground.ground import Grounding, ground

__all__ = ["Grounding", "ground"]
