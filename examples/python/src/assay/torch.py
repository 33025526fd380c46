"""One function of PyTorch under several execution modes: which is right, which is off, and where they merely differ.

Parity with eager proves little, since eager may be the one that is off. Here every mode is held against the derived bound of
the operation, and against the first mode bit for bit.

    import assay.torch as modes
    found = modes.judge("softmax", lambda x: torch.softmax(x, 1), [x], [modes.eager(), modes.compiled()], dim=1)
    print(found)
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch

from ._check import check
from ._outcome import Outcome
from ._tensors import Refused

# What torch.autocast computes in its lower precision; the rest keeps float32.
_LOW = ("linear", "matmul", "bmm", "mm", "scaled_dot_product_attention", "conv1d", "conv2d", "conv3d")


@dataclass(frozen=True)
class Mode:
    """A way to execute a function. `rounds`: the format to which it rounds the inputs of the operations `rounded`, as it documents; it is
    judged by that. `may`: it is free to leave them as they are, as precisions of products are."""

    name: str
    wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
    rounds: Optional[torch.dtype] = None
    rounded: Tuple[str, ...] = field(default=_LOW)
    may: bool = False

    def promised(self, operation: str, inputs: Sequence[Any]) -> List[List[Any]]:
        """The inputs as the mode may take them, one way or the other."""
        if self.rounds is None or operation not in self.rounded:
            return [list(inputs)]
        rounded = [tensor.to(self.rounds) if tensor is not None and tensor.is_floating_point() else tensor for tensor in inputs]
        return [list(inputs), rounded] if self.may else [rounded]


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


@dataclass
class Finding:
    """What one mode has computed. `differing`: elements whose bits are not the first mode's; None: another dtype, or nothing to compare."""

    mode: str
    outcome: Optional[Outcome]
    output: Any
    differing: Optional[int] = None
    error: str = ""

    @property
    def verdict(self) -> str:
        """"pass", "fail", …; "error" where the mode raised an exception."""
        return self.outcome.verdict if self.outcome is not None else "error"


@dataclass
class Judgement:
    """All modes on one operation; truthy if all pass."""

    operation: str
    findings: List[Finding]

    def __bool__(self) -> bool:
        return all(each.verdict == "pass" for each in self.findings)

    def __getitem__(self, mode: str) -> Finding:
        return next(each for each in self.findings if each.mode == mode)

    @property
    def off(self) -> List[str]:
        """The modes that leave the bound, or raise."""
        return [each.mode for each in self.findings if each.verdict != "pass"]

    @property
    def sentence(self) -> str:
        """Who is right."""
        right = [each for each in self.findings if each.verdict == "pass"]
        differing = [f"{each.mode} in {each.differing} of {each.output.numel()} elements" for each in right[:] if each.differing]
        said = []
        for each in self.findings:
            if each.outcome is not None and each.verdict == "fail":
                said.append(f"{each.mode} is off: {each.outcome.violations} elements, the worst by {each.outcome.worst_error_ratio:.3g} times what is allowed")
            elif each.verdict != "pass":
                said.append(f"{each.mode} was not judged: {each.error or each.verdict}")
        if right and said:
            said.append(f"{', '.join(each.mode for each in right)} within the bound")
        elif right:
            said.append("all within the bound")
        if differing and self.findings[0].verdict == "pass":
            said.append(f"merely different from {self.findings[0].mode}: {', '.join(differing)}")
        elif right and not self.off and not differing:
            said.append("bits agree")
        return f"{self.operation}: " + "; ".join(said)

    def __repr__(self) -> str:
        lines = [self.sentence]
        for each in self.findings:
            ratio = f"{each.outcome.worst_error_ratio:10.3g}" if each.outcome is not None else " " * 10
            lines.append(f"  {each.mode:28s} {each.verdict:8s} error/allowed {ratio}" + ("" if each.differing is None else f"  differs in {each.differing}")
                         + (f"  {each.error}" if each.error else ""))
        return "\n".join(lines)


def judge(operation: str, function: Callable[..., Any], inputs: Sequence[Any], modes: Sequence[Mode], **attributes: Any) -> Judgement:
    """Runs `function(*inputs)` under each mode and judges each output by the operation's derived bound, with the options and
    attributes of `assay.check`. A mode that raises an exception is an error, told by its last line."""
    findings: List[Finding] = []
    for mode in modes:
        try:
            with torch.no_grad():
                output = mode.wrap(function)(*inputs)
        except Exception as error:  # of any compiler
            lines = str(error).strip().splitlines()
            findings.append(Finding(mode.name, None, None, None, f"{type(error).__name__}: {lines[0] if lines else ''}"[:200]))
            continue
        try:
            outcome: Optional[Outcome] = None
            for taken in mode.promised(operation, inputs):
                outcome = check(operation, output, taken, **attributes)
                if outcome:
                    break
            refusal = ""
        except Refused as error:
            outcome, refusal = None, str(error)
        first = findings[0].output if findings else None
        differing = None
        if first is not None and first.dtype == output.dtype and first.shape == output.shape:
            differing = int((_bits(first) != _bits(output)).sum())
        findings.append(Finding(mode.name, outcome, output, differing, refusal))
    return Judgement(operation, findings)


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.detach().contiguous().view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()])
