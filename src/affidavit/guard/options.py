"""The settings that all guards of a deployment have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

from affidavit.formats.tools import Tools
from affidavit.guard.keepers import Recorder
from affidavit.report import HallucinationReport
from affidavit.stages.gate import RefusalTemplate


class GuardOptions(TypedDict, total=False):
    """The settings of :class:`~affidavit.guard.Guard` that an adapter hands through, the same for all of its runs."""

    shadow: bool
    mark: bool
    cite: bool | None
    may_cite: bool
    refusal_template: RefusalTemplate | str | None
    on_report: Callable[[HallucinationReport], object] | None
    recorders: Iterable[Recorder]
    known_tools: Tools
