"""Passages that say the same in other words: by the likeness of sentence vectors.

Likeness only adds to what the entailment model reads; it proves and denies nothing, since "not
refundable" and "refundable" are very much alike.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from affidavit.errors import EncoderError
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems
from affidavit.models.embedding.protocol import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affidavit.ledger.ledger import Passage

    Vector = NDArray[np.float32]

_log = logging.getLogger(__name__)

CANDIDATES = 64
"""Most passages of which vectors are computed for one claim: evidence of more is narrowed to those that
share most words with it."""
_ENOUGH = 0.9
"""Share of a text's words that one passage must say for it to be taken as found by its words."""
_REMEMBERED = 8192
"""Vectors kept, by text: 12 MB of those that the embedded encoder gives."""


class Meaning:
    """Search by meaning. One for all runs; vectors are kept by text, so that a passage is encoded once,
    however many claims and drafts ask for it. Safe to share by threads."""

    def __init__(self, encoder: Encoder, *, candidates: int = CANDIDATES) -> None:
        self.encoder = encoder
        self._candidates = candidates
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Vector] = OrderedDict()

    def besides(
        self, chosen: Sequence[Passage], text: str, search: Search, limit: int
    ) -> list[Passage]:
        """Passages that are most like a text, besides those already chosen by its words; none where one
        of these says most of its words, so that encoding others would be wasted."""
        said = content_stems(text)
        spoken = max((len(said & p.stems) for p in chosen), default=0)
        if spoken >= _ENOUGH * len(said):
            return []
        nearest = self.nearest(text, search, limit + len(chosen))
        return [p for p in nearest if p not in chosen][:limit]

    def nearest(self, text: str, search: Search, limit: int) -> list[Passage]:
        """The passages that are most like a text, best first; none where the encoder cannot answer,
        since what is found by words stands without it."""
        passages: Sequence[Passage] = search.passages
        if len(passages) > self._candidates:
            passages = [p for p, _ in search.by_words(text, self._candidates)]
        if not passages:
            return []
        import numpy as np

        try:
            likeness = (
                self._vectors([p.text for p in passages]) @ self.encoder.encode_queries([text])[0]
            )
        except EncoderError as error:
            _log.warning("evidence is searched by words alone: %s", error)
            return []
        order = np.argsort(-likeness, kind="stable")[:limit]
        return [passages[at] for at in order.tolist()]

    def _vectors(self, texts: Sequence[str]) -> Vector:
        import numpy as np

        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found.update(zip(new, self.encoder.encode_documents(new), strict=True))
        with self._lock:
            for text in texts:
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return np.stack([found[text] for text in texts])
