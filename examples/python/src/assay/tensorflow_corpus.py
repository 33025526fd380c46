"""Faults of TensorFlow and of XLA that people reported, or that were found here: does the installed version still have them?

    python -m assay.tensorflow_corpus

Each entry runs what a user runs, and Assay judges it without being told what is wrong, by derived bounds. What is found is still there; the rest
is mended in this version."""

from __future__ import annotations

import sys
from typing import Any, Callable

import numpy
import tensorflow

from ._corpus import Reported, compared, judged, tell
from .tensorflow import eager, graph, judge, xla


def _tensor(array: Any, dtype: str = "float32") -> Any:
    return tensorflow.cast(tensorflow.constant(numpy.asarray(array, "f8")), dtype)


def _normal(*shape: int, dtype: str = "float32", seed: int = 0) -> Any:
    return _tensor(numpy.random.default_rng(seed).standard_normal(shape), dtype)


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    return tensorflow.function(function, autograph=False, jit_compile=True)  # type: ignore[no-any-return]


def _relu6_sigmoid() -> str:
    x = _normal(10, 9, 8, dtype="bfloat16")
    clipped = tensorflow.nn.relu6(x)  # exact: its value is one of its inputs
    modes = {each.name: each.wrap(lambda x: tensorflow.sigmoid(tensorflow.nn.relu6(x)))(x) for each in (eager(), xla())}
    said = {name: judged("sigmoid", found, [clipped]) for name, found in modes.items()}
    return "; ".join(f"{name} is off, {text}" for name, text in said.items() if text)


def _sigmoid_of_bfloat16() -> str:
    x = _tensor(numpy.linspace(-10, 10, 641), "bfloat16")
    return compared(judge("sigmoid", tensorflow.sigmoid, [x], [eager(), graph(), xla()], diagnosis=False))


def _sigmoid_of_float16() -> str:
    x = _tensor(numpy.linspace(-16, 16, 257), "float16")
    return compared(judge("sigmoid", tensorflow.sigmoid, [x], [eager(), xla()], diagnosis=False))


def _variance() -> str:
    x = _tensor([[7.5e10] * 3])
    return compared(judge("var", lambda x: tensorflow.nn.moments(x, [1])[1], [x], [eager(), xla()], dim=1, correction=0, diagnosis=False))


def _segments() -> str:
    x = _tensor(numpy.arange(4096) % 2, "bfloat16")
    return compared(judge("mean", lambda x: tensorflow.math.unsorted_segment_mean(x, tensorflow.zeros(4096, tensorflow.int32), 1), [x], [eager(), xla()], dim=0, keepdim=True,
                          diagnosis=False))


def _cumsum() -> str:
    x = _normal(10_000, dtype="bfloat16")
    return compared(judge("cumsum", tensorflow.cumsum, [x], [eager(), xla()], dim=0, diagnosis=False))


def _log_softmax() -> str:
    x = _tensor([[0.0664, -2.3906]], "bfloat16")
    return compared(judge("log_softmax", tensorflow.nn.log_softmax, [x], [eager(), xla()], dim=1, diagnosis=False))


def _sum_of_float16() -> str:
    x = _normal(64, 200, dtype="float16")
    return compared(judge("sum", lambda x: tensorflow.reduce_sum(x, 1), [x], [eager(), xla()], dim=1, diagnosis=False))


def _rsqrt_of_float16() -> str:
    x = tensorflow.abs(_normal(64, 200, dtype="float16")) + tensorflow.cast(0.01, "float16")
    return compared(judge("rsqrt", tensorflow.math.rsqrt, [x], [eager(), xla()], diagnosis=False))


def _top_k_of_nan() -> str:
    x, target = _tensor([[0.5, float("nan"), 0.7, 0.6]]), tensorflow.constant([2])
    one, other = (mode.wrap(lambda x: tensorflow.math.in_top_k(target, x, 1))(x) for mode in (eager(), xla()))
    return f"eager says {bool(one[0])}, xla {bool(other[0])}; which is right nobody has said" if bool(one[0]) != bool(other[0]) else ""


def _contraction() -> str:
    a, b, x = (_tensor([value] * 5) for value in (1e20, -1e20, 1e10))
    return judged("add", _compiled(lambda a, b, x: a * x + b * x)(a, b, x), [a * x, b * x])


def _hidden_overflow() -> str:
    x = _tensor([10.0, 80.0, 89.0, 100.0])
    return judged("log", _compiled(lambda x: tensorflow.math.log(tensorflow.exp(x)))(x), [tensorflow.exp(x)])


def _masked_softmax() -> str:
    x, mask = _normal(4, 32), _tensor(numpy.arange(32) < 20)
    masked = x + (1.0 - mask) * -1e9
    return judged("softmax", _compiled(lambda x, mask: tensorflow.nn.softmax(x + (1.0 - mask) * -1e9))(x, mask), [masked], dim=1)


CORPUS = (
    Reported("tensorflow 62252", "relu6 and sigmoid of bfloat16 differ under XLA", "2.21.0", _relu6_sigmoid),
    Reported("tensorflow 123104", "sigmoid of bfloat16 is not even monotonic", "2.21.0", _sigmoid_of_bfloat16),
    Reported("sigmoid of float16", "0 below −11 under XLA, where exp overflows", "2.21.0", _sigmoid_of_float16),
    Reported("tensorflow 118179", "the variance of equal numbers is 7e7 under XLA", "2.21.0", _variance),
    Reported("tensorflow 127818", "unsorted_segment_mean of bfloat16 keeps its sum in 16 bits", "2.21.0", _segments),
    Reported("tensorflow 115731", "cumsum of bfloat16 keeps its sum in 16 bits", "2.21.0", _cumsum),
    Reported("tensorflow 86434", "log_softmax of bfloat16 loses its sum's logarithm", "2.21.0", _log_softmax),
    Reported("reduce_sum of float16", "eager keeps its sum in 16 bits", "2.21.0", _sum_of_float16),
    Reported("rsqrt of float16", "is rounded in between under XLA", "2.21.0", _rsqrt_of_float16),
    Reported("tensorflow 118376", "in_top_k with NaN differs under XLA", "2.21.0", _top_k_of_nan),
    Reported("openxla 41579", "XLA contracts a·x + b·x, and 0 becomes 5e21", "2.21.0", _contraction),
    Reported("jax 38100", "XLA takes log(exp(x)) for x, and hides the overflow", "2.21.0", _hidden_overflow),
    Reported("tensorflow 55682", "XLA adds a mask of −1e9 to a score before it takes it away", "2.8.0", _masked_softmax),
)


def main() -> int:
    """Prints what this version still has."""
    return tell(CORPUS, "TensorFlow", tensorflow.__version__)


if __name__ == "__main__":
    sys.exit(main())
