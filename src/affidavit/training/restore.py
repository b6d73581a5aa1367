"""A packaged model back into weights, to train on from where it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from affidavit.training.base import RELATIVE, Array

_LINEAR = {
    "attention.output.dense": "attn.out",
    "intermediate.dense": "up",
    "output.dense": "down",
}
_NORM = {"attention.output.LayerNorm": "attn.norm", "output.LayerNorm": "norm"}


def restored_state(folder: Path) -> dict[str, Array]:
    """The weights of a packaged graph, by the names that transformers gives them.

    8-bit weights come back as the numbers they stand for, so the restored model answers as the packaged
    one does. What training never changes, word embeddings, is left out: the base model has them.
    Position embeddings are as many as the graph kept.
    """
    graph = onnx.load(str(folder / "model.onnx")).graph
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    layers = sum(name.endswith(".attn.out.bias") for name in held)
    state = {
        "bert.embeddings.token_type_embeddings.weight": held["types.table"],
        "bert.embeddings.position_embeddings.weight": held["places.table"],
    }
    if "near.table" in held:
        state[RELATIVE] = held["near.table"]
    _norm(state, "bert.embeddings.LayerNorm", held, "embeddings.norm")
    for i in range(layers):
        at, name = f"bert.encoder.layer.{i}", f"layer.{i}"
        # The last layer asks for the first word piece alone, with a matrix of its own.
        together = [n for n in ("qkv", "query", "kv") if f"{name}.{n}.bias" in held]
        weight = np.concatenate([_weight(held, f"{name}.{n}") for n in together])
        bias = np.concatenate([held[f"{name}.{n}.bias"] for n in together])
        parts = zip(("query", "key", "value"), np.split(weight, 3), np.split(bias, 3), strict=True)
        for part, w, b in parts:
            state[f"{at}.attention.self.{part}.weight"] = w
            state[f"{at}.attention.self.{part}.bias"] = b
        for theirs, ours in _LINEAR.items():
            state[f"{at}.{theirs}.weight"] = _weight(held, f"{name}.{ours}")
            state[f"{at}.{theirs}.bias"] = held[f"{name}.{ours}.bias"]
        for theirs, ours in _NORM.items():
            _norm(state, f"{at}.{theirs}", held, f"{name}.{ours}")
    for theirs, ours in (("bert.pooler.dense", "pooler"), ("classifier", "classifier")):
        state[f"{theirs}.weight"] = _weight(held, ours)
        state[f"{theirs}.bias"] = held[f"{ours}.bias"]
    return {name: np.array(value, np.float32, order="C") for name, value in state.items()}


def lineage(folder: Path) -> dict[str, Any]:
    """What a packaged model's config says of how it came to be: version, digest, training, and the same of the
    model that it was trained on from."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    told = ("name", "version", "sha256", "training", "trained_on_from")
    return {key: config[key] for key in told if key in config}


def _weight(held: dict[str, Any], name: str) -> Array:
    """Weight [out, in]; a graph holds it turned, in fp32 or as 8 bits with one scale an output, some of it apart."""
    if f"{name}.weight" in held:
        return np.asarray(held[f"{name}.weight"].T, np.float32)
    turned = np.asarray(held[f"{name}.q"].astype(np.float32) * held[f"{name}.scale"], np.float32)
    if f"{name}.apart" in held:
        turned[held[f"{name}.apart"]] = held[f"{name}.exact"]
    return turned.T


def _norm(state: dict[str, Any], theirs: str, held: dict[str, Any], ours: str) -> None:
    state[f"{theirs}.weight"], state[f"{theirs}.bias"] = (
        held[f"{ours}.weight"],
        held[f"{ours}.bias"],
    )
