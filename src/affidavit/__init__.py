"""Affidavit: each claim of an agent's answer, checked against the run's own tool results.

The names below are the whole public interface. They are loaded when first used, so that importing the
package costs little and brings in no model runtime.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affidavit.detector import Detector as Detector
    from affidavit.errors import AffidavitError as AffidavitError
    from affidavit.formats import load_run as load_run
    from affidavit.formats import read_run as read_run
    from affidavit.guard import Guard as Guard
    from affidavit.policy import Policy as Policy
    from affidavit.report import ClaimVerdict as ClaimVerdict
    from affidavit.report import HallucinationReport as HallucinationReport
    from affidavit.report import ToolCallValidation as ToolCallValidation
    from affidavit.trace import RunTrace as RunTrace

    __version__: str

_HOME = {
    "AffidavitError": "affidavit.errors",
    "ClaimVerdict": "affidavit.report",
    "Detector": "affidavit.detector",
    "Guard": "affidavit.guard",
    "HallucinationReport": "affidavit.report",
    "Policy": "affidavit.policy",
    "RunTrace": "affidavit.trace",
    "ToolCallValidation": "affidavit.report",
    "load_run": "affidavit.formats",
    "read_run": "affidavit.formats",
}

__all__ = [  # noqa: RUF022 - in the order a reader meets them
    "Detector",
    "Guard",
    "Policy",
    "RunTrace",
    "read_run",
    "load_run",
    "HallucinationReport",
    "ClaimVerdict",
    "ToolCallValidation",
    "AffidavitError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    value: Any
    if name == "__version__":
        value = import_module("importlib.metadata").version("affidavit")
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
