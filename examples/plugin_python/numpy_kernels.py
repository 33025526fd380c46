"""Kernels of NumPy. `assay run --python numpy_kernels.py` validates them."""

import numpy

name, version = "numpy", numpy.__version__


def gemm(A, B, C=None, alpha=1.0, beta=0.0):
    """alpha·A·B + beta·C, of (batch, rows, columns); there is no C where beta is 0."""
    product = A.dtype.type(alpha) * (A @ B)
    return product if C is None else product + A.dtype.type(beta) * C


def softmax(x, dim, temperature=1.0, logarithm=False):
    """Along `dim`; the suites have rows without elements, too."""
    if x.shape[dim] == 0:
        return x
    shifted = (x - x.max(axis=dim, keepdims=True)) / x.dtype.type(temperature)
    power = numpy.exp(shifted)
    total = power.sum(axis=dim, keepdims=True)
    return shifted - numpy.log(total) if logarithm else power / total


def layer_norm(x, gamma=None, beta=None, eps=1e-5):
    """Of rows, in two passes."""
    deviation = x - x.mean(axis=1, keepdims=True)
    y = deviation / numpy.sqrt((deviation * deviation).mean(axis=1, keepdims=True) + x.dtype.type(eps))
    y = y if gamma is None else y * gamma
    return y if beta is None else y + beta


def reduce_with(function):
    """A reduction along the middle one of three dimensions."""
    return lambda x, axis, keepdims: function(x, axis=axis, keepdims=bool(keepdims))


def cumsum(x, axis, exclusive=False):
    """Prefix sums; those that leave the element itself out are not offered."""
    if exclusive:
        raise NotImplementedError("numpy.cumsum is inclusive")
    return numpy.cumsum(x, axis=axis, dtype=x.dtype)


_halves = ["f32.f32", "f16.f16"]

kernels = {
    "gemm": {"function": gemm, "formats": ["f32.f32.f32", "f64.f64.f64"]},
    "softmax": {"function": softmax, "formats": ["f32.f32"]},
    "layer_norm": {"function": layer_norm, "formats": ["f32.f32.f32"]},
    "sum": {"function": reduce_with(numpy.sum), "formats": ["f32.f32"]},
    "mean": {"function": reduce_with(numpy.mean), "formats": ["f32.f32"]},
    "prod": {"function": reduce_with(numpy.prod), "formats": ["f32.f32"]},
    "cumsum": {"function": cumsum, "formats": ["f32.f32"]},
    **{each: {"function": getattr(numpy, each), "formats": _halves} for each in ("exp", "log", "sin", "cos", "tanh", "sqrt")},
}
