"""What a citation in a revision does: false stops that it saves, fabrications that it lets pass.

    python benchmarks/citing.py FILE… [--prior 0.95 0.8] [--json OUT]

Rows are those of `affidavit.training.runs`. Every true answer, and every false one, is judged by a guard that asks for
a revision. What is sent back comes again unchanged, with a citation behind each claim that the feedback names, chosen by
a scripted model:

- ``nearest``: the line of the results that shares most with the claim, as an honest model would show it;
- ``strongest``: of the lines that come near, the one with which the claim scores highest, which no honest model knows;
- ``elsewhere``: a line of the results that shares least with the claim;
- ``call``: no quote, but the call whose line is nearest;
- ``invented``: a quote that stands in no result.

For a true answer the nearest line is the best passage there is. A fabrication is let pass where the citation lifts the
false statement itself over the threshold; a false answer also goes out where the true claims that held it back are borne
out, and the false one was never in doubt: that is told apart.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from affidavit import Detector, Guard, Policy
from affidavit.guard.conclude import sent_back
from affidavit.ledger.ledger import Ledger, Passage
from affidavit.models.entailment import EntailmentModel, load_entailment_model
from affidavit.report import CITED, ClaimVerdict, HallucinationReport
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.ground import cases_of, ground
from affidavit.stages.ground.linking.evidence import is_call
from affidavit.trace import Citation
from affidavit.training.runs import Labelled, labelled, read_rows

NEAR = 6
"""Lines that the strongest one is chosen from."""
INVENTED = "as confirmed in the closing remark of this result"


@dataclass
class Figures:
    """What one scripted model comes to."""

    true: int = 0
    true_stopped: int = 0
    true_saved: int = 0
    false: int = 0
    false_stopped: int = 0
    false_lifted: int = 0
    """False statements that were below the threshold, and are above it once cited: let pass if the answer goes out."""
    false_out: int = 0
    """Of the answers of those, the ones that go out."""
    false_out_else: int = 0
    """Answers that go out though their false statement was not lifted: it was never in doubt."""
    claims: Counter[str] = field(default_factory=Counter)
    """Cited claims: lifted over the threshold or not, by what they are."""
    faults: int = 0
    """Citations that the guard says lead nowhere."""
    cited: int = 0

    def told(self) -> dict[str, Any]:
        return {
            "true answers": self.true, "true answers stopped": self.true_stopped,
            "of them saved": self.true_saved, "false answers": self.false,
            "false answers stopped": self.false_stopped,
            "false statements lifted": self.false_lifted, "of them let pass": self.false_out,
            "false answers out, statement never in doubt": self.false_out_else,
            "citations": self.cited, "lead nowhere": self.faults, "claims": dict(self.claims),
        }  # fmt: skip


@dataclass(frozen=True)
class Doubt:
    """A claim that is sent back, by its place in the report, with its case."""

    place: int
    case: Case

    def lines(self) -> list[Passage]:
        """Lines of results, nearest first: by the values and words that they share with the claim."""
        linked = self.case.linked
        hits = Counter(
            id(hit.passage) for link in linked.links for hit in {id(h.passage): h for h in link.hits}.values()
        )  # fmt: skip
        found = [
            line
            for line in self.case.evidence.lines
            if line.source.kind == "tool_result" and not is_call(line) and line.source.call_id
        ]
        return sorted(found, key=lambda line: (-hits[id(line)], -self.case.share_in(line.stems)))


Chooser = Callable[["Revision", Doubt], Citation | None]


@dataclass(frozen=True)
class Revision:
    """A draft that was sent back, and what can be looked up for it."""

    one: Labelled
    report: HallucinationReport
    policy: Policy
    model: EntailmentModel

    def doubts(self) -> list[Doubt]:
        cases = cases_of(self.one.claims, self.one.ledger(), self.policy)
        return [
            Doubt(n, case)
            for n, (claim, case) in enumerate(zip(self.report.claims, cases, strict=True))
            if is_doubtful(claim, self.policy)
        ]

    def text(self, choose: Chooser) -> str:
        """The draft again, with a mark behind each claim in doubt."""
        answer, at, said = self.report.answer, 0, ""
        for doubt in sorted(self.doubts(), key=lambda d: self.report.claims[d.place].end):
            citation = choose(self, doubt)
            if citation is None:
                continue
            said += answer[at : citation.at] + mark_of(citation)
            at = citation.at
        return said + answer[at:]

    def score(self, doubt: Doubt, citation: Citation) -> float:
        """The claim's score with a citation behind it."""
        ledger = Ledger.of(self.one.trace)
        claim = doubt.case.claim
        made = ground(self.report.answer, ledger, self.policy, self.model, [claim], citations=[citation])  # fmt: skip
        return made.claims[0].score or 0.0


def is_doubtful(claim: ClaimVerdict, policy: Policy) -> bool:
    """Whether the feedback names a claim."""
    return claim.is_scored and claim.score is not None and claim.score < policy.emit_threshold


