"""A judge for the claims in doubt: how many are asked, what it costs, and what it saves and catches.

    python benchmarks/cascade.py FILE… [--low 0.01 0.02] [--high 0.9 0.97] [--errs 0 0.1] [--judge MODEL [--known FILE]] [--json OUT]
    python benchmarks/cascade.py FILE… --one --low 0.02 --high 0.98 --requests ASKED.jsonl [--replies SAID.jsonl]

Rows are those of `affidavit.training.runs`. For each pair of bounds: without a judge, with one that is always right (an
oracle from the labels, which quotes a record: the ceiling), with one that errs in a tenth of its verdicts (seeded), and
with ``--judge`` a real one, which is asked anew for each pair and whose rate of error by finding is told as well. An answer is stopped where the gate does not
emit it. Where a judge is not reached by an endpoint, ``--requests`` writes what it would be asked and ``--replies`` reads
what it answered, by request. Tokens are the model's own count where it tells one, else the length of the request by four.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from affidavit.ledger.ledger import Ledger
from affidavit.models.entailment import load_entailment_model
from affidavit.models.judge.claims import tokens_of
from affidavit.models.llm import (
    ChatMessage,
    Completion,
    LanguageModel,
    Usage,
    load_language_model,
)
from affidavit.policy import JudgePolicy, Policy
from affidavit.stages.gate import decide
from affidavit.stages.ground import Grounding, ground
from affidavit.stages.ground.judging import ClaimJudge, Memory, Tab
from affidavit.stages.ground.judging.word import Reliability, reliability_of
from affidavit.training.runs import Labelled, labelled, read_rows

LOW = (0.0, 0.01, 0.02, 0.05, 0.1)
HIGH = (0.85, 0.95, 0.97, 0.98, 0.9875, 0.99)
CAUGHT, STOPPED = 0.95, 0.02
"""What the bounds that are proposed must reach with a judge that is always right."""

_CLAIM = re.compile(r"<claim>\nid: (C\d+)\nclaim: (.*)\nrecords: (.*)\n")
_WHOLE = re.compile(r"<record>\nid: (R\d+)\n(.*?)</record>", re.S)
_RECORD = re.compile(r"<record>\nid: (R\d+)\nfrom: (?!the user).*\n(.*)")


@dataclass
class Answer:
    """One labelled answer after Stage 2, and what its claims are known to be."""

    one: Labelled
    grounding: Grounding
    question: str

    @property
    def truths(self) -> list[bool]:
        """By claim. What nothing is known of in a false answer stands in the true one, too."""
        return [label is not False for label in self.one.labels]


class Oracle:
    """A judge that knows the labels of an answer, and errs with probability ``errs``. It quotes a line of the first
    record of a claim that is not the user's own words, so that its word is verified as any other's."""

    name = "oracle"

    def __init__(self, truths: dict[str, bool], errs: float, seed: str) -> None:
        self._truths, self._errs, self._random = truths, errs, random.Random(seed)

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,  # noqa: ARG002
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> str:
        text = messages[0].text
        lines = dict(_RECORD.findall(text))
        told = []
        for claim, statement, records in _CLAIM.findall(text):
            holds = self._truths[statement] ^ (self._random.random() < self._errs)
            shown = next((r for r in records.split(", ") if r in lines), "")
            verdict = "supported" if holds else "contradicted" if shown else "unsupported"
            told.append(
                {"claim": claim, "verdict": verdict, "record": shown, "quote": lines.get(shown, ""), "why": "labels"}
            )  # fmt: skip
        return json.dumps({"verdicts": told})


class Recorded:
    """A judge whose rulings were written down, by question and claim: so they serve under any bounds. Requests with a claim
    that nothing is known of are kept in ``missing``."""

    def __init__(self, name: str, rulings: dict[tuple[str, str], dict[str, str]]) -> None:
        self.name, self._rulings = name, rulings
        self.missing: dict[str, str] = {}

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,  # noqa: ARG002
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> str:
        request = messages[0].text
        told = list(self._told(request))
        if None in told:
            self.missing[_key(request)] = request
        return json.dumps({"verdicts": [one for one in told if one is not None]})

    def _told(self, request: str) -> Iterator[dict[str, str] | None]:
        question, records = _question(request), _WHOLE.findall(request)
        for claim, statement, _ in _CLAIM.findall(request):
            ruling = self._rulings.get((question, statement))
            if ruling is None:
                yield None
                continue
            # What a record is called differs by request, the words that were quoted do not.
            quote = ruling["quote"]
            where = next((name for name, text in records if quote and quote in text), "")
            yield {
                "claim": claim, "verdict": ruling["verdict"], "record": where, "quote": quote, "why": ruling["why"],
            }  # fmt: skip

    @staticmethod
    def read(requests: Path, replies: Path) -> Recorded:
        """From what ``--requests`` wrote, and rows with the ``key`` of each and the ``reply``."""
        asked = {row["key"]: row["request"] for row in read_rows([requests])}
        rulings = {}
        for row in read_rows([replies]):
            request = asked[row["key"]]
            statements = {claim: statement for claim, statement, _ in _CLAIM.findall(request)}
            for one in json.loads(row["reply"])["verdicts"]:
                said = {name: one.get(name) or "" for name in ("verdict", "quote", "why")}
                rulings[_question(request), statements[one["claim"]]] = said
        return Recorded(replies.stem, rulings)

    def write(self, file: Path) -> None:
        rows = ({"key": key, "request": request} for key, request in self.missing.items())
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


class Kept:
    """A judge whose answers are kept in a file, so that a measurement of hours goes on where it was stopped. Tries that brought
    no answer are made again."""

    def __init__(self, model: LanguageModel, file: Path) -> None:
        self.name, self._model, self._file = model.name, model, file
        rows = read_rows([file]) if file.exists() else ()
        self._known = {row["key"]: Completion(row["reply"], _used(row)) for row in rows}

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> str:
        key = _key(messages[0].text)
        if key not in self._known:
            said = await self._model.complete(
                messages, temperature=temperature, max_tokens=max_tokens
            )
            usage = said.usage if isinstance(said, Completion) else None
            tokens = usage and [usage.input_tokens, usage.output_tokens]
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"key": key, "reply": said, "tokens": tokens}) + "\n")
            self._known[key] = Completion(said, usage)
        return self._known[key]


def _used(row: dict[str, Any]) -> Usage | None:
    return Usage(*row["tokens"]) if row["tokens"] else None


def _key(request: str) -> str:
    return hashlib.sha256(request.encode()).hexdigest()[:16]


def _question(request: str) -> str:
    return request.split("<question>", 1)[1].split("</question>", 1)[0]


@dataclass
class Figures:
    """What one judge makes of all answers under one pair of bounds."""

    stopped: dict[bool, list[bool]] = field(default_factory=lambda: {True: [], False: []})
    asked_answers: int = 0
    asked_claims: int = 0
    claims: int = 0
    requests: int = 0
    tokens: int = 0
    failed: int = 0
    findings: Counter[tuple[str, bool]] = field(default_factory=Counter)
    asked_of: Counter[bool] = field(default_factory=Counter)
    """Claims asked about, by whether they hold."""

    def told(self) -> dict[str, Any]:
        answers = sum(map(len, self.stopped.values()))
        return {
            "answers asked": round(self.asked_answers / answers, 4),
            "claims asked": round(self.asked_claims / max(self.claims, 1), 4),
            "claims asked, an answer": round(self.asked_claims / answers, 2),
            "tokens, an answer": round(self.tokens / answers),
            "tokens, a request": round(self.tokens / max(self.requests, 1)),
            "true answers stopped": _share(self.stopped[True]),
            "false answers caught": _share(self.stopped[False]),
            "words that did not count": self.failed,
        }

    def errors(self) -> dict[str, dict[str, float]]:
        """By finding, how often it was said of true and of false claims, and its rate of error at even odds, each
        frequency smoothed (Laplace): what `reliability.json` takes."""
        told: dict[str, dict[str, float]] = {}
        for finding, verdict in _SAID.items():
            said = {truth: self.findings[verdict, truth] for truth in (True, False)}
            often = {truth: (said[truth] + 1) / (self.asked_of[truth] + 2) for truth in said}
            wrong = often[verdict != "supports"]
            rate = round(wrong / sum(often.values()), 4)
            told[finding] = {
                "of true claims": said[True],
                "of false claims": said[False],
                "rate": rate,
            }
        return told


_SAID = {"supported": "supports", "contradicted": "contradicts", "unsupported": "missing"}


def read_answers(
    files: list[Path], policy: Policy, limit: int | None, *, single: bool = False
) -> list[Answer]:
    """Stage 2 without a judge, once for all judges, of the first ``limit`` runs. ``single``: of every other run its true
    answer, of the others a false one, so that whoever judges them never sees two answers of one run."""
    model = load_entailment_model(policy.entailment)
    found: list[Answer] = []
    for n, row in enumerate(islice(read_rows(files), limit)):
        wanted = f"false{n // 2 % len(row['false'])}" if n % 2 else "true"
        for one in labelled(row):
            if one.variant == wanted if single else one.variant.startswith(("true", "false")):
                trace = one.trace
                made = ground(trace.answer, Ledger.of(trace), policy, model, one.claims)
                found.append(Answer(one, made, trace.question))
    return found


async def figures_of(
    answers: list[Answer],
    policy: Policy,
    *,
    errs: float | None = None,
    model: LanguageModel | None = None,
    reliability: Reliability | None = None,
    critical: bool = False,
) -> Figures:
    """All answers with ``model`` as judge, or with an oracle that errs so often; with neither, without one.
    ``critical``: asked about critical claims alone, as the run's own model is."""
    found = Figures()
    for answer in answers:
        grounding = answer.grounding
        found.claims += sum(claim.score is not None for claim in grounding.claims)
        asked = model
        if errs is not None:
            statements = (case.claim.statement for case in grounding.cases)
            truths = {
                " ".join(s.split()): t for s, t in zip(statements, answer.truths, strict=True)
            }
            asked = Oracle(truths, errs, f"{answer.one.run} {answer.one.variant}")
        if asked is not None:
            judge = ClaimJudge(asked, policy, Memory(), own=critical, reliability=reliability)
            tab = Tab()
            judged = await judge.judge(grounding, answer.question, tab)
            grounding = judged.grounding
            _count(found, answer, judged.judging, grounding, tab)
        made = decide(grounding.claims, (), (), policy)
        found.stopped[answer.one.is_true].append(made.action != "emit")
    return found


