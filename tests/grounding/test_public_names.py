"""The names of the room: each is there, and asking for one loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import affidavit.grounding


@pytest.mark.parametrize("name", affidavit.grounding.__all__)
def test_each_name_resolves(name: str) -> None:
    assert callable(getattr(affidavit.grounding, name))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = affidavit.grounding.nothing_of_the_kind


def test_the_decorator_brings_in_no_model() -> None:
    script = "from affidavit.grounding import grounded_tool\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"onnxruntime", "torch", "affidavit.detector"} & set(done.stdout.split())
