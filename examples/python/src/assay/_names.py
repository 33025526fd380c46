"""How frameworks call what Assay knows by other names."""

from __future__ import annotations

from typing import Any, Dict, Tuple

# As frameworks call operations: Assay's name, and what its members must be.
NAMES: Dict[str, Tuple[str, Dict[str, Any]]] = {
    "log_softmax": ("softmax", {"logarithm": True}),
    "layer_norm": ("layernorm", {}),
    "rms_norm": ("rmsnorm", {}),
    "group_norm": ("groupnorm", {}),
    "batch_norm": ("batchnorm", {}),
    "matmul": ("fused_gemm", {}),
    "mm": ("fused_gemm", {}),
    "bmm": ("fused_gemm", {}),
    "gemm": ("fused_gemm", {}),
    "linear": ("fused_gemm", {"transpose_b": True}),
    "scaled_dot_product_attention": ("attention", {}),
    "conv1d": ("convolution", {"dimensions": 1}),
    "conv2d": ("convolution", {"dimensions": 2}),
    "conv3d": ("convolution", {"dimensions": 3}),
    "sum": ("reduce_sum", {}),
    "mean": ("reduce_mean", {}),
    "prod": ("reduce_product", {}),
    "amax": ("reduce_maximum", {}),
    "amin": ("reduce_minimum", {}),
    "argmax": ("reduce_argmax", {}),
    "argmin": ("reduce_argmin", {}),
    "var": ("reduce_variance", {"correction": 1}),
    "cumsum": ("reduce_prefix_sum", {}),
    "mul": ("multiply", {}),
    "sub": ("subtract", {}),
    "div": ("divide", {}),
    "true_divide": ("divide", {}),
    "normalize": ("l2_normalize", {}),
    "topk": ("top_k", {}),
    "swish": ("silu", {}),
}

# As frameworks call members. Members that several operations have bear one name.
WORDS = {"dim": "axis", "eps": "epsilon", "keepdim": "keep_extent", "keepdims": "keep_extent", "is_causal": "causal", "num_groups": "groups",
         "ddof": "correction", "label_smoothing": "smoothing", "ignore_index": "ignored_label", "lr": "learning_rate"}


def kernel_operation(name: str) -> Tuple[str, Dict[str, Any]]:
    """The operation of suites that a kernel called `name` is of, and what its members must be: products are the suite's gemm."""
    return ("gemm", {}) if name in ("gemm", "matmul", "mm", "bmm") else NAMES.get(name, (name, {}))
