"""The model that ships with the package: a small cross-encoder, run by ONNX Runtime on the CPU."""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import Entailment
from affidavit.models.entailment.windows import (
    Ids,
    over_hypotheses,
    over_premises,
    windowed,
)
from affidavit.models.onnx_runtime import WordPieces, open_session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMBEDDED = Path(__file__).parent / "embedded"


@dataclass(frozen=True, slots=True)
class Config:
    """What ``config.json`` beside the weights says of them."""

    name: str
    version: str
    sha256: str
    labels: tuple[str, ...]
    temperature: float
    window: int

    @staticmethod
    def read(folder: Path) -> Config:
        try:
            raw = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            return Config(
                str(raw["name"]),
                str(raw["version"]),
                str(raw["sha256"]),
                tuple(raw["labels"]),
                float(raw["temperature"]),
                int(raw["window"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ScorerError(f"no readable entailment model in {folder}: {error}") from error


class EmbeddedModel:
    """Three calibrated probabilities a pair, from a 34 MB model on a few CPU threads.

    A pair longer than ``window`` word pieces is read in overlapping windows: over the premise's
    windows the highest entailment counts (and the highest contradiction, within what entailment
    leaves); a hypothesis longer than half a window is read in parts, and the least entailed counts.

    Each pair is scored by itself, so a score does not depend on its batch mates. Results are kept by content
    for the last ``cache`` pairs. Weights load at the first score; instances are thread-safe.
    """

    def __init__(
        self, folder: Path | str = EMBEDDED, *, threads: int | None = None, cache: int = 8192
    ) -> None:
        self._folder = Path(folder)
        self._threads = threads or min(4, os.cpu_count() or 1)
        self._cache = _Cache(cache)
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None
        self._config: Config | None = None

    @property
    def name(self) -> str:
        """Name, version and digest of the weights."""
        config = self._read_config()
        return f"{config.name}/{config.version}@{config.sha256[:12]}"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order."""
        keys = [_digest(premise, hypothesis) for premise, hypothesis in pairs]
        known = {key: found for key in keys if (found := self._cache.get(key)) is not None}
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if new:
            for key, score in zip(new, self._score_new(list(new.values())), strict=True):
                self._cache.put(key, score)
                known[key] = score
        return [known[key] for key in keys]

    def _score_new(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        loaded = self._load()
        try:
            return loaded.score(pairs)
        except ScorerError:
            raise
        except Exception as error:  # whatever the runtime raises, callers catch one thing
            raise ScorerError(f"the entailment model could not answer: {error}") from error

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(self._folder, self._read_config(), self._threads)
            return self._loaded

    def _read_config(self) -> Config:
        if self._config is None:
            self._config = Config.read(self._folder)
        return self._config


class _Loaded:
    """The weights and the tokenizer, in memory."""

    def __init__(self, folder: Path, config: Config, threads: int) -> None:
        try:
            # A thread a pair: threads inside an operation wait for one another at each of hundreds of operations.
            self._session = open_session(folder / "model.onnx", 1)
            self._workers = ThreadPoolExecutor(threads, thread_name_prefix="entailment")
            self._pieces = WordPieces(folder / "tokenizer.json")
        except Exception as error:
            raise ScorerError(f"the entailment model in {folder} did not load: {error}") from error
        self._config = config
        self._columns = [
            config.labels.index(label) for label in ("entailment", "neutral", "contradiction")
        ]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        texts = {text: self._pieces.ids(text) for pair in pairs for text in pair}
        room = self._config.window + 1 - len(self._pieces.between)  # windows count one mark between
        plans = [windowed(texts[p], texts[h], room) for p, h in pairs]
        inputs = [pair for plan in plans for part in plan for pair in part]
        scores = iter(self._forward(inputs))
        return [
            over_hypotheses([over_premises([next(scores) for _ in part]) for part in plan])
            if len(plan) > 1 or len(plan[0]) > 1
            else next(scores)
            for plan in plans
        ]

    def _forward(self, pairs: Sequence[tuple[Ids, Ids]]) -> list[Entailment]:
        """Each pair by itself, as many at once as there are threads: activations are quantised by the scale of
        the whole input, and what is run alone owes nothing to others. The longest go first, so that no thread
        is left with one when the others are done."""
        order = sorted(range(len(pairs)), key=lambda n: -sum(map(len, pairs[n])))
        scores = self._workers.map(self._run, [pairs[n] for n in order])
        found = dict(zip(order, scores, strict=True))
        return [found[n] for n in range(len(pairs))]

    def _run(self, pair: tuple[Ids, Ids]) -> Entailment:
        import numpy as np

        premise, hypothesis = pair
        pieces = self._pieces
        before = [pieces.first, *premise, *pieces.between]
        ids = np.array([[*before, *hypothesis, pieces.end]], np.int64)
        types = np.zeros_like(ids)
        types[:, len(before) :] = 1
        feed: dict[str, Any] = {"input_ids": ids, "token_type_ids": types}
        logits: NDArray[np.float32] = self._session.run(["logits"], feed)[0]
        return self._probabilities(logits.astype(np.float64))

    def _probabilities(self, logits: NDArray[np.float64]) -> Entailment:
        import numpy as np

        if not np.isfinite(logits).all():
            raise ScorerError("the entailment model returned numbers that are not finite")
        scaled = logits[0, self._columns] / self._config.temperature
        odds = np.exp(scaled - scaled.max())
        return Entailment(*(odds / odds.sum()).tolist())


def _digest(premise: str, hypothesis: str) -> bytes:
    digest = blake2b(digest_size=16)
    for text in (premise, hypothesis):
        try:
            encoded = text.encode("utf-8", "surrogatepass")
        except AttributeError as error:
            raise ScorerError(f"only text can be scored, not {type(text).__name__}") from error
        # The length first, so that ("ab", "c") and ("a", "bc") differ.
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.digest()


class _Cache:
    """The last scores, by content; the least lately used goes first."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[bytes, Entailment] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: bytes) -> Entailment | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: bytes, score: Entailment) -> None:
        with self._lock:
            self._kept[key] = score
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
