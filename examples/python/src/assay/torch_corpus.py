"""Faults of PyTorch that people reported, or that were found here: does the installed version still have them?

    python -m assay.torch_corpus

Each entry runs what a user runs, and Assay judges it without being told what is wrong: by derived bounds, by the estimate of
`torch_operators`, or by comparing modes. What is found is still there; the rest is mended in this version."""

from __future__ import annotations

import sys
from typing import Any, Callable, List, Tuple

import torch
from torch.nn import functional

from ._corpus import Reported, judged, tell
from .torch import compiled, eager
from .torch_operators import judge as judge_operator
from .torch_operators import compare_with_estimate, operators


def _normal(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def _gelu_of_infinity() -> str:
    x = torch.tensor([float("inf"), -float("inf"), 1.0, -1.0])
    return judged("gelu", functional.gelu(x), [x])


def _stale_product() -> str:
    a, b = _normal(2, 31, 37, dtype=torch.bfloat16), _normal(2, 37, 41, dtype=torch.bfloat16, seed=1)
    for _ in range(8):  # so that memory that was never written has been used before
        torch.full((2, 31, 41), float("nan"), dtype=torch.bfloat16)
        out = torch.baddbmm(torch.zeros((), dtype=torch.bfloat16), a, b, beta=0, alpha=0)
        if not bool((out == 0).all()):
            return f"{int((out != 0).sum())} of {out.numel()} elements are not 0, the first is {float(out[out != 0][0])}"
    return ""


def _rsqrt_at_the_end() -> str:
    x = torch.rand(31, generator=torch.Generator().manual_seed(0)).add(0.5).to(torch.bfloat16)
    return judged("rsqrt", torch.rsqrt(x), [x])


def _small_erf() -> str:
    x = torch.logspace(-12, -1, 64).to(torch.bfloat16)
    return judged("erf", torch.erf(x), [x])


def _log_softmax_near_zero() -> str:
    x = _normal(64, 40, dtype=torch.bfloat16)
    x[:, 3] += 4
    return judged("log_softmax", functional.log_softmax(x, 1), [x], dim=1)


def _softmax_of_columns() -> str:
    x = _normal(300, 40, dtype=torch.bfloat16)
    return judged("softmax", functional.softmax(x, 0), [x], dim=0)


def _product() -> str:
    x = _normal(25, 5, dtype=torch.bfloat16)
    return judged("prod", x.prod(1), [x], dim=1)


def _gradient_of_as_strided_scatter() -> str:
    [info] = operators(["as_strided_scatter"])
    outcome = judge_operator(info, torch.float32, gradient=True)
    return outcome.reason if outcome.verdict == "fail" else ""


def _compared(function: Callable[..., torch.Tensor], inputs: List[torch.Tensor]) -> Tuple[str, str, int, torch.Tensor, torch.Tensor]:
    """Verdicts of eager and of the compiler against float64, and how many elements differ."""
    outputs = [mode.wrap(function)(*inputs) for mode in (eager(), compiled())]

    def run(change: Callable[[Any], Any]) -> List[torch.Tensor]:
        return [function(*[change(each.double()) for each in inputs])]

    exact = run(lambda value: value)
    verdicts = [compare_with_estimate(run, exact, [output], inputs[0].dtype).verdict for output in outputs]
    return verdicts[0], verdicts[1], int((outputs[0] != outputs[1]).sum()), outputs[0], outputs[1]


def _elided_cast() -> str:
    x = torch.arange(20, dtype=torch.float32).reshape(5, 4) / 7
    out = compiled(dynamic=False).wrap(lambda x: functional.relu(x.half().float()))(x)
    return judged("relu", out, [x.half().float()])


def _unrounded_rope() -> str:
    def rope(q: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor) -> torch.Tensor:
        half = q.shape[-1] // 2
        return q * cosine + torch.cat((-q[..., half:], q[..., :half]), -1) * sine

    first, second, differing, _, _ = _compared(rope, [_normal(1, 2, 7, 16, dtype=torch.bfloat16, seed=each) for each in range(3)])
    return f"{differing} elements differ from eager's; against float64 eager: {first}, compile: {second}" if differing else ""


def _compiled_erf() -> str:
    x = torch.logspace(-8, 0, 64)
    return judged("erf", compiled().wrap(torch.erf)(x), [x])


def _cosine_similarity() -> str:
    inputs = [_normal(5, 6, 7, dtype=torch.bfloat16, seed=each) for each in range(2)]
    first, second, differing, _, _ = _compared(lambda a, b: torch.ops.aten.cosine_similarity(a, b, 1, 1e-8), inputs)
    return f"{differing} elements differ from eager's; against float64 eager: {first}, compile: {second}" if differing else ""


CORPUS = (
    Reported("gelu of infinity", "gelu(±inf) is NaN", "2.15.0", _gelu_of_infinity),
    Reported("baddbmm, alpha = beta = 0", "of bfloat16: memory that was never written is returned", "2.15.0", _stale_product),
    Reported("rsqrt of 16 bits", "elements behind the last whole vector are rounded twice", "2.15.0", _rsqrt_at_the_end),
    Reported("erf of 16 bits", "0 below 1.8e-7", "2.15.0", _small_erf),
    Reported("pytorch 140222", "log_softmax of 16 bits loses its sum's logarithm", "2.15.0", _log_softmax_near_zero),
    Reported("softmax of columns, 16 bits", "exponentials are stored in 16 bits", "2.15.0", _softmax_of_columns),
    Reported("prod of 16 bits", "its product is kept in 16 bits", "2.15.0", _product),
    Reported("gradient of as_strided_scatter", "what was overwritten has a gradient", "2.15.0", _gradient_of_as_strided_scatter),
    Reported("pytorch 185337", "the compiler elides float32 → float16 → float32", "2.15.0", _elided_cast, True),
    Reported("pytorch 182225", "the compiler fuses bfloat16 RoPE without roundings in between", "2.15.0", _unrounded_rope, True),
    Reported("pytorch 170684", "cosine_similarity of bfloat16 differs under the compiler", "2.15.0", _cosine_similarity, True),
    Reported("pytorch 198183", "erf of float32 near 0 loses its digits under the compiler", "2.15.0", _compiled_erf, True),
)


def main() -> int:
    """Prints what this version still has."""
    torch.set_num_threads(1)
    return tell(CORPUS, "torch", torch.__version__)


if __name__ == "__main__":
    sys.exit(main())
