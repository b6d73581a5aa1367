"""A run made of calls and their results, as a ledger and as judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.ledger.ledger import Ledger
from affidavit.report import HallucinationReport
from affidavit.testing import FixedEntailment
from affidavit.trace import RunTrace

Call = tuple[str, dict[str, Any], Any]


def trace_of(
    calls: Iterable[Call], answer: str = "Well.", *, asked: str = "Well?", system: str = ""
) -> RunTrace:
    """A run; a result that is an exception is one of a call that failed."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": asked}]
    for n, (tool, arguments, result) in enumerate(calls):
        failed = isinstance(result, Exception)
        content = str(result) if failed or isinstance(result, str) else json.dumps(result)
        use = {"type": "tool_use", "id": f"c{n}", "name": tool, "input": arguments}
        told = {
            "type": "tool_result",
            "tool_use_id": f"c{n}",
            "content": content,
            "is_error": failed,
        }
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [told]}]
    messages.append({"role": "assistant", "content": answer})
    run: dict[str, Any] = {"messages": messages} | ({"system": system} if system else {})
    return read_run(run, run_id="r")


@pytest.fixture
def ledger() -> Callable[..., Ledger]:
    return lambda *calls, **said: Ledger.of(trace_of(calls, **said))


@pytest.fixture
def judged() -> Callable[..., HallucinationReport]:
    """The report on an answer over some calls. The model is the one given, or one without an opinion."""

    def judge(
        calls: Iterable[Call], answer: str, *, model: Any = None, **said: str
    ) -> HallucinationReport:
        detector = Detector(entailment=model or FixedEntailment())
        return detector.check(trace_of(calls, answer, **said))

    return judge
