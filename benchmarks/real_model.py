"""A real model in the loop: how many of its fabrications the guard stops, and what that costs.

    python benchmarks/real_model.py --base-url http://127.0.0.1:8080/v1 --model NAME [--limit N] [--cite | --never-cite] [--known FILE] [--json FILE]

A model behind any OpenAI-compatible endpoint (the key from $OPENAI_API_KEY, if it needs one) answers
questions about a small workshop database that it reaches with six tools. Each question is asked twice,
without the guard and with it, at temperature 0; a request that both runs make alike is sent once. Every
answer is labelled right or wrong by the database, with code that knows nothing of the guard. The guarded model may cite
in its revisions; with ``--cite`` it is asked to cite as it writes too, with ``--never-cite`` it may not cite at all. What
the model has said is kept in the file of ``--known``, so that a further run asks it only what is new.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from workshop import DECLARATIONS, NotFound, Tools, make
from workshop_labels import Label, Task, label, read_tasks

from affidavit import Detector, Guard, Policy
from affidavit.guard import AnswerDecision, GuardOptions
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

TASKS = Path(__file__).with_name("workshop_tasks.jsonl")
MOST_TURNS = 8
ROLE = "You answer customers of a bicycle workshop."
INSTRUCTIONS = """{role} You know nothing of the repairs, parts and customers yourself: look everything up with a tool first.

To call a tool, write only one JSON object in a fence and stop. Its result comes with the next message. Fields that end in _cents hold
cents: 6250 is $62.50. When you have what you need, answer the customer in one short sentence, without JSON. If nothing is found, say so.

