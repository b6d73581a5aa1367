"""Any token classifier of transformers that marks the words of an answer which its evidence does not bear out."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any

from affidavit.errors import MissingExtra, ScorerError
from affidavit.models.entailment.labels import column_of, split_label
from affidavit.models.entailment.protocol import Entailment


class TokenClassifierModel:
    """A token classifier as an entailment model: a claim is borne out as far as its least borne out word is.

    ``NAME#LABEL`` names the label, or its number, of words that nothing bears out. Needs ``pip install
    'affidavit[torch]'``. Of a pair that is longer than the model reads the evidence is cut, so give it passages rather
    than documents. It never says that the evidence contradicts a claim.
    """

    def __init__(self, name_or_path: str, *, device: str | None = None) -> None:
        self._spec = name_or_path
        self._weights, label = split_label(name_or_path)
        if label is None:
            raise ScorerError(
                f"token-classifier:{name_or_path}: name the label of words that nothing bears out, as in "
                f"token-classifier:{name_or_path}#1"
            )
        self._label = label
        self._device = device
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any, int] | None = None

    @property
    def name(self) -> str:
        return f"token-classifier:{self._spec}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order."""
        if not pairs:
            return []
        # One forward pass at a time: torch modules make no promise about threads.
        with self._lock:
            tokenizer, model, column = self._load()
            try:
                # One by one: without padding a score does not depend on batch mates.
                chances = [_unsupported(tokenizer, model, column, *pair) for pair in pairs]
            except Exception as error:
                raise ScorerError(f"{self.name} could not answer: {error}") from error
        if not all(math.isfinite(p) for p in chances):
            raise ScorerError(f"{self.name} returned numbers that are not finite")
        return [Entailment(1 - p, p, 0.0) for p in chances]

    def _load(self) -> tuple[Any, Any, int]:
        if self._loaded is None:
            try:
                from transformers import AutoModelForTokenClassification, AutoTokenizer
            except ImportError as error:
                raise MissingExtra("transformers", "torch") from error
            try:
                tokenizer = AutoTokenizer.from_pretrained(self._weights)
                model = AutoModelForTokenClassification.from_pretrained(self._weights).eval()
                if self._device is not None:
                    model = model.to(self._device)
            except Exception as error:
                raise ScorerError(f"{self.name} did not load: {error}") from error
            self._loaded = tokenizer, model, column_of(self._label, model.config.id2label)
        return self._loaded


def _unsupported(tokenizer: Any, model: Any, column: int, premise: str, hypothesis: str) -> float:
    """The highest chance of a word of the hypothesis that nothing bears it out; 0 where it has no words."""
    import torch

    read = tokenizer(premise, hypothesis, truncation="only_first", return_tensors="pt")
    said = [n for n, part in enumerate(read.sequence_ids(0)) if part == 1]
    with torch.inference_mode():
        logits = model(**read.to(model.device)).logits[0]
    chances = logits.softmax(dim=-1)[:, column].tolist()
    return max((chances[n] for n in said), default=0.0)