def _count(found: Figures, answer: Answer, judging: Any, grounding: Grounding, tab: Tab) -> None:
    found.asked_claims += len(judging.claims)
    found.asked_answers += bool(judging.claims)
    found.requests += tab.requests
    if tab.usage is not None:
        found.tokens += tab.usage.input_tokens + tab.usage.output_tokens
    else:
        found.tokens += sum(map(tokens_of, tab.texts))
    for n in judging.claims:
        word = grounding.claims[n].checks[-1]
        found.asked_of[answer.truths[n]] += 1
        if word.verdict is None:
            found.failed += 1
        else:
            found.findings[word.verdict, answer.truths[n]] += 1


def bounded(policy: Policy, low: float, high: float, options: argparse.Namespace) -> Policy:
    budget = JudgePolicy(
        low=low, high=high, claims=options.claims, tokens=100_000, timeout=options.timeout
    )
    return policy.model_copy(update={"judge": budget})


async def curve(
    answers: list[Answer], options: argparse.Namespace, model: LanguageModel | None
) -> dict[str, Any]:
    policy = Policy(prior=options.prior)
    reliability = reliability_of(options.error)
    how: dict[str, Any] = {"reliability": reliability, "critical": options.critical}
    told: dict[str, Any] = {"without judge": (await figures_of(answers, policy)).told()}
    for low in options.low:
        for high in options.high:
            under = bounded(policy, low, high, options)
            row = {
                _oracle(errs): await figures_of(answers, under, errs=errs, **how)
                for errs in options.errs
            }
            if model is not None:
                row[model.name] = await figures_of(answers, under, model=model, **how)
            told[f"{low:g} to {high:g}"] = {name: made.told() for name, made in row.items()}
            if model is not None:
                told[f"{low:g} to {high:g}"]["errors of the judge"] = row[model.name].errors()
    return told


