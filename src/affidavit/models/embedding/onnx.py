"""The encoder that ships with the package: all-MiniLM-L6-v2 in 4 bits, run by ONNX Runtime."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affidavit.errors import EncoderError
from affidavit.models.onnx_runtime import WordPieces, batches, open_session

if TYPE_CHECKING:
    from affidavit.models.embedding.protocol import Vectors

EMBEDDED = Path(__file__).parent / "embedded"

BATCH_TOKENS = 4096
"""Most word pieces in one batch, padding included."""


@dataclass(frozen=True, slots=True)
class Config:
    """What ``config.json`` beside the weights says of them."""

    name: str
    version: str
    sha256: str
    dimensions: int
    window: int

    @staticmethod
    def read(folder: Path) -> Config:
        try:
            raw = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            return Config(
                str(raw["name"]),
                str(raw["version"]),
                str(raw["sha256"]),
                int(raw["dimensions"]),
                int(raw["window"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EncoderError(f"no readable encoder in {folder}: {error}") from error


class EmbeddedEncoder:
    """Sentence vectors of 384 numbers from a 13 MB model on a few CPU threads; English.

    A text longer than the model's window (256 word pieces) is read in consecutive windows, and its
    vector is their mean, weighted by length: nothing is cut off unseen. Queries and documents are
    encoded alike. Weights load at the first call; instances are thread-safe.
    """

    def __init__(self, folder: Path | str = EMBEDDED, *, threads: int | None = None) -> None:
        self._folder = Path(folder)
        self._threads = threads or min(4, os.cpu_count() or 1)
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None
        self._config: Config | None = None

    @property
    def name(self) -> str:
        """Name, version and digest of the weights."""
        config = self._read_config()
        return f"{config.name}/{config.version}@{config.sha256[:12]}"

    @property
    def dimensions(self) -> int:
        return self._read_config().dimensions

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        loaded = self._load()
        try:
            return loaded.encode(texts)
        except EncoderError:
            raise
        except Exception as error:  # whatever the runtime raises, callers catch one thing
            raise EncoderError(f"the encoder could not answer: {error}") from error

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self.encode_documents(texts)

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
            self._session = open_session(folder / "model.onnx", threads)
            self._pieces = WordPieces(folder / "tokenizer.json")
        except Exception as error:
            raise EncoderError(f"the encoder in {folder} did not load: {error}") from error
        self._config = config

    def encode(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        windows: list[list[int]] = []
        owners: list[int] = []
        for owner, text in enumerate(texts):
            own = self._windows(text)
            windows += own
            owners += [owner] * len(own)
        totals = np.zeros((len(texts), self._config.dimensions), np.float32)
        rows = self._forward(windows)
        for owner, window, row in zip(owners, windows, rows, strict=True):
            totals[owner] += row * np.float32(len(window))
        lengths = np.linalg.norm(totals, axis=1, keepdims=True)
        if not (lengths > 0).all():  # also catches what is not a number
            raise EncoderError("the encoder returned a vector that has no direction")
        vectors: Vectors = totals / lengths
        return vectors

    def _windows(self, text: str) -> list[list[int]]:
        ids = self._pieces.ids(text)
        size = self._config.window - 2
        parts = [ids[at : at + size] for at in range(0, len(ids), size)] or [[]]
        return [[self._pieces.first, *part, self._pieces.end] for part in parts]

    def _forward(self, windows: Sequence[Sequence[int]]) -> Vectors:
        import numpy as np

        out = np.zeros((len(windows), self._config.dimensions), np.float32)
        for batch in batches([len(window) for window in windows], BATCH_TOKENS):
            out[batch] = self._run([windows[at] for at in batch])
        return out

    def _run(self, windows: Sequence[Sequence[int]]) -> Vectors:
        import numpy as np

        ids, mask = (np.zeros((len(windows), len(windows[-1])), np.int64) for _ in range(2))
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        feed = {"input_ids": ids, "token_type_ids": np.zeros_like(ids), "attention_mask": mask}
        vectors: Vectors = self._session.run(["embedding"], feed)[0]
        return vectors
