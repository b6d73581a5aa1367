"""The public names are these, and importing them costs little."""

from __future__ import annotations

import subprocess
import sys

import pytest

import affidavit

PUBLIC = [
    "AffidavitError",
    "ClaimVerdict",
    "Detector",
    "Guard",
    "HallucinationReport",
    "Policy",
    "RunTrace",
    "ToolCallValidation",
    "__version__",
    "load_run",
    "read_run",
]


def test_the_public_names_are_pinned() -> None:
    assert sorted(affidavit.__all__) == PUBLIC
    assert dir(affidavit) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_each_public_name_resolves(name: str) -> None:
    assert getattr(affidavit, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = affidavit.nothing_of_the_kind  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import affidavit", {"pydantic", "onnxruntime", "torch", "rich", "numpy"}),
        ("from affidavit import Detector", {"torch", "transformers", "rich", "onnxruntime"}),
        ("from affidavit.cli.arguments import parser; parser()", {"onnxruntime", "pydantic"}),
    ],
)
def test_importing_brings_in_no_more_than_is_used(code: str, absent: set[str]) -> None:
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not absent & set(done.stdout.split())