Tools:
{tools}"""
# Small models do as they are shown.
EXAMPLE = (
    ("user", "When do you open on Monday?"),
    ("assistant", '```json\n{"name": "opening_hours", "arguments": {"day": "Monday"}}\n```'),
    ("user", 'Result of opening_hours: {"day": "Monday", "opens": "09:00", "closes": "18:00"}'),
    ("assistant", "On Monday we open at 9:00."),
)

Chat = list[dict[str, str]]


class Endpoint:
    """An OpenAI-compatible chat endpoint. Equal requests are sent once; their time counts each time. ``known`` is a
    file of what has been said before, which is added to."""

    def __init__(
        self, base_url: str, model: str, max_tokens: int, known: Path | None = None
    ) -> None:
        self._url, self._model, self._max = (
            f"{base_url.rstrip('/')}/chat/completions",
            model,
            max_tokens,
        )
        self._file = known
        self._known: dict[str, tuple[str, float]] = {}
        if known is not None and known.exists():
            with known.open(encoding="utf-8") as lines:
                self._known = {key: (said, took) for key, said, took in map(json.loads, lines)}

    def ask(self, chat: Chat) -> tuple[str, float]:
        """What the model says next, and the seconds it took."""
        key = json.dumps([self._model, self._max, chat])
        if key not in self._known:
            begun = time.perf_counter()
            said = self._post(chat)
            self._known[key] = said, time.perf_counter() - begun
            if self._file is not None:
                with self._file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, *self._known[key]]) + "\n")
        return self._known[key]

    def _post(self, chat: Chat) -> str:
        body = {
            "model": self._model, "messages": chat, "max_tokens": self._max, "temperature": 0, "seed": 1,
        }  # fmt: skip
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("OPENAI_API_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return str(json.load(answer)["choices"][0]["message"]["content"] or "")
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{self._url}: {error}: {error.read(500).decode()}") from error
        except OSError as error:
            raise SystemExit(f"{self._url} cannot be reached: {error}") from error


@dataclass
class Run:
    """One question, answered. Times: the model's in seconds, the guard's in milliseconds."""

    answer: str = ""
    label: Label = "none"
    drafts: list[str] = field(default_factory=list)
    """Drafts that were sent back, and the last answer where it was refused."""
    refused: bool = False
    deleted: bool = False
    """Whether the last draft only left out what the one before it said."""
    calls: int = 0
    rejected: list[dict[str, Any]] = field(default_factory=list)
    model_s: float = 0.0
    turns: int = 0
    call_ms: list[float] = field(default_factory=list)
    answer_ms: list[float] = field(default_factory=list)


def tool_call(said: str) -> dict[str, Any] | None:
    """The call in a turn: small models write calls as JSON in their text."""
    fenced = re.search(r"```(?:json)?\s*(\{.*?\})\s*```", said, re.S)
    bare = re.search(r"\{\s*\"name\".*\}", said, re.S)
    for found in (fenced and fenced[1], bare and bare[0]):
        try:
            call = json.loads(found or "")
        except ValueError:
            continue
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            return call
    return None


class Agent:
    """The agent loop, with a guard or without."""

    def __init__(
        self,
        endpoint: Endpoint,
        tools: Tools,
        detector: Detector | None,
        *,
        cite: bool = False,
        may_cite: bool = True,
    ) -> None:
        self._endpoint, self._tools, self._detector = endpoint, tools, detector
        self._how: GuardOptions = {"mark": False, "cite": cite, "may_cite": may_cite}
        listed = (
            f"{tool['name']}({', '.join(tool['parameters']['properties'])}): {tool['description']}"
            for tool in DECLARATIONS
        )
        self._system = INSTRUCTIONS.format(role=ROLE, tools="\n".join(listed))

    def run(self, question: str) -> Run:
        run, guard = Run(), self._guarded(question)
        asked = guard.instruction if guard is not None else ""
        system = f"{self._system}\n\n{asked}".rstrip()
        opening = (("system", system), *EXAMPLE, ("user", question))
        chat: Chat = [{"role": role, "content": text} for role, text in opening]
        for turn in range(MOST_TURNS):
            said, seconds = self._endpoint.ask(chat)
            run.model_s += seconds
            run.turns += 1
            if call := tool_call(said):
                reply = self._called(run, guard, call, f"call_{turn}")
                if reply is None:
                    return run
            else:
                decision = self._judged(run, guard, said)
                if decision is None or decision.action != "revise":
                    run.answer = said if decision is None else decision.text or ""
                    run.refused = decision is not None and decision.action == "block"
                    return run
                reply = decision.feedback or ""
            chat += [{"role": "assistant", "content": said}, {"role": "user", "content": reply}]
        return run

    def _guarded(self, question: str) -> Guard | None:
        if self._detector is None:
            return None
        said = [
            # How to call tools, and the example, are no evidence of anything.
            Message(role="system", parts=(TextPart(text=ROLE),)),
            Message(role="user", parts=(TextPart(text=question),)),
        ]
        tools = [
            ToolDefinition(
                name=tool["name"], description=tool["description"], input_schema=tool["parameters"]
            )
            for tool in DECLARATIONS
        ]
        return Guard(self._detector, messages=said, tools=tools, **self._how)

    def _called(
        self, run: Run, guard: Guard | None, call: dict[str, Any], call_id: str
    ) -> str | None:
        """What the model is told; None where it has called wrongly too often."""
        name, arguments = call["name"], call.get("arguments", {})
        run.calls += 1
        if guard is not None:
            begun = time.perf_counter()
            decision = guard.check_call(ToolCallPart(id=call_id, name=name, arguments=arguments))
            run.call_ms.append((time.perf_counter() - begun) * 1000)
            if not decision.run:
                run.rejected.append({"name": name, "arguments": arguments})
                if decision.stop:
                    run.answer, run.refused = guard.give_up().text or "", True
                    return None
                return f"Error of {name}: {decision.feedback}"
        try:
            result, failed = self._tools.run(name, arguments), False
        except (NotFound, TypeError, AttributeError) as error:
            result, failed = f"{type(error).__name__}: {error}", True
        if guard is not None:
            guard.record_result(call_id, result, is_error=failed)
        return f"{'Error' if failed else 'Result'} of {name}: {json.dumps(result)}"

    def _judged(self, run: Run, guard: Guard | None, said: str) -> AnswerDecision | None:
        if guard is None:
            return None
        begun = time.perf_counter()
        decision = guard.check_answer(said)
        run.answer_ms.append((time.perf_counter() - begun) * 1000)
        run.deleted = decision.deletes_only
        if decision.action != "emit":
            run.drafts.append(said)
        return decision


@dataclass
class Pair:
    """A task, answered without the guard and with it. ``drafts`` labels what was held back."""

    task: Task
    off: Run
    on: Run
    drafts: list[Label]


def play(tasks: list[Task], endpoint: Endpoint, until: float, **citing: bool) -> Iterator[Pair]:
    """Answer tasks until the clock says ``until``."""
    db = make()
    tools = Tools(db)
    off = Agent(endpoint, tools, None)
    detector = Detector(Policy(on_critical="revise"))
    Guard(detector).check_answer("The model of the guard is loaded.")
    on = Agent(endpoint, tools, detector, **citing)
    for task in tasks:
        if time.time() > until:
            return
        pair = Pair(task, off.run(task.question), on.run(task.question), [])
        pair.off.label = label(db, task, pair.off.answer)
        pair.on.label = "none" if pair.on.refused else label(db, task, pair.on.answer)
        pair.drafts = [label(db, task, draft) for draft in pair.on.drafts]
        yield pair


def figures(pairs: list[Pair]) -> dict[str, Any]:
    """The counts and times of a run."""
    wrong = [p for p in pairs if p.off.label == "wrong"]
    right = [p for p in pairs if p.off.label == "right"]
    revised = [p for p in pairs if p.drafts and len(p.on.drafts) > p.on.refused]
    call_ms = [ms for p in pairs for ms in p.on.call_ms]
    answer_ms = [ms for p in pairs for ms in p.on.answer_ms]
    return {
        "tasks": len(pairs),
        "without": _labels(p.off.label for p in pairs),
        "with": _labels(p.on.label for p in pairs),
        "refused": sum(p.on.refused for p in pairs),
        "wrong_answers_stopped": sum(p.on.label != "wrong" for p in wrong),
        "wrong_answers": len(wrong),
        "right_answers_lost": sum(p.on.label != "right" for p in right),
        "right_answers_held_up": sum("right" in p.drafts for p in right),
        "right_answers": len(right),
        "drafts_held_back": _labels(one for p in pairs for one in p.drafts),
        "answers_revised": len(revised),
        "revisions_succeeded": sum(p.on.label == "right" and not p.on.deleted for p in revised),
        "revisions_that_only_delete": sum(p.on.deleted for p in revised),
        "calls": sum(p.on.calls for p in pairs),
        "calls_rejected": sum(len(p.on.rejected) for p in pairs),
        "model_s_without": statistics.fmean(p.off.model_s for p in pairs),
        "model_s_with": statistics.fmean(p.on.model_s for p in pairs),
        "model_turn_s": sum(p.on.model_s for p in pairs) / sum(p.on.turns for p in pairs),
        "guard_call_ms_p50": statistics.median(call_ms) if call_ms else None,
        "guard_answer_ms_p50": statistics.median(answer_ms) if answer_ms else None,
        "guard_answer_ms_max": max(answer_ms, default=None),
    }


def _labels(labels: Iterator[Label]) -> dict[str, int]:
    found = list(labels)
    return {name: found.count(name) for name in ("right", "wrong", "none")}


def show(made: dict[str, Any]) -> None:
    for name, value in made.items():
        if isinstance(value, dict):
            value = ", ".join(f"{count} {what}" for what, count in value.items())
        elif isinstance(value, float):
            value = f"{value:.2f}"
        print(f"{name.replace('_', ' '):28} {value}")


def main() -> int:
    parser = argparse.ArgumentParser(description="A real model with the guard and without.")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tasks", type=Path, default=TASKS)
    parser.add_argument("--limit", type=int)
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--cite", action="store_true", help="the guarded model cites as it writes")
    ways.add_argument("--never-cite", action="store_true", help="nor may it in its revisions")
    parser.add_argument("--known", type=Path, help="keeps what the model has said for further runs")
    parser.add_argument("--max-tokens", type=int, default=120)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this long")
    parser.add_argument("--json", type=Path, help="where everything is written, answers too")
    arguments = parser.parse_args()
    endpoint = Endpoint(arguments.base_url, arguments.model, arguments.max_tokens, arguments.known)
    citing = {"cite": arguments.cite, "may_cite": not arguments.never_cite}
    tasks, until = (
        read_tasks(arguments.tasks)[: arguments.limit],
        time.time() + arguments.minutes * 60,
    )
    pairs: list[Pair] = []
    for pair in play(tasks, endpoint, until, **citing):
        pairs.append(pair)
        held = "".join(f" [{one}]" for one in pair.drafts)
        print(f"{pair.task.id:10} {pair.off.label:6}→{held} {pair.on.label}", flush=True)
        if arguments.json:
            _write(arguments.json, arguments.model, pairs)
    print()
    show(figures(pairs))
    return 0


def _write(file: Path, model: str, pairs: list[Pair]) -> None:
    """Everything so far: a run of hours that breaks off has not been for nothing."""
    report = {
        "model": model,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "figures": figures(pairs),
        "runs": [asdict(pair) for pair in pairs],
    }
    file.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
