"""Mistakes that are made: each has its operation, and Assay says what is wrong."""

import ctypes
import os
import signal
import sys
import time

import numpy

name = "mistaken"


def softmax(x, dim):
    """The maximum is not subtracted."""
    power = numpy.exp(x)
    return power / power.sum(axis=dim, keepdims=True)


def layer_norm(x, gamma=None, beta=None, eps=1e-5):
    """Divides by n − 1."""
    y = (x - x.mean(axis=1, keepdims=True)) / numpy.sqrt(x.var(axis=1, ddof=1, keepdims=True) + x.dtype.type(eps))
    return (y if gamma is None else y * gamma) + (x.dtype.type(0) if beta is None else beta)


def gemm(A, B):
    """In half precision."""
    return (A.astype("f2") @ B.astype("f2")).astype("f4")


def relu(x):
    """Swallows NaN."""
    return numpy.where(x > 0, x, numpy.float32(0))


def tanh(x):
    """A rational function that is off by parts in a thousand."""
    return (x * (27 + x * x) / (27 + 9 * x * x)).astype("f4")


def mean(x, axis, keepdims):
    """The last element is lost, and the count is not."""
    return x[:, :-1].sum(axis=axis, keepdims=bool(keepdims)) / x.dtype.type(max(x.shape[1], 1))


def cumsum(x, axis):
    """In half precision."""
    return numpy.cumsum(x.astype("f2"), axis=axis, dtype="f2").astype("f4")


def add(x, y):
    """Rounds to bfloat16 by cutting bits off."""
    return ((x + y).view("u4") & numpy.uint32(0xFFFF0000)).view("f4")


def multiply(x, y):
    """Writes beside its input, where it must not."""
    memory = (ctypes.c_float * 1).from_address(x.ctypes.data - 4) if x.size else [0]
    memory[0] = 1.0
    return x * y


def silu(x):
    """Flushes small results."""
    with numpy.errstate(all="ignore"):
        y = (x / (1 + numpy.exp(-x))).astype("f4")
    return numpy.where(numpy.abs(y) < 1e-4, numpy.float32(0), y)


def exp(x):
    """Raises an exception."""
    return numpy.exp(x.reshape(7, -1))


def sqrt(x):
    """Returns another shape."""
    return numpy.sqrt(x).reshape(-1)[:-1]


def log(x):
    """Returns another type."""
    return numpy.log(x.astype("f8"))


def sin(x):
    """Forgets to return."""
    numpy.sin(x)


def cos(x):
    """Aborts."""
    if x.size == 31:
        os.abort()
    return numpy.cos(x)


def erf(x):
    """Reads where nothing is."""
    ctypes.string_at(8)


def sigmoid(x):
    """Never returns."""
    while x.size == 31:
        time.sleep(1)
    return (1 / (1 + numpy.exp(-x))).astype("f4")


def softplus(x):
    """Ends the process, and says that all is well."""
    os._exit(0)


def gelu(x):
    """Ends the interpreter."""
    sys.exit(3)


def rsqrt(x):
    """Is killed, as where memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


kernels = {each.__name__: {"function": each, "formats": ["f32*"]} for each in (softmax, layer_norm, gemm, relu, tanh, mean, cumsum, add, multiply, silu, exp, sqrt, log,
                                                                             sin, cos, erf, sigmoid, softplus, gelu, rsqrt)}
