"""What the demo shows, step by step."""

from __future__ import annotations

import json
import time

from pydantic import JsonValue
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from affidavit.cli.marks import ACTION, CALL, CLAIM, marked
from affidavit.cli.render import call_text, render_report
from affidavit.guard import AnswerDecision, CallDecision
from affidavit.report import HallucinationReport


class Screen:
    """Prints the steps; ``pause`` is how many seconds each is left to be read."""

    def __init__(self, out: Console, pause: float) -> None:
        self._out, self._pause = out, pause

    def opening(self, question: str) -> None:
        self._out.print(Text("An agent of a bicycle workshop, with one tool and a scripted model."))
        self._step("User", question, "bold")

    def call(self, decision: CallDecision) -> None:
        validation = decision.validation
        self._step("Model calls", call_text(validation.tool, validation.args))
        self._line("Stage 1", marked(CALL[validation.status], validation.status))
        if not decision.run:
            self._feedback(decision.feedback)

    def result(self, result: JsonValue) -> None:
        self._step("Tool answers", json.dumps(result))

    def draft(self, text: str) -> None:
        self._step("Model drafts", text)

    def judged(self, decision: AnswerDecision) -> None:
        report = decision.report
        for claim in report.claims:
            score = "" if claim.score is None else f" {claim.score:.2f}"
            line = marked(CLAIM[claim.status], f"{claim.status}{score}")
            self._line("Stage 2", line.append(f"  {claim.text}"))
        self._line("Stage 3", _probes(report))
        verdict = marked(ACTION[report.action], report.action)
        self._line("Stage 4", verdict.append(f"  {report.reasons[0]}"))
        for reason in report.reasons[1:]:
            self._line("", Text(f"{' ' * len(report.action)}    {reason}"))
        if decision.feedback:
            self._feedback(decision.feedback)

    def closing(self, decision: AnswerDecision) -> None:
        self._step("User reads", decision.text or "", "bold")
        self._out.print()
        self._out.rule("The report", style="dim", align="left") if self._out.is_terminal else None
        self._out.print()
        render_report(decision.report, self._out)
        self._out.print()
        self._out.print(Text("Next: affidavit check RUN.json judges a run of your own.", "dim"))

    def _step(self, title: str, text: str, style: str = "") -> None:
        time.sleep(self._pause)
        self._out.print()
        self._line(title, Text(text, style))

    def _line(self, title: str, body: Text) -> None:
        label = Text.assemble((f"{title:<13}", "bold cyan" if title.startswith("Stage") else "dim"))
        if self._out.is_terminal:
            body = body.copy()
            width = max(20, self._out.width - len(label))
            lines = body.wrap(self._out, width)
            self._out.print(label.append_text(Text(f"\n{' ' * 13}").join(lines)))
        else:
            self._out.print(label.append_text(body))

    def _feedback(self, feedback: str) -> None:
        self._line("", Text("sent back to the model:", "yellow"))
        for line in feedback.splitlines():
            if line:
                self._out.print(Padding(Text(line, "yellow"), (0, 0, 0, 15), expand=False))


def _probes(report: HallucinationReport) -> Text:
    if not report.consistency_probes:
        state = report.stages["probe"]
        return Text(f"{state.state}: {state.reason}")
    diverging = [probe.claim for probe in report.consistency_probes if probe.diverges]
    if diverging:
        line = marked(("✗", "red"), "asked again, the model does not say")
        return line.append(f"  {'; '.join(diverging)}")
    return marked(("✓", "green"), "asked again, the model says the same")
