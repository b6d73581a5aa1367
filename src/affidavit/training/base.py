"""Published encoders to train on from, under the names that transformers gives the parameters of a BERT."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

Array: TypeAlias = NDArray[np.float32]

RELATIVE = "bert.encoder.relative.weight"
"""What each head adds to attention by how near two word pieces are, [kinds of nearness, heads]; only MPNet has it."""
_FAR = 128
"""Word pieces from which on all are equally far (T5, Raffel et al. 2020, section 2.1; MPNet, Song et al. 2020, takes it over)."""
_MPNET = (
    (r"attention\.attn\.q\b", "attention.self.query"),
    (r"attention\.attn\.k\b", "attention.self.key"),
    (r"attention\.attn\.v\b", "attention.self.value"),
    (r"attention\.attn\.o\b", "attention.output.dense"),
    (r"attention\.LayerNorm", "attention.output.LayerNorm"),
    (r"relative_attention_bias", "relative"),
)
_MPNET_FIRST = 2
"""The row of MPNet's position embeddings that the first word piece has; those before it are for padding."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of an encoder, as its ``config.json`` tells it."""

    vocab_size: int
    max_position_embeddings: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    layer_norm_eps: float = 1e-12
    relative_attention_num_buckets: int = 0
    """How many kinds of nearness two word pieces may have; 0: attention does not ask how near they are."""

    @staticmethod
    def read(folder: Path) -> Shape:
        said = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return Shape(**{name: said[name] for name in Shape.__slots__ if name in said})


def base_state(folder: Path) -> dict[str, Array]:
    """The weights of a published BERT or MPNet. An MPNet knows no token types: they begin at zero."""
    state = {
        name if name.startswith("bert.") else f"bert.{name}": np.asarray(value, np.float32)
        for name, value in load_file(folder / "model.safetensors").items()
        if value.dtype.kind == "f"
    }
    return _from_mpnet(state) if "bert.encoder.relative_attention_bias.weight" in state else state


def _from_mpnet(state: Mapping[str, Array]) -> dict[str, Array]:
    renamed: dict[str, Array] = {}
    for name, value in state.items():
        for theirs, ours in _MPNET:
            name = re.sub(theirs, ours, name)
        renamed[name] = value
    places = "bert.embeddings.position_embeddings.weight"
    own = np.zeros_like(renamed[places])  # as many as config.json says
    own[:-_MPNET_FIRST] = renamed[places][_MPNET_FIRST:]
    width = own.shape[1]
    types = np.zeros((2, width), np.float32)
    return {**renamed, places: own, "bert.embeddings.token_type_embeddings.weight": types}


def relative_buckets(length: int, buckets: int) -> NDArray[np.int64]:
    """The kind of nearness of each word piece to each other, [length, length]: before or after, exact when near and by the
    logarithm of the distance when far (T5, Raffel et al. 2020, section 2.1)."""
    half, exact = buckets // 2, buckets // 4
    at = np.arange(length)
    ahead = at[None, :] - at[:, None]
    apart = np.abs(ahead)
    share = np.log(np.maximum(apart, 1) / exact) / np.log(_FAR / exact)
    far = np.minimum(exact + (share * (half - exact)).astype(np.int64), half - 1)
    found: NDArray[np.int64] = np.where(ahead > 0, half, 0) + np.where(apart < exact, apart, far)
    return found
