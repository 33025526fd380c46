"""The C interface of plugins, as assay/plugin/plugin.h declares it, and the library that reads it."""

from __future__ import annotations

import ctypes
import os
from typing import Any

ABI = 2 << 16
OK, UNSUPPORTED, ERROR = 0, 1, 2
INPUT, OUTPUT, UPDATED = 0, 1, 2
INTEGER, REAL, TEXT = 0, 1, 2
u64, i64, i32, u32, text, pointer = ctypes.c_uint64, ctypes.c_int64, ctypes.c_int32, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p


class Array(ctypes.Structure):  # DLPack's DLTensor
    _fields_ = [("data", pointer), ("device_type", i32), ("device_id", i32), ("ndim", i32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(i64)), ("strides", ctypes.POINTER(i64)), ("byte_offset", u64)]


class Tensor(ctypes.Structure):
    _fields_ = [("size", u64), ("name", text), ("format", text), ("role", i32), ("reserved", i32), ("array", Array)]


class Attribute(ctypes.Structure):
    _fields_ = [("size", u64), ("name", text), ("kind", i32), ("reserved", i32), ("integer", i64), ("real", ctypes.c_double), ("text", text)]


class Problem(ctypes.Structure):
    _fields_ = [("size", u64), ("operation", text), ("name", text), ("formats", text), ("attribute_count", u64),
                ("attributes", ctypes.POINTER(ctypes.POINTER(Attribute))), ("tensor_count", u64), ("tensors", ctypes.POINTER(ctypes.POINTER(Tensor)))]


class Launch(ctypes.Structure):
    pass


Managed = ctypes.CFUNCTYPE(pointer, ctypes.POINTER(Launch), ctypes.POINTER(Tensor), i32)
Launch._fields_ = [("size", u64), ("workspace", pointer), ("workspace_bytes", u64), ("stream", pointer), ("message", pointer), ("message_capacity", u64),
                   ("managed", Managed), ("host", pointer)]
Supports = ctypes.CFUNCTYPE(i32, pointer, ctypes.POINTER(Problem), pointer, u64)
WorkspaceBytes = ctypes.CFUNCTYPE(u64, pointer, ctypes.POINTER(Problem))
Run = ctypes.CFUNCTYPE(i32, pointer, ctypes.POINTER(Problem), ctypes.POINTER(Launch))


class Kernel(ctypes.Structure):
    _fields_ = [("size", u64), ("operation", text), ("context", pointer), ("accumulator", text), ("function_errors", ctypes.c_double), ("truncating", i32),
                ("reserved", i32), ("block", i64), ("supports", Supports), ("workspace_bytes", WorkspaceBytes), ("run", Run), ("promises", text),
                ("contract", text), ("flags", u64)]


class Description(ctypes.Structure):
    _fields_ = [("size", u64), ("abi", u32), ("flags", u32), ("name", text), ("version", text), ("kernel_count", u64),
                ("kernels", ctypes.POINTER(ctypes.POINTER(Kernel)))]


def say(buffer: Any, capacity: int, message: str) -> None:
    """Writes a text of UTF-8, cut where the buffer ends, but not within a character."""
    if buffer and capacity:
        data = message.encode()[: capacity - 1].decode(errors="ignore").encode() + b"\0"
        ctypes.memmove(buffer, data, len(data))


def host() -> Any:
    """libassay_host, which the package has."""
    library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libassay_host.so"))
    library.assay_validate.argtypes = [ctypes.POINTER(Description), i32, ctypes.POINTER(text)]
    library.assay_validate.restype = i32
    return library
