"""A network of transformers on this machine that says of a claim how probable it is that its evidence bears it out."""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from affidavit.errors import MissingExtra, ScorerError
from affidavit.models.entailment.protocol import Entailment


@dataclass(frozen=True, slots=True)
class Asked:
    """What a network is asked: whether the passages bear the claim out. ``question`` is the user's, where it is known."""

    passages: Sequence[str]
    claim: str
    question: str = ""

    @property
    def evidence(self) -> str:
        """The passages as one text."""
        return "\n".join(self.passages)


class LocalModel(ABC):
    """An entailment model that never says that the evidence contradicts a claim. Its weights load when it first scores.

    Needs ``pip install 'affidavit[torch]'``.
    """

    def __init__(self, spec: str, *, device: str | None = None) -> None:
        self._spec, self._device = spec, device
        self._lock = threading.Lock()
        self._loaded: Any = None

    @property
    def name(self) -> str:
        return self._spec

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order."""
        return self._answers([Asked((premise,), hypothesis) for premise, hypothesis in pairs])

    def _answers(self, asked: Sequence[Asked]) -> list[Entailment]:
        """One by one, so that a score does not depend on batch mates."""
        if not asked:
            return []
        # One forward pass at a time: torch modules make no promise about threads.
        with self._lock:
            loaded = self._network()
            try:
                chances = [self._chance(loaded, one) for one in asked]
            except ScorerError:
                raise
            except Exception as error:
                raise ScorerError(f"{self.name} could not answer: {error}") from error
        if not all(math.isfinite(p) for p in chances):
            raise ScorerError(f"{self.name} returned numbers that are not finite")
        return [Entailment(p, 1 - p, 0.0) for p in chances]

    def _network(self) -> Any:
        if self._loaded is None:
            try:
                import torch  # noqa: F401
                import transformers  # noqa: F401
            except ImportError as error:
                raise MissingExtra("transformers", "torch") from error
            try:
                self._loaded = self._load()
            except ScorerError:
                raise
            except Exception as error:
                raise ScorerError(f"{self.name} did not load: {error}") from error
        return self._loaded

    def _placed(self, model: Any) -> Any:
        """A network in its place, ready to be asked."""
        return model.eval() if self._device is None else model.eval().to(self._device)

    @abstractmethod
    def _load(self) -> Any:
        """What :meth:`_chance` is given."""

    @abstractmethod
    def _chance(self, loaded: Any, asked: Asked) -> float:
        """How probable it is that the passages bear the claim out."""
