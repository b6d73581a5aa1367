"""The hooks of Claude Code, event by event, without Claude Code: what is known, decided and kept."""

from __future__ import annotations

import json
import os
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from affidavit import Detector, Policy
from affidavit.report import HallucinationReport
from affidavit.runtimes.claude_code.events import HookEvent
from affidavit.runtimes.claude_code.hooks import Hooks
from affidavit.runtimes.claude_code.service import HookService
from affidavit.runtimes.contract.look_alikes import QUESTION, OwnEvidence, answer_of, system_of
from affidavit.testing import FixedEntailment

ORDER, TRUE, FALSE = "BL-204518", "The total is $45.18.", "The total is $93.70."
RESULT = {"order_id": ORDER, "total": "$45.18"}
TOOL = "mcp__shop__get_order"

Fire = Callable[..., dict[str, Any]]


def detector(**policy: Any) -> Detector:
    return Detector(Policy.model_validate(policy), entailment=FixedEntailment())


def row(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "message": {"role": kind, "content": content}, **more}


def called(call_id: str = "t1", order: str = ORDER) -> dict[str, Any]:
    block = {"type": "tool_use", "id": call_id, "name": TOOL, "input": {"order_id": order}}
    return row("assistant", [block])


def returned(content: Any = None, call_id: str = "t1", **more: Any) -> dict[str, Any]:
    text = json.dumps(RESULT) if content is None else content
    return row("user", [{"type": "tool_result", "tool_use_id": call_id, "content": text, **more}])


ASKED = row("user", f"What is the total of order {ORDER}?", promptId="p1")


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    file = tmp_path / "session.jsonl"
    file.write_text("", encoding="utf-8")
    return file


def write(file: Path, *rows: Any, end: str = "\n") -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows) + end)


@pytest.fixture(params=["one process", "a process for each event"])
def fire(request: pytest.FixtureRequest, tmp_path: Path, transcript: Path) -> Fire:
    """Answers an event: by hooks that live on, as in a daemon, or by new ones each time."""
    lasting = Hooks(detector(), folder=tmp_path / "state")

    def send(name: str, **fields: Any) -> dict[str, Any]:
        each = request.param == "a process for each event"
        hooks = Hooks(detector(), folder=tmp_path / "state") if each else lasting
        told = {"session_id": "s1", "transcript_path": str(transcript), "prompt_id": "p1"}
        return hooks.answer(HookEvent.model_validate({"hook_event_name": name, **told, **fields}))

    return send


def stop(fire: Fire, answer: str, **fields: Any) -> dict[str, Any]:
    return fire("Stop", last_assistant_message=answer, **fields)


def test_evidence_comes_from_the_transcript(fire: Fire, transcript: Path) -> None:
    write(transcript, ASKED, called(), returned())
    assert stop(fire, TRUE) == {}
    sent_back = stop(fire, FALSE)
    assert sent_back["decision"] == "block"
    assert "93.70" in sent_back["reason"] and "45.18" in sent_back["reason"]


def test_without_a_transcript_evidence_comes_from_the_events(fire: Fire, transcript: Path) -> None:
    transcript.unlink()
    assert fire("UserPromptSubmit", prompt=f"What is the total of order {ORDER}?") == {}
    call = {"tool_name": TOOL, "tool_input": {"order_id": ORDER}, "tool_use_id": "t1"}
    assert fire("PreToolUse", **call) == {}
    assert fire("PostToolUse", **call, tool_response=RESULT) == {}
    assert stop(fire, TRUE) == {}
    assert stop(fire, FALSE)["decision"] == "block"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sessions_that_look_alike_do_not_mix(seed: int, tmp_path: Path) -> None:
    checker, users = OwnEvidence(), 200
    hooks = Hooks(checker, folder=tmp_path / "state")

    def session(user: int) -> Iterator[dict[str, Any]]:
        file = tmp_path / f"{user}.jsonl"
        told = {"session_id": f"s{user}", "transcript_path": str(file), "prompt_id": "p1"}
        asked = row("user", f"{system_of(user)} {QUESTION}", promptId="p1")
        for rows, answer in (
            ((asked, called(), returned()), answer_of((user + 1) % users)),
            ((), answer_of(user)),
        ):
            write(file, *rows)
            last = {"hook_event_name": "Stop", **told, "last_assistant_message": answer}
            yield hooks.answer(HookEvent.model_validate(last))

    sessions = {user: session(user) for user in range(users)}
    turns = [*sessions, *sessions]
    random.Random(seed).shuffle(turns)
    decided: dict[int, list[bool]] = {user: [] for user in sessions}
    for user in turns:
        decided[user].append(next(sessions[user]) == {})
    assert all(let_out == [False, True] for let_out in decided.values())
    assert not checker.mixed


