"""Every operator of PyTorch, by the samples of its own test suite, on any device.

    python -m assay.torch_operators --device cpu --dtype f32,bf16 --out report
    python -m assay.torch_operators --op 'linalg.*' --gradients --device cuda

Each result is held against the same operator in float64 (complex128) on the CPU. Where Assay has the operation, its derived bound
judges (`assay.check`). Elsewhere the allowed error is **estimated**: inputs and intermediate results of the float64 reference are
rounded at random, and what moves by s may err by 16 s and 8 units of the result. Beyond that, but within what roundings to the
format in between explain, nothing is decided. A fault that PyTorch has in float64, too, is seen by finite differences of gradients
alone. Each operator has a deadline, and one that ends the process costs itself only."""

from __future__ import annotations

import argparse
import copy
import fnmatch
import itertools
import json
import os
import platform
import selectors
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import torch

from ._check import check
from ._outcome import Report
from .torch_rounding import ROUNDOFF, Draws, changed, sensitivity, tensors_of
from ._tensors import Refused

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "c64": torch.complex64}
_ORDER = ("fail", "error", "inconclusive", "pass", "undecided", "unsupported")

# Operators that are operations of Assay: its name, and what arguments behind the first are called; "" is a tensor.
_DERIVED: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    **{name: (name, ()) for name in ("exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "erf", "sigmoid")},
    **{f"nn.functional.{name}": (name, ()) for name in ("relu", "gelu", "silu")},
    **{name: (name, ("",)) for name in ("add", "sub", "mul", "matmul", "mm", "bmm")},
    "softmax": ("softmax", ("dim",)), "log_softmax": ("log_softmax", ("dim",)), "nn.functional.linear": ("linear", ("",)),
    "nn.functional.layer_norm": ("layer_norm", ("normalized_shape", "", "")), "nn.functional.rms_norm": ("rms_norm", ("normalized_shape", "")),
    **{name: (name, ("dim", "keepdim")) for name in ("sum", "mean", "prod", "amax", "amin")}, "cumsum": ("cumsum", ("dim",)),
}


@dataclass
class Finding:
    """What came of one sample. `ratio`: the largest error by the allowed one; `bound`: "derived" or "estimated"."""

    verdict: str
    reason: str = ""
    ratio: float = 0.0
    bound: str = "estimated"
    elements: int = 0
    undecided: int = 0


@dataclass
class Outcome:
    """An operator in one format, forward or backward, over all its samples."""

    operator: str
    device: str
    dtype: str
    direction: str
    findings: List[Finding] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def worst(self) -> Finding:
        """The finding that decides."""
        order = {verdict: place for place, verdict in enumerate(_ORDER)}
        return min(self.findings, key=lambda each: (order[each.verdict], -each.ratio)) if self.findings else Finding("unsupported", "there are no samples")

    @property
    def reason(self) -> str:
        """Why."""
        return self.worst.reason

    @property
    def verdict(self) -> str:
        """Of the worst sample; "unsupported" where none could be judged."""
        return "inconclusive" if self.worst.verdict == "undecided" else self.worst.verdict

    def json(self) -> Dict[str, Any]:
        """In the tool's form."""
        worst, judged = self.worst, [each for each in self.findings if each.verdict != "unsupported"]
        ratio = max((each.ratio for each in judged), default=0.0)
        bound = "derived" if judged and all(each.bound == "derived" for each in judged) else "estimated"
        measured = {"samples": len(judged), "elements": sum(each.elements for each in judged), "undecided_elements": sum(each.undecided for each in judged)}
        return {"id": f"{self.operator}/torch.{self.device}/{self.dtype}/samples/{self.direction}", "verdict": self.verdict, "reason": worst.reason,
                "labels": {"operation": self.operator, "backend": f"torch.{self.device}", "formats": self.dtype, "shape": "samples", "data": self.direction,
                           "bound": bound},
                "seed": "0", "duration_seconds": round(self.seconds, 6),
                "reproduce": f"python -m assay.torch_operators --op {self.operator} --dtype {self.dtype} --device {self.device}"
                             + (" --gradients" if self.direction == "gradient" else ""),
                "measurements": [*({"name": name, "value": float(value), "unit": "1"} for name, value in measured.items()),
                                 {"name": "worst_error_ratio", "value": ratio if ratio < float("inf") else "inf", "unit": "1"}],
                "derivation": [f"the bound is {bound}" + ("" if bound == "derived" else ": 16 times what the float64 reference moves when it is rounded at "
                               "random, and 8 unit roundoffs of the result")]}


def operators(patterns: Sequence[str] = ()) -> List[Any]:
    """The OpInfos of this PyTorch whose names match a pattern; none: all."""
    from torch.testing._internal.common_methods_invocations import op_db

    return [each for each in op_db if not patterns or any(fnmatch.fnmatchcase(operator_name(each), pattern) or fnmatch.fnmatchcase(each.name, pattern)
                                                          for pattern in patterns)]


def operator_name(info: Any) -> str:
    """Its name, with that of its variant."""
    name = info.name + (f".{info.variant_test_name}" if info.variant_test_name else "")
    return str(name).replace("/", "_").replace(" ", "_")


def judge(info: Any, dtype: torch.dtype, device: str = "cpu", *, gradient: bool = False, samples: int = 4, function: Optional[Callable[..., Any]] = None) -> Outcome:
    """An operator over its first `samples` samples. `function`: what is judged in its place, as on a device that is not PyTorch's."""
    begin = time.perf_counter()
    outcome = Outcome(operator_name(info), device, next(name for name, known in DTYPES.items() if known == dtype), "gradient" if gradient else "forward")
    kind = torch.device(device).type
    supported = info.supported_backward_dtypes(kind) if gradient else info.supported_dtypes(kind)
    if dtype not in supported or (gradient and not info.supports_autograd):
        outcome.findings.append(Finding("unsupported", f"its OpInfo has no {'gradient in ' if gradient else ''}{outcome.dtype} on {kind}"))
    else:
        torch.manual_seed(0)
        try:
            taken = _some(info.sample_inputs(device, dtype, requires_grad=gradient), samples)
            taken += [] if gradient else [_with_nan(sample) for sample in taken if _is_filled(sample.input)][-1:]
        except Exception as error:  # of OpInfo's own
            taken = []
            outcome.findings.append(Finding("unsupported", f"its samples cannot be made: {_line(error)}"))
        for sample in taken:
            outcome.findings.append(_judge_sample(info, sample, dtype, gradient, function or info.op))
    outcome.seconds = time.perf_counter() - begin
    return outcome


def _some(samples: Iterable[Any], count: int) -> List[Any]:
    """`count` of the first samples, from the small to the large: of those without elements one at most."""
    first = list(itertools.islice(samples, 6 * count))
    empty = [each for each in first if isinstance(each.input, torch.Tensor) and each.input.numel() == 0]
    filled = [each for each in first if not any(each is other for other in empty)]
    places = sorted({round(place * (len(filled) - 1) / max(count - 1, 1)) for place in range(count)}) if filled else []
    return [filled[place] for place in places] + empty[:1]


def _is_filled(tensor: Any) -> bool:
    return isinstance(tensor, torch.Tensor) and tensor.layout == torch.strided and (tensor.is_floating_point() or tensor.is_complex()) and tensor.numel() > 1


def _with_nan(sample: Any) -> Any:
    """The same with NaN as the first element of its first input: who swallows it is seen."""
    other = copy.copy(sample)
    other.input = _copy(sample.input)
    other.input[(0,) * other.input.dim()] = float("nan")
    return other


def _line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:200]


