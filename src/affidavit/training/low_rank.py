"""Matrices that stay as they were published, each with a small product that is trained beside it.

Low-rank adaptation (Hu et al. 2022): what a layer learns is ``up @ down``, of a rank far below its width. A large encoder then
keeps what it knows, takes a higher rate, and needs no gradient for its own matrices: two thirds of the time.

Where a processor multiplies integers of 8 bits faster than numbers of 32, the matrices that stay are rounded to them, and so is
what they are multiplied with, a row at a time, going forward and going back (as in QLoRA, Dettmers et al. 2023, and SwitchBack,
Wortsman et al. 2023); the small products stay exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

_ROWS = 256
"""Products have a multiple of so many rows: for each new number of them the processor's code is made anew."""


class LowRank(nn.Module):
    """``x @ (weight + up @ down).T + bias``, of which ``up`` and ``down`` are trained. It begins as what it stands for."""

    rounded: Rounded | None = None
    """The matrix in 8 bits, where it is multiplied so."""

    def __init__(self, whole: nn.Linear, rank: int) -> None:
        super().__init__()
        self.weight, self.bias = whole.weight, whole.bias
        self.weight.requires_grad = self.bias.requires_grad = False
        outputs, inputs = whole.weight.shape
        self.down = nn.Parameter(torch.empty(rank, inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        whole = _Exact(self.weight) if self.rounded is None else self.rounded
        out: torch.Tensor = _Product.apply(x, whole, self.bias, self.down, self.up)  # type: ignore[no-untyped-call]
        return out

    def merged(self) -> nn.Linear:
        """The one matrix that it amounts to."""
        outputs, inputs = self.weight.shape
        whole = nn.Linear(inputs, outputs)
        with torch.no_grad():
            whole.weight.copy_(self.weight + self.up @ self.down)
            whole.bias.copy_(self.bias)
        return whole


class _Exact:
    """Products with a matrix as it is."""

    def __init__(self, weight: torch.Tensor) -> None:
        self._weight = weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self._weight.T

    def back(self, grad: torch.Tensor) -> torch.Tensor:
        return grad @ self._weight


class Rounded:
    """Products with a matrix [outputs, inputs] in 8 bits, of which each output has a scale.

    ``largest`` is how large each input was seen to be. What is seldom large would be rounded away beside what often is, so each
    input is divided, and its weights are multiplied, by the root of how much larger it is than its weights (SmoothQuant, Xiao et
    al. 2023).
    """

    def __init__(self, weight: torch.Tensor, largest: torch.Tensor) -> None:
        tall = weight.abs().amax(0).clamp(min=1e-5)
        factor = (largest.clamp(min=1e-5) / tall).sqrt().clamp(1e-2, 1e2)
        even = weight * factor
        self._scale = (even.abs().amax(1) / 127).clamp(min=1e-9)
        self._weight = (even / self._scale[:, None]).round_().to(torch.int8)
        self._inputs = 1 / factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return _product(x, self._inputs, self._weight.T, self._scale)

    def back(self, grad: torch.Tensor) -> torch.Tensor:
        return _product(grad, self._scale, self._weight, self._inputs)


def _product(
    x: torch.Tensor, before: torch.Tensor, weight: torch.Tensor, after: torch.Tensor
) -> torch.Tensor:
    """``(x * before) @ weight * after``, each row of ``x * before`` in 8 bits."""
    round_rows, scale = _compiled()
    rows, scales = round_rows(x.detach(), before)  # the compiler looks for gradients otherwise
    padded = F.pad(rows, (0, 0, 0, -len(rows) % _ROWS))
    out: torch.Tensor = scale(torch._int_mm(padded, weight)[: len(rows)], scales, after)
    return out


@cache
def _compiled() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """What is done around a product, each in one pass through memory where torch by itself takes nine in all: a quarter of the
    time of a step."""
    return torch.compile(_rounded_rows, dynamic=True), torch.compile(_scaled, dynamic=True)


def _rounded_rows(x: torch.Tensor, before: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    even = x * before
    scales = even.abs().amax(1, keepdim=True).div(127).clamp(min=1e-12)
    return (even / scales).round().to(torch.int8), scales


def _scaled(product: torch.Tensor, scales: torch.Tensor, after: torch.Tensor) -> torch.Tensor:
    return product.float() * scales * after


class _Product(torch.autograd.Function):
    """Both products into one result, and their gradients likewise: results of wide layers are what the time goes into."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        whole: _Exact | Rounded,
        bias: torch.Tensor,
        down: torch.Tensor,
        up: torch.Tensor,
    ) -> torch.Tensor:
        inner = x @ down.T
        ctx.save_for_backward(x, down, up, inner)
        ctx.whole = whole
        return whole.forward(x).add_(bias).addmm_(inner, up.T)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, down, up, inner = ctx.saved_tensors
        back = grad @ up
        return ctx.whole.back(grad).addmm_(back, down), None, None, back.T @ x, grad.T @ inner


def adapt(layers: nn.Module, rank: int) -> None:
    """Put a trained product beside each matrix in ``layers``."""
    for module in list(layers.modules()):
        for name, part in list(module.named_children()):
            if isinstance(part, nn.Linear):
                setattr(module, name, LowRank(part, rank))


def can_multiply_in_8_bits() -> bool:
    """Whether products in 8 bits are exact here (a processor with AVX2 and no VNNI may add them in 16, which overflow) and there
    is a C++ compiler for what is done around them."""
    most = torch.full((64, 768), 127, dtype=torch.int8)
    if not (torch._int_mm(most, most.T) == 768 * 127**2).all():
        return False
    try:
        _product(torch.ones(64, 768), torch.ones(768), most.T, torch.ones(64))
    except RuntimeError:  # what torch says without a compiler
        return False
    return True


def in_8_bits(layers: nn.Module, read: Callable[[], object]) -> None:
    """Multiply with the matrices of ``layers`` in 8 bits from now on; what ``read`` puts through them shows how large their
    inputs are."""
    largest: dict[LowRank, torch.Tensor] = {}

    def look(part: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        assert isinstance(part, LowRank)
        seen = inputs[0].detach().abs().amax(0)
        largest[part] = torch.maximum(largest.get(part, seen), seen)

    parts = [part for part in layers.modules() if isinstance(part, LowRank)]
    hooks = [part.register_forward_pre_hook(look) for part in parts]
    with torch.no_grad():
        read()
    for hook in hooks:
        hook.remove()
    for part, seen in largest.items():
        part.rounded = Rounded(part.weight.detach(), seen)


def merge(layers: nn.Module) -> None:
    """Make one matrix of each again."""
    for module in list(layers.modules()):
        for name, part in list(module.named_children()):
            if isinstance(part, LowRank):
                setattr(module, name, part.merged())
