"""Kernels of PyTorch, on the device ASSAY_DEVICE, or on the CPU. `assay run --python torch_kernels.py` validates them."""

import os

import torch
from torch.nn import functional

name, version = "torch", torch.__version__
framework, device = "torch", os.environ.get("ASSAY_DEVICE", "cpu")


def has_bf16_dot_products():
    """Whether products of bfloat16 are computed by VDPBF16PS or TDPBF16PS, which take subnormal numbers for 0, as Intel documents."""
    try:
        with open("/proc/cpuinfo") as file:
            return device == "cpu" and "avx512_bf16" in file.read()
    except OSError:
        return False


flushing = "flush_products=bf16" if has_bf16_dot_products() else None
floats = ["f32", "bf16", "f16"]
same, thrice = [f"{each}.{each}" for each in floats], [f"{each}.{each}.{each}" for each in floats]


def gemm(A, B, C=None, alpha=1.0, beta=0.0):
    """Where beta is 0, C is not read."""
    return torch.baddbmm(torch.empty((), dtype=A.dtype, device=A.device) if C is None else C, A, B, beta=beta, alpha=alpha)


def attention(query, key, value, is_causal, alignment, scale):
    """Of as many key heads as heads; the public function does not give the logarithm of the sum of the exponentials."""
    if query.shape[1] != key.shape[1] or (is_causal and alignment != "top_left"):
        raise NotImplementedError("no grouped heads here, and is_causal puts the first key on the diagonal of the first query")
    if query.numel() == 0 or key.numel() == 0:
        raise NotImplementedError("this operator ends the process where there are no queries or no keys; the public function does not call it then")
    return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(query, key, value, is_causal=bool(is_causal), scale=scale or None)


def log_softmax(x, dim):
    """The suite's softmax has the logarithm as a member: both functions are kernels of it."""
    return functional.log_softmax(x, dim)


kernels = {
    "gemm": {"function": gemm, "formats": ["f32.f32.f32", "bf16.f32.bf16", "f16.f32.f16", "f64.f64.f64"], "promises": flushing},
    "softmax": {"function": lambda x, dim: functional.softmax(x, dim), "formats": same},
    "log_softmax": {"function": log_softmax, "formats": same},
    "layer_norm": {"function": lambda x, normalized_shape, gamma, beta, eps: functional.layer_norm(x, normalized_shape, gamma, beta, eps), "formats": thrice},
    "rms_norm": {"function": lambda x, normalized_shape, gamma, eps: functional.rms_norm(x, normalized_shape, gamma, eps), "formats": thrice},
    **{each: {"function": lambda x, applied=getattr(functional, each): applied(x), "formats": same} for each in ("gelu", "silu", "softplus", "relu")},
    "gelu_tanh": {"function": lambda x: functional.gelu(x, approximate="tanh"), "formats": same},
    **{each: {"function": getattr(torch, each), "formats": same} for each in ("sigmoid", "exp", "log", "sin", "cos", "tanh", "erf", "sqrt", "rsqrt")},
}
if device == "cpu":  # flash attention stores weights in the format of its operands, which the problem's formats say: "-pbf16"
    kernels["attention"] = {"function": attention, "formats": ["f32.f32.f32", "bf16.bf16.bf16-pbf16", "f16.f16.f16-pf16"], "promises": flushing}
