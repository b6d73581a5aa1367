"""What is answered to each event of a hook: the guard's four verbs in Claude Code's words.

======================  ==========================================================================
PreToolUse              a call with an identifier that nobody mentioned is denied, with the feedback
PostToolUse, …Failure   recorded: results are evidence, failures are not
UserPromptSubmit        recorded: what the user said is evidence
MessageDisplay          lines that would not go out are not shown
Stop, SubagentStop      the answer is judged: it stands, is sent back, or the user is told
SessionEnd              the conversation's journal is deleted
======================  ==========================================================================

Claude Code cannot take back a message: without MessageDisplay the user has read a draft by the time
Stop judges it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from copy import copy
from pathlib import Path
from typing import Unpack

from affidavit._sync import run_sync
from affidavit.detector import Detector
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.policy import Policy, ToolRule, emit_threshold_of
from affidavit.report import HallucinationReport
from affidavit.runtimes.cited_writing import warn_of_cite
from affidavit.runtimes.claude_code import CANNOT
from affidavit.runtimes.claude_code.events import (
    NO_OPINION,
    HookAnswer,
    HookEvent,
    deny,
    end_turn,
    send_back,
    show_instead,
    tell_user,
)
from affidavit.runtimes.claude_code.journal import RECORDED, Journal, recorded
from affidavit.runtimes.claude_code.session import Session
from affidavit.runtimes.claude_code.transcript import Transcript
from affidavit.stages.gate import RefusalTemplate, refusal
from affidavit.trace import Message, TextPart, ToolCallPart

_log = logging.getLogger("affidavit.claude_code")

MOST_SESSIONS = 64
"""Conversations that are kept in memory at once; of others the journal and the transcript know."""

_MOMENT, _PATIENCE = 0.02, 50
# Seconds between looks at whether the lines before have arrived, and how many looks: one second.


def hook_policy(policy: Policy) -> Policy:
    """The policy with the defaults that make sense in Claude Code, where it does not say otherwise.

    An agent that writes code names files and addresses that do not exist yet, so only calls to MCP
    servers are held to what was mentioned before. A false answer is sent back rather than refused at
    once: by then it has been written, and sending it back is what Claude Code can do.
    """
    rules = {"*": ToolRule(provenance=False), "mcp__*": ToolRule()}
    return policy.live().model_copy(update={"tools": rules | policy.tools})


def _under_hook_policy(detector: AnswerChecker) -> AnswerChecker:
    """A copy of a detector, under :func:`hook_policy`. A checker of another kind stays under its own policy."""
    if not isinstance(detector, Detector):
        return detector
    detector = copy(detector)
    detector.policy = hook_policy(detector.policy)
    return detector


class Hooks:
    """Answers events, of any number of conversations. Safe to share by threads.

    ``folder`` is where journals are kept; None keeps them in memory, for a process that sees every
    event itself. ``system`` is what the system prompt of every conversation says, as far as it is known:
    no event tells it. The options are those of every :class:`~affidavit.guard.Guard` it makes. A detector judges
    under its policy as :func:`hook_policy` has it.
    """

    def __init__(
        self,
        detector: AnswerChecker,
        *,
        folder: Path | None = None,
        system: str = "",
        **options: Unpack[GuardOptions],
    ) -> None:
        self.detector = _under_hook_policy(detector)
        self._system = system
        self._folder, self._options = folder, options
        warn_of_cite("Claude Code", detector, options, CANNOT)
        self._sessions: OrderedDict[tuple[str, str], Session] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, event: HookEvent) -> HookAnswer:
        """What to answer. An error inside follows the fail mode and never reaches the agent."""
        session = self._session(event)
        try:
            if event.hook_event_name in RECORDED:
                session.journal.add(recorded(event.model_dump(mode="json", exclude_defaults=True)))
            elif event.hook_event_name == "MessageDisplay":
                session.journal.add(_delta(event))
                _wait_for_earlier_lines(session, event)
            with session.lock:
                return self._answered(session, event)
        except Exception as error:
            _log.warning("%s could not be answered", event.hook_event_name, exc_info=True)
            shadow = self._options.get("shadow", False)
            return NO_OPINION if shadow else failed(event, self.detector.policy, error)

    def _answered(self, session: Session, event: HookEvent) -> HookAnswer:
        session.catch_up(event)
        match event.hook_event_name:
            case "PreToolUse":
                return _call(session, event)
            case "Stop" | "SubagentStop":
                return _stop(session, event)
            case "MessageDisplay":
                return _display(session, event, self._options.get("refusal_template"))
            case "SessionEnd":
                self._forget(event.session_id, session.journal)
        return NO_OPINION

    def _session(self, event: HookEvent) -> Session:
        name = (event.session_id, event.agent_id)
        with self._lock:
            session = self._sessions.pop(name, None) or self._opened(event)
            self._sessions[name] = session
            while len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return session

    def _opened(self, event: HookEvent) -> Session:
        own = Path(event.transcript_path) if event.transcript_path else None
        transcripts = [Transcript(own)]
        if event.agent_id:
            transcripts.append(Transcript(_agents_own(event, own), agent=True))
        journal = Journal(event.session_id, event.agent_id, self._folder)
        # A subagent has a system prompt of its own.
        known = (
            [Message(role="system", parts=(TextPart(text=self._system),))] if self._system else []
        )
        said = [] if event.agent_id else known
        return Session(
            self.detector, event.session_id, transcripts, journal, messages=said, **self._options
        )

    def _forget(self, session_id: str, journal: Journal) -> None:
        with self._lock:
            for name in [name for name in self._sessions if name[0] == session_id]:
                del self._sessions[name]
        journal.forget()


def failed(event: HookEvent, policy: Policy, error: Exception) -> HookAnswer:
    """What is answered where the hook itself broke down: the fail mode decides."""
    if policy.fail_mode == "open":
        return NO_OPINION
    what = f"affidavit could not check this ({type(error).__name__})"
    match event.hook_event_name:
        case "PreToolUse" if policy.fail_mode == "closed":
            return deny(f"{what}, and the policy runs nothing unchecked.")
        case "MessageDisplay":
            return show_instead(f"[held back: {what}]\n")
        case "Stop" | "SubagentStop":
            return tell_user(f"{what}: do not rely on the answer above.")
    return NO_OPINION


def _agents_own(event: HookEvent, main: Path | None) -> Path | None:
    """The transcript of the subagent that the event comes from."""
    if event.agent_transcript_path:
        return Path(event.agent_transcript_path)
    if main is None:
        return None
    return main.with_suffix("") / "subagents" / f"agent-{event.agent_id}.jsonl"


def _delta(event: HookEvent) -> dict[str, object]:
    return {
        "kind": "delta",
        "message": event.message_id,
        "index": event.index,
        "text": event.delta,
    }


def _wait_for_earlier_lines(session: Session, event: HookEvent) -> None:
    """Claude Code sends the lines of a message without waiting for each answer, so the hooks of later
    ones may be quicker."""
    for _ in range(_PATIENCE):
        with session.lock:
            session.catch_up(event)
            if session.text_shown(event)[1]:
                return
        time.sleep(_MOMENT)


def _call(session: Session, event: HookEvent) -> HookAnswer:
    call = ToolCallPart(id=event.tool_use_id, name=event.tool_name, arguments=event.tool_input)
    decision = session.guard.check_call(call)
    session.note_call(call, run=decision.run)
    if decision.run:
        return NO_OPINION
    denied = deny(decision.feedback)
    return denied | end_turn(session.guard.give_up().text or "") if decision.stop else denied


def _stop(session: Session, event: HookEvent) -> HookAnswer:
    answer = event.last_assistant_message
    answer = session.last_text if answer is None else answer
    if not answer.strip():
        return NO_OPINION
    guard = session.guard
    decision = guard.check_answer(answer)
    text = decision.text or ""
    match decision.action:
        case "revise":
            kept = session.note_draft(guard.attempts[-1])
            if event.stop_hook_active and not kept:
                # Nobody could tell how often it was sent back.
                return tell_user(f"The answer above could not be confirmed: {decision.feedback}")
            return send_back(decision.feedback or "")
        case "block":
            return NO_OPINION if session.refused(answer) else tell_user(text)
        case _:
            note = text.removeprefix(answer.rstrip()).strip()
            return tell_user(note) if note else NO_OPINION


def _display(
    session: Session, event: HookEvent, template: RefusalTemplate | str | None
) -> HookAnswer:
    """Hold lines back from the first claim on that would keep the answer from going out.

    A draft that will be sent back leaves nothing on the screen but what was verified before; the
    refusal stands in the place of one that will not.
    """
    if session.guard.shadow:
        return NO_OPINION
    text, _ = session.text_shown(event)
    report = run_sync(session.guard.ajudge(text, partial=not event.final))
    held = None if report.action == "emit" else first_held(report)
    begins = len(text) - len(event.delta)
    # What keeps an answer back may be no claim, or may show only at its end.
    told = event.final or (held is not None and begins <= held < len(text))
    if report.action == "block" and told and event.message_id not in session.refusals:
        session.journal.add({"kind": "refused", "message": event.message_id})
        return show_instead(f"{refusal(report, template)}\n")
    return NO_OPINION if held is None or held >= len(text) else show_instead("")


def first_held(report: HallucinationReport) -> int | None:
    """Where the first claim begins that keeps the answer back; None where it is no claim."""
    limit = emit_threshold_of(report.policy)
    held = (c for c in report.claims if c.is_in_question(limit) or c.reason == "check_failed")
    return min((claim.start for claim in held), default=None)
