"""Weights as packages bring them: CTranslate2's model.bin, safetensors, and llama.cpp's GGUF, as arrays by name."""

import json
import struct

import numpy as np

CTRANSLATE2_KINDS = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
SAFETENSORS_KINDS = {"F32": np.float32, "F16": np.float16, "I64": np.int64}


def read_ctranslate2(path):
    """Version 6: a number of variables, each name, rank, extents, kind, size and data; lengths of names count the zero at their end."""
    data, at = path.read_bytes(), 0

    def take(kind):
        nonlocal at
        (value,) = struct.unpack_from("<" + kind, data, at)
        at += struct.calcsize("<" + kind)
        return value

    def text():
        nonlocal at
        length = take("H")
        at += length
        return data[at - length : at].rstrip(b"\0").decode()

    version = take("I")
    if version != 6:
        raise ValueError(f"{path} has version {version}; 6 can be read")
    text(), take("I")  # what it is, and of which revision
    arrays = {}
    for _ in range(take("I")):
        name = text()
        shape = [take("I") for _ in range(take("B"))]
        kind, size = np.dtype(CTRANSLATE2_KINDS[take("B")]), take("I")
        arrays[name] = np.frombuffer(data, kind, size // kind.itemsize, at).reshape(shape)
        at += size
    return {name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in arrays.items()}


def read_safetensors(path):
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    arrays = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        first, last = (8 + length + offset for offset in entry["data_offsets"])
        arrays[name] = np.frombuffer(data[first:last], SAFETENSORS_KINDS[entry["dtype"]]).reshape(entry["shape"])
    return arrays


def read_gguf_fields(path):
    """What the file says of the model, by name."""
    import gguf

    return {name: field.contents() for name, field in gguf.GGUFReader(str(path)).fields.items()}


def read_gguf(path):
    """Arrays in float32, whatever they are quantized to."""
    import gguf

    arrays = {}
    for tensor in gguf.GGUFReader(str(path)).tensors:
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        arrays[tensor.name] = values.reshape([int(extent) for extent in reversed(tensor.shape)])
    return arrays
