"""A report for reading: the decision and why, the answer marked, each claim with its evidence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from affidavit._excerpt import excerpt
from affidavit.cli.marks import ACTION, CALL, CLAIM, marked, printable, superscript
from affidavit.report import (
    ClaimVerdict,
    HallucinationReport,
    ToolCallValidation,
)

_TWO_COLUMNS_FROM = 100
_LONGEST_EXCERPT = 240


def render_report(report: HallucinationReport, out: Console) -> None:
    """Print the whole report."""
    out.print(_decision(report))
    for reason in report.reasons:
        out.print(_indented(Text(f"why: {printable(reason)}")))
    _section(out, "Answer", marked_answer(report).split("\n", allow_blank=True))
    if out.is_terminal and out.width >= _TWO_COLUMNS_FROM:
        _section(out, "Claims", [_claims_beside_evidence(report)] if report.claims else [])
    else:
        _section(out, "Claims", _claims_above_evidence(report))
    _section(out, "Tool calls", [line for v in report.tool_call_validations for line in _call(v)])
    _section(out, "Probes", _probes(report))
    _section(out, "Notes", [Text(note, "yellow") for note in _notes(report)])


def render_call(validation: ToolCallValidation, out: Console) -> None:
    """Print the verdict on one call."""
    for line in _call(validation):
        out.print(line)


def _section(out: Console, title: str, body: Iterable[RenderableType]) -> None:
    parts = list(body)
    if parts:
        out.print()
        out.print(Text(title, "bold"))
    for part in parts:
        out.print(_indented(part))


def _indented(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 0, 2), expand=False)


def _decision(report: HallucinationReport) -> Text:
    score = "nothing scored" if report.nothing_scored else f"score {report.overall_score:.2f}"
    counts = {s: sum(c.status == s for c in report.claims) for s in CLAIM}
    told = ", ".join(f"{n} {status}" for status, n in counts.items() if n) or "no claims"
    line = marked(ACTION[report.action], report.action.upper())
    line.append(f"  {score}  {told}  coverage {report.coverage.share:.0%}")
    return line.append(f"  run {report.run_id}", "dim")


def marked_answer(report: HallucinationReport) -> Text:
    """The answer with each claim in its status's colour, followed by its number."""
    answer = Text(printable(report.answer))
    for claim in sorted(report.claims, key=lambda c: c.start - c.end):  # inner over outer
        answer.stylize(CLAIM[claim.status][1], claim.start, claim.end)
    numbered, at = Text(), 0
    for end, number in sorted((claim.end, n) for n, claim in enumerate(report.claims, 1)):
        numbered.append_text(answer[at:end])
        numbered.append(superscript(number), CLAIM[report.claims[number - 1].status][1])
        at = end
    return numbered.append_text(answer[at:])


def _claims_above_evidence(report: HallucinationReport) -> Iterator[Text]:
    for number, claim in enumerate(report.claims, 1):
        yield _head(number, claim).append(f"  {_shortened(claim.text)}")
        for line in _evidence(claim):
            yield Text("    ").append_text(line)


def _claims_beside_evidence(report: HallucinationReport) -> Table:
    table = Table.grid(padding=(0, 2, 1, 0), expand=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    for number, claim in enumerate(report.claims, 1):
        quoted = Padding(Text(_shortened(claim.text)), (0, 0, 0, 2))
        table.add_row(Group(_head(number, claim), quoted), Text("\n").join(_evidence(claim)))
    return table


def _head(number: int, claim: ClaimVerdict) -> Text:
    line = Text.assemble((f"{number} ", "bold"))
    line.append_text(marked(CLAIM[claim.status], claim.status))
    if claim.score is not None:
        line.append(f" {claim.score:.2f}")
    if claim.critical:
        line.append(" critical")
    if claim.reason:
        line.append(f" {claim.reason}", CLAIM[claim.status][1])
    return line


def _evidence(claim: ClaimVerdict) -> Iterator[Text]:
    """Why the claim stands as it does, then the places it was held against."""
    if claim.explanation:
        yield Text.assemble((printable(claim.explanation), "italic"))
    decided = [check for check in claim.checks if check.name == claim.decided_by]
    for formula in dict.fromkeys(check.formula for check in decided if check.formula):
        yield Text(f"= {printable(formula)}")
    for span in claim.evidence_spans:
        where = " ".join(p for p in (span.tool or span.source, span.call_id, span.pointer) if p)
        document = f"  {printable(str(span.document))}" if span.document else ""
        yield Text.assemble((f"→ {where}{document}", "cyan"), f"  {_shortened(span.text)}")


def _shortened(text: str) -> str:
    return printable(excerpt(text, _LONGEST_EXCERPT))


def _call(validation: ToolCallValidation) -> Iterator[Text]:
    line = marked(CALL[validation.status], validation.status)
    line.append(f"  {call_text(validation.tool, validation.args)}")
    line.append(f"  {validation.call_id}" if validation.call_id else "", "dim")
    if validation.corrected_by:
        line.append(f"  corrected by {validation.corrected_by}", "green")
    yield line
    for error in validation.errors:
        where = f"{error.path}: " if error.path else ""
        message = printable(f"{where}{error.message}")
        meant = "" if (error.suggestion or "") in error.message else f" ({error.suggestion})"
        yield Text.assemble("    ", (message, "red"), printable(meant))
    if validation.note:
        yield Text.assemble("    ", (validation.note, "dim"))


def call_text(tool: str, args: object) -> str:
    """A call as it would be written in code."""
    if isinstance(args, dict):
        inner = ", ".join(f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in args.items())
    else:
        inner = json.dumps(args, ensure_ascii=False)
    return f"{printable(tool)}({_shortened(inner)})"


def _probes(report: HallucinationReport) -> Iterator[Text]:
    if not report.consistency_probes:
        state = report.stages["probe"]
        yield Text(f"{state.state}: {state.reason}" if state.reason else state.state)
    for probe in report.consistency_probes:
        share = "no usable answer" if probe.agreement is None else f"{probe.agreement:.0%} agree"
        line = (
            marked(("✗", "red"), "diverges") if probe.diverges else marked(("✓", "green"), "agrees")
        )
        yield line.append(f"  {share}  {_shortened(probe.claim)}")
        for answer, times in Counter(probe.probe_answers).items():
            often = f" (×{times})" if times > 1 else ""
            yield Text(f"    → {_shortened(answer) or 'nothing on this'}{often}")


def _notes(report: HallucinationReport) -> list[str]:
    notes = [
        f"{stage}: {state.state}: {state.reason}"
        for stage, state in report.stages.items()
        if stage != "probe" and state.state != "checked"
    ]
    if report.judge is not None:
        notes.append(f"judge: {report.judge}")
    if report.nothing_scored:
        notes.append("Nothing in this answer was scored.")
    if report.coverage.unread:
        notes.append(report.coverage.unread_note)
    if report.unknown_parts:
        notes.append(
            f"{report.unknown_parts} part(s) of the run are of a kind that cannot be read."
        )
    notes += [
        f"An earlier draft came to {attempt.action} ({attempt.overall_score:.2f})"
        + ("; the revision only deletes what was named." if attempt.deletes_only else ".")
        for attempt in report.attempts
    ]
    return notes
