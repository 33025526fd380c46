"""Faults of JAX and of XLA that people reported, or that were found here: does the installed version still have them?

    python -m assay.jax_corpus

Each entry runs what a user runs, and Assay judges it without being told what is wrong, by derived bounds. What is found is still there; the rest
is mended in this version."""

from __future__ import annotations

import sys
from typing import Any

import jax
import numpy
from jax import numpy as jnp

from ._corpus import Reported, compared, judged, tell
from .jax import FUNCTIONS, eager, jit, judge


def _normal(*shape: int, dtype: Any = "float32", seed: int = 0, scale: float = 1.0) -> Any:
    return jnp.asarray(numpy.random.default_rng(seed).standard_normal(shape) * scale, dtype)


def _hidden_overflow() -> str:
    x = jnp.asarray([100.0, 127.0, 128.0, 130.0], "float32")
    with jax.disable_jit():
        power = jnp.exp2(x)  # infinite from 128 on
    found = jax.jit(lambda x: jnp.log2(jnp.exp2(x)))(x)
    return judged("log", jnp.asarray(numpy.asarray(found, "f8") * numpy.log(2), "float32"), [power])


def _compensation() -> str:
    x, y = _normal(5000, dtype="bfloat16"), _normal(5000, dtype="bfloat16", seed=1)
    with jax.disable_jit():
        kept = (x + y) - x
    return judged("sub", jax.jit(lambda x, y: y - ((x + y) - x))(x, y), [y, kept])


def _double_cast() -> str:
    x = _normal(1000)
    return judged("cast", jax.jit(lambda x: 2 * x.astype("bfloat16").astype("float32"))(x), [2 * x.astype("bfloat16").astype("float32")])


def _mask() -> str:
    scores, mask = jnp.asarray([0.7, 0.5], "float32"), jnp.asarray(1.0, "float32")

    def masked(mask: Any, scores: Any) -> Any:
        scores = scores + -1.0 * 1e30 * (1.0 - mask)
        return scores - scores.max()

    return judged("sub", jax.jit(masked)(mask, scores), [scores, jnp.full_like(scores, scores.max())])


def _contraction() -> str:
    a, b, x = (jnp.full(5, value, "float32") for value in (1e20, -1e20, 1e10))
    with jax.disable_jit():
        left, right = a * x, b * x
    return judged("add", jax.jit(lambda a, b, x: a * x + b * x)(a, b, x), [left, right])


def _gradient_of_log_softmax() -> str:
    x = _normal(1 << 16, dtype="float16")
    found = jax.grad(lambda x: jax.nn.log_softmax(x).sum())(x)
    exact = numpy.exp(numpy.asarray(x, "f8") - numpy.asarray(x, "f8").max())
    exact = 1 - x.size * exact / exact.sum()
    wrong = int((~jnp.isfinite(found)).sum())
    return f"{wrong} of {x.size} elements are not finite, where {exact.min():.3g} to {exact.max():.3g} are right" if wrong else ""


def _sigmoid() -> str:
    x = jnp.linspace(-16, 16, 257, dtype="float16")
    return compared(judge("sigmoid", jax.nn.sigmoid, [x], [eager(), jit()], diagnosis=False))


def _softmax() -> str:
    x = _normal(64, 200, dtype="bfloat16")
    return compared(judge("softmax", lambda x: jax.nn.softmax(x, axis=1), [x], [eager(), jit()], dim=1, diagnosis=False))


def _log_softmax() -> str:
    x = _normal(64, 200, dtype="bfloat16")
    return compared(judge("log_softmax", lambda x: jax.nn.log_softmax(x, axis=1), [x], [eager(), jit()], dim=1, diagnosis=False))


def _cumsum() -> str:
    x = _normal(10_000, dtype="bfloat16")
    return compared(judge("cumsum", jnp.cumsum, [x], [eager(), jit()], dim=0, diagnosis=False))


def _logsumexp() -> str:
    found = float(jax.nn.logsumexp(jnp.zeros(70_000, "float16")))
    return f"{found} of 70,000 zeros, where {numpy.log(70_000):.5g} is right" if abs(found - numpy.log(70_000)) > 0.01 else ""


def _attention() -> str:
    inputs = [_normal(2, 3, 24, 16, dtype="float16", seed=seed) for seed in range(3)]
    return compared(judge("scaled_dot_product_attention", FUNCTIONS["attention"], inputs, [eager(), jit()], diagnosis=False))


CORPUS = (
    Reported("jax 38100", "jit takes log2(exp2(x)) for x, and hides the overflow", "0.10.2", _hidden_overflow),
    Reported("openxla 41579", "jit contracts a·x + b·x, and 0 becomes 5e21", "0.10.2", _contraction),
    Reported("jax 40409", "the gradient of a long log_softmax of float16 is not finite", "0.10.2", _gradient_of_log_softmax),
    Reported("sigmoid of float16", "0 below −11, where exp overflows", "0.10.2", _sigmoid),
    Reported("softmax of 16 bits", "exponentials are stored in 16 bits", "0.10.2", _softmax),
    Reported("log_softmax of 16 bits", "its sum's logarithm is stored in 16 bits", "0.10.2", _log_softmax),
    Reported("cumsum of 16 bits", "its sum is kept in 16 bits", "0.10.2", _cumsum),
    Reported("logsumexp of float16", "its sum overflows at 65,520", "0.10.2", _logsumexp),
    Reported("dot_product_attention of float16", "cannot be compiled for a CPU", "0.10.2", _attention),
    Reported("jax 23007", "jit elides the rounding of a bfloat16 sum, and its error is 0", "2024", _compensation),
    Reported("float32 → bfloat16 → float32", "jit elides the rounding", "2024", _double_cast),
    Reported("jax 6566", "jit adds −1e30 to a score before it takes it away", "2021", _mask),
)


def main() -> int:
    """Prints what this version still has."""
    return tell(CORPUS, "JAX", jax.__version__)


if __name__ == "__main__":
    sys.exit(main())