def _oracle(errs: float) -> str:
    return f"errs in {errs:.0%}" if errs else "always right"


def proposed(told: dict[str, Any]) -> str | None:
    """The bounds that ask about the fewest claims and still reach what they must with an oracle."""
    enough = [
        (row["always right"]["claims asked"], bounds)
        for bounds, row in told.items()
        if "always right" in row
        and row["always right"]["false answers caught"] >= CAUGHT
        and row["always right"]["true answers stopped"] <= STOPPED
    ]
    return min(enough)[1] if enough else None


def shown(told: dict[str, Any], title: str) -> Table:
    table = Table(
        "bounds", "judge", "answers asked", "claims asked", "tokens/answer", "true stopped",
        "false caught", title=title,
    )  # fmt: skip
    plain = told["without judge"]
    table.add_row("", "none", "", "", "", f"{plain['true answers stopped']:.3f}", f"{plain['false answers caught']:.3f}")  # fmt: skip
    for bounds, row in told.items():
        if bounds == "without judge":
            continue
        for name, made in row.items():
            if "claims asked" in made:
                table.add_row(
                    bounds, name, f"{made['answers asked']:.3f}", f"{made['claims asked']:.3f}",
                    str(made["tokens, an answer"]), f"{made['true answers stopped']:.3f}",
                    f"{made['false answers caught']:.3f}",
                )  # fmt: skip
    return table


