"""One conversation in Claude Code, and the guard of the turn that is going on in it.

Evidence comes from the conversation's own transcript; what the hooks were told fills in what has not
been written there yet, or what a lost transcript no longer has. Nothing is entered twice.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Unpack

from affidavit._content import content_parts
from affidavit.guard import AnswerChecker, Guard, GuardOptions
from affidavit.report import Attempt
from affidavit.runtimes.claude_code.events import HookEvent
from affidavit.runtimes.claude_code.journal import Entry, Journal
from affidavit.runtimes.claude_code.transcript import Row, Transcript
from affidavit.trace import Message, TextPart, ToolCallPart, ToolResultPart

_RESULTS = ("PostToolUse", "PostToolUseFailure")


class Session:
    """What is known of one conversation. One event at a time: take ``lock``.

    ``messages`` are what was said before the first event.
    """

    def __init__(
        self,
        detector: AnswerChecker,
        session_id: str,
        transcripts: Iterable[Transcript],
        journal: Journal,
        *,
        messages: Iterable[Message] = (),
        **options: Unpack[GuardOptions],
    ) -> None:
        self.journal = journal
        self._session_id = session_id
        self.lock = threading.Lock()
        self._detector = detector
        # What the model writes is in the transcript and on the screen: marks would be seen.
        self._options: GuardOptions = {**options, "cite": False, "may_cite": False}
        self._transcripts = tuple(transcripts)
        self._messages = list(messages)
        self._guard: Guard | None = None
        self._turn = ""
        self._drafts: list[tuple[str, Attempt]] = []
        self._denied: list[tuple[str, str]] = []
        self._deltas: dict[str, dict[int, str]] = {}
        self.refusals: set[str] = set()
        """Messages in whose place the refusal was shown."""
        self._prompts: set[tuple[str, str]] = set()
        self._calls: set[str] = set()
        self._results: set[str] = set()
        self._last_text: Message | None = None

    @property
    def guard(self) -> Guard:
        """The guard of the user's last prompt, with the drafts that were sent back since."""
        if self._guard is None:
            self._guard = Guard(
                self._detector,
                messages=self._messages,
                run_id=self._turn or self._session_id,
                **self._options,
            )
            self._guard.attempts += [draft for turn, draft in self._drafts if turn == self._turn]
            self._guard.rejections.update(t for turn, t in self._denied if turn == self._turn)
        return self._guard

    @property
    def last_text(self) -> str:
        """What the model said last, by the transcript."""
        return self._last_text.text if self._last_text else ""

    def catch_up(self, event: HookEvent) -> None:
        """Learn what happened up to ``event``."""
        for transcript in self._transcripts:
            for row in transcript.read_on():
                self._said(row)
        for entry in self.journal.read_on():
            self._noted(entry)
        first_stop = (
            event.hook_event_name in ("Stop", "SubagentStop") and not event.stop_hook_active
        )
        if event.prompt_id:
            self._begin(event.prompt_id)
        elif first_stop and self._drafts:
            # A version that does not number its prompts: what was sent back belongs to another turn.
            self._noted({"kind": "turn"})
            self.journal.add({"kind": "turn"})

    def note_draft(self, draft: Attempt) -> bool:
        """Remember a draft that was sent back; False where the next process will not know of it."""
        return self.journal.add(
            {"kind": "draft", "turn": self._turn, "draft": draft.model_dump(mode="json")}
        )

    def note_call(self, call: ToolCallPart, *, run: bool) -> None:
        """The guard was asked about a call: what the transcript tells of it is not entered again."""
        self._calls.add(call.id)
        if not run:
            self._results.add(call.id)
            self.journal.add({"kind": "denied", "turn": self._turn, "tool": call.name})
        elif any(tool == call.name for _, tool in self._denied):
            self.journal.add({"kind": "passed", "tool": call.name})

    def text_shown(self, event: HookEvent) -> tuple[str, bool]:
        """The message up to the lines of ``event``, and whether all before them have arrived."""
        known = self._deltas.get(event.message_id, {})
        before = [known.get(i) for i in range(event.index)]
        return "".join(filter(None, before)) + event.delta, None not in before

    def refused(self, text: str) -> bool:
        """Whether the refusal was shown in the place of ``text``."""
        shown = (self._deltas.get(message, {}) for message in self.refusals)
        texts = ("".join(known[i] for i in sorted(known)) for known in shown)
        return any(one.strip() == text.strip() for one in texts)

    def _said(self, row: Row) -> None:
        message = row.message
        match message.role:
            case "user" if message.text:
                self._asked(row)
            case "assistant" if not message.tool_calls:
                # A draft, until the next prompt shows that it went out.
                self._last_text = message if message.text.strip() else self._last_text
            case "assistant" | "tool":
                self._enter(message.model_copy(update={"parts": tuple(self._new_parts(message))}))
            case _:
                self._enter(message)

    def _asked(self, row: Row) -> None:
        key = (row.prompt_id, row.message.text.strip())
        if key in self._prompts:
            return
        self._prompts.add(key)
        self._begin(row.prompt_id or self._turn, anew=not row.prompt_id)
        self._enter(row.message)

    def _begin(self, turn: str, *, anew: bool = False) -> None:
        """The turn of another prompt; its guard is made when it is asked for."""
        if turn == self._turn and not anew:
            return
        self._turn = turn
        if self._guard is not None:
            self._messages, self._guard = list(self._guard.trace("").messages), None
        if self._last_text is not None:
            self._messages.append(self._last_text)
            self._last_text = None

    def _noted(self, entry: Entry) -> None:
        match entry.get("kind"):
            case "event":
                self._happened(HookEvent.model_validate(entry.get("event")))
            case "draft":
                draft = Attempt.model_validate(entry.get("draft"))
                self._drafts.append((str(entry.get("turn", "")), draft))
            case "denied":
                self._denied.append((str(entry.get("turn", "")), str(entry.get("tool", ""))))
            case "passed":
                self._denied = [d for d in self._denied if d[1] != entry.get("tool")]
            case "turn":
                self._drafts.clear()
                self._denied.clear()
                self._begin(self._turn, anew=True)
            case "refused":
                self.refusals.add(str(entry.get("message", "")))
            case "delta":
                deltas = self._deltas.setdefault(str(entry.get("message")), {})
                deltas[int(entry.get("index", 0))] = str(entry.get("text", ""))

    def _happened(self, event: HookEvent) -> None:
        if event.hook_event_name == "UserPromptSubmit":
            said = Message(role="user", parts=(TextPart(text=event.prompt),))
            self._asked(Row(said, event.prompt_id))
        elif event.hook_event_name in _RESULTS and event.tool_use_id not in self._results:
            call_id, failed = event.tool_use_id, event.hook_event_name == "PostToolUseFailure"
            if call_id not in self._calls:
                call = ToolCallPart(id=call_id, name=event.tool_name, arguments=event.tool_input)
                self._enter(Message(role="assistant", parts=(call,)))
            self._calls.add(call_id)
            self._results.add(call_id)
            content = event.error if failed else event.tool_response
            self._result(call_id, content, failed)

    def _result(self, call_id: str, content: object, failed: bool) -> None:
        part = ToolResultPart(id=call_id, content=content_parts(content), is_error=failed)
        self._enter(Message(role="tool", parts=(part,)))

    def _new_parts(self, message: Message) -> Iterator[object]:
        for part in message.parts:
            if isinstance(part, ToolCallPart | ToolResultPart):
                known = self._calls if isinstance(part, ToolCallPart) else self._results
                if part.id in known:
                    continue
                known.add(part.id)
            yield part

    def _enter(self, message: Message) -> None:
        if not message.parts:
            return
        if self._guard is None:
            self._messages.append(message)
        else:
            self._guard.observe(message)
