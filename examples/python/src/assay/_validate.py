"""The default suite of an operation, on a function of Python."""

from __future__ import annotations

import ctypes
import inspect
import os
import sys
import tempfile
import traceback
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union
from contextlib import contextmanager

from . import _abi, _frameworks
from ._operations import WORDS, describe, translate
from ._outcome import Report
from ._tensors import Refused


class Unsupported(Exception):
    """Raised by a function for a problem that it does not offer: the case is counted as unsupported, never as a pass."""


def validate(operation: str, function: Callable[..., Any], *, framework: str = "numpy", device: Optional[str] = None, name: str = "python",
             formats: Union[str, Sequence[str], None] = None, only: Union[str, Sequence[str], None] = None, suite: str = "default", seed: int = 1,
             accumulator: Optional[str] = None, function_errors: float = 0, promises: Optional[str] = None, contract: Optional[str] = None,
             tolerance: Optional[str] = None, diagnosis: bool = True, out: Optional[str] = None, jobs: int = 1) -> Report:
    """Runs the suite of `operation` on `function`, in this process.

    The function gets the input tensors in the operation's order and returns the output, or a tuple of outputs; it is called as a
    framework's own would be. Parameters that bear the name of a member ("temperature", "eps", "keepdim", …), or `dim`, `axis` and
    `normalized_shape`, get its value; cases that differ in members, tensors or outputs which it does not know are unsupported,
    and counted so. Functions that have no signature, as NumPy's, get tensors only.

    `framework`: whose tensors it takes: "numpy", "torch", "jax", "tensorflow"; `device`: where it wants them. `formats`: "bf16",
    "f32.f32"; `only`: ids of cases or globs; `promises`: what its unit is documented to do with special numbers, as
    "flush_products=bf16"; `contract`: members that it fixes, "alpha=1,beta=0"; `out`: a folder for report.json and report.html.

    An exception is an error of its case, told by its last line, and the rest goes on. A crash ends the process: where that must cost
    one case only, write a plugin (`assay run --plugin`).

    >>> import numpy
    >>> def softmax(x, dim):
    ...     power = numpy.exp(x - x.max(axis=dim, keepdims=True))
    ...     return power / power.sum(axis=dim, keepdims=True)
    >>> report = validate("softmax", softmax, formats="f32", only="*/4x128x1/*")
    >>> report.passed, report.count("pass") > 5
    (True, True)
    """
    own, fixed = ("gemm", {}) if operation in ("gemm", "matmul", "mm", "bmm") else translate(operation, {})
    call = _Call(own, fixed, function, _framework(framework, device))
    with tempfile.TemporaryDirectory() as folder:
        target = os.fspath(out) if out is not None else folder
        arguments = ["run", "--no-config", "--quiet", "--color", "never", "--op", own, "--backend", name, "--out", target, "--suite", suite, "--seed", str(seed),
                     "--jobs", str(jobs)]
        for option, values in (("--dtype", formats), ("--only", only)):
            for value in [values] if isinstance(values, str) else values or []:
                arguments += [option, value]
        if tolerance is not None:
            arguments += ["--tolerance", tolerance]
        if not diagnosis:
            arguments += ["--no-diagnosis"]
        kernel = call.kernel(accumulator, function_errors, promises, contract)
        kernels = (ctypes.POINTER(_abi.Kernel) * 1)(ctypes.pointer(kernel))
        description = _abi.Description(ctypes.sizeof(_abi.Description), _abi.ABI, 0, name.encode(), b"1", 1, kernels)
        with _silent() as told:
            code = _abi.host().assay_validate(ctypes.byref(description), len(arguments), (_abi.text * len(arguments))(*[each.encode() for each in arguments]))
        if call.interrupted:
            raise KeyboardInterrupt
        report = os.path.join(target, "report.json")
        if not os.path.exists(report):
            raise Refused(told() or f"assay run ended with code {code}")
        with open(report, encoding="utf-8") as file:
            return Report(file.read())


def _framework(name: str, device: Optional[str]) -> Any:
    known: Dict[str, Callable[[], Any]] = {"numpy": _frameworks.Numpy, "torch": lambda: _frameworks.Torch(device), "jax": lambda: _frameworks.Jax(device),
                                           "tensorflow": lambda: _frameworks.TensorFlow(device)}
    if name not in known:
        raise Refused(f"framework {name!r} is not known; known: {', '.join(known)}")
    if name == "numpy" and device not in (None, "cpu"):
        raise Refused(f"NumPy has no device {device!r}")
    try:
        return known[name]()
    except (ImportError, RuntimeError, AssertionError) as error:
        raise Refused(f"{name}{f' on {device!r}' if device else ''} cannot be had: {_last_line(error)}") from error


