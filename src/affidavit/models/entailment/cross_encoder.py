"""Any sentence-transformers CrossEncoder with three-way outputs, by name or path."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from affidavit.errors import MissingExtra, ScorerError
from affidavit.models.entailment.labels import label_columns
from affidavit.models.entailment.protocol import Entailment


class CrossEncoderModel:
    """A CrossEncoder as an entailment model. Its own labels say which output is which.

    Needs ``pip install 'affidavit[torch]'``. Batches are padded and masked in fp32, so scores do not
    depend on batch mates; the model's own tokenizer cuts what is longer than it reads, so give it
    passages rather than documents.
    """

    def __init__(
        self,
        name_or_path: str,
        *,
        device: str | None = None,
        batch: int = 32,
        temperature: float = 1,
    ) -> None:
        self._spec = name_or_path
        self._device = device
        self._batch = batch
        self._temperature = temperature
        self._lock = threading.Lock()
        self._loaded: tuple[Any, list[int]] | None = None

    @property
    def name(self) -> str:
        return f"cross-encoder:{self._spec}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order."""
        if not pairs:
            return []
        # One forward pass at a time: torch modules make no promise about threads.
        with self._lock:
            encoder, columns = self._load()
            try:
                logits = encoder.predict(
                    [tuple(pair) for pair in pairs],
                    batch_size=self._batch,
                    activation_fn=_identity,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
            except Exception as error:
                raise ScorerError(f"{self.name} could not answer: {error}") from error
        return [_softmax([float(row[c]) / self._temperature for c in columns]) for row in logits]

    def _load(self) -> tuple[Any, list[int]]:
        if self._loaded is None:
            try:
                from sentence_transformers import CrossEncoder
            except ImportError as error:
                raise MissingExtra("sentence-transformers", "torch") from error
            try:
                encoder = CrossEncoder(self._spec, device=self._device)
            except Exception as error:
                raise ScorerError(f"{self.name} did not load: {error}") from error
            self._loaded = encoder, label_columns(encoder.config.id2label)
        return self._loaded


def _identity(logits: Any) -> Any:
    return logits


def _softmax(logits: Sequence[float]) -> Entailment:
    import math

    if not all(math.isfinite(x) for x in logits):
        raise ScorerError("the cross-encoder returned numbers that are not finite")
    odds = [math.exp(x - max(logits)) for x in logits]
    return Entailment(*(x / sum(odds) for x in odds))
