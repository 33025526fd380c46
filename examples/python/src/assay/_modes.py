"""Execution modes of a framework, held against the derived bound: what assay.torch, assay.jax and assay.tensorflow have in common."""

from __future__ import annotations

import argparse
import difflib
import fnmatch
import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy

from ._check import check
from ._outcome import Outcome
from ._tensors import Refused, view

# What automatic casts compute in their lower precision; the rest keeps float32.
PRODUCTS = ("linear", "matmul", "bmm", "mm", "scaled_dot_product_attention", "conv1d", "conv2d", "conv3d")
_SIXTEEN_BITS = ("bf16", "f16")


def is_floating(tensor: Any) -> bool:
    """Of any framework: whether it holds floating-point numbers."""
    if hasattr(tensor, "is_floating_point"):
        return bool(tensor.is_floating_point())
    name = getattr(tensor.dtype, "name", str(tensor.dtype))
    return "float" in str(name)


def cast(tensor: Any, dtype: Any) -> Any:
    """A tensor of any framework in the format `dtype` of that framework."""
    library = type(tensor).__module__.split(".")[0]
    if library == "torch":
        return tensor.to(dtype)
    if library == "tensorflow":
        import tensorflow

        return tensorflow.cast(tensor, dtype)
    return tensor.astype(dtype)


def bits(tensor: Any) -> Any:
    """The bits of a tensor of any framework as an array of unsigned integers."""
    if type(tensor).__module__.split(".")[0] == "torch":
        import torch

        integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
        array = tensor.detach().cpu().contiguous().view(integer).numpy()
    else:
        array = numpy.ascontiguousarray(tensor.numpy() if hasattr(tensor, "numpy") else tensor)
    return array.view(f"u{array.dtype.itemsize}")


@dataclass(frozen=True)
class Mode:
    """A way to execute a function. `rounds`: the format to which it rounds the inputs of the operations `rounded` (None: of all), as it
    documents; it is judged by that. `may`: it is free to leave them as they are, as precisions of products are. `gives`: what it returns may be
    rounded to that format, too, though it bears the format of the inputs."""

    name: str
    wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
    rounds: Any = None
    rounded: Optional[Tuple[str, ...]] = field(default=PRODUCTS)
    may: bool = False
    gives: bool = False

    def promised(self, operation: str, inputs: Sequence[Any]) -> List[List[Any]]:
        """The inputs as the mode may take them, one way or the other."""
        if not self._applies(operation):
            return [list(inputs)]
        rounded = [cast(tensor, self.rounds) if tensor is not None and is_floating(tensor) else tensor for tensor in inputs]
        return [list(inputs), rounded] if self.may else [rounded]

    def returned(self, operation: str, output: Any) -> Any:
        """What is judged: the output, in the lower format where each of its elements is one of that format, and that is what the mode promises."""
        if not self.gives or not self._applies(operation) or not is_floating(output):
            return output
        low = cast(output, self.rounds)
        back = cast(low, output.dtype)
        return low if back.shape == output.shape and bool((bits(back) == bits(output)).all()) else output

    def _applies(self, operation: str) -> bool:
        return self.rounds is not None and (self.rounded is None or operation in self.rounded)


