"""What a sentence encoder is: texts in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""One vector a row."""


@runtime_checkable
class Encoder(Protocol):
    """Texts as vectors whose dot product says how alike they are in meaning.

    ``name`` identifies the weights (name and version or digest): vectors of different names are never
    compared. Both methods give float32 rows ``[texts, dimensions]`` of length 1, in order; a row does
    not depend on what else is in the call. They are safe to call from several threads, and raise
    :class:`~affidavit.errors.EncoderError` when they cannot answer.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to be found."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to find them: some models treat the two differently."""
        ...
