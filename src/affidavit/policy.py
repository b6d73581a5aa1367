"""Policy: every choice a deployment makes, in one validated, immutable object.

A policy is written as the differences from the defaults of its task type.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from affidavit.errors import PolicyError

TaskType = Literal["general", "high_stakes", "creative"]

# What each task type changes. High stakes: tighter thresholds, probes required, fail closed.
# Creative: invention is free (Stage 2 holds only contradictions and actions against the answer).
_TASK_DEFAULTS: dict[str, dict[str, Any]] = {
    "general": {},
    "high_stakes": {
        "emit_threshold": 0.92,
        "revise_threshold": 0.75,
        "block_threshold": 0.5,
        "uncovered": "block",
        "fail_mode": "closed",
        "probes": {"required": True},
    },
    "creative": {},
}


class _Model(BaseModel):
    # Editors show what a key means by the schema's descriptions: they are the docstrings here.
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ArgumentRule(_Model):
    """How one argument of a tool is checked for provenance."""

    entity: bool | None = None
    """Whether its value must be known; None leaves it to the defaults from its name, format and value."""
    allow: tuple[str, ...] = ()
    """Values, or patterns with ``*``, that are always accepted."""


class ToolRule(_Model):
    """What Stage 1 holds against calls of one tool."""

    provenance: bool = True
    """Whether the values of its arguments must be known."""
    reads: bool | None = None
    """A tool that only reads may look for paths and names that nobody mentioned; None leaves it to the tool's own declaration."""
    allow: tuple[str, ...] = ()
    """Values, or patterns with ``*``, that are accepted in any argument."""
    arguments: dict[str, ArgumentRule] = Field(default_factory=dict)
    """Rules by argument, nested ones with dots (``address.zip``)."""


class ProbePolicy(_Model):
    """Stage 3: how often the model is re-asked, and whether an answer may go out without it."""

    samples: int = Field(default=3, ge=1, le=16)
    """How often the model is asked again."""
    required: bool = False
    """Whether an answer with critical claims is stopped where no model can be asked."""
    timeout: float = Field(default=30.0, gt=0, description="seconds for all samples together")
    mode: Literal["wait", "background"] = "wait"
    """``background``: a live answer does not wait for its probes; the run's report does, and says what
    they found. Not with ``required``."""
    paraphrase: Literal["model", "framing"] = "model"
    """``model``: the model puts the question in other words first, which is one call more. ``framing``:
    only what stands around the question changes from sample to sample."""
    proven: Literal["probe", "skip"] = "probe"
    """``skip``: claims that an exact check has proven are not asked about again. Probes then start
    when Stage 2 is done instead of together with it."""

    @model_validator(mode="after")
    def _waits_for_what_is_required(self) -> Self:
        if self.required and self.mode == "background":
            raise ValueError("probes that are required cannot run in the background")
        return self


_OWN_HIGH = 0.9875
"""Where nearly half of the claims are asked about (``benchmarks/cascade.py``)."""


