"""MiniCheck (Tang, Laban and Durrett, 2024), as its authors' package asks it.

Evidence and claim are one text with the end-of-text token between them. Long evidence is read in chunks, of which the
best counts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Literal

from affidavit.errors import MissingExtra, ScorerError
from affidavit.models.entailment.checkers.chunks import chunks
from affidavit.models.entailment.checkers.seq2seq import says_one
from affidavit.models.entailment.local import Asked, LocalModel
from affidavit.models.entailment.protocol import Entailment


@dataclass(frozen=True, slots=True)
class _Variant:
    weights: str
    kind: Literal["classifier", "seq2seq"]
    window: int
    """Tokens that it reads at once."""
    chunk: int
    """How much of the evidence is read at once: tokens, of a ``seq2seq`` model words."""


VARIANTS = {
    "roberta-large": _Variant("lytang/MiniCheck-RoBERTa-Large", "classifier", 512, 400),
    "deberta-v3-large": _Variant("lytang/MiniCheck-DeBERTa-v3-Large", "classifier", 2048, 400),
    "flan-t5-large": _Variant("lytang/MiniCheck-Flan-T5-Large", "seq2seq", 2048, 500),
}
_SPECIALS = 8
"""Tokens that the form itself takes, at most."""

ASKED = (
    "Determine whether the provided claim is consistent with the corresponding document. Consistency in this context "
    "implies that all information presented in the claim is substantiated by the document. If not, it should be considered "
    'inconsistent. Please assess the claim\'s consistency with the document by responding with either "Yes" or "No".'
)
"""The system prompt that Bespoke-MiniCheck-7B was trained with."""
_LARGEST = 16_000
"""Words of evidence in one request: its window of 32,768 tokens less 300 for the claim, at two tokens a word."""


class MiniCheckModel(LocalModel):
    """One of the smaller MiniCheck models: ``roberta-large``, ``deberta-v3-large`` or ``flan-t5-large``, by the authors' name
    for its weights or from a folder: ``VARIANT@PATH``. The second label says borne out."""

    def __init__(self, name: str, *, device: str | None = None) -> None:
        variant, _, path = name.partition("@")
        if variant not in VARIANTS:
            raise ScorerError(
                f"minicheck:{name}: expected one of {', '.join(VARIANTS)}, with @PATH for weights in a folder; the one "
                "of 7B is minicheck-7b:NAME@BASE_URL"
            )
        super().__init__(f"minicheck:{name}", device=device)
        self._variant = VARIANTS[variant]
        self._weights = path or self._variant.weights

    def _load(self) -> Any:
        import transformers

        tokenizer = transformers.AutoTokenizer.from_pretrained(self._weights)
        if self._variant.kind == "seq2seq":
            model = transformers.AutoModelForSeq2SeqLM.from_pretrained(self._weights)
        else:
            model = transformers.AutoModelForSequenceClassification.from_pretrained(self._weights)
            if model.config.num_labels != 2:
                raise ScorerError(
                    f"{self.name}: expected two labels, not {model.config.num_labels}"
                )
        return tokenizer, self._placed(model)

    def _chance(self, loaded: Any, asked: Asked) -> float:
        tokenizer, model = loaded

        def tokens(text: str) -> int:
            return len(tokenizer(text, add_special_tokens=False).input_ids)

        def words(text: str) -> int:
            return len(text.split())

        room = max(
            self._variant.window - tokens(asked.claim) - _SPECIALS, self._variant.window // 4
        )
        seq2seq = self._variant.kind == "seq2seq"
        parts = chunks(asked.evidence, self._variant.chunk, words if seq2seq else tokens)
        # A word may be many tokens: nothing of the evidence is to be cut away.
        parts = [part for whole in parts for part in chunks(whole, room, tokens)]
        return max(self._of(tokenizer, model, part, asked.claim) for part in parts)

    def _of(self, tokenizer: Any, model: Any, evidence: str, claim: str) -> float:
        import torch

        text = f"{evidence}{tokenizer.eos_token}{claim}"
        if self._variant.kind == "seq2seq":
            return says_one(tokenizer, model, f"predict: {text}", self._variant.window)
        read = tokenizer(
            text, truncation=True, max_length=self._variant.window, return_tensors="pt"
        )
        with torch.inference_mode():
            logits = model(**read.to(model.device)).logits[0]
        return float(logits.softmax(dim=-1)[1])


class ServedMiniCheck:
    """Bespoke-MiniCheck-7B behind an OpenAI-compatible server that tells the probabilities of tokens: how probable "Yes" is as the
    first token of its answer. ``name`` is what the server calls it. The key comes from the environment
    (``OPENAI_API_KEY``); needs ``pip install 'affidavit[openai]'``.
    """

    def __init__(self, name: str, *, timeout: float = 30.0, retries: int = 2) -> None:
        model, _, url = name.partition("@")
        if not model or not url:
            raise ScorerError(f"minicheck-7b:{name}: expected minicheck-7b:NAME@BASE_URL")
        self._model, self._url = model, url
        self._timeout, self._retries = timeout, retries
        self._client: Any = None

    @property
    def name(self) -> str:
        return f"minicheck-7b:{self._model}@{self._url}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order: one request each."""
        return [self._score(*pair) for pair in pairs]

    def _score(self, premise: str, hypothesis: str) -> Entailment:
        parts = chunks(premise, _LARGEST, lambda text: len(text.split()))
        chance = max(self._ask(part, hypothesis) for part in parts)
        return Entailment(chance, 1 - chance, 0.0)

    def _ask(self, document: str, claim: str) -> float:
        client, failures = self._connected()
        try:
            answer = client.chat.completions.create(
                model=self._model,
                messages=[
                    {"role": "system", "content": ASKED},
                    {"role": "user", "content": f"Document: {document}\nClaim: {claim}"},
                ],
                max_tokens=1, temperature=0, logprobs=True, top_logprobs=5,
            )  # fmt: skip
        except failures as error:
            raise ScorerError(f"{self.name}: {error}") from error
        told = answer.choices[0].logprobs if answer.choices else None
        if told is None or not told.content:
            raise ScorerError(f"{self.name}: the server does not tell the probabilities of tokens")
        likely = told.content[0].top_logprobs
        return min(1.0, sum(exp(t.logprob) for t in likely if t.token.strip().lower() == "yes"))

    def _connected(self) -> tuple[Any, Any]:
        try:
            import openai
        except ImportError as error:
            raise MissingExtra("openai", "openai") from error
        if self._client is None:
            self._client = openai.OpenAI(
                base_url=self._url, api_key=os.environ.get("OPENAI_API_KEY") or "none",
                timeout=self._timeout, max_retries=self._retries,
            )  # fmt: skip
        return self._client, openai.OpenAIError