def test_a_failed_call_is_no_evidence(fire: Fire) -> None:
    call = {"tool_name": TOOL, "tool_input": {"order_id": ORDER}, "tool_use_id": "t1"}
    fire("PostToolUseFailure", **call, error="total $93.70: timed out")
    assert stop(fire, FALSE)["decision"] == "block"


def test_what_the_transcript_repeats_is_entered_once(tmp_path: Path, transcript: Path) -> None:
    hooks = Hooks(detector(), on_report=(reports := []).append)  # type: ignore[var-annotated]
    told = {"session_id": "s1", "transcript_path": str(transcript)}
    call = {"tool_name": TOOL, "tool_input": {"order_id": ORDER}, "tool_use_id": "t1"}
    write(transcript, ASKED)
    for name, fields in (
        ("PreToolUse", call),
        ("PostToolUse", {**call, "tool_response": RESULT}),
    ):
        hooks.answer(HookEvent.model_validate({"hook_event_name": name, **told, **fields}))
    write(transcript, called(), returned())
    last = {"hook_event_name": "Stop", **told, "last_assistant_message": TRUE}
    assert hooks.answer(HookEvent.model_validate(last)) == {}
    (report,) = reports
    assert isinstance(report, HallucinationReport)
    assert [call.call_id for call in report.tool_call_validations] == ["t1"]


@pytest.mark.parametrize(
    "noise",
    [
        "{not json",
        '"a string"',
        json.dumps({"type": "user", "message": None}),
        json.dumps({"type": "user", "message": {"role": "user", "content": [{"type": 7}]}}),
        json.dumps({"type": "kind of tomorrow", "message": {"role": "oracle"}}),
        json.dumps({"type": "attachment", "attachment": None, "rendered": [{"content": 3}, 4]}),
    ],
)
def test_rows_that_cannot_be_read_are_left_out(fire: Fire, transcript: Path, noise: str) -> None:
    write(transcript, ASKED, noise, called(), noise, returned())
    assert stop(fire, TRUE) == {}
    assert stop(fire, FALSE)["decision"] == "block"


def test_a_row_that_is_being_written_is_read_when_it_is_whole(fire: Fire, transcript: Path) -> None:
    line = json.dumps(returned())
    write(transcript, ASKED, called())
    write(transcript, line[:40], end="")
    assert stop(fire, TRUE)["decision"] == "block"
    write(transcript, line[40:])
    assert stop(fire, TRUE) == {}


@pytest.mark.parametrize(
    "quoting",
    [
        row("user", f"Stop hook feedback:\n- “{FALSE}”", isMeta=True),
        row("user", f"The user was told: {FALSE}", isCompactSummary=True),
        row("user", f"A subagent reports: {FALSE}", isSidechain=True),
        {
            "type": "attachment",
            "attachment": {"type": "hook_blocking_error"},
            "rendered": [{"content": FALSE}],
        },
        row("assistant", [{"type": "text", "text": FALSE}]),
    ],
)
def test_nobody_vouches_for_feedback_and_summaries(
    fire: Fire, transcript: Path, quoting: Any
) -> None:
    write(transcript, ASKED, called(), returned(), quoting)
    assert stop(fire, FALSE)["decision"] == "block"


def test_what_claude_code_attaches_is_evidence(fire: Fire, transcript: Path) -> None:
    noted = {"type": "attachment", "attachment": {"type": "date"}}
    write(transcript, ASKED, noted | {"rendered": [{"content": "Today's date is 2026-11-21."}]})
    assert stop(fire, "Today is 21 November 2026.") == {}
    assert stop(fire, "Today is 22 November 2026.")["decision"] == "block"


def test_what_an_event_leaves_out_or_empty_is_not_known(fire: Fire, transcript: Path) -> None:
    write(transcript, ASKED, called(), returned())
    empty = {"agent_id": None, "prompt_id": None, "stop_hook_active": None, "tool_input": None}
    assert stop(fire, FALSE, **empty, novelty={"of": "tomorrow"})["decision"] == "block"


def test_an_older_version_that_does_not_tell_the_answer_is_read_from_the_transcript(
    fire: Fire, transcript: Path
) -> None:
    write(
        transcript, ASKED, called(), returned(), row("assistant", [{"type": "text", "text": FALSE}])
    )
    assert fire("Stop", stop_hook_active=False)["decision"] == "block"