def _exact(value: Any) -> Any:
    """A leaf of a sample in the reference's format, on the CPU."""
    if isinstance(value, torch.Tensor):
        to = torch.float64 if value.is_floating_point() else torch.complex128 if value.is_complex() else value.dtype
        return _copy(value, to).requires_grad_(value.requires_grad)
    if isinstance(value, torch.dtype):
        return torch.float64 if value.is_floating_point else torch.complex128 if value.is_complex else value
    return torch.device("cpu") if isinstance(value, torch.device) else value


def _judge_sample(info: Any, sample: Any, dtype: torch.dtype, gradient: bool, function: Callable[..., Any]) -> Finding:
    given = (sample.input, tuple(sample.args), dict(sample.kwargs))
    if any(isinstance(leaf, torch.Tensor) and (leaf.layout != torch.strided or leaf.is_nested) for leaf in _leaves(given)):
        return Finding("unsupported", "samples are sparse or nested")
    if "empty" in info.name:
        return Finding("unsupported", "it returns memory that was never written")
    compute = _gradients if gradient else _outputs
    process = sample.output_process_fn_grad
    exact_given = changed(given, _exact)

    def run(change: Callable[[Any], Any]) -> List[torch.Tensor]:
        torch.manual_seed(0)
        return compute(info.op, changed(exact_given, change), process)

    try:
        with Draws() as draws:
            exact = run(lambda value: value)
    except Exception as error:
        return Finding("unsupported", f"there is no reference: {_line(error)}")
    if draws.any:
        return Finding("unsupported", "it is random: float64 draws other numbers")
    try:
        torch.manual_seed(0)
        found = compute(function, given, process)
    except Exception as error:
        return Finding("error", _line(error))
    if not found:
        return Finding("unsupported", "it returns no tensor" if not gradient else "none of its outputs has a gradient")
    if not gradient:
        derived = _derived(info, given, found, dtype)
        if derived is not None:
            return derived
    if len(exact) != len(found):
        return Finding("fail", f"it returns {len(found)} tensors, and the reference {len(exact)}", float("inf"))
    if gradient and _has_plain_gradients(info):
        wrong = _finite_differences(info.op, exact_given, process, exact)
        if wrong:
            return Finding("fail", wrong, float("inf"))
    return compare_with_estimate(run, exact, found, dtype)


