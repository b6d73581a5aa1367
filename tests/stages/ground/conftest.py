"""A run made of calls and their results, its answer judged, and the claim that says something picked out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

Call = tuple[str, dict[str, Any], Any]


@pytest.fixture
def judged() -> Callable[..., ClaimVerdict]:
    """The claim of an answer that holds ``says``, where it stands last, after calls ``(tool, arguments, result)``.
    The model has no opinion, so that the exact checks decide."""

    def judge(
        calls: Iterable[Call],
        answer: str,
        says: str,
        *,
        asked: str,
        system: str = "",
        tools: Sequence[Any] = (),
    ) -> ClaimVerdict:
        messages: list[dict[str, Any]] = [{"role": "user", "content": asked}]
        for n, (tool, arguments, result) in enumerate(calls):
            use = {"type": "tool_use", "id": f"c{n}", "name": tool, "input": arguments}
            content = result if isinstance(result, str) else json.dumps(result)
            told = {"type": "tool_result", "tool_use_id": f"c{n}", "content": content}
            messages += [
                {"role": "assistant", "content": [use]},
                {"role": "user", "content": [told]},
            ]
        messages.append({"role": "assistant", "content": answer})
        run: dict[str, Any] = {"messages": messages}
        run |= {"system": system} if system else {}
        run |= {"tools": list(tools)} if tools else {}
        report = Detector(entailment=FixedEntailment()).check(read_run(run))
        at = answer.rindex(says)
        return next(claim for claim in report.claims if claim.start <= at < claim.end)

    return judge