def test_drafts_are_sent_back_twice_then_the_user_is_told(fire: Fire, transcript: Path) -> None:
    write(transcript, ASKED, called(), returned())
    assert stop(fire, FALSE)["decision"] == "block"
    assert stop(fire, FALSE, stop_hook_active=True)["decision"] == "block"
    last = stop(fire, FALSE, stop_hook_active=True)
    assert "decision" not in last
    assert "can't give you" in last["systemMessage"]


def test_another_prompt_may_be_revised_again(fire: Fire, transcript: Path) -> None:
    write(transcript, ASKED, called(), returned())
    for active in (False, True, True):
        stop(fire, FALSE, stop_hook_active=active)
    write(transcript, row("user", "And again?", promptId="p2"))
    assert stop(fire, FALSE, prompt_id="p2")["decision"] == "block"


def test_without_numbered_prompts_the_first_stop_begins_a_turn(
    fire: Fire, transcript: Path
) -> None:
    write(transcript, ASKED, called(), returned())
    outcomes = [
        "decision" in stop(fire, FALSE, stop_hook_active=active, prompt_id="")
        for active in (False, True, True, False, True, True)
    ]
    assert outcomes == [True, True, False, True, True, False]


def test_where_nothing_can_be_kept_an_answer_is_not_sent_back_for_ever(
    tmp_path: Path, transcript: Path
) -> None:
    (tmp_path / "state").write_text("a file, no folder", encoding="utf-8")
    write(transcript, ASKED, called(), returned())

    def answered(active: bool) -> dict[str, Any]:
        event = {"hook_event_name": "Stop", "session_id": "s", "stop_hook_active": active}
        told = {"transcript_path": str(transcript), "last_assistant_message": FALSE}
        hooks = Hooks(detector(), folder=tmp_path / "state")
        return hooks.answer(HookEvent.model_validate(event | told))

    assert answered(False)["decision"] == "block"
    assert "systemMessage" in answered(True)


