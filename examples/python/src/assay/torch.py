"""One function of PyTorch under several execution modes: which is right, which is off, and where they merely differ.

Parity with eager proves little, since eager may be the one that is off. Here every mode is held against the derived bound of
the operation, and against the first mode bit for bit.

    import assay.torch as modes
    found = modes.judge("softmax", lambda x: torch.softmax(x, 1), [x], [modes.eager(), modes.compiled()], dim=1)
    print(found)
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

import torch
from torch.nn import functional

from . import _modes
from ._modes import Finding, Judgement, Mode

__all__ = ["Finding", "Judgement", "Mode", "autocast", "channels_last", "compiled", "deterministic", "eager", "exported", "judge", "matmul_precision", "modes_here", "traced"]


def eager() -> Mode:
    """As it is written."""
    return Mode("eager", lambda function: function)


def compiled(backend: str = "inductor", dynamic: Optional[bool] = None, **options: Any) -> Mode:
    """torch.compile; `options` are its options, such as emulate_precision_casts=True."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        torch._dynamo.reset()  # at its limit of recompilations it would run eager in silence, and eager would be judged
        more = {"options": options} if options else {}
        return torch.compile(function, backend=backend, dynamic=dynamic, **more)  # type: ignore[call-overload, no-any-return]

    name = "compile" + ("" if backend == "inductor" else f" {backend}") + (" dynamic" if dynamic else "")
    return Mode(name + "".join(f" {key}={value}" for key, value in options.items()), wrap)


def traced() -> Mode:
    """torch.jit.trace of the very inputs."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *inputs: torch.jit.trace(function, inputs, check_trace=False)(*inputs)

    return Mode("jit.trace", wrap)


def exported() -> Mode:
    """torch.export of the very inputs."""

    class Module(torch.nn.Module):
        def __init__(self, function: Callable[..., Any]):
            super().__init__()
            self.function = function

        def forward(self, *inputs: Any) -> Any:
            return self.function(*inputs)

    return Mode("export", lambda function: lambda *inputs: torch.export.export(Module(function), inputs).module()(*inputs))


def autocast(dtype: torch.dtype = torch.bfloat16, device: str = "cpu") -> Mode:
    """torch.autocast: products take their factors rounded to `dtype`, and are judged by that."""
    return _within(f"autocast {_short(dtype)}", lambda: torch.autocast(device, dtype), rounds=dtype)


def matmul_precision(precision: str) -> Mode:
    """torch.set_float32_matmul_precision: "medium" may round factors of float32 products to bfloat16; "high" (TF32, or pairs of bfloat16) is judged by
    float32's bound, which TF32 leaves."""

    @contextlib.contextmanager
    def setting() -> Any:
        before = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision(precision)
        try:
            yield
        finally:
            torch.set_float32_matmul_precision(before)

    return _within(f"matmul precision {precision}", setting, rounds=torch.bfloat16 if precision == "medium" else None, may=True)


def deterministic() -> Mode:
    """torch.use_deterministic_algorithms."""

    @contextlib.contextmanager
    def setting() -> Any:
        before = torch.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before)

    return _within("deterministic", setting)


def channels_last() -> Mode:
    """Tensors of four dimensions in memory format channels_last."""

    def last(tensor: Any) -> Any:
        return tensor.contiguous(memory_format=torch.channels_last) if isinstance(tensor, torch.Tensor) and tensor.dim() == 4 else tensor

    return Mode("channels_last", lambda function: lambda *inputs: function(*[last(tensor) for tensor in inputs]))


def _within(name: str, context: Callable[[], Any], rounds: Optional[torch.dtype] = None, may: bool = False) -> Mode:
    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            with context():
                return function(*inputs)

        return call

    return Mode(name, wrap, rounds, may=may)


def _short(dtype: torch.dtype) -> str:
    return {torch.bfloat16: "bf16", torch.float16: "f16", torch.float32: "f32"}.get(dtype, str(dtype).replace("torch.", ""))


def judge(operation: str, function: Callable[..., Any], inputs: Sequence[Any], modes: Sequence[Mode], **attributes: Any) -> Judgement:
    """Runs `function(*inputs)` under each mode and judges each output by the operation's derived bound, with the options and
    attributes of `assay.check`. A mode that raises an exception is an error, told by its first line."""
    with torch.no_grad():
        return _modes.judge(operation, function, inputs, modes, **attributes)


# What `python -m assay.torch` judges, by the samples of _modes.
FUNCTIONS: Dict[str, Callable[..., Any]] = {
    **{name: getattr(torch, name) for name in ("exp", "tanh", "erf", "sigmoid", "log", "rsqrt", "add", "mul", "matmul")},
    **{name: getattr(functional, name) for name in ("relu", "silu", "gelu", "softplus", "linear")},
    "sum": lambda x: x.sum(1), "mean": lambda x: x.mean(1), "cumsum": lambda x: x.cumsum(1), "softmax": lambda x: x.softmax(1),
    "softmax of columns": lambda x: x.softmax(0), "log_softmax": lambda x: x.log_softmax(1),
    "layer_norm": lambda x, gamma, beta: functional.layer_norm(x, (x.shape[-1],), gamma, beta, 1e-5),
    "rms_norm": lambda x, gamma: functional.rms_norm(x, (x.shape[-1],), gamma, 1e-5),
    "conv2d": lambda x, w: functional.conv2d(x, w, stride=2, padding=1), "attention": functional.scaled_dot_product_attention,
}


def modes_here() -> List[Mode]:
    """Those of a table on a CPU."""
    return [eager(), compiled(), traced(), exported(), autocast(), matmul_precision("medium"), channels_last(), deterministic()]


def main(words: Sequence[str]) -> int:
    """Modes × operations."""
    torch.set_num_threads(1)
    formats = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
    return _modes.program("assay.torch", FUNCTIONS, modes_here(), lambda array, dtype: torch.from_numpy(array).to(formats[dtype]), words, f"torch {torch.__version__}", judge)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