@dataclass
class Finding:
    """What one mode has computed. `differing`: elements whose bits are not the first mode's; None: another format, or nothing to compare.
    `explained`: where it fails, the format of 16 bits in which intermediate results need only be kept for it to be right; with a question mark where the
    bound of such results is void for some elements, which nothing refutes then; "": that does not explain it."""

    mode: str
    outcome: Optional[Outcome]
    output: Any
    differing: Optional[int] = None
    error: str = ""
    explained: str = ""

    @property
    def verdict(self) -> str:
        """"pass", "fail", …; "error" where the mode raised an exception."""
        return self.outcome.verdict if self.outcome is not None else "error"

    @property
    def cell(self) -> str:
        """In a table: the largest error by the allowed one, and what that means."""
        if self.outcome is None:
            return "error"
        ratio = f"{self.outcome.worst_error_ratio:.2g}"
        if self.verdict == "pass":
            return ratio
        return f"{self.verdict} {ratio}" + (f" {self.explained}" if self.explained else "") if self.verdict == "fail" else self.verdict


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
        differing = [f"{each.mode} in {each.differing} of {bits(each.output).size} elements" for each in right if each.differing]
        said = []
        for each in self.findings:
            if each.outcome is not None and each.verdict == "fail":
                said.append(f"{each.mode} is off: {each.outcome.violations} elements, the worst by {each.outcome.worst_error_ratio:.3g} times what is allowed"
                            + (f", as intermediate results in {each.explained.rstrip('?')} {'may' if each.explained.endswith('?') else 'would'} be" if each.explained else ""))
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
    attributes of `assay.check`. A mode that raises an exception is an error, told by its first line."""
    findings: List[Finding] = []
    for mode in modes:
        try:
            output = mode.wrap(function)(*inputs)
        except Exception as error:  # of any compiler
            lines = str(error).strip().splitlines()
            findings.append(Finding(mode.name, None, None, None, f"{type(error).__name__}: {lines[0] if lines else ''}"[:200]))
            continue
        outcome: Optional[Outcome] = None
        refusal = explained = ""
        try:
            given, taken = mode.returned(operation, output), list(inputs)
            for taken in mode.promised(operation, inputs):
                outcome = check(operation, given, taken, **attributes)
                if outcome:
                    break
            if outcome is not None and outcome.verdict == "fail" and "accumulator" not in attributes:
                explained = _explained(operation, given, taken, attributes)
        except Refused as error:
            outcome, refusal = None, str(error)
        first = findings[0].output if findings else None
        differing = None
        if first is not None and first.dtype == output.dtype and first.shape == output.shape:
            differing = int((bits(first) != bits(output)).sum())
        findings.append(Finding(mode.name, outcome, output, differing, refusal, explained))
    return Judgement(operation, findings)


def _explained(operation: str, output: Any, inputs: Sequence[Any], attributes: Mapping[str, Any]) -> str:
    """The output's format, if it has 16 bits, and intermediate results that are kept in it explain the output."""
    seen = view(output, "output")
    if seen is None or seen.format not in _SIXTEEN_BITS:
        return ""
    verdict = check(operation, output, inputs, **{**attributes, "accumulator": seen.format, "diagnosis": False}).verdict
    return {"pass": seen.format, "inconclusive": seen.format + "?"}.get(verdict, "")


# --- modes × operations -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """Inputs of an operation, in float64, with its attributes."""

    operation: str
    inputs: Tuple[Any, ...]
    attributes: Dict[str, Any] = field(default_factory=dict)


def samples() -> Dict[str, Sample]:
    """What a table is made of, by name. Images are batch × channels × height × width; of attention, batch × heads × tokens × width."""
    random = numpy.random.default_rng(0)

    def normal(*shape: int, scale: float = 1.0) -> Any:
        return random.standard_normal(shape) * scale

    x, factors = normal(64, 200), (normal(48, 160), normal(160, 40))
    found = {name: Sample(name, (3 * x,)) for name in ("exp", "tanh", "erf", "sigmoid", "relu", "silu", "gelu", "softplus")}
    found["log"] = Sample("log", (numpy.abs(x) + 0.01,))
    found["rsqrt"] = Sample("rsqrt", (numpy.abs(x) + 0.01,))
    found["add"] = Sample("add", (x, normal(64, 200)))
    found["mul"] = Sample("mul", (x, normal(64, 200)))
    found.update({name: Sample(name, (x,), {"dim": 1}) for name in ("sum", "mean", "cumsum", "softmax", "log_softmax")})
    found["softmax of columns"] = Sample("softmax", (x,), {"dim": 0})
    found["layer_norm"] = Sample("layer_norm", (x, 1 + normal(200, scale=0.1), normal(200, scale=0.1)), {"eps": 1e-5})
    found["rms_norm"] = Sample("rms_norm", (x, 1 + normal(200, scale=0.1)), {"eps": 1e-5})
    found["matmul"] = Sample("matmul", factors)
    found["linear"] = Sample("linear", (factors[0], normal(40, 160, scale=0.1)))
    found["conv2d"] = Sample("conv2d", (normal(2, 6, 13, 11), normal(8, 6, 3, 3, scale=0.1)), {"stride": 2, "padding": 1})
    found["attention"] = Sample("scaled_dot_product_attention", (normal(2, 3, 24, 16), normal(2, 3, 24, 16), normal(2, 3, 24, 16)))
    return found


