"""Tensors of other libraries as views: nothing is copied, and what cannot be viewed is refused in plain words."""

from __future__ import annotations

from typing import Any, Optional

from . import _assay


class Refused(ValueError):
    """What was given cannot be judged: a tensor elsewhere, a wrong name, a shape that does not fit. Never a failure of the kernel."""


_DEVICES = {2: "a CUDA device", 3: "CUDA's host memory", 4: "an OpenCL device", 7: "a Vulkan device", 8: "a Metal device", 10: "a ROCm device",
            11: "ROCm's host memory", 13: "CUDA's managed memory", 14: "a oneAPI device", 15: "WebGPU", 16: "a Hexagon device", 17: "MAIA"}

# What ml_dtypes calls the formats that NumPy has no word for.
_ML_DTYPES = {"bfloat16": "bf16", "float8_e4m3fn": "e4m3fn", "float8_e5m2": "e5m2", "float8_e4m3fnuz": "e4m3fnuz", "float8_e5m2fnuz": "e5m2fnuz",
              "float8_e4m3b11fnuz": "e4m3b11fnuz", "float8_e4m3": "e4m3", "float8_e3m4": "e3m4", "float8_e8m0fnu": "e8m0fnu"}


def view(tensor: Any, what: str) -> Optional[_assay.Tensor]:
    """A view of `tensor`, called `what` in messages; None stays None. Raises `Refused`."""
    if tensor is None or isinstance(tensor, _assay.Tensor):
        return tensor
    library = type(tensor).__module__.split(".")[0]
    by_library = {"numpy": _numpy, "torch": _torch, "jax": _jax, "jaxlib": _jax, "tensorflow": _tensorflow}.get(library)
    try:
        return by_library(tensor, what) if by_library else _any(tensor, what)
    except Refused:
        raise
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Refused(f"{what}: {_last_line(error)}") from error


def _last_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


def _capsule(tensor: Any) -> Any:
    """Of version 1 where its owner knows that: only there can it be said that a tensor is not to be written."""
    try:
        return tensor.__dlpack__(max_version=(1, 1))
    except TypeError:  # of an older DLPack
        return tensor.__dlpack__()


def _numpy(array: Any, what: str) -> _assay.Tensor:
    import numpy

    array = numpy.asarray(array)
    if array.dtype.hasobject:
        raise Refused(f"{what} is an array of Python objects; give numbers, as by .astype('f4')")
    if not array.dtype.isnative:
        raise Refused(f"{what} has its bytes in the other order ({array.dtype.str}); give {what}.astype({array.dtype.newbyteorder('=').str!r})")
    if array.dtype.name in _ML_DTYPES:
        bits = array.view(f"u{array.dtype.itemsize}") if array.ndim else array.reshape(1).view(f"u{array.dtype.itemsize}").reshape(())
        if bits.dtype.itemsize == 2:  # DLPack has no unsigned format of 16 bits that Assay has: any of that size does
            bits = bits.view("f2")
        return _assay.import_capsule(_of_numpy(bits), _ML_DTYPES[array.dtype.name])
    if array.dtype == bool:
        array = array.view("u1")
    return _assay.import_capsule(_of_numpy(array))


def _of_numpy(array: Any) -> Any:
    try:
        return _capsule(array)
    except BufferError:
        if array.flags.writeable:
            raise
        raise Refused("this NumPy does not hand out read-only arrays; give a copy, or use NumPy 2.1 or later") from None


def _torch(tensor: Any, what: str) -> _assay.Tensor:
    import torch

    if not isinstance(tensor, torch.Tensor):
        raise Refused(f"{what} is a {type(tensor).__name__}; give a tensor")
    if tensor.layout != torch.strided:
        raise Refused(f"{what} is sparse ({tensor.layout}); give {what}.to_dense()")
    if tensor.is_quantized:
        raise Refused(f"{what} is quantized ({tensor.dtype}); give {what}.int_repr(), or {what}.dequantize() of what it stands for")
    if tensor.device.type != "cpu":
        raise Refused(f"{what} is on {tensor.device}, and the host's memory is read here; give {what}.cpu()")
    if type(tensor).__name__ == "FakeTensor" or torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        raise Refused(f"{what} has no values ({type(tensor).__name__}): check outside of torch.compile, vmap and grad")
    tensor = tensor.detach()
    if tensor.is_conj() or tensor.is_neg():
        raise Refused(f"{what} is a lazy conjugate or negative; give {what}.resolve_conj().resolve_neg()")
    if tensor.dtype == torch.bool:
        tensor = tensor.view(torch.uint8)
    return _assay.import_capsule(_capsule(tensor))


