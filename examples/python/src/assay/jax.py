"""One function of JAX under several execution modes: which is right, which is off, and where they merely differ.

    import assay.jax as modes
    found = modes.judge("softmax", lambda x: jax.nn.softmax(x, axis=1), [x], [modes.eager(), modes.jit()], dim=1)
    print(found)

`python -m assay.jax` prints modes × operations.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Dict, List, Sequence

import jax
from jax import numpy as jnp

from . import _modes
from ._modes import Finding, Judgement, Mode, judge

__all__ = ["Finding", "Judgement", "Mode", "eager", "exported", "jit", "judge", "matmul_precision", "modes_here", "vectorized"]

_DTYPES = {"f32": "float32", "bf16": "bfloat16", "f16": "float16"}


def eager() -> Mode:
    """jax.disable_jit: one primitive after the other, those of JAX's own compiled functions, too."""
    return _within("eager", jax.disable_jit)


def jit(**options: Any) -> Mode:
    """jax.jit; `options` are those of XLA, such as xla_allow_excess_precision=False."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        # A function of its own, so that nothing is reused of what was compiled otherwise.
        return jax.jit(lambda *inputs: function(*inputs), compiler_options=options or None)  # type: ignore[no-any-return]

    return Mode("jit" + "".join(f" {key}={value}" for key, value in options.items()), wrap)


def matmul_precision(precision: str, compiled: bool = True) -> Mode:
    """jax.default_matmul_precision, under jit or without. "bfloat16" and BF16_BF16_F32 may round the factors of float32 products to bfloat16, and so
    may "default" on a TPU; a CPU does not. The others are judged by float32's bound, which TF32 leaves."""
    low = precision.lower().startswith(("bfloat16", "bf16_bf16_f32")) and not precision.lower().endswith(("x3", "x6", "x9"))
    rounds = "bfloat16" if low or (precision == "default" and jax.default_backend() == "tpu") else None

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            with jax.default_matmul_precision(precision):
                return (jax.jit(lambda *inputs: function(*inputs)) if compiled else function)(*inputs)

        return call

    return Mode(f"matmul precision {precision}", wrap, rounds, may=True)


def vectorized() -> Mode:
    """jax.vmap under jit, of two copies; what is returned is the first of them, and the second must have the same bits."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            both = jax.jit(jax.vmap(lambda *inputs: function(*inputs)))(*[jnp.stack([each, each]) for each in inputs])
            if not bool((_modes.bits(both[0]) == _modes.bits(both[1])).all()):
                raise ArithmeticError("two equal elements of the batch came out differently")
            return both[0]

        return call

    return Mode("vmap", wrap)


def exported() -> Mode:
    """jax.export, written and read again."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            from jax import export

            shapes = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in inputs]
            try:
                packed = export.export(jax.jit(lambda *inputs: function(*inputs)))(*shapes).serialize()
            except ImportError:  # what writes it is a package of its own
                return export.export(jax.jit(lambda *inputs: function(*inputs)))(*shapes).call(*inputs)
            return export.deserialize(packed).call(*inputs)

        return call

    return Mode("export", wrap)


def _within(name: str, context: Callable[[], contextlib.AbstractContextManager[Any]]) -> Mode:
    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            with context():
                return function(*inputs)

        return call

    return Mode(name, wrap)


def _normalized(x: Any, gamma: Any, beta: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * gamma + beta


def _attention(query: Any, key: Any, value: Any) -> Any:
    return jax.nn.dot_product_attention(*[each.swapaxes(1, 2) for each in (query, key, value)]).swapaxes(1, 2)


# What `python -m assay.jax` judges, by the samples of _modes. JAX has no layer norm: that one is written as people write it.
FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "exp": jnp.exp, "tanh": jnp.tanh, "erf": jax.scipy.special.erf, "sigmoid": jax.nn.sigmoid, "relu": jax.nn.relu, "silu": jax.nn.silu,
    "gelu": lambda x: jax.nn.gelu(x, approximate=False), "softplus": jax.nn.softplus, "log": jnp.log, "rsqrt": jax.lax.rsqrt, "add": jnp.add, "mul": jnp.multiply,
    "sum": lambda x: x.sum(1), "mean": lambda x: x.mean(1), "cumsum": lambda x: jnp.cumsum(x, 1), "softmax": lambda x: jax.nn.softmax(x, 1),
    "softmax of columns": lambda x: jax.nn.softmax(x, 0), "log_softmax": lambda x: jax.nn.log_softmax(x, 1), "layer_norm": _normalized,
    "rms_norm": lambda x, gamma: x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gamma, "matmul": jnp.matmul, "linear": lambda x, w: x @ w.T,
    "conv2d": lambda x, w: jax.lax.conv_general_dilated(x, w, (2, 2), ((1, 1), (1, 1))),
    "attention": _attention,
}


def modes_here() -> List[Mode]:
    """Those of a table on a CPU."""
    return [eager(), jit(), jit(xla_allow_excess_precision=False), vectorized(), exported(), *[matmul_precision(each) for each in ("default", "high", "highest", "bfloat16")]]


def main(words: Sequence[str]) -> int:
    """Modes × operations."""
    return _modes.program("assay.jax", FUNCTIONS, modes_here(), lambda array, dtype: jnp.asarray(array, _DTYPES[dtype]), words,
                          f"JAX {jax.__version__} on {jax.default_backend()}", judge)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