def _leaves(value: Any) -> List[Any]:
    found: List[Any] = []
    changed(value, found.append)
    return found


def _outputs(function: Callable[..., Any], given: Any, process: Callable[[Any], Any]) -> List[torch.Tensor]:
    with torch.no_grad():
        # In-place variants are to leave the sample alone.
        first, args, kwargs = changed(given, lambda value: _copy(value) if isinstance(value, torch.Tensor) else value)
        return tensors_of(process(function(first, *args, **kwargs)))


def _copy(tensor: torch.Tensor, to: Optional[torch.dtype] = None) -> torch.Tensor:
    """With its whole memory, of which it may be a view; in the format `to` on the CPU, if one is given."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    memory = torch.empty(0, dtype=tensor.dtype, device=tensor.device).set_(tensor.untyped_storage())
    return (memory.clone() if to is None else memory.to("cpu", to, copy=True)).as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())


def _weighted(function: Callable[..., Any], given: Any, process: Callable[[Any], Any]) -> Tuple[List[torch.Tensor], List[torch.Tensor], List[torch.Tensor]]:
    """Inputs and outputs that have gradients, and a fixed weight of each element of the outputs."""
    first, args, kwargs = given
    inputs = [leaf for leaf in _leaves(given) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    result = process(function(first, *args, **kwargs))
    outputs = [leaf for leaf in _leaves(result) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    # Multiples of 1/8 below 2: exact in every format, and not drawn, since what draws is told by that.
    weights = [((torch.arange(output.numel()) * 7 + 3) % 15 / 8 + 0.125).reshape(output.shape).to(output.device, output.dtype) for output in outputs]
    return inputs, outputs, weights


def _gradients(function: Callable[..., Any], given: Any, process: Callable[[Any], Any]) -> List[torch.Tensor]:
    given = changed(given, lambda value: _copy(value).requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value)
    with torch.enable_grad():
        inputs, outputs, weights = _weighted(function, given, process)
        if not outputs or not inputs:
            return []
        found = torch.autograd.grad(outputs, inputs, weights, allow_unused=True)
    return [torch.zeros_like(leaf).detach() if each is None else each.detach() for each, leaf in zip(found, inputs)]


def _has_plain_gradients(info: Any) -> bool:
    """Whether PyTorch's own suite holds its gradients against finite differences of the samples as they are."""
    from torch.testing._internal.opinfo.core import gradcheck_wrapper_hermitian_input

    if info.gradcheck_wrapper is gradcheck_wrapper_hermitian_input or getattr(info.gradcheck_wrapper, "__name__", "") != "<lambda>":
        return False
    return not any("Gradients" in str(getattr(each, "cls_name", "") or "") for each in (*info.decorators, *info.skips))


