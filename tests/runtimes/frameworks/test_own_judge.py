"""The model that a framework's agent holds, asked as a judge: how it is asked, what that costs, and where it shows."""

import asyncio
import logging
import runpy
from pathlib import Path
from typing import Any

import pytest

from affidavit.runtimes.contract import ModelTurn, Outcome, Scene
from affidavit.runtimes.contract.scenarios import DOUBTS, LOOKS_UP, TRUE, detector_of
from affidavit.runtimes.contract.scene import says_nothing

HERE = Path(__file__).parent
FRAMEWORKS = (
    "agent_framework",
    "google_adk",
    "langchain",
    "openai_agents",
    "pydantic_ai",
    "smolagents",
    "strands",
)


def drivers_of(framework: str) -> dict[str, Any]:
    found: dict[str, Any] = runpy.run_path(str(HERE / f"test_{framework}.py"))["DRIVERS"]
    return found


def played(framework: str, judge: Any, driver: str = "", **how: Any) -> tuple[Outcome, Any]:
    """A run with a claim in doubt, under one driver of a framework, by default the first, and its report."""
    drivers = drivers_of(framework)
    made = drivers[driver or next(iter(drivers))]
    outcome = Outcome()
    detector = detector_of(DOUBTS.model_copy(update=how))
    turns = (LOOKS_UP, ModelTurn(TRUE))
    options: Any = {"on_report": outcome.reports.append}
    scene = Scene(turns, detector, options=options, judge=judge)
    asyncio.run(made().play(scene, outcome))
    (report,) = outcome.reports
    return outcome, report


@pytest.mark.spec("AFF-1407", "AFF-1408")
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_report_says_what_it_cost(framework: str) -> None:
    """Under every way to run an agent of the framework: at once, asynchronously, streamed."""
    for driver in drivers_of(framework):
        outcome, report = played(framework, says_nothing, driver)
        told = (report.judge.requests, report.judge.input_tokens, report.judge.output_tokens)
        assert told == (1, 10, 5), driver
        assert all("<claim>" not in asked for asked in outcome.asked), "the run holds the question"


def down(request: str) -> str:
    raise RuntimeError("the model is down")


@pytest.mark.spec("AFF-1405", "AFF-1408")
@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("fail_mode", ["open", "closed"])
def test_a_model_that_raises_follows_the_fail_mode(framework: str, fail_mode: str) -> None:
    outcome, report = played(framework, down, fail_mode=fail_mode)
    assert report.judge.state == "failed" and "the model is down" in report.judge.reason
    assert (outcome.seen.strip() == TRUE) == (fail_mode == "open")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_log_says_who_is_asked(framework: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="affidavit.runtimes"):
        played(framework, says_nothing)
    told = [record.message for record in caplog.records if "judge: " in record.message]
    assert len(told) == 1
    assert "the agent's own model is asked about critical claims in doubt" in told[0]
    assert 'model = "none"' in told[0]


@pytest.mark.spec("AFF-1409")
def test_langchain_traces_it_under_a_name_of_its_own() -> None:
    from langchain_core.callbacks import BaseCallbackHandler

    names: list[str] = []

    class Tracer(BaseCallbackHandler):
        def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
            names.append(kwargs["name"])

    module = runpy.run_path(str(HERE / "test_langchain.py"))
    scene, outcome = Scene((LOOKS_UP, ModelTurn(TRUE)), detector_of(DOUBTS)), Outcome()
    config = {**module["THREAD"], "callbacks": [Tracer()]}
    agent = module["agent_of"](scene, outcome)
    agent.invoke(module["asked"](scene), config)
    assert names == [None, None, "affidavit judge"]
    names.clear()
    agent = module["agent_of"](scene, outcome)
    asyncio.run(agent.ainvoke(module["asked"](scene), config))
    assert names == [None, None, "affidavit judge"]


@pytest.mark.spec("AFF-1409")
def test_openai_agents_trace_it_as_a_span_of_its_own() -> None:
    from agents import RunConfig, Runner, set_trace_processors
    from agents.tracing import TracingProcessor

    module = runpy.run_path(str(HERE / "test_openai_agents.py"))
    names: list[str] = []

    class Tracer(TracingProcessor):
        def on_span_start(self, span: Any) -> None:
            names.append(getattr(span.span_data, "name", ""))

        def on_trace_start(self, trace: Any) -> None: ...
        def on_trace_end(self, trace: Any) -> None: ...
        def on_span_end(self, span: Any) -> None: ...
        def shutdown(self) -> None: ...
        def force_flush(self) -> None: ...

    set_trace_processors([Tracer()])
    try:
        scene, outcome = Scene((LOOKS_UP, ModelTurn(TRUE)), detector_of(DOUBTS)), Outcome()
        provider = module["config"](scene, outcome).model_provider
        config = RunConfig(model_provider=provider)
        # Not run_sync: the loop that it makes is never closed.
        asyncio.run(
            Runner.run(module["agent_of"](scene, outcome), scene.question, run_config=config)
        )
    finally:
        set_trace_processors([])
    assert names.count("affidavit judge") == 1
