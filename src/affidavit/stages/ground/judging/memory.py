"""What a judge has said of a claim over the same records, so that it is not asked again."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from affidavit.stages.ground.judging.word import Word

SIZE = 4096
"""Words that are remembered; the oldest are forgotten first."""


class Memory:
    """Words by the content of what was asked. Safe to share by threads."""

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._words: OrderedDict[bytes, Word] = OrderedDict()

    def get(self, key: bytes) -> Word | None:
        with self._lock:
            word = self._words.get(key)
            if word is not None:
                self._words.move_to_end(key)
            return word

    def put(self, key: bytes, word: Word) -> None:
        with self._lock:
            self._words[key] = word
            self._words.move_to_end(key)
            if len(self._words) > self._size:
                self._words.popitem(last=False)


def key_of(*parts: str) -> bytes:
    """A digest of texts in order: equal only where each of them is."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.digest()