class JudgePolicy(_Model):
    """A language model that is asked about the claims that Stage 2 leaves in doubt, all of an answer's in
    one request. Its word is one more signal; see ``decided_by`` in the report."""

    model: str | None = None
    """``anthropic:NAME``, ``openai:NAME``, ``openai:NAME@BASE_URL``; ``own`` for the model that the run itself asks, where
    an adapter holds its client; ``none`` for nobody. Left out, it is ``own`` in adapters and in the gateway, and
    nobody elsewhere."""
    when: Literal["doubtful", "always", "never"] = "doubtful"
    """Which claims it is asked about: those whose probability lies between ``low`` and ``high``, every scored one,
    none. The run's own model is only ever asked about critical ones."""
    low: float = Field(default=0.02, ge=0, le=1)
    """A claim below it is false without asking."""
    high: float | None = Field(default=None, ge=0, le=1)
    """A claim above it is true without asking. Left out, 1 for a judge that somebody names: all claims stand in one request over the
    same records, so that those which look sure cost little more, and false ones that read well are among them; 0.9875 for the run's
    own model, which is asked by default."""
    error: float | None = Field(default=None, gt=0, le=0.5)
    """How often it is wrong where it quotes the records; where it has nothing to show it counts as three times as often. What it
    says weighs as much as it is reliable. Left out, the rates that were measured for a strong model; ``benchmarks/cascade.py`` measures
    them for any endpoint."""
    claims: int = Field(default=20, ge=1)
    """Most claims of an answer, critical ones first."""
    tokens: int = Field(default=12_000, ge=500)
    """Most tokens of a request, estimated by its length; claims that do not fit are left out."""
    requests: int = Field(default=4, ge=1)
    """Most requests for one draft of an answer, whose sentences may be judged as they are written. The run's own model
    gets one at most."""
    timeout: float = Field(default=30.0, gt=0, description="seconds for a request and its retries")
    retries: int = Field(default=1, ge=0)
    """How often a request is sent again that failed or was not answered with verdicts. Clients retry what their API
    refuses for the moment by themselves."""

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        if self.high is not None and self.low > self.high:
            raise ValueError(f"low must not be above high, got {self.low} and {self.high}")
        return self

    def up_to(self, *, own: bool = False) -> float:
        """The highest score of a claim that is asked about; ``own``: by the run's own model."""
        return self.high if self.high is not None else _OWN_HIGH if own else 1.0

    @property
    def asks_own(self) -> bool:
        """Whether the run's own model may be asked, where somebody holds its client."""
        return self.model in (None, "own") and self.when != "never"


class Budgets(_Model):
    """What checking one answer may cost. What is left undone is reported as unchecked or skipped, never
    as passed; None sets no limit."""

    milliseconds: float | None = Field(default=None, gt=0)
    """For the whole of one check, its calls and the reading of its results included. Of a claim that the exact checks leave open when the time is up,
    the check has failed."""
    model_calls: int | None = Field(default=None, ge=0)
    """Calls for the probes of one run, all drafts of its answer together: samples, and the one that puts the question in
    other words (``probes.paraphrase``)."""