def _finite_differences(function: Callable[..., Any], given: Any, process: Callable[[Any], Any], gradients: List[torch.Tensor]) -> str:
    """What is wrong with the reference's own gradients along a direction, in which no two parts of it cancel; nothing where differences of
    two steps disagree."""
    leaves = [leaf for leaf in _leaves(given) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    whole = all(each.untyped_storage().nbytes() == each.numel() * each.element_size() for each in leaves)  # others are views of more
    if any(each.is_complex() for each in [*leaves, *gradients]) or not leaves or not whole:
        return ""
    generator = torch.Generator().manual_seed(3)
    directions = {}
    for leaf, own in zip(leaves, gradients):
        size = leaf.detach().abs()
        zero = 1e-3 * (float(size.max()) or 1.0) if size.numel() else 1.0
        sign = torch.where(own == 0, torch.rand(leaf.shape, generator=generator) - 0.5, own).sign()
        directions[id(leaf)] = sign * (0.5 + torch.rand(leaf.shape, dtype=leaf.dtype, generator=generator)) * torch.where(size == 0, zero, size)

    def value(step: float) -> float:
        moved = changed(given, lambda leaf: (leaf.detach() + step * directions[id(leaf)]).requires_grad_() if id(leaf) in directions else leaf)
        torch.manual_seed(0)
        _, outputs, weights = _weighted(function, moved, process)
        if any(output.dtype != torch.float64 for output in outputs):
            raise RuntimeError("it rounds")
        return float(sum(((output.detach().real * weight.real).sum() for output, weight in zip(outputs, weights)), torch.zeros(())))

    try:
        here, above, below, higher, lower = [value(step) for step in (0, 5e-6, -5e-6, 1e-5, -1e-5)]
        fine, coarse = (above - below) / 1e-5, (higher - lower) / 2e-5
    except RuntimeError:
        return ""  # outside of its domain
    along = float(sum((each * directions[id(leaf)]).sum() for each, leaf in zip(gradients, leaves)))
    size = float(sum((each * directions[id(leaf)]).abs().sum() for each, leaf in zip(gradients, leaves)))
    size = max(size, abs(fine), 1e-6)
    if not all(abs(each) < float("inf") for each in (coarse, fine, along)) or abs(coarse - fine) > 1e-4 * size or abs(along - fine) <= 1e-3 * size:
        return ""
    if abs(above + below - 2 * here) > 5e-8 * size:
        return ""  # a kink or a jump
    return f"the gradient in float64 along a direction is {along:.6g}, and finite differences give {fine:.6g}"


def _derived(info: Any, given: Any, found: List[torch.Tensor], dtype: torch.dtype) -> Optional[Finding]:
    """By the bound of Assay's own operation; None where that is not it."""
    first, args, kwargs = given
    if info.name not in _DERIVED or info.variant_test_name or dtype.is_complex or len(found) != 1 or found[0].dtype != dtype:
        return None
    operation, names = _DERIVED[info.name]
    if len(args) > len(names) or not isinstance(first, torch.Tensor):
        return None
    inputs, attributes = [first], dict(kwargs)
    for name, value in zip(names, args):
        if isinstance(value, torch.Tensor) != (name == ""):
            return None
        if name:
            attributes[name] = value
        else:
            inputs.append(value)
    weights = [attributes.pop(name) for name in ("weight", "bias") if name in attributes]
    inputs += [None if value is None else value for value in weights]
    if any(value is not None and (value.dtype != dtype) for value in inputs):
        return None
    try:
        outcome = check(operation, found[0].cpu(), [value if value is None else value.detach().cpu() for value in inputs], diagnosis=False, **attributes)
    except (Refused, TypeError, KeyError):
        return None
    if outcome.verdict not in ("pass", "fail"):
        return None
    return Finding(outcome.verdict, outcome.reason, outcome.worst_error_ratio if outcome.worst_error_ratio == outcome.worst_error_ratio else 0.0, "derived",
                   int(outcome.measurements.get("elements", 0)))


def compare_with_estimate(run: Callable[..., List[torch.Tensor]], exact: List[torch.Tensor], found: List[torch.Tensor], dtype: torch.dtype) -> Finding:
    """Results that were computed in `dtype` against exact ones, which `run(change)` computes in float64 of inputs to which `change` was applied."""
    computed = min(ROUNDOFF[dtype], 2.0**-24)  # sums and functions of 16-bit formats are computed in float32
    narrow = sensitivity(run, exact, computed)
    if narrow is None:
        return Finding("inconclusive", "the reference cannot be computed of inputs that are rounded otherwise")
    result = _judge_by(exact, found, narrow, computed, 1.0)
    if result.verdict != "fail":
        return result
    wide = sensitivity(run, exact, ROUNDOFF[dtype], seed=2)
    again = _judge_by(exact, found, wide if wide is not None else narrow, ROUNDOFF[dtype], 8.0 if ROUNDOFF[dtype] == computed else 1.0, 128.0)
    if again.verdict == "fail":
        return result
    result.verdict = "inconclusive"
    result.reason = (f"{result.reason}: beyond the estimate by {result.ratio:.3g} times, within "
                     + ("eight times as much, or 128 units of the largest element" if ROUNDOFF[dtype] == computed else "what roundings to the format in between give"))
    return result


def _judge_by(exact: List[torch.Tensor], found: List[torch.Tensor], moved: List[torch.Tensor], roundoff: float, factor: float,
              of_largest: float = 0.0) -> Finding:
    """Accepts what lies between the roundings of the reference less and plus the allowed error. `of_largest`: units of the largest element
    that every one may err by, as intermediate results within one operator do, which nobody sees."""
    total = Finding("pass")
    for number, (reference, actual, scale) in enumerate(zip(exact, found, moved)):
        actual = actual.detach().cpu()
        if reference.shape != actual.shape:
            return Finding("fail", f"output {number} has the shape {tuple(actual.shape)}, and {tuple(reference.shape)} is right", float("inf"))
        if reference.dtype.is_floating_point != actual.dtype.is_floating_point or reference.dtype.is_complex != actual.dtype.is_complex:
            return Finding("fail", f"output {number} is {actual.dtype}, and the reference {reference.dtype}", float("inf"))
        total.elements += reference.numel()
        if reference.numel() == 0:
            continue
        if not reference.dtype.is_floating_point and not reference.dtype.is_complex:
            differs = reference != actual.to(reference.dtype)
            wrong = differs & scale.isfinite()
            total.undecided += int((differs & scale.isinf()).sum())
            ratios = torch.where(wrong, float("inf"), 0.0)
        else:
            reference, actual, size, scale = _real(reference, actual, scale)
            finite = reference.isfinite()
            largest = float(torch.where(finite, reference.abs(), 0.0).max())
            undecided = ~scale.isfinite() | (scale > max(2.0**-6, 4 * roundoff) * max(largest, 1e-300))
            allowed = factor * (8 * roundoff * size + 16 * scale) + of_largest * roundoff * largest
            allowed = torch.where(finite & allowed.isfinite(), allowed, 0.0)
            low, high = (reference - allowed).to(actual.dtype).double(), (reference + allowed).to(actual.dtype).double()
            value = actual.double()
            undecided &= value != reference.to(actual.dtype).double()
            right = ((value >= low) & (value <= high)) | (reference.isnan() & value.isnan()) | undecided
            total.undecided += int(undecided.sum())
            reach = torch.maximum(high - reference, reference - low).clamp(min=5e-324)
            ratios = torch.where(undecided | right & ~finite, 0.0, ((value - reference).abs() / reach).nan_to_num(float("inf"), float("inf")))
            ratios = torch.where(right, ratios.clamp(max=1.0), ratios.clamp(min=1.0 + 1e-9))
        worst = int(ratios.argmax())
        if float(ratios.max()) > max(total.ratio, 1.0):
            total.verdict = "fail"
            total.reason = (f"output {number}: {int((ratios > 1).sum())} of {ratios.numel()} elements, the worst is {actual.flatten()[worst].item()!r} "
                            f"where {reference.flatten()[worst].item()!r} is right")
        total.ratio = max(total.ratio, float(ratios.max()))
    if total.verdict == "pass" and total.elements and total.undecided == total.elements:
        return Finding("undecided", "every element is where the reference jumps or is undefined", 0.0, "estimated", total.elements, total.undecided)
    return total


def _real(reference: torch.Tensor, actual: torch.Tensor, scale: torch.Tensor) -> Tuple[torch.Tensor, ...]:
    size = torch.where(reference.isfinite(), reference.abs(), 0.0).double()
    if not reference.dtype.is_complex:
        return reference, actual, size, scale
    scale = torch.where(reference.isfinite() | actual.isfinite(), scale, float("inf"))  # which of its parts is infinite is nobody's promise
    pair = lambda value: value.unsqueeze(-1).expand(*value.shape, 2)  # noqa: E731
    return torch.view_as_real(reference.resolve_conj()), torch.view_as_real(actual.resolve_conj()), pair(size), pair(scale)


# --- the program: operators in processes of their own ---------------------------------------------------------------------


def _plan(arguments: argparse.Namespace) -> List[Tuple[Any, str, bool]]:
    dtypes = arguments.dtype.split(",")
    for name in dtypes:
        if name not in DTYPES:
            raise SystemExit(f"assay.torch_operators: unknown dtype {name!r}; known: {', '.join(DTYPES)}")
    chosen = operators(arguments.op.split(",") if arguments.op else ())
    if not chosen:
        import difflib

        names = sorted({each.name for each in operators()})
        near = difflib.get_close_matches(arguments.op, names, n=3)
        raise SystemExit(f"assay.torch_operators: no operator matches {arguments.op!r}" + (f"; nearest: {', '.join(near)}" if near else ""))
    return [(info, dtype, gradient) for info in chosen for dtype in dtypes for gradient in ([False, True] if arguments.gradients else [False])]


def _serve(arguments: argparse.Namespace) -> None:
    """In a process of its own: a line as each item begins, and one of its outcome."""
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what operators print
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    plan = _plan(arguments)
    for number in range(arguments.begin, len(plan)):
        info, dtype, gradient = plan[number]
        channel.write(json.dumps({"begin": number}) + "\n")
        outcome = judge(info, DTYPES[dtype], arguments.device, gradient=gradient, samples=arguments.samples)
        channel.write(json.dumps({"outcome": outcome.json()}) + "\n")


def _lines(process: "subprocess.Popen[bytes]", seconds: float) -> Iterator[Optional[str]]:
    """Lines as they come; None where the next one takes longer than `seconds`, or the first longer than five minutes."""
    assert process.stdout is not None
    selector = selectors.DefaultSelector()
    selector.register(process.stdout, selectors.EVENT_READ)
    rest, allowed = b"", max(seconds, 300)  # PyTorch is imported first
    while True:
        if not selector.select(allowed):
            yield None
            return
        allowed = seconds
        part = os.read(process.stdout.fileno(), 1 << 16)
        if not part:
            return
        *lines, rest = (rest + part).split(b"\n")
        yield from (line.decode() for line in lines)


def run(arguments: argparse.Namespace, words: Sequence[str]) -> List[Dict[str, Any]]:
    """All outcomes. Processes that end or hang are replaced, and the operator is an error."""
    plan, outcomes, begin = _plan(arguments), [], 0
    while begin < len(plan):
        process = subprocess.Popen([sys.executable, "-m", "assay.torch_operators", *words, "--serve", "--begin", str(begin)], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        running, late = begin, False
        for line in _lines(process, arguments.timeout):
            if line is None:
                late = True
                process.kill()
                break
            told = json.loads(line)
            if "begin" in told:
                running = told["begin"]
            else:
                outcomes.append(told["outcome"])
                begin = running + 1
                if arguments.verbose:
                    print(f"{outcomes[-1]['verdict']:12s} {outcomes[-1]['id']} {outcomes[-1]['reason']}")
        code = process.wait()
        if begin < len(plan):
            info, dtype, gradient = plan[begin]
            ended = f"took longer than {arguments.timeout:g} s" if late else f"ended its process, {'by signal ' + str(-code) if code < 0 else f'with exit code {code}'}"
            outcome = Outcome(operator_name(info), arguments.device, dtype, "gradient" if gradient else "forward", [Finding("error", f"it {ended}")])
            outcomes.append(outcome.json())
            begin += 1
    return outcomes


def report(outcomes: List[Dict[str, Any]], seconds: float, words: Sequence[str]) -> Dict[str, Any]:
    """A run in the form that `assay report` and `assay gate` read."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    return {"schema": "assay-run/1", "title": "operators of PyTorch", "command": " ".join(["python -m assay.torch_operators", *words]), "seed": "0",
            "planned_cases": len(outcomes), "duration_seconds": round(seconds, 3), "rules": {"tolerance": "derived, or estimated: see the label bound"},
            "environment": {"assay_version": "0.1.0", "host_name": platform.node(), "operating_system": platform.platform(), "processor": platform.processor(),
                            "logical_processors": os.cpu_count() or 0, "instruction_sets": torch.backends.cpu.get_cpu_capability(),
                            "memory_bytes": float(memory), "compiler": platform.python_compiler(), "compiler_flags": "",
                            "started_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds)), "devices": [],
                            "libraries": [{"name": "torch", "version": str(torch.__version__)}]},
            "outcomes": outcomes}


def table(outcomes: Sequence[Dict[str, Any]]) -> str:
    """Verdicts by format and direction."""
    rows: Dict[Tuple[str, str], List[Dict[str, Any]]] = {}
    for outcome in outcomes:
        rows.setdefault((outcome["labels"]["formats"], outcome["labels"]["data"]), []).append(outcome)
    lines = [f"{'format':8s}{'direction':12s}{'operators':>10s}{'pass':>8s}{'derived':>9s}{'fail':>7s}{'error':>7s}{'inconclusive':>14s}{'unsupported':>13s}{'seconds':>9s}"]
    for (dtype, direction), found in rows.items():
        count = lambda verdict: sum(each["verdict"] == verdict for each in found)  # noqa: E731
        derived = sum(each["labels"]["bound"] == "derived" and each["verdict"] == "pass" for each in found)
        lines.append(f"{dtype:8s}{direction:12s}{len(found):10d}{count('pass'):8d}{derived:9d}{count('fail'):7d}{count('error'):7d}{count('inconclusive'):14d}"
                     f"{count('unsupported'):13d}{sum(each['duration_seconds'] for each in found):9.1f}")
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """The exit code is the tool's: 0 nothing wrong, 1 something failed, 2 nothing was judged."""
    parser = argparse.ArgumentParser(prog="python -m assay.torch_operators", description="every operator of PyTorch against a float64 reference")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--op", default="", help="names or globs, comma-separated")
    parser.add_argument("--dtype", default="f32", help=f"of {', '.join(DTYPES)}; comma-separated")
    parser.add_argument("--gradients", action="store_true", help="gradients, too")
    parser.add_argument("--samples", type=int, default=4, help="of each operator at most (4)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds that an operator may take (120)")
    parser.add_argument("--out", help="a folder for report.json, report.html and outcomes.jsonl")
    parser.add_argument("--verbose", action="store_true", help="a line for every operator")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--begin", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args(list(words))
    if arguments.serve:
        _serve(arguments)
        return 0
    try:
        torch.empty(1, device=arguments.device)
    except (RuntimeError, AssertionError) as error:
        print(f"assay.torch_operators: device {arguments.device!r} cannot be had: {_line(error)}", file=sys.stderr)
        return 2
    begin = time.perf_counter()
    outcomes = run(arguments, words)
    seconds = time.perf_counter() - begin
    if arguments.out:
        os.makedirs(arguments.out, exist_ok=True)
        text = json.dumps(report(outcomes, seconds, words))
        for name, content in (("report.json", text), ("outcomes.jsonl", "".join(json.dumps(each) + "\n" for each in outcomes)), ("report.html", Report(text).html())):
            with open(os.path.join(arguments.out, name), "w", encoding="utf-8") as file:
                file.write(content)
    print(table(outcomes))
    for outcome in outcomes:
        if outcome["verdict"] in ("fail", "error"):
            print(f"{outcome['verdict']} {outcome['id']}: {outcome['reason']}")
    wrong = any(each["verdict"] in ("fail", "error") for each in outcomes)
    return 1 if wrong else 0 if any(each["verdict"] == "pass" for each in outcomes) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
