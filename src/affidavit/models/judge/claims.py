"""A language model as judge of single claims: all of an answer's doubtful ones in one request."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, cast, get_args

from affidavit.errors import ModelError
from affidavit.models.judge.prompt import JudgePrompt, packaged_prompt
from affidavit.models.llm.fence import fenced
from affidavit.models.llm.protocol import ChatMessage, Completion, LanguageModel, Usage, completed
from affidavit.models.llm.strict_json import json_object

Finding = Literal["supported", "contradicted", "unsupported"]

_TAGS = ("question", "record", "claim")
_FIELDS = frozenset({"claim", "verdict", "record", "quote", "why"})
_LONGEST_WHY = 400
CHARACTERS_A_TOKEN = 4
"""By which the length of a request is estimated where no tokenizer is at hand."""

_asking: ContextVar[bool] = ContextVar("affidavit_judge_asking", default=False)


def is_judging() -> bool:
    """Whether what is sent here and now is a question to a judge, which is not guarded itself."""
    return _asking.get()


@contextmanager
def _marked() -> Iterator[None]:
    token = _asking.set(True)
    try:
        yield
    finally:
        _asking.reset(token)


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that claims are held against. ``id`` is the asker's own, never of the run's making."""

    id: str
    title: str
    lines: tuple[str, ...]

    def shown(self) -> str:
        head = f"id: {self.id}\nfrom: {' '.join(self.title.split())}"
        return fenced("record", "\n".join((head, *self.lines)), other=_TAGS)


@dataclass(frozen=True, slots=True)
class AskedClaim:
    """One claim, the ids of the records that bear on it most, what has been found of it, and what the answer says just
    before it."""

    id: str
    text: str
    records: tuple[str, ...]
    found: tuple[str, ...] = ()
    before: str = ""

    def shown(self) -> str:
        lines = [f"id: {self.id}", f"claim: {' '.join(self.text.split())}"]
        lines += [f"records: {', '.join(self.records) or 'none'}"]
        lines += [f"follows: {' '.join(self.before.split())}"] if self.before else []
        lines += [f"found: {' '.join(line.split())}" for line in self.found]
        return fenced("claim", "\n".join(lines), other=_TAGS)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the judge says of one claim. Nobody has looked yet whether the quote stands there."""

    finding: Finding
    why: str
    record: str = ""
    quote: str = ""


@dataclass
class Hearing:
    """What came of asking: rulings by claim id, and why there is none for the others."""

    rulings: dict[str, Ruling] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    failure: str = ""
    """Why no request had a usable answer."""
    requests: int = 0
    usage: Usage | None = None


class ClaimsJudge:
    """Asks ``model`` about several claims in one request. Holds no state; safe to share.

    ``timeout``, in seconds, is for all tries together; ``retries`` counts those after a first that
    failed or was answered with something else than verdicts.
    """

    def __init__(self, model: LanguageModel, *, timeout: float = 30.0, retries: int = 1) -> None:
        self._model = model
        self._timeout, self._retries = timeout, retries
        self._prompt = claims_prompt()

    @property
    def name(self) -> str:
        return f"{self._prompt.id}/{self._prompt.version}@{self._model.name}"

    def request(
        self, claims: Sequence[AskedClaim], records: Sequence[Record], question: str
    ) -> str:
        """The text of the request."""
        return self._prompt.filled(
            {
                "question": fenced("question", question or "(nothing)", other=_TAGS),
                "records": "\n".join(r.shown() for r in records) or "(there are no records)",
                "claims": "\n".join(claim.shown() for claim in claims),
            }
        )

    async def ask(self, claims: Sequence[AskedClaim], request: str, tries: int) -> Hearing:
        """Send ``request``, at most ``tries`` times. Never raises for what the model does or answers."""
        heard = Hearing()
        try:
            async with asyncio.timeout(self._timeout):
                while heard.requests < min(tries, 1 + self._retries):
                    heard.requests += 1
                    try:
                        await self._once(claims, request, heard)
                        heard.failure = ""
                        return heard
                    except ModelError as error:
                        heard.failure = f"the judge gave no verdicts: {error}"
        except TimeoutError:
            heard.failure = f"the judge did not answer within {self._timeout:g} s"
        return heard

    async def _once(self, claims: Sequence[AskedClaim], request: str, heard: Hearing) -> None:
        with _marked():
            answer = await completed(self._model, [ChatMessage("user", request)])
        if isinstance(answer, Completion) and answer.usage is not None:
            heard.usage = _sum(heard.usage, answer.usage)
        heard.rulings, heard.faults = _read(json_object(answer), [c.id for c in claims])


@cache
def claims_prompt() -> JudgePrompt:
    """The prompt for single claims that ships with the package."""
    return packaged_prompt("claims.md", ("question", "records", "claims"))


def tokens_of(text: str) -> int:
    """About how many tokens a text has."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def _sum(a: Usage | None, b: Usage) -> Usage:
    if a is None:
        return b
    return Usage(a.input_tokens + b.input_tokens, a.output_tokens + b.output_tokens)


def _read(
    answer: Mapping[str, Any], asked: Sequence[str]
) -> tuple[dict[str, Ruling], dict[str, str]]:
    """The rulings on the claims that were asked about. A fault in one leaves the others as they are; ids
    that nobody asked about are passed over. Raises ModelError where there is no list of verdicts."""
    told = answer.get("verdicts")
    if not isinstance(told, list) or answer.keys() != {"verdicts"}:
        raise ModelError("expected an object with a list of verdicts, and nothing else")
    rulings: dict[str, Ruling] = {}
    faults: dict[str, str] = {}
    for one in told:
        name = one.get("claim") if isinstance(one, dict) else None
        if not isinstance(name, str) or name not in asked:
            continue
        if name in rulings or name in faults:  # which of them would it be?
            rulings.pop(name, None)
            faults[name] = "the judge gave more than one verdict"
            continue
        try:
            rulings[name] = _ruling(one)
        except ModelError as error:
            faults[name] = f"the judge's verdict cannot be read: {error}"
    for name in asked:
        if name not in rulings:
            faults.setdefault(name, "the judge did not say")
    return rulings, faults


def _ruling(one: Mapping[str, Any]) -> Ruling:
    if unknown := one.keys() - _FIELDS:
        raise ModelError(f"unknown fields {', '.join(sorted(map(str, unknown)))}")
    finding = one.get("verdict")
    if finding not in get_args(Finding):
        raise ModelError(f"unknown verdict {finding!r}")
    told = {name: one.get(name) or "" for name in ("why", "record", "quote")}
    if wrong := [name for name, text in told.items() if not isinstance(text, str)]:
        raise ModelError(f"expected text for {', '.join(wrong)}")
    told["why"] = " ".join(told["why"].split())[:_LONGEST_WHY]
    return Ruling(cast("Finding", finding), **told)
