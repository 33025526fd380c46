"""A function of Python as a kernel: which of a problem's tensors and members it is given, and where its results go."""

from __future__ import annotations

import inspect
import os
import traceback
from typing import Any, Callable, Dict, List, Optional, Sequence

from ._names import WORDS


class Unsupported(NotImplementedError):
    """Raised by a function for a problem that it does not offer: the case is counted as unsupported, never as a pass."""


class Operand:
    """One operand of a launch. `bits`: its elements in the suite's memory, as NumPy's own types, or as unsigned integers where NumPy
    has no word for `format`; `role`: "input", "output" or "updated"."""

    def __init__(self, name: str, role: str, format: str, bits: Any):
        self.name, self.role, self.format, self.bits = name, role, format, bits


CODES = {"f64": "f8", "f32": "f4", "f16": "f2", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4",
         "uint64": "u8"}


def operand(name: str, role: str, format: str, size: int, memory: Any, offset: int, shape: Sequence[int], strides: Sequence[int]) -> Operand:
    """A view of `memory`; `size`: bytes of an element; `offset`: of the first one, in bytes; strides in elements."""
    import numpy

    dtype = numpy.dtype(CODES.get(format, f"u{size}"))
    if 0 in shape:
        return Operand(name, role, format, numpy.empty(shape, dtype))
    return Operand(name, role, format, numpy.ndarray(tuple(shape), dtype, memory, offset, [stride * size for stride in strides]))


# The suite's gemm, which is no operation of assay.check: that has products as "fused_gemm".
GEMM: Dict[str, Any] = {"members": {"alpha": "1", "beta": "0"}, "operands": [
    {"name": "A", "role": "input", "present": True}, {"name": "B", "role": "input", "present": True}, {"name": "C", "role": "output", "present": True}]}

# Members that are numbers and no extents.
_INTEGERS = {"correction", "groups", "step", "ignored_label", "padding_row", "offset", "window_left", "window_right"}


def last_line(error: BaseException) -> str:
    """An exception as the last line of its traceback has it."""
    return "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1]


def told(error: BaseException) -> str:
    """The same, with the place where it was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<frozen")]
    if not frames:
        return last_line(error)
    return f"{last_line(error)} (line {frames[-1].lineno} of {os.path.basename(frames[-1].filename)}, in {frames[-1].name})"


class Kernel:
    """A function as a kernel of `operation`, which is `described`; `fixed`: members that must have these values."""

    def __init__(self, operation: str, fixed: Dict[str, Any], function: Callable[..., Any], framework: Any, described: Dict[str, Any]):
        self.operation, self.function, self.framework = operation, function, framework
        self.defaults: Dict[str, str] = dict(described["members"])
        self.fixed = {name: str(value).lower() for name, value in fixed.items() if name in self.defaults}
        self.choices = set(described.get("choices", {}))
        self.operands = [operand["name"] for operand in described["operands"]]
        self.usual = [operand["name"] for operand in described["operands"] if operand["present"] and operand["role"] != "output"]
        try:
            self.parameters: Optional[List[inspect.Parameter]] = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            self.parameters = None

    def compute(self, members: Dict[str, Any], tensors: Sequence[Optional[Operand]]) -> None:
        """Calls the function with what it knows of the problem, and writes what it returns. Raises `Unsupported` for what this problem
        has and the function does not know, and whatever the function raises."""
        given = {name: tensor for name, tensor in zip(self.operands, tensors) if tensor is not None} if len(self.operands) == len(tensors) else {
            tensor.name: tensor for tensor in tensors if tensor is not None}
        written = [tensor for tensor in given.values() if tensor.role != "input"]
        read = {name: tensor for name, tensor in given.items() if tensor.role != "output"}
        order = [name for name in self.operands if name in read or (name not in given and name in self.usual)]
        positional, named = self._arguments(order, read, members)
        result = self.function(*positional, **named)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        if result is None:
            raise TypeError("the function returned None; it has to return the output")
        if len(results) < len(written):
            raise Unsupported(f"the function returns {len(results)} of {len(written)} outputs")
        for found, tensor in zip(results, written):
            self.framework.take(found, tensor)

    def _arguments(self, order: List[str], read: Dict[str, Operand], members: Dict[str, Any]) -> Any:
        """Positional and named arguments."""
        words = self._words(members, read)
        give = lambda name: self.framework.give(read[name]) if name in read else None  # noqa: E731
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

    def _words(self, members: Dict[str, Any], read: Dict[str, Operand]) -> Dict[str, Any]:
        words = dict(members)
        if {"outer", "length", "inner"} <= set(members):
            words["axis"] = 1
        if read and self.operation in ("layernorm", "rmsnorm"):
            words["normalized_shape"] = (int(members["channels"]),)
        words.update({word: words[own] for word, own in WORDS.items() if own in words})
        return words

    def _expect(self, known: set, members: Dict[str, Any], read: Dict[str, Operand]) -> None:
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