@dataclass
class Table:
    """Judgements by operation and format."""

    rows: List[Tuple[str, str, Judgement]]
    modes: List[str]

    def __getitem__(self, place: Tuple[str, str]) -> Judgement:
        return next(found for name, dtype, found in self.rows if (name, dtype) == place)

    def __repr__(self) -> str:
        cells = [[name, dtype, *(each.cell + (" ≠" if each.differing else "") for each in found.findings)] for name, dtype, found in self.rows]
        head = ["operation", "format", *self.modes]
        wide = [max(len(row[column]) for row in [head, *cells]) + 2 for column in range(len(head))]
        return "\n".join("".join(f"{cell:{width}s}" for cell, width in zip(row, wide)).rstrip() for row in [head, *cells])


def tabulate(functions: Mapping[str, Callable[..., Any]], modes: Sequence[Mode], give: Callable[[Any, str], Any], dtypes: Sequence[str],
             judging: Callable[..., Judgement] = judge) -> Table:
    """Each function, of the sample of its name, under each mode in each format. `give(array, dtype)` makes a tensor of the framework."""
    rows = []
    for name, sample in samples().items():
        if name not in functions:
            continue
        for dtype in dtypes:
            inputs = [give(array, dtype) for array in sample.inputs]
            rows.append((name, dtype, judging(sample.operation, functions[name], inputs, modes, diagnosis=False, **sample.attributes)))
    return Table(rows, [mode.name for mode in modes])


def program(module: str, functions: Mapping[str, Callable[..., Any]], modes: Sequence[Mode], give: Callable[[Any, str], Any], words: Sequence[str],
            version: str, judging: Callable[..., Judgement] = judge) -> int:
    """Prints modes × operations. The exit code is the tool's: 0 nothing wrong, 1 something failed, 2 a wrong question."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description="modes × operations: the largest error by the allowed one; where that fails, the "
                                     "format of intermediate results that explains it; ≠ where bits differ from those of the first mode")
    parser.add_argument("--op", default="*", help="names or globs of operations, comma-separated")
    parser.add_argument("--mode", default="*", help="names or globs of modes, comma-separated")
    parser.add_argument("--dtype", default="f32,bf16,f16", help="of f32, bf16, f16; comma-separated")
    arguments = parser.parse_args(list(words))

    def chosen(what: str, patterns: str, names: Sequence[str]) -> List[str]:
        for pattern in patterns.split(","):
            if not fnmatch.filter(names, pattern):
                near = difflib.get_close_matches(pattern, names, n=3)
                print(f"{module}: no {what} matches {pattern!r}; " + (f"nearest: {', '.join(near)}" if near else f"known: {', '.join(names)}"), file=sys.stderr)
                raise SystemExit(2)
        return [name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split(","))]

    names = chosen("operation", arguments.op, list(functions))
    kept = chosen("mode", arguments.mode, [mode.name for mode in modes])
    dtypes = chosen("dtype", arguments.dtype, ["f32", "bf16", "f16"])
    found = tabulate({name: functions[name] for name in names}, [mode for mode in modes if mode.name in kept], give, dtypes, judging)
    print(version)
    print(found)
    return 1 if any(not judged for _, _, judged in found.rows) else 0