class Policy(_Model):
    """The choices of a deployment. All scores and thresholds are probabilities in [0, 1].

    Thresholds (the specification's defaults): at or above ``emit_threshold`` an answer goes out; a
    claim below ``revise_threshold`` is named as unsupported in the feedback; a critical claim below
    ``block_threshold`` stops the answer.
    """

    task_type: TaskType = "general"
    """``high_stakes``: tighter thresholds, probes required, fails closed; ``creative``: invention is free."""
    emit_threshold: float = Field(default=0.85, ge=0, le=1)
    """An answer with this overall score, or more, goes out."""
    revise_threshold: float = Field(default=0.6, ge=0, le=1)
    """A claim below it is named as unsupported when an answer is sent back."""
    block_threshold: float = Field(default=0.4, ge=0, le=1)
    """A critical claim below it stops the answer."""
    prior: float = Field(default=0.9875, gt=0, lt=1)
    """The share of claims that hold in the runs that this policy is for: scores are probabilities at this rate. It is the
    rate in answers of ten claims or more; in a shorter one each claim is likelier to be the false one, and counts for less
    by itself. Learn it from labelled runs of your own where there are any (``affidavit tune``)."""
    aggregation: Literal["minimum", "weighted_mean"] = "minimum"
    """How the scores of claims make that of the answer."""
    evidence_scope: Literal["run", "tool_results"] = "run"
    """``run``: tool results, the user and the system prompt; ``tool_results``: the strict reading."""
    groundedness: Literal["on", "off"] = "on"
    """``off`` leaves Stage 2 out: claims are not held against the evidence."""
    on_critical: Literal["block", "revise"] = "block"
    """``revise`` asks for a revision first where a critical claim would stop the answer at once."""
    uncovered: Literal["emit", "block"] = "emit"
    """What to do with an answer holding claims that no check covers (a language, an image)."""
    uncited: Literal["emit", "revise"] = "emit"
    """What to do with an answer that gives its sources for some of its facts and not for others; ``emit`` marks those."""
    cut_off: Literal["emit", "revise", "block"] = "revise"
    """What to do with an answer that broke off at the model's limit of tokens; ``emit`` marks it."""
    fail_mode: Literal["open", "closed", "critical"] = "critical"
    """A check that failed stops the answer never, always, or (default) for critical claims."""
    max_revisions: int = Field(default=2, ge=0)
    """How often an answer may be sent back before it is stopped."""
    max_call_retries: int = Field(default=3, ge=0)
    """How often a rejected call may be tried again."""
    cite: bool = False
    """Whether the agent's model is asked to put the call behind each statement that it writes, in a mark that the user
    does not see: what it points to comes first among the evidence for the statement."""
    probes: ProbePolicy = ProbePolicy()
    """Asking the model again about critical claims."""
    judge: JudgePolicy = JudgePolicy()
    """Asking a language model about the claims that are in doubt."""
    budgets: Budgets = Budgets()
    """What one check may cost."""
    allow: tuple[str, ...] = ()
    """Entities any tool may be called with: values, or patterns with ``*``."""
    tools: dict[str, ToolRule] = Field(default_factory=dict)
    """By name, or by a pattern with ``*``: a tool's own name comes first, then the longest pattern."""
    entailment: str = "embedded"
    """The entailment model: ``embedded``, ``cross-encoder:NAME_OR_PATH``, ``token-classifier:NAME_OR_PATH#LABEL``,
    ``remote:URL``, or ``judge:MODEL`` for a language model as judge, such as ``judge:anthropic:NAME`` or
    ``judge:openai:NAME@BASE_URL``; or a published checker: ``minicheck:VARIANT``, ``minicheck-7b:NAME@BASE_URL``, ``hhem``,
    ``lettucedetect``, ``true-t5``. A classifier without the three labels of entailment is told which of its labels says
    that the evidence bears a claim out: ``cross-encoder:NAME_OR_PATH#LABEL``, ``remote:URL#LABEL``."""
    checkers: tuple[str, ...] = ()
    """Further entailment models, named as ``entailment`` is, in the order in which they are asked: each about the claims
    that those before it leave in doubt (between ``judge.low`` and ``judge.high``). What the last one says of a claim
    takes the place of what the first one said."""
    encoder: str | None = None
    """The sentence encoder, ``embedded`` or ``sentence-transformers:NAME_OR_PATH``, by which evidence is
    searched for what says the same in other words; None, the default, searches by values, names and
    words alone.

    What answers say is nearly always found by its words; only what shares hardly any with its evidence
    gains, at some tenths of a second for each such claim."""

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_task_type(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        defaults = _TASK_DEFAULTS.get(str(data.get("task_type", "general")), {})
        merged = {**defaults, **data}
        for key, value in defaults.items():
            given = data.get(key)
            if isinstance(given, BaseModel):
                given = given.model_dump(exclude_unset=True)
            if isinstance(value, dict) and isinstance(given, dict):
                merged[key] = {**value, **given}
        return merged

    @model_validator(mode="after")
    def _thresholds_in_order(self) -> Self:
        if not self.block_threshold <= self.revise_threshold <= self.emit_threshold:
            raise ValueError(
                "thresholds must satisfy block_threshold <= revise_threshold <= emit_threshold, got "
                f"{self.block_threshold}, {self.revise_threshold}, {self.emit_threshold}"
            )
        return self

    def live(self) -> Policy:
        """The policy for answers that can still be put right: unless it says otherwise itself, a false
        critical claim is sent back for a revision first, where the specification blocks at once."""
        if "on_critical" in self.model_fields_set:
            return self
        return self.model_copy(update={"on_critical": "revise"})

    def with_judge(self, model: str) -> Policy:
        """The policy with another ``judge.model``."""
        judge = self.judge.model_copy(update={"model": model})
        return self.model_copy(update={"judge": judge})

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy from a JSON, TOML or YAML file; raises :class:`PolicyError`, which names the
        line and the field."""
        from affidavit._policy_file import parse, read_text, told_all

        file = Path(path)
        text = read_text(file)
        data = parse(file, text)
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            schema = cls.model_json_schema()
            raise PolicyError(told_all(error.errors(), file, text, schema)) from error


def emit_threshold_of(told: Mapping[str, Any]) -> float:
    """The score from which on an answer goes out, of the policy that a report tells: the default where it tells none."""
    return float(told.get("emit_threshold", Policy.model_fields["emit_threshold"].default))
