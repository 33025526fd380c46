"""How much a result moves when arithmetic rounds: an estimate, for operations whose bound nobody has derived."""

from __future__ import annotations

from typing import Any, Callable, List, Optional

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

#: Unit roundoffs.
ROUNDOFF = {torch.float64: 2.0**-53, torch.float32: 2.0**-24, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8, torch.complex64: 2.0**-24,
            torch.complex128: 2.0**-53, torch.complex32: 2.0**-11}


class StochasticArithmetic(TorchDispatchMode):
    """What every operator of PyTorch returns in float64 is multiplied by 1 + δ, |δ| ≤ `roundoff`, at random: as if it were rounded
    there (Parker, Monte Carlo arithmetic, 1997). Views are left as they are."""

    def __init__(self, roundoff: float, generator: torch.Generator):
        super().__init__()
        self.roundoff, self.generator = roundoff, generator

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        if torch.Tag.inplace_view in function.tags or function._overloadpacket.__name__ in ("set_", "resize_"):
            return result  # the same memory in another shape
        returns = function._schema.returns
        if not isinstance(result, (tuple, list)):
            return self._rounded(result, returns[0] if returns else None)
        if len(returns) != len(result):
            return result
        return type(result)([self._rounded(each, told) for each, told in zip(result, returns)])

    def _rounded(self, value: Any, told: Any) -> Any:
        if not isinstance(value, torch.Tensor) or value.dtype not in (torch.float64, torch.complex128) or value.numel() == 0 or value.layout != torch.strided:
            return value
        if value._is_zerotensor():  # which has no memory
            return value
        alias = getattr(told, "alias_info", None)
        if alias is not None and not alias.is_write:
            return value  # a view
        factor = perturbation(value, self.roundoff, self.generator)
        if alias is None:
            return value * factor
        with torch.autograd._unsafe_preserve_version_counter(value):  # autograd is not to take this for a change by the operator
            return value.mul_(factor)


def perturbation(tensor: torch.Tensor, roundoff: float, generator: torch.Generator) -> torch.Tensor:
    """Factors 1 + δ for its elements."""
    real = torch.float64 if tensor.dtype in (torch.float64, torch.complex128) else tensor.dtype
    return 1 + roundoff * (2 * torch.rand(tensor.shape, dtype=real, generator=generator) - 1)


def sensitivity(run: Callable[[Callable[[Any], Any]], List[torch.Tensor]], exact: List[torch.Tensor], roundoff: float, times: int = 5,
                seed: int = 1) -> Optional[List[torch.Tensor]]:
    """Per element of `exact`, how far it moves at most in `times` runs in which inputs and intermediate results are rounded at random.
    `run(change)` computes in float64 of inputs to which `change` was applied. Infinite where it becomes NaN, another integer or
    another shape. None: no such run came to an end."""
    generator = torch.Generator().manual_seed(seed)

    def change(value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or value.dtype not in (torch.float64, torch.complex128) or value.layout != torch.strided:
            return value
        moved = value.detach() * perturbation(value, roundoff, generator)
        return moved.requires_grad_(value.requires_grad)

    moved = [torch.zeros(value.shape, dtype=torch.float64) for value in exact]
    done = 0
    for _ in range(times):
        try:
            with StochasticArithmetic(roundoff, generator):
                found = run(change)
        except (RuntimeError, ValueError, IndexError, TypeError, NotImplementedError, AssertionError):
            continue
        done += 1
        for i, (value, other) in enumerate(zip(exact, found)):
            if value.shape != other.shape:
                moved[i].fill_(float("inf"))
            elif value.dtype.is_floating_point or value.dtype.is_complex:
                same = (value == other) | (value.isnan() & other.isnan())
                distance = (value - other).abs().double()
                moved[i] = torch.maximum(moved[i], torch.where(same, 0.0, distance.nan_to_num(float("inf"), float("inf"))))
            else:
                moved[i] = torch.where(value != other, float("inf"), moved[i])
    return moved if done else None


class Draws(TorchDispatchMode):
    """Notes whether an operator draws random numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.any = False

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.any = self.any or torch.Tag.nondeterministic_seeded in function.tags
        return function(*args, **(kwargs or {}))


def tensors_of(result: Any) -> List[torch.Tensor]:
    """The tensors of a result, and its numbers as tensors."""
    leaves = [torch.as_tensor(leaf) if isinstance(leaf, (bool, int, float, complex)) else leaf for leaf in tree_leaves(result)]
    return [leaf.detach() for leaf in leaves if isinstance(leaf, torch.Tensor)]


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same structure with `change` applied to its leaves."""
    return tree_map(change, value)
