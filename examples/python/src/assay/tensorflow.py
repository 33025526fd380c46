"""One function of TensorFlow under several execution modes: which is right, which is off, and where they merely differ.

    import assay.tensorflow as modes
    found = modes.judge("softmax", tf.nn.softmax, [x], [modes.eager(), modes.graph(), modes.xla()], dim=-1)
    print(found)

`python -m assay.tensorflow` prints modes × operations.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Dict, Iterator, List, Sequence

import tensorflow

from . import _modes
from ._modes import Finding, Judgement, Mode, judge

__all__ = ["Finding", "Judgement", "Mode", "automatic_precision", "eager", "graph", "judge", "mixed_precision", "modes_here", "xla"]

_DTYPES = {"f32": "float32", "bf16": "bfloat16", "f16": "float16"}


def eager() -> Mode:
    """As it is written."""
    return Mode("eager", lambda function: function)


def graph(**options: bool) -> Mode:
    """tf.function; `options` are experimental ones of its optimizer, such as remapping=False."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            with _optimizer(options):
                # A function of its own, so that nothing is reused of what was traced otherwise.
                return tensorflow.function(lambda *inputs: function(*inputs), autograph=False)(*inputs)

        return call

    return Mode("graph" + "".join(f" {key}={value}" for key, value in options.items()), wrap)


def xla() -> Mode:
    """tf.function(jit_compile=True)."""
    return Mode("xla", lambda function: tensorflow.function(lambda *inputs: function(*inputs), autograph=False, jit_compile=True))


def automatic_precision(option: str = "auto_mixed_precision_onednn_bfloat16") -> Mode:
    """The graph rewrite that computes products in bfloat16 on a CPU, and gives them back as float32: it is judged by factors and results in bfloat16. It
    rewrites what it holds profitable; what it leaves alone is judged by float32."""
    plain = graph(**{option: True})
    return Mode("auto bf16", plain.wrap, tensorflow.bfloat16, may=True, gives=True)


def mixed_precision(policy: str = "mixed_bfloat16") -> Mode:
    """Keras' policy "mixed_bfloat16" or "mixed_float16", for functions that make their layers when they are called: layers take their inputs
    and weights in the lower format, and give it back."""

    @contextlib.contextmanager
    def setting() -> Iterator[None]:
        import keras

        before = keras.config.dtype_policy()
        keras.config.set_dtype_policy(policy)
        try:
            yield
        finally:
            keras.config.set_dtype_policy(before)

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            with setting():
                return function(*inputs)

        return call

    return Mode(policy.replace("_", " "), wrap, {"mixed_bfloat16": tensorflow.bfloat16, "mixed_float16": tensorflow.float16}.get(policy), rounded=None)


@contextlib.contextmanager
def _optimizer(options: Dict[str, bool]) -> Iterator[None]:
    before = tensorflow.config.optimizer.get_experimental_options()
    tensorflow.config.optimizer.set_experimental_options(options)
    try:
        yield
    finally:
        # An option stays as it was set until it is set otherwise.
        tensorflow.config.optimizer.set_experimental_options({**{name: not value for name, value in options.items()}, **before})


def _normalized(x: Any, gamma: Any, beta: Any) -> Any:
    mean, variance = tensorflow.nn.moments(x, [-1], keepdims=True)
    return tensorflow.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-5)


def _root_mean_square(x: Any, gamma: Any) -> Any:
    return x * tensorflow.math.rsqrt(tensorflow.reduce_mean(x * x, -1, keepdims=True) + tensorflow.cast(1e-5, x.dtype)) * gamma


def _convolution(x: Any, w: Any) -> Any:
    """TensorFlow has its channels last on a CPU."""
    image = tensorflow.pad(tensorflow.transpose(x, (0, 2, 3, 1)), ((0, 0), (1, 1), (1, 1), (0, 0)))
    return tensorflow.transpose(tensorflow.nn.conv2d(image, tensorflow.transpose(w, (2, 3, 1, 0)), 2, "VALID"), (0, 3, 1, 2))


def _attention(query: Any, key: Any, value: Any) -> Any:
    scores = tensorflow.matmul(query, key, transpose_b=True) * tensorflow.cast(query.shape[-1] ** -0.5, query.dtype)
    return tensorflow.matmul(tensorflow.nn.softmax(scores), value)


# What `python -m assay.tensorflow` judges, by the samples of _modes. What TensorFlow has no function for is written as people write it.
FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "exp": tensorflow.exp, "tanh": tensorflow.tanh, "erf": tensorflow.math.erf, "sigmoid": tensorflow.sigmoid, "relu": tensorflow.nn.relu,
    "silu": tensorflow.nn.silu, "gelu": lambda x: tensorflow.nn.gelu(x, approximate=False), "softplus": tensorflow.nn.softplus, "log": tensorflow.math.log,
    "rsqrt": tensorflow.math.rsqrt, "add": tensorflow.add, "mul": tensorflow.multiply, "sum": lambda x: tensorflow.reduce_sum(x, 1),
    "mean": lambda x: tensorflow.reduce_mean(x, 1), "cumsum": lambda x: tensorflow.cumsum(x, 1), "softmax": lambda x: tensorflow.nn.softmax(x, 1),
    "softmax of columns": lambda x: tensorflow.nn.softmax(x, 0), "log_softmax": lambda x: tensorflow.nn.log_softmax(x, 1), "layer_norm": _normalized,
    "rms_norm": _root_mean_square, "matmul": tensorflow.matmul, "linear": lambda x, w: tensorflow.matmul(x, w, transpose_b=True), "conv2d": _convolution,
    "attention": _attention,
}


def modes_here() -> List[Mode]:
    """Those of a table on a CPU."""
    return [eager(), graph(), xla(), automatic_precision()]


def main(words: Sequence[str]) -> int:
    """Modes × operations."""
    return _modes.program("assay.tensorflow", FUNCTIONS, modes_here(), lambda array, dtype: tensorflow.cast(tensorflow.constant(array), _DTYPES[dtype]), words,
                          f"TensorFlow {tensorflow.__version__}", judge)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