def _last_line(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1]


class _Call:
    """A function as a kernel."""

    def __init__(self, operation: str, fixed: Dict[str, Any], function: Callable[..., Any], framework: Any):
        self.operation, self.function, self.framework, self.interrupted = operation, function, framework, False
        described = _GEMM if operation == "gemm" else describe(operation)
        self.defaults: Dict[str, str] = dict(described["members"])
        self.fixed = {name: str(value).lower() for name, value in fixed.items() if name in self.defaults}
        self.choices = set(described.get("choices", {}))
        self.operands = [operand["name"] for operand in described["operands"]]
        self.usual = [operand["name"] for operand in described["operands"] if operand["present"] and operand["role"] != "output"]
        try:
            self.parameters: Optional[List[inspect.Parameter]] = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            self.parameters = None

    def kernel(self, accumulator: Optional[str], function_errors: float, promises: Optional[str], contract: Optional[str]) -> _abi.Kernel:
        return _abi.Kernel(ctypes.sizeof(_abi.Kernel), self.operation.encode(), None,
                           accumulator.encode() if accumulator else None, function_errors, 0, 0, 0, _abi.Supports(), _abi.WorkspaceBytes(), _abi.Run(self._run),
                           promises.encode() if promises else None, contract.encode() if contract else None, 0)

    def _run(self, _: Any, problem: Any, launch: Any) -> int:
        launch = launch.contents

        def end(status: int, message: str) -> int:
            _abi.say(launch.message, launch.message_capacity, message)
            return status

        if self.interrupted:
            return end(_abi.ERROR, "interrupted")
        try:
            self._compute(problem.contents, launch)
            return _abi.OK
        except (Unsupported, NotImplementedError) as error:
            return end(_abi.UNSUPPORTED, str(error) or "the function says that it is not implemented")
        except KeyboardInterrupt:
            self.interrupted = True
            return end(_abi.ERROR, "interrupted")
        except BaseException as error:  # nothing of Python may leave a call
            place = traceback.extract_tb(error.__traceback__)[-1]
            return end(_abi.ERROR, f"{_last_line(error)} (line {place.lineno} of {os.path.basename(place.filename)}, in {place.name})")

    def _compute(self, problem: _abi.Problem, launch: Any) -> None:
        tensors = [problem.tensors[i].contents if problem.tensors[i] else None for i in range(problem.tensor_count)]
        members: Dict[str, Any] = {}
        for i in range(problem.attribute_count):
            each = problem.attributes[i].contents
            members[each.name.decode()] = each.text.decode() if each.kind == _abi.TEXT else each.integer if each.kind == _abi.INTEGER else each.real
            if each.text in (b"true", b"false"):
                members[each.name.decode()] = each.text == b"true"
        given = {name: tensor for name, tensor in zip(self.operands, tensors) if tensor is not None} if len(self.operands) == len(tensors) else {
            tensor.name.decode(): tensor for tensor in tensors if tensor is not None}
        written = [tensor for tensor in given.values() if tensor.role != _abi.INPUT]
        read = {name: tensor for name, tensor in given.items() if tensor.role != _abi.OUTPUT}
        order = [name for name in self.operands if name in read or (name not in given and name in self.usual)]
        positional, named = self._arguments(order, read, members, launch)
        result = self.function(*positional, **named)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        if result is None:
            raise TypeError("the function returned None; it has to return the output")
        if len(results) < len(written):
            raise Unsupported(f"the function returns {len(results)} of {len(written)} outputs")
        for found, tensor in zip(results, written):
            self.framework.take(found, tensor, launch)

    def _arguments(self, order: List[str], read: Dict[str, Any], members: Dict[str, Any], launch: Any) -> Any:
        """Positional and named arguments. Raises `Unsupported` for what this problem has and the function does not know."""
        words = self._words(members, read)
        give = lambda name: self.framework.give(read[name], launch) if name in read else None  # noqa: E731
        if self.parameters is None:
            self._expect(set(), members, read)
            return [give(name) for name in order if name in read], {}
        positional: List[Any] = []
        named: Dict[str, Any] = {}
        known = {parameter.name for parameter in self.parameters}
        rest = [name for name in order if name not in known]
        taken = set()
        skipped = False  # what follows goes by name
        everything = any(parameter.kind is parameter.VAR_KEYWORD for parameter in self.parameters)
        for parameter in self.parameters:
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional += [give(name) for name in rest if name in read]
                taken |= set(rest)
                rest = []
                continue
            if parameter.kind is parameter.VAR_KEYWORD:
                named.update({name: value for name, value in members.items() if name.isidentifier() and name not in known})
                continue
            if parameter.name in order:
                value = give(parameter.name)
                taken.add(parameter.name)
            elif parameter.name in words:
                value = words[parameter.name]
            elif rest and parameter.kind is not parameter.KEYWORD_ONLY:
                name = rest.pop(0)
                taken.add(name)
                value = give(name)
            elif parameter.default is parameter.empty:
                raise TypeError(f"{parameter.name} is neither a tensor nor a member of {self.operation}; members: {', '.join(sorted(words))}")
            else:
                skipped = True
                continue
            if parameter.kind is parameter.POSITIONAL_ONLY or (parameter.kind is parameter.POSITIONAL_OR_KEYWORD and not skipped):
                positional.append(value)
            else:
                named[parameter.name] = value
        for name in read:
            if name not in taken:
                raise Unsupported(f"the function does not take {name}")
        self._expect({WORDS.get(name, name) for name in known} | ({*members} if everything else set()), members, read)
        return positional, named

    def _words(self, members: Dict[str, Any], read: Dict[str, Any]) -> Dict[str, Any]:
        words = dict(members)
        if {"outer", "length", "inner"} <= set(members):
            words["axis"] = 1
        first = next(iter(read.values()), None)
        if first is not None and self.operation in ("layernorm", "rmsnorm"):
            words["normalized_shape"] = (int(members["channels"]),)
        words.update({word: words[own] for word, own in WORDS.items() if own in words})
        return words

    def _expect(self, known: set, members: Dict[str, Any], read: Dict[str, Any]) -> None:
        """That what this problem has otherwise than usual is among what the function knows. Extents and formats are told by tensors."""
        for name, value in members.items():
            usual = self.fixed.get(name, self.defaults.get(name))
            if name in known or usual is None or name in read or name in ("masked", "given_positions", "bias"):
                continue
            text = str(value).lower() if isinstance(value, bool) else str(value)
            real = isinstance(value, float)
            told_by_tensors = not real and name not in self.choices and name not in _INTEGERS
            if told_by_tensors or (float(usual) == value if real else usual == text):
                continue
            if name in ("gamma", "beta", "saved") or (name == "variance" and self.operation.endswith("norm")):
                continue  # tensors and outputs that are there or not, and what bounds allow
            raise Unsupported(f"the function does not know {name}, which is {text} here")


