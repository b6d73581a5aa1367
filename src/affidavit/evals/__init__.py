"""Groundedness where answers are tested: a pytest plugin, and metrics for evaluation frameworks."""

from __future__ import annotations

from affidavit.evals.grounded import assert_grounded, told

__all__ = ["assert_grounded", "told"]
