"""What people said is right: of whole answers, and of single claims."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affidavit.audit.facets import label_of
from affidavit.errors import TraceError
from affidavit.records.runlog import RunLog, labels
from affidavit.report import HallucinationReport

_SAID = {
    "supported": True, "emit": True, "right": True,
    "contradicted": False, "unsupported": False, "revise": False, "block": False, "wrong": False,
}  # fmt: skip
_NO_LABEL = ("exempt", "unchecked")
"""What a reviewer may say of a claim that tells neither for it nor against it."""
_LABEL_KEYS = ("label", "grounded", "correct", "is_correct", "verdict")
_RUN_KEYS = ("run_id", "run", "id")


@dataclass(slots=True)
class Labels:
    """Labels by run. A claim is known by its place among the report's claims, from 0, or by its text."""

    answers: dict[str, bool] = field(default_factory=dict)
    claims: dict[str, dict[int | str, bool]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.answers) + sum(len(of_run) for of_run in self.claims.values())

    @property
    def runs(self) -> set[str]:
        """The runs that anything is said of."""
        return {*self.answers, *self.claims}

    def of_claims(self, report: HallucinationReport) -> dict[int, bool]:
        """What is said of the claims of a report, by their places."""
        said = self.claims.get(report.run_id)
        if not said:
            return {}
        found: dict[int, bool] = {}
        for place, claim in enumerate(report.claims):
            told = said.get(place, said.get(_plain(claim.text)))
            if told is not None:
                found[place] = told
        return found

    def say(self, run_id: str, claim: int | str | None, right: bool) -> None:
        """Add a label; the last one on the same thing holds."""
        if claim is None:
            self.answers[run_id] = right
        else:
            key = _plain(claim) if isinstance(claim, str) else claim
            self.claims.setdefault(run_id, {})[key] = right


def read_labels(file: Path) -> Labels:
    """Labels from JSON Lines: ``{"run_id", "label"}`` of an answer, with ``claim`` or ``text`` of a claim.

    ``claim`` counts from 1, as the claims table of an audit does, whose rows may be labelled as they
    are; what `affidavit log export --what labels` writes is read too.
    """
    found = Labels()
    try:
        with file.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    _read_row(line, found, str(file), number)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", file=str(file)) from error
    except UnicodeDecodeError as error:
        raise TraceError(f"not UTF-8: byte {error.start}", file=str(file)) from error
    if not len(found):
        raise TraceError("holds no labels", file=str(file))
    return found


def labels_in_log(log: RunLog) -> Labels:
    """The reviews of a run log, by run and text of the claim, for runs that were judged elsewhere."""
    found = Labels()
    for label in labels(log):
        right = _SAID.get(label.label)
        if right is not None:
            found.say(label.run_id, None if label.claim is None else label.text, right)
    return found


def right_or_wrong(said: str) -> bool | None:
    """Whether a reviewer's verdict is for the claim or answer; None where it tells neither."""
    return _SAID.get(said)


def _read_row(line: str, found: Labels, file: str, number: int) -> None:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise TraceError(f"not valid JSON: {error}", file=file, line=number) from error
    if not isinstance(row, dict):
        raise TraceError("expected an object with run_id and label", file=file, line=number)
    run_id = next((str(row[key]) for key in _RUN_KEYS if row.get(key) not in (None, "")), None)
    if run_id is None:
        raise TraceError("says of no run: expected run_id", file=file, line=number)
    said = next((row[key] for key in _LABEL_KEYS if row.get(key) is not None), None)
    if said is None or str(said).lower() in _NO_LABEL:
        if said is None and not any(key in row for key in _LABEL_KEYS):
            raise TraceError("expected label: good or bad", field="label", file=file, line=number)
        return  # a row that nobody has filled in yet
    right = _right(said)
    if right is None:
        raise TraceError(
            f"expected good or bad, got {said!r}", field="label", file=file, line=number
        )
    found.say(run_id, _claim_of(row, file, number), right)


def _right(said: Any) -> bool | None:
    told = _SAID.get(str(said).strip().lower())
    if told is not None:
        return told
    return {"good": True, "bad": False}.get(label_of([{"label": said}]))


def _claim_of(row: Mapping[str, Any], file: str, number: int) -> int | str | None:
    claim = row.get("claim")
    if isinstance(claim, bool) or (claim is not None and not isinstance(claim, int | str)):
        raise TraceError("expected a number or a text", field="claim", file=file, line=number)
    if isinstance(claim, str):
        return claim
    if isinstance(claim, int):
        # The log's own export counts from 0, and names the record; all else counts as people do.
        place = claim if "record" in row else claim - 1
        if place < 0:
            raise TraceError("claims count from 1", field="claim", file=file, line=number)
        return place
    if "record" in row:
        return None  # of a whole answer, whose text stands beside it
    text = row.get("text")
    return text if isinstance(text, str) and text.strip() else None


def _plain(text: str) -> str:
    return " ".join(text.split())
