"""What judging one run again and again need not do twice.

A guard judges every draft of an answer, and of a streamed one every sentence, against the same
evidence. The calls are verified and the results read as they arrive, and the model is asked again
once.
"""

from __future__ import annotations

import threading
from itertools import compress

from affidavit.ledger.extent import read_whole
from affidavit.ledger.ledger import Ledger
from affidavit.models.llm.protocol import LanguageModel
from affidavit.policy import Policy
from affidavit.report import ToolCallValidation
from affidavit.stages.ground.judging import Tab
from affidavit.stages.probe import Samples
from affidavit.stages.verify import verify_run
from affidavit.trace import RunTrace, delegations

NO_MODEL = "no model configured"
NO_QUESTION = "the run holds no question to ask again"
NO_CALLS_LEFT = "the model calls that the policy allows are used up"


class RunEvidence:
    """The calls and results of one run, as far as they have been read. Safe to share by threads.

    The traces it is given must each go on from the one before, answers apart. ``own`` is the model that the
    run itself asks, where somebody holds its client: a judge, if the policy says so.
    """

    def __init__(self, policy: Policy, *, own: LanguageModel | None = None) -> None:
        self.own = own
        self._policy = policy
        self._lock = threading.Lock()
        self._ledger: Ledger | None = None
        self._calls: tuple[int, tuple[ToolCallValidation, ...]] = (-1, ())
        self._read = 0
        self._samples: dict[int, Samples] = {}
        self._model_calls = 0
        self._tabs: dict[int, Tab] = {}

    def calls(self, trace: RunTrace) -> tuple[ToolCallValidation, ...]:
        """Stage 1's verdicts on the calls of ``trace``."""
        with self._lock:
            return self._verified(trace)

    def ledger(self, trace: RunTrace) -> Ledger:
        """The ledger of ``trace``, the caller's own. What has been read is not read again."""
        with self._lock:
            if self._ledger is None:
                self._ledger = Ledger(trace.tools)
            if self._read < len(trace.messages):
                rejected = rejected_ids(self._verified(trace))
                delegated = delegations(trace.messages)
                for at in range(self._read, len(trace.messages)):
                    by_model = at in delegated
                    self._ledger.add(trace.messages[at], rejected=rejected, by_model=by_model)
                self._read = len(trace.messages)
            return self._ledger.copy()

    def is_read(self, trace: RunTrace) -> bool:
        """Whether all of ``trace`` has been entered into the ledger."""
        return self._read >= len(trace.messages)

    def read(self, trace: RunTrace) -> None:
        """Read ``trace`` down to its values and words, so that an answer need not wait for that; of what is too long to be
        read whole, nothing."""
        passages = self.ledger(trace).passages
        for passage in compress(passages, read_whole(passages)):
            passage.read()

    def samples(self, trace: RunTrace, model: LanguageModel | None) -> Samples | str:
        """The re-ask over the evidence of ``trace``: the same for every draft that has no more. A text
        says why there is none."""
        if model is None:
            return NO_MODEL
        if not trace.question.strip():
            return NO_QUESTION
        with self._lock:
            known = self._samples.get(len(trace.messages))
            if known is not None:
                return known
            count, allowed = self._policy.probes.samples, self._policy.budgets.model_calls
            left = None if allowed is None else allowed - self._model_calls
            # A sample is worth more than another wording.
            reword = self._policy.probes.paraphrase == "model" and (left is None or left > count)
            count = count if left is None else min(count, left)
            if count <= 0:
                return NO_CALLS_LEFT
            self._model_calls += count + reword
            rejected = rejected_ids(self._verified(trace))
            made = self._samples[len(trace.messages)] = Samples(
                trace, model, count, rejected=rejected, paraphrase=reword
            )
            return made

    def tab(self, draft: int) -> Tab:
        """What a judge has been asked so far for a draft of the answer, counted from 0."""
        with self._lock:
            return self._tabs.setdefault(draft, Tab())

    def _verified(self, trace: RunTrace) -> tuple[ToolCallValidation, ...]:
        known, calls = self._calls
        if known != len(trace.messages):
            calls = verify_run(trace, self._policy)
            self._calls = (len(trace.messages), calls)
        return calls


def rejected_ids(calls: tuple[ToolCallValidation, ...]) -> frozenset[str]:
    """The ids of the calls that Stage 1 kept from running. Of a recorded run it judges calls that have
    been run: what came back of them is evidence like any other."""
    return frozenset(c.call_id for c in calls if c.status == "rejected" and not c.ran)
