"""Whatever comes in, a run comes out or an error that says where: never another exception."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import TraceError
from affidavit.formats import iter_runs, read_run

FILES = sorted((Path(__file__).parent / "same_run").glob("*.json"))
DOCUMENTS = [json.loads(path.read_text()) for path in FILES]
WORDS = (
    "type text role user assistant tool content tool_use id name parts arguments messages".split()
)

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
words = st.sampled_from(WORDS)
values = st.recursive(
    scalars | words,
    lambda value: st.lists(value, max_size=3) | st.dictionaries(words, value, max_size=4),
    max_leaves=8,
)


def read(data: Any) -> None:
    try:
        trace = read_run(data)
    except TraceError:
        return
    assert trace.run_id
    assert trace.answer.strip() or trace.metadata["calls_only"]
    trace.model_dump_json()


@given(values)
def test_any_value(data: Any) -> None:
    read(data)


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(DOCUMENTS), st.data())
def test_a_run_with_anything_in_the_wrong_place(document: Any, data: st.DataObject) -> None:
    """Somewhere in a good document a value is lost, replaced, or stands under a strange name."""
    spoilt = json.loads(json.dumps(document))
    for _ in range(data.draw(st.integers(1, 3))):
        place = spoilt
        for _ in range(data.draw(st.integers(0, 7))):
            steps = list(place) if isinstance(place, dict) else range(len(place))
            inner = [step for step in steps if isinstance(place[step], dict | list) and place[step]]
            if not inner:
                break
            place = place[data.draw(st.sampled_from(inner))]
        if not place:
            break
        step = data.draw(
            st.sampled_from(list(place) if isinstance(place, dict) else range(len(place)))
        )
        if data.draw(st.booleans()):
            place[step] = data.draw(values)
        else:
            del place[step]
    read(spoilt)


@pytest.mark.skipif(
    "AFFIDAVIT_RUN_FILES" not in os.environ, reason="AFFIDAVIT_RUN_FILES is not set"
)
def test_run_files() -> None:
    """Every line of the files named by the variable, separated as a search path is, must read."""
    for name in os.environ["AFFIDAVIT_RUN_FILES"].split(os.pathsep):
        runs = list(iter_runs(Path(name)))
        assert runs, name
        assert not [str(run) for _, run in runs if isinstance(run, TraceError)]