def _jax(array: Any, what: str) -> _assay.Tensor:
    import jax

    if isinstance(array, jax.core.Tracer):
        raise Refused(f"{what} has no values (a tracer): check outside of jax.jit, vmap and grad")
    if array.is_deleted():
        raise Refused(f"{what} was deleted, or donated to another function")
    if len(array.sharding.device_set) > 1:
        raise Refused(f"{what} is spread over {len(array.sharding.device_set)} devices; give one part, as {what}.addressable_data(0)")
    if array.dtype == bool:
        array = array.view("uint8")
    array.block_until_ready()
    return _any(array, what)


def _tensorflow(tensor: Any, what: str) -> _assay.Tensor:
    import tensorflow

    if isinstance(tensor, (tensorflow.sparse.SparseTensor, tensorflow.RaggedTensor)):
        raise Refused(f"{what} is a {type(tensor).__name__}; give a dense tensor")
    if isinstance(tensor, tensorflow.Variable):
        tensor = tensor.read_value()
    if not hasattr(tensor, "numpy"):
        raise Refused(f"{what} has no values: check outside of tf.function")
    if "CPU" not in tensor.device:
        raise Refused(f"{what} is on {tensor.device}, and the host's memory is read here; copy it within tf.device('cpu')")
    if tensor.dtype == tensorflow.bool:
        tensor = tensorflow.cast(tensor, tensorflow.uint8)
    return _assay.import_capsule(tensorflow.experimental.dlpack.to_dlpack(tensor))


def _any(tensor: Any, what: str) -> _assay.Tensor:
    """Whoever speaks DLPack: CuPy, MLX, tinygrad, …"""
    if not hasattr(tensor, "__dlpack__"):
        raise Refused(f"{what} is a {type(tensor).__name__}; give an array: of NumPy, PyTorch, JAX, TensorFlow or another library that has DLPack")
    if hasattr(tensor, "__dlpack_device__"):
        kind, number = tensor.__dlpack_device__()
        if int(kind) != 1:
            raise Refused(f"{what} is on {_DEVICES.get(int(kind), f'a device of kind {int(kind)}')}, number {int(number)}, and the host's memory is read "
                          "here; copy it there")
    return _assay.import_capsule(_capsule(tensor))


def broadcast(tensor: _assay.Tensor, shape: tuple) -> _assay.Tensor:
    """The tensor as if it had that shape, by NumPy's rules: repeated dimensions have stride 0. Raises `Refused`."""
    if tensor.shape == shape:
        return tensor
    missing = len(shape) - len(tensor.shape)
    own = (1,) * missing + tensor.shape
    if missing < 0 or any(extent not in (1, asked) for extent, asked in zip(own, shape)):
        raise Refused(f"a tensor of shape {tensor.shape} does not broadcast to {shape}")
    strides = (0,) * missing + tensor.strides
    return tensor.viewed(list(shape), [0 if extent == 1 else stride for extent, stride in zip(own, strides)])


def joined(tensors: list, most: int) -> list:
    """Views of tensors of one shape in at most `most` dimensions, where the strides of all allow it; else as they are."""
    shape = list(tensors[0].shape)
    strides = [list(tensor.strides) for tensor in tensors]
    dimension = len(shape) - 2
    while len(shape) > most and dimension >= 0:
        if all(own[dimension] == own[dimension + 1] * shape[dimension + 1] for own in strides):
            shape[dimension : dimension + 2] = [shape[dimension] * shape[dimension + 1]]
            for own in strides:
                del own[dimension]
        dimension -= 1
    return [tensor.viewed(shape, own) for tensor, own in zip(tensors, strides)]