def _share(found: list[bool]) -> float:
    return round(float(np.mean(found)), 4) if found else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--low", nargs="+", type=float, default=LOW)
    parser.add_argument("--high", nargs="+", type=float, default=HIGH)
    parser.add_argument("--errs", nargs="+", type=float, default=(0.0, 0.1), help="of the oracles")
    parser.add_argument("--judge", metavar="MODEL", help="anthropic:NAME, openai:NAME@BASE_URL")
    parser.add_argument("--known", type=Path, metavar="FILE", help="what the judge has said before")
    parser.add_argument(
        "--error", type=float, help="the error that a judge is taken to have; default: the table's"
    )
    parser.add_argument(
        "--claims", type=int, default=Policy().judge.claims, help="most claims of an answer"
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=60,
        help="seconds for an answer's request: more for a model on a processor",
    )
    parser.add_argument("--prior", type=float, default=Policy().prior)
    parser.add_argument("--critical", action="store_true", help="ask about critical claims alone")
    parser.add_argument("--limit", type=int, help="the first N runs only")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", action="store_true", help="one answer of each run, not all")
    parser.add_argument(
        "--requests", type=Path, metavar="FILE", help="write what a judge is asked, and stop"
    )
    parser.add_argument(
        "--replies", type=Path, metavar="FILE", help="rows of key and reply, to --requests FILE"
    )
    options = parser.parse_args()
    answers = read_answers(
        options.files, Policy(prior=options.prior), options.limit, single=options.one
    )
    model = load_language_model(options.judge) if options.judge else None
    if model is not None and options.known:
        model = Kept(model, options.known)
    if options.replies:
        model = Recorded.read(options.requests, options.replies)
    elif options.requests:
        model = recorded = Recorded("none", {})
        options.errs = ()
        asyncio.run(curve(answers, options, model))
        recorded.write(options.requests)
        print(f"{len(recorded.missing)} requests written to {options.requests}")
        return
    told = asyncio.run(curve(answers, options, model))
    names = ", ".join(file.name for file in options.files)
    screen = Console()
    screen.print(shown(told, f"{names}: {len(answers)} answers, prior {options.prior:g}"))
    screen.print(
        f"fewest claims for {CAUGHT:.0%} caught and {STOPPED:.0%} stopped with an oracle: {proposed(told)}"
    )
    if options.json:
        record = {
            "files": [f.name for f in options.files],
            "prior": options.prior,
            "assumed error": options.error,
            **told,
        }
        options.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
