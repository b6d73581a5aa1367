"""Answering events as they come, each under the policy it names, with one entailment model for all."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affidavit.detector import Detector
from affidavit.errors import PolicyError
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.runtimes.claude_code.events import NO_OPINION, HookAnswer, HookEvent, tell_user
from affidavit.runtimes.claude_code.hooks import Hooks


class HookService:
    """``folder`` is where journals are kept. Options of an event: ``policy`` and ``reports`` (paths)
    and ``shadow``. Safe to share by threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hooks: dict[tuple[object, ...], Hooks] = {}
        self._lock = threading.Lock()

    def __call__(self, event: Mapping[str, Any], options: Mapping[str, str]) -> HookAnswer:
        """What to answer. A policy that cannot be read is said so, and decides nothing."""
        try:
            read = HookEvent.model_validate(event)
            hooks = self._for(options)
        except (PolicyError, ValidationError) as error:
            quiet = event.get("hook_event_name") not in ("SessionStart", "Stop")
            return NO_OPINION if quiet else tell_user(f"affidavit did not check anything: {error}")
        return hooks.answer(read)

    def _for(self, options: Mapping[str, str]) -> Hooks:
        policy = Path(options["policy"]) if "policy" in options else None
        changed = policy.stat().st_mtime_ns if policy and policy.exists() else 0
        key = (policy, changed, options.get("reports"), "shadow" in options)
        with self._lock:
            if key not in self._hooks:
                self._hooks[key] = self._made(policy, options)
            return self._hooks[key]

    def _made(self, policy: Path | None, options: Mapping[str, str]) -> Hooks:
        detector = Detector(Policy.load(policy) if policy else Policy())
        reports = Path(options["reports"]) if "reports" in options else None
        return Hooks(
            detector,
            folder=self._folder,
            shadow="shadow" in options,
            on_report=None if reports is None else lambda report: _written(reports, report),
        )


def _written(file: Path, report: HallucinationReport) -> None:
    """Add a report to a file of reports, one a line."""
    with file.open("a", encoding="utf-8") as out:
        out.write(report.model_dump_json() + "\n")