def mark_of(citation: Citation) -> str:
    quote = " ".join(citation.quote.replace("“", '"').replace("”", '"').split())
    return f" [{citation.calls[0]}]" + (f" “{quote}”" if quote else "")


def cited(revision: Revision, doubt: Doubt, line: Passage | None, quote: str | None = None) -> Citation | None:  # fmt: skip
    if line is None:
        return None
    claim = revision.report.claims[doubt.place]
    text = line.text if quote is None else quote
    return Citation(at=claim.end, calls=(str(line.source.call_id),), quote=text)


def nearest(revision: Revision, doubt: Doubt) -> Citation | None:
    return cited(revision, doubt, next(iter(doubt.lines()), None))


def strongest(revision: Revision, doubt: Doubt) -> Citation | None:
    tried = [cited(revision, doubt, line) for line in doubt.lines()[:NEAR]]
    return max(
        (one for one in tried if one), key=lambda one: revision.score(doubt, one), default=None
    )


def elsewhere(revision: Revision, doubt: Doubt) -> Citation | None:
    return cited(revision, doubt, next(iter(reversed(doubt.lines())), None))


def call(revision: Revision, doubt: Doubt) -> Citation | None:
    return cited(revision, doubt, next(iter(doubt.lines()), None), "")


def invented(revision: Revision, doubt: Doubt) -> Citation | None:
    return cited(revision, doubt, next(iter(doubt.lines()), None), INVENTED)


CHOOSERS: dict[str, Chooser] = {
    "nearest": nearest, "strongest": strongest, "elsewhere": elsewhere, "call": call, "invented": invented,
}  # fmt: skip


def guard_of(one: Labelled, detector: Detector) -> Guard:
    trace = one.trace
    return Guard(detector, messages=trace.messages, tools=trace.tools, mark=False)


def measure(
    files: Sequence[Path], policy: Policy, model: EntailmentModel, limit: int | None = None
) -> dict[str, Figures]:
    """Every answer once as it is, and once more for each scripted model where it is sent back."""
    detector = Detector(policy, entailment=model)
    found = {name: Figures() for name in CHOOSERS}
    for row in list(read_rows(files))[:limit]:
        for one in labelled(row):
            if one.variant == "true" or one.variant.startswith("false"):
                _measured(one, detector, found, model)
    return found


def _measured(
    one: Labelled, detector: Detector, found: dict[str, Figures], model: EntailmentModel
) -> None:
    first = guard_of(one, detector).check_answer(one.trace.answer)
    stopped = first.action != "emit"
    for figures in found.values():
        figures.true += one.is_true
        figures.false += not one.is_true
        figures.true_stopped += one.is_true and stopped
        figures.false_stopped += not one.is_true and stopped
    if first.action != "revise":
        return
    revision = Revision(one, first.report, detector.policy, model)
    for name, choose in CHOOSERS.items():
        guard = guard_of(one, detector)
        guard.attempts.append(sent_back(first))
        again = guard.check_answer(revision.text(choose))
        _count(found[name], one, first.report, again.report, detector.policy)


def _count(
    figures: Figures, one: Labelled, before: HallucinationReport, after: HallucinationReport, policy: Policy
) -> None:  # fmt: skip
    if after.answer != before.answer:
        raise SystemExit(f"{one.run} {one.variant}: a mark was not taken out: {after.answer!r}")
    lifted = False
    for was, now, label in zip(before.claims, after.claims, one.labels, strict=True):
        shown = [check for check in now.checks if check.name == CITED]
        figures.cited += len(shown)
        figures.faults += sum(check.state == "failed" for check in shown)
        if is_doubtful(was, policy):
            rises = not is_doubtful(now, policy)
            kind = "false" if label is False else "true"
            figures.claims[f"{kind}, {'lifted' if rises else 'kept'}"] += 1
            lifted |= rises and label is False
    out = after.action == "emit"
    figures.true_saved += one.is_true and out
    figures.false_lifted += lifted
    figures.false_out += lifted and out
    figures.false_out_else += not one.is_true and out and not lifted


def shown(figures: dict[str, Figures], title: str) -> Table:
    table = Table("citing", "true stopped", "saved", "false stopped", "statement lifted", "let pass",
                  "out, never in doubt", "lead nowhere", title=title)  # fmt: skip
    for name, one in figures.items():
        table.add_row(
            name, f"{one.true_stopped} of {one.true}", str(one.true_saved),
            f"{one.false_stopped} of {one.false}", str(one.false_lifted), str(one.false_out),
            str(one.false_out_else), f"{one.faults} of {one.cited}",
        )  # fmt: skip
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--prior", nargs="+", type=float, default=[Policy().prior])
    parser.add_argument("--limit", type=int, help="the first N runs only")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    model = load_entailment_model(Policy().entailment)
    told: dict[str, Any] = {"files": [file.name for file in options.files]}
    for prior in options.prior:
        policy = Policy(prior=prior, on_critical="revise")
        figures = measure(options.files, policy, model, options.limit)
        Console().print(shown(figures, f"prior {prior:g}"))
        told[f"{prior:g}"] = {name: one.told() for name, one in figures.items()}
        if options.json:
            options.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
