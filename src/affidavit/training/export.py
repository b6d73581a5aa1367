"""The fine-tuned model as an ONNX graph with 8-bit weights.

The graph is written out node by node rather than traced: it stays readable and needs no exporter. Weights are 8 bits,
one scale an output; what goes in is rounded to 8 bits as it comes, so that products are made of integers where the
processor has instructions for them (``DynamicQuantizeMatMul``). Its scale is that of the whole input: a pair is run by
itself, and its score owes nothing to its batch mates. Behind an activation a few numbers are far larger than the others, and
one scale for all would round these away: the largest are multiplied apart, in 32 bits (LLM.int8(), Dettmers et al. 2022).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from affidavit.training.base import RELATIVE, Array, Shape, relative_buckets

Precision: TypeAlias = Literal["fp32", "int8", "int4"]

_OPSET = 20
WEIGHTS = "model.weights"
_LARGE = 4096
"""Bytes of a tensor that stands beside the graph, and not in it."""

Places: TypeAlias = NDArray[np.int64]


class Graph:
    """Nodes and weights, gathered in order."""

    def __init__(self, precision: Precision, *, epsilon: float = 1e-12) -> None:
        self.epsilon = epsilon
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.precision = precision

    def weight(self, name: str, value: NDArray[np.generic]) -> str:
        self.weights.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def op(self, kind: str, name: str, inputs: Sequence[str], **attributes: object) -> str:
        domain = "com.microsoft" if kind in ("MatMulNBits", "DynamicQuantizeMatMul") else ""
        node = helper.make_node(kind, list(inputs), [name], name=name, domain=domain, **attributes)
        self.nodes.append(node)
        return name

    def linear(
        self, name: str, x: str, weight: Array, bias: Array, *, apart: Places | None = None
    ) -> str:
        """``x @ weight.T + bias``; weight [out, in]. Inputs that are ``apart``, by their places, are multiplied in 32 bits."""
        added = self.weight(f"{name}.bias", bias)
        if self.precision == "fp32":
            turned = self.weight(f"{name}.weight", weight.T)
            product = self.op("MatMul", f"{name}.mm", [x, turned])
            return self.op("Add", f"{name}.out", [product, added])
        if apart is None:
            return self._rounded(f"{name}.out", name, x, weight, added)
        rest = np.ones(weight.shape[1], np.float32)
        rest[apart] = 0
        others = self.op("Mul", f"{name}.others", [x, self.weight(f"{name}.rest", rest)])
        product = self._rounded(f"{name}.mm", name, others, weight * rest, added)
        few = self.op("Gather", f"{name}.few", [x, self.weight(f"{name}.apart", apart)], axis=-1)
        exact = self.weight(f"{name}.exact", weight[:, apart].T)
        return self.op(
            "Add", f"{name}.out", [product, self.op("MatMul", f"{name}.beside", [few, exact])]
        )

    def _rounded(self, out: str, name: str, x: str, weight: Array, bias: str) -> str:
        columns, scales = quantised_columns(weight)
        by = [self.weight(f"{name}.q", columns), self.weight(f"{name}.scale", scales)]
        return self.op("DynamicQuantizeMatMul", out, [x, *by, "", bias])

    def embedding(self, name: str, ids: str, table: Array) -> str:
        """Rows of a table; as 8 bits, one scale a row."""
        if self.precision == "fp32":
            return self.op("Gather", f"{name}.row", [self.weight(f"{name}.table", table), ids])
        rows, scales = quantised_rows(table)
        row = self.op("Gather", f"{name}.q.row", [self.weight(f"{name}.q", rows), ids])
        scale = self.op("Gather", f"{name}.s.row", [self.weight(f"{name}.scale", scales), ids])
        wide = self.op("Cast", f"{name}.cast", [row], to=TensorProto.FLOAT)
        return self.op("Mul", f"{name}.row", [wide, scale])

    def norm(self, name: str, x: str, scale: Array, bias: Array) -> str:
        by = [self.weight(f"{name}.weight", scale), self.weight(f"{name}.bias", bias)]
        return self.op("LayerNormalization", f"{name}.out", [x, *by], axis=-1, epsilon=self.epsilon)


def quantised_columns(weight: Array) -> tuple[NDArray[np.int8], Array]:
    """Weight [out, in] as [in, out] in 7 bits and a sign, with one scale an output."""
    scale = np.abs(weight).max(axis=1) / 127
    scale = np.where(scale == 0, 1, scale).astype(np.float32)
    return np.round(weight / scale[:, None]).astype(np.int8).T, scale


def quantised_rows(table: Array) -> tuple[NDArray[np.int8], Array]:
    scale = (np.abs(table).max(axis=1, keepdims=True) / 127).astype(np.float32)
    scale = np.where(scale == 0, np.float32(1), scale)
    return np.round(table / scale).astype(np.int8), scale


def bert_graph(
    state: Mapping[str, Array],
    shape: Shape,
    *,
    places: int,
    precision: Precision,
    apart: Sequence[Places] = (),
) -> onnx.ModelProto:
    """A sequence classifier, BERT or MPNet: up to ``places`` word pieces in, logits [batch, labels] out. ``apart`` are the
    places of the largest numbers behind each layer's activation (:mod:`affidavit.training.outliers`), for 8 bits. It has no
    mask: pairs are run one by one, or all as long as one another."""
    g = Graph(precision, epsilon=shape.layer_norm_eps)
    x = embeddings(g, state, places)
    bias = nearness(g, state[RELATIVE], places) if RELATIVE in state else None
    last = shape.num_hidden_layers - 1
    for i in range(shape.num_hidden_layers):
        own = apart[i] if apart else None
        x = layer(
            g, state, f"bert.encoder.layer.{i}", x, bias, shape.num_attention_heads, own,
            only_first=i == last,
        )  # fmt: skip
    first = g.op("Squeeze", "cls", [x, g.weight("cls.axis", np.array([1], np.int64))])
    pooled = g.linear("pooler", first, *_pair(state, "bert.pooler.dense"))
    # The last three numbers are worth their few bytes in full precision.
    g.precision = "fp32"
    active = g.op("Tanh", "pooler.tanh", [pooled])
    g.linear("classifier", active, *_pair(state, "classifier"))
    return _model(g)


def embeddings(g: Graph, state: Mapping[str, Array], most: int) -> str:
    at = "bert.embeddings"
    words = g.embedding("words", "input_ids", state[f"{at}.word_embeddings.weight"])
    types = g.op(
        "Gather", "types.row",
        [g.weight("types.table", state[f"{at}.token_type_embeddings.weight"]), "token_type_ids"],
    )  # fmt: skip
    length = g.op("Gather", "length", [g.op("Shape", "shape", ["input_ids"]),
                                       g.weight("one", np.array(1, np.int64))])  # fmt: skip
    bounds = [
        g.weight("from", np.array(0, np.int64)),
        length,
        g.weight("by", np.array(1, np.int64)),
    ]
    table = g.weight("places.table", state[f"{at}.position_embeddings.weight"][:most])
    places = g.op("Gather", "places.row", [table, g.op("Range", "places", bounds)])
    total = g.op("Add", "embedded", [g.op("Add", "worded", [words, types]), places])
    return g.norm("embeddings.norm", total, *_pair(state, f"{at}.LayerNorm"))


def nearness(g: Graph, table: Array, most: int) -> str:
    """The bias of each head by how near two word pieces are: [heads, length, length]. Every layer adds the same."""
    kinds = g.weight("near.kinds", relative_buckets(most, len(table)).astype(np.uint8))
    wide = g.op("Unsqueeze", "near.length", ["length", g.weight("near.axis", np.array([0]))])
    ends = g.op("Concat", "near.ends", [wide, wide], axis=0)
    starts = g.weight("near.starts", np.array([0, 0], np.int64))
    own = g.op("Slice", "near.own", [kinds, starts, ends])
    ids = g.op("Cast", "near.ids", [own], to=TensorProto.INT32)
    row = g.op("Gather", "near.row", [g.weight("near.table", table), ids])
    return g.op("Transpose", "near.bias", [row], perm=[2, 0, 1])


def layer(
    g: Graph,
    state: Mapping[str, Array],
    at: str,
    x: str,
    bias: str | None,
    heads: int,
    apart: Places | None = None,
    *,
    only_first: bool = False,
) -> str:
    """One layer over ``x`` [batch, length, width]. ``bias`` is added to attention, ``only_first`` gives no more than what the
    first word piece becomes, [batch, 1, width]: all that is read of the last layer."""
    name = at.removeprefix("bert.encoder.")
    asks = _first(g, f"{name}.first", x, axis=1) if only_first else x
    attended = _attention(g, state, at, name, x, asks, bias, heads)
    x = asks
    out = g.linear(f"{name}.attn.out", attended, *_pair(state, f"{at}.attention.output.dense"))
    x = g.norm(
        f"{name}.attn.norm", g.op("Add", f"{name}.attn.sum", [out, x]),
        *_pair(state, f"{at}.attention.output.LayerNorm"),
    )  # fmt: skip
    up = g.linear(f"{name}.up", x, *_pair(state, f"{at}.intermediate.dense"))
    active = g.op("Gelu", activation(name), [up])
    down = g.linear(f"{name}.down", active, *_pair(state, f"{at}.output.dense"), apart=apart)
    total = g.op("Add", f"{name}.sum", [down, x])
    return g.norm(f"{name}.norm", total, *_pair(state, f"{at}.output.LayerNorm"))


def activation(layer_name: str) -> str:
    """What the graph calls that which comes out of the activation of ``layer.0``."""
    return f"{layer_name}.gelu"


def _first(g: Graph, name: str, x: str, axis: int) -> str:
    """What stands at place 0 along an axis, which stays."""
    return g.op("Gather", name, [x, g.weight(f"{name}.at", np.array([0], np.int64))], axis=axis)


def _attention(
    g: Graph,
    state: Mapping[str, Array],
    at: str,
    name: str,
    x: str,
    asks: str,
    bias: str | None,
    heads: int,
) -> str:
    """What the word pieces of ``asks``, all of ``x`` or the first, take from those of ``x``."""
    parts = [_pair(state, f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
    width = parts[0][0].shape[0]
    split = [f"{name}.{part}" for part in "qkv"]
    if asks == x:
        together = _joined(g, f"{name}.qkv", x, parts)
        g.nodes.append(helper.make_node("Split", [together], split, axis=-1, num_outputs=3))
    else:
        split[0] = g.linear(f"{name}.query", asks, *parts[0])
        together = _joined(g, f"{name}.kv", x, parts[1:])
        g.nodes.append(helper.make_node("Split", [together], split[1:], axis=-1, num_outputs=2))
        bias = _first(g, f"{name}.near", bias, axis=-2) if bias is not None else None
    shape = g.weight(f"{name}.heads", np.array([0, 0, heads, width // heads], np.int64))
    q, k, v = (
        g.op("Transpose", f"{name}.{letter}.heads",
             [g.op("Reshape", f"{name}.{letter}.split", [part, shape])],
             perm=[0, 2, 3, 1] if letter == "k" else [0, 2, 1, 3])
        for letter, part in zip("qkv", split, strict=True)
    )  # fmt: skip
    scale = g.weight(f"{name}.scale", np.array((width // heads) ** -0.5, np.float32))
    scores = g.op("Mul", f"{name}.scaled", [g.op("MatMul", f"{name}.scores", [q, k]), scale])
    if bias is not None:
        scores = g.op("Add", f"{name}.biased", [scores, bias])
    weights = g.op("Softmax", f"{name}.softmax", [scores])
    mixed = g.op("MatMul", f"{name}.mixed", [weights, v])
    back = g.op("Transpose", f"{name}.back", [mixed], perm=[0, 2, 1, 3])
    joined = g.weight(f"{name}.joined", np.array([0, 0, width], np.int64))
    return g.op("Reshape", f"{name}.attended", [back, joined])


def _joined(g: Graph, name: str, x: str, parts: Sequence[tuple[Array, Array]]) -> str:
    weight, bias = (np.concatenate([pair[i] for pair in parts]) for i in (0, 1))
    return g.linear(name, x, weight, bias)


def _pair(state: Mapping[str, Array], name: str) -> tuple[Array, Array]:
    return state[f"{name}.weight"], state[f"{name}.bias"]


def inputs(*names: str) -> list[onnx.ValueInfoProto]:
    """Inputs of whole numbers, [batch, length]."""
    return [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in names
    ]


def _model(g: Graph) -> onnx.ModelProto:
    logits = helper.make_node("Identity", ["classifier.out"], ["logits"])
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "labels"])
    read = inputs("input_ids", "token_type_ids")
    graph = helper.make_graph([*g.nodes, logits], "entailment", read, [output], g.weights)
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def load_state(tuned: Path) -> dict[str, Array]:
    from safetensors.numpy import load_file

    return {name: np.asarray(value, np.float32) for name, value in load_file(tuned).items()}


def save(graph: onnx.ModelProto, place: Path) -> str:
    """Write a graph as ``model.onnx``, its large tensors beside it in one file, which processes map into memory and share.

    Returns :func:`digest`. ``graph`` is changed: its large tensors are no longer in it.
    """
    (place / WEIGHTS).unlink(missing_ok=True)  # what is there would be added to
    onnx.save(
        graph,
        place / "model.onnx",
        save_as_external_data=True,
        location=WEIGHTS,
        size_threshold=_LARGE,
    )
    (place / WEIGHTS).chmod(0o644)
    return digest(place)


def digest(place: Path) -> str:
    """The SHA-256 of a saved graph as one file: of the structure and of all weights."""
    graph = onnx.load(str(place / "model.onnx"))
    for tensor in graph.graph.initializer:
        tensor.ClearField("data_location")
    return hashlib.sha256(graph.SerializeToString(deterministic=True)).hexdigest()
