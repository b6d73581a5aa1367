"""The network that is trained: BERT over premise and hypothesis, with three logits at its ``[CLS]``.

Parameters have the names that transformers gives them. Pairs of a batch are laid end to end instead of padded, and attend to
themselves alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs end to end: word pieces, their types and places, of shape [pieces], and how many each pair has."""

    ids: torch.Tensor
    types: torch.Tensor
    places: torch.Tensor
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a BERT, as its ``config.json`` tells it."""

    vocab_size: int
    max_position_embeddings: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int

    @staticmethod
    def read(folder: Path) -> Shape:
        said = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return Shape(**{name: said[name] for name in Shape.__slots__})


class CrossEncoder(nn.Module):
    """BERT, its pooler and a classifier."""

    def __init__(self, base: Path, labels: int) -> None:
        super().__init__()
        shape = Shape.read(base)
        self.bert = _Bert(shape)
        self.classifier = nn.Linear(shape.hidden_size, labels)
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)
        state = load_file(base / "model.safetensors")
        named = {n if n.startswith("bert.") else f"bert.{n}": w for n, w in state.items()}
        own = self.state_dict()
        self.load_state_dict({n: w for n, w in named.items() if n in own}, strict=False)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Logits [pairs, labels]."""
        x = self.bert.embeddings(batch)  # [pieces, width]
        own = [
            slice(end - n, end)
            for n, end in zip(batch.lengths, accumulate(batch.lengths), strict=True)
        ]
        for layer in self.bert.encoder.layer:
            x = layer(x, own)
        first = x[torch.tensor([at.start for at in own])]
        pooled = torch.tanh(self.bert.pooler.dense(first))
        logits: torch.Tensor = self.classifier(pooled)
        return logits


class _Bert(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embeddings = _Embeddings(shape)
        self.encoder = _Encoder(shape)
        self.pooler = _Pooler(shape)


class _Encoder(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.layer = nn.ModuleList(_Layer(shape) for _ in range(shape.num_hidden_layers))


class _Pooler(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.dense = nn.Linear(shape.hidden_size, shape.hidden_size)


class _Embeddings(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.hidden_size
        self.word_embeddings = nn.Embedding(shape.vocab_size, width)
        self.position_embeddings = nn.Embedding(shape.max_position_embeddings, width)
        self.token_type_embeddings = nn.Embedding(2, width)
        self.LayerNorm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, batch: Batch) -> torch.Tensor:
        total = (
            self.word_embeddings(batch.ids)
            + self.position_embeddings(batch.places)
            + self.token_type_embeddings(batch.types)
        )
        normal: torch.Tensor = self.LayerNorm(total)
        return normal


class _Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = _SelfAttention(shape)
        self.intermediate = _Wide(shape)
        self.output = _Back(shape.intermediate_size, shape.hidden_size)

    def forward(self, x: torch.Tensor, own: Sequence[slice]) -> torch.Tensor:
        x = self.attention(x, own)
        out: torch.Tensor = self.output(F.gelu(self.intermediate.dense(x)), x)
        return out


class _Wide(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.dense = nn.Linear(shape.hidden_size, shape.intermediate_size)


class _Back(nn.Module):
    """Back to the width of the stream, added to it."""

    def __init__(self, inner: int, width: int) -> None:
        super().__init__()
        self.dense = nn.Linear(inner, width)
        self.LayerNorm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, inner: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.LayerNorm(self.dense(inner) + x)
        return out


class _SelfAttention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.hidden_size
        self.heads = shape.num_attention_heads
        self.self = nn.ModuleDict({p: nn.Linear(width, width) for p in ("query", "key", "value")})
        self.output = _Back(width, width)

    def forward(self, x: torch.Tensor, own: Sequence[slice]) -> torch.Tensor:
        q, k, v = (
            self.self[part](x).view(len(x), self.heads, -1).transpose(0, 1).contiguous()
            for part in ("query", "key", "value")
        )  # [heads, pieces, width / heads]
        attended: torch.Tensor = _Attention.apply(q, k, v, own)  # type: ignore[no-untyped-call]
        out: torch.Tensor = self.output(attended.transpose(0, 1).reshape(len(x), -1), x)
        return out


class _Attention(torch.autograd.Function):
    """Attention of each pair to itself, its heads together: what belongs to one pair fits a core's cache. On a CPU torch's
    own takes 4.5 times as long, most of it going back."""

    @staticmethod
    def forward(
        ctx: Any, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, own: Sequence[slice]
    ) -> torch.Tensor:
        q = q * q.shape[2] ** -0.5
        out = torch.empty_like(q)
        kept: list[torch.Tensor] = []
        for at in own:
            shares = torch.softmax(torch.bmm(q[:, at], k[:, at].mT), -1)  # [heads, pieces, pieces]
            out[:, at] = torch.bmm(shares, v[:, at])
            kept.append(shares)
        ctx.save_for_backward(q, k, v, *kept)
        ctx.own = own
        return out

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        q, k, v, *kept = ctx.saved_tensors
        grad = grad.contiguous()
        dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
        for at, shares in zip(ctx.own, kept, strict=True):
            dv[:, at] = torch.bmm(shares.mT, grad[:, at])
            back = torch._softmax_backward_data(
                torch.bmm(grad[:, at], v[:, at].mT), shares, -1, shares.dtype
            )
            dq[:, at] = torch.bmm(back, k[:, at])
            dk[:, at] = torch.bmm(back.mT, q[:, at])
        return dq * q.shape[2] ** -0.5, dk, dv, None
