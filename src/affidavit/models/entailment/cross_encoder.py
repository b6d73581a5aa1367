"""Any sentence-transformers CrossEncoder, by name or path."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from affidavit.errors import MissingExtra, ScorerError
from affidavit.models.entailment.labels import Reading, split_label
from affidavit.models.entailment.protocol import Entailment


class CrossEncoderModel:
    """A CrossEncoder as an entailment model. Its own labels say which output is which; of one without the three labels
    of entailment ``NAME#LABEL`` says which label, by its name or number, means that the evidence bears a claim out.

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
        self._weights, self._label = split_label(name_or_path)
        self._device = device
        self._batch = batch
        self._temperature = temperature
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Reading] | None = None

    @property
    def name(self) -> str:
        return f"cross-encoder:{self._spec}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order."""
        if not pairs:
            return []
        # One forward pass at a time: torch modules make no promise about threads.
        with self._lock:
            encoder, reading = self._load()
            # Neighbours in length are padded least; each score goes back to where its pair stood.
            order = sorted(range(len(pairs)), key=lambda at: sum(map(len, pairs[at])))
            try:
                logits = encoder.predict(
                    [tuple(pairs[at]) for at in order],
                    batch_size=self._batch,
                    activation_fn=_identity,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
            except Exception as error:
                raise ScorerError(f"{self.name} could not answer: {error}") from error
        rows = logits.reshape(len(pairs), -1).tolist()  # a single output comes without a dimension
        scores = [reading.of_logits(row, self._temperature) for row in rows]
        back = sorted(range(len(pairs)), key=order.__getitem__)
        return [scores[at] for at in back]

    def _load(self) -> tuple[Any, Reading]:
        if self._loaded is None:
            try:
                from sentence_transformers import CrossEncoder
            except ImportError as error:
                raise MissingExtra("sentence-transformers", "torch") from error
            try:
                encoder = CrossEncoder(self._weights, device=self._device)
            except Exception as error:
                raise ScorerError(f"{self.name} did not load: {error}") from error
            self._loaded = encoder, Reading(encoder.config.id2label, self._label)
        return self._loaded


def _identity(logits: Any) -> Any:
    return logits
