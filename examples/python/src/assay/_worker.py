"""The process that `assay run --python MODULE` starts: imports the module, and computes what it is asked for over a channel.

Messages are JSON behind eight bytes of their length; tensors lie in memory that both processes map, so that this one links
nothing of Assay, and Assay nothing of Python."""

from __future__ import annotations

import importlib
import importlib.util
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
import warnings
from typing import Any, Dict, List

from ._frameworks import Unavailable, framework_named
from ._kernel import GEMM, Kernel, last_line, operand, told
from ._names import kernel_operation

_STATED = {"function", "formats", "accumulator", "function_errors", "promises", "contract"}


class Unfit(ValueError):
    """What the module says of its kernels makes no sense."""


class Entry:
    """A kernel that the module names, with what is stated of it."""

    def __init__(self, name: str, stated: Any):
        stated = stated if isinstance(stated, dict) else {"function": stated}
        if set(stated) - _STATED:
            raise Unfit(f"kernels[{name!r}] has {', '.join(map(repr, sorted(set(stated) - _STATED)))}; known: {', '.join(sorted(_STATED))}")
        self.name, self.function = name, stated.get("function")
        if not callable(self.function):
            raise Unfit(f"kernels[{name!r}] is a {type(self.function).__name__}; give a function, or {{'function': …, 'formats': […]}}")
        formats = stated.get("formats", [])
        self.formats: List[str] = [formats] if isinstance(formats, str) else list(formats)
        self.accumulator, self.promises, self.contract = (str(stated.get(key) or "") for key in ("accumulator", "promises", "contract"))
        self.function_errors = float(stated.get("function_errors", 0))
        self.operation, self.fixed = kernel_operation(name)


class Module:
    """The user's module."""

    def __init__(self, name: str):
        self.module = _imported(name)
        kernels = getattr(self.module, "kernels", None)
        if not isinstance(kernels, dict) or not kernels:
            raise Unfit("it names no kernels; give it kernels = {\"softmax\": function}")
        entries = [Entry(str(key), stated) for key, value in kernels.items() for stated in (value if isinstance(value, list) else [value])]
        self.entries: Dict[str, List[Entry]] = {}
        for entry in entries:
            first = self.entries.setdefault(entry.operation, [entry])[0]
            if entry is not first:
                self.entries[entry.operation].append(entry)
            for stated in ("accumulator", "function_errors", "promises", "contract"):
                if getattr(entry, stated) != getattr(first, stated):
                    raise Unfit(f"kernels of {entry.operation} differ in {stated}; give them one, or two modules")
        self.framework = framework_named(str(getattr(self.module, "framework", "numpy")), getattr(self.module, "device", None))
        self.kernels: Dict[int, Kernel] = {}

    def description(self) -> Dict[str, Any]:
        """What the tool makes a library of kernels of."""
        kernels = []
        for operation, entries in self.entries.items():
            formats = [] if any(not entry.formats for entry in entries) else [each for entry in entries for each in entry.formats]
            first = entries[0]
            kernels.append({"operation": operation, "formats": formats, "accumulator": first.accumulator, "function_errors": first.function_errors,
                            "promises": first.promises, "contract": first.contract})
        stem = str(self.module.__name__).rsplit(".", 1)[-1]
        return {"name": str(getattr(self.module, "name", stem)), "version": str(getattr(self.module, "version", "")), "kernels": kernels}

    def launch(self, request: Dict[str, Any], memory: Any) -> None:
        """Computes one problem."""
        from fnmatch import fnmatchcase

        tensors = [each and operand(each["name"], each["role"], each["format"], each["size"], memory, each["offset"], each["shape"], each["strides"])
                   for each in request["tensors"]]
        refusal: Exception = NotImplementedError(f"no kernel of {request['operation']} takes {request['formats']}")
        for entry in self.entries[request["operation"]]:
            if entry.formats and not any(fnmatchcase(request["formats"], glob) for glob in entry.formats):
                continue
            if id(entry) not in self.kernels:
                described = request["described"] or GEMM
                self.kernels[id(entry)] = Kernel(entry.operation, entry.fixed, entry.function, self.framework, described)
            try:
                return self.kernels[id(entry)].compute(request["members"], tensors)
            except NotImplementedError as error:
                refusal = error
        raise refusal


def _imported(name: str) -> Any:
    if not name.endswith(".py"):
        if os.sep in name:
            raise Unfit("it is neither a file that ends with .py nor the name of a module, such as package.kernels")
        return importlib.import_module(name)
    path = os.path.abspath(name)
    if not os.path.isfile(path):
        raise Unfit("there is no such file")
    sys.path.insert(0, os.path.dirname(path))
    stem = os.path.splitext(os.path.basename(path))[0]
    specification = importlib.util.spec_from_file_location(stem, path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[stem] = module
    specification.loader.exec_module(module)
    return module


def _receive(channel: Any) -> Any:
    def exactly(size: int) -> bytes:
        parts = []
        while size:
            part = channel.recv(min(size, 1 << 20))
            if not part:
                os._exit(0)  # the tool has gone, or wants no more
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    return json.loads(exactly(struct.unpack("=Q", exactly(8))[0]))


def _send(channel: Any, answer: Dict[str, Any]) -> None:
    text = json.dumps(answer).encode()
    channel.sendall(struct.pack("=Q", len(text)) + text)


def _advice(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"; {sys.executable} has no package {error.name.split('.')[0]}: install it there, or name another interpreter by ASSAY_PYTHON"
    return ""


def _described(name: str) -> Any:
    """The module and its description, or None and the reason."""
    try:
        import numpy

        numpy.seterr(all="ignore")  # the suites have NaNs and infinities: they are judged, not warned of
    except ImportError as error:
        return None, {"error": f"{sys.executable} has no NumPy ({last_line(error)}); install it there, or name another interpreter by ASSAY_PYTHON"}
    try:
        module = Module(name)
        return module, module.description()
    except (Unfit, Unavailable) as error:
        return None, {"error": str(error)}
    except BaseException as error:  # whatever the module raises
        return None, {"error": f"it cannot be imported: {told(error)}{_advice(error)}"}


def _leave_with_parent() -> None:
    """The tool may be killed while a kernel computes: then nobody would end this process."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def serve(channel: Any, shared: int) -> None:
    """Answers until the channel is closed. `shared`: the descriptor of the memory that tensors lie in."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the tool's to heed
    warnings.simplefilter("ignore")
    _leave_with_parent()
    module, answer = _described(_receive(channel)["module"])
    _send(channel, answer)
    memory = None
    while module is not None:
        request = _receive(channel)
        if memory is None or len(memory) < request["memory"]:
            memory = mmap.mmap(shared, request["memory"])
        try:
            module.launch(request, memory)
            _send(channel, {"status": "ok"})
        except NotImplementedError as error:
            _send(channel, {"status": "unsupported", "reason": str(error) or "the function says that it is not implemented"})
        except BaseException as error:  # SystemExit, too: the next case shall have this process
            _send(channel, {"status": "error", "reason": told(error)})