def test_an_invented_identifier_is_denied(fire: Fire, transcript: Path) -> None:
    write(transcript, ASKED)
    answer = fire(
        "PreToolUse", tool_name=TOOL, tool_input={"order_id": "BL-999999"}, tool_use_id="t0"
    )
    specific = answer["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny"
    assert "BL-999999" in specific["permissionDecisionReason"]


def test_a_model_that_goes_on_calling_wrongly_is_stopped(fire: Fire, transcript: Path) -> None:
    write(transcript, ASKED)
    wrong = {"tool_name": TOOL, "tool_input": {"order_id": "BL-999999"}}
    answers = [fire("PreToolUse", **wrong, tool_use_id=f"t{n}") for n in range(5)]
    assert [answer.get("continue", True) for answer in answers] == [True] * 4 + [False]
    assert "can't give you" in answers[-1]["systemMessage"]


def test_a_revision_that_only_deletes_is_reported_as_such(tmp_path: Path, fire: Fire) -> None:
    reports = tmp_path / "reports.jsonl"
    service = [HookService(tmp_path / "state") for _ in range(2)]
    event = {"hook_event_name": "Stop", "session_id": "s1", "prompt_id": "p1"}
    options = {"reports": str(reports)}
    draft, shorter = f"Gladly. {FALSE} We ship on 3 May 2031.", f"Gladly. {FALSE}"
    service[0](event | {"last_assistant_message": draft}, options)
    service[1](event | {"last_assistant_message": shorter, "stop_hook_active": True}, options)
    service[1](event | {"last_assistant_message": TRUE, "stop_hook_active": True}, options)
    report = HallucinationReport.model_validate_json(reports.read_text(encoding="utf-8"))
    assert [attempt.deletes_only for attempt in report.attempts] == [False, True]


def test_a_call_that_passes_keeps_the_users_own_permission_rules(
    fire: Fire, transcript: Path
) -> None:
    write(transcript, ASKED)
    call = {"tool_name": TOOL, "tool_input": {"order_id": ORDER}, "tool_use_id": "t1"}
    assert fire("PreToolUse", **call) == {}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "/src/new_module_7731.py"}),
        ("Read", {"file_path": "/src/module_7731.py"}),
        ("WebFetch", {"url": "https://docs.example/csv-7731"}),
    ],
)
def test_calls_of_its_own_tools_may_name_what_nobody_mentioned(
    fire: Fire, transcript: Path, tool: str, given: Any
) -> None:
    write(transcript, ASKED)
    assert fire("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="t1") == {}


def test_the_detector_stays_as_it_is_and_its_policy_has_the_last_word(transcript: Path) -> None:
    own = detector(tools={"Read": {"provenance": True}})
    hooks, before = Hooks(own), own.policy
    told = {"session_id": "s1", "transcript_path": str(transcript), "tool_use_id": "t1"}
    call = {"tool_name": "Read", "tool_input": {"file_path": "/src/module_7731.py"}}
    event = HookEvent.model_validate({"hook_event_name": "PreToolUse", **told, **call})
    assert hooks.answer(event)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert own.policy is before


def test_lines_are_shown_up_to_the_first_false_one(fire: Fire, transcript: Path) -> None:
    write(transcript, ASKED, called(), returned())
    lines = [f"The order is {ORDER}.\n", f"{TRUE}\n", f"{FALSE}\n", "It was a pleasure.\n"]
    shown = [
        fire("MessageDisplay", message_id="m", index=i, delta=line, final=i == 3)
        for i, line in enumerate(lines)
    ]
    replaced = [answer.get("hookSpecificOutput", {}).get("displayContent") for answer in shown]
    assert replaced == [None, None, "", ""]


def test_lines_that_overtake_others_wait_for_them(tmp_path: Path, transcript: Path) -> None:
    write(transcript, ASKED, called(), returned())
    hooks = Hooks(detector(), folder=tmp_path / "state")
    told: dict[str, Any] = {"hook_event_name": "MessageDisplay", "session_id": "s1"}
    told |= {"message_id": "m"}
    told["transcript_path"] = str(transcript)
    answers: dict[int, Any] = {}

    def show(index: int, delta: str) -> None:
        event = HookEvent.model_validate({**told, "index": index, "delta": delta})
        answers[index] = hooks.answer(event)

    later = threading.Thread(target=show, args=(1, f"{TRUE}\n"))
    later.start()
    show(0, f"{FALSE}\n")
    later.join()
    assert answers[1]["hookSpecificOutput"]["displayContent"] == ""


def test_the_refusal_stands_in_the_place_of_what_cannot_be_repaired(
    fire: Fire, transcript: Path
) -> None:
    write(transcript, ASKED, called(), returned())
    for active in (False, True):
        stop(fire, FALSE, stop_hook_active=active)
    shown = fire("MessageDisplay", message_id="m", delta=FALSE, final=True)
    assert "can't give you" in shown["hookSpecificOutput"]["displayContent"]
    # It need not be said twice.
    assert stop(fire, FALSE, stop_hook_active=True) == {}


@pytest.mark.parametrize("lines", [[TRUE], [f"The order is {ORDER}.\n", TRUE]])
def test_what_is_blocked_for_no_claim_of_its_own_is_refused_at_its_end(
    transcript: Path, lines: list[str]
) -> None:
    hooks = Hooks(detector(probes={"required": True}))
    told = {"session_id": "s1", "transcript_path": str(transcript), "prompt_id": "p1"}

    def fire(name: str, **fields: Any) -> dict[str, Any]:
        return hooks.answer(HookEvent.model_validate({"hook_event_name": name, **told, **fields}))

    write(transcript, ASKED, called(), returned())
    for n, line in enumerate(lines):
        final = n == len(lines) - 1
        shown = fire("MessageDisplay", message_id="m", index=n, delta=line, final=final)
    assert "can't give you" in shown["hookSpecificOutput"]["displayContent"]
    assert stop(fire, "".join(lines)) == {}


def test_a_refusal_that_was_not_shown_with_the_message_is_told(
    fire: Fire, transcript: Path
) -> None:
    write(transcript, ASKED, called(), returned())
    # It was shown as a draft that may still be sent back, and is not.
    fire("MessageDisplay", message_id="m", delta=FALSE, final=True)
    for active in (False, True):
        stop(fire, FALSE, stop_hook_active=active)
    assert "can't give you" in stop(fire, FALSE, stop_hook_active=True)["systemMessage"]


def test_a_subagent_is_judged_by_what_it_saw_itself(fire: Fire, tmp_path: Path) -> None:
    own = tmp_path / "agent.jsonl"
    write(own, row("user", f"What is the total of order {ORDER}?", isSidechain=True))
    write(own, called() | {"isSidechain": True}, returned() | {"isSidechain": True})
    told: dict[str, Any] = {"agent_id": "a1", "agent_transcript_path": str(own)}
    assert fire("SubagentStop", last_assistant_message=TRUE, **told) == {}
    wrong = fire("SubagentStop", last_assistant_message=FALSE, **told)
    assert wrong["decision"] == "block"


def test_a_session_that_ends_leaves_nothing_behind(fire: Fire, tmp_path: Path) -> None:
    fire("UserPromptSubmit", prompt="Hello")
    fire("UserPromptSubmit", prompt="Hello", agent_id="a1")
    fire("UserPromptSubmit", prompt="Hello", session_id="s2")
    left = tmp_path / "state" / "of-last-year.jsonl"
    left.write_text("", encoding="utf-8")
    os.utime(left, (0, 0))
    fire("SessionEnd", reason="other")
    (kept,) = (tmp_path / "state").iterdir()
    assert "s2" in kept.read_text(encoding="utf-8")


def test_journals_are_their_owners_alone(fire: Fire, tmp_path: Path) -> None:
    fire("UserPromptSubmit", prompt="Hello")
    (journal,) = (tmp_path / "state").iterdir()
    assert journal.stat().st_mode & 0o077 == 0
    assert (tmp_path / "state").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("session", ["../../elsewhere", "/etc/passwd", "a\x00b", "ü" * 400])
def test_no_session_id_names_a_file_of_its_own_choice(tmp_path: Path, session: str) -> None:
    hooks = Hooks(detector(), folder=tmp_path / "deep" / "state")
    event = {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": "Hello"}
    hooks.answer(HookEvent.model_validate(event))
    assert [path.parent.name for path in tmp_path.rglob("*.jsonl")] == ["state"]


class Broken(Hooks):
    def _answered(self, *_: Any) -> Any:
        raise RuntimeError("the hook broke down")


@pytest.mark.parametrize(
    ("fail_mode", "event", "answered"),
    [
        ("open", "PreToolUse", ""),
        ("open", "Stop", ""),
        ("open", "MessageDisplay", ""),
        ("critical", "PreToolUse", ""),
        ("critical", "Stop", "systemMessage"),
        ("closed", "PreToolUse", "deny"),
        ("closed", "MessageDisplay", "displayContent"),
        ("closed", "PostToolUse", ""),
    ],
)
def test_what_breaks_follows_the_fail_mode(fail_mode: str, event: str, answered: str) -> None:
    hooks = Broken(detector(fail_mode=fail_mode))
    answer = hooks.answer(HookEvent(hook_event_name=event, session_id="s"))
    assert answered in json.dumps(answer) if answered else answer == {}


def test_what_breaks_in_shadow_mode_touches_nothing() -> None:
    hooks = Broken(detector(fail_mode="closed"), shadow=True)
    for event in ("PreToolUse", "MessageDisplay", "Stop"):
        assert hooks.answer(HookEvent(hook_event_name=event, session_id="s")) == {}


def test_the_service_answers_under_the_policy_that_an_event_names(tmp_path: Path) -> None:
    policy, reports = tmp_path / "policy.toml", tmp_path / "reports.jsonl"
    policy.write_text("max_revisions = 0\n", encoding="utf-8")
    service = HookService(tmp_path / "state")
    event = {"hook_event_name": "Stop", "session_id": "s1", "last_assistant_message": FALSE}
    assert service(event, {})["decision"] == "block"
    told = service(event | {"session_id": "s2"}, {"policy": str(policy), "reports": str(reports)})
    assert "systemMessage" in told
    report = HallucinationReport.model_validate_json(reports.read_text(encoding="utf-8"))
    assert report.action == "block"


def test_a_policy_that_cannot_be_read_is_said_and_decides_nothing(tmp_path: Path) -> None:
    service = HookService(tmp_path)
    options = {"policy": str(tmp_path / "missing.toml")}
    event = {"session_id": "s", "last_assistant_message": FALSE, "tool_name": TOOL}
    assert service(event | {"hook_event_name": "PreToolUse"}, options) == {}
    said = service(event | {"hook_event_name": "Stop"}, options)
    assert "missing.toml" in said["systemMessage"]


def test_in_shadow_mode_nothing_is_touched(tmp_path: Path) -> None:
    reports = tmp_path / "reports.jsonl"
    service = HookService(tmp_path / "state")
    options = {"shadow": "1", "reports": str(reports)}
    event = {"session_id": "s", "last_assistant_message": FALSE, "delta": FALSE, "final": True}
    for name in ("MessageDisplay", "Stop"):
        assert service(event | {"hook_event_name": name}, options) == {}
    report = HallucinationReport.model_validate_json(reports.read_text(encoding="utf-8"))
    assert report.action == "revise"
