"""The network that is trained: BERT or MPNet over premise and hypothesis, with three logits at the first word piece.

Parameters have the names that transformers gives those of a BERT; :mod:`affidavit.training.base` reads either under these.
Pairs of a batch are laid end to end instead of padded, and attend to themselves alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from affidavit.training.attention import Attention, attention_over
from affidavit.training.base import Shape, base_state, relative_buckets


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs end to end: word pieces, their types and places, of shape [pieces], and how many each pair has."""

    ids: torch.Tensor
    types: torch.Tensor
    places: torch.Tensor
    lengths: tuple[int, ...]


class CrossEncoder(nn.Module):
    """BERT, its pooler and a classifier."""

    def __init__(self, base: Path, labels: int) -> None:
        super().__init__()
        shape = Shape.read(base)
        self.bert = _Bert(shape)
        self.classifier = nn.Linear(shape.hidden_size, labels)
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)
        known = base_state(base)
        own = self.state_dict()
        read = {n: torch.from_numpy(w) for n, w in known.items() if n in own}
        self.load_state_dict(read, strict=False)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Logits [pairs, labels]."""
        x = self.bert.embeddings(batch)  # [pieces, width]
        nearness = self.bert.encoder.nearness(max(batch.lengths), x.device)
        attend = attention_over(batch.lengths, nearness, x.device)
        for layer in self.bert.encoder.layer:
            x = layer(x, attend)
        starts = [0, *accumulate(batch.lengths[:-1])]
        first = x[torch.tensor(starts, device=x.device)]
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
        kinds = shape.relative_attention_num_buckets
        self.relative = nn.Embedding(kinds, shape.num_attention_heads) if kinds else None
        if self.relative is not None:
            self.relative.requires_grad_(False)  # stays as published

    def nearness(self, length: int, device: torch.device) -> torch.Tensor | None:
        """What is added to attention by how far apart two word pieces are, [heads, length, length]; None without such."""
        if self.relative is None:
            return None
        buckets = torch.from_numpy(relative_buckets(length, self.relative.num_embeddings))
        found: torch.Tensor = self.relative(buckets.to(device)).permute(2, 0, 1)
        return found.contiguous()


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
        self.LayerNorm = nn.LayerNorm(width, eps=shape.layer_norm_eps)

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
        self.output = _Back(shape, shape.intermediate_size)

    def forward(self, x: torch.Tensor, attend: Attention) -> torch.Tensor:
        x = self.attention(x, attend)
        out: torch.Tensor = self.output(F.gelu(self.intermediate.dense(x)), x)
        return out


class _Wide(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.dense = nn.Linear(shape.hidden_size, shape.intermediate_size)


class _Back(nn.Module):
    """Back to the width of the stream, added to it."""

    def __init__(self, shape: Shape, inner: int) -> None:
        super().__init__()
        self.dense = nn.Linear(inner, shape.hidden_size)
        self.LayerNorm = nn.LayerNorm(shape.hidden_size, eps=shape.layer_norm_eps)

    def forward(self, inner: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.LayerNorm(self.dense(inner) + x)
        return out


class _SelfAttention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.hidden_size
        self.heads = shape.num_attention_heads
        self.self = nn.ModuleDict({p: nn.Linear(width, width) for p in ("query", "key", "value")})
        self.output = _Back(shape, width)

    def forward(self, x: torch.Tensor, attend: Attention) -> torch.Tensor:
        q, k, v = (
            self.self[part](x).view(len(x), self.heads, -1).transpose(0, 1).contiguous()
            for part in ("query", "key", "value")
        )  # [heads, pieces, width / heads]
        out: torch.Tensor = self.output(attend(q, k, v).transpose(0, 1).reshape(len(x), -1), x)
        return out