# The suite's gemm, which is no operation of assay.check: that has products as "fused_gemm".
_GEMM: Dict[str, Any] = {"members": {"alpha": "1", "beta": "0"}, "operands": [
    {"name": "A", "role": "input", "present": True}, {"name": "B", "role": "input", "present": True}, {"name": "C", "role": "output", "present": True}]}

# Members that are numbers and no extents.
_INTEGERS = {"correction", "groups", "step", "ignored_label", "padding_row", "offset", "window_left", "window_right"}


@contextmanager
def _silent() -> Iterator[Callable[[], str]]:
    """What the library prints is kept; what Python's own prints is not."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = tempfile.TemporaryFile()
    saved = [os.dup(1), os.dup(2)]
    streams = sys.stdout, sys.stderr
    own = [stream if _descriptor(stream) not in (1, 2) else os.fdopen(os.dup(saved[i]), "w", buffering=1) for i, stream in enumerate(streams)]
    text = ""
    try:
        os.dup2(kept.fileno(), 1)
        os.dup2(kept.fileno(), 2)
        sys.stdout, sys.stderr = own
        yield lambda: text
    finally:
        sys.stdout, sys.stderr = streams
        for i in (0, 1):
            os.dup2(saved[i], i + 1)
            os.close(saved[i])
            if own[i] is not streams[i]:
                own[i].close()
        kept.seek(0)
        lines = kept.read().decode(errors="replace").strip().splitlines()
        text = lines[-1] if lines else ""
        kept.close()


def _descriptor(stream: Any) -> int:
    try:
        return int(stream.fileno())
    except (AttributeError, OSError, ValueError):
        return -1
