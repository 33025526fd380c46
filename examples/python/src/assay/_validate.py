"""The default suite of an operation, on a function of Python."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from typing import Any, Callable, Dict, Iterator, Optional, Sequence, Union
from contextlib import contextmanager

from . import _abi
from ._frameworks import Unavailable, framework_named
from ._kernel import GEMM, Kernel, Operand, operand, told
from ._names import kernel_operation
from ._operations import describe
from ._outcome import Report
from ._tensors import Refused


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
    one case only, name the function in a module (`assay run --python`).

    >>> import numpy
    >>> def softmax(x, dim):
    ...     power = numpy.exp(x - x.max(axis=dim, keepdims=True))
    ...     return power / power.sum(axis=dim, keepdims=True)
    >>> report = validate("softmax", softmax, formats="f32", only="*/4x128x1/*")
    >>> report.passed, report.count("pass") > 5
    (True, True)
    """
    own, fixed = kernel_operation(operation)
    try:
        tensors = framework_named(framework, device)
    except Unavailable as error:
        raise Refused(str(error)) from error
    call = _Call(own, fixed, function, tensors)
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
        with _silent() as said:
            code = _abi.host().assay_validate(ctypes.byref(description), len(arguments), (_abi.text * len(arguments))(*[each.encode() for each in arguments]))
        if call.interrupted:
            raise KeyboardInterrupt
        report = os.path.join(target, "report.json")
        if not os.path.exists(report):
            raise Refused(said() or f"assay run ended with code {code}")
        with open(report, encoding="utf-8") as file:
            return Report(file.read())


class _Call:
    """A function as a kernel of the C interface."""

    def __init__(self, operation: str, fixed: Dict[str, Any], function: Callable[..., Any], framework: Any):
        self.operation, self.interrupted = operation, False
        self.function = Kernel(operation, fixed, function, framework, GEMM if operation == "gemm" else describe(operation))

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
            problem = problem.contents
            tensors = [problem.tensors[i].contents if problem.tensors[i] else None for i in range(problem.tensor_count)]
            self.function.compute(_members(problem), [None if tensor is None else _operand(tensor) for tensor in tensors])
            return _abi.OK
        except NotImplementedError as error:
            return end(_abi.UNSUPPORTED, str(error) or "the function says that it is not implemented")
        except KeyboardInterrupt:
            self.interrupted = True
            return end(_abi.ERROR, "interrupted")
        except BaseException as error:  # nothing of Python may leave a call
            return end(_abi.ERROR, told(error))


def _members(problem: _abi.Problem) -> Dict[str, Any]:
    members: Dict[str, Any] = {}
    for i in range(problem.attribute_count):
        each = problem.attributes[i].contents
        members[each.name.decode()] = each.text.decode() if each.kind == _abi.TEXT else each.integer if each.kind == _abi.INTEGER else each.real
        if each.text in (b"true", b"false"):
            members[each.name.decode()] = each.text == b"true"
    return members


def _operand(tensor: _abi.Tensor) -> Operand:
    array = tensor.array
    shape, strides = array.shape[: array.ndim], array.strides[: array.ndim]
    size = max(array.bits, 8) // 8
    elements = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
    memory = None if 0 in shape else (ctypes.c_char * (elements * size)).from_address(array.data)
    return operand(tensor.name.decode(), ("input", "output", "updated")[tensor.role], tensor.format.decode(), size, memory, 0, shape, strides)


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
