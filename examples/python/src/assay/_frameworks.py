"""How a suite's tensors become those of a framework, and what a function returns goes back."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from . import _abi
from ._tensors import _ML_DTYPES

_CODES = {(0, 8): "i1", (0, 16): "i2", (0, 32): "i4", (0, 64): "i8", (1, 8): "u1", (1, 16): "u2", (1, 32): "u4", (1, 64): "u8", (2, 16): "f2", (2, 32): "f4",
          (2, 64): "f8"}


def view(tensor: _abi.Tensor) -> Any:
    """The tensor's own memory as a NumPy array; of formats that NumPy has no word for by ml_dtypes. Raises NotImplementedError."""
    import numpy

    array = tensor.array
    name = tensor.format.decode()
    code = _CODES.get((array.code, array.bits))
    if code is not None:
        dtype = numpy.dtype(code)
    else:
        known = {format: dtype for dtype, format in _ML_DTYPES.items()}.get(name)
        try:
            import ml_dtypes
        except ImportError:
            raise NotImplementedError(f"NumPy has no {name} without the package ml_dtypes") from None
        if known is None:
            raise NotImplementedError(f"NumPy has no {name}")
        dtype = numpy.dtype(getattr(ml_dtypes, known))
    shape, strides = array.shape[: array.ndim], array.strides[: array.ndim]
    if 0 in shape:
        return numpy.empty(shape, dtype)
    elements = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
    memory = (ctypes.c_char * (elements * dtype.itemsize)).from_address(array.data)
    seen = numpy.ndarray(shape, dtype, memory, strides=[stride * dtype.itemsize for stride in strides])
    seen.flags.writeable = tensor.role != _abi.INPUT
    return seen


class Numpy:
    """Functions of NumPy arrays."""

    def give(self, tensor: _abi.Tensor, launch: Any) -> Any:
        """What the function gets."""
        return view(tensor)

    def take(self, result: Any, tensor: _abi.Tensor, launch: Any) -> None:
        """Writes what the function has returned."""
        import numpy

        to, found = view(tensor), numpy.asarray(result)
        _fits(found.shape, to.shape, str(found.dtype), str(to.dtype))
        to[...] = found.reshape(to.shape)


class Torch:
    """Functions of PyTorch's tensors, on any of its devices."""

    def __init__(self, device: Optional[str] = None):
        import torch

        self.device = None if device in (None, "cpu") else torch.device(device)  # type: ignore[arg-type]
        if self.device is not None:
            torch.empty(1, device=self.device)  # a device that is not there is told at once

    def give(self, tensor: _abi.Tensor, launch: Any) -> Any:
        """What the function gets: the suite's own memory, or a copy on the device."""
        seen = self._own(tensor, launch)
        return seen if self.device is None else seen.to(self.device)

    def take(self, result: Any, tensor: _abi.Tensor, launch: Any) -> None:
        """Writes what the function has returned."""
        to = self._own(tensor, launch)
        _fits(tuple(result.shape), tuple(to.shape), str(result.dtype), str(to.dtype))
        to.copy_(result.detach().reshape(to.shape))

    def _own(self, tensor: _abi.Tensor, launch: Any) -> Any:
        import torch

        return torch.from_dlpack(_abi.capsule(tensor, launch))


class Jax:
    """Functions of JAX's arrays, which are copies: JAX wants memory of its own alignment."""

    def __init__(self, device: Optional[str] = None):
        import jax

        self.device = jax.devices(device)[0] if device else None

    def give(self, tensor: _abi.Tensor, launch: Any) -> Any:
        """What the function gets."""
        import jax

        return jax.device_put(view(tensor).copy(), self.device)

    def take(self, result: Any, tensor: _abi.Tensor, launch: Any) -> None:
        """Writes what the function has returned."""
        Numpy().take(result, tensor, launch)


class TensorFlow:
    """Functions of TensorFlow's tensors, which are copies."""

    def __init__(self, device: Optional[str] = None):
        self.device = device or "cpu"

    def give(self, tensor: _abi.Tensor, launch: Any) -> Any:
        """What the function gets."""
        import tensorflow

        with tensorflow.device(self.device):
            return tensorflow.constant(view(tensor))

    def take(self, result: Any, tensor: _abi.Tensor, launch: Any) -> None:
        """Writes what the function has returned."""
        Numpy().take(result.numpy(), tensor, launch)


def _fits(found: tuple, asked: tuple, found_type: str, asked_type: str) -> None:
    if found_type != asked_type:
        raise TypeError(f"the function returned {found_type} where {asked_type} is asked for")
    if [extent for extent in found if extent != 1] != [extent for extent in asked if extent != 1]:
        raise ValueError(f"the function returned a shape of {found} where {asked} is asked for")
