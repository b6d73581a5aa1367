"""What the embedded models share: a session, its tokenizer, and texts of like length together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

OVERFLOW = Path(__file__).parent / "overflow.onnx"
"""A product of 8 bits, see :mod:`affidavit.training.overflow`."""
WIDTH = 64
"""Numbers that it adds up."""
_EXACT = "session.x64quantprecision"
"""The runtime's option to add products of 8 bits without overflow where the processor would."""


def open_session(model: Path, threads: int) -> InferenceSession:
    """The weights on the CPU; raises what ONNX Runtime raises."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Idle threads would otherwise spin on the host's cores between two answers.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if _overflows():
        options.add_session_config_entry(_EXACT, "1")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


@lru_cache(maxsize=1)
def _overflows() -> bool:
    """Whether this processor adds products of 8 bits in 16: one with AVX2 and no VNNI does, so that scores are others there,
    unless the runtime is told to take its time. Told on any other, it takes twice as long for nothing."""
    import numpy as np
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(OVERFLOW), options, ["CPUExecutionProvider"])
    (found,) = session.run(None, {"x": np.ones((1, WIDTH), np.float32)})
    return bool(abs(found[0, 0] - WIDTH) > 1)


class WordPieces:
    """The tokenizer beside the weights, which neither cuts nor pads."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.first = self._special("<s>", "[CLS]")
        self.end = self._special("</s>", "[SEP]")
        marks = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        self.between = [self.end] * max(1, marks - 2)
        """What stands between two texts: one mark with BERT, two with MPNet."""

    def ids(self, text: str) -> list[int]:
        # A lone surrogate is no character and would not pass the tokenizer.
        clean = text.encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(clean, add_special_tokens=False).ids
        return ids

    def _special(self, *tokens: str) -> int:
        """The id of the first of these that the tokenizer knows: MPNet's has BERT's marks among its words as well."""
        for token in tokens:
            found = self._tokenizer.token_to_id(token)
            if found is not None:
                return int(found)
        raise ValueError(f"the tokenizer has none of {', '.join(tokens)}")


def batches(lengths: Sequence[int], most: int) -> list[list[int]]:
    """Positions of inputs, neighbours in length together, each batch at most ``most`` word pieces with
    its padding: it bounds the memory that one run takes."""
    made: list[list[int]] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        # Lengths rise along the order, so the newcomer is the longest of its batch.
        if made and (len(made[-1]) + 1) * lengths[at] <= most:
            made[-1].append(at)
        else:
            made.append([at])
    return made
