"""Any sentence-transformers model as an encoder, by name or path."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from affidavit.errors import EncoderError, MissingExtra

if TYPE_CHECKING:
    from affidavit.models.embedding.protocol import Vectors


class SentenceTransformerEncoder:
    """A SentenceTransformer, with the prompts that its authors gave it for queries and documents.

    Needs ``pip install 'affidavit[torch]'``. The model's own tokenizer cuts what is longer than it
    reads; chunks of the default size fit most of them.
    """

    def __init__(self, name_or_path: str, *, device: str | None = None, batch: int = 32) -> None:
        self._spec = name_or_path
        self._device = device
        self._batch = batch
        self._lock = threading.Lock()
        self._loaded: Any = None

    @property
    def name(self) -> str:
        return f"sentence-transformers:{self._spec}"

    @property
    def dimensions(self) -> int:
        with self._lock:
            return _dimensions(self._load())

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_document", texts)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_query", texts)

    def _encode(self, how: str, texts: Sequence[str]) -> Vectors:
        import numpy as np

        # One forward pass at a time: torch modules make no promise about threads.
        with self._lock:
            model = self._load()
            if not texts:
                return np.zeros((0, _dimensions(model)), np.float32)
            try:
                rows = getattr(model, how)(
                    list(texts),
                    batch_size=self._batch,
                    normalize_embeddings=True,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
            except Exception as error:
                raise EncoderError(f"{self.name} could not answer: {error}") from error
        return np.asarray(rows, np.float32)

    def _load(self) -> Any:
        if self._loaded is None:
            try:
                from sentence_transformers import SentenceTransformer
            except ImportError as error:
                raise MissingExtra("sentence-transformers", "torch") from error
            try:
                self._loaded = SentenceTransformer(self._spec, device=self._device)
            except Exception as error:
                raise EncoderError(f"{self.name} did not load: {error}") from error
        return self._loaded


def _dimensions(model: Any) -> int:
    # Version 6 of the library renamed the method.
    renamed = getattr(model, "get_embedding_dimension", None)
    return int((renamed or model.get_sentence_embedding_dimension)())
