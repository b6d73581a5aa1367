"""Matrices that stay as they were published, each with a small product that is trained beside it.

Low-rank adaptation (Hu et al. 2022): what a layer learns is ``up @ down``, of a rank far below its width. A large encoder then
keeps what it knows, takes a higher rate, and needs no gradient for its own matrices: two thirds of the time.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn


class LowRank(nn.Module):
    """``x @ (weight + up @ down).T + bias``, of which ``up`` and ``down`` are trained. It begins as what it stands for."""

    def __init__(self, whole: nn.Linear, rank: int) -> None:
        super().__init__()
        self.weight, self.bias = whole.weight, whole.bias
        self.weight.requires_grad = self.bias.requires_grad = False
        outputs, inputs = whole.weight.shape
        self.down = nn.Parameter(torch.empty(rank, inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = _Product.apply(x, self.weight, self.bias, self.down, self.up)  # type: ignore[no-untyped-call]
        return out

    def merged(self) -> nn.Linear:
        """The one matrix that it amounts to."""
        outputs, inputs = self.weight.shape
        whole = nn.Linear(inputs, outputs)
        with torch.no_grad():
            whole.weight.copy_(self.weight + self.up @ self.down)
            whole.bias.copy_(self.bias)
        return whole


class _Product(torch.autograd.Function):
    """Both products into one result, and their gradients likewise: results of wide layers are what the time goes into."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        down: torch.Tensor,
        up: torch.Tensor,
    ) -> torch.Tensor:
        inner = x @ down.T
        ctx.save_for_backward(x, weight, down, up, inner)
        return torch.addmm(bias, x, weight.T).addmm_(inner, up.T)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, weight, down, up, inner = ctx.saved_tensors
        back = grad @ up
        return (grad @ weight).addmm_(back, down), None, None, back.T @ x, grad.T @ inner


def adapt(layers: nn.Module, rank: int) -> None:
    """Put a trained product beside each matrix in ``layers``."""
    for module in list(layers.modules()):
        for name, part in list(module.named_children()):
            if isinstance(part, nn.Linear):
                setattr(module, name, LowRank(part, rank))


def merge(layers: nn.Module) -> None:
    """Make one matrix of each again."""
    for module in list(layers.modules()):
        for name, part in list(module.named_children()):
            if isinstance(part, LowRank):
                setattr(module, name, part.merged())
