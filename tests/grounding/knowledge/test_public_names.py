"""The names of the room: each is there, and asking for one loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import affidavit.grounding.knowledge as room


@pytest.mark.parametrize("name", room.__all__)
def test_each_name_resolves(name: str) -> None:
    assert callable(getattr(room, name))
    assert name in dir(room)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = room.nothing_of_the_kind


def test_a_base_brings_in_no_model_and_no_driver() -> None:
    script = "from affidavit.grounding.knowledge import *\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not {"onnxruntime", "torch", "psycopg", "pypdf", "langchain_core", "yaml"} & loaded
