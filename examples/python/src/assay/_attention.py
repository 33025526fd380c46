"""What PyTorch's words for attention leave to shapes, and the output that its functions do not give."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Optional, Tuple

from . import _assay
from ._tensors import Refused, view

_Given = Tuple[Optional[str], bool, Optional[_assay.Tensor], Optional[_assay.Tensor]]


def fit(found: Dict[str, Any], given: List[_Given], by_torch: bool) -> List[_Given]:
    """Extents of the problem, those of the tensors (batch, heads, tokens, depth). A kernel that does not give the logarithm of
    the sum of the exponentials is not judged by it: the right one stands in its place."""
    inputs = [tensor for _, written, tensor, _ in given if not written and tensor is not None][:3]
    if len(inputs) < 3 or any(len(tensor.shape) != 4 for tensor in inputs):
        raise Refused("attention takes query, key and value, each of (batch, heads, tokens, depth)")
    query, key, value = inputs
    found.setdefault("depth", query.shape[3])
    found.setdefault("value_depth", value.shape[3])
    found.setdefault("batch", query.shape[0])
    found.setdefault("heads", query.shape[1])
    found.setdefault("key_heads", key.shape[1])
    found.setdefault("queries", query.shape[2])
    found.setdefault("keys", key.shape[2])
    if found.pop("enable_gqa", None) is None and by_torch and query.shape[1] != key.shape[1]:
        raise Refused(f"query has {query.shape[1]} heads and key {key.shape[1]}; give enable_gqa=True where that is meant")
    if by_torch:
        found.setdefault("alignment", "top_left")
        if query.format in ("bf16", "f16"):  # its kernels hold weights in that format before they multiply them
            found.setdefault("weights", query.format)
    if found.get("dropout_p"):
        raise Refused("attention with dropout cannot be judged by its output")
    found.pop("dropout_p", None)
    written = [(name, tensor) for name, out, tensor, _ in given if out and tensor is not None]
    if len(written) > 1 or written[0][0] == "log_sum_exp":
        return given
    unknown = sorted(set(found) - {"depth", "value_depth", "batch", "heads", "key_heads", "queries", "keys", "causal", "scale", "alignment", "weights", "scores"})
    if unknown:
        raise Refused(f"with {', '.join(unknown)} the kernel's log_sum_exp is needed, too: out={{'output': y, 'log_sum_exp': l}}")
    return [*given, (None, True, view(_log_sum_exp(query, key, found), "log_sum_exp"), None)]


def _values(tensor: _assay.Tensor) -> Any:
    import numpy

    types = {"f32": "f4", "f64": "f8", "f16": "f2", "bf16": "u2"}
    if tensor.format not in types:
        raise Refused(f"attention in {tensor.format} needs the kernel's log_sum_exp, too")
    dtype = numpy.dtype(types[tensor.format])
    if 0 in tensor.shape:
        return numpy.zeros(tensor.shape)
    lowest = sum(min(0, (extent - 1) * stride) for extent, stride in zip(tensor.shape, tensor.strides))
    highest = sum(max(0, (extent - 1) * stride) for extent, stride in zip(tensor.shape, tensor.strides))
    memory = (ctypes.c_char * ((highest - lowest + 1) * dtype.itemsize)).from_address(tensor.data + lowest * dtype.itemsize)
    array = numpy.ndarray(tensor.shape, dtype, memory, -lowest * dtype.itemsize, [stride * dtype.itemsize for stride in tensor.strides])
    if tensor.format == "bf16":
        array = (array.astype("u4") << 16).view("f4")
    return array.astype("f8")


def _log_sum_exp(query: _assay.Tensor, key: _assay.Tensor, found: Dict[str, Any]) -> Any:
    import numpy

    q, k = _values(query), _values(key)
    k = numpy.repeat(k, q.shape[1] // max(k.shape[1], 1), axis=1)
    scale = float(found.get("scale") or 0) or q.shape[3] ** -0.5
    with numpy.errstate(all="ignore"):
        scores = scale * (q @ k.swapaxes(2, 3))
        if found.get("causal"):
            shift = 0 if found.get("alignment") == "top_left" else k.shape[2] - q.shape[2]
            hidden = numpy.arange(k.shape[2])[None, :] > numpy.arange(q.shape[2])[:, None] + shift
            scores[:, :, hidden] = -numpy.inf
        largest = scores.max(axis=3, keepdims=True, initial=-numpy.inf)
        safe = numpy.where(numpy.isinf(largest), 0, largest)
        return (safe[..., 0] + numpy.log(numpy.exp(scores - safe).sum(axis=3))).astype("f4")
