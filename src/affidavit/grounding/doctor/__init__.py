"""Examines somebody's own tools and agent: the checklist before deployment, carried out."""

from __future__ import annotations

from affidavit.grounding.doctor.checklist import CHECKLIST, Finding
from affidavit.grounding.doctor.examine import aexamine, examine
from affidavit.grounding.doctor.examinee import Examinee, Reply

__all__ = ["CHECKLIST", "Examinee", "Finding", "Reply", "aexamine", "examine"]
