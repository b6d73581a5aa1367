"""How word pieces of pairs that are laid end to end attend to those of their own pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, TypeAlias

import torch
from torch.nn import functional as F

Attention: TypeAlias = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
"""Queries, keys and values of all pairs, [heads, pieces, width / heads], to what each word piece takes from its pair."""


def attention_over(
    lengths: Sequence[int], nearness: torch.Tensor | None, device: torch.device
) -> Attention:
    """Attention among the pieces of each pair, of ``lengths`` pieces. ``nearness`` is what is added for how far apart two of
    them are, [heads, longest, longest]; it is not trained.

    On a CPU pair by pair: what belongs to one pair fits a core's cache, and torch's own attention takes 4.5 times as long,
    most of it going back. On an accelerator all pairs at once, padded to the longest.
    """
    if device.type == "cpu":
        return _PairByPair(lengths, nearness)
    return Padded(lengths, nearness, device)


class _PairByPair:
    def __init__(self, lengths: Sequence[int], nearness: torch.Tensor | None) -> None:
        ends = accumulate(lengths)
        self._own = [slice(end - n, end) for n, end in zip(lengths, ends, strict=True)]
        self._nearness = nearness

    def __call__(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = _Together.apply(q, k, v, self._nearness, self._own)  # type: ignore[no-untyped-call]
        return out


class _Together(torch.autograd.Function):
    """Attention of each pair to itself, its heads together."""

    @staticmethod
    def forward(
        ctx: Any,
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        nearness: torch.Tensor | None,
        own: Sequence[slice],
    ) -> torch.Tensor:
        q = q * q.shape[2] ** -0.5
        out = torch.empty_like(q)
        kept: list[torch.Tensor] = []
        for at in own:
            alike = torch.bmm(q[:, at], k[:, at].mT)  # [heads, pieces, pieces]
            if nearness is not None:
                length = at.stop - at.start
                alike += nearness[:, :length, :length]
            shares = torch.softmax(alike, -1)
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
        return dq * q.shape[2] ** -0.5, dk, dv, None, None


class Padded:
    """All pairs at once, each padded to the longest."""

    def __init__(
        self, lengths: Sequence[int], nearness: torch.Tensor | None, device: torch.device
    ) -> None:
        counts = torch.tensor(lengths, device=device)
        there = torch.arange(max(lengths), device=device) < counts[:, None]  # [pairs, longest]
        self._shape = there.shape
        self._places = there.flatten().nonzero()[:, 0]
        """Of each word piece, where it stands among the padded."""
        seen = there[:, None, None, :]
        self._bias = (
            seen
            if nearness is None
            else nearness.masked_fill(~seen, torch.finfo(nearness.dtype).min)
        )
        """What is seen, or what is added to it: the same in every layer."""

    def __call__(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        spread = self._spread
        found = F.scaled_dot_product_attention(
            spread(q), spread(k), spread(v), attn_mask=self._bias
        )
        return found.transpose(0, 1).flatten(1, 2).index_select(1, self._places)

    def _spread(self, x: torch.Tensor) -> torch.Tensor:
        """[pairs, heads, longest, width / heads], zero where a pair is shorter."""
        heads, _, size = x.shape
        pairs, longest = self._shape
        padded = x.new_zeros(heads, pairs * longest, size).index_copy(1, self._places, x)
        return padded.view(heads, pairs, longest, size).transpose(0, 1)
